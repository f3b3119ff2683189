package quads

import "orbweaver/rdf"

// Terms returns a quad of a reader in terms; the default graph is the zero term.
func Terms(r Reader, ids Quad) (q rdf.Quad, err error) {
	for _, position := range []struct {
		id   ID
		term *rdf.Term
	}{{ids.S, &q.S}, {ids.P, &q.P}, {ids.O, &q.O}, {ids.G, &q.G}} {
		if *position.term, err = r.Term(position.id); err != nil {
			return q, err
		}
	}
	return q, nil
}
