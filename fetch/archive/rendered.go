package archive

import (
	"bufio"
	"crypto/sha1"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
	"strconv"
	"strings"

	"orbweaver"
	"orbweaver/internal/step"
)

// What a page's scripts made of it is archived as a conversion record, before the request of its answer: it is HTML in UTF-8 and refers to the
// answer by its id. So it is removed with the answer, and a replay needs no browser. The answer says where the record is, so that who knows the
// answer's place alone finds it.

// renderedField is the field of an answer that has a rendered page: the bytes between the starts of the two records, and the length of that of the
// page. It is no field of the standard, which lets readers pass over those they do not know.
const renderedField = "orbweaver-rendered"

// renderedType is the media type of such a record.
const renderedType = "text/html; charset=utf-8"

// rendering is the header of a rendered page.
var rendering = http.Header{"Content-Type": {renderedType}}

// packRendered writes the record of a rendered page.
func (p *Packed) packRendered(plate *plate, effort Effort, html []byte) {
	id := recordID("conversion", p.target, p.id)
	b := p.appendFields(plate.text[:0], "conversion", id, renderedType, len(html))
	b = appendField(b, "WARC-Refers-To", p.id)
	b = appendField(b, "WARC-Block-Digest", digestOf(sha1.Sum(html)))
	plate.record(p.out, effort, rendering, b, nil, html)
	plate.text = b
}

// appendRendered appends the place of the rendered page, if there is one, to the header of its answer.
func (p *Packed) appendRendered(b []byte) []byte {
	if p.rendered == 0 {
		return b
	}
	return appendField(b, "Orbweaver-Rendered", fmt.Sprintf("%d %d", p.request-p.head, p.rendered-p.head))
}

// parseRendered reads such a place; the zero span: it is none.
func parseRendered(value []byte) span {
	before, length, _ := strings.Cut(string(value), " ")
	at, err := strconv.ParseInt(before, 10, 64)
	n, bad := strconv.ParseInt(length, 10, 64)
	if err != nil || bad != nil || n <= 0 || at < n {
		return span{}
	}
	return span{offset: at, length: n}
}

// renderedBefore returns what reads the rendered page of an answer from its file, which it opens again; nil: there is none.
func (a *answer) renderedBefore(path string) func() ([]byte, error) {
	id, at := a.record.header.id, a.record.header.rendered
	at.offset = a.ref.Offset - at.offset
	if at.length == 0 || at.offset < 0 {
		return nil
	}
	return func() ([]byte, error) {
		file, err := os.Open(path)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", orbweaver.ErrDamaged, err)
		}
		defer file.Close()
		html, of, err := readRendered(&source{name: a.ref.File, file: file, compressed: true}, at, math.MaxInt64-1)
		if err == nil && of != id {
			err = fmt.Errorf("%s at byte %d: %w: the rendered page of another answer", a.ref.File, at.offset, orbweaver.ErrDamaged)
		}
		return html, err
	}
}

// isRendered reports whether a record is a rendered page.
func (h *header) isRendered() bool {
	return h.kind == "conversion" && h.refersTo != "" && h.contentType == renderedType
}

// renderedAt reads a rendered page of at most limit bytes.
func renderedAt(s *source, at span, limit int64) ([]byte, error) {
	html, _, err := readRendered(s, at, limit)
	return html, err
}

// readRendered reads a rendered page, and the id of its answer.
func readRendered(s *source, at span, limit int64) (html []byte, answer string, err error) {
	r := newRecord()
	err = r.open(s, at.offset, at.length)
	if err == nil && !r.header.isRendered() {
		err = errors.New("no rendered page")
	}
	if err == nil {
		html, err = io.ReadAll(io.LimitReader(r, limit+1))
	}
	switch {
	case err != nil:
		return nil, "", fmt.Errorf("%s at byte %d: %w: %w", s.name, at.offset, orbweaver.ErrMalformed, err)
	case int64(len(html)) > limit:
		return nil, "", fmt.Errorf("%s at byte %d: %w: a rendered page of more than %d bytes", s.name, at.offset, orbweaver.ErrTooLarge, limit)
	}
	return html, r.header.refersTo, nil
}

// A made is the rendered page that the scan has met and whose answer follows.
type made struct {
	at      span
	answers uint64 // hash of the answer's record id; 0: there is none
}

// A spot is where an answer begins.
type spot struct {
	file   uint16
	offset int64
}

// render gives the answer that begins at a place the rendered page before it, if that is its own.
func (x *indexer) render(c *capture, id uint64) {
	if m := x.made; m.answers != 0 && m.answers == id {
		if x.rendered == nil {
			x.rendered = map[spot]span{}
		}
		x.rendered[spot{c.file, c.offset}] = m.at
	}
	x.made = made{}
}

// withRendered adds what the archive knows of a page's scripts to its answer.
func (w *Web) withRendered(c capture, resp *step.Response) {
	resp.Told = len(w.index.rendered) > 0
	if at, ok := w.index.rendered[spot{c.file, c.offset}]; ok {
		resp.Rendered = func() ([]byte, error) { return renderedAt(w.sources[at.file], at, w.opts.MaxBody) }
	}
}

// Rendered reads what the scripts of a page made of it, of at most limit bytes, HTML in UTF-8. The error wraps ErrAbsent if the archive does not have
// it.
func (s *Stock) Rendered(h Holding, limit int64) ([]byte, error) {
	at := h.rendered
	source := s.sources[h.own.file]
	if at.length == 0 && h.before >= 0 {
		at = renderedBetween(source, h)
	}
	if at.length == 0 {
		return nil, fmt.Errorf("%s at byte %d: %w: no rendered page", source.name, h.own.offset, orbweaver.ErrAbsent)
	}
	return renderedAt(source, at, limit)
}

// renderedBetween finds the rendered page before an answer.
func renderedBetween(s *source, h Holding) span {
	seen := renderings{file: h.own.file}
	in := bufio.NewReaderSize(nil, 16<<10)
	walk := &scanner{source: s, record: newRecord(), see: &seen, in: in, read: counter{s.file, h.before}}
	walk.in.Reset(&walk.read)
	for range maxBetween {
		if at := walk.offset(); at >= h.own.offset || walk.member(at) != nil {
			break
		}
	}
	return seen.last
}

// renderings is a visitor that keeps the last rendered page.
type renderings struct {
	file int32
	last span
	here bool
	at   int64
}

func (v *renderings) begin(r *record, offset int64) error {
	v.here, v.at = r.header.isRendered(), offset
	return nil
}

func (v *renderings) end(length int64) {
	if v.here {
		v.last = span{v.at, length, v.file}
	}
}

// renderedOf returns the rendered page of an answer that is packed; nil: there is none.
func renderedOf(resp *step.Response) ([]byte, error) {
	if resp.Rendered == nil {
		return nil, nil
	}
	return resp.Rendered()
}
