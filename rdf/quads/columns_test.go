package quads_test

import (
	"fmt"
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

// columnar returns an empty store that keeps so many bytes of columns.
func columnar(t testing.TB, bytes int64) (kv.DB, *quads.Store, *quads.Writer) {
	t.Helper()
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
	store, err := quads.Open(db, []byte("Q"), quads.Options{FS: disk, Temp: "temp", Columns: bytes})
	if err != nil {
		t.Fatal(err)
	}
	w, err := store.Writer()
	if err != nil {
		t.Fatal(err)
	}
	return db, store, w
}

// TestColumnsAgainstModel reads snapshots so often that columns are made, while the store changes: a snapshot has what it had.
func TestColumnsAgainstModel(t *testing.T) {
	db, store, w := columnar(t, 1<<20)
	r := rand.New(rand.NewPCG(9, 10))
	m, made := model{}, 0
	before, was := store.Snapshot(), model{}
	for round := range 12 {
		if round%10 == 5 {
			load := someQuads(r, 100)
			if _, err := w.Load(t.Context(), load.all(nil), ""); err != nil {
				t.Fatal(err)
			}
			m.add(load)
		}
		batch := db.NewIndexedBatch()
		w.Begin(batch)
		for range r.IntN(60) {
			change(t, r, w, m)
		}
		during := store.Snapshot() // a change is under way: it may not be in columns that others get
		commit(t, w, batch)
		now := store.Snapshot()
		for range 4 {
			was.compare(t, r, before)
			m.compare(t, r, now)
			m.compareLists(t, now)
		}
		made += store.Made()
		if err := during.Close(); err != nil {
			t.Fatal(err)
		}
		if err := before.Close(); err != nil {
			t.Fatal(err)
		}
		before, was = now, model{}
		for q := range m {
			was[q] = true
		}
	}
	if err := before.Close(); err != nil {
		t.Fatal(err)
	}
	if made < 12 {
		t.Errorf("%d columns were made: the comparison shows little", made)
	}
}

// compareLists compares what a cursor has in memory with what it reads.
func (m model) compareLists(t *testing.T, reader quads.Reader) {
	t.Helper()
	c := reader.Cursor().(quads.ColumnCursor)
	s, p, o, _ := vocabulary()
	for _, predicate := range p {
		pid, ok, err := reader.Lookup(predicate)
		if !ok || err != nil {
			continue
		}
		c.Column(pid, quads.SPOG)
		m.compareWhole(t, reader, c, predicate, pid) // by subjects
		for _, subject := range s {
			sid, _, _ := reader.Lookup(subject)
			m.compareValues(t, c, quads.Pattern{S: sid, P: pid, O: quads.Any})
			for _, object := range o {
				oid, _, _ := reader.Lookup(object)
				m.compareValues(t, c, quads.Pattern{S: sid, P: pid, O: oid})
			}
		}
		for _, object := range o {
			oid, _, _ := reader.Lookup(object)
			m.compareValues(t, c, quads.Pattern{S: quads.Any, P: pid, O: oid})
		}
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
}

// compareWhole compares the quads of a predicate with those of the model.
func (m model) compareWhole(t *testing.T, reader quads.Reader, c quads.Cursor, predicate rdf.Term, pid quads.ID) {
	t.Helper()
	n := 0
	for c.Seek(quads.Pattern{S: quads.Any, P: pid, O: quads.Any}); c.Next(); n++ {
		if q := termsOf(t, reader, c.Quad()); !m[q] {
			t.Fatalf("%v is too many", q)
		}
	}
	for q := range m {
		if q.P == predicate && q.G.IsZero() {
			n--
		}
	}
	if n != 0 {
		t.Fatalf("%v: %d quads too many", predicate, n)
	}
}

// compareValues compares the values of a pattern, if they are in memory, with its quads.
func (m model) compareValues(t *testing.T, c quads.ColumnCursor, p quads.Pattern) {
	t.Helper()
	if p.S == 0 || p.O == 0 {
		return
	}
	got, ok := c.Values(p)
	if !ok {
		return
	}
	got = slices.Clone(got)
	var want []quads.ID
	for c.Seek(p); c.Next(); {
		if q := c.Quad(); p.S == quads.Any || p.O != quads.Any {
			want = append(want, q.S)
		} else {
			want = append(want, q.O)
		}
	}
	if p.S != quads.Any && p.O != quads.Any {
		if len(got) != len(want) {
			t.Fatalf("%v: %v is not %v", p, got, want)
		}
		return
	}
	if !slices.Equal(got, want) {
		t.Fatalf("%v: %v is not %v", p, got, want)
	}
}

// TestColumnsBudget: columns take no more memory than is given, and what is too large has none.
func TestColumnsBudget(t *testing.T) {
	const budget = 1 << 19
	_, store, w := columnar(t, budget)
	if _, err := w.Load(t.Context(), shopTriples(30_000), ""); err != nil {
		t.Fatal(err)
	}
	snapshot := store.Snapshot()
	defer snapshot.Close()
	seen := map[bool]int{}
	for range 8 {
		for _, name := range []string{"type", "label", "feature", "price", "vendor", "product", "reviewFor", "rating", "reviewer", "title", "validFrom"} {
			p := id(t, snapshot, word(name))
			c := snapshot.Cursor().(quads.ColumnCursor)
			n := int64(0)
			for c.Seek(quads.Pattern{S: quads.Any, P: p, O: quads.Any}); c.Next(); n++ {
			}
			_, has := c.Column(p, quads.POSG)
			stat, err := snapshot.Predicate(p, quads.Default)
			if err != nil || n != stat.Quads || c.Close() != nil {
				t.Fatalf("%s: %d quads, not %v, %v", name, n, stat, err)
			}
			if seen[has]++; has && !quads.Columnar(snapshot, p) {
				t.Errorf("%s is too large for a column, and has one", name)
			}
			if used := store.Used(); used > budget+budget/4 {
				t.Fatalf("%d bytes", used)
			}
		}
	}
	if seen[true] == 0 || seen[false] == 0 {
		t.Errorf("columns there and not: %v", seen)
	}
}

// TestColumnsBeside reads snapshots in several goroutines while a writer adds the same to two predicates at once: no snapshot has more of the
// one than of the other, whether that is in memory or not.
func TestColumnsBeside(t *testing.T) {
	db, store, w := columnar(t, 1<<20)
	p, q := rdf.NewIRI("u:p"), rdf.NewIRI("u:q")
	add := func(i int) {
		batch := db.NewBatch()
		w.Begin(batch)
		for _, predicate := range []rdf.Term{p, q} {
			if _, err := w.Add(rdf.Quad{S: rdf.NewIRI(fmt.Sprint("u:s", i)), P: predicate, O: rdf.NewIRI(fmt.Sprint("u:o", i%5))}, ""); err != nil {
				t.Fatal(err)
			}
		}
		commit(t, w, batch)
	}
	add(0)
	done := make(chan struct{})
	var readers sync.WaitGroup
	for range 3 {
		readers.Go(func() {
			for ended := false; !ended; {
				select {
				case <-done:
					ended = true
				default:
				}
				snapshot := store.Snapshot()
				for range 3 {
					if a, b := subjectsOf(t, snapshot, p), subjectsOf(t, snapshot, q); a != b || a == 0 {
						t.Errorf("%d quads and %d", a, b)
					}
				}
				if err := snapshot.Close(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for i := range 200 {
		add(i)
	}
	close(done)
	readers.Wait()
	snapshot := store.Snapshot()
	defer snapshot.Close()
	if n := subjectsOf(t, snapshot, p); n != 200 {
		t.Errorf("%d quads", n)
	}
}

// subjectsOf counts the quads of a predicate, object by object.
func subjectsOf(t *testing.T, r quads.Reader, predicate rdf.Term) (n int) {
	p, ok, err := r.Lookup(predicate)
	if err != nil || !ok {
		t.Errorf("%v: %v, %v", predicate, ok, err)
		return 0
	}
	c := r.Cursor()
	for i := range 5 {
		if o, ok, _ := r.Lookup(rdf.NewIRI(fmt.Sprint("u:o", i))); ok {
			for c.Seek(quads.Pattern{S: quads.Any, P: p, O: o}); c.Next(); n++ {
			}
		}
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	return n
}

// FuzzColumn makes columns of any pairs, and turns them.
func FuzzColumn(f *testing.F) {
	f.Add([]byte{1, 2, 1, 3, 200, 2})
	f.Add([]byte{0, 0})
	f.Fuzz(func(t *testing.T, b []byte) {
		var pairs [][2]quads.ID
		for i := 0; i+1 < len(b); i += 2 {
			pairs = append(pairs, [2]quads.ID{quads.ID(b[i]) << (b[i] % 60), quads.ID(b[i+1]) << (b[i+1] % 60)})
		}
		if err := quads.CheckColumn(pairs); err != nil {
			t.Error(err)
		}
	})
}
