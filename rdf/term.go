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
)

// The datatypes that the syntaxes name by themselves.
const (
	XSDString  = "http://www.w3.org/2001/XMLSchema#string"
	XSDBoolean = "http://www.w3.org/2001/XMLSchema#boolean"
	XSDInteger = "http://www.w3.org/2001/XMLSchema#integer"
	XSDDecimal = "http://www.w3.org/2001/XMLSchema#decimal"
	XSDDouble  = "http://www.w3.org/2001/XMLSchema#double"
	LangString = "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString"
	XMLLiteral = "http://www.w3.org/1999/02/22-rdf-syntax-ns#XMLLiteral"
)

// A Term is an IRI, a blank node or a literal. Terms compare with ==.
type Term struct {
	Kind     Kind
	Value    string // the IRI, the blank node's label without "_:", or the lexical form
	Datatype string // of a literal, never empty there: LangString when Lang is set
	Lang     string // language tag, as written
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

// NewTyped returns a literal with a datatype IRI.
func NewTyped(s, datatype string) Term {
	return Term{Kind: Literal, Value: s, Datatype: datatype}
}

// IsZero reports whether the term is none.
func (t Term) IsZero() bool { return t.Kind == None }
