package microdata

import (
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"orbweaver/internal/order"
	"orbweaver/rdf"
	"orbweaver/rdf/iri"
	"orbweaver/rdf/syntax/internal/source"
)

const rdfType = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"

// A reader makes triples of a page's items.
type reader struct {
	yield   func(rdf.Triple, error) bool
	opts    Options
	base    iri.Base
	labels  source.Labeller
	stopped bool
	left    int // bytes left for terms
	visits  int // elements that may still be examined

	root     *html.Node
	top      []*html.Node
	language string                // of the page, from its <meta>
	order    map[*html.Node]int    // of elements; nil until the first itemref
	byID     map[string]*html.Node // likewise

	subjects map[*html.Node]rdf.Term
	states   map[interpretation]state
}

// A interpretation is an item read with a vocabulary: an item without a type takes the vocabulary of the item whose
// value it is, and may be the value of several.
type interpretation struct {
	item   *html.Node
	prefix string
}

// A state is the progress of a interpretation.
type state uint8

const (
	begun state = iota + 1 // its properties are being read
	done
)

// stop is returned to unwind when the consumer stops.
type stop struct{}

func (stop) Error() string { return "stopped" }

// fatal returns an error that ends the sequence.
func (p *reader) fatal(msg string) error { return wrong(p.opts.Options, msg) }

// mistake returns an error about an element; in lenient mode it reports it and returns nil.
func (p *reader) mistake(el *html.Node, msg string) error {
	err := p.fatal(show(el) + ": " + msg)
	if p.opts.Lenient {
		p.opts.Report(err)
		return nil
	}
	return err
}

// show returns an element's tag with its microdata attributes, cut for messages.
func show(el *html.Node) string {
	var tag strings.Builder
	tag.WriteString("<" + el.Data)
	for _, a := range el.Attr {
		if a.Key == "id" || strings.HasPrefix(a.Key, "item") {
			tag.WriteString(" " + a.Key)
			if a.Val != "" {
				tag.WriteString("=" + source.Show([]byte(a.Val)))
			}
		}
	}
	return tag.String() + ">"
}

// emit delivers a triple.
func (p *reader) emit(s rdf.Term, pred string, o rdf.Term) error {
	p.left -= perTriple + len(s.Value) + len(pred) + len(o.Value)
	if p.left < 0 {
		return p.fatal("items say more than " + strconv.Itoa(maxOutput) + " bytes")
	}
	if !p.yield(rdf.Triple{S: s, P: rdf.NewIRI(pred), O: o}, nil) {
		p.stopped = true
		return stop{}
	}
	return nil
}

// item delivers the triples of an item and returns its subject (6.3). context is the vocabulary of the item
// whose value it is. The subject is zero for an item nested too deep.
func (p *reader) item(el *html.Node, context *vocabulary, depth int) (rdf.Term, error) {
	if depth > p.opts.MaxDepth {
		return rdf.Term{}, p.mistake(el, "items nested too deep")
	}
	types, vocab := p.types(el), context
	if len(types) > 0 {
		vocab = p.vocabularyOf(types[0])
	}
	subject := p.subject(el)
	key := interpretation{item: el}
	if vocab != nil {
		key.prefix = vocab.prefix
	}
	switch p.states[key] {
	case done:
		return subject, nil
	case begun:
		return subject, p.mistake(el, "an item is a value of itself")
	}
	if p.states == nil {
		p.states = map[interpretation]state{}
	}
	p.states[key] = begun
	for _, t := range types {
		if err := p.emit(subject, rdfType, rdf.NewIRI(t)); err != nil {
			return subject, err
		}
	}
	err := p.describe(el, subject, vocab, depth)
	p.states[key] = done
	return subject, err
}

// types returns the types of an item that are absolute IRIs.
func (p *reader) types(el *html.Node) []string {
	return slices.DeleteFunc(tokens(el, "itemtype"), func(t string) bool { return iri.Check(t) != nil })
}

// subject returns the node of an item, the same on every call. An invalid itemid counts as none.
func (p *reader) subject(el *html.Node) rdf.Term {
	subject, known := p.subjects[el]
	if known {
		return subject
	}
	if id, _ := attr(el, "itemid"); trim(id) != "" {
		if address, err := p.resolve(id); err == nil {
			subject = rdf.NewIRI(address)
		}
	}
	if subject.IsZero() {
		subject = rdf.NewBlank(p.labels.Fresh())
	}
	if p.subjects == nil {
		p.subjects = map[*html.Node]rdf.Term{}
	}
	p.subjects[el] = subject
	return subject
}

// describe delivers the properties of an item, then its reverse ones (A.2).
func (p *reader) describe(el *html.Node, subject rdf.Term, vocab *vocabulary, depth int) error {
	elements, err := p.properties(el)
	if err != nil {
		return err
	}
	for _, property := range elements {
		if err := p.state(property, subject, vocab, depth, false); err != nil {
			return err
		}
	}
	for _, property := range elements {
		if err := p.state(property, subject, vocab, depth, true); err != nil {
			return err
		}
	}
	return nil
}

// state delivers the triples that an element's itemprop, or otherwise its itemprop-reverse, adds to an item.
func (p *reader) state(el *html.Node, subject rdf.Term, vocab *vocabulary, depth int, reverse bool) error {
	key := "itemprop"
	if reverse {
		key = "itemprop-reverse"
	}
	names := tokens(el, key)
	if len(names) == 0 {
		return nil
	}
	value, err := p.value(el, vocab, depth)
	if err != nil || value.IsZero() {
		return err
	}
	if reverse && value.Kind == rdf.Literal {
		return nil // A.2: an error, which is ignored
	}
	for _, name := range names {
		predicate, ok := p.predicate(name, vocab)
		switch {
		case !ok:
			err = p.mistake(el, "relative IRI without a base: "+source.Show([]byte(name)))
		case reverse:
			err = p.emit(value, predicate, subject)
		default:
			err = p.say(subject, name, predicate, value, vocab)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// say delivers a property and the properties that the registry derives from it.
func (p *reader) say(subject rdf.Term, name, predicate string, value rdf.Term, vocab *vocabulary) error {
	if err := p.emit(subject, predicate, value); err != nil || vocab == nil || p.opts.Plain {
		return err
	}
	for _, further := range vocab.implied(name, predicate) {
		if err := p.emit(subject, further, value); err != nil {
			return err
		}
	}
	return nil
}

// properties returns the elements that add properties to an item, in tree order (HTML, "the
// properties of an item").
func (p *reader) properties(item *html.Node) ([]*html.Node, error) {
	refs := tokens(item, "itemref")
	if len(refs) == 0 {
		return p.crawl(nil, item.FirstChild, item, nil)
	}
	if p.order == nil {
		p.index()
	}
	memory := map[*html.Node]bool{item: true}
	found, err := p.crawl(nil, item.FirstChild, item, memory)
	if err != nil {
		return nil, err
	}
	for _, ref := range refs {
		el := p.byID[ref]
		switch {
		case el == nil:
			continue
		case memory[el]:
			err = p.mistake(item, "itemref leads twice to "+show(el))
		default:
			found, err = p.crawl(found, el, el, memory)
		}
		if err != nil {
			return nil, err
		}
	}
	order.By(found, func(a, b *html.Node) int { return p.order[a] - p.order[b] })
	return found, nil
}

// crawl appends the elements with properties from n on, below root or root itself. It does not descend into
// items and templates. If memory is not nil, crawl skips elements in it and reports a mistake, and adds the
// elements that it visits.
func (p *reader) crawl(found []*html.Node, n, root *html.Node, memory map[*html.Node]bool) ([]*html.Node, error) {
	for skip := false; n != nil; n = next(n, root, skip) {
		if p.visits--; p.visits < 0 {
			return nil, p.fatal("itemref leads to more than " + strconv.Itoa(maxVisits) + " elements")
		}
		if skip = n.Type != html.ElementNode; skip {
			continue
		}
		if memory[n] {
			if err := p.mistake(n, "itemref leads here twice"); err != nil {
				return nil, err
			}
			skip = true
			continue
		}
		if memory != nil {
			memory[n] = true
		}
		skip = inert(n) || has(n, "itemscope")
		if !inert(n) && (has(n, "itemprop") || has(n, "itemprop-reverse")) {
			found = append(found, n)
		}
	}
	return found, nil
}
