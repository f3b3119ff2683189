package relevance

import (
	"net/url"
	"slices"
	"strings"

	"orbweaver/rdf"
)

// A Class describes one class of an ontology. The order of names and IRIs does not matter.
type Class struct {
	IRI        string
	Labels     []Text   // names in words; none: the local name of the IRI stands for them
	Comments   []Text   // what it is said to be
	Super      []string // IRIs of classes that it is a direct subclass of
	Sub        []string // IRIs of its direct subclasses
	Equivalent []string // IRIs of classes stated to be the same, in either direction
}

// A Text is a text in a language.
type Text struct {
	Text string
	Lang string // language tag; empty: not known
}

// What is kept of one class, however much is said of it: documents are as long as their authors like.
const (
	maxTexts     = 64   // labels, and comments
	maxLabel     = 200  // bytes
	maxComment   = 4000 // bytes
	maxRelations = 2000 // IRIs, of each kind
)

// Descriptions gathers classes from statements, one at a time, in any order. It is not safe for concurrent use. It
// keeps at most so many classes as it was made for, those first spoken of, and of each no more than a bounded number
// of names, texts and neighbours.
type Descriptions struct {
	most    int
	classes map[string]*Class
}

// NewDescriptions returns an empty one that keeps up to so many classes.
func NewDescriptions(most int) *Descriptions {
	return &Descriptions{most, map[string]*Class{}}
}

// Class returns the description of a class, sorted and without duplicates; only its IRI if the class is unknown.
func (d *Descriptions) Class(iri string) Class {
	c, ok := d.classes[iri]
	if !ok {
		return Class{IRI: iri}
	}
	tidied := *c
	tidied.Labels, tidied.Comments = distinctTexts(c.Labels), distinctTexts(c.Comments)
	tidied.Super, tidied.Sub, tidied.Equivalent = distinct(c.Super), distinct(c.Sub), distinct(c.Equivalent)
	return tidied
}

// IRIs returns the IRIs of all classes, sorted: those declared as one, and those in a relation that only classes
// have.
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

// Add takes up a statement; what is none about classes is passed over. The graph is not examined.
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
	case "http://www.w3.org/1999/02/22-rdf-syntax-ns#type":
		switch q.O.Value {
		case "http://www.w3.org/2000/01/rdf-schema#Class", "http://www.w3.org/2002/07/owl#Class":
			if c := d.class(q.S.Value); c != nil {
				c.IRI = q.S.Value
			}
		}
	}
}

// class is the entry of an IRI; nil where there is no room for one more.
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

// name adds a text. That something has a name makes it no class yet: properties have names too.
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

// cut is the text up to so many bytes, at a character.
func cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "")
}

func distinct(s []string) []string { return slices.Compact(slices.Sorted(slices.Values(s))) }

func distinctTexts(s []Text) []Text {
	return slices.Compact(slices.SortedFunc(slices.Values(s), func(a, b Text) int {
		if c := strings.Compare(a.Text, b.Text); c != 0 {
			return c
		}
		return strings.Compare(a.Lang, b.Lang)
	}))
}

// localName is what follows an IRI's last "#", "/" or ":", percent-decoded; the whole IRI when that is nothing.
func localName(iri string) string {
	trimmed := strings.TrimRight(iri, "#/:")
	name := trimmed[strings.LastIndexAny(trimmed, "#/:")+1:]
	if decoded, err := url.PathUnescape(name); err == nil {
		name = decoded
	}
	return name
}
