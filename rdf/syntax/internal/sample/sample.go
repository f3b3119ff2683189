// Package sample makes documents of any size to measure readers with: catalogues such as the Web has,
// of things with labels in several languages, long texts, numbers, dates, links, nested nodes and lists.
//
// A document is made while it is read, and takes no memory. The same syntax, seed and size make the same
// bytes, and one seed makes the same nodes in all syntaxes.
package sample

import (
	"io"
	"math/rand/v2"
	"strings"

	"orbweaver/rdf/syntax"
)

// A Document is read once.
type Document struct {
	maker maker
	write func([]byte, *node) []byte
	foot  string
	left  int64 // bytes until the foot
	buf   []byte
	rest  []byte // of buf: what was not read yet
	over  bool
}

// New returns a document of a size in bytes, and at most some kilobytes more; nil in a syntax that is
// none of N-Triples, N-Quads, Turtle, TriG and RDF/XML.
func New(format syntax.Format, seed uint64, size int64) *Document {
	d := &Document{maker: maker{r: rand.New(rand.NewPCG(seed, 1))}, left: size}
	switch format {
	case syntax.NTriples:
		d.write = (&lines{}).node
	case syntax.NQuads:
		d.write = (&lines{graphs: true}).node
	case syntax.Turtle:
		d.buf, d.write = appendPrefixes(nil), (&sentences{}).node
	case syntax.TriG:
		t := &sentences{graphs: true}
		d.buf, d.write, d.foot = appendPrefixes(nil), t.node, "}\n"
	case syntax.RDFXML:
		d.buf, d.write, d.foot = appendHead(nil), (&elements{}).node, "</rdf:RDF>\n"
	default:
		return nil
	}
	d.rest = d.buf
	return d
}

// Read makes as much of the document as is asked for.
func (d *Document) Read(b []byte) (n int, err error) {
	for n < len(b) {
		if len(d.rest) == 0 && !d.more() {
			break
		}
		copied := copy(b[n:], d.rest)
		d.rest = d.rest[copied:]
		n += copied
	}
	if n == 0 && len(b) > 0 {
		return 0, io.EOF
	}
	return n, nil
}

// more makes one more node, or the foot.
func (d *Document) more() bool {
	switch {
	case d.over:
		return false
	case d.left > 0:
		d.buf = d.write(d.buf[:0], d.maker.node())
		d.left -= int64(len(d.buf))
	default:
		d.buf, d.over = append(d.buf[:0], d.foot...), true
	}
	d.rest = d.buf
	return true
}

// Repeat returns a document that starts with a head and continues with a pattern, n times.
func Repeat(head, pattern string, n int) io.Reader {
	return io.MultiReader(strings.NewReader(head), &repeated{pattern: pattern, left: n * len(pattern)})
}

// repeated is a pattern without end, up to a number of bytes.
type repeated struct {
	pattern string
	at      int // in the pattern
	left    int
}

// Read gives the pattern again.
func (r *repeated) Read(b []byte) (n int, err error) {
	if r.left == 0 && len(b) > 0 {
		return 0, io.EOF
	}
	b = b[:min(len(b), r.left)]
	for n < len(b) {
		copied := copy(b[n:], r.pattern[r.at:])
		r.at = (r.at + copied) % len(r.pattern)
		n += copied
	}
	r.left -= n
	return n, nil
}
