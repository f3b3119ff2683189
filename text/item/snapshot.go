package item

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"io"
	"math"

	"orbweaver/text/spell"
)

// magic starts a snapshot; its last byte is the version.
const magic = "orbitem\x01"

// maxSnapshot bounds the bytes of a snapshot to read.
const maxSnapshot = 1 << 30

// Snapshot writes the learned state without the options, with a checksum.
func (s *State) Snapshot(w io.Writer) error {
	b := s.append([]byte(magic))
	b = binary.LittleEndian.AppendUint32(b, crc32.ChecksumIEEE(b))
	_, err := w.Write(b)
	return err
}

// Digest is a hexadecimal hash of the learned state.
func (s *State) Digest() string {
	sum := sha256.Sum256(s.append(nil))
	return hex.EncodeToString(sum[:16])
}

// append appends the learned state to b.
func (s *State) append(b []byte) []byte {
	for _, n := range []uint64{uint64(s.items), s.tokens, uint64(s.next), uint64(len(s.units))} {
		b = binary.AppendUvarint(b, n)
	}
	for i := range s.units {
		b = s.units[i].append(b)
	}
	b = binary.AppendUvarint(b, uint64(len(s.phrases)))
	for _, p := range s.phrases {
		for _, n := range []uint32{p.key[0], p.key[1], p.key[2], p.count, p.items, p.last, p.term} {
			b = binary.AppendUvarint(b, uint64(n))
		}
	}
	b = binary.AppendUvarint(b, uint64(len(s.languages)))
	for _, l := range s.languages {
		b = appendString(b, l.name)
		b = binary.AppendUvarint(b, uint64(l.items))
		b = l.words.Append(b)
	}
	return b
}

func (u *unit) append(b []byte) []byte {
	for _, n := range []uint32{u.id, u.count, u.items, u.last, u.gram[0], u.gram[1], u.gram[2]} {
		b = binary.AppendUvarint(b, uint64(n))
	}
	b = appendString(b, u.stem)
	for _, f := range u.forms {
		b = appendString(b, f.text)
		b = binary.AppendUvarint(b, uint64(f.items))
	}
	return b
}

func appendString(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// Restore loads a snapshot; the State keeps its own options, which should equal those at the snapshot. The error
// wraps ErrDamaged unless reading failed; the State is then unchanged.
func (s *State) Restore(r io.Reader) error {
	b, err := io.ReadAll(io.LimitReader(bufio.NewReader(r), maxSnapshot+1))
	if err != nil {
		return err
	}
	body := len(b) - crc32.Size
	if body < len(magic) || len(b) > maxSnapshot || !bytes.HasPrefix(b, []byte(magic)) {
		return fmt.Errorf("%w: not of this version", ErrDamaged)
	}
	if crc32.ChecksumIEEE(b[:body]) != binary.LittleEndian.Uint32(b[body:]) {
		return fmt.Errorf("%w: checksum mismatch", ErrDamaged)
	}
	again := NewState(s.opts)
	d := decoder{b: b[len(magic):body]}
	d.state(again)
	if !d.failed && len(d.b) > 0 {
		d.fail("trailing data")
	}
	if d.failed {
		return fmt.Errorf("%w: %s", ErrDamaged, d.what)
	}
	s.load(again)
	return nil
}

// load copies the learned state of another State.
func (s *State) load(o *State) {
	s.changes++
	s.items, s.tokens, s.next, s.units, s.phrases, s.languages = o.items, o.tokens, o.next, o.units, o.phrases, o.languages
	s.indexUnits()
	s.indexPhrases()
}

// A decoder reads a snapshot. After an error it returns zeros.
type decoder struct {
	b      []byte
	failed bool
	what   string
}

func (d *decoder) fail(what string) {
	if !d.failed {
		d.failed, d.what, d.b = true, what, nil
	}
}

// number reads a number with an upper bound.
func (d *decoder) number(most uint64, what string) uint64 {
	n, size := binary.Uvarint(d.b)
	if size <= 0 || n > most {
		d.fail(what)
		return 0
	}
	d.b = d.b[size:]
	return n
}

func (d *decoder) small(what string) uint32 { return uint32(d.number(math.MaxUint32, what)) }

func (d *decoder) text(what string) string {
	n := d.number(uint64(min(len(d.b), 1<<12)), what)
	if uint64(len(d.b)) < n {
		d.fail(what)
		return ""
	}
	s := string(d.b[:n])
	d.b = d.b[n:]
	return s
}

func (d *decoder) state(s *State) {
	s.items, s.tokens, s.next = d.small("bad number of items"), d.number(math.MaxUint64, "bad number of words"), d.small("bad next number")
	n := d.number(uint64(len(d.b))/12, "bad number of terms") // least size of one
	s.units = make([]unit, n)
	for i := range s.units {
		d.unit(&s.units[i])
		if i > 0 && s.units[i].id <= s.units[i-1].id || s.units[i].id >= s.next {
			d.fail("term out of order")
		}
		if d.failed {
			return
		}
	}
	d.phrases(s)
	d.languages(s)
}

func (d *decoder) unit(u *unit) {
	for _, n := range []*uint32{&u.id, &u.count, &u.items, &u.last, &u.gram[0], &u.gram[1], &u.gram[2]} {
		*n = d.small("a term")
	}
	u.stem = d.text("bad stem of a term")
	for i := range u.forms {
		u.forms[i] = form{d.text("bad form of a term"), d.small("bad form of a term")}
	}
	if u.id == 0 || (u.stem == "") == (u.gram == gramKey{}) {
		d.fail("term is neither word nor collocation")
	}
}

func (d *decoder) phrases(s *State) {
	s.phrases = make([]phrase, d.number(uint64(len(d.b))/7, "bad number of collocations"))
	for i := range s.phrases {
		p := &s.phrases[i]
		for _, n := range []*uint32{&p.key[0], &p.key[1], &p.key[2], &p.count, &p.items, &p.last, &p.term} {
			*n = d.small("a collocation")
		}
		if u := s.find(p.term); p.term != 0 && (u == nil || u.gram != p.key) {
			d.fail("collocation is no term")
		}
		if d.failed {
			return
		}
	}
}

func (d *decoder) languages(s *State) {
	n := d.number(uint64(len(d.b)), "bad number of languages")
	for range n {
		l := &language{name: d.text("a language"), items: d.small("a language"), words: spell.New(s.opts.Spelling)}
		if d.failed {
			return
		}
		rest, err := l.words.Restore(d.b)
		if err != nil {
			d.fail(l.name + ": " + err.Error())
			return
		}
		d.b = rest
		s.teach(l)
		s.languages = append(s.languages, l)
	}
}
