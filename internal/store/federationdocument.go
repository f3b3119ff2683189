package store

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"iter"
	"net/url"
	"os"

	"orbweaver"
	"orbweaver/internal/offline/rdffile"
	"orbweaver/rdf"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/jsonld"
)

// loaded is a document fetched for LOAD.
type loaded struct {
	base     string // IRI of the document
	kind     string // Content-Type; empty: unknown
	text     io.Reader
	file     *os.File // file that holds the text; nil: none
	scope    rdffile.Scope
	maxRows  int
	maxBytes int64
	context  func(ctx context.Context, url string) (body io.ReadCloser, contentType, found string, err error)
}

// triples yields the document's triples up to its first error.
func (d loaded) triples(ctx context.Context) iter.Seq2[rdf.Triple, error] {
	return func(yield func(rdf.Triple, error) bool) {
		in := &rdffile.File{Name: pathOf(d.base), Inner: pathOf(d.base), File: d.file}
		if err := in.Unpack(ctx, d.text); err != nil {
			yield(rdf.Triple{}, fmt.Errorf("%s: %w: %w", d.base, orbweaver.ErrUnreadable, err))
			return
		}
		if in.Entry != nil {
			defer in.Entry.Close()
		}
		n := 0
		for q, err := range d.quads(ctx, in) {
			if n++; err == nil && n > d.maxRows {
				err = fmt.Errorf("%s: more than %d statements: %w", d.base, d.maxRows, orbweaver.ErrTooLarge)
			}
			q = d.scope.Of(q)
			if !yield(rdf.Triple{S: q.S, P: q.P, O: q.O}, err) || err != nil {
				return
			}
		}
	}
}

// quads reads the document in the syntax that its bytes and its media type indicate.
func (d loaded) quads(ctx context.Context, in *rdffile.File) iter.Seq2[rdf.Quad, error] {
	from := d.notation(in)
	if from == "" {
		return func(yield func(rdf.Quad, error) bool) {
			yield(rdf.Quad{}, fmt.Errorf("%s: %w: not RDF, by its type %.80q, its name or its first bytes", d.base, orbweaver.ErrUnreadable, d.kind))
		}
	}
	text, opts := &bounded{in.Text, d.base, d.maxBytes}, syntax.Options{Name: d.base, Base: d.base}
	if from == rdffile.InJSONLD {
		return jsonld.Read(text, jsonld.Options{Options: opts, Load: d.context, Context: ctx})
	}
	return from.Quads(text, opts, nil)
}

// notation returns the notation of a document; empty: no RDF that can be loaded.
func (d loaded) notation(in *rdffile.File) rdffile.Notation {
	head := in.Head()
	start := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
	switch {
	case rdffile.StartsPage(start):
		return ""
	case rdffile.IsJSON(start):
		return rdffile.InJSONLD
	}
	format := syntax.Detect(in.Inner, d.kind, head)
	for _, n := range [...]rdffile.Notation{rdffile.InNTriples, rdffile.InNQuads, rdffile.InTurtle, rdffile.InTriG, rdffile.InRDFXML} {
		if n.Format() == format {
			return n
		}
	}
	return ""
}

// pathOf returns the path of an IRI, whose file extension may indicate the notation.
func pathOf(iri string) string {
	u, err := url.Parse(iri)
	if err != nil {
		return ""
	}
	return u.Path
}

// bounded is a document that may be read up to a limit.
type bounded struct {
	r    io.Reader
	name string
	left int64
}

// Read reads, or fails with ErrTooLarge beyond the limit.
func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.r.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return 0, fmt.Errorf("%s: too many bytes: %w", b.name, orbweaver.ErrTooLarge)
	}
	return n, err
}
