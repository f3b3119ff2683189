package quads_test

import (
	"fmt"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"orbweaver/rdf"
	"orbweaver/rdf/quads"
	"orbweaver/rdf/rdftest"
)

// about returns statements of which one says something of another, with a blank node in both.
func about() list {
	node, reifier := rdf.NewBlank("x"), rdf.NewBlank("r")
	said := rdf.Triple{S: node, P: word("says"), O: rdf.NewLang("hello", "EN-gb")}
	within := rdf.NewTripleTerm(rdf.Triple{S: item("S"), P: word("says"), O: rdf.NewTripleTerm(said)})
	return list{
		{S: node, P: said.P, O: said.O},
		{S: reifier, P: rdf.NewIRI(rdf.Reifies), O: rdf.NewTripleTerm(said), G: item("G")},
		{S: reifier, P: word("nested"), O: within, G: item("G")},
	}
}

// stored returns all quads that a reader has.
func stored(t *testing.T, reader quads.Reader) (out []rdf.Quad) {
	t.Helper()
	c := reader.Cursor()
	for _, g := range []quads.ID{quads.Default, quads.Named} {
		for c.Seek(quads.Pattern{S: quads.Any, P: quads.Any, O: quads.Any, G: g}); c.Next(); {
			q, err := quads.Terms(reader, c.Quad())
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, q)
		}
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	return out
}

// checkAbout compares what a store has with about, looks each object up, and asks for it.
func checkAbout(t *testing.T, reader quads.Reader) {
	t.Helper()
	var want []rdf.Quad
	for _, q := range about() {
		want = append(want, rdf.Quad{S: q.S, P: q.P, O: quads.Canonical(q.O), G: q.G})
	}
	got := stored(t, reader)
	if !rdftest.IsomorphicQuads(got, want) {
		t.Fatalf("got\n%v\nwant\n%v", got, want)
	}
	for _, q := range got {
		if found := id(t, reader, q.O); q.O.Kind == rdf.TripleTerm && found.Kind() != quads.KindTriple {
			t.Errorf("%v is %#x", q.O, uint64(found))
		}
	}
	if _, found, err := reader.Lookup(rdf.NewTripleTerm(rdf.Triple{S: rdf.NewBlank("x"), P: word("says"), O: rdf.NewLang("hello", "en")})); found || err != nil {
		t.Errorf("a triple term of a label of the document: %v, %v", found, err)
	}
}

// TestTripleTerms: a blank node is one whether it stands in a statement or within a triple term, however the statements came to the store
// and whatever their hashes.
func TestTripleTerms(t *testing.T) {
	for _, mask := range []uint64{1<<60 - 1, 3, 0} {
		for _, load := range []bool{false, true} {
			t.Run(fmt.Sprintf("mask %d, load %v", mask, load), func(t *testing.T) {
				db, store := on(t, vfs.NewMem(), tiny)
				defer db.Close()
				store.Narrow(mask)
				w, err := store.Writer()
				if err != nil {
					t.Fatal(err)
				}
				batch := db.NewIndexedBatch()
				w.Begin(batch)
				for i, q := range about() {
					if load && i < 2 { // the rest is loaded, and meets what is there
						continue
					}
					if fresh, err := w.Add(q, "d"); !fresh || err != nil {
						t.Fatal(fresh, err)
					}
					if fresh, err := w.Add(q, "d"); fresh || err != nil {
						t.Fatal(fresh, err)
					}
				}
				commit(t, w, batch)
				if done, err := w.Load(t.Context(), about().all(nil), "d"); err != nil || done.Added != 0 && !load {
					t.Fatal(done, err)
				}
				checkAbout(t, store.Over(db))
				batch = db.NewIndexedBatch()
				w.Begin(batch)
				for _, q := range stored(t, store.Over(db)) { // labels of the store are the nodes themselves
					if fresh, err := w.Add(q, ""); fresh || err != nil {
						t.Fatal(fresh, err)
					}
				}
				commit(t, w, batch)
			})
		}
	}
}

// TestSweepTripleTerms: a node that stands only within a triple term stays while the term does.
func TestSweepTripleTerms(t *testing.T) {
	db, store := on(t, vfs.NewMem(), tiny)
	defer db.Close()
	w, err := store.Writer()
	if err != nil {
		t.Fatal(err)
	}
	all := about()
	batch := db.NewIndexedBatch()
	w.Begin(batch)
	for _, q := range all {
		if _, err := w.Add(q, "d"); err != nil {
			t.Fatal(err)
		}
	}
	if was, err := w.Remove(all[0], "d"); !was || err != nil {
		t.Fatal(was, err)
	}
	commit(t, w, batch)
	if _, err := w.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, q := range stored(t, store.Over(db)) {
		id(t, store.Over(db), q.O)
	}
	batch = db.NewIndexedBatch()
	w.Begin(batch)
	for _, q := range all[1:] {
		if was, err := w.Remove(q, "d"); !was || err != nil {
			t.Fatal(was, err)
		}
	}
	commit(t, w, batch)
	if _, err := w.Sweep(t.Context()); err != nil || dictionary(t, db) != 0 {
		t.Errorf("%d terms are left, %v", dictionary(t, db), err)
	}
}

// TestMemoryTripleTerms: the store in memory does the same.
func TestMemoryTripleTerms(t *testing.T) {
	m := quads.NewMemory()
	for _, q := range about() {
		if fresh, err := m.Add(q, "d"); !fresh || err != nil {
			t.Fatal(fresh, err)
		}
	}
	if added, err := m.Load(about().all(nil), "d"); added != 0 || err != nil {
		t.Fatal(added, err)
	}
	checkAbout(t, m.Snapshot())
	if was, err := m.Remove(about()[1], "d"); !was || err != nil {
		t.Error(was, err)
	}
}
