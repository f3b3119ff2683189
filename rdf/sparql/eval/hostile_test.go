package eval_test

import (
	"strconv"
	"strings"
	"testing"

	"orbweaver/rdf/sparql/eval"
)

// Long queries take proportionate time and memory.
func TestLongQueries(t *testing.T) {
	r := wide(t, 5)
	const n = 2000
	numbered := func(format string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(strings.ReplaceAll(format, "#", strconv.Itoa(i)))
		}
		return b.String()
	}
	for _, tc := range []struct{ name, query string }{
		{"triples", "SELECT * { " + strings.Repeat("?s <u:p> ?o . ", n) + "}"},
		{"optionals", "SELECT * { ?s <u:p> ?o " + strings.Repeat("OPTIONAL { ?s <u:p> ?o } ", n) + "}"},
		{"variables", "SELECT ?s { " + numbered("?s <u:p> ?o# . ") + "}"},
		{"optional variables", "SELECT ?s { ?s <u:p> ?o " + numbered("OPTIONAL { ?s <u:p> ?o# } ") + "}"},
		{"assignments", "SELECT ?s { ?s <u:p> ?v0 " + numbered("BIND(?v0 + # AS ?w#) ") + "}"},
		{"unions", "SELECT * { { ?s <u:q> ?o } " + strings.Repeat("UNION { ?s <u:q> ?o } ", n) + "UNION { ?s <u:p> ?o } }"},
		{"sums", "SELECT * { ?s <u:p> ?o FILTER(?o" + strings.Repeat(" + 1", n) + " > 0) }"},
		{"filters", "SELECT * { ?s <u:p> ?o " + strings.Repeat("FILTER(?o >= 0) ", n) + "}"},
		{"groups", "SELECT * " + strings.Repeat("{ ", 200) + "?s <u:p> ?o " + strings.Repeat("OPTIONAL { ?s <u:q> ?z } } ", 200)},
		{"exists", "SELECT * { ?s <u:p> ?o " + strings.Repeat("FILTER EXISTS { ?s <u:p> ?o ", 100) + strings.Repeat("} ", 100) + "}"},
		{"paths", "SELECT * { ?s <u:p>|" + strings.Repeat("(", 200) + "<u:q>" + strings.Repeat(")*/<u:q>", 200) + " ?o }"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			a, err := evaluate(r, parseQuery(t, tc.query, ""), eval.Options{})
			if err != nil || len(a.rows) != 5 {
				t.Errorf("%d rows, %v", len(a.rows), err)
			}
		})
	}
}
