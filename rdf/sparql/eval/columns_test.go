package eval_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"orbweaver/internal/database/kv"
	"orbweaver/rdf"
	"orbweaver/rdf/quads"
	"orbweaver/rdf/sparql/algebra"
	"orbweaver/rdf/sparql/eval"
	"orbweaver/rdf/sparql/syntax"
)

// inDatabase returns a function that makes stores with columns of quads, all in one database.
func inDatabase(t *testing.T) func([]rdf.Quad) *quads.Snapshot {
	disk := vfs.NewMem()
	opened, err := pebble.Open("db", &pebble.Options{FS: disk, Logger: quiet{}, FormatMajorVersion: pebble.FormatNewest})
	if err != nil {
		t.Fatal(err)
	}
	db := kv.Over(opened)
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	n := 0
	return func(data []rdf.Quad) *quads.Snapshot {
		n++
		store, err := quads.Open(db, fmt.Appendf(nil, "Q%06d", n), quads.Options{FS: disk, Temp: "temp", Columns: 1 << 22})
		if err != nil {
			t.Fatal(err)
		}
		w, err := store.Writer()
		if err != nil {
			t.Fatal(err)
		}
		batch := db.NewBatch()
		w.Begin(batch)
		for _, q := range data {
			if _, err := w.Add(q, "data"); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Finish(); err != nil {
			t.Fatal(err)
		}
		if err := batch.Commit(pebble.NoSync); err != nil {
			t.Fatal(err)
		}
		w.Committed()
		return store.Snapshot()
	}
}

// TestRandomQueriesOnColumns is TestRandomQueries on snapshots of a database that are asked until they have columns.
func TestRandomQueriesOnColumns(t *testing.T) {
	store := inDatabase(t)
	done, fromMemory := 0, 0
	for seed := uint64(1 << 20); done < runs(150); seed++ {
		m := &maker{r: rand.New(rand.NewPCG(seed, 2))}
		data, text := m.data(), m.query()
		tree, err := syntax.ParseQuery(text, syntax.Options{})
		if err != nil {
			continue
		}
		q, err := algebra.TranslateQuery(tree)
		if err != nil {
			t.Fatal(err)
		}
		r := store(data)
		kept := contents(t, r)
		if want, ok := naively(kept, q, false); ok {
			done++
			for range 3 {
				if diff := compareQuery(r, q, want, eval.Options{}); diff != "" {
					t.Fatalf("seed %d: %s\n%s\n%v", seed, diff, text, kept)
				}
			}
			if strings.Contains(explanation(t, r, q), "in memory") {
				fromMemory++
			}
		}
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if fromMemory*8 < done {
		t.Errorf("%d of %d queries read from memory: the others show little", fromMemory, done)
	}
}

// explanation returns the plan of a query with its figures.
func explanation(t *testing.T, r quads.Reader, q *algebra.Query) string {
	t.Helper()
	res, err := eval.Query(context.Background(), r, q, eval.Options{Explain: true})
	if err != nil {
		t.Fatal(err)
	}
	if q.Form == algebra.SelectForm {
		for range res.Rows() {
			continue
		}
	}
	text := res.Explain()
	if err := res.Close(); err != nil {
		t.Fatal(err)
	}
	return text
}

// TestBenches: the queries that are measured have the same answers over a store in memory, and over one in a database with and
// without columns.
func TestBenches(t *testing.T) {
	store := inDatabase(t)
	for _, b := range benches() {
		const n = 4000
		var data []rdf.Quad
		for q := range b.triples(n) {
			data = append(data, q)
		}
		onDisk, inMemory := store(data), memory(t, data).Snapshot()
		r, answered := rand.New(rand.NewPCG(11, 12)), 0
		for round := range 3 {
			for i, q := range b.queries() {
				query := parseQuery(t, drawn(q.text, b.base, n, r, 100*round+i), "")
				want, err := evaluate(inMemory, query, eval.Options{})
				if err != nil {
					t.Fatal(err)
				}
				if len(want.rows) > 0 {
					answered++
				}
				for range 3 {
					got, err := evaluate(onDisk, query, eval.Options{})
					a, b := lines(want.rows), lines(got.rows)
					slices.Sort(a)
					slices.Sort(b)
					if err != nil || !slices.Equal(a, b) && !strings.Contains(q.text, "LIMIT") || len(a) != len(b) {
						t.Errorf("%s: %v\n%s\nnot\n%s", q.name, err, strings.Join(b, "\n"), strings.Join(a, "\n"))
					}
				}
			}
		}
		if answered < 12 {
			t.Errorf("%s: %d queries have answers", b.name, answered)
		}
		if err := onDisk.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// The plan says what was read from memory, and that a scan of all came in the order of subjects for the next one.
func TestExplainColumns(t *testing.T) {
	var data []rdf.Quad
	for q := range shopTriples(3000) {
		data = append(data, q)
	}
	r := inDatabase(t)(data)
	defer r.Close()
	q := parseQuery(t, prologue+`SELECT ?o ?p ?v { ?o :price ?p . ?o :vendor ?v }`, "")
	if first := explanation(t, r, q); strings.Contains(first, "opened 1 (1 in memory)") {
		t.Errorf("nothing was read yet:\n%s", first)
	}
	for range 6 {
		explanation(t, r, q)
	}
	later := explanation(t, r, q)
	for _, want := range []string{"by subject", "opened 1 (1 in memory)"} {
		if !strings.Contains(later, want) {
			t.Errorf("no %q in\n%s", want, later)
		}
	}
}
