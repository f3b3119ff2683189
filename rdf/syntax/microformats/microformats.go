// Package microformats makes RDF of the microformats of HTML pages: microformats2, and its predecessors
// (hCard, hEntry and so on) under their current names.
//
// There is no standard mapping to RDF. This one expresses the parsed items and nothing else:
//
//   - An item is a blank node. Its types are classes, http://microformats.org/profile/h-card and so
//     on; its properties stand below the same profile, http://microformats.org/profile/name.
//   - A property that the page writes with u- (or that is a URL in the formats before) has an IRI as
//     its value, where that is absolute once resolved. Other values are plain strings: of e- the text
//     without markup, of dt- the date as microformats normalise it. The alt text of an image is left
//     out.
//   - An item that is a value is the value. An item inside another that is no property of it is its
//     http://microformats.org/profile/children.
//
// The package departs from the rules of microformats in two points. Style sheets use classes such as h-full
// for heights; therefore only defined types and experimental ones (h-x-…) make items. The include pattern of
// the old formats is not followed: a page could include itself.
package microformats

import (
	"bytes"
	"io"
	"iter"
	"net/url"

	parser "willnorris.com/go/microformats"

	"orbweaver/rdf"
	"orbweaver/rdf/iri"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/microdata"
)

// Read returns the triples of a page's items: types, then properties sorted by name; an item that is a value
// comes before the property. MaxDepth counts items within items; MaxToken bounds the page, which is held in
// memory, as UTF-8. Base is the page's URL; without it, relative URLs stay literals.
//
// Items nested too deep are a mistake, which lenient mode reports and skips. Two kinds of pages are errors in
// both modes: pages whose texts would be copied too often (properties within properties), and elements nested
// more than 512 deep. Errors name the page but no line. The sequence can be ranged over once.
func Read(r io.Reader, opts syntax.Options) iter.Seq2[rdf.Triple, error] {
	return func(yield func(rdf.Triple, error) bool) {
		p := reader{yield: yield, opts: opts.Filled(), urls: alwaysURLs(), known: map[uintptr]rdf.Term{}}
		if err := p.run(r); err != nil && !p.stopped {
			yield(rdf.Triple{}, err)
		}
	}
}

// Mentions reports whether a page can contain microformats: whether the name of a type occurs in it as a
// word, in a class or elsewhere. Read checks it first.
func Mentions(page []byte) bool {
	return mentions(page, "h-", isType) || mentions(page, "h", isOldRoot) || mentions(page, "v", isOldRoot) ||
		mentions(page, "adr", isOldRoot) || mentions(page, "geo", isOldRoot)
}

// mentions checks the words of a page with a given prefix.
func mentions(page []byte, start string, meant func(class string) bool) bool {
	for from := 0; ; {
		i := bytes.Index(page[from:], []byte(start))
		if i < 0 {
			return false
		}
		word := from + i
		from = word + len(start)
		if word > 0 && inClass(page[word-1]) {
			continue
		}
		end := from
		for end < len(page) && inClass(page[end]) {
			end++
		}
		if meant(string(page[word:end])) {
			return true
		}
		from = end
	}
}

// inClass reports whether a byte can occur in the name of a type.
func inClass(c byte) bool { return c == '-' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9' }

// run reads the page.
func (p *reader) run(r io.Reader) error {
	page, err := microdata.Bytes(r, p.opts)
	if err != nil || !Mentions(page) {
		return err
	}
	var base *url.URL
	if p.opts.Base != "" {
		if err := iri.Check(p.opts.Base); err != nil {
			return p.fatal("base: " + err.Error())
		}
		if base, err = url.Parse(p.opts.Base); err != nil {
			return p.fatal("base: " + err.Error())
		}
	}
	root, err := microdata.Tree(page, p.opts)
	if err != nil {
		return err
	}
	if err := p.prepare(root); err != nil {
		return err
	}
	for _, item := range parser.ParseNode(root, base).Items {
		if _, err := p.item(item, 1); err != nil {
			return err
		}
	}
	return nil
}
