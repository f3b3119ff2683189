package krs

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"testing"
	"time"
)

// textual returns a document with a number of mentions, of nouns with Zipf-distributed frequencies, a third
// of them linked.
func textual(r *rand.Rand, z *rand.Zipf, id string, mentions int) Document {
	d := Document{ID: "http://corpus.test/documents/" + id, Title: "Document " + id}
	for range mentions {
		n := z.Uint64()
		noun := Noun{Lemma: fmt.Sprintf("noun%d", n), Tag: "NN"}
		if n%3 == 0 {
			noun.IRI = fmt.Sprintf("http://dbpedia.test/resource/Noun_%d", n)
		}
		d.Nouns = append(d.Nouns, noun)
	}
	return d
}

func texts(seed uint64, documents, mentions int) iter.Seq2[Document, error] {
	return func(yield func(Document, error) bool) {
		r := rand.New(rand.NewPCG(seed, 1))
		z := rand.NewZipf(r, 1.2, 20, 200_000)
		for i := range documents {
			if !yield(textual(r, z, fmt.Sprint(seed, "-", i), mentions), nil) {
				return
			}
		}
	}
}

func corpus(b *testing.B, documents, background int) *Store {
	b.Helper()
	return build(b, Plan{Topic: "topic", Documents: texts(1, documents, 300), Background: texts(2, background, 300)})
}

// BenchmarkBuild builds a KRS of 10 000 documents of 300 nouns.
func BenchmarkBuild(b *testing.B) {
	for b.Loop() {
		start := time.Now()
		s := corpus(b, 10_000, 0)
		took := time.Since(start)
		size, err := s.rdf.Size()
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(10_000/took.Seconds(), "documents/s")
		b.ReportMetric(float64(size)/(1<<20), "MB")
		b.ReportMetric(float64(s.state.Count.Entities)/10_000, "entities/document")
	}
}

// BenchmarkAdd adds documents of 300 nouns to a KRS of 1 000.
func BenchmarkAdd(b *testing.B) {
	s := corpus(b, 1000, 0)
	var docs []Document
	for d := range texts(3, 200, 300) {
		docs = append(docs, d)
	}
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		if err := s.Add(docs[i%len(docs)]); err != nil {
			b.Fatal(err)
		}
		i++
	}
}

// BenchmarkSnapshot compiles a KRS of 2 000 documents and as many of the background.
func BenchmarkSnapshot(b *testing.B) {
	s := corpus(b, 2000, 2000)
	for b.Loop() {
		compiled(b, s, Options{})
	}
}

// BenchmarkJudge judges pages of 300 nouns.
func BenchmarkJudge(b *testing.B) {
	s := compiled(b, corpus(b, 1000, 1000), Options{})
	var pages [][]Mention
	for d := range texts(4, 100, 300) {
		pages = append(pages, Mentions(d.Nouns))
	}
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		s.Judge(pages[i%len(pages)])
		i++
	}
}
