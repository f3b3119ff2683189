// Package rdf defines RDF terms, triples and quads as plain comparable values. Package rdf/syntax reads and
// writes them, rdf/quads stores them.
package rdf

// A Kind says what a term is.
type Kind uint8

// The kinds of terms. The zero Kind is no term: as a graph it means the default graph, in a pattern
// it matches anything.
const (
	None Kind = iota
	IRI
	Blank
	Literal
	TripleTerm // a triple as a term (RDF 1.2)
)

// A Direction is the base direction of a language-tagged string (RDF 1.2).
type Direction uint8

// The directions. The zero Direction is none.
const (
	Undirected Direction = iota
	LTR                  // from left to right
	RTL                  // from right to left
)

// String returns "ltr", "rtl", or nothing.
func (d Direction) String() string {
	switch d {
	case LTR:
		return "ltr"
	case RTL:
		return "rtl"
	}
	return ""
}

// DirectionOf returns the direction of a name, "ltr" or "rtl"; false: it is none.
func DirectionOf(name string) (Direction, bool) {
	switch name {
	case "ltr":
		return LTR, true
	case "rtl":
		return RTL, true
	}
	return Undirected, false
}

// The datatypes that the syntaxes name by themselves.
const (
	XSDString  = "http://www.w3.org/2001/XMLSchema#string"
	XSDBoolean = "http://www.w3.org/2001/XMLSchema#boolean"
	XSDInteger = "http://www.w3.org/2001/XMLSchema#integer"
	XSDDecimal = "http://www.w3.org/2001/XMLSchema#decimal"
	XSDDouble  = "http://www.w3.org/2001/XMLSchema#double"
	LangString = "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString"
	// DirLangString is the datatype of language-tagged strings with a direction.
	DirLangString = "http://www.w3.org/1999/02/22-rdf-syntax-ns#dirLangString"
	XMLLiteral    = "http://www.w3.org/1999/02/22-rdf-syntax-ns#XMLLiteral"
)

// Reifies is the property that says of a node which triple it stands for: its objects are triple terms.
const Reifies = "http://www.w3.org/1999/02/22-rdf-syntax-ns#reifies"

// A Term is an IRI, a blank node, a literal or a triple term. Terms compare with ==.
type Term struct {
	Kind     Kind
	Dir      Direction `json:",omitempty"` // of a literal with a language tag
	Value    string    // the IRI, the blank node's label without "_:", or the lexical form; of a triple term what Triple reads
	Datatype string    // of a literal, never empty there: LangString when Lang is set, DirLangString when Dir is, too
	Lang     string    // language tag, as written
}

// A Triple is a statement.
type Triple struct{ S, P, O Term }

// A Quad is a triple in a graph; the zero G is the default graph.
type Quad struct{ S, P, O, G Term }

// NewIRI returns an IRI as a term.
func NewIRI(iri string) Term { return Term{Kind: IRI, Value: iri} }

// NewBlank returns a blank node with a label.
func NewBlank(label string) Term { return Term{Kind: Blank, Value: label} }

// NewString returns a literal of type xsd:string.
func NewString(s string) Term { return Term{Kind: Literal, Value: s, Datatype: XSDString} }

// NewLang returns a language-tagged string.
func NewLang(s, lang string) Term {
	return Term{Kind: Literal, Value: s, Datatype: LangString, Lang: lang}
}

// NewDirLang returns a language-tagged string with a direction; one without, if that is Undirected.
func NewDirLang(s, lang string, dir Direction) Term {
	t := NewLang(s, lang)
	if dir != Undirected {
		t.Datatype, t.Dir = DirLangString, dir
	}
	return t
}

// NewTyped returns a literal with a datatype IRI.
func NewTyped(s, datatype string) Term {
	return Term{Kind: Literal, Value: s, Datatype: datatype}
}

// IsZero reports whether the term is none.
func (t Term) IsZero() bool { return t.Kind == None }
