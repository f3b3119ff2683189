package editing

import (
	"orbweaver/kb/ontology"
	"orbweaver/rdf"
)

// The kinds of entities, as a tree shows them.
const (
	Class      = "class"
	Property   = "property"
	Individual = "individual"
	Concept    = "concept" // of SKOS
)

// Kinds returns the kinds in the order of a tree.
func Kinds() []string { return []string{Class, Concept, Property, Individual} }

// The properties that edits write.
const (
	rdfsNS = "http://www.w3.org/2000/01/rdf-schema#"
	owlNS  = "http://www.w3.org/2002/07/owl#"
	skosNS = "http://www.w3.org/2004/02/skos/core#"

	typeOf        = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
	subClassOf    = rdfsNS + "subClassOf"
	subPropertyOf = rdfsNS + "subPropertyOf"
	broader       = skosNS + "broader"
	labelled      = rdfsNS + "label"
	preferred     = skosNS + "prefLabel"
	alternative   = skosNS + "altLabel"
	commented     = rdfsNS + "comment"
	defined       = skosNS + "definition"
)

// A nature is what statements say that an entity is.
type nature uint8

const (
	isClass nature = 1 << iota
	isProperty
	isIndividual
	isConcept
	isDatatype
	isDeclared
	isDeprecated
)

// kind returns the kind of an entity of a nature; empty if it is none.
func (n nature) kind() string {
	switch {
	case n&isConcept != 0:
		return Concept
	case n&isClass != 0:
		return Class
	case n&isProperty != 0:
		return Property
	case n&isDatatype != 0:
		return ""
	case n&isIndividual != 0:
		return Individual
	}
	return ""
}

// natureOf derives the nature of an IRI from the statements about it, as kb/ontology does; but a property that is only used is none here.
func (g *graph) natureOf(iri string) (n nature) {
	if ontology.Builtin(iri) {
		return 0
	}
	term := rdf.NewIRI(iri)
	for _, l := range g.out[term] {
		n |= bySubject(l)
	}
	for _, l := range g.in[term] {
		n |= byObject(l)
	}
	if n&isDatatype != 0 {
		n &^= isClass
	}
	return n
}

// bySubject is what a statement says of its subject.
func bySubject(l link) nature {
	switch ontology.RoleOf(l.predicate) {
	case ontology.RoleType:
		return byType(l.to.Value)
	case ontology.RoleSubClass, ontology.RoleNarrower:
		return hierarchical(l.predicate) | isDeclared
	case ontology.RoleSubProp, ontology.RoleDomain, ontology.RoleRange:
		return isProperty
	case ontology.RoleEqual, ontology.RoleRelated:
		return equal(l.predicate)
	}
	if l.predicate == owlNS+"deprecated" && l.to.Value == "true" {
		return isDeprecated
	}
	return 0
}

// byObject is what a statement says of its object.
func byObject(l link) nature {
	switch ontology.RoleOf(l.predicate) {
	case ontology.RoleType:
		return isClass
	case ontology.RoleSubClass, ontology.RoleNarrower:
		return hierarchical(l.predicate)
	case ontology.RoleSubProp:
		return isProperty
	case ontology.RoleDomain:
		return isClass
	case ontology.RoleRange:
		return isClass
	case ontology.RoleEqual, ontology.RoleRelated:
		return equal(l.predicate)
	}
	return 0
}

// byType is the nature of an instance of a class.
func byType(class string) nature {
	k, concept, datatype, ok := ontology.Declares(class)
	switch {
	case !ok && ontology.Builtin(class):
		return 0
	case !ok:
		return isIndividual | isDeclared
	case datatype:
		return isDatatype
	case concept:
		return isConcept | isDeclared
	case class == owlNS+"DeprecatedClass" || class == owlNS+"DeprecatedProperty":
		return natures[k] | isDeclared | isDeprecated
	}
	return natures[k] | isDeclared
}

// natures are the natures of the kinds of package ontology.
var natures = [...]nature{ontology.Class: isClass, ontology.Property: isProperty, ontology.Instance: isIndividual}

// hierarchical is the nature of the ends of a relation between narrower and broader.
func hierarchical(predicate string) nature {
	if predicate == subClassOf {
		return isClass
	}
	return isConcept
}

// equal is the nature of both ends of a relation between equals or between concepts.
func equal(predicate string) nature {
	switch predicate {
	case owlNS + "sameAs":
		return 0
	case owlNS + "equivalentProperty", owlNS + "inverseOf":
		return isProperty
	case owlNS + "equivalentClass":
		return isClass
	}
	return isConcept
}
