// Package rdfa reads the RDF in a page's attributes: RDFa Core 1.1 (W3C Recommendation of 17 March 2015) with
// the rules of HTML+RDFa 1.1 and XHTML+RDFa 1.1. This includes RDFa Lite and Open Graph.
//
// A page is read in one pass. Memory holds the path of open elements and the triples, which are delivered at
// the end, since the end of a page may change its first triples (rdfa:copy). x/net/html tokenizes HTML. The
// package nests elements by its own rules, which differ from HTML's where those multiply elements: a
// formatting element that is closed late or never is not reopened. Work is therefore linear in the page's
// length.
//
// A page gives at most 262 144 triples, and literals of at most 16 times its own length; with MaxDepth and
// MaxToken this bounds the cost. Numbers in comments name sections and steps of RDFa Core.
package rdfa

import (
	"bytes"
	"fmt"
	"io"
	"iter"

	"orbweaver/internal/coding/charset"
	"orbweaver/rdf"
	"orbweaver/rdf/iri"
	"orbweaver/rdf/syntax"
)

// A Host is the host language of a page.
type Host uint8

// The host languages. All but HTML5 are XML and must be well-formed.
const (
	HTML5 Host = iota // what browsers read as HTML, including HTML 4
	XHTML5
	XHTML1
	XML // any other language, by the rules of RDFa Core only
	SVG
)

// isHTML reports whether the rules of HTML+RDFa apply.
func (h Host) isHTML() bool { return h == HTML5 || h == XHTML5 }

// hasHead reports whether the language has head, body and base elements.
func (h Host) hasHead() bool { return h <= XHTML1 }

// Options configure a read. Lenient mode reports mistakes and exceeded limits and keeps all triples read
// before. MaxDepth counts elements: in lenient mode HTML elements beyond it are skipped, their text is not.
// MaxToken limits the page, in bytes. Without Base the page itself is a blank node, and relative references
// are dropped.
type Options struct {
	syntax.Options
	Host Host

	// Roles enables role attributes (Role Attribute 1.0). Most serve screen readers only.
	Roles bool

	// Vocabularies returns the triples of a vocabulary's document, or nil. With it, properties and classes of
	// the page's vocabularies imply broader ones (section 10). Nil disables this vocabulary expansion.
	Vocabularies func(iri string) []rdf.Triple

	// ReportGraph makes Read return the processor graph (section 7.6) instead of the output graph.
	ReportGraph bool
}

const (
	maxTriples   = 1 << 18
	literalRatio = 16 // bytes of literals to a byte of the page
	tooMuch      = "more data than a page may have"
	literalFloor = 64 << 10 // minimum budget of literals of a page, in bytes
)

// Read returns the triples of a page, in the order of its elements. Mistakes of RDFa are not errors: names
// without meaning are skipped. The sequence ends with a *syntax.Error if the page cannot be read, exceeds a
// limit, or is XML that is not well-formed; triples read before are delivered. The sequence can be ranged
// over once.
func Read(r io.Reader, opts Options) iter.Seq2[rdf.Triple, error] {
	return func(yield func(rdf.Triple, error) bool) {
		opts.Options = opts.Options.Filled()
		p := newParser(opts)
		err := p.run(r)
		if err != nil {
			p.names.report.add("Error", err.Msg, "")
		}
		triples := p.result()
		if err == nil && p.out.full {
			err = &syntax.Error{Name: opts.Name, Line: 1, Column: 1, Msg: tooMuch}
		}
		if err != nil && opts.Lenient && err.Err == nil {
			opts.Report(err)
			err = nil
		}
		for _, t := range triples {
			if !yield(t, nil) {
				return
			}
		}
		if err != nil {
			yield(rdf.Triple{}, err)
		}
	}
}

// A parser receives elements and text in page order and gathers triples. Its stack holds a frame for the page
// and one for each open element.
type parser struct {
	opts     Options
	document iri.Base // of the page, ignoring <base>
	names    names
	tag      tag
	stack    []frame
	out      output
	literals literals
	wrong    *syntax.Error
}

// newParser returns a parser in its initial state.
func newParser(opts Options) *parser {
	return &parser{opts: opts, names: newNames(opts), tag: tag{roles: opts.Roles}}
}

// run reads the page. Err of the error is set if the reader failed.
func (p *parser) run(r io.Reader) *syntax.Error {
	at := syntax.Error{Name: p.opts.Name, Line: 1, Column: 1}
	page, err := whole(r, p.opts.MaxToken)
	switch {
	case err != nil:
		at.Msg, at.Err = "reading", err
		return &at
	case len(page) > p.opts.MaxToken:
		at.Msg = fmt.Sprintf("page of more than %d bytes", p.opts.MaxToken)
		return &at
	}
	if p.opts.Base != "" {
		if p.document, err = iri.ParseBase(p.opts.Base); err != nil {
			at.Msg = "base: " + err.Error()
			return &at
		}
	}
	p.names.document = p.document
	p.out.left = literalFloor + literalRatio*len(page)
	if p.opts.Host == HTML5 {
		return p.soup(decoded(page))
	}
	return p.xml(page)
}

// whole reads all of r, at most one byte more than the limit.
func whole(r io.Reader, most int) ([]byte, error) {
	var page bytes.Buffer
	if l, ok := r.(interface{ Len() int }); ok {
		page.Grow(min(l.Len(), most) + bytes.MinRead)
	}
	_, err := page.ReadFrom(io.LimitReader(r, int64(most)+1))
	return page.Bytes(), err
}

// decoded returns HTML as UTF-8.
func decoded(page []byte) []byte {
	text, _ := charset.Text(page, "text/html")
	return text
}

// begin opens a page with a known base (7.5, the initial evaluation context).
func (p *parser) begin(base iri.Base) {
	page := p.names.page(base)
	s := scope{base: &base, subject: page, object: page, lists: &lists{}}
	p.stack = append(p.stack[:0], frame{scope: s, owned: s.lists})
}

// finish closes all open elements.
func (p *parser) finish() {
	for len(p.stack) > 0 {
		p.end()
	}
}

// result returns the triples after finish.
func (p *parser) result() []rdf.Triple {
	p.finish()
	if p.opts.ReportGraph {
		return p.names.report.graph(&p.names)
	}
	p.out.settle()
	if p.opts.Host.isHTML() {
		p.out.copyPatterns()
	}
	if p.opts.Vocabularies != nil {
		p.out.expand(p.opts.Vocabularies)
	}
	return p.out.triples
}
