// Package rdfa reads the RDF in a page's attributes: RDFa Core 1.1 (W3C Recommendation of 17 March
// 2015) with the rules of HTML+RDFa 1.1 and XHTML+RDFa 1.1. RDFa Lite is a part of it, and Open Graph
// is RDFa.
//
// A page is read whole, once, front to back; what is kept of it is the path of open elements and the
// triples, which are delivered at the end, since a page may say last what its first triples are to
// become (rdfa:copy). HTML is cut into tokens by x/net/html and nested by rules of our own, which
// differ from those of HTML where they would make many elements of one: a formatting element that is
// not closed, or closed too late, is not opened again. So the work is linear in the page's length.
//
// A page can hold no more than 262 144 triples and literals of no more than 16 times its own length;
// with MaxDepth and MaxToken that bounds all it can cost. Numbers in comments name sections and steps
// of RDFa Core.
package rdfa

import (
	"bytes"
	"fmt"
	"io"
	"iter"
	"unicode/utf8"

	"golang.org/x/net/html/charset"

	"orbweaver/rdf"
	"orbweaver/rdf/iri"
	"orbweaver/rdf/syntax"
)

// A Host is the language whose attributes RDFa's are among.
type Host uint8

// The host languages. All but HTML5 are XML, which has to be well-formed.
const (
	HTML5 Host = iota // what browsers take for HTML, HTML 4 too
	XHTML5
	XHTML1
	XML // any other language, by the rules of RDFa Core alone
	SVG
)

// isHTML says whether the rules of HTML+RDFa hold.
func (h Host) isHTML() bool { return h == HTML5 || h == XHTML5 }

// hasHead says whether there are head, body and base elements.
func (h Host) hasHead() bool { return h <= XHTML1 }

// Options say how a page is read. In lenient mode what is wrong, or beyond a limit, is reported and
// ends nothing that was read before it. MaxDepth counts elements: in lenient mode HTML's beyond it are
// passed over, their text is not. MaxToken limits the page, in bytes. Without Base the page itself is a blank
// node, and what refers to others relatively is left out.
type Options struct {
	syntax.Options
	Host Host

	// Roles has role attributes be data too (Role Attribute 1.0). Most are for screen readers alone.
	Roles bool

	// Vocabularies returns the triples of a vocabulary's document, none when there is nothing to know
	// of it. With it, properties and classes of the page's vocabularies imply their broader ones
	// (section 10). Nil: nothing is implied.
	Vocabularies func(iri string) []rdf.Triple

	// ReportGraph has Read return what a processor has to say of the page (section 7.6) in place of
	// what the page says.
	ReportGraph bool
}

const (
	maxTriples   = 1 << 18
	literalRatio = 16 // bytes of literals to a byte of the page
	tooMuch      = "more data than a page may have"
	literalFloor = 64 << 10 // bytes of literals that every page may have
)

// Read returns the triples of a page, in the order of its elements. Mistakes of RDFa are none of
// syntax: a name that means nothing is passed over. The sequence ends with a *syntax.Error when the
// page cannot be read, is beyond a limit, or is XML that is not well-formed; what came before is
// delivered. The sequence can be ranged over once.
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

// A parser receives elements and text in the order of the page, and gathers triples. Its stack
// holds a frame for the page itself and one for each open element.
type parser struct {
	opts     Options
	document iri.Base // of the page, whatever its <base> says
	names    names
	tag      tag
	stack    []frame
	out      output
	literals literals
	wrong    *syntax.Error
}

// newParser returns a parser without a page.
func newParser(opts Options) *parser {
	return &parser{opts: opts, names: newNames(opts), tag: tag{roles: opts.Roles}}
}

// run reads the page. The error's Err is set when it was the reader's.
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

// whole returns all there is to read, or one byte more than a page may have.
func whole(r io.Reader, most int) ([]byte, error) {
	var page bytes.Buffer
	if l, told := r.(interface{ Len() int }); told {
		page.Grow(min(l.Len(), most) + bytes.MinRead)
	}
	_, err := page.ReadFrom(io.LimitReader(r, int64(most)+1))
	return page.Bytes(), err
}

// decoded returns HTML as UTF-8: it is that already, or its mark or <meta> says what it is.
func decoded(page []byte) []byte {
	if utf8.Valid(page) {
		return bytes.TrimPrefix(page, []byte("\xef\xbb\xbf"))
	}
	encoding, _, _ := charset.DetermineEncoding(page, "")
	out, err := encoding.NewDecoder().Bytes(page)
	if err != nil {
		return bytes.ToValidUTF8(page, []byte("\ufffd"))
	}
	return out
}

// begin opens the page, whose base is known (7.5, the initial evaluation context).
func (p *parser) begin(base iri.Base) {
	page := p.names.page(base)
	s := scope{base: &base, subject: page, object: page, lists: &lists{}}
	p.stack = append(p.stack[:0], frame{scope: s, owned: s.lists})
}

// finish closes what is open.
func (p *parser) finish() {
	for len(p.stack) > 0 {
		p.end()
	}
}

// result returns what was found, once all is closed.
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
