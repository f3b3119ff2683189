package quads_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"orbweaver/internal/database/kv"
	"orbweaver/rdf"
	"orbweaver/rdf/quads"
)

// dictionary counts the terms that a store keeps.
func dictionary(t *testing.T, db kv.DB) (n int) {
	t.Helper()
	it, err := db.NewIter(&pebble.IterOptions{LowerBound: []byte("Qt"), UpperBound: []byte("Qu")})
	if err != nil {
		t.Fatal(err)
	}
	for it.First(); it.Valid(); it.Next() {
		n++
	}
	if err := it.Close(); err != nil {
		t.Fatal(err)
	}
	return n
}

// TestSweep: of any history, a sweep leaves the terms of the quads that are left, and what is named alike; the store goes on as before.
func TestSweep(t *testing.T) {
	for _, mask := range []uint64{1<<60 - 1, 7, 0} {
		t.Run(fmt.Sprint(mask), func(t *testing.T) {
			db, store := on(t, vfs.NewMem(), tiny)
			store.Narrow(mask)
			defer db.Close()
			w, err := store.Writer()
			if err != nil {
				t.Fatal(err)
			}
			r, m := rand.New(rand.NewPCG(11, mask)), model{}
			for round := range 40 {
				batch := db.NewIndexedBatch()
				w.Begin(batch)
				for range r.IntN(40) {
					change(t, r, w, m)
				}
				if round%4 == 3 { // nearly all goes
					for q := range m {
						if _, err := w.Remove(q, ""); err != nil {
							t.Fatal(err)
						}
						if delete(m, q); len(m) < 3 {
							break
						}
					}
				}
				commit(t, w, batch)
				was := dictionary(t, db)
				removed, err := w.Sweep(t.Context())
				if now := dictionary(t, db); err != nil || int64(was-now) != removed {
					t.Fatalf("%d of %d terms removed, %d are left (%v)", removed, was, now, err)
				}
				used := map[rdf.Term]bool{}
				for q := range m {
					for _, term := range []rdf.Term{q.S, q.P, q.O, q.G} {
						if _, inline := quads.Inline(term); !inline && !term.IsZero() {
							used[term] = true
						}
					}
				}
				if now := dictionary(t, db); now < len(used) || mask > 7 && now != len(used) {
					t.Fatalf("%d terms are left of %d in use", now, len(used))
				}
				s := store.Snapshot()
				m.compare(t, r, s)
				m.sameQuads(t, s)
				if err := s.Close(); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// TestSweepInterrupted: an interrupted sweep leaves a sound store, and another does the rest.
func TestSweepInterrupted(t *testing.T) {
	db, store := on(t, vfs.NewMem(), 0)
	defer db.Close()
	w, err := store.Writer()
	if err != nil {
		t.Fatal(err)
	}
	batch := db.NewBatch()
	w.Begin(batch)
	for i := range 20_000 {
		graph := rdf.NewIRI(fmt.Sprint("http://g/", i%2))
		if _, err := w.Add(rdf.Quad{S: rdf.NewIRI(fmt.Sprint("http://s/", i)), P: rdf.NewIRI("http://p"), O: rdf.NewBlank(fmt.Sprint("b", i)), G: graph}, "scope"); err != nil {
			t.Fatal(err)
		}
	}
	commit(t, w, batch)
	batch = db.NewBatch()
	w.Begin(batch)
	if n, err := w.Drop(rdf.NewIRI("http://g/1")); err != nil || n != 10_000 {
		t.Fatal(n, err)
	}
	if _, err := w.Sweep(t.Context()); err == nil {
		t.Fatal("swept within a batch")
	}
	commit(t, w, batch)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if n, err := w.Sweep(ctx); !errors.Is(err, context.Canceled) || n >= 20_001 {
		t.Fatal(n, err)
	}
	if _, err := w.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := dictionary(t, db); n != 20_002 { // 10 000 subjects and objects, a predicate, a graph
		t.Fatalf("%d terms", n)
	}
	if n, err := w.Sweep(t.Context()); n != 0 || err != nil {
		t.Fatal(n, err)
	}
}
