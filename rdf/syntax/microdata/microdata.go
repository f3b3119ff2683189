// Package microdata reads the microdata of HTML pages: the model is that of the HTML Living Standard,
// its triples are those of "Microdata to RDF – Second Edition" (W3C Note of 16 December 2014), the
// experimental itemprop-reverse included. Numbers in comments name sections of the Note.
//
// Pages are not always what HTML has in mind. Where an element has not the attribute that should hold
// its value, "content" stands for it on any element, as search engines have it, then the text. Text
// leaves out scripts and styles, and items in a <template> are not there. A value that is a URL is
// percent-encoded where an IRI asks for it.
//
// Of a registry the second edition kept subPropertyOf and equivalentProperty; propertyURI and
// multipleValues of the first are no more.
package microdata

import (
	"bytes"
	"io"
	"iter"

	"orbweaver/rdf"
	"orbweaver/rdf/iri"
	"orbweaver/rdf/syntax"
)

// Options configure reading. MaxDepth counts items within items; MaxToken bounds the page, which is read into
// memory, and as a tree may be about sixty times as large. Base is the page's URL, which its <base> may change.
// Errors have no line: they name the page and the element.
type Options struct {
	syntax.Options

	// Registry has the vocabularies whose properties say more than is written; nil: Registry().
	// No one's prefix may be another's.
	Registry []Vocabulary
	// Plain leaves that out: no triple is made by subPropertyOf or equivalentProperty.
	Plain bool
}

// The limits besides those of Options.
const (
	maxVisits = 1 << 22  // elements examined, each time that an itemref leads to them
	maxOutput = 64 << 20 // bytes of all terms, and perTriple of each triple
	perTriple = 64
)

// Mentions reports whether a page can have microdata at all: whether "itemscope" is written in it, in
// whatever case. Read asks it first, so that a page without costs no tree.
func Mentions(page []byte) bool { return mentions(page, 'p') || mentions(page, 'P') }

// mentions looks for the word at each p, which is rarer than its other letters.
func mentions(page []byte, p byte) bool {
	const word, before = "itemscope", len("itemsco")
	for start := 0; ; {
		i := bytes.IndexByte(page[start:], p)
		if i < 0 {
			return false
		}
		first := start + i - before
		if first >= 0 && first+len(word) <= len(page) && bytes.EqualFold(page[first:first+len(word)], []byte(word)) {
			return true
		}
		start += i + 1
	}
}

// Read returns the triples of a page's items: an item's types, then its properties in the order of
// the page, each item that is a value before the property that has it. An item is a blank node, or
// the IRI of its itemid. The page is UTF-8; bytes that are not become U+FFFD.
//
// It is a mistake when an itemref leads to an element that the item has already, when items are
// values of themselves in a circle, when items are nested too deep, and when a relative URL has no
// base. In lenient mode each is reported and left out,
// a circle's closing triple excepted, which RDF can say. Beyond the limits, and where elements nest
// more than 512 deep, the sequence ends with an error. It can be ranged over once.
func Read(r io.Reader, opts Options) iter.Seq2[rdf.Triple, error] {
	return func(yield func(rdf.Triple, error) bool) {
		opts.Options = opts.Filled()
		if opts.Registry == nil {
			opts.Registry = Registry()
		}
		p := reader{yield: yield, opts: opts, left: maxOutput, visits: maxVisits}
		if err := p.run(r); err != nil && !p.stopped {
			yield(rdf.Triple{}, err)
		}
	}
}

// run reads the page.
func (p *reader) run(r io.Reader) error {
	page, err := Bytes(r, p.opts.Options)
	if err != nil || !Mentions(page) {
		return err
	}
	if p.opts.Base != "" {
		if p.base, err = iri.ParseBase(p.opts.Base); err != nil {
			return p.fatal("base: " + err.Error())
		}
	}
	root, err := Tree(page, p.opts.Options)
	if err != nil {
		return err
	}
	p.survey(root)
	for _, el := range p.top {
		if _, err := p.item(el, nil, 1); err != nil {
			return err
		}
	}
	return nil
}
