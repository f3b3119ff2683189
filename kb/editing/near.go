package editing

import (
	"cmp"
	"strings"

	"orbweaver/internal/order"
	"orbweaver/kb/ontology"
	"orbweaver/rdf"
)

// A Picture is a part of an ontology as a graph in the notation of WebVOWL: classes are nodes, properties edges between their domain and
// their range.
type Picture struct {
	Nodes []Node `json:"nodes"`
	Edges []Edge `json:"edges"`
	More  int    `json:"more,omitempty"` // nodes left out
}

// The kinds of nodes, beside those of entities.
const (
	Thing    = "thing"    // what a property has as its domain or range where the file names none
	Datatype = "datatype" // of values
)

// A Node of a Picture.
type Node struct {
	ID         string `json:"id"` // the IRI; of a thing or a datatype, with the property that it is drawn for
	IRI        string `json:"iri,omitempty"`
	Name       string `json:"name"`
	Kind       string `json:"kind"`
	External   bool   `json:"external,omitempty"` // the file does not declare it, or it has another namespace than the file
	Deprecated bool   `json:"deprecated,omitempty"`
	Links      int    `json:"links"` // nodes that it is related to, in the whole file
}

// The kinds of edges.
const (
	EdgeAbove    = "above"    // from what is below to what is above
	EdgeType     = "type"     // from an individual to its class
	EdgeProperty = "property" // from a domain to a range, or a statement
	EdgeValue    = "value"    // a property whose range is a datatype
	EdgeEqual    = "equal"
	EdgeApart    = "disjoint"
	EdgeRelated  = "related"
)

// An Edge of a Picture.
type Edge struct {
	From  string `json:"from"`
	To    string `json:"to"`
	Kind  string `json:"kind"`
	Label string `json:"label"`
	As    string `json:"as"` // the property, an IRI
}

// A painter makes a Picture.
type painter struct {
	d     *Draft
	space string
	nodes map[string]Node
	edges map[Edge]bool
}

// Near returns the neighbourhood of entities: them, at most most nodes that they are related to, and what relates these. Entities that the
// file does not have are left out.
func (d *Draft) Near(most int, around ...string) Picture {
	p := painter{d: d, space: d.Namespace(), nodes: map[string]Node{}, edges: map[Edge]bool{}}
	for _, iri := range around {
		if d.natures[iri].kind() != "" {
			p.node(iri)
		}
	}
	centres := p.sorted()
	for _, n := range centres {
		p.links(n.IRI)
	}
	left := p.limit(most+len(centres), centres)
	return p.picture(left)
}

// sorted returns the nodes by name.
func (p *painter) sorted() []Node {
	all := make([]Node, 0, len(p.nodes))
	for _, n := range p.nodes {
		all = append(all, n)
	}
	order.By(all, func(a, b Node) int { return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID)) })
	return all
}

// limit leaves out nodes beyond a number, the last by kind and name first, and returns how many.
func (p *painter) limit(most int, keep []Node) int {
	if len(p.nodes) <= most {
		return 0
	}
	kept := map[string]bool{}
	for _, n := range keep {
		kept[n.ID] = true
	}
	all := p.sorted()
	order.Stably(all, func(a, b Node) int {
		return cmp.Or(cmp.Compare(place(a, kept), place(b, kept)), cmp.Compare(b.Links, a.Links))
	})
	for _, n := range all[most:] {
		delete(p.nodes, n.ID)
	}
	return len(all) - most
}

// place orders nodes by what they are worth in a picture.
func place(n Node, kept map[string]bool) int {
	switch {
	case kept[n.ID]:
		return 0
	case n.Kind == Class || n.Kind == Concept:
		return 1
	case n.Kind == Individual:
		return 3
	}
	return 2
}

// picture returns what is drawn, with what relates the nodes to each other beside the edges of the centres.
func (p *painter) picture(left int) Picture {
	pic := Picture{Nodes: p.sorted(), Edges: []Edge{}, More: left}
	here := make(map[string]bool, len(p.nodes))
	for _, n := range pic.Nodes {
		here[n.ID] = true
	}
	for _, n := range pic.Nodes {
		if n.IRI != "" {
			p.among(n.IRI, here)
		}
	}
	for e := range p.edges {
		if here[e.From] && here[e.To] {
			pic.Edges = append(pic.Edges, e)
		}
	}
	order.By(pic.Edges, func(a, b Edge) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To), cmp.Compare(a.As, b.As))
	})
	return pic
}

// node draws an entity.
func (p *painter) node(iri string) string {
	if _, there := p.nodes[iri]; there {
		return iri
	}
	item := p.d.item(iri)
	n := Node{ID: iri, IRI: iri, Name: item.Name, Kind: item.Kind, Deprecated: item.Deprecated, Links: p.d.degree(iri)}
	n.External = !item.Declared || !strings.HasPrefix(iri, p.space)
	if n.Kind == "" {
		n.Kind = Class
	}
	p.nodes[iri] = n
	return iri
}

// degree is the number of nodes that an entity is related to.
func (d *Draft) degree(iri string) int {
	term := rdf.NewIRI(iri)
	n := len(d.g.in[term])
	for _, l := range d.g.out[term] {
		if noted(l.to) {
			n++
		}
	}
	return n
}

// value draws a datatype, or a thing, beside a property.
func (p *painter) value(property, iri, kind, name string) string {
	id := kind + " " + iri + " " + property
	p.nodes[id] = Node{ID: id, Name: name, Kind: kind}
	return id
}

// links draws all that an entity is related to.
func (p *painter) links(iri string) {
	if p.d.natures[iri].kind() == Property {
		p.property(iri)
	}
	term := rdf.NewIRI(iri)
	for _, l := range p.d.g.out[term] {
		p.link(term, l.predicate, l.to)
	}
	for _, l := range p.d.g.in[term] {
		p.link(l.to, l.predicate, term)
	}
}

// link draws a statement between two entities.
func (p *painter) link(s rdf.Term, predicate string, o rdf.Term) {
	if s.Kind != rdf.IRI || o.Kind != rdf.IRI {
		return
	}
	switch ontology.RoleOf(predicate) {
	case ontology.RoleDomain, ontology.RoleRange:
		p.property(s.Value)
		return
	}
	e, ok := p.edge(s.Value, predicate, o.Value)
	if ok {
		p.node(s.Value)
		p.node(o.Value)
		p.edges[e] = true
	}
}

// among draws a statement between nodes that are there.
func (p *painter) among(iri string, here map[string]bool) {
	for _, l := range p.d.g.out[rdf.NewIRI(iri)] {
		if l.to.Kind == rdf.IRI && here[l.to.Value] {
			if e, ok := p.edge(iri, l.predicate, l.to.Value); ok {
				p.edges[e] = true
			}
		}
	}
}

// edge returns a statement between two entities as an edge; ok is false if it is none.
func (p *painter) edge(s, predicate, o string) (e Edge, ok bool) {
	if p.d.natures[s].kind() == "" || p.d.natures[o].kind() == "" || s == o {
		return e, false
	}
	e = Edge{From: s, To: o, As: predicate, Label: p.d.g.name(predicate)}
	switch ontology.RoleOf(predicate) {
	case ontology.RoleType:
		e.Kind, e.Label = EdgeType, "instance of"
	case ontology.RoleSubClass, ontology.RoleSubProp:
		e.Kind = EdgeAbove
	case ontology.RoleNarrower:
		e.Kind, e.From, e.To, e.As, e.Label = EdgeAbove, o, s, broader, "broader"
	case ontology.RoleEqual:
		e.Kind = EdgeEqual
	case ontology.RoleRelated:
		e.Kind = EdgeRelated
	case ontology.RoleStatement:
		e.Kind = EdgeProperty
	default:
		if e.Kind = EdgeApart; predicate != owlNS+"disjointWith" {
			return e, false
		}
	}
	return e, true
}

// property draws a property as edges from its domains to its ranges.
func (p *painter) property(iri string) {
	var domains, ranges []string
	kind := EdgeProperty
	for _, l := range p.d.g.out[rdf.NewIRI(iri)] {
		if l.to.Kind != rdf.IRI {
			continue
		}
		switch ontology.RoleOf(l.predicate) {
		case ontology.RoleDomain:
			domains = append(domains, p.node(l.to.Value))
		case ontology.RoleRange:
			if p.d.natures[l.to.Value]&isClass != 0 {
				ranges = append(ranges, p.node(l.to.Value))
				continue
			}
			kind = EdgeValue
			ranges = append(ranges, p.value(iri, l.to.Value, Datatype, ontology.Words(l.to.Value)))
		}
	}
	if len(domains) == 0 {
		domains = []string{p.value(iri, "from", Thing, "Thing")}
	}
	if len(ranges) == 0 {
		ranges = []string{p.value(iri, "to", Thing, "Thing")}
	}
	for _, from := range domains {
		for _, to := range ranges {
			p.edges[Edge{From: from, To: to, Kind: kind, Label: p.d.g.name(iri), As: iri}] = true
		}
	}
}
