package archive

import (
	"bufio"
	"bytes"
	"crypto/sha1"
	"fmt"
	"io"
	"path/filepath"
	"strconv"

	"orbweaver"
)

// A payload is one whose response is removed.
type payload struct {
	from orbweaver.Ref // the removed response
	kept orbweaver.Ref // a response that stays and has it
	head *header       // of the response that others refer to
}

// A mover is an answer that moves to the end of the archive.
type mover struct {
	ref   orbweaver.Ref
	asked int64 // offset of its request, which ends where it begins; that of ref if it has none
	line  cdxLine
}

// afterInfo returns the end of the warcinfo record that begins the file of a place.
func (r *removal) afterInfo(ref orbweaver.Ref) (int64, error) {
	s, err := r.source(ref)
	if err != nil {
		return 0, err
	}
	defer s.close()
	info := &kindOf{}
	walk := &scanner{source: s, record: newRecord(), see: info, read: counter{from: s.file}}
	walk.in = bufio.NewReader(&walk.read)
	if err := walk.member(0); err != nil {
		return 0, fmt.Errorf("%s at byte 0: %w: %w", ref.File, orbweaver.ErrDamaged, err)
	}
	if info.kind != "warcinfo" {
		return 0, nil
	}
	return walk.offset(), nil
}

// kindOf is a visitor that keeps the kind of the last record.
type kindOf struct{ kind string }

func (k *kindOf) begin(r *record, _ int64) error {
	k.kind = r.header.kind
	return nil
}

func (k *kindOf) end(int64) {}

func (r *removal) source(ref orbweaver.Ref) (*source, error) {
	s, err := openSource(filepath.Join(r.dir, ref.File))
	if err == nil && !s.compressed {
		s.close()
		err = fmt.Errorf("%s: %w: it is not compressed", ref.File, orbweaver.ErrDamaged)
	}
	return s, err
}

// requestBefore returns where the request of an answer begins, or the rendered page before it, between the record before and it.
func (r *removal) requestBefore(ref orbweaver.Ref, from int64, target string) int64 {
	s, err := r.source(ref)
	if err != nil {
		return ref.Offset
	}
	defer s.close()
	if _, at, ok := requestBetween(s, newRecord(), bufio.NewReader(nil), from, ref.Offset, target); ok {
		return at
	}
	return ref.Offset
}

// moveAll appends what moves.
func (r *removal) moveAll() error {
	record, plate := newRecord(), newPlate()
	for _, m := range r.movers {
		if err := r.ctx.Err(); err != nil {
			return err
		}
		if err := r.move(m, record, plate); err != nil {
			return fmt.Errorf("%s at byte %d: %w", m.ref.File, m.ref.Offset, err)
		}
	}
	return nil
}

// move appends one answer, whole or as a revisit, and its line.
func (r *removal) move(m mover, record *record, plate *plate) error {
	s, err := r.source(m.ref)
	if err != nil {
		return err
	}
	defer s.close()
	request := make([]byte, m.ref.Offset-m.asked)
	if _, err := s.file.ReadAt(request, m.asked); err != nil {
		return err
	}
	m.line.Elsewhere = "" // it becomes a response, or a revisit of one
	own, err := record.readWhole(s, m.ref)
	if err != nil {
		return err
	}
	own.fields, err = keptFields(record, s, span{offset: m.ref.Offset, length: m.ref.Length})
	if err != nil {
		return damagedRecord(err)
	}
	out := bytes.NewBuffer(request)
	if err := r.repack(out, &m, own, record, plate); err != nil {
		return err
	}
	to, err := r.writer.gather(warcDate(own.header.date), out.Bytes(), int64(len(request)))
	if err != nil {
		return err
	}
	r.plan.Moved = append(r.plan.Moved, Move{m.ref, to})
	return r.addLine(m.line.append(nil, to))
}

// repack writes the member of an answer that moves.
func (r *removal) repack(out *bytes.Buffer, m *mover, own whole, record *record, plate *plate) error {
	sum, _ := parseDigest(m.line.Digest)
	original := r.payloads[sum]
	switch {
	case original.head != nil:
	case original.kept != orbweaver.Ref{}:
		kept, err := r.read(record, original.kept)
		if err != nil {
			return err
		}
		original.head = &kept.header
	default:
		from, err := r.read(record, original.from)
		if err != nil {
			return err
		}
		body := from.block[from.head.size:]
		if sha1.Sum(body) != sum {
			return fmt.Errorf("%w: the payload %s it revisits is not what was written", orbweaver.ErrDamaged, m.line.Digest)
		}
		own.respond(out, body, digestOf(sum), plate)
		m.line.Mime = own.head.mediaType()
		original.head = &own.header
		return nil
	}
	own.revisit(out, original.head, m.line.Digest)
	return nil
}

// read reads a record whole.
func (r *removal) read(record *record, ref orbweaver.Ref) (whole, error) {
	s, err := r.source(ref)
	if err != nil {
		return whole{}, err
	}
	defer s.close()
	return record.readWhole(s, ref)
}

// A whole is an answer's record in memory.
type whole struct {
	header header
	block  []byte
	head   head   // of HTTP; its fields are in block
	fields []byte // the start of its WARC header: what holds for any form of it
}

// readWhole reads and checks the record of an answer.
func (r *record) readWhole(s *source, ref orbweaver.Ref) (w whole, err error) {
	if err := r.open(s, ref.Offset, ref.Length); err != nil {
		return w, damagedRecord(err)
	}
	w.header = r.header
	if w.block, err = io.ReadAll(r); err == nil {
		err = r.wholeAt(s, ref.Length)
	}
	if err == nil {
		w.head, err = splitHead(w.block, true)
	}
	if err != nil {
		return w, damagedRecord(err)
	}
	return w, nil
}

func damagedRecord(err error) error { return fmt.Errorf("%w: %w", orbweaver.ErrDamaged, err) }

// respond writes the member of a response with its own head and a payload.
func (w *whole) respond(out *bytes.Buffer, body []byte, digest string, plate *plate) {
	head := w.block[:w.head.size]
	h := appendField(bytes.Clone(w.fields), "WARC-Type", "response")
	h = appendField(h, "Content-Type", "application/http;msgtype=response")
	h = appendField(h, "Content-Length", strconv.Itoa(len(head)+len(body)))
	h = appendField(h, "WARC-Payload-Digest", digest)
	plate.record(out, Usual, w.head.header(), h, head, body)
}

// revisit writes the member of a revisit of a response.
func (w *whole) revisit(out *bytes.Buffer, original *header, digest string) {
	h := appendField(bytes.Clone(w.fields), "WARC-Type", "revisit")
	h = appendField(h, "Content-Type", "application/http;msgtype=response")
	h = appendField(h, "Content-Length", strconv.Itoa(len(w.block)))
	h = appendRefers(h, original)
	h = appendField(h, "WARC-Payload-Digest", digest)
	h = appendField(h, "WARC-Block-Digest", digestOf(sha1.Sum(w.block)))
	store(out, h, lineEnd, w.block, recordEnd)
}
