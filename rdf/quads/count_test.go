package quads_test

import (
	"math"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"orbweaver/rdf"
	"orbweaver/rdf/quads"
)

// loaded returns both kinds of store with so many triples of the shop.
func loaded(tb testing.TB, n int) map[string]quads.Reader {
	tb.Helper()
	memory := quads.NewMemory()
	if _, err := memory.Load(shopTriples(n), ""); err != nil {
		tb.Fatal(err)
	}
	db, store := on(tb, vfs.NewMem(), 1<<20)
	w, err := store.Writer()
	if err != nil {
		tb.Fatal(err)
	}
	if _, err := w.Load(tb.Context(), shopTriples(n), ""); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := db.Close(); err != nil {
			tb.Fatal(err)
		}
	})
	return map[string]quads.Reader{"memory": memory.Snapshot(), "Pebble": store.Over(db)}
}

// id is that of a term that the store has.
func id(tb testing.TB, reader quads.Reader, t rdf.Term) quads.ID {
	tb.Helper()
	id, ok, err := reader.Lookup(t)
	if err != nil || !ok {
		tb.Fatalf("%v: %v, %v", t, ok, err)
	}
	return id
}

func word(name string) rdf.Term { return rdf.NewIRI(shop + "vocabulary/" + name) }

// TestEstimates: what an optimiser is told is near what is there, be it a range of some quads or of tens of
// thousands.
func TestEstimates(t *testing.T) {
	const n = 100_000
	for name, reader := range loaded(t, n) {
		c := reader.Cursor()
		all := map[quads.ID]int{}
		subjects, objects := map[quads.ID]map[quads.ID]bool{}, map[quads.ID]map[quads.ID]bool{}
		for c.Seek(quads.Pattern{S: quads.Any, P: quads.Any, O: quads.Any}); c.Next(); {
			q := c.Quad()
			if subjects[q.P] == nil {
				subjects[q.P], objects[q.P] = map[quads.ID]bool{}, map[quads.ID]bool{}
			}
			all[q.P]++
			subjects[q.P][q.S], objects[q.P][q.O] = true, true
		}
		for p, count := range all {
			got, err := reader.Predicate(p, quads.Default)
			if err != nil || got.Quads != int64(count) || far(got.Subjects, len(subjects[p])) || far(got.Objects, len(objects[p])) {
				t.Errorf("%s: %v of %d quads, %d subjects, %d objects, %v", name, got, count, len(subjects[p]), len(objects[p]), err)
			}
			if named, err := reader.Predicate(p, quads.Named); err != nil || named != (quads.Predicate{}) {
				t.Errorf("%s: %v in named graphs, %v", name, named, err)
			}
		}
		for _, p := range []quads.Pattern{
			{S: quads.Any, P: id(t, reader, word("type")), O: id(t, reader, item("Offer"))},
			{S: quads.Any, P: quads.Any, O: id(t, reader, item("Offer"))},
			{S: quads.Any, P: quads.Any, O: id(t, reader, rdf.NewTyped("3", rdf.XSDInteger))},
			{S: quads.Any, P: id(t, reader, word("rating")), O: id(t, reader, rdf.NewTyped("3", rdf.XSDInteger))},
			{S: quads.Any, P: id(t, reader, word("vendor")), O: id(t, reader, item("Vendor7/Vendor7"))},
			{S: id(t, reader, item("Producer0/Product7")), P: quads.Any, O: quads.Any},
			{S: quads.Any, P: id(t, reader, word("rating")), O: id(t, reader, item("Offer"))},
		} {
			count := 0
			for c.Seek(p); c.Next(); {
				count++
			}
			if got, err := reader.Count(p); err != nil || far(got, count) {
				t.Errorf("%s: %v: %d, %v, not %d", name, p, got, err, count)
			}
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
}

// far is 35 % and more, four times the error to be expected; small numbers are exact.
func far(got int64, want int) bool {
	off := math.Abs(float64(got) - float64(want))
	return off > 0.35*float64(want) || want < 128 && off > 0
}

// TestGraphsOfAllSizes: patterns in one graph have the same answers whichever table they are read from.
func TestGraphsOfAllSizes(t *testing.T) {
	memory := quads.NewMemory()
	p, o := rdf.NewIRI("http://e.org/p"), rdf.NewIRI("http://e.org/o")
	sizes := map[string]int{"small": 10, "middle": 1000, "large": 5000}
	for graph, n := range sizes {
		for i := range n {
			s := item("%s%d", graph, i)
			for _, q := range []rdf.Quad{{S: s, P: p, O: o}, {S: s, P: s, O: s}} {
				q.G = rdf.NewIRI("http://e.org/" + graph)
				if _, err := memory.Add(q, ""); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	reader := memory.Snapshot()
	c := reader.Cursor()
	for graph, n := range sizes {
		g := id(t, reader, rdf.NewIRI("http://e.org/"+graph))
		s := id(t, reader, item("%s%d", graph, 3))
		for pattern, want := range map[quads.Pattern]int{
			{S: quads.Any, P: id(t, reader, p), O: quads.Any, G: g}:        n,
			{S: quads.Any, P: quads.Any, O: id(t, reader, o), G: g}:        n,
			{S: quads.Any, P: id(t, reader, p), O: id(t, reader, o), G: g}: n,
			{S: quads.Any, P: s, O: quads.Any, G: g}:                       1,
			{S: quads.Any, P: quads.Any, O: s, G: g}:                       1,
			{S: quads.Any, P: s, O: s, G: g}:                               1,
			{S: s, P: quads.Any, O: s, G: g}:                               1,
			{S: s, P: quads.Any, O: quads.Any, G: g}:                       2,
		} {
			count := 0
			for c.Seek(pattern); c.Next(); {
				count++
			}
			if got, err := reader.Count(pattern); count != want || got < int64(want) || err != nil {
				t.Errorf("%s %v: %d, estimated %d, not %d, %v", graph, pattern, count, got, want, err)
			}
		}
	}
}

// TestCountsAddUp: what is counted of predicates is the same whether quads come one by one, in loads, or in
// both; and when all are gone, counting starts anew.
func TestCountsAddUp(t *testing.T) {
	db, store := on(t, vfs.NewMem(), tiny)
	defer db.Close()
	w, err := store.Writer()
	if err != nil {
		t.Fatal(err)
	}
	p, g := rdf.NewIRI("http://e.org/p"), rdf.NewIRI("http://e.org/g")
	quad := func(i int) rdf.Quad { return rdf.Quad{S: item("S%d", i), P: p, O: item("O%d", i%7), G: g} }
	for part := range 4 {
		var l list
		for i := range 30 {
			l = append(l, quad(25*part+i)) // five of them are there
		}
		if part%2 == 0 {
			if _, err := w.Load(t.Context(), l.all(nil), ""); err != nil {
				t.Fatal(err)
			}
			continue
		}
		batch := db.NewBatch()
		w.Begin(batch)
		for _, q := range l {
			if _, err := w.Add(q, ""); err != nil {
				t.Fatal(err)
			}
		}
		commit(t, w, batch)
	}
	check := func(want quads.Predicate) {
		t.Helper()
		reader := store.Over(db)
		for _, graph := range []quads.ID{quads.Named, quads.Any} {
			if got, err := reader.Predicate(id(t, reader, p), graph); got != want || err != nil {
				t.Errorf("%v, %v, not %v", got, err, want)
			}
		}
	}
	check(quads.Predicate{Quads: 105, Subjects: 105, Objects: 7})
	batch := db.NewBatch()
	w.Begin(batch)
	if n, err := w.Drop(g); n != 105 || err != nil {
		t.Fatal(n, err)
	}
	if _, err := w.Add(quad(1), ""); err != nil {
		t.Fatal(err)
	}
	commit(t, w, batch)
	check(quads.Predicate{Quads: 1, Subjects: 1, Objects: 1})
}
