package quads_test

import (
	"bufio"
	"iter"
	"os"
	"path/filepath"
	"runtime/metrics"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2"

	"orbweaver/rdf"
	"orbweaver/rdf/quads"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/ntriples"
)

// The benchmarks load this many triples; BenchmarkLoadFile as many as issue #7 asks of a store.
const (
	some = 200_000
	many = 5_000_000
)

// opened returns an empty store in a folder.
func opened(tb testing.TB, dir string) (*pebble.DB, *quads.Store) {
	tb.Helper()
	db, err := pebble.Open(filepath.Join(dir, "db"), &pebble.Options{Logger: quiet{}, FormatMajorVersion: pebble.FormatNewest, CacheSize: 64 << 20})
	if err != nil {
		tb.Fatal(err)
	}
	store, err := quads.Open(db, []byte("Q"), quads.Options{Temp: filepath.Join(dir, "temp")})
	if err != nil {
		tb.Fatal(err)
	}
	return db, store
}

type quiet struct{}

func (quiet) Infof(string, ...any)         {}
func (quiet) Errorf(string, ...any)        {}
func (quiet) Fatalf(f string, args ...any) { panic(f) }

// writeShop writes an N-Triples file and returns its name.
func writeShop(b *testing.B, n int) string {
	b.Helper()
	name := filepath.Join(b.TempDir(), "shop.nt")
	f, err := os.Create(name)
	if err != nil {
		b.Fatal(err)
	}
	w := bufio.NewWriterSize(f, 1<<20)
	var line []byte
	for q := range shopTriples(n) {
		line = ntriples.AppendTriple(line[:0], rdf.Triple{S: q.S, P: q.P, O: q.O})
		if _, err := w.Write(line); err != nil {
			b.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil {
		b.Fatal(err)
	}
	if err := f.Close(); err != nil {
		b.Fatal(err)
	}
	return name
}

// triplesOf are those of a file.
func triplesOf(name string) iter.Seq2[rdf.Quad, error] {
	return func(yield func(rdf.Quad, error) bool) {
		f, err := os.Open(name)
		if err != nil {
			yield(rdf.Quad{}, err)
			return
		}
		defer f.Close()
		for t, err := range ntriples.Read(f, syntax.Options{}) {
			if !yield(rdf.Quad{S: t.S, P: t.P, O: t.O}, err) {
				return
			}
		}
	}
}

// BenchmarkLoadFile loads five million triples of an N-Triples file.
func BenchmarkLoadFile(b *testing.B) {
	name := writeShop(b, many)
	for b.Loop() {
		dir := b.TempDir()
		db, store := opened(b, dir)
		w, err := store.Writer()
		if err != nil {
			b.Fatal(err)
		}
		start, peak := time.Now(), watchMemory()
		done, err := w.Load(b.Context(), triplesOf(name), "")
		if err != nil || done.Read != many {
			b.Fatal(done, err)
		}
		took := time.Since(start)
		size, err := store.Size()
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(done.Read)/took.Seconds(), "triples/s")
		b.ReportMetric(float64(size)/float64(done.Added), "B/triple")
		b.ReportMetric(float64(peak())/(1<<20), "peak-MB")
		if err := db.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

// watchMemory returns a function that says how many bytes the process held at most since, C memory aside.
func watchMemory() func() uint64 {
	stop, result := make(chan struct{}), make(chan uint64)
	go func() {
		samples := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
		var peak uint64
		tick := time.NewTicker(50 * time.Millisecond)
		defer tick.Stop()
		for {
			metrics.Read(samples)
			peak = max(peak, samples[0].Value.Uint64()-samples[1].Value.Uint64())
			select {
			case <-stop:
				result <- peak
				return
			case <-tick.C:
			}
		}
	}()
	return func() uint64 { close(stop); return <-result }
}
