package eval_test

import (
	"fmt"
	"testing"

	"orbweaver/rdf"
	"orbweaver/rdf/sparql/eval"
)

// Queries whose result would change if values were passed down from the context.
func TestScopes(t *testing.T) {
	iri := func(s string) rdf.Term { return rdf.NewIRI("u:" + s) }
	var data []rdf.Quad
	for _, q := range [][4]string{
		{"a", "p", "b"}, {"b", "p", "c"}, {"c", "p", "a"}, {"a", "q", "b"}, {"a", "q", "c"}, {"b", "r", "a"}, {"c", "r", "c"},
		{"a", "p", "c", "g1"}, {"c", "q", "a", "g1"}, {"b", "p", "b", "g2"}, {"g1", "r", "g2", "g2"}, {"g1", "r", "g2"},
		{"a", "p", "c", "g2"}, {"c", "q", "a", "g2"}, {"a", "p", "a", "g3"},
	} {
		quad := rdf.Quad{S: iri(q[0]), P: iri(q[1]), O: iri(q[2])}
		if q[3] != "" {
			quad.G = iri(q[3])
		}
		data = append(data, quad)
	}
	r := memory(t, data).Snapshot()
	for _, pattern := range []string{
		`{ ?x :p ?y { SELECT DISTINCT ?y { { ?y :r ?z } UNION { ?z :p ?w } } } }`,
		`{ ?x :p ?y { SELECT DISTINCT * { VALUES ?y { UNDEF :b :c } } } }`,
		`{ ?x :p ?y { SELECT ?y (COUNT(*) AS ?n) { { ?y :r ?z } UNION { ?z :p ?w } } GROUP BY ?y } }`,
		`{ ?x :p ?y { SELECT DISTINCT ?x ?y { ?x :p ?w { { ?y :r ?z } UNION { ?z :p ?v } } } } }`,
		`{ ?x :p ?y { SELECT ?x ?y (COUNT(*) AS ?n) { ?x :p ?w { { ?y :r ?z } UNION { ?z :p ?v } } } GROUP BY ?x ?y } }`,
		`{ ?x :p ?y { SELECT ?y (COUNT(?z) AS ?n) { ?z :q ?y } GROUP BY ?y } }`,
		`{ ?x :p ?y { SELECT (COUNT(?y) AS ?n) { ?z :q ?y } } }`,
		`{ ?x :p ?y { SELECT ?y { ?z :q ?y } ORDER BY ?y LIMIT 1 } }`,
		`{ ?x :p ?y OPTIONAL { ?y :q ?z FILTER(?x = :a) } }`,
		`{ ?x :p ?y OPTIONAL { ?y :q ?z OPTIONAL { ?z :r ?w FILTER(?x = :c) } } }`,
		`{ ?x :p ?y OPTIONAL { ?y :q ?z OPTIONAL { ?z :r ?x } } }`,
		`{ ?x :p ?y { ?y :p ?z OPTIONAL { ?z :r ?x } } }`,
		`{ ?x :p ?y { ?y :p ?z MINUS { ?z :r ?x } } }`,
		`{ ?x :p ?y { ?y :p ?z FILTER(bound(?x)) } }`,
		`{ ?x :p ?y { BIND(?x AS ?z) } }`,
		`{ ?x :p ?y { ?z :q ?w BIND(?y AS ?x) } }`,
		`{ ?x :p ?y FILTER EXISTS { ?y :p ?z FILTER(?x = ?z || ?z = :a) } }`,
		`{ ?x :p ?y FILTER NOT EXISTS { ?y :p ?z MINUS { ?x :q ?z } } }`,
		`{ ?x :p ?y FILTER EXISTS { SELECT ?y (COUNT(*) AS ?n) { ?y :q ?z } GROUP BY ?y HAVING(COUNT(*) > 1) } }`,
		`{ ?x :p ?y OPTIONAL { ?x :q ?z } FILTER EXISTS { ?z :r ?w } }`,
		`{ ?x :p ?y OPTIONAL { ?x :q ?z } FILTER EXISTS { { ?w :p ?z } { ?v :r ?v FILTER(bound(?z)) } } }`,
		`{ GRAPH ?g { ?x :p ?y } ?g :r ?h GRAPH ?h { ?b :p ?b } }`,
		`{ GRAPH ?g { ?x :p ?y FILTER(bound(?g)) } }`,
		`{ GRAPH ?g { ?x ?v ?g } }`,
		`{ GRAPH ?g { OPTIONAL { ?x :q ?y } } }`,
		`{ GRAPH ?g { ?x :p ?y { OPTIONAL { ?z :r ?w } } } }`,
		`{ GRAPH ?g { VALUES ?x { :a } OPTIONAL { ?x :p ?y } } }`,
		`{ GRAPH ?g { ?x :p ?y { VALUES ?z { :a } OPTIONAL { ?z :p ?w } } } }`,
		`{ GRAPH ?g { ?x :p ?y MINUS { ?z :q ?w } } }`,
		`{ GRAPH ?g { ?x :p ?y FILTER NOT EXISTS { ?z :q ?w } } }`,
		`{ GRAPH ?g { ?x :p ?y { VALUES ?z { :a } FILTER EXISTS { ?w :q ?z } } } }`,
		`{ GRAPH ?g { ?x :p ?y { VALUES ?z { :a } FILTER EXISTS { ?x :q ?z } } } }`,
		`{ GRAPH ?g { ?y :p ?x { VALUES ?z { :a } BIND(EXISTS { ?x :q ?z } AS ?w) } } }`,
		`{ GRAPH ?g { { SELECT (COUNT(*) AS ?n) { ?x :p ?y } } } }`,
		`{ GRAPH ?g { ?x :p ?y { SELECT ?y (COUNT(*) AS ?n) { ?z ?p ?y } GROUP BY ?y } } }`,
		`{ GRAPH ?g { ?x :p* ?y } }`,
		`{ GRAPH :nowhere { :a :p* ?y } }`,
		`{ VALUES ?x { :nowhere } ?x :p* ?y }`,
		`{ :nowhere :p* ?y }`,
		`{ ?x :p|:p ?y . ?y (:p/:q?)* ?z }`,
		`{ ?x :p+ ?x }`,
		`{ VALUES (?x ?y) { (UNDEF :b) (:a UNDEF) } ?x :p ?y }`,
		`{ VALUES (?x ?y) { (UNDEF :b) (:a UNDEF) } OPTIONAL { ?x :q ?y } }`,
		`{ VALUES (?x ?y) { (UNDEF :b) (:a UNDEF) } MINUS { ?x :q ?y } }`,
		`{ ?x :p ?y MINUS { { ?x :q ?w } UNION { ?y :r ?w } UNION { ?v :r ?w } } }`,
		`{ { ?x :p ?y } UNION { ?x :q ?z } OPTIONAL { ?x :r ?w } FILTER(!bound(?y) || ?y != ?x) }`,
	} {
		q := parseQuery(t, "PREFIX : <u:> SELECT * "+pattern, "")
		for _, union := range []bool{false, true} {
			want, ok := naively(contents(t, r), q, union)
			if !ok {
				t.Fatal(pattern)
			}
			for _, seekCost := range []float64{0, 1e-9, 1e9} {
				t.Run(fmt.Sprintf("%s %g %v", pattern, seekCost, union), func(t *testing.T) {
					if diff := compareQuery(r, q, want, eval.Options{SeekCost: seekCost, Union: union}); diff != "" {
						t.Error(diff)
					}
				})
			}
		}
	}
}
