// Package ontology holds a user's background knowledge: classes, properties and instances, their relations, and the
// words that name them (Ehrig and Maedche, "Ontology-Focused Crawling of Web Documents", SAC 2003, section 3).
//
// An ontology is read from OWL, RDFS or SKOS in any supported RDF syntax. Entities are in the order of their
// IRIs and everything else follows that order, so that the same files give the same answers, whatever the
// order of their statements. Cycles are harmless. Package focus/ontology relates entities to the text of
// pages.
//
// This package is not part of the stable API.
package ontology

import (
	"slices"
	"sort"
)

// A Kind is the kind of an entity.
type Kind uint8

// The kinds of entities. An IRI with several kinds has the first of them.
const (
	Class Kind = iota // also a skos:Concept
	Property
	Instance
)

// String returns the kind's name in lower case.
func (k Kind) String() string {
	switch k {
	case Class:
		return "class"
	case Property:
		return "property"
	}
	return "instance"
}

// An Entity is a class, a property or an instance: the paper's E = C ∪ P ∪ I.
type Entity struct {
	IRI      string
	Kind     Kind
	Name     string // the best label, else the local name in words
	Declared bool   // the files declare its kind; false: they only use it
	Labelled bool   // the files give it a lexical entry; false: Name is the only one
}

// An Entry is a lexical entry: words that name entities (n:m).
type Entry struct {
	Text     string
	Lang     string  // language tag as written; empty: any language
	Entities []int32 // the entities it names, ascending
	Coined   bool    // derived from the local name of an entity without labels
}

// An Ontology is immutable and safe for concurrent use. Entities are numbered from 0 in the order of their
// IRIs.
type Ontology struct {
	entities []Entity
	entries  []Entry
	naming   edges[int32] // by entity: the entries that name it, ascending
	both     []int32      // entities that are class and property
	parents  edges[int32]
	taxonomy edges[int32] // undirected, ascending: hierarchies, instance and class, equals
	schema   edges[int32] // undirected, ascending: property and its domain or range
	links    edges[link]  // statements between entities, listed at both ends
	users    edges[int32] // by property: the entities in its statements
	undefd   []use        // domains and ranges that no file declares

	concepts     []int32 // classes that are SKOS concepts, ascending
	alternatives bool    // words are given by skos:altLabel or skos:prefLabel
	source       *gatherer
}

// A link is a statement seen from one of its ends.
type link struct {
	property int32 // -1: the property is not an entity (skos:related)
	other    int32
}

// A use is a property and a class that is its domain or range.
type use struct {
	property, class int32
	role            string
}

// Len returns the number of entities.
func (o *Ontology) Len() int { return len(o.entities) }

// Entity returns the entity with a number, 0 ≤ i < Len.
func (o *Ontology) Entity(i int) Entity { return o.entities[i] }

// Find returns the number of the entity with an IRI.
func (o *Ontology) Find(iri string) (int, bool) {
	return sort.Find(len(o.entities), func(i int) int {
		switch e := o.entities[i].IRI; {
		case iri < e:
			return -1
		case iri > e:
			return 1
		}
		return 0
	})
}

// Entries returns the lexicon, ordered by text and language. It must not be modified.
func (o *Ontology) Entries() []Entry { return o.entries }

// IsAbove reports whether an entity is above another one: by subclasses, subproperties and broader concepts, over any number of
// steps. No entity is above itself, but in a cycle.
func (o *Ontology) IsAbove(above, below int) bool {
	seen, next := map[int32]bool{}, slices.Clone(o.parents.of(int32(below)))
	for len(next) > 0 {
		i := next[len(next)-1]
		if next = next[:len(next)-1]; int(i) == above {
			return true
		}
		if !seen[i] {
			seen[i] = true
			next = append(next, o.parents.of(i)...)
		}
	}
	return false
}

// Related returns the entities at taxonomic distance 1, ascending. It must not be modified.
func (o *Ontology) Related(i int) []int32 { return o.taxonomy.of(int32(i)) }

// Counts returns the numbers of classes, properties and instances.
func (o *Ontology) Counts() (classes, properties, instances int) {
	for _, e := range o.entities {
		switch e.Kind {
		case Class:
			classes++
		case Property:
			properties++
		default:
			instances++
		}
	}
	return classes, properties, instances
}

// EntriesOf returns the lexical entries that name an entity, ordered by text and language. It reads no other
// entries: listing all entities costs as much as the lexicon.
func (o *Ontology) EntriesOf(i int) []Entry {
	naming := o.naming.of(int32(i))
	of := make([]Entry, len(naming))
	for n, e := range naming {
		of[n] = o.entries[e]
	}
	return of
}
