package metadata

import (
	"iter"

	"orbweaver/kb/terms"
	"orbweaver/rdf"
)

// A Processor looks for what is related to a term, or counts something of it: it is an Asker, a Looker or
// both. It has no state and may be used by several focuses.
type Processor interface {
	Name() string // a word, unique among those of a focus
}

// A Looker looks into the document that a term's IRI dereferences to.
type Looker interface {
	Processor
	// Look returns what the document says is related to a term. said matches the document's statements; a
	// zero term matches any.
	Look(term string, said Matcher) ([]Found, error)
}

// A Matcher gives the statements that match a pattern.
type Matcher func(s, p, o rdf.Term) iter.Seq2[rdf.Quad, error]

// An Asker asks datasets by SPARQL.
type Asker interface {
	Processor
	// Ask returns what to ask one dataset about terms, in the fewest questions.
	Ask(terms []string) []Question
	// Text is a question as a SPARQL query.
	Text(Question) string
	// Read parses an answer. More are the follow-up questions.
	Read(Question, *rdf.Results) (read Reading, more []Question)
	// Simpler asks the same in simpler words; nothing when there are none.
	Simpler(Question) []Question
}

// A Follower is an Asker that follows properties: a dataset that has none of them is not asked.
type Follower interface {
	Follows() []string // IRIs
}

// A Question is what a dataset is asked. It is kept while its answer is awaited. Dataset and Processor are
// filled in by the focus; the others are the Asker's to use.
type Question struct {
	Dataset   string   `json:"d,omitempty"`
	Processor string   `json:"p,omitempty"`
	Level     int      `json:"l,omitempty"` // 0: the fewest questions; the higher, the simpler
	Terms     []string `json:"t"`
	Pattern   int      `json:"n,omitempty"` // which of several
	Offset    int64    `json:"o,omitempty"` // rows had already
	Page      int      `json:"k,omitempty"` // pages had already
	Last      string   `json:"b,omitempty"` // the first of the last page
	After     string   `json:"a,omitempty"` // the last of it, where the next page can begin behind that
}

// A Reading is what an answer says.
type Reading struct {
	Found  []Found
	Counts []terms.Count
	Said   []rdf.Quad // about classes: their names, statements and superclasses
	Large  bool       // Said is of classes at large
}

// A Found is one statement that relates a class to a term.
type Found struct {
	Item string     `json:"item"`
	Term string     `json:"term"` // that it is related to
	Step terms.Step `json:"step"` // that leads to it, from the term or the class above both
	// Sibling is the class above both, where the two are related only by that.
	Sibling string `json:"sibling,omitempty"`
}

// A Relation is a property that leads from a term to others.
type Relation struct {
	Property         string // IRI
	Forward, Inverse bool   // the term is its subject; its object
	Siblings         bool   // also from term to term by a common object
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

// PaperRelations are those of the paper: what is the same, in both directions ("reflexive" in the paper,
// meaning symmetric), and subclasses.
func PaperRelations() []Relation {
	return []Relation{
		{Property: sameAs, Forward: true, Inverse: true},
		{Property: equivalentClass, Forward: true, Inverse: true},
		{Property: subClassOf, Inverse: true},
	}
}

// JudgedRelations are those of a judged expansion: superclasses and siblings as well.
func JudgedRelations() []Relation {
	return []Relation{
		{Property: sameAs, Forward: true, Inverse: true},
		{Property: equivalentClass, Forward: true, Inverse: true},
		{Property: subClassOf, Forward: true, Inverse: true, Siblings: true},
	}
}

// MatchRelations are those by which vocabularies point at each other without saying what is a subclass:
// rdfs:seeAlso and the mapping properties of SKOS.
func MatchRelations() []Relation {
	return []Relation{
		{Property: rdfsNS + "seeAlso", Forward: true, Inverse: true},
		{Property: skosNS + "exactMatch", Forward: true, Inverse: true},
		{Property: skosNS + "closeMatch", Forward: true, Inverse: true},
		{Property: skosNS + "narrowMatch", Forward: true},
		{Property: skosNS + "broadMatch", Inverse: true},
	}
}

// A pattern is one triple pattern that leads from a term.
type pattern struct {
	property string
	inverse  bool
	sibling  bool
}

// patternsOf are the patterns of relations.
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

// found is what a pattern relates to a term, by what a dataset states; above is of a sibling.
func (p pattern) found(from, item, above string) Found {
	f := Found{Item: item, Term: from, Step: terms.Step{From: from, Property: p.property, Inverse: p.inverse || p.sibling, To: item}}
	if p.sibling {
		f.Sibling, f.Step.From = above, above
	}
	return f
}
