package ontology

import (
	"maps"
	"slices"
	"strings"
)

// Equals returns the sets of IRIs that the files state to be the same (owl:equivalentClass, owl:equivalentProperty,
// owl:sameAs, skos:exactMatch), transitively. Each set has two IRIs or more, ascending, of which some may be no
// entities; the sets are in the order of their first IRIs. What is only close (skos:closeMatch) or the inverse is not
// the same.
func (o *Ontology) Equals() [][]string {
	same := map[string]string{} // to another member of the set, or to itself
	g := o.source
	for _, s := range g.marking {
		if g.names.roles[s.p] == roleEqual && isSame(g.name(s.p)) && !g.blank(s.s) && !g.blank(s.o) {
			a, b := root(same, g.name(s.s)), root(same, g.name(s.o))
			same[max(a, b)] = min(a, b)
		}
	}
	sets := map[string][]string{}
	for _, iri := range slices.Sorted(maps.Keys(same)) {
		first := root(same, iri)
		sets[first] = append(sets[first], iri)
	}
	var equals [][]string
	for _, first := range slices.Sorted(maps.Keys(sets)) {
		if len(sets[first]) > 1 {
			equals = append(equals, sets[first])
		}
	}
	return equals
}

// isSame reports whether a predicate states that both its sides are one.
func isSame(predicate string) bool {
	switch predicate {
	case nsOWL + "equivalentClass", nsOWL + "equivalentProperty", nsOWL + "sameAs", nsSKOS + "exactMatch":
		return true
	}
	return false
}

// root returns the first member of an IRI's set, and shortens the way there.
func root(same map[string]string, iri string) string {
	first := iri
	for next, ok := same[first]; ok && next != first; next, ok = same[first] {
		first = next
	}
	for iri != first {
		same[iri], iri = first, same[iri]
	}
	same[first] = first
	return first
}

// IsConcept reports whether an entity is a concept of SKOS.
func (o *Ontology) IsConcept(i int) bool {
	_, ok := slices.BinarySearch(o.concepts, int32(i))
	return ok
}

// SchemaOrg is the namespace of schema.org.
const SchemaOrg = nsSchema

// SchemaTerm returns an IRI with schema.org's namespace in the form of SchemaOrg: it is written with http and with
// https, with and without www.
func SchemaTerm(iri string) string {
	rest, ok := strings.CutPrefix(iri, "http")
	if !ok {
		return iri
	}
	rest = strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(rest, "s"), "://"), "www.")
	if name, ok := strings.CutPrefix(rest, "schema.org/"); ok {
		return SchemaOrg + name
	}
	return iri
}

// Words returns the local name of an IRI in words, as entities without a label are named.
func Words(iri string) string { return localWords(iri) }
