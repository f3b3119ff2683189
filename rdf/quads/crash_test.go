package quads_test

import (
	"context"
	"errors"
	"iter"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"orbweaver/internal/database/kv"
	"orbweaver/rdf"
	"orbweaver/rdf/quads"
)

// on opens the store on a disk, of which a load may take so much memory.
func on(tb testing.TB, fs vfs.FS, memory int64) (kv.DB, *quads.Store) {
	tb.Helper()
	opened, err := pebble.Open("db", &pebble.Options{FS: fs, Logger: quiet{}, FormatMajorVersion: pebble.FormatNewest})
	if err != nil {
		tb.Fatal(err)
	}
	db := kv.Over(opened)
	store, err := quads.Open(db, []byte("Q"), quads.Options{FS: fs, Temp: "temp", Memory: memory})
	if err != nil {
		tb.Fatal(err)
	}
	return db, store
}

// tiny is so little memory that a load writes a file every few quads.
const tiny = 4 << 10

// A witness is a disk of which a copy is taken, as a power cut would leave it, before each of many
// changes.
type witness struct {
	vfs.FS
	disk *vfs.MemFS
	r    *rand.Rand

	mu     sync.Mutex
	every  int
	n      int
	copies []*vfs.MemFS
}

// watch takes a copy before every n-th change from now on.
func (d *witness) watch(n int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.every = n
}

func (d *witness) change() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.n++; d.every > 0 && d.n%d.every == 0 {
		d.copies = append(d.copies, d.disk.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: 50 * d.r.IntN(3), RNG: d.r}))
	}
}

func (d *witness) Create(name string, category vfs.DiskWriteCategory) (vfs.File, error) {
	d.change()
	return d.FS.Create(name, category)
}

func (d *witness) Link(from, to string) error {
	d.change()
	return d.FS.Link(from, to)
}

func (d *witness) Remove(name string) error {
	d.change()
	return d.FS.Remove(name)
}

func (d *witness) RemoveAll(name string) error {
	d.change()
	return d.FS.RemoveAll(name)
}

// TestPowerCutWhileLoading: whenever the power fails, the store is as before the load or as after it, and
// nothing is left in its folder.
func TestPowerCutWhileLoading(t *testing.T) {
	_, _, _, graphs := vocabulary()
	t.Run("load", func(t *testing.T) { cutWhileLoading(t, rdf.Term{}) })
	t.Run("replace", func(t *testing.T) { cutWhileLoading(t, graphs[0]) })
}

// cutWhileLoading is one of these loads; it replaces a graph, unless that is zero.
func cutWhileLoading(t *testing.T, graph rdf.Term) {
	r := rand.New(rand.NewPCG(13, 14))
	mem := vfs.NewCrashableMem()
	disk := &witness{FS: mem, disk: mem, r: r}
	db, store := on(t, disk, tiny)
	w, err := store.Writer()
	if err != nil {
		t.Fatal(err)
	}
	batch, before := db.NewBatch(), model{}
	w.Begin(batch)
	for range 50 {
		change(t, r, w, before)
	}
	if err := w.Finish(); err != nil {
		t.Fatal(err)
	}
	if err := batch.Commit(pebble.Sync); err != nil {
		t.Fatal(err)
	}
	w.Committed()
	after, load := maps.Clone(before), someQuads(r, 300)
	into := w.Load
	if !graph.IsZero() {
		load = slices.DeleteFunc(load, func(q rdf.Quad) bool { return q.G == graph && len(q.O.Value) > 5 })
		into = func(ctx context.Context, all iter.Seq2[rdf.Quad, error], scope string) (quads.Loaded, error) {
			return w.Replace(ctx, graph, all, scope)
		}
		maps.DeleteFunc(after, func(q rdf.Quad, _ bool) bool { return q.G == graph && !slices.Contains(load, q) })
		if len(after) == len(before) {
			t.Fatal("nothing is to go")
		}
	}
	want := after.add(load)
	disk.watch(5)
	done, err := into(t.Context(), load.all(nil), "")
	if err != nil || done.Added != want {
		t.Fatal(done, err, want)
	}
	disk.change()
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	var asBefore, asAfter int
	for _, left := range append(disk.copies, mem.CrashClone(vfs.CrashCloneCfg{})) {
		db, store := on(t, left, tiny)
		now := store.Snapshot()
		m := before
		if n, err := now.Count(quads.Pattern{S: quads.Any, P: quads.Any, O: quads.Any, G: quads.Any}); err != nil {
			t.Fatal(err)
		} else if n == int64(len(after)) {
			m = after
			asAfter++
		} else {
			asBefore++
		}
		m.compare(t, r, now)
		m.sameQuads(t, now)
		if files, err := left.List("temp"); err == nil && len(files) > 0 {
			t.Errorf("%v are left", files)
		}
		if err := errors.Join(now.Close(), db.Close()); err != nil {
			t.Fatal(err)
		}
	}
	if asBefore < 5 || asAfter < 1 {
		t.Errorf("%d and %d: the test sees too little", asBefore, asAfter)
	}
}

// TestLoadFails: a source that ends with an error, a context that is done, a quad without a predicate:
// nothing is loaded, and the next load does all.
func TestLoadFails(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	disk := vfs.NewMem()
	db, store := on(t, disk, tiny)
	defer db.Close()
	w, err := store.Writer()
	if err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	done, cancel := context.WithCancelCause(t.Context())
	cancel(broken)
	load := someQuads(r, 200)
	for name, tc := range map[string]struct {
		ctx   context.Context
		quads iter.Seq2[rdf.Quad, error]
		want  error
	}{
		"a broken source":           {t.Context(), load.all(broken), broken},
		"a context that is done":    {done, load.all(nil), broken},
		"a quad without predicates": {t.Context(), append(load, rdf.Quad{S: rdf.NewIRI("s")}).all(nil), quads.ErrTerm},
	} {
		if loaded, err := w.Load(tc.ctx, tc.quads, ""); !errors.Is(err, tc.want) || loaded != (quads.Loaded{}) {
			t.Errorf("%s: %v, %v", name, loaded, err)
		}
		if files, err := disk.List("temp"); err == nil && len(files) > 0 {
			t.Errorf("%s: %v are left", name, files)
		}
		model{}.sameQuads(t, store.Over(db))
	}
	m := model{}
	want := m.add(load)
	if loaded, err := w.Load(t.Context(), load.all(nil), ""); loaded.Added != want || err != nil {
		t.Errorf("%v, %v, not %d", loaded, err, want)
	}
	m.compare(t, r, store.Over(db))
}

// TestPowerCutBetweenBatches: what was committed and synced is there, counts and all.
func TestPowerCutBetweenBatches(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 18))
	disk := vfs.NewCrashableMem()
	db, store := on(t, disk, tiny)
	m := model{}
	w, err := store.Writer()
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		was := maps.Clone(m)
		batch := db.NewBatch()
		w.Begin(batch)
		for range 30 {
			change(t, r, w, m)
		}
		if err := w.Finish(); err != nil {
			t.Fatal(err)
		}
		left := disk.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: 50, RNG: r})
		if err := batch.Commit(pebble.Sync); err != nil {
			t.Fatal(err)
		}
		w.Committed()
		was.survives(t, r, left)
		m.survives(t, r, disk.CrashClone(vfs.CrashCloneCfg{}))
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

// survives opens what is left of a disk.
func (m model) survives(t *testing.T, r *rand.Rand, left vfs.FS) {
	t.Helper()
	db, store := on(t, left, tiny)
	m.compare(t, r, store.Over(db))
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestCollisions: terms whose hashes are the same are distinguished, however they come into a store.
func TestCollisions(t *testing.T) {
	r := rand.New(rand.NewPCG(19, 20))
	for _, mask := range []uint64{63, 255} {
		db, store := on(t, vfs.NewMem(), tiny)
		store.Narrow(mask)
		memory := quads.NewMemory()
		memory.Narrow(mask)
		w, err := store.Writer()
		if err != nil {
			t.Fatal(err)
		}
		m, inMemory := model{}, model{}
		for range 15 {
			batch := db.NewBatch()
			w.Begin(batch)
			for range 10 {
				change(t, r, w, m)
				change(t, r, memory, inMemory)
			}
			commit(t, w, batch)
			load := someQuads(r, 10)
			done, err := w.Load(t.Context(), load.all(nil), "")
			if want := m.add(load); err != nil || done.Added != want {
				t.Fatalf("%v, %v, not %d", done, err, want)
			}
			m.compare(t, r, store.Over(db))
			inMemory.compare(t, r, memory.Snapshot())
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestReadersBesideAWriter: snapshots stay as they are while batches are committed.
func TestReadersBesideAWriter(t *testing.T) {
	db, store := on(t, vfs.NewMem(), tiny)
	w, err := store.Writer()
	if err != nil {
		t.Fatal(err)
	}
	memory := quads.NewMemory()
	r := rand.New(rand.NewPCG(21, 22))
	m := model{}
	var readers sync.WaitGroup
	for range 30 {
		batch := db.NewBatch()
		w.Begin(batch)
		for range 40 {
			q := randomQuad(r)
			m[q] = true
			if _, err := w.Add(q, ""); err != nil {
				t.Fatal(err)
			}
			if _, err := memory.Add(q, ""); err != nil {
				t.Fatal(err)
			}
		}
		commit(t, w, batch)
		snapshot, inMemory, was, seed := store.Snapshot(), memory.Snapshot(), maps.Clone(m), r.Uint64()
		readers.Go(func() {
			was.compare(t, rand.New(rand.NewPCG(seed, 1)), snapshot)
			was.sameQuads(t, inMemory)
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
