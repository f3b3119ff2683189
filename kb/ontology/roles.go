package ontology

// A Role is what a predicate means to an ontology.
type Role = role

// The roles that statements of hand-made ontologies have. A subject is below its object in RoleSubClass and RoleSubProp, and above it in
// RoleNarrower.
const (
	RoleType       = roleType
	RoleSubClass   = roleSubClass
	RoleNarrower   = roleNarrower
	RoleSubProp    = roleSubProp
	RoleEqual      = roleEqual
	RoleRelated    = roleRelated
	RoleDomain     = roleDomain
	RoleRange      = roleRange
	RoleExpression = roleExpression
	RoleLabel      = roleLabel
	RoleStatement  = roleStatement
)

// RoleOf returns the role of a predicate.
func RoleOf(predicate string) Role { return roleOf(predicate) }

// LabelRank ranks the predicates that give words, the best name first, from 1; 0 for other predicates.
func LabelRank(predicate string) int { return labelRank(predicate) }

// Builtin reports whether an IRI belongs to an ontology language: RDF, RDFS, OWL, SKOS, the datatypes of XML Schema or Ontolex.
func Builtin(iri string) bool { return vocabulary(iri) }

// Declares returns the kind that a class of the ontology languages, as owl:Class, gives its instances. concept: they are concepts of SKOS;
// datatype: they are datatypes, and no entities. ok is false for other classes.
func Declares(class string) (k Kind, concept, datatype, ok bool) {
	m := markOf(class)
	return kind(m), m&isConcept != 0, m&isDatatype != 0, m != 0
}
