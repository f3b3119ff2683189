package plan_test

import (
	"fmt"
	"strings"
	"testing"

	"orbweaver/rdf"
	"orbweaver/rdf/quads"
	"orbweaver/rdf/sparql/algebra"
	"orbweaver/rdf/sparql/plan"
	"orbweaver/rdf/sparql/syntax"
)

// town returns a store of 9000 visits by 3000 people, who know three others each, to 300 places of 10 types
// in a hierarchy.
func town(t *testing.T) quads.Reader {
	t.Helper()
	m := quads.NewMemory()
	add := func(s, p, o string) {
		q := rdf.Quad{S: rdf.NewIRI("u:" + s), P: rdf.NewIRI("u:" + p), O: rdf.NewIRI("u:" + o)}
		if _, err := m.Add(q, ""); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 9000 {
		visit, person, place := fmt.Sprint("visit", i), fmt.Sprint("person", i%3000), fmt.Sprint("place", i%300)
		add(visit, "at", place)
		add(visit, "by", person)
		add(place, "type", fmt.Sprint("type", i%10))
		add(person, "knows", fmt.Sprint("person", i*7%3000+i/3000))
	}
	for i := range 8 {
		add(fmt.Sprint("type", i), "below", "food")
	}
	return m.Snapshot()
}

// TestStarts checks the first node of plans.
func TestStarts(t *testing.T) {
	r := town(t)
	for _, tc := range []struct{ name, query, want string }{
		{"a little part, if the way from it is short", `{ ?type :below :food . ?place :type ?type . ?v :at ?place }`, "?type <u:below> <u:food>"},
		{"two large ones that meet in few, if it is long", `{ ?type :below :food . ?place :type ?type . ?v :at ?place . ?v :by ?a . ?a :knows ?b . ?b :knows ?a . ?w :by ?b . ?w :at ?place }`, "?a <u:knows> ?b"},
	} {
		p := planned(t, r, tc.query)
		text := p.Text(func(plan.Node) string { return "" })
		if _, first, _ := strings.Cut(text, "Scan "); !strings.HasPrefix(first, tc.want+"\n") {
			t.Errorf("%s:\n%s", tc.name, text)
		}
	}
}

// TestSubsets checks that the people of the 30 visits to a place are estimated within their own domain.
func TestSubsets(t *testing.T) {
	p := planned(t, town(t), `{ ?v :at :place1 . ?v :by :person2 }`)
	if got := plan.Estimate(p.Root); got < 0.007 || got > 0.014 {
		t.Errorf("%g visits are expected, not 30 · 3 / 9000", got)
	}
}

// planned plans a query for all variables of a pattern.
func planned(t *testing.T, r quads.Reader, pattern string) *plan.Plan {
	t.Helper()
	tree, err := syntax.ParseQuery("PREFIX : <u:> SELECT * "+pattern, syntax.Options{})
	if err != nil {
		t.Fatal(err)
	}
	q, err := algebra.TranslateQuery(tree)
	if err != nil {
		t.Fatal(err)
	}
	p, err := plan.New(r, q.Pattern, q.Vars, plan.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}
