package plan_test

import (
	"math"
	"testing"
)

// TestCost: a plan costs what is read of it: all of what is sorted, grouped or kept as a table, and as much of the rest as its
// rows need. The store has some 30 000 triples.
func TestCost(t *testing.T) {
	r := town(t)
	for _, tc := range []struct {
		name, query string
		rows        float64 // read; 0: all
		from, to    float64
	}{
		{"one look-up", `{ <u:visit1> :at ?place }`, 0, 1, 10},
		{"any triple", `{ ?s ?p ?o }`, 1, 1, 2},
		{"all triples", `{ ?s ?p ?o }`, 0, 20_000, 40_000},
		{"some triples", `{ { SELECT * { ?s ?p ?o } LIMIT 10 } }`, 0, 10, 50},
		{"an offset", `{ { SELECT * { ?s ?p ?o } OFFSET 5000 LIMIT 10 } }`, 0, 5000, 6000},
		{"the first of all sorted", `{ { SELECT * { ?s ?p ?o } ORDER BY ?o LIMIT 10 } }`, 0, 20_000, 100_000},
		{"whether there are many", `{ { SELECT (COUNT(*) AS ?n) { ?s ?p ?o } } }`, 1, 20_000, 100_000},
		{"all pairs", `{ ?a :at ?b . ?c :knows ?d }`, 0, 5e7, 1e9},
		{"one pair", `{ ?a :at ?b . ?c :knows ?d }`, 1, 1, 20_000},
	} {
		rows := tc.rows
		if rows == 0 {
			rows = math.Inf(1)
		}
		p := planned(t, r, tc.query)
		if got := p.Cost(rows); got < tc.from || got > tc.to {
			t.Errorf("%s costs %g, want %g to %g", tc.name, got, tc.from, tc.to)
		}
	}
}
