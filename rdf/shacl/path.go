package shacl

import (
	"fmt"
	"strconv"
	"strings"

	"orbweaver/rdf"
)

// path is a property path (section 2.3.1).
type path struct {
	kind  string   // local name of the property that makes it; empty: a predicate; "list": a sequence
	iri   rdf.Term // of a predicate
	parts []*path
}

// String returns the path in the syntax of SPARQL.
func (p *path) String() string { return p.text(false) }

func (p *path) text(inner bool) string {
	switch p.kind {
	case "":
		return "<" + p.iri.Value + ">"
	case "inversePath":
		return "^" + p.parts[0].text(true)
	case "zeroOrMorePath":
		return p.parts[0].text(true) + "*"
	case "oneOrMorePath":
		return p.parts[0].text(true) + "+"
	case "zeroOrOnePath":
		return p.parts[0].text(true) + "?"
	}
	by := "/"
	if p.kind == "alternativePath" {
		by = "|"
	}
	texts := make([]string, len(p.parts))
	for i, part := range p.parts {
		texts[i] = part.text(true)
	}
	if text := strings.Join(texts, by); !inner {
		return text
	}
	return "(" + strings.Join(texts, by) + ")"
}

// maxPath bounds the nesting of a path, and its parts.
const maxPath = 64

// pathOf parses a path. A node with a list and other kinds is a sequence, the first of these.
func (p *parser) pathOf(node rdf.Term, depth int) (*path, error) {
	if depth > maxPath {
		return nil, fmt.Errorf("sh:path is nested deeper than %d", maxPath)
	}
	switch node.Kind {
	case rdf.IRI:
		if !p.source.has(node, rdfFirst) {
			return &path{iri: node}, nil
		}
	case rdf.Literal:
		return nil, fmt.Errorf("sh:path is a literal: %s", termText(node))
	}
	if p.source.has(node, rdfFirst) {
		return p.pathList("list", node, depth)
	}
	for _, kind := range []string{"alternativePath", "inversePath", "zeroOrMorePath", "oneOrMorePath", "zeroOrOnePath"} {
		values := p.source.of[node][NS+kind]
		switch {
		case len(values) == 0:
		case len(values) > 1:
			return nil, fmt.Errorf("a path with %d values of sh:%s", len(values), kind)
		case kind == "alternativePath":
			return p.pathList(kind, values[0], depth)
		default:
			part, err := p.pathOf(values[0], depth+1)
			if err != nil {
				return nil, err
			}
			return &path{kind: kind, parts: []*path{part}}, nil
		}
	}
	return nil, fmt.Errorf("sh:path is no path: %s", termText(node))
}

// pathList parses the members of a sequence or of an alternative.
func (p *parser) pathList(kind string, list rdf.Term, depth int) (*path, error) {
	members, err := p.source.list(list)
	if err != nil {
		return nil, fmt.Errorf("sh:path: %w", err)
	}
	if len(members) < 2 {
		return nil, fmt.Errorf("a path of %d members, at least two are needed", len(members))
	}
	if len(members) > maxPath {
		return nil, fmt.Errorf("a path of %d members, at most %d are allowed", len(members), maxPath)
	}
	out := &path{kind: kind}
	for _, m := range members {
		part, err := p.pathOf(m, depth+1)
		if err != nil {
			return nil, err
		}
		out.parts = append(out.parts, part)
	}
	return out, nil
}

// values returns the nodes that a path leads to, each once.
func (g *graph) values(p *path, from rdf.Term) ([]rdf.Term, error) {
	return g.follow(p, []rdf.Term{from}, false)
}

// follow returns the nodes that a path leads to from any of several nodes, each once. With back it is followed from its end.
func (g *graph) follow(p *path, from []rdf.Term, back bool) ([]rdf.Term, error) {
	switch p.kind {
	case "":
		return g.hop(p.iri, from, back)
	case "inversePath":
		return g.follow(p.parts[0], from, !back)
	case "alternativePath":
		out := nodes{most: g.most}
		for _, part := range p.parts {
			some, err := g.follow(part, from, back)
			if err == nil {
				err = out.add(some...)
			}
			if err != nil {
				return nil, err
			}
		}
		return out.list, nil
	case "list":
		for i := range p.parts {
			part := p.parts[i]
			if back {
				part = p.parts[len(p.parts)-1-i]
			}
			var err error
			if from, err = g.follow(part, from, back); err != nil {
				return nil, err
			}
		}
		return from, nil
	}
	return g.repeat(p, from, back)
}

// hop follows one predicate.
func (g *graph) hop(predicate rdf.Term, from []rdf.Term, back bool) ([]rdf.Term, error) {
	if len(from) == 1 {
		return g.objects(from[0], predicate, back)
	}
	out := nodes{most: g.most}
	for _, node := range from {
		some, err := g.objects(node, predicate, back)
		if err == nil {
			err = out.add(some...)
		}
		if err != nil {
			return nil, err
		}
	}
	return out.list, nil
}

// repeat follows a path any number of times, at least once, or at most once.
func (g *graph) repeat(p *path, from []rdf.Term, back bool) ([]rdf.Term, error) {
	out := nodes{most: g.most}
	if p.kind != "oneOrMorePath" {
		if err := out.add(from...); err != nil {
			return nil, err
		}
	}
	for len(from) > 0 {
		next, err := g.follow(p.parts[0], from, back)
		if err != nil {
			return nil, err
		}
		before := len(out.list)
		if err := out.add(next...); err != nil {
			return nil, err
		}
		if from = out.list[before:]; p.kind == "zeroOrOnePath" {
			break
		}
	}
	return out.list, nil
}

// nodes is a set of nodes in the order in which they were added.
type nodes struct {
	list  []rdf.Term
	known map[rdf.Term]struct{}
	most  int
}

func (n *nodes) add(terms ...rdf.Term) error {
	if n.known == nil {
		n.known = map[rdf.Term]struct{}{}
	}
	for _, t := range terms {
		if _, again := n.known[t]; again {
			continue
		}
		if len(n.list) >= n.most {
			return fmt.Errorf("%w: more than %d", ErrValues, n.most)
		}
		n.known[t] = struct{}{}
		n.list = append(n.list, t)
	}
	return nil
}

// triples adds the statements of a path to a report, and returns its node.
func (p *path) triples(fresh func() rdf.Term, add func(s rdf.Term, p string, o rdf.Term)) rdf.Term {
	switch p.kind {
	case "":
		return p.iri
	case "list", "alternativePath":
		list := rdf.NewIRI(rdfNil)
		for i := len(p.parts) - 1; i >= 0; i-- {
			cell := fresh()
			add(cell, rdfFirst, p.parts[i].triples(fresh, add))
			add(cell, rdfRest, list)
			list = cell
		}
		if p.kind == "list" {
			return list
		}
		node := fresh()
		add(node, NS+p.kind, list)
		return node
	}
	node := fresh()
	add(node, NS+p.kind, p.parts[0].triples(fresh, add))
	return node
}

// termText writes a term for messages, with its length bounded.
func termText(t rdf.Term) string {
	const most = 200
	v := t.Value
	if len(v) > most {
		v = strings.ToValidUTF8(v[:most], "") + "…"
	}
	switch t.Kind {
	case rdf.IRI:
		return "<" + v + ">"
	case rdf.Blank:
		return "_:" + v
	case rdf.Literal:
		text := strconv.Quote(v)
		if t.Lang != "" {
			return text + "@" + t.Lang
		}
		if t.Datatype != rdf.XSDString {
			return text + "^^<" + t.Datatype + ">"
		}
		return text
	}
	return "nothing"
}
