package quads_test

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"orbweaver/internal/database/kv"
	"orbweaver/rdf"
	"orbweaver/rdf/quads"
)

// commit ends a batch.
func commit(tb testing.TB, w *quads.Writer, b kv.Batch) {
	tb.Helper()
	if err := w.Finish(); err != nil {
		tb.Fatal(err)
	}
	if err := b.Commit(pebble.NoSync); err != nil {
		tb.Fatal(err)
	}
	w.Committed()
}

// A model is a set of quads, which everything is compared with.
type model map[rdf.Quad]bool

// The terms of the model, of all kinds; few, so that quads are met again.
func vocabulary() (subjects, predicates, objects, graphs []rdf.Term) {
	for i := range 6 {
		subjects = append(subjects, rdf.NewIRI(fmt.Sprint("http://e.org/s", i)))
		objects = append(objects, rdf.NewTyped(fmt.Sprint(i-3), rdf.XSDInteger), rdf.NewString(fmt.Sprint("a long string ", i)))
		graphs = append(graphs, rdf.NewIRI(fmt.Sprint("http://e.org/g", i)))
	}
	for i := range 3 {
		predicates = append(predicates, rdf.NewIRI(fmt.Sprint("http://e.org/p", i)))
		graphs = append(graphs, rdf.Term{}) // the default graph, often
	}
	objects = append(objects, rdf.NewDirLang("to the left", "ar", rdf.RTL), rdf.NewDirLang("to the left", "ar", rdf.LTR),
		rdf.NewLang("to the left", "ar"))
	inner := rdf.NewTripleTerm(rdf.Triple{S: subjects[0], P: predicates[0], O: objects[0]})
	objects = append(objects, inner, rdf.NewTripleTerm(rdf.Triple{S: subjects[1], P: predicates[0], O: inner}))
	return subjects, predicates, append(objects, subjects...), graphs
}

func one(r *rand.Rand, terms []rdf.Term) rdf.Term { return terms[r.IntN(len(terms))] }

func randomQuad(r *rand.Rand) rdf.Quad {
	s, p, o, g := vocabulary()
	return rdf.Quad{S: one(r, s), P: one(r, p), O: one(r, o), G: one(r, g)}
}

// A changer is what both kinds of store can do.
type changer interface {
	Add(q rdf.Quad, scope string) (bool, error)
	Remove(q rdf.Quad, scope string) (bool, error)
	Drop(graph rdf.Term) (int64, error)
}

// change does something at random to a store and to the model, and compares what they say of it.
func change(t *testing.T, r *rand.Rand, store changer, m model) {
	t.Helper()
	q := randomQuad(r)
	switch x := r.IntN(100); {
	case x == 0:
		var want int64
		maps.DeleteFunc(m, func(other rdf.Quad, _ bool) bool {
			if other.G == q.G {
				want++
			}
			return other.G == q.G
		})
		if n, err := store.Drop(q.G); n != want || err != nil {
			t.Fatalf("drop %v: %d, %v, not %d", q.G, n, err, want)
		}
	case x < 40:
		if ok, err := store.Remove(q, ""); ok != m[q] || err != nil {
			t.Fatalf("remove %v: %v, %v", q, ok, err)
		}
		delete(m, q)
	default:
		if fresh, err := store.Add(q, ""); fresh == m[q] || err != nil {
			t.Fatalf("add %v: %v, %v", q, fresh, err)
		}
		m[q] = true
	}
}

// compare asks patterns of all shapes and compares the answers with those of the model.
func (m model) compare(t *testing.T, r *rand.Rand, reader quads.Reader) {
	t.Helper()
	c := reader.Cursor()
	defer func() {
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
	}()
	for shape := range 16 {
		for _, g := range []quads.ID{quads.Any, quads.Named, quads.Default} {
			m.comparePattern(t, reader, c, randomQuad(r), shape, g)
		}
	}
	want := map[rdf.Term]bool{}
	for q := range m {
		want[q.G] = true
	}
	delete(want, rdf.Term{})
	for g, ok, err := reader.NextGraph(0); ok; g, ok, err = reader.NextGraph(g) {
		term, failed := reader.Term(g)
		if err != nil || failed != nil || !want[term] {
			t.Fatalf("graph %v: %v, %v", term, err, failed)
		}
		delete(want, term)
	}
	if len(want) > 0 {
		t.Fatalf("no graphs %v", want)
	}
}

// comparePattern asks for what has the terms of q whose bits are set in shape; g stands for the graph if
// that is not set.
func (m model) comparePattern(t *testing.T, reader quads.Reader, c quads.Cursor, q rdf.Quad, shape int, g quads.ID) {
	t.Helper()
	p := quads.Pattern{S: quads.Any, P: quads.Any, O: quads.Any, G: g}
	for i, into := range []*quads.ID{&p.S, &p.P, &p.O, &p.G} {
		if shape>>i&1 == 0 {
			continue
		}
		id, ok, err := reader.Lookup([]rdf.Term{q.S, q.P, q.O, q.G}[i])
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			return
		}
		*into = id
	}
	want := map[rdf.Quad]bool{}
	for other := range m {
		if (shape&1 == 0 || q.S == other.S) && (shape&2 == 0 || q.P == other.P) && (shape&4 == 0 || q.O == other.O) &&
			(shape&8 == 0 && (g == quads.Any || (g == quads.Default) == other.G.IsZero()) || shape&8 != 0 && q.G == other.G) {
			want[other] = true
		}
	}
	found, counted := int64(len(want)), int64(0)
	c.Seek(p)
	var last [4]quads.ID
	for n := 0; c.Next(); n++ {
		at := inOrder(c.Order(), c.Quad())
		if n > 0 && slices.Compare(at[:], last[:]) <= 0 {
			t.Fatalf("pattern %v: %v after %v", p, at, last)
		}
		last = at
		got := termsOf(t, reader, c.Quad())
		if !want[got] {
			t.Fatalf("pattern %v: %v is too many", p, got)
		}
		delete(want, got)
	}
	if c.Next() || c.Err() != nil || len(want) > 0 {
		t.Fatalf("pattern %v: %v missing, %v", p, want, c.Err())
	}
	counted, err := reader.Count(p)
	exact := shape&8 == 0 || shape&7 == 0 || shape&1 != 0 && shape&7 != 5
	if err != nil || counted < found || exact && counted != found {
		t.Fatalf("pattern %v: counted %d, %v, not %d", p, counted, err, found)
	}
}

func inOrder(o quads.Order, q quads.Quad) [4]quads.ID {
	switch o {
	case quads.SPOG:
		return [4]quads.ID{q.S, q.P, q.O, q.G}
	case quads.POSG:
		return [4]quads.ID{q.P, q.O, q.S, q.G}
	case quads.OSPG:
		return [4]quads.ID{q.O, q.S, q.P, q.G}
	}
	return [4]quads.ID{q.G, q.S, q.P, q.O}
}

func termsOf(t testing.TB, reader quads.Reader, q quads.Quad) (out rdf.Quad) {
	t.Helper()
	for _, one := range []struct {
		id   quads.ID
		into *rdf.Term
	}{{q.S, &out.S}, {q.P, &out.P}, {q.O, &out.O}, {q.G, &out.G}} {
		term, err := reader.Term(one.id)
		if err != nil {
			t.Fatal(err)
		}
		*one.into = term
	}
	return out
}

func TestMemoryAgainstModel(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	store, m := quads.NewMemory(), model{}
	before, was := store.Snapshot(), model{}
	for i := range 5000 {
		change(t, r, store, m)
		if i%100 == 0 {
			m.compare(t, r, store.Snapshot())
			was.sameQuads(t, before)
			before, was = store.Snapshot(), maps.Clone(m)
		}
		if i%700 == 0 {
			load := someQuads(r, r.IntN(2)*600)
			added, err := store.Load(load.all(nil), "")
			if want := m.add(load); added != want || err != nil {
				t.Fatalf("load: %d, %v, not %d", added, err, want)
			}
		}
	}
}

// sameQuads compares all quads: counts of a snapshot in memory are those of today.
func (m model) sameQuads(t *testing.T, reader quads.Reader) {
	t.Helper()
	c, n := reader.Cursor(), 0
	for c.Seek(quads.Pattern{S: quads.Any, P: quads.Any, O: quads.Any, G: quads.Any}); c.Next(); n++ {
		if q := termsOf(t, reader, c.Quad()); !m[q] {
			t.Fatalf("%v is too many", q)
		}
	}
	if err := c.Close(); err != nil || n != len(m) {
		t.Fatalf("%d quads, %v, not %d", n, err, len(m))
	}
}

func TestStoreAgainstModel(t *testing.T) {
	disk := vfs.NewMem()
	db, store := on(t, disk, tiny)
	defer func() { db.Close() }()
	r := rand.New(rand.NewPCG(7, 8))
	m := model{}
	w, err := store.Writer()
	if err != nil {
		t.Fatal(err)
	}
	for round := range 120 {
		before, was := store.Snapshot(), maps.Clone(m)
		batch := db.NewIndexedBatch()
		w.Begin(batch)
		for range r.IntN(60) {
			change(t, r, w, m)
			if q := randomQuad(r); true {
				if has, err := w.Has(q, ""); has != m[q] || err != nil {
					t.Fatalf("%v: %v, %v", q, has, err)
				}
			}
		}
		if r.IntN(8) == 0 {
			if err := w.Discard(); err != nil {
				t.Fatal(err)
			}
			m = was
		} else {
			if err := w.Finish(); err != nil {
				t.Fatal(err)
			}
			m.compare(t, r, store.Over(batch))
			commit(t, w, batch)
		}
		was.compare(t, r, before)
		if err := before.Close(); err != nil {
			t.Fatal(err)
		}
		switch round % 30 {
		case 7:
			load := someQuads(r, 100)
			done, err := w.Load(t.Context(), load.all(nil), "")
			if want := m.add(load); done.Added != want || done.Read != 100 || err != nil {
				t.Fatalf("load: %v, %v, not %d", done, err, want)
			}
		case 3, 11, 21, 24:
			m.replace(t, r, w)
		case 17:
			if err := store.Compact(t.Context()); err != nil {
				t.Fatal(err)
			}
		case 27:
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
			db, store = on(t, disk, tiny)
			if w, err = store.Writer(); err != nil {
				t.Fatal(err)
			}
		}
		now := store.Snapshot()
		m.compare(t, r, now)
		if err := now.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// replace has a graph replaced, half of the times by what it has among other things, now and then by nothing.
func (m model) replace(t *testing.T, r *rand.Rand, w *quads.Writer) {
	t.Helper()
	_, _, _, graphs := vocabulary()
	graph := one(r, graphs)
	for graph.IsZero() {
		graph = one(r, graphs)
	}
	load := someQuads(r, r.IntN(3)*20)
	for i := range load {
		if load[i].G = graph; i%4 == 0 {
			load[i] = randomQuad(r)
		}
	}
	if r.IntN(2) == 0 {
		for q := range m {
			if q.G == graph && len(q.O.Value)%3 > 0 {
				load = append(load, q)
			}
		}
	}
	var gone int64
	for q := range m {
		if q.G == graph && !slices.Contains(load, q) {
			delete(m, q)
			gone++
		}
	}
	done, err := w.Replace(t.Context(), graph, load.all(nil), "")
	if want := m.add(load); done.Added != want || done.Removed != gone || err != nil {
		t.Fatalf("replace: %+v, %v, not %d and %d gone", done, err, want, gone)
	}
}

// list is quads in an order.
type list []rdf.Quad

func someQuads(r *rand.Rand, n int) (l list) {
	for range n {
		l = append(l, randomQuad(r))
	}
	return l
}

// all gives the quads, and the error at the end.
func (l list) all(end error) func(func(rdf.Quad, error) bool) {
	return func(yield func(rdf.Quad, error) bool) {
		for _, q := range l {
			if !yield(q, nil) {
				return
			}
		}
		if end != nil {
			yield(rdf.Quad{}, end)
		}
	}
}

// add returns how many are new.
func (m model) add(l list) (n int64) {
	for _, q := range l {
		if !m[q] {
			n++
		}
		m[q] = true
	}
	return n
}

// TestBlankNodes: a label means one node in one document, another in another, forever; and what the store calls it
// leads back to it.
func TestBlankNodes(t *testing.T) {
	store := quads.NewMemory()
	p := rdf.NewIRI("http://e.org/p")
	for _, scope := range []string{"http://e.org/1", "http://e.org/2", "http://e.org/1"} {
		for _, label := range []string{"a", "b"} {
			if _, err := store.Add(rdf.Quad{S: rdf.NewBlank(label), P: p, O: rdf.NewString("long enough " + scope + label)}, scope); err != nil {
				t.Fatal(err)
			}
		}
	}
	reader := store.Snapshot()
	labels := map[string]bool{}
	c := reader.Cursor()
	for c.Seek(quads.Pattern{S: quads.Any, P: quads.Any, O: quads.Any}); c.Next(); {
		q := termsOf(t, reader, c.Quad())
		labels[q.S.Value] = true
		if id, ok, err := reader.Lookup(q.S); id != c.Quad().S || !ok || err != nil {
			t.Errorf("%v is not found", q.S)
		}
		if fresh, err := store.Add(q, ""); fresh || err != nil {
			t.Errorf("%v is new, %v", q, err)
		}
	}
	if len(labels) != 4 {
		t.Errorf("%d blank nodes, not 4: %v", len(labels), labels)
	}
	if _, ok, err := reader.Lookup(rdf.NewBlank("a")); ok || err != nil {
		t.Errorf("a document's label is found without the document: %v", err)
	}
	want := slices.SortedFunc(maps.Keys(labels), cmp.Compare[string])
	if fresh, err := store.Add(rdf.Quad{S: rdf.NewBlank(want[0]), P: p, O: p}, "http://e.org/3"); !fresh || err != nil {
		t.Fatal(err)
	}
	if id, _, err := reader.Lookup(rdf.NewBlank(want[0])); err != nil {
		t.Fatal(err)
	} else if n, err := store.Snapshot().Count(quads.Pattern{S: id, P: quads.Any, O: quads.Any}); n != 1 || err != nil {
		t.Errorf("a document's label is taken for the store's: %d, %v", n, err)
	}
}
