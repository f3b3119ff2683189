package jsonld

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"orbweaver/rdf"
	"orbweaver/rdf/internal/lex"
	"orbweaver/rdf/iri"
	"orbweaver/rdf/syntax/internal/source"
)

const (
	rdfNS    = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
	rdfType  = rdfNS + "type"
	rdfFirst = rdfNS + "first"
	rdfRest  = rdfNS + "rest"
	rdfNil   = rdfNS + "nil"
	rdfJSON  = rdfNS + "JSON"
)

// A converter converts documents in expanded form to quads (JSON-LD 1.1 API, section 8.1). It needs no node
// map: it delivers a node's quads in place, those of nested nodes before the quad that refers to them.
type converter struct {
	yield   func(rdf.Quad, error) bool
	opts    Options
	from    expansion // the document being converted
	labels  source.Labeller
	made    map[string]string // fresh labels for blank node names that are not valid labels
	reports int
	stopped bool
}

func newConverter(opts Options, yield func(rdf.Quad, error) bool) *converter {
	return &converter{yield: yield, opts: opts, made: map[string]string{}}
}

// expansion delivers the quads of a document.
func (c *converter) expansion(e expansion) {
	c.from = e
	c.nodes(e.nodes, rdf.Term{})
}

// emit delivers a quad unless one of its terms is zero.
func (c *converter) emit(s, p, o, g rdf.Term) {
	if c.stopped || s.IsZero() || p.IsZero() || o.IsZero() {
		return
	}
	c.stopped = !c.yield(rdf.Quad{S: s, P: p, O: o, G: g}, nil)
}

// drop reports a dropped statement.
func (c *converter) drop(what, name string, err error) {
	if c.reports++; c.opts.Lenient && c.reports <= maxReports {
		c.opts.Report(unplaced(c.opts.Name, fmt.Sprintf("%s %q: %v", what, cut(name), err), nil))
	}
}

// nodes delivers the quads of node objects without a referrer.
func (c *converter) nodes(v any, graph rdf.Term) {
	items, _ := v.([]any)
	for _, item := range items {
		if node, ok := item.(map[string]any); ok && !isValueOrList(node) && !c.stopped {
			c.node(node, graph)
		}
	}
}

func isValueOrList(m map[string]any) bool {
	_, value := m["@value"]
	_, list := m["@list"]
	return value || list
}

// node delivers the quads of a node object and returns the node; zero if its name is not an IRI.
func (c *converter) node(m map[string]any, graph rdf.Term) rdf.Term {
	node := c.name(m)
	for _, name := range slices.Sorted(maps.Keys(m)) {
		if c.stopped {
			return node
		}
		switch value := m[name]; name {
		case "@id", "@index":
		case "@type":
			c.types(node, value, graph)
		case "@reverse":
			c.reverse(node, value, graph)
		case "@included":
			c.nodes(value, graph)
		case "@graph":
			if !node.IsZero() {
				c.nodes(value, node)
			}
		default:
			predicate := c.predicate(name)
			items, _ := value.([]any)
			for _, item := range items {
				c.emit(node, predicate, c.object(item, graph), graph)
			}
		}
	}
	return node
}

// name returns the term of a node object.
func (c *converter) name(m map[string]any) rdf.Term {
	id, named := m["@id"].(string)
	if !named {
		return rdf.NewBlank(c.labels.Fresh())
	}
	return c.resource("node", id)
}

// types delivers a node's types.
func (c *converter) types(node rdf.Term, value any, graph rdf.Term) {
	items, _ := value.([]any)
	for _, item := range items {
		if name, ok := item.(string); ok {
			c.emit(node, rdf.NewIRI(rdfType), c.resource("type", name), graph)
		}
	}
}

// reverse delivers the statements that have a node as their object.
func (c *converter) reverse(node rdf.Term, value any, graph rdf.Term) {
	properties, _ := value.(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		predicate := c.predicate(name)
		items, _ := properties[name].([]any)
		for _, item := range items {
			if m, ok := item.(map[string]any); ok && !isValueOrList(m) {
				c.emit(c.node(m, graph), predicate, node, graph)
			}
		}
	}
}

// predicate returns a property's term; zero for a blank node and an invalid IRI.
func (c *converter) predicate(name string) rdf.Term {
	if strings.HasPrefix(name, "_:") || strings.HasPrefix(name, "@") {
		return rdf.Term{}
	}
	if err := checkIRI(name); err != nil {
		c.drop("property", name, err)
		return rdf.Term{}
	}
	return rdf.NewIRI(name)
}

// resource returns the term of a name: a blank node, or an IRI, resolved if it is relative; zero otherwise.
func (c *converter) resource(what, name string) rdf.Term {
	if label, blank := strings.CutPrefix(name, "_:"); blank {
		return c.blank(label)
	}
	if !iri.IsAbsolute(name) {
		if name == "" && !c.from.empty {
			return rdf.Term{}
		}
		resolved, err := c.from.base.Resolve(name)
		if err != nil {
			c.drop(what, name, err)
			return rdf.Term{}
		}
		name = resolved
	}
	if err := checkIRI(name); err != nil {
		c.drop(what, name, err)
		return rdf.Term{}
	}
	return rdf.NewIRI(name)
}

// checkIRI is like iri.Check, which accepts more than one "#".
func checkIRI(name string) error {
	if strings.Count(name, "#") > 1 {
		return errors.New("more than one fragment")
	}
	return iri.Check(name)
}

// blank returns the blank node of a label; a fresh one if no RDF syntax allows the label.
func (c *converter) blank(label string) rdf.Term {
	if label != "" && lex.LabelEnd(label) == len(label) {
		return rdf.NewBlank(c.labels.Own(label))
	}
	if c.made[label] == "" {
		c.made[label] = c.labels.Fresh()
	}
	return rdf.NewBlank(c.made[label])
}

// object returns the term of a value, list or node object, and delivers its quads.
func (c *converter) object(item any, graph rdf.Term) rdf.Term {
	m, ok := item.(map[string]any)
	if !ok {
		return rdf.Term{}
	}
	if items, ok := m["@list"]; ok {
		list, _ := items.([]any)
		return c.list(list, graph)
	}
	if _, ok := m["@value"]; ok {
		return c.directed(m, c.literal(m), graph)
	}
	return c.node(m, graph)
}

// list delivers a collection and returns its head.
func (c *converter) list(items []any, graph rdf.Term) rdf.Term {
	head, before := rdf.NewIRI(rdfNil), rdf.Term{}
	for _, item := range items {
		if c.stopped {
			return head
		}
		cell := rdf.NewBlank(c.labels.Fresh())
		if before.IsZero() {
			head = cell
		} else {
			c.emit(before, rdf.NewIRI(rdfRest), cell, graph)
		}
		c.emit(cell, rdf.NewIRI(rdfFirst), c.object(item, graph), graph)
		before = cell
	}
	c.emit(before, rdf.NewIRI(rdfRest), rdf.NewIRI(rdfNil), graph)
	return head
}
