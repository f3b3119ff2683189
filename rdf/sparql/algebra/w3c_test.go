package algebra_test

import (
	"testing"

	"orbweaver/rdf/sparql/algebra"
	"orbweaver/rdf/sparql/syntax"
	"orbweaver/rdf/sparql/syntax/syntaxtest"
)

// All valid texts of the suites translate, with valid slots.
func TestW3C(t *testing.T) {
	for _, below := range []string{"sparql/sparql10", "sparql/sparql11", "sparql/sparql12"} {
		for _, c := range syntaxtest.Cases(t, below) {
			if c.Negative {
				continue
			}
			t.Run(c.Name, func(t *testing.T) {
				if c.Update {
					update(t, c.Text, c.Base)
					return
				}
				q := query(t, c.Text, c.Base)
				checkSlots(t, q.Pattern, q.Vars)
				checkWritten(t, c.Text, c.Base)
			})
		}
	}
}

// checkWritten fails unless a reformatted query has the same meaning.
func checkWritten(t *testing.T, text, base string) {
	t.Helper()
	tree, err := syntax.ParseQuery(text, syntax.Options{Base: base})
	if err != nil {
		t.Fatal(err)
	}
	q, again := query(t, text, base), query(t, tree.String(), "")
	want, got := algebra.Text(q.Pattern, q.Vars), algebra.Text(again.Pattern, again.Vars)
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// query reads and translates a query.
func query(t testing.TB, text, base string) *algebra.Query {
	t.Helper()
	tree, err := syntax.ParseQuery(text, syntax.Options{Base: base})
	if err != nil {
		t.Fatalf("%v:\n%s", err, text)
	}
	q, err := algebra.TranslateQuery(tree)
	if err != nil {
		t.Fatalf("%v:\n%s", err, text)
	}
	return q
}

// update reads and translates an update.
func update(t testing.TB, text, base string) *algebra.Update {
	t.Helper()
	tree, err := syntax.ParseUpdate(text, syntax.Options{Base: base})
	if err != nil {
		t.Fatalf("%v:\n%s", err, text)
	}
	u, err := algebra.TranslateUpdate(tree)
	if err != nil {
		t.Fatalf("%v:\n%s", err, text)
	}
	for _, op := range u.Operations {
		if m, ok := op.(*algebra.Modify); ok {
			checkSlots(t, m.Pattern, m.Vars)
		}
	}
	return u
}

// checkSlots fails when a plan cannot be written, or names of variables are not unique.
func checkSlots(t testing.TB, op algebra.Op, vars []string) {
	t.Helper()
	if algebra.Text(op, vars) == "" {
		t.Error("no plan")
	}
	seen := map[string]bool{}
	for _, name := range vars {
		if seen[name] {
			t.Errorf("two variables are ?%s", name)
		}
		seen[name] = true
	}
}
