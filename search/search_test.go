package search_test

import (
	"errors"
	"maps"
	"math/rand/v2"
	"testing"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"orbweaver/search"
)

// seed puts a document in that has all fields, in their order.
func seed(t *testing.T, w *search.Writer, m model) {
	t.Helper()
	d := search.Document{ID: 1, Texts: []search.Text{{Field: "title", Text: "a"}, {Field: "label", Text: "a"}, {Field: "text", Text: "a"}}}
	if err := w.Put(d); err != nil {
		t.Fatal(err)
	}
	m[d.ID] = tokens(d)
}

// commit ends a batch.
func commit(tb testing.TB, w *search.Writer, b *pebble.Batch) {
	tb.Helper()
	if err := w.Finish(); err != nil {
		tb.Fatal(err)
	}
	if err := b.Commit(pebble.NoSync); err != nil {
		tb.Fatal(err)
	}
	w.Committed()
}

func writer(tb testing.TB, s *search.Store) *search.Writer {
	tb.Helper()
	w, err := s.Writer()
	if err != nil {
		tb.Fatal(err)
	}
	return w
}

// TestOracle: whatever is put, replaced and deleted, in batches of any size, committed or not, compacted
// or not, an index finds what looking at each document finds, with the same scores.
func TestOracle(t *testing.T) {
	for seedOf, size := range []int{1, 5, 40} {
		r := rand.New(rand.NewPCG(uint64(seedOf), 2))
		db, store := on(t, vfs.NewMem())
		store.Narrow(7, 16, 64)
		w, m := writer(t, store), model{}
		for i := range 60 {
			batch, was := db.NewIndexedBatch(), maps.Clone(m)
			w.Begin(batch)
			if i == 0 {
				seed(t, w, m)
			}
			for range 1 + r.IntN(size) {
				change(t, r, w, m)
			}
			before := store.Snapshot()
			switch {
			case i > 0 && r.IntN(5) == 0:
				m = was
				if err := errors.Join(w.Discard(), batch.Close()); err != nil {
					t.Fatal(err)
				}
			default:
				if err := w.Finish(); err != nil {
					t.Fatal(err)
				}
				if i%8 == 0 {
					m.compare(t, r, store.Over(batch), 2)
				}
				if err := batch.Commit(pebble.NoSync); err != nil {
					t.Fatal(err)
				}
				w.Committed()
			}
			if r.IntN(10) == 0 {
				if err := w.Compact(t.Context()); err != nil {
					t.Fatal(err)
				}
				if s, err := store.Over(db).Stats(); s.Dead != 0 || err != nil {
					t.Fatal(s, err)
				}
			}
			if r.IntN(10) == 0 {
				w = writer(t, store)
			}
			m.stats(t, store.Over(db))
			m.compare(t, r, store.Over(db), 5)
			if i > 0 {
				was.compare(t, r, before.Reader, 1)
			}
			if err := before.Close(); err != nil {
				t.Fatal(err)
			}
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
