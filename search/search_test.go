package search_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"orbweaver/internal/database/kv"
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
func commit(tb testing.TB, w *search.Writer, b kv.Batch) {
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

// TestPowerCut: whenever the power fails, the index is as a batch left it.
func TestPowerCut(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	disk := vfs.NewCrashableMem()
	db, store := on(t, disk)
	store.Narrow(7, 16, 64)
	w, m := writer(t, store), model{}
	for i := range 20 {
		was, batch := maps.Clone(m), db.NewBatch()
		w.Begin(batch)
		if i == 0 {
			seed(t, w, m)
		}
		for range 9 {
			change(t, r, w, m)
		}
		if err := w.Finish(); err != nil {
			t.Fatal(err)
		}
		if left := disk.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: 50, RNG: r}); i > 0 {
			was.survives(t, r, left)
		}
		if err := batch.Commit(pebble.Sync); err != nil {
			t.Fatal(err)
		}
		w.Committed()
		m.survives(t, r, disk.CrashClone(vfs.CrashCloneCfg{}))
		if i%7 == 6 {
			if err := w.Compact(t.Context()); err != nil {
				t.Fatal(err)
			}
			m.survives(t, r, disk.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: 50, RNG: r}))
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

// survives opens what is left of a disk, asks it, and continues with it.
func (m model) survives(t *testing.T, r *rand.Rand, left vfs.FS) {
	t.Helper()
	db, store := on(t, left)
	store.Narrow(7, 16, 64)
	m.stats(t, store.Over(db))
	m.compare(t, r, store.Over(db), 3)
	w, after, batch := writer(t, store), maps.Clone(m), db.NewBatch()
	w.Begin(batch)
	for range 9 {
		change(t, r, w, after)
	}
	commit(t, w, batch)
	after.compare(t, r, store.Over(db), 3)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestReadersBesideAWriter: snapshots stay as they are while batches are committed.
func TestReadersBesideAWriter(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	db, store := on(t, vfs.NewMem())
	store.Narrow(7, 16, 64)
	w, m := writer(t, store), model{}
	var readers sync.WaitGroup
	for i := range 15 {
		batch := db.NewBatch()
		w.Begin(batch)
		if i == 0 {
			seed(t, w, m)
		}
		for range 9 {
			change(t, r, w, m)
		}
		commit(t, w, batch)
		snapshot, was, seed := store.Snapshot(), maps.Clone(m), r.Uint64()
		readers.Go(func() {
			was.compare(t, rand.New(rand.NewPCG(seed, 1)), snapshot.Reader, 3)
			if err := snapshot.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	readers.Wait()
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

// put puts documents of one text each in, in one batch.
func put(t *testing.T, db kv.DB, w *search.Writer, texts ...string) {
	t.Helper()
	b := db.NewBatch()
	w.Begin(b)
	for i, s := range texts {
		if err := w.Put(search.Document{ID: uint64(i), Texts: []search.Text{{Field: "text", Text: s}}}); err != nil {
			t.Fatal(err)
		}
	}
	commit(t, w, b)
}

func ask(t *testing.T, r search.Reader, query string) search.Results {
	t.Helper()
	q, err := r.Parse(query)
	if err != nil {
		t.Fatal(err)
	}
	found, err := r.Search(t.Context(), q, search.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestHostile: words without end, words without number, bytes that are no text, nothing at all.
func TestHostile(t *testing.T) {
	db, store := on(t, vfs.NewMem())
	defer db.Close()
	w := writer(t, store)
	var many strings.Builder
	for i := range 200_000 {
		fmt.Fprintf(&many, "w%d ", i)
	}
	put(t, db, w, strings.Repeat("x", 1<<20), many.String()+"star", "\xff\xfestar\x00\xff", "", strings.Repeat("star ", 1<<20)+"sea", "sea")
	r := store.Over(db)
	for query, want := range map[string]int{
		strings.Repeat("x", 4000): 1, "w77": 1, "w199999": 0, "star": 2, "sea": 1, "\xff": 0, `"w1 w2"`: 1, "-star": 0,
	} {
		if got := ask(t, r, query); got.Total != want {
			t.Errorf("%.20s: %d hits, not %d", query, got.Total, want)
		}
	}
	if got := ask(t, r, "w1*"); got.Total != 1 || !got.Cut {
		t.Errorf("a prefix of too many words: %v", got)
	}
	if s, err := r.Stats(); s.Documents != 6 || err != nil {
		t.Errorf("%+v, %v", s, err)
	}
	if _, err := r.Search(t.Context(), search.Query{Clauses: make([]search.Clause, 65)}, search.Options{}); !errors.Is(err, search.ErrQuery) {
		t.Error(err)
	}
	if _, err := r.Similar(t.Context(), make([]search.Term, 257), search.Options{}); !errors.Is(err, search.ErrQuery) {
		t.Error(err)
	}
}

// TestFields: there are so many, and a document that has one too many changes nothing.
func TestFields(t *testing.T) {
	db, store := on(t, vfs.NewMem())
	defer db.Close()
	w := writer(t, store)
	b := db.NewBatch()
	w.Begin(b)
	for i := range 32 {
		d := search.Document{ID: uint64(i), Texts: []search.Text{{Field: fmt.Sprint("f", i), Text: "star"}}}
		if err := w.Put(d); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"one too many", "", strings.Repeat("x", 65)} {
		if err := w.Put(search.Document{ID: 3, Texts: []search.Text{{Field: name, Text: "star"}}}); !errors.Is(err, search.ErrFields) {
			t.Errorf("%q: %v", name, err)
		}
	}
	commit(t, w, b)
	if got := ask(t, store.Over(db), "star"); got.Total != 32 {
		t.Errorf("%d hits", got.Total)
	}
	if got := ask(t, store.Over(db), "f31:star"); got.Total != 1 || got.Hits[0].ID != 31 {
		t.Errorf("%v", got)
	}
}

// TestOnly: what is filtered out is not counted; a search ends with its context.
func TestOnly(t *testing.T) {
	db, store := on(t, vfs.NewMem())
	defer db.Close()
	put(t, db, writer(t, store), "star", "star sea", "star")
	r := store.Over(db)
	q, err := r.Parse("star")
	if err != nil {
		t.Fatal(err)
	}
	got, err := r.Search(t.Context(), q, search.Options{Only: func(id uint64) bool { return id != 1 }})
	if err != nil || got.Total != 2 || got.Hits[0].ID != 0 || got.Hits[1].ID != 2 {
		t.Errorf("%v, %v", got, err)
	}
	over := errors.New("over")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(over)
	if _, err := r.Search(ctx, q, search.Options{}); !errors.Is(err, over) {
		t.Error(err)
	}
}

// TestDamaged: what no index wrote is an error, and no panic, wherever it stands.
func TestDamaged(t *testing.T) {
	for _, letter := range "abdnstw" {
		db, store := on(t, vfs.NewMem())
		store.Narrow(3, 4, 64)
		w := writer(t, store)
		put(t, db, w, "running stars", "stars", "sea stars", "star seas", "star") // a segment
		put(t, db, w, "stars")                                                    // one that waits, one that is dead
		iter, err := db.NewIter(nil)
		if err != nil {
			t.Fatal(err)
		}
		for ok := iter.First(); ok; ok = iter.Next() {
			if iter.Key()[1] == byte(letter) {
				if err := db.Set(slices.Clone(iter.Key()), []byte("\xff\xff\xff"), nil); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := iter.Close(); err != nil {
			t.Fatal(err)
		}
		r := store.Over(db)
		_, err = r.Search(t.Context(), search.Query{Clauses: []search.Clause{
			{Words: []search.Word{{Text: "sta", Prefix: true}}},
			{Words: []search.Word{{Text: "seas", Prefix: true}}},
			{Words: []search.Word{{Stems: []string{"star"}}}},
		}}, search.Options{})
		if letter == 'a' { // is read by writers
			b := db.NewBatch()
			w.Begin(b)
			_, err = w.Delete(3)
		}
		if !errors.Is(err, search.ErrDamaged) {
			t.Errorf("%c: %v", letter, err)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
