package eval_test

import (
	"context"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"orbweaver/internal/database/kv"
	"orbweaver/rdf"
	"orbweaver/rdf/quads"
	"orbweaver/rdf/sparql/algebra"
	"orbweaver/rdf/sparql/eval"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/ntriples"
)

// The environment sets the size of the benchmarks' shop, and a file that keeps it for comparisons with other
// programs: ORBWEAVER_TRIPLES, ORBWEAVER_SHOP.

// shopSize returns the number of triples.
func shopSize() int {
	if n, err := strconv.Atoi(os.Getenv("ORBWEAVER_TRIPLES")); err == nil {
		return n
	}
	return 100_000
}

// shopFile returns the name of the shop as N-Triples. A kept file has the queries beside it.
func shopFile(b *testing.B) string {
	b.Helper()
	dir := os.Getenv("ORBWEAVER_SHOP")
	if dir == "" {
		dir = b.TempDir()
	}
	for _, q := range shopQueries() {
		if err := os.WriteFile(filepath.Join(dir, q.name[:2]+".rq"), []byte(prologue+q.text), 0o666); err != nil {
			b.Fatal(err)
		}
	}
	var lines []byte
	for q := range shopTriples(shopSize()) {
		lines = ntriples.AppendTriple(lines, rdf.Triple{S: q.S, P: q.P, O: q.O})
	}
	name := filepath.Join(dir, "shop.nt")
	if err := os.WriteFile(name, lines, 0o666); err != nil {
		b.Fatal(err)
	}
	return name
}

// shopMemory returns the shop in memory.
func shopMemory(b *testing.B) quads.Reader {
	m := quads.NewMemory()
	if _, err := m.Load(shopTriples(shopSize()), ""); err != nil {
		b.Fatal(err)
	}
	return m.Snapshot()
}

// openStore returns an empty store on disk.
func openStore(b *testing.B) *quads.Store {
	dir := b.TempDir()
	opened, err := pebble.Open(filepath.Join(dir, "db"), &pebble.Options{Logger: quiet{}, FormatMajorVersion: pebble.FormatNewest, CacheSize: 256 << 20})
	if err != nil {
		b.Fatal(err)
	}
	db := kv.Over(opened)
	b.Cleanup(func() {
		if err := db.Close(); err != nil {
			b.Error(err)
		}
	})
	store, err := quads.Open(db, []byte("Q"), quads.Options{Temp: filepath.Join(dir, "temp"), FS: vfs.Default})
	if err != nil {
		b.Fatal(err)
	}
	return store
}

// load loads triples and returns the time taken.
func load(b *testing.B, store *quads.Store, triples iter.Seq2[rdf.Quad, error]) time.Duration {
	w, err := store.Writer()
	if err != nil {
		b.Fatal(err)
	}
	start := time.Now()
	if _, err := w.Load(b.Context(), triples, ""); err != nil {
		b.Fatal(err)
	}
	return time.Since(start)
}

// shopOnDisk returns the shop in a database.
func shopOnDisk(b *testing.B) quads.Reader {
	store := openStore(b)
	load(b, store, shopTriples(shopSize()))
	snapshot := store.Snapshot()
	b.Cleanup(func() {
		if err := snapshot.Close(); err != nil {
			b.Error(err)
		}
	})
	return snapshot
}

// BenchmarkLoad loads the shop from its file.
func BenchmarkLoad(b *testing.B) {
	name := shopFile(b)
	for b.Loop() {
		file, err := os.Open(name)
		if err != nil {
			b.Fatal(err)
		}
		store := openStore(b)
		before := processor(b)
		took := load(b, store, func(yield func(rdf.Quad, error) bool) {
			for t, err := range ntriples.Read(file, syntax.Options{}) {
				if !yield(rdf.Quad{S: t.S, P: t.P, O: t.O}, err) {
					return
				}
			}
		})
		b.ReportMetric(float64(shopSize())/took.Seconds(), "triples/s")
		b.ReportMetric((processor(b) - before).Seconds(), "CPU-s")
		size, err := store.Size()
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(size)/float64(shopSize()), "B/triple")
		if err := file.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

type quiet struct{}

func (quiet) Infof(string, ...any)         {}
func (quiet) Errorf(string, ...any)        {}
func (quiet) Fatalf(f string, args ...any) { panic(f) }

const prologue = "PREFIX : <" + shop + "> PREFIX xsd: <http://www.w3.org/2001/XMLSchema#> "

// BenchmarkMemory and BenchmarkDisk measure twelve queries, from their text to the last term. With
// ORBWEAVER_EXPLAIN they print their plans.
func BenchmarkMemory(b *testing.B) { benchmark(b, shopMemory(b)) }

func BenchmarkDisk(b *testing.B) { benchmark(b, shopOnDisk(b)) }

func benchmark(b *testing.B, r quads.Reader) {
	for _, query := range shopQueries() {
		b.Run(query.name, func(b *testing.B) {
			q := parseQuery(b, prologue+query.text, "")
			rows := count(b, r, q, eval.Options{})
			var times []time.Duration
			b.ReportAllocs()
			before := processor(b)
			for b.Loop() {
				start := time.Now()
				rows = count(b, r, parseQuery(b, prologue+query.text, ""), eval.Options{})
				times = append(times, time.Since(start))
			}
			slices.Sort(times)
			b.ReportMetric(1000*times[len(times)/2].Seconds(), "median-ms")
			b.ReportMetric(1000*(processor(b)-before).Seconds()/float64(len(times)), "CPU-ms")
			b.ReportMetric(float64(rows), "rows")
			if os.Getenv("ORBWEAVER_EXPLAIN") != "" {
				res, err := eval.Query(context.Background(), r, q, eval.Options{Explain: true})
				if err != nil {
					b.Fatal(err)
				}
				for range res.Rows() {
				}
				b.Log(res.Explain())
			}
		})
	}
}

// count returns the number of rows of an answer.
func count(b *testing.B, r quads.Reader, q *algebra.Query, opts eval.Options) (n int) {
	res, err := eval.Query(context.Background(), r, q, opts)
	if err != nil {
		b.Fatal(err)
	}
	for _, err := range res.Rows() {
		if err != nil {
			b.Fatal(err)
		}
		n++
	}
	return n
}
