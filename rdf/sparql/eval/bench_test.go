package eval_test

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/cockroachdb/pebble/v2"

	"orbweaver/rdf/quads"
	"orbweaver/rdf/sparql/algebra"
	"orbweaver/rdf/sparql/eval"
)

// shopSize is how many triples the benchmarks are about: ORBWEAVER_TRIPLES, or few.
func shopSize() int {
	if n, err := strconv.Atoi(os.Getenv("ORBWEAVER_TRIPLES")); err == nil {
		return n
	}
	return 100_000
}

// shopMemory returns the shop in memory.
func shopMemory(b *testing.B) quads.Reader {
	m := quads.NewMemory()
	if _, err := m.Load(shopTriples(shopSize()), ""); err != nil {
		b.Fatal(err)
	}
	return m.Snapshot()
}

// shopOnDisk returns it in a database.
func shopOnDisk(b *testing.B) quads.Reader {
	dir := b.TempDir()
	db, err := pebble.Open(filepath.Join(dir, "db"), &pebble.Options{Logger: quiet{}, FormatMajorVersion: pebble.FormatNewest, CacheSize: 256 << 20})
	if err != nil {
		b.Fatal(err)
	}
	store, err := quads.Open(db, []byte("Q"), quads.Options{Temp: filepath.Join(dir, "temp")})
	if err != nil {
		b.Fatal(err)
	}
	w, err := store.Writer()
	if err != nil {
		b.Fatal(err)
	}
	if _, err := w.Load(context.Background(), shopTriples(shopSize()), ""); err != nil {
		b.Fatal(err)
	}
	snapshot := store.Snapshot()
	b.Cleanup(func() {
		if err := snapshot.Close(); err != nil {
			b.Error(err)
		}
		if err := db.Close(); err != nil {
			b.Error(err)
		}
	})
	return snapshot
}

type quiet struct{}

func (quiet) Infof(string, ...any)         {}
func (quiet) Errorf(string, ...any)        {}
func (quiet) Fatalf(f string, args ...any) { panic(f) }

const prologue = "PREFIX : <" + shop + "> PREFIX xsd: <http://www.w3.org/2001/XMLSchema#> "

// BenchmarkMemory and BenchmarkDisk time twelve queries. With ORBWEAVER_EXPLAIN they show their plans.
func BenchmarkMemory(b *testing.B) { benchmark(b, shopMemory(b)) }

func BenchmarkDisk(b *testing.B) { benchmark(b, shopOnDisk(b)) }

func benchmark(b *testing.B, r quads.Reader) {
	for _, query := range shopQueries() {
		b.Run(query.name, func(b *testing.B) {
			q := parseQuery(b, prologue+query.text, "")
			rows := 0
			b.ReportAllocs()
			for b.Loop() {
				rows = count(b, r, q, eval.Options{})
			}
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

// count reads an answer and returns how many rows it has.
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
