package eval_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"orbweaver/rdf"
	"orbweaver/rdf/quads"
	"orbweaver/rdf/rdftest"
	"orbweaver/rdf/sparql/eval"
	"orbweaver/rdf/sparql/value"
)

// wide returns a store of n triples of one predicate.
func wide(t testing.TB, n int) quads.Reader {
	t.Helper()
	m := quads.NewMemory()
	_, err := m.Load(func(yield func(rdf.Quad, error) bool) {
		for i := range n {
			s := rdf.NewIRI(fmt.Sprintf("u:s%d", i))
			if !yield(rdf.Quad{S: s, P: rdf.NewIRI("u:p"), O: rdf.NewTyped(fmt.Sprint(i), rdf.XSDInteger)}, nil) {
				return
			}
		}
	}, "")
	if err != nil {
		t.Fatal(err)
	}
	return m.Snapshot()
}

func TestLimits(t *testing.T) {
	r := wide(t, 3200)
	late, cancel := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	defer cancel()
	gone, leave := context.WithCancel(t.Context())
	leave()
	for _, tc := range []struct {
		name, query string
		ctx         context.Context
		opts        eval.Options
		want        error
		rows        int
	}{
		{"ten million solutions cost nothing when ten are wanted", `SELECT * { ?a <u:p> ?b . ?c <u:p> ?d } LIMIT 10`,
			t.Context(), eval.Options{MaxSteps: 5000, MaxBytes: 10_000}, nil, 10},
		{"those of a filter, too", `SELECT * { ?a <u:p> ?b . ?c <u:p> ?d FILTER(?b < ?d) } LIMIT 10`,
			t.Context(), eval.Options{MaxSteps: 5000, MaxBytes: 10_000}, nil, 10},
		{"a cross product has its steps counted", `SELECT (COUNT(*) AS ?n) { ?a <u:p> ?b . ?c <u:p> ?d . ?e <u:p> ?f }`,
			t.Context(), eval.Options{MaxSteps: 1_000_000}, eval.ErrSteps, 0},
		{"rows of the answer are counted", `SELECT * { ?a <u:p> ?b }`,
			t.Context(), eval.Options{MaxRows: 3000}, eval.ErrRows, 3000},
		{"as many as are allowed are no error", `SELECT * { ?a <u:p> ?b }`,
			t.Context(), eval.Options{MaxRows: 3200}, nil, 3200},
		{"what is sorted takes memory", `SELECT * { ?a <u:p> ?b . ?c <u:p> ?d } ORDER BY ?d`,
			t.Context(), eval.Options{MaxBytes: 1 << 20}, eval.ErrMemory, 0},
		{"the first ten in order do not", `SELECT * { ?a <u:p> ?b } ORDER BY DESC(?b) LIMIT 10`,
			t.Context(), eval.Options{MaxBytes: 10_000}, nil, 10},
		{"distinct rows take memory", `SELECT DISTINCT * { ?a <u:p> ?b . ?c <u:p> ?d }`,
			t.Context(), eval.Options{MaxBytes: 1 << 20}, eval.ErrMemory, 20_000},
		{"groups do", `SELECT ?a ?c (COUNT(*) AS ?n) { ?a <u:p> ?b . ?c <u:p> ?d } GROUP BY ?a ?c`,
			t.Context(), eval.Options{MaxBytes: 1 << 20}, eval.ErrMemory, 0},
		{"computed terms do", `SELECT (CONCAT(STR(?a), STR(?c)) AS ?n) { ?a <u:p> ?b . ?c <u:p> ?d }`,
			t.Context(), eval.Options{MaxBytes: 1 << 20}, eval.ErrMemory, 2000},
		{"time is up", `SELECT (COUNT(*) AS ?n) { ?a <u:p> ?b . ?c <u:p> ?d }`,
			late, eval.Options{}, eval.ErrTime, 0},
		{"nobody waits", `SELECT (COUNT(*) AS ?n) { ?a <u:p> ?b . ?c <u:p> ?d }`,
			gone, eval.Options{}, context.Canceled, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			res, err := eval.Query(tc.ctx, r, parseQuery(t, tc.query, ""), tc.opts)
			if err != nil {
				t.Fatal(err)
			}
			rows := 0
			for _, err = range res.Rows() {
				if err == nil {
					rows++
				}
			}
			if !errors.Is(err, tc.want) || tc.want != nil && err == nil {
				t.Errorf("error is %v, want %v", err, tc.want)
			}
			if tc.want == nil && rows != tc.rows || rows > max(tc.rows, 1)*2 {
				t.Errorf("%d rows", rows)
			}
		})
	}
}

// The counted bytes approximate the bytes used.
func TestBytes(t *testing.T) {
	const limit = 8 << 20
	r := wide(t, 3200)
	for _, tc := range []struct{ name, query string }{
		{"sorted", `SELECT * { ?a <u:p> ?b . ?c <u:p> ?d } ORDER BY ?d`},
		{"distinct", `SELECT DISTINCT * { ?a <u:p> ?b . ?c <u:p> ?d }`},
		{"grouped", `SELECT ?a ?c (COUNT(*) AS ?n) { ?a <u:p> ?b . ?c <u:p> ?d } GROUP BY ?a ?c`},
		{"counted once each", `SELECT (COUNT(DISTINCT *) AS ?n) { ?a <u:p> ?b . ?c <u:p> ?d }`},
		{"summed once each", `SELECT (SUM(DISTINCT ?b * 10000 + ?d) AS ?n) { ?a <u:p> ?b . ?c <u:p> ?d }`},
		{"in a table", `SELECT (COUNT(*) AS ?n) { ?a <u:p> ?b OPTIONAL { { ?c <u:p> ?d } { ?e <u:p> ?f } } }`},
		{"computed", `SELECT (CONCAT(STR(?a), STR(?c)) AS ?n) { ?a <u:p> ?b . ?c <u:p> ?d }`},
		{"joined to a text", `SELECT (GROUP_CONCAT(?a) AS ?n) { ?a <u:p> ?b . ?c <u:p> ?d }`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			before := heap()
			res, err := eval.Query(t.Context(), r, parseQuery(t, tc.query, ""), eval.Options{MaxBytes: limit})
			if err != nil {
				t.Fatal(err)
			}
			for _, err = range res.Rows() {
			}
			if taken := heap() - before; !errors.Is(err, eval.ErrMemory) || taken < limit/4 || taken > limit*3/2 {
				t.Errorf("%d bytes taken of %d, %v", taken, limit, err)
			}
			runtime.KeepAlive(res)
		})
	}
}

// heap returns the bytes in use.
func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// A row allocates nothing, for any plan.
func TestAllocations(t *testing.T) {
	r := wide(t, 300)
	allocations := func(query string) float64 {
		q := parseQuery(t, query, "")
		return testing.AllocsPerRun(5, func() {
			if a, err := evaluate(r, q, eval.Options{}); err != nil || len(a.rows) != 1 {
				t.Fatal(a, err)
			}
		})
	}
	few := allocations(`SELECT (COUNT(*) AS ?n) { ?a <u:p> ?b FILTER(?b < 5) OPTIONAL { ?c <u:p> ?b } }`)
	many := allocations(`SELECT (COUNT(*) AS ?n) { ?a <u:p> ?b . ?c <u:p> ?d FILTER(?b < ?d) OPTIONAL { ?e <u:p> ?b } }`)
	if many > few+1000 {
		t.Errorf("%v allocations for 300 solutions, %v for 45 000", few, many)
	}
}

func TestExtensions(t *testing.T) {
	r := wide(t, 20)
	opts := eval.Options{
		Function: map[string]eval.Function{"u:twice": func(args []value.Value) (value.Value, error) {
			return value.Call(nil, "+", []value.Value{args[0], args[0]})
		}},
		Magic: map[string]eval.Predicate{"u:like": func(_ context.Context, s, o rdf.Term) iter.Seq2[[2]rdf.Term, error] {
			return func(yield func([2]rdf.Term, error) bool) {
				for _, name := range strings.Fields(o.Value) {
					if !yield([2]rdf.Term{rdf.NewIRI("u:" + name), o}, nil) {
						return
					}
				}
			}
		}},
	}
	for _, tc := range []struct{ name, query, want string }{
		{"a function", `SELECT ?n { <u:s7> <u:p> ?x BIND(<u:twice>(?x) AS ?n) }`, "14"},
		{"one that is unknown", `SELECT ?n { <u:s7> <u:p> ?x BIND(<u:thrice>(?x) AS ?n) }`, "UNDEF"},
		{"a predicate", `SELECT ?n { ?s <u:p> ?n . ?s <u:like> "s3 nobody s5" }`, "3 5"},
		{"with an object that is computed", `SELECT ?n { ?s <u:p> ?n . BIND("s3" AS ?words) ?s <u:like> ?words }`, "3"},
		{"with a subject that is known", `SELECT ?n { BIND(1 AS ?n) <u:s3> <u:like> "s4 s3" }`, "1"},
		{"and one that is not found", `SELECT ?n { BIND(1 AS ?n) <u:s3> <u:like> "s4 s5" }`, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			a, err := evaluate(r, parseQuery(t, tc.query, ""), opts)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, line := range lines(a.rows) {
				got = append(got, strings.TrimSpace(line))
			}
			slices.Sort(got)
			if strings.Join(got, " ") != tc.want {
				t.Errorf("got %v, want %s", got, tc.want)
			}
		})
	}
}

// A description has the triples of a resource, and recursively of its blank nodes, in any graph.
func TestDescribe(t *testing.T) {
	a, p, b1, b2 := rdf.NewIRI("u:a"), rdf.NewIRI("u:p"), rdf.NewBlank("b1"), rdf.NewBlank("b2")
	g := rdf.NewIRI("u:g")
	r := memory(t, []rdf.Quad{
		{S: a, P: p, O: b1}, {S: b1, P: p, O: b2, G: g}, {S: b2, P: p, O: b1},
		{S: b2, P: p, O: g}, {S: g, P: p, O: a}, {S: a, P: p, O: b1, G: g},
	}).Snapshot()
	want := []rdf.Triple{{S: a, P: p, O: b1}, {S: b1, P: p, O: b2}, {S: b2, P: p, O: b1}, {S: b2, P: p, O: g}}
	for _, query := range []string{`DESCRIBE <u:a>`, `DESCRIBE ?x { ?g <u:p> ?x FILTER(isIRI(?x) && !isBlank(?g)) }`} {
		got, err := evaluate(r, parseQuery(t, query, ""), eval.Options{})
		if err != nil || !rdftest.Isomorphic(got.triples, want) {
			t.Errorf("%s: %v, %v", query, got.triples, err)
		}
	}
}

// BNODE(s) gives one blank node per solution; the blank nodes of a template are new in each.
func TestBlankNodes(t *testing.T) {
	r := wide(t, 2)
	a, err := evaluate(r, parseQuery(t, `SELECT (BNODE("a") AS ?x) (BNODE("a") AS ?y) (BNODE() AS ?z) { ?s ?p ?o }`, ""), eval.Options{})
	if err != nil || len(a.rows) != 2 {
		t.Fatal(a, err)
	}
	for _, row := range a.rows {
		if row[0] != row[1] || row[0] == row[2] {
			t.Errorf("%v", row)
		}
	}
	if a.rows[0][0] == a.rows[1][0] {
		t.Error("two solutions share a blank node")
	}
	g, err := evaluate(r, parseQuery(t, `CONSTRUCT { _:x <u:q> ?o . _:x <u:r> ?s } { ?s ?p ?o }`, ""), eval.Options{})
	if err != nil || len(g.triples) != 4 {
		t.Fatal(g.triples, err)
	}
}

func TestExplain(t *testing.T) {
	res, err := eval.Query(t.Context(), wide(t, 20), parseQuery(t, `
		SELECT ?s { ?s <u:p> ?o FILTER(?o < 3) FILTER NOT EXISTS { ?s <u:q> ?z } OPTIONAL { ?s <u:r> ?r } } ORDER BY ?s LIMIT 2`, ""), eval.Options{Explain: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range res.Rows() {
		if err != nil {
			t.Fatal(err)
		}
	}
	text := res.Explain()
	for _, want := range []string{"Slice offset 0 limit 2", "OrderBy ?s, first 2", "Scan ?s <u:p> ?o", "expected 20, opened 1, rows 20", "EXISTS"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}
