// Package microdata reads the microdata of HTML pages. The model is that of the HTML Living Standard; the
// triples follow "Microdata to RDF – Second Edition" (W3C Note of 16 December 2014), including the
// experimental itemprop-reverse. Numbers in comments name sections of the Note.
//
// The package tolerates common errors of pages. If an element lacks the attribute that holds its value, its
// "content" attribute counts, as search engines do it, then its text. Text omits scripts and styles; items in
// a <template> are ignored. A URL value is percent-encoded where an IRI requires it.
//
// The registry has subPropertyOf and equivalentProperty, as in the second edition; propertyURI and
// multipleValues of the first edition are not supported.
package microdata

import (
	"bytes"
	"io"
	"iter"

	"orbweaver/rdf"
	"orbweaver/rdf/iri"
	"orbweaver/rdf/syntax"
)

// Options configure reading. MaxDepth counts items within items. MaxToken bounds the page, which is read into
// memory; its tree may take about sixty times as much. Base is the page's URL, which its <base> may change.
// Errors have no line: they name the page and the element.
type Options struct {
	syntax.Options

	// Registry lists the vocabularies whose properties imply others; nil: Registry(). Prefixes must be
	// distinct.
	Registry []Vocabulary
	// Plain disables the registry: subPropertyOf and equivalentProperty add no triples.
	Plain bool
}

// The limits in addition to those of Options.
const (
	maxVisits = 1 << 22  // elements examined, counted once for each itemref that leads to them
	maxOutput = 64 << 20 // bytes of all terms, plus perTriple for each triple
	perTriple = 64
)

// Mentions reports whether a page can contain microdata: whether "itemscope" occurs in it, in any case. Read
// checks it first, to avoid building a tree for other pages.
func Mentions(page []byte) bool { return mentions(page, 'p') || mentions(page, 'P') }

// mentions looks for the word at each p, its rarest letter.
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

// Read returns the triples of a page's items: an item's types, then its properties in page order; an item
// that is a value comes before the property. An item is a blank node, or the IRI of its itemid. The page is
// UTF-8; invalid bytes become U+FFFD.
//
// Mistakes are: an itemref to an element that the item already has, a cycle of items that are values of each
// other, items nested too deep, and a relative URL without a base. Lenient mode reports each and drops it,
// except the triple that closes a cycle, which RDF can express. Beyond the limits, and at elements nested
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
