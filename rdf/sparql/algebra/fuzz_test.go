package algebra_test

import (
	"testing"

	"orbweaver/rdf/sparql/algebra"
	"orbweaver/rdf/sparql/syntax"
)

// FuzzTranslate: every valid query translates, and its plan has valid slots.
func FuzzTranslate(f *testing.F) {
	for _, text := range []string{
		"SELECT (COUNT(*) AS ?n) (SUM(?o) + ?n AS ?m) { ?s ?p ?o , [ ^<u:p>/(<u:q>|!<u:r>)* ?x ] } GROUP BY ?y (STR(?s) AS ?t) LANG(?o) HAVING (MAX(?z) = 1) ORDER BY ?o",
		"SELECT * { { SELECT ?x { ?x ?y ?z } VALUES ?y { 1 } } SERVICE ?s { { SELECT ?y { ?y ?y _:a } } SERVICE <u:t> { } } FILTER EXISTS { SELECT * { } } }",
		"DESCRIBE * { OPTIONAL { { FILTER(?a) } FILTER(?b) } MINUS { GRAPH ?g { BIND(1 AS ?c) } } }",
	} {
		f.Add(text, false)
	}
	f.Add("WITH <u:g> DELETE { ?s ?p ?o } INSERT { GRAPH ?g { ?s ?p [] } } WHERE { ?s ?p ?o } ; DELETE WHERE { ?s ?p 1 GRAPH ?g { ?s ?p ?o } }", true)
	f.Fuzz(func(t *testing.T, text string, isUpdate bool) {
		if isUpdate {
			if _, err := syntax.ParseUpdate(text, syntax.Options{}); err == nil {
				update(t, text, "")
			}
			return
		}
		if _, err := syntax.ParseQuery(text, syntax.Options{}); err != nil {
			return
		}
		q := query(t, text, "")
		checkSlots(t, q.Pattern, q.Vars)
		for _, s := range algebra.Visible(q.Pattern) {
			if int(s) >= len(q.Vars) {
				t.Errorf("variable %d of %d", s, len(q.Vars))
			}
		}
	})
}
