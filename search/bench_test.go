package search_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"orbweaver/internal/database/kv"
	"orbweaver/search"
)

// zipf writes texts of words that are as frequent as words are.
type zipf struct {
	r     *rand.Rand
	words []string
	law   *rand.Zipf
}

func newZipf(vocabulary int) *zipf {
	z := &zipf{r: rand.New(rand.NewPCG(1, 2)), law: nil}
	seen := map[string]bool{}
	for len(z.words) < vocabulary {
		var b []byte
		for range 1 + z.r.IntN(2) + int(math.Log10(float64(len(z.words)+1)))/2 {
			b = append(b, "bcdfghklmnprstvw"[z.r.IntN(16)], "aeiou"[z.r.IntN(5)], "lmnrst"[z.r.IntN(6)])
		}
		if w := string(b); !seen[w] {
			seen[w] = true
			z.words = append(z.words, w+[]string{"", "", "s", "ing", "ed"}[z.r.IntN(5)])
		}
	}
	z.law = rand.NewZipf(z.r, 1.07, 2, uint64(vocabulary-1))
	return z
}

func (z *zipf) text(words int) string {
	var b strings.Builder
	for range words {
		b.WriteString(z.words[z.law.Uint64()])
		b.WriteByte(' ')
	}
	return b.String()
}

// fill puts documents of so many words into a store, so many a batch, and returns the bytes of their texts.
func fill(tb testing.TB, db kv.DB, s *search.Store, docs, words, perBatch int) (size int) {
	tb.Helper()
	z, w := newZipf(100_000), writer(tb, s)
	for from := 0; from < docs; from += perBatch {
		b := db.NewBatch()
		w.Begin(b)
		for id := from; id < min(from+perBatch, docs); id++ {
			d := search.Document{ID: uint64(id), Texts: []search.Text{{Field: "title", Text: z.text(4)}, {Field: "text", Text: z.text(words)}}}
			size += len(d.Texts[0].Text) + len(d.Texts[1].Text)
			if err := w.Put(d); err != nil {
				tb.Fatal(err)
			}
		}
		commit(tb, w, b)
		if err := b.Close(); err != nil {
			tb.Fatal(err)
		}
	}
	return size
}

// BenchmarkPut puts documents of 500 words, in batches of several sizes.
func BenchmarkPut(b *testing.B) {
	z := newZipf(100_000)
	var texts []string
	for range 2000 {
		texts = append(texts, z.text(500))
	}
	for _, perBatch := range []int{1, 32, 1000} {
		b.Run(fmt.Sprint(perBatch, " a batch"), func(b *testing.B) {
			db, store := on(b, vfs.NewMem())
			w := writer(b, store)
			batch, n := db.NewBatch(), 0
			w.Begin(batch)
			for b.Loop() {
				if err := w.Put(search.Document{ID: uint64(n), Texts: []search.Text{{Field: "text", Text: texts[n%len(texts)]}}}); err != nil {
					b.Fatal(err)
				}
				if n++; n%perBatch == 0 {
					commit(b, w, batch)
					batch = db.NewBatch()
					w.Begin(batch)
				}
			}
			commit(b, w, batch)
			b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "docs/s")
			if err := db.Close(); err != nil {
				b.Fatal(err)
			}
		})
	}
}

// BenchmarkSearch asks 100 000 documents of 100 words.
func BenchmarkSearch(b *testing.B) {
	db, store := on(b, vfs.NewMem())
	fill(b, db, store, 100_000, 100, 1000)
	s := store.Snapshot()
	z := newZipf(100_000)
	w := z.words
	for name, query := range map[string]string{
		"three words":  w[200] + " " + w[1000] + " " + w[5000],
		"common words": w[5] + " " + w[20] + " " + w[100],
		"required":     "+" + w[5] + " +" + w[20] + " +" + w[1000],
		"phrase":       `"` + w[2] + " " + w[10] + `"`,
		"prefix":       w[3000][:3] + "*",
		"field":        "title:" + w[50],
	} {
		q, err := s.Parse(query)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			total := 0
			for b.Loop() {
				r, err := s.Search(b.Context(), q, search.Options{})
				if err != nil {
					b.Fatal(err)
				}
				total = r.Total
			}
			b.ReportMetric(float64(total), "hits")
		})
	}
	b.Run("similar", func(b *testing.B) {
		v, err := s.Vector(b.Context(), search.Text{Text: z.text(200)}, 32)
		if err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			if _, err := s.Similar(b.Context(), v, search.Options{}); err != nil {
				b.Fatal(err)
			}
		}
	})
	if err := s.Close(); err != nil {
		b.Fatal(err)
	}
	if err := db.Close(); err != nil {
		b.Fatal(err)
	}
}
