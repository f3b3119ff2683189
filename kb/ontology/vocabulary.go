package ontology

import "strings"

// The namespaces of ontology languages; their own terms are not entities.
const (
	nsRDF     = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
	nsRDFS    = "http://www.w3.org/2000/01/rdf-schema#"
	nsOWL     = "http://www.w3.org/2002/07/owl#"
	nsSKOS    = "http://www.w3.org/2004/02/skos/core#"
	nsXSD     = "http://www.w3.org/2001/XMLSchema#"
	nsOntolex = "http://www.w3.org/ns/lemon/ontolex#"
	nsFOAF    = "http://xmlns.com/foaf/0.1/"
	nsSchema  = "http://schema.org/"
	nsSchemaS = "https://schema.org/"
)

const rdfType = nsRDF + "type"

// vocabulary reports whether an IRI belongs to an ontology language.
func vocabulary(iri string) bool {
	if !strings.HasPrefix(iri, "http://www.w3.org/") {
		return false
	}
	for _, ns := range [...]string{nsRDF, nsRDFS, nsOWL, nsSKOS, nsXSD, nsOntolex} {
		if strings.HasPrefix(iri, ns) {
			return true
		}
	}
	return false
}

// A role is the meaning of a predicate for its subject and object.
type role uint8

const (
	roleStatement  role = iota // any predicate outside the ontology languages
	roleIgnored                // a predicate of an ontology language that is not used
	roleType                   // instance, class
	roleSubClass               // narrower, broader
	roleNarrower               // broader, narrower
	roleSubProp                // property, superproperty
	roleEqual                  // two names of the same or nearly the same thing
	roleRelated                // a relation without a name
	roleDomain                 // property, class
	roleRange                  // property, class
	roleExpression             // a part of an anonymous class
	roleLabel                  // entity, words
	roleOntolex                // from an entity to its words, in several steps
)

func roleOf(predicate string) role {
	switch predicate {
	case rdfType:
		return roleType
	case nsRDFS + "subClassOf", nsSKOS + "broader", nsSKOS + "broadMatch":
		return roleSubClass
	case nsSKOS + "narrower", nsSKOS + "narrowMatch":
		return roleNarrower
	case nsRDFS + "subPropertyOf":
		return roleSubProp
	case nsOWL + "equivalentClass", nsOWL + "equivalentProperty", nsOWL + "sameAs", nsOWL + "inverseOf",
		nsSKOS + "exactMatch", nsSKOS + "closeMatch":
		return roleEqual
	case nsSKOS + "related", nsSKOS + "relatedMatch":
		return roleRelated
	case nsRDFS + "domain", nsSchema + "domainIncludes", nsSchemaS + "domainIncludes":
		return roleDomain
	case nsRDFS + "range", nsSchema + "rangeIncludes", nsSchemaS + "rangeIncludes":
		return roleRange
	case nsOWL + "unionOf", nsOWL + "intersectionOf", nsOWL + "onProperty", nsOWL + "someValuesFrom",
		nsOWL + "allValuesFrom", nsOWL + "onClass", nsRDF + "first", nsRDF + "rest":
		return roleExpression
	case nsOntolex + "denotes", nsOntolex + "isDenotedBy", nsOntolex + "evokes", nsOntolex + "isEvokedBy",
		nsOntolex + "sense", nsOntolex + "isSenseOf", nsOntolex + "reference", nsOntolex + "isReferenceOf",
		nsOntolex + "canonicalForm", nsOntolex + "otherForm", nsOntolex + "lexicalForm", nsOntolex + "writtenRep":
		return roleOntolex
	}
	switch {
	case labelRank(predicate) > 0:
		return roleLabel
	case vocabulary(predicate):
		return roleIgnored
	}
	return roleStatement
}

// labelRank ranks the predicates that give words, best name first; 0 for other predicates.
func labelRank(predicate string) int {
	switch predicate {
	case nsSKOS + "prefLabel":
		return 1
	case nsRDFS + "label":
		return 2
	case nsSchema + "name", nsSchemaS + "name", nsFOAF + "name":
		return 3
	case nsSKOS + "altLabel":
		return 4
	case nsSKOS + "hiddenLabel":
		return 6
	}
	return 0
}

// writtenRank is the labelRank of an Ontolex written representation.
const writtenRank = 5

// The marks of an IRI: its declared or implied kinds.
type mark uint8

const (
	isClass mark = 1 << iota
	isProperty
	isInstance
	isDatatype
	declared
	isConcept // of SKOS; in addition to isClass
	mentioned // a statement of its kind is in the documents
	noEntity  // a blank node, or a term of an ontology language
)

// markOfName returns the mark that a node has by its name alone.
func markOfName(name string) mark {
	if blank(name) || vocabulary(name) {
		return noEntity
	}
	return 0
}

// markOf returns the mark that a class of the ontology languages gives its instances.
func markOf(class string) mark {
	switch class {
	case nsOWL + "Class", nsRDFS + "Class", nsOWL + "DeprecatedClass":
		return isClass | declared
	case nsSKOS + "Concept":
		return isClass | isConcept | declared
	case nsOWL + "ObjectProperty", nsOWL + "DatatypeProperty", nsOWL + "AnnotationProperty", nsRDF + "Property",
		nsOWL + "FunctionalProperty", nsOWL + "InverseFunctionalProperty", nsOWL + "TransitiveProperty",
		nsOWL + "SymmetricProperty", nsOWL + "DeprecatedProperty", nsOWL + "AsymmetricProperty",
		nsOWL + "ReflexiveProperty", nsOWL + "IrreflexiveProperty":
		return isProperty | declared
	case nsOWL + "NamedIndividual":
		return isInstance | declared
	case nsRDFS + "Datatype", nsSchema + "DataType", nsSchemaS + "DataType":
		return isDatatype
	}
	return 0
}

// equalMark returns the mark of both sides of a roleEqual predicate; none for owl:sameAs.
func equalMark(predicate string) mark {
	switch predicate {
	case nsOWL + "sameAs":
		return 0
	case nsOWL + "equivalentProperty", nsOWL + "inverseOf":
		return isProperty
	}
	return isClass
}
