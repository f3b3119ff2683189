package terms

import (
	"cmp"
	"iter"

	"orbweaver/internal/order"
	"orbweaver/rdf"
)

const rdfType = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"

// maxUsed bounds the classes counted; data has thousands at most.
const maxUsed = 1_000_000

// UseOf counts the rdf:type statements of each class. Repeated statements count again. Classes of RDF, RDFS
// and OWL are left out. The error is the first of the quads; those before it are counted.
func UseOf(quads iter.Seq2[rdf.Quad, error]) (Use, error) {
	use := Use{}
	for q, err := range quads {
		if err != nil {
			return use, err
		}
		if q.P.Value != rdfType || q.O.Kind != rdf.IRI {
			continue
		}
		switch Namespace(q.O.Value) {
		case "http://www.w3.org/1999/02/22-rdf-syntax-ns#", "http://www.w3.org/2000/01/rdf-schema#", "http://www.w3.org/2002/07/owl#":
			continue
		}
		if _, known := use[q.O.Value]; known || len(use) < maxUsed {
			use[q.O.Value]++
		}
	}
	return use, nil
}

// Most returns the n most used classes, most used first, ties by IRI.
func (u Use) Most(n int) []string {
	var all []string
	for iri := range u {
		all = append(all, iri)
	}
	order.By(all, func(a, b string) int { return cmp.Or(cmp.Compare(u[b], u[a]), cmp.Compare(a, b)) })
	return all[:min(n, len(all))]
}
