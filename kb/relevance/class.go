package relevance

import (
	"net/url"
	"slices"
	"strings"

	"orbweaver/internal/order"
	"orbweaver/rdf"
)

// A Class describes one class of an ontology. The order of names and IRIs does not matter.
type Class struct {
	IRI        string
	Labels     []Text   // names in words; without any, the local name of the IRI counts
	Comments   []Text   // its definitions
	Super      []string // IRIs of its direct superclasses
	Sub        []string // IRIs of its direct subclasses
	Equivalent []string // IRIs of classes stated to be equivalent, in either direction
	Linked     []string // IRIs of classes that a property joins to it: one is in its domain, the other in its range
}

// A Text is a text in a language.
type Text struct {
	Text string
	Lang string // language tag; empty if unknown
}

// The limits per class, which bound the memory for large descriptions.
const (
	maxTexts     = 64      // labels, and comments
	maxLabel     = 200     // bytes
	maxComment   = 4000    // bytes
	maxRelations = 2000    // IRIs, of each kind
	maxEnds      = 8       // classes in the domain or in the range of a property that joins them
	maxJoining   = 1 << 17 // properties
)

// Descriptions collects classes from statements in any order. It is not safe for concurrent use. It keeps a
// maximum number of classes, those that occur first, and bounded numbers of properties that join them, and of names, texts and
// neighbours of each.
type Descriptions struct {
	most    int
	classes map[string]*Class
	ends    map[string]*ends   // of properties
	of      map[string][]*ends // the properties with a class in domain or range
}

// NewDescriptions returns empty descriptions with a maximum number of classes.
func NewDescriptions(most int) *Descriptions {
	return &Descriptions{most, map[string]*Class{}, map[string]*ends{}, map[string][]*ends{}}
}

// ends are the domain and the range of a property. One with more than maxEnds of a kind joins nothing: it says little of any of them.
type ends struct{ domain, ranges []string }

// Class returns the description of a class, sorted and without duplicates; only its IRI if the class is
// unknown.
func (d *Descriptions) Class(iri string) Class {
	c, ok := d.classes[iri]
	if !ok {
		return Class{IRI: iri, Linked: d.linked(iri)}
	}
	tidied := *c
	tidied.Linked = distinct(append(d.linked(iri), c.Linked...))
	tidied.Labels, tidied.Comments = distinctTexts(c.Labels), distinctTexts(c.Comments)
	tidied.Super, tidied.Sub, tidied.Equivalent = distinct(c.Super), distinct(c.Sub), distinct(c.Equivalent)
	return tidied
}

// IRIs returns the IRIs of all classes, sorted: declared ones, and those in relations that only classes have.
func (d *Descriptions) IRIs() []string {
	var all []string
	for iri, c := range d.classes {
		if c.IRI != "" {
			all = append(all, iri)
		}
	}
	slices.Sort(all)
	return all
}

// Add adds a statement; statements that do not describe classes are ignored, and so is the graph.
func (d *Descriptions) Add(q rdf.Quad) {
	if q.S.Kind != rdf.IRI {
		return
	}
	switch q.P.Value {
	case "http://www.w3.org/2000/01/rdf-schema#label", "http://www.w3.org/2004/02/skos/core#prefLabel",
		"http://purl.org/dc/terms/title", "http://schema.org/name", "https://schema.org/name":
		d.name(q, maxLabel, func(c *Class) *[]Text { return &c.Labels })
	case "http://www.w3.org/2000/01/rdf-schema#comment", "http://www.w3.org/2004/02/skos/core#definition",
		"http://purl.org/dc/terms/description":
		d.name(q, maxComment, func(c *Class) *[]Text { return &c.Comments })
	case "http://www.w3.org/2000/01/rdf-schema#subClassOf":
		d.relate(q.S, q.O, func(c *Class) *[]string { return &c.Super }, func(c *Class) *[]string { return &c.Sub })
	case "http://www.w3.org/2002/07/owl#equivalentClass", "http://www.w3.org/2002/07/owl#sameAs":
		same := func(c *Class) *[]string { return &c.Equivalent }
		d.relate(q.S, q.O, same, same)
	case rdfsDomain, schemaDomain, "https://schema.org/domainIncludes":
		d.end(q, func(e *ends) *[]string { return &e.domain })
	case rdfsRange, schemaRange, "https://schema.org/rangeIncludes":
		d.end(q, func(e *ends) *[]string { return &e.ranges })
	case "http://www.w3.org/1999/02/22-rdf-syntax-ns#type":
		switch q.O.Value {
		case "http://www.w3.org/2000/01/rdf-schema#Class", "http://www.w3.org/2002/07/owl#Class":
			if c := d.class(q.S.Value); c != nil {
				c.IRI = q.S.Value
			}
		}
	}
}

// The properties that state domain and range.
const (
	rdfsDomain   = "http://www.w3.org/2000/01/rdf-schema#domain"
	rdfsRange    = "http://www.w3.org/2000/01/rdf-schema#range"
	schemaDomain = "http://schema.org/domainIncludes"
	schemaRange  = "http://schema.org/rangeIncludes"
)

// Joiners returns the properties that state domain and range of a property, in pairs.
func Joiners() [][2]string { return [][2]string{{rdfsDomain, rdfsRange}, {schemaDomain, schemaRange}} }

// Link adds classes that properties join to one.
func (d *Descriptions) Link(iri string, to ...string) {
	if c := d.class(iri); c != nil {
		for _, t := range to {
			add(&c.Linked, t)
		}
	}
}

// end adds a class to the domain or the range of a property.
func (d *Descriptions) end(q rdf.Quad, of func(*ends) *[]string) {
	if q.O.Kind != rdf.IRI {
		return
	}
	e := d.ends[q.S.Value]
	if e == nil {
		if len(d.ends) >= maxJoining {
			return
		}
		e = &ends{}
		d.ends[q.S.Value] = e
	}
	if list := of(e); len(*list) <= maxEnds && !slices.Contains(*list, q.O.Value) {
		*list = append(*list, q.O.Value)
		if len(d.of[q.O.Value]) < maxRelations {
			d.of[q.O.Value] = append(d.of[q.O.Value], e)
		}
	}
}

// linked returns the classes that properties join to one.
func (d *Descriptions) linked(iri string) (all []string) {
	for _, e := range d.of[iri] {
		if len(e.domain) > maxEnds || len(e.ranges) > maxEnds {
			continue
		}
		if slices.Contains(e.domain, iri) {
			all = append(all, e.ranges...)
		}
		if slices.Contains(e.ranges, iri) {
			all = append(all, e.domain...)
		}
	}
	all = distinct(slices.DeleteFunc(all, func(other string) bool { return other == iri }))
	return all[:min(len(all), maxRelations)]
}

// class returns the entry of an IRI; nil if there are too many.
func (d *Descriptions) class(iri string) *Class {
	c, ok := d.classes[iri]
	if !ok {
		if len(d.classes) >= d.most {
			return nil
		}
		c = &Class{}
		d.classes[iri] = c
	}
	return c
}

// name adds a text. A name alone does not make its subject a class: properties have names too.
func (d *Descriptions) name(q rdf.Quad, longest int, of func(*Class) *[]Text) {
	if q.O.Kind != rdf.Literal || strings.TrimSpace(q.O.Value) == "" {
		return
	}
	c := d.class(q.S.Value)
	if c == nil {
		return
	}
	if texts := of(c); len(*texts) < maxTexts {
		*texts = append(*texts, Text{cut(q.O.Value, longest), q.O.Lang})
	}
}

func (d *Descriptions) relate(s, o rdf.Term, of, inverse func(*Class) *[]string) {
	if o.Kind != rdf.IRI || s == o {
		return
	}
	if c := d.class(s.Value); c != nil {
		c.IRI = s.Value
		add(of(c), o.Value)
	}
	if c := d.class(o.Value); c != nil {
		c.IRI = o.Value
		add(inverse(c), s.Value)
	}
}

func add(to *[]string, iri string) {
	if len(*to) < maxRelations {
		*to = append(*to, iri)
	}
}

// cut truncates a text to most bytes, at a character boundary.
func cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "")
}

func distinct(s []string) []string { return slices.Compact(slices.Sorted(slices.Values(s))) }

func distinctTexts(s []Text) []Text {
	return slices.Compact(order.Collected(slices.Values(s), func(a, b Text) int {
		if c := strings.Compare(a.Text, b.Text); c != 0 {
			return c
		}
		return strings.Compare(a.Lang, b.Lang)
	}))
}

// localName returns the part of an IRI after its last "#", "/" or ":", percent-decoded; the whole IRI if that
// part is empty.
func localName(iri string) string {
	trimmed := strings.TrimRight(iri, "#/:")
	name := trimmed[strings.LastIndexAny(trimmed, "#/:")+1:]
	if decoded, err := url.PathUnescape(name); err == nil {
		name = decoded
	}
	return name
}
