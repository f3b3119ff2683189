package endpointtest

import (
	"fmt"
	"hash/fnv"
	"maps"
	"slices"

	"orbweaver/rdf"
)

// Properties that relate terms.
const (
	rdfType         = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
	subClassOf      = "http://www.w3.org/2000/01/rdf-schema#subClassOf"
	sameAs          = "http://www.w3.org/2002/07/owl#sameAs"
	equivalentClass = "http://www.w3.org/2002/07/owl#equivalentClass"
)

// Instances returns the number of distinct instances of a class in the endpoint's contents, whatever the
// endpoint can answer. It counts the given quads and evaluates no query.
func (e *Endpoint) Instances(class string) int {
	found := map[rdf.Term]bool{}
	for _, q := range e.quads {
		if q.P.Value == rdfType && q.O == rdf.NewIRI(class) {
			found[q.S] = true
		}
	}
	return len(found)
}

// Related returns the distinct IRIs that the contents relate to a class, sorted: by owl:sameAs and
// owl:equivalentClass in either direction, and as subclasses.
func (e *Endpoint) Related(class string) []string {
	found := map[string]bool{}
	term := rdf.NewIRI(class)
	for _, q := range e.quads {
		both := q.P.Value == sameAs || q.P.Value == equivalentClass
		if q.O == term && q.S.Kind == rdf.IRI && (both || q.P.Value == subClassOf) {
			found[q.S.Value] = true
		}
		if q.S == term && q.O.Kind == rdf.IRI && both {
			found[q.O.Value] = true
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// Sample returns contents that differ per endpoint: for each class up to most instances, a subclass, and
// either an equivalent term or none; names contain the endpoint's line. The same row and classes give the
// same contents.
func Sample(classes []string, most int) func(Profile) []rdf.Quad {
	return func(p Profile) (quads []rdf.Quad) {
		add := func(s, p, o string) {
			quads = append(quads, rdf.Quad{S: rdf.NewIRI(s), P: rdf.NewIRI(p), O: rdf.NewIRI(o)})
		}
		for k, class := range classes {
			draw := drawn(p.Row.Endpoint, class)
			own := fmt.Sprintf("http://%d.example.org/%d/", p.Row.Line, k)
			for i := range int(draw % uint64(most+1)) {
				add(fmt.Sprintf("%si%06d", own, i), rdfType, class)
			}
			switch draw >> 32 % 5 {
			case 0:
				add(own+"Sub", subClassOf, class)
			case 1:
				add(own+"Same", sameAs, class)
			case 2:
				add(class, equivalentClass, own+"Equivalent")
			case 3:
				add(own+"Sub", subClassOf, class)
				add(class, sameAs, own+"Same")
				add(class, subClassOf, own+"Super")
			}
		}
		return quads
	}
}

// drawn returns a pseudo-random number determined by two strings.
func drawn(a, b string) uint64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%s\n%s", a, b)
	x := h.Sum64()
	x ^= x >> 33 // FNV's low bits depend strongly on the last letters
	x *= 0xff51afd7ed558ccd
	return x ^ x>>33
}
