package microformats

import (
	"maps"
	"reflect"
	"slices"
	"strconv"

	parser "willnorris.com/go/microformats"

	"orbweaver/rdf"
	"orbweaver/rdf/iri"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/internal/source"
)

const (
	profile  = "http://microformats.org/profile/"
	children = profile + "children"
	rdfType  = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
)

// A reader makes triples of a page's items.
type reader struct {
	yield   func(rdf.Triple, error) bool
	opts    syntax.Options
	labels  source.Labeller
	stopped bool
	urls    map[string]bool      // properties that are URLs
	rels    int                  // elements with a rel kept so far
	known   map[uintptr]rdf.Term // items by address of their properties
}

// stop is returned to unwind when the consumer stops.
type stop struct{}

func (stop) Error() string { return "stopped" }

// fatal returns an error that ends the sequence.
func (p *reader) fatal(msg string) error {
	return &syntax.Error{Name: p.opts.Name, Line: 1, Column: 1, Msg: msg}
}

// mistake returns an error; in lenient mode it reports it and returns nil.
func (p *reader) mistake(msg string) error {
	err := p.fatal(msg)
	if p.opts.Lenient {
		p.opts.Report(err)
		return nil
	}
	return err
}

// emit delivers a triple.
func (p *reader) emit(s rdf.Term, pred string, o rdf.Term) error {
	if !p.yield(rdf.Triple{S: s, P: rdf.NewIRI(pred), O: o}, nil) {
		p.stopped = true
		return stop{}
	}
	return nil
}

// item delivers the triples of an item and returns its node; the zero Term for an item nested too deep. An
// item that is the value of two properties occurs twice, with the same properties map, and is delivered once.
func (p *reader) item(m *parser.Microformat, depth int) (rdf.Term, error) {
	if depth > p.opts.MaxDepth {
		return rdf.Term{}, p.mistake("items nested more than " + strconv.Itoa(p.opts.MaxDepth) + " deep")
	}
	place := reflect.ValueOf(m.Properties).Pointer()
	if node, ok := p.known[place]; ok {
		return node, nil
	}
	node := rdf.NewBlank(p.labels.Fresh())
	p.known[place] = node
	for _, typ := range slices.Compact(slices.Clone(m.Type)) { // sorted
		if err := p.emit(node, rdfType, rdf.NewIRI(profile+typ)); err != nil {
			return node, err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(m.Properties)) {
		for _, value := range m.Properties[name] {
			if err := p.property(node, name, value, depth); err != nil {
				return node, err
			}
		}
	}
	for _, child := range m.Children {
		value, err := p.item(child, depth+1)
		if err == nil && !value.IsZero() {
			err = p.emit(node, children, value)
		}
		if err != nil {
			return node, err
		}
	}
	return node, nil
}

// property delivers one value of a property: a text, a text with its markup or an image with its alt
// text, or an item.
func (p *reader) property(node rdf.Term, name string, value any, depth int) error {
	var object rdf.Term
	switch v := value.(type) {
	case string:
		object = p.term(name, v)
	case map[string]string:
		object = p.term(name, v["value"])
	case *parser.Microformat:
		var err error
		if object, err = p.item(v, depth+1); err != nil {
			return err
		}
	}
	if object.IsZero() {
		return nil
	}
	return p.emit(node, profile+name, object)
}

// term returns a value as a term.
func (p *reader) term(name, value string) rdf.Term {
	if p.urls[name] && iri.Check(value) == nil {
		return rdf.NewIRI(value)
	}
	return rdf.NewString(value)
}
