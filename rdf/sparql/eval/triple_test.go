package eval_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"orbweaver/rdf"
	"orbweaver/rdf/quads"
	"orbweaver/rdf/sparql/algebra"
	"orbweaver/rdf/sparql/eval"
	"orbweaver/rdf/sparql/syntax"
)

// bindings are values of variables.
type bindings map[string]rdf.Term

// match extends bindings so that a node is a term, straight from the definition: a triple term matches part by part.
func match(n syntax.Node, t rdf.Term, b bindings) bool {
	switch {
	case n.Triple != nil:
		inner, is := t.Triple()
		return is && match(n.Triple.S, inner.S, b) && match(n.Triple.P, inner.P, b) && match(n.Triple.O, inner.O, b)
	case n.Var == "":
		return quads.Canonical(n.Term) == t
	case b[n.Var].IsZero():
		b[n.Var] = t
	}
	return b[n.Var] == t
}

// matches returns the solutions of triple patterns over a graph, as rows of the columns.
func matches(patterns []syntax.Triple, graph []rdf.Triple, columns []algebra.Column) (rows [][]rdf.Term) {
	var from func(rest []syntax.Triple, b bindings)
	from = func(rest []syntax.Triple, b bindings) {
		if len(rest) == 0 {
			row := make([]rdf.Term, len(columns))
			for i, c := range columns {
				row[i] = b[c.Name]
			}
			rows = append(rows, row)
			return
		}
		for _, t := range graph {
			next := bindings{}
			for name, value := range b {
				next[name] = value
			}
			if match(rest[0].S, t.S, next) && match(rest[0].P, t.P, next) && match(rest[0].O, t.O, next) {
				from(rest[1:], next)
			}
		}
	}
	from(patterns, bindings{})
	return rows
}

// TestTriplePatterns compares patterns with triple terms with their definition.
func TestTriplePatterns(t *testing.T) {
	answers := 0
	for seed := range uint64(300) {
		m := &maker{r: rand.New(rand.NewPCG(seed, 3))}
		var data []rdf.Quad
		for _, q := range m.data() {
			if q.G = (rdf.Term{}); m.one(3) {
				q.O = rdf.NewTripleTerm(rdf.Triple{S: q.S, P: q.P, O: q.O})
			}
			data = append(data, q)
		}
		text := "PREFIX : <u:> SELECT * { "
		for range 1 + m.r.IntN(2) {
			term := "<<( " + m.variable() + " ?v " + m.pick(m.variable(), m.variable(), m.term(0)) + " )>>"
			text += m.pick(m.variable(), m.subject()) + " " + m.pick(":p", "?v", "?u") + " " + m.pick(m.object(), m.term(1), term, term) + " . "
		}
		tree, err := syntax.ParseQuery(text+"}", syntax.Options{})
		if err != nil {
			t.Fatal(err)
		}
		q, err := algebra.TranslateQuery(tree)
		if err != nil {
			t.Fatal(err)
		}
		r := memory(t, data).Snapshot()
		var graph []rdf.Triple
		for _, q := range contents(t, r) {
			graph = append(graph, rdf.Triple{S: q.S, P: q.P, O: q.O})
		}
		want := matches(tree.Select.Where.Elements[0].(*syntax.Triples).Triples, graph, q.Columns)
		if len(want) > 0 {
			answers++
		}
		if diff := compareQuery(r, q, want, eval.Options{}); diff != "" {
			t.Fatalf("seed %d: %s\n%s\n%v", seed, diff, text, graph)
		}
	}
	if answers < 60 {
		t.Errorf("%d of 300 queries have answers: the others show little", answers)
	}
}

// TestTripleTemplates: parts without a value, or that cannot stand where they are, make no triple; blank nodes are new for each solution.
func TestTripleTemplates(t *testing.T) {
	m := memory(t, []rdf.Quad{
		{S: rdf.NewIRI("u:a"), P: rdf.NewIRI("u:p"), O: rdf.NewString("1")}, {S: rdf.NewIRI("u:b"), P: rdf.NewIRI("u:p"), O: rdf.NewIRI("u:q")},
	})
	for _, tc := range []struct{ template, want string }{
		{"?s :says <<( ?s ?p ?o )>>", `<u:a> <u:says> <<( <u:a> <u:p> "1" )>>, <u:b> <u:says> <<( <u:b> <u:p> <u:q> )>>`},
		{"?s :says <<( ?o ?p ?s )>>", `<u:b> <u:says> <<( <u:q> <u:p> <u:b> )>>`},
		{"?s :says <<( ?s ?o ?s )>>", `<u:b> <u:says> <<( <u:b> <u:q> <u:b> )>>`},
		{"?s :says <<( ?s :p ?none )>>", ``},
		{"<<( ?s :p ?o )>> :says ?s", ``},
		{"?s :p ?o {| :by ?s |}", `<u:a> <u:p> "1", <u:b> <u:p> <u:q>, _:1 <` + rdf.Reifies + `> <<( <u:a> <u:p> "1" )>>, _:1 <u:by> <u:a>, _:2 <` +
			rdf.Reifies + `> <<( <u:b> <u:p> <u:q> )>>, _:2 <u:by> <u:b>`},
		{"?s :says <<( _:x :p <<( _:x :p ?o )>> )>>", `<u:a> <u:says> <<( _:1 <u:p> <<( _:1 <u:p> "1" )>> )>>, <u:b> <u:says> <<( _:2 <u:p> <<( _:2 <u:p> <u:q> )>> )>>`},
	} {
		q := parseQuery(t, "PREFIX : <u:> CONSTRUCT { "+tc.template+" } { ?s ?p ?o }", "")
		a, err := evaluate(m.Snapshot(), q, eval.Options{})
		if err != nil {
			t.Fatal(err)
		}
		slices.SortFunc(a.triples, func(a, b rdf.Triple) int { return strings.Compare(written(a, nil), written(b, nil)) })
		labels := map[string]string{}
		var got []string
		for _, triple := range a.triples {
			got = append(got, written(triple, labels))
		}
		slices.Sort(got)
		want := strings.Split(tc.want, ", ")
		if slices.Sort(want); !slices.Equal(got, slices.DeleteFunc(want, func(s string) bool { return s == "" })) {
			t.Errorf("%s:\n%s\nwant\n%s", tc.template, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

// written formats a triple with numbered blank nodes; without labels they are left out.
func written(t rdf.Triple, labels map[string]string) string {
	number := func(t rdf.Term) rdf.Term {
		switch {
		case t.Kind != rdf.Blank:
		case labels == nil:
			t.Value = ""
		default:
			if labels[t.Value] == "" {
				labels[t.Value] = fmt.Sprint(len(labels) + 1)
			}
			t.Value = labels[t.Value]
		}
		return t
	}
	return syntax.Text(number(t.S)) + " " + syntax.Text(t.P) + " " + syntax.Text(t.O.Map(number))
}
