package eval_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"testing"
	"time"

	"orbweaver/rdf"
	"orbweaver/rdf/quads"
	"orbweaver/rdf/sparql/algebra"
	"orbweaver/rdf/sparql/eval"
	"orbweaver/rdf/sparql/syntax"
)

// counting is a store that counts changes.
type counting struct {
	quads.Reader
	done int
	each func() // called before each change
}

func (c *counting) View() (quads.Reader, func() error, error) {
	return c.Reader, func() error { return nil }, nil
}
func (c *counting) Add(rdf.Quad) error    { return c.count() }
func (c *counting) Remove(rdf.Quad) error { return c.count() }
func (c *counting) Clear(rdf.Term) error  { return c.count() }

func (c *counting) count() error {
	c.done++
	if c.each != nil {
		c.each()
	}
	return nil
}

// endless loads a document without end.
type endless struct{}

func (endless) Load(context.Context, string) iter.Seq2[rdf.Triple, error] {
	return func(yield func(rdf.Triple, error) bool) {
		for n := 0; yield(rdf.Triple{S: rdf.NewIRI("u:s"), P: rdf.NewIRI("u:p"), O: rdf.NewString(fmt.Sprint(n))}, nil); n++ {
		}
	}
}

func parseUpdate(t testing.TB, text string) *algebra.Update {
	t.Helper()
	tree, err := syntax.ParseUpdate(text, syntax.Options{})
	if err != nil {
		t.Fatal(err)
	}
	u, err := algebra.TranslateUpdate(tree)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// TestUpdateLimits: an update ends at its limits, and the failing operation has changed nothing.
func TestUpdateLimits(t *testing.T) {
	r := wide(t, 3200)
	late, cancel := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	defer cancel()
	gone, leave := context.WithCancel(t.Context())
	leave()
	const nothings = "{ {} UNION {} } { {} UNION {} } { {} UNION {} } { {} UNION {} } { {} UNION {} } { {} UNION {} } { {} UNION {} } { {} UNION {} } "
	const cross = "WHERE { ?a <u:p> ?b . ?c <u:p> ?d . ?e <u:p> ?f }"
	for _, tc := range []struct {
		name, update string
		ctx          context.Context
		opts         eval.Options
		want         error
		done         int
	}{
		{"steps of a WHERE", "INSERT { ?a <u:q> <u:x> } " + cross, t.Context(), eval.Options{MaxSteps: 100_000}, eval.ErrSteps, 0},
		{"of one that finds nothing", "DELETE { ?a <u:q> <u:x> } WHERE { ?a <u:p> ?b . ?c <u:p> ?d FILTER(?b > ?d + 9999) }", t.Context(), eval.Options{MaxSteps: 100_000}, eval.ErrSteps, 0},
		{"of one that looks at nothing", "INSERT { <u:a> <u:q> <u:x> } WHERE { " + nothings + nothings + nothings + nothings + "}", t.Context(), eval.Options{MaxSteps: 100_000}, eval.ErrSteps, 0},
		{"of all operations together", "INSERT { ?a <u:q> <u:x> } WHERE { ?a <u:p> ?b } ; INSERT { ?a <u:q> <u:x> } WHERE { ?a <u:p> ?b }", t.Context(), eval.Options{MaxSteps: 10_000}, eval.ErrSteps, 3200},
		{"of COPY", "COPY DEFAULT TO <u:g>", t.Context(), eval.Options{MaxSteps: 2000}, eval.ErrSteps, 0},
		{"solutions", "INSERT { <u:a> <u:q> <u:x> } " + cross, t.Context(), eval.Options{MaxRows: 5000}, eval.ErrRows, 0},
		{"quads of a template", "DELETE { ?a <u:q> 1, 2, 3, 4 } WHERE { ?a <u:p> ?b }", t.Context(), eval.Options{MaxRows: 12_799}, eval.ErrRows, 0},
		{"as many as are allowed", "DELETE { ?a <u:q> 1, 2, 3, 4 } WHERE { ?a <u:p> ?b }", t.Context(), eval.Options{MaxRows: 12_800}, nil, 12_800},
		{"quads take memory", "INSERT { ?a <u:q> ?c } WHERE { ?a <u:p> ?b . ?c <u:p> ?d }", t.Context(), eval.Options{MaxBytes: 1 << 20}, eval.ErrMemory, 0},
		{"blank nodes do", "INSERT { [] <u:q> [] } WHERE { ?a <u:p> ?b }", t.Context(), eval.Options{MaxBytes: 1 << 20}, eval.ErrMemory, 0},
		{"copies do", "MOVE DEFAULT TO <u:g>", t.Context(), eval.Options{MaxBytes: 100_000}, eval.ErrMemory, 0},
		{"and 32 bytes for each quad are enough", "MOVE DEFAULT TO <u:g>", t.Context(), eval.Options{MaxBytes: 3200*32 + 1000}, nil, 3202},
		{"documents do", "LOAD SILENT <u:d>", t.Context(), eval.Options{MaxBytes: 1 << 20}, eval.ErrMemory, 0},
		{"time is up", "INSERT DATA { <u:a> <u:q> <u:x> }", late, eval.Options{}, eval.ErrTime, 0},
		{"nobody waits", "DELETE DATA { <u:a> <u:q> <u:x> }", gone, eval.Options{}, context.Canceled, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			store := &counting{Reader: r}
			err := eval.Update(tc.ctx, store, parseUpdate(t, tc.update), eval.UpdateOptions{Options: tc.opts, Loader: endless{}})
			if !errors.Is(err, tc.want) || tc.want == nil && err != nil {
				t.Errorf("error is %v, want %v", err, tc.want)
			}
			if store.done != tc.done {
				t.Errorf("%d things were done, not %d", store.done, tc.done)
			}
		})
	}
}

// TestUpdateUntilTime: an update ends with its context, during evaluation and during changes.
func TestUpdateUntilTime(t *testing.T) {
	r := wide(t, 3200)
	for _, tc := range []struct {
		name, update string
		after        int // changes
	}{
		{"adding", "INSERT { ?a <u:q> <u:x> } WHERE { ?a <u:p> ?b }", 1},
		{"removing", "DELETE { ?a <u:p> ?b } INSERT { ?a <u:q> ?b } WHERE { ?a <u:p> ?b }", 2000},
		{"copying", "COPY DEFAULT TO <u:g>", 100},
	} {
		t.Run(tc.name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			store := &counting{Reader: r}
			store.each = func() {
				if store.done == tc.after {
					cancel()
				}
			}
			err := eval.Update(ctx, store, parseUpdate(t, tc.update), eval.UpdateOptions{})
			if !errors.Is(err, context.Canceled) || store.done > tc.after+1024 {
				t.Errorf("%v, and %d things done", err, store.done)
			}
		})
	}
	looking, cancel := context.WithCancel(t.Context())
	defer cancel()
	store := &counting{Reader: r}
	calls := 0
	opts := eval.UpdateOptions{Options: eval.Options{Random: func() float64 {
		if calls++; calls == 10_000 {
			cancel()
		}
		return 0.5
	}}}
	err := eval.Update(looking, store, parseUpdate(t, "INSERT { ?a <u:q> ?c } WHERE { ?a <u:p> ?b . ?c <u:p> ?d FILTER(RAND() > 1) }"), opts)
	if !errors.Is(err, context.Canceled) || store.done > 0 || calls > 20_000 {
		t.Errorf("%v, %d things done, %d calls", err, store.done, calls)
	}
}

// TestLanguageTags: computed and stored literals are equal, whatever the case of the tag.
func TestLanguageTags(t *testing.T) {
	data := []rdf.Quad{{S: rdf.NewIRI("u:a"), P: rdf.NewIRI("u:p"), O: rdf.NewLang("x", "EN-latn-gb")}}
	r := memory(t, data).Snapshot()
	for _, tc := range []struct{ name, query, want string }{
		{"a join", `SELECT ?s { BIND(STRLANG("x", "en-LATN-GB") AS ?o) ?s <u:p> ?o }`, "<u:a>\t"},
		{"a look-up of what is bound already", `SELECT ?s { ?s <u:p> ?o BIND(STRLANG("x", "en-LATN-GB") AS ?v) FILTER(?o = ?v) }`, "<u:a>\t"},
		{"sameTerm", `SELECT ?s { ?s <u:p> ?o FILTER(sameTerm(?o, STRLANG("x", "EN-LATN-GB"))) }`, "<u:a>\t"},
		{"of a constant", `SELECT (sameTerm("x"@EN-latn-gb, STRLANG("x", "EN-LATN-GB")) AS ?v) {}`, "true\t"},
		{"IN", `SELECT ?s { ?s <u:p> ?o FILTER(STRLANG("x", "EN-LATN-GB") IN (1, ?o)) }`, "<u:a>\t"},
		{"LANG", `SELECT ?l { ?s <u:p> ?o BIND(LANG(STRLANG("y", "EN-LATN-GB")) AS ?l) FILTER(LANG(?o) = ?l && ?l = LANG("z"@en-latn-gb)) }`, "\"en-Latn-GB\"\t"},
		{"DISTINCT", `SELECT DISTINCT ?o { { ?s <u:p> ?o } UNION { BIND(STRLANG("x", "EN-LATN-GB") AS ?o) } UNION { VALUES ?o { "x"@en-latn-gb } } }`, "\"x\"@en-Latn-GB\t"},
		{"a distinct count", `SELECT (COUNT(DISTINCT STRLANG("x", ?tag)) AS ?n) { VALUES ?tag { "EN" "en" "eN" } }`, "1\t"},
		{"MINUS", `SELECT ?s { ?s <u:p> ?o MINUS { BIND(STRLANG("x", "EN-LATN-GB") AS ?o) } }`, ""},
		{"CONCAT", `SELECT (CONCAT(STRLANG("a", "EN"), "b"@en) AS ?v) {}`, "\"ab\"@en\t"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			q := parseQuery(t, tc.query, "")
			a, err := evaluate(r, q, eval.Options{})
			if err != nil {
				t.Fatal(err)
			}
			plain, ok := naively(data, q, false)
			for i, got := range [][]string{lines(a.rows), lines(plain)} {
				if joined := fmt.Sprint(got); joined != "["+tc.want+"]" || !ok {
					t.Errorf("evaluator %d: got %s, not %q", i, joined, tc.want)
				}
			}
		})
	}
}
