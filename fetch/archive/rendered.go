package archive

import (
	"bufio"
	"crypto/sha1"
	"errors"
	"fmt"
	"io"
	"net/http"

	"orbweaver"
	"orbweaver/internal/step"
)

// What a page's scripts made of it is archived as a conversion record, before the request of its answer: it is HTML in UTF-8 and refers to the
// answer by its id. So it is removed with the answer, and a replay needs no browser.

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

// isRendered reports whether a record is a rendered page.
func (h *header) isRendered() bool {
	return h.kind == "conversion" && h.refersTo != "" && h.contentType == renderedType
}

// renderedAt reads a rendered page of at most limit bytes.
func renderedAt(s *source, at span, limit int64) ([]byte, error) {
	r := newRecord()
	err := r.open(s, at.offset, at.length)
	if err == nil && !r.header.isRendered() {
		err = errors.New("no rendered page")
	}
	var html []byte
	if err == nil {
		html, err = io.ReadAll(io.LimitReader(r, limit+1))
	}
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s at byte %d: %w: %w", s.name, at.offset, orbweaver.ErrMalformed, err)
	case int64(len(html)) > limit:
		return nil, fmt.Errorf("%s at byte %d: %w: a rendered page of more than %d bytes", s.name, at.offset, orbweaver.ErrTooLarge, limit)
	}
	return html, nil
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
