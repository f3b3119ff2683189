package plan_test

import (
	"fmt"
	"strings"
	"testing"

	"orbweaver/rdf"
	"orbweaver/rdf/quads"
	"orbweaver/rdf/sparql/plan"
)

// library returns a store of 200 books by 20 authors; three books are rare.
func library(t *testing.T) quads.Reader {
	t.Helper()
	m := quads.NewMemory()
	add := func(s, p, o string) {
		q := rdf.Quad{S: rdf.NewIRI("u:" + s), P: rdf.NewIRI("u:" + p), O: rdf.NewIRI("u:" + o)}
		if _, err := m.Add(q, ""); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 200 {
		book := fmt.Sprintf("book%d", i)
		add(book, "author", fmt.Sprintf("author%d", i%20))
		add(book, "title", fmt.Sprintf("title%d", i))
		if i < 3 {
			add(book, "is", "rare")
		}
	}
	for i := range 20 {
		add(fmt.Sprintf("author%d", i), "name", fmt.Sprintf("name%d", i))
	}
	return m.Snapshot()
}

func TestPlans(t *testing.T) {
	r := library(t)
	for _, tc := range []struct{ name, query, want string }{
		{"what is rare comes first", `{ ?b :title ?t . ?b :author ?a . ?b :is :rare . ?a :name ?n }`, `
			Join
				Scan ?b <u:is> <u:rare>
				Scan ?b <u:title> ?t
				Scan ?b <u:author> ?a
				Scan ?a <u:name> ?n`},
		{"what is not connected comes last", `{ ?a :name ?n . ?b :is :rare . ?b :title ?t }`, `
			Join
				Scan ?b <u:is> <u:rare>
				Scan ?b <u:title> ?t
				Scan ?a <u:name> ?n`},
		{"much is joined with a table", `{ ?b :title ?t . ?b :author ?a }`, `
			Join
				Scan ?b <u:title> ?t
				Table ?b ?a by ?b
					Scan ?b <u:author> ?a`},
		{"but looked up where little is asked for", `{ ?b :title ?t . ?b :author ?a } LIMIT 3`, `
			Slice offset 0 limit 3
				Join
					Scan ?b <u:title> ?t
					Scan ?b <u:author> ?a`},
		{"a filter stands where its variables have values", `{ ?b :is :rare . ?b :title ?t OPTIONAL { ?b :author ?a } FILTER(?b != :book1 && bound(?a)) }`, `
			Filter BOUND(?a)
				Optional
					Join
						Filter (?b != <u:book1>)
							Scan ?b <u:is> <u:rare>
						Scan ?b <u:title> ?t
					Scan ?b <u:author> ?a`},
		{"an IRI that is asked for is looked up", `{ ?b :author ?a . ?b :title ?t FILTER(?a = :author3) }`, `
			Join
				Values ?a, 1 rows
				Scan ?b <u:author> ?a
				Scan ?b <u:title> ?t`},
		{"a literal may be written in several ways", `{ ?b :title ?t FILTER(?t = "x") }`, `
			Filter (?t = "x")
				Scan ?b <u:title> ?t`},
		{"a sub-query that does nothing is none", `{ ?b :is :rare { SELECT ?b ?t { ?b :title ?t . ?b :author ?a } } }`, `
			Join
				Scan ?b <u:is> <u:rare>
				Scan ?b <u:title> ?t
				Scan ?b <u:author> ?a`},
		{"an OPTIONAL waits for what does not touch it", `{ ?b :title ?t OPTIONAL { ?b :author ?a } ?b :is :rare }`, `
			Optional
				Join
					Scan ?b <u:is> <u:rare>
					Scan ?b <u:title> ?t
				Scan ?b <u:author> ?a`},
		{"what OPTIONAL may bind is not for the filter of a group within", `{ ?b :is :rare OPTIONAL { ?b :author ?a } { ?b :title ?t FILTER(?a = :x) } }`, `
			Optional
				Join
					Scan ?b <u:is> <u:rare>
					Filter (?a = <u:x>)
						Scan ?b <u:title> ?t
				Scan ?b <u:author> ?a`},
		{"nor is what a group around binds later", `{ ?b :title ?t { ?b :is :rare OPTIONAL { ?b :author ?a FILTER(?t = :title1) } } }`, `
			Join
				Optional (?t = <u:title1>)
					Scan ?b <u:is> <u:rare>
					Scan ?b <u:author> ?a
				Scan ?b <u:title> ?t`},
		{"the first in order are all that is kept", `{ ?b :title ?t } ORDER BY ?t LIMIT 5 OFFSET 2`, `
			Slice offset 2 limit 5
				OrderBy ?t, first 7
					Scan ?b <u:title> ?t`},
		{"what is cut off is cut off before it is joined", `{ ?b :is :rare { SELECT ?b { ?b :title ?t } LIMIT 5 } }`, `
			Join
				Scan ?b <u:is> <u:rare>
				Table ?b by ?b
					Slice offset 0 limit 5
						Scan ?b <u:title> ?t`},
		{"a graph is found by what is in it", `{ GRAPH ?g { ?b :is :rare . ?b :title ?t } }`, `
			Join
				Scan ?b <u:is> <u:rare> in ?g
				Scan ?b <u:title> ?t in ?g`},
		{"and asked one by one where each is a world of its own", `{ GRAPH ?g { ?b :is :rare MINUS { ?b :title ?t } } }`, `
			Graph ?g
				Minus ?b
					Scan ?b <u:is> <u:rare> in ?g
					Scan ?b <u:title> ?t in ?g`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := planned(t, r, tc.query)
			got := p.Text(func(plan.Node) string { return "" })
			if want := outdented(tc.want); got != want {
				t.Errorf("got\n%swant\n%s", got, want)
			}
		})
	}
}

// outdented removes the indentation of a test's text.
func outdented(s string) string {
	var b strings.Builder
	for line := range strings.Lines(strings.TrimPrefix(s, "\n")) {
		b.WriteString(strings.ReplaceAll(strings.TrimPrefix(line, "\t\t\t"), "\t", "  "))
	}
	return b.String() + "\n"
}
