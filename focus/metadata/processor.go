package metadata

import (
	"iter"

	"orbweaver/kb/terms"
	"orbweaver/rdf"
)

// A Processor finds classes related to a term, or counts its instances. It implements Asker, Looker or both.
// It is stateless and may be shared by several focuses.
type Processor interface {
	Name() string // one word, unique within a focus
}

// A Looker examines the document that a term's IRI dereferences to.
type Looker interface {
	Processor
	// Look returns the classes that the document relates to a term. match yields the document's statements; a
	// zero term is a wildcard.
	Look(term string, match Matcher) ([]Found, error)
}

// A Matcher returns the statements that match a pattern.
type Matcher func(s, p, o rdf.Term) iter.Seq2[rdf.Quad, error]

// An Asker queries datasets by SPARQL.
type Asker interface {
	Processor
	// Ask returns the questions to a dataset about terms, as few as possible.
	Ask(terms []string) []Question
	// Text returns a question as a SPARQL query.
	Text(Question) string
	// Read parses an answer. more holds follow-up questions.
	Read(Question, *rdf.Results) (read Reading, more []Question)
	// Simpler returns the same question in simpler forms; nothing if there are none.
	Simpler(Question) []Question
}

// A Follower is an Asker that follows properties: a dataset without any of them is not queried.
type Follower interface {
	Follows() []string // IRIs
}

// A Question is a query to a dataset before it is written as SPARQL. It is kept until its answer arrives. The
// focus sets Dataset and Processor; the Asker uses the other fields.
type Question struct {
	Dataset   string   `json:"d,omitempty"`
	Processor string   `json:"p,omitempty"`
	Level     int      `json:"l,omitempty"` // 0: the fewest questions; higher levels are simpler
	Terms     []string `json:"t"`
	Pattern   int      `json:"n,omitempty"` // which of several
	Offset    int64    `json:"o,omitempty"` // rows received so far
	Page      int      `json:"k,omitempty"` // pages received so far
	Last      string   `json:"b,omitempty"` // first value of the last page
	After     string   `json:"a,omitempty"` // last value of that page, if the next one can start after it
}

// A Reading is the content of an answer.
type Reading struct {
	Found  []Found
	Counts []terms.Count
	Said   []rdf.Quad // about classes: their names, statements and superclasses
	Large  bool       // Said describes classes in general
}

// A Found is a statement that relates a class to a term.
type Found struct {
	Item string     `json:"item"`
	Term string     `json:"term"` // the term
	Step terms.Step `json:"step"` // the step to the class, from the term or from the common superclass
	// Sibling is the common superclass of siblings, if nothing else relates the two.
	Sibling string `json:"sibling,omitempty"`

	since int // of a class that an answer accepts: the stage that found it; 0: the present one
}

// A Relation is a property that leads from a term to other classes.
type Relation struct {
	Property         string // IRI
	Forward, Inverse bool   // with the term as subject; as object
	Siblings         bool   // also from term to term through a common object
}

// The vocabularies of the relations.
const (
	rdfsNS = "http://www.w3.org/2000/01/rdf-schema#"
	owlNS  = "http://www.w3.org/2002/07/owl#"
	skosNS = "http://www.w3.org/2004/02/skos/core#"

	subClassOf      = rdfsNS + "subClassOf"
	sameAs          = owlNS + "sameAs"
	equivalentClass = owlNS + "equivalentClass"
)

// PaperRelations are those of the paper: equivalence in both directions ("reflexive" in the paper, meaning
// symmetric), and subclasses.
func PaperRelations() []Relation {
	return []Relation{
		{Property: sameAs, Forward: true, Inverse: true},
		{Property: equivalentClass, Forward: true, Inverse: true},
		{Property: subClassOf, Inverse: true},
	}
}

// JudgedRelations are those of a judged expansion: they add superclasses and siblings.
func JudgedRelations() []Relation {
	return []Relation{
		{Property: sameAs, Forward: true, Inverse: true},
		{Property: equivalentClass, Forward: true, Inverse: true},
		{Property: subClassOf, Forward: true, Inverse: true, Siblings: true},
	}
}

// MatchRelations link vocabularies without stating a subclass relation: rdfs:seeAlso and the mapping
// properties of SKOS.
func MatchRelations() []Relation {
	return []Relation{
		{Property: rdfsNS + "seeAlso", Forward: true, Inverse: true},
		{Property: skosNS + "exactMatch", Forward: true, Inverse: true},
		{Property: skosNS + "closeMatch", Forward: true, Inverse: true},
		{Property: skosNS + "narrowMatch", Forward: true},
		{Property: skosNS + "broadMatch", Inverse: true},
	}
}

// A pattern is a triple pattern that leads from a term.
type pattern struct {
	property string
	inverse  bool
	sibling  bool
}

// patternsOf returns the patterns of relations.
func patternsOf(relations []Relation) (all []pattern) {
	for _, r := range relations {
		if r.Forward {
			all = append(all, pattern{property: r.Property})
		}
		if r.Inverse {
			all = append(all, pattern{property: r.Property, inverse: true})
		}
		if r.Siblings {
			all = append(all, pattern{property: r.Property, sibling: true})
		}
	}
	return all
}

// found returns a match of a pattern in a dataset; above is the common superclass of siblings.
func (p pattern) found(from, item, above string) Found {
	f := Found{Item: item, Term: from, Step: terms.Step{From: from, Property: p.property, Inverse: p.inverse || p.sibling, To: item}}
	if p.sibling {
		f.Sibling, f.Step.From = above, above
	}
	return f
}
