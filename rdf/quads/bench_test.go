package quads_test

import (
	"bufio"
	"iter"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"orbweaver/internal/database/kv"
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
func opened(tb testing.TB, dir string) (kv.DB, *quads.Store) {
	tb.Helper()
	opened, err := pebble.Open(filepath.Join(dir, "db"), &pebble.Options{Logger: quiet{}, FormatMajorVersion: pebble.FormatNewest, CacheSize: 64 << 20})
	if err != nil {
		tb.Fatal(err)
	}
	db := kv.Over(opened)
	store, err := quads.Open(db, []byte("Q"), quads.Options{Temp: filepath.Join(dir, "temp"), FS: vfs.Default})
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
		before, _ := used(b)
		start := time.Now()
		done, err := w.Load(b.Context(), triplesOf(name), "")
		if err != nil || done.Read != many {
			b.Fatal(done, err)
		}
		took := time.Since(start)
		cpu, peak := used(b)
		size, err := store.Size()
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(done.Read)/took.Seconds(), "triples/s")
		b.ReportMetric(float64(size)/float64(done.Added), "B/triple")
		b.ReportMetric(float64(peak)/(1<<20), "peak-MB")
		b.ReportMetric(float64((cpu-before).Nanoseconds())/many, "cpu-ns/triple")
		if err := db.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkAdd adds quads one by one, a thousand a batch, to a store on disk.
func BenchmarkAdd(b *testing.B) {
	var all []rdf.Quad
	for q := range shopTriples(some) {
		all = append(all, q)
	}
	for b.Loop() {
		dir := b.TempDir()
		db, store := opened(b, dir)
		w, err := store.Writer()
		if err != nil {
			b.Fatal(err)
		}
		before, _ := used(b)
		start := time.Now()
		for i := 0; i < len(all); i += 1000 {
			batch := db.NewBatch()
			w.Begin(batch)
			for _, q := range all[i : i+1000] {
				if _, err := w.Add(q, ""); err != nil {
					b.Fatal(err)
				}
			}
			commit(b, w, batch)
		}
		b.ReportMetric(some/time.Since(start).Seconds(), "triples/s")
		cpu, _ := used(b)
		b.ReportMetric(float64((cpu-before).Nanoseconds())/some, "cpu-ns/triple")
		if err := db.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkMemoryLoad loads a store in memory.
func BenchmarkMemoryLoad(b *testing.B) {
	b.ReportAllocs()
	var all list
	for q := range shopTriples(some) {
		all = append(all, q)
	}
	for b.Loop() {
		start := time.Now()
		if _, err := quads.NewMemory().Load(all.all(nil), ""); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(some/time.Since(start).Seconds(), "triples/s")
	}
}

// BenchmarkRead: a quad of a long scan, a pattern that has few quads, a term.
func BenchmarkRead(b *testing.B) {
	for name, reader := range loaded(b, some) {
		c := reader.Cursor()
		var subjects, terms []quads.ID
		for c.Seek(quads.Pattern{S: quads.Any, P: id(b, reader, word("reviewFor")), O: quads.Any}); c.Next(); {
			subjects = append(subjects, c.Quad().S)
			terms = append(terms, c.Quad().S, c.Quad().O)
		}
		b.Run(name+"/quad", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if !c.Next() {
					c.Seek(quads.Pattern{S: quads.Any, P: quads.Any, O: quads.Any})
				}
			}
		})
		title := id(b, reader, word("title"))
		i := 0
		b.Run(name+"/pattern", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				i++
				if c.Seek(quads.Pattern{S: subjects[i%len(subjects)], P: title, O: quads.Any}); !c.Next() {
					b.Fatal(c.Err())
				}
			}
		})
		b.Run(name+"/term", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				i++
				if _, err := reader.Term(terms[i%len(terms)]); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(name+"/count", func(b *testing.B) {
			p := quads.Pattern{S: quads.Any, P: id(b, reader, word("type")), O: id(b, reader, item("Offer"))}
			for b.Loop() {
				if _, err := reader.Count(p); err != nil {
					b.Fatal(err)
				}
			}
		})
		if err := c.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
