package link

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A language is made up: words by their rank, common ones short, drawn as often as in real texts.
type language struct {
	random *rand.Rand
	words  []string
}

func newLanguage(words int) *language {
	const consonants, vowels = "bcdfghklmnprstvwxyzj", "aeiou"
	l := &language{random: rand.New(rand.NewPCG(1, 2))}
	for i := range words {
		var w []byte
		for n := i; ; n /= 100 {
			if w = append(w, consonants[n%20], vowels[n/20%5]); n < 100 {
				break
			}
		}
		l.words = append(l.words, string(w))
	}
	return l
}

// word draws a word by Zipf's law; the rarer the higher the rare, from 1.
func (l *language) word(rare float64) string {
	at := math.Pow(float64(len(l.words)), math.Pow(l.random.Float64(), 1/rare))
	return l.words[min(int(at), len(l.words))-1]
}

// label draws a name of 1 to 4 words.
func (l *language) label() string {
	n := [...]int{1, 2, 2, 2, 3, 3, 4}[l.random.IntN(7)]
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(' ')
		}
		w := l.word(3)
		b.WriteString(strings.ToUpper(w[:1]) + w[1:])
	}
	return b.String()
}

// document draws a text, and tells its length in bytes with a space or so behind each word. Names of
// the language are in it.
func (l *language) document(words int) (doc Document, length int) {
	for len(doc.Words) < words {
		if l.random.IntN(20) == 0 {
			doc.Words = append(doc.Words, strings.Fields(l.label())...)
		}
		if l.random.IntN(20) == 0 {
			doc.Words = append(doc.Words, ".")
			doc.Sentences = append(doc.Sentences, len(doc.Words))
		}
		doc.Words = append(doc.Words, l.word(1))
	}
	for _, w := range doc.Words {
		length += len(w) + 1
	}
	return doc, length
}

func (l *language) gazetteer(tb testing.TB, labels int) *Gazetteer {
	tb.Helper()
	var b Builder
	for range labels {
		text := l.label()
		iri := "http://dbpedia.org/resource/" + strings.ReplaceAll(text, " ", "_")
		if err := b.Add(Label{Text: text, IRI: iri}); err != nil {
			tb.Fatal(err)
		}
	}
	g, err := b.Build()
	if err != nil {
		tb.Fatal(err)
	}
	return g
}

func heap() float64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc) / 1e6
}

func BenchmarkMatch(b *testing.B) {
	for _, labels := range []int{156_000, 5_430_000} { // as drawn, with doubles
		l := newLanguage(1_000_000)
		before := heap()
		g := l.gazetteer(b, labels)
		size := heap() - before
		doc, length := l.document(1_000_000)
		m := NewMatcher(g)
		m.Match(doc)
		b.Run(fmt.Sprint(g.Names()), func(b *testing.B) {
			b.ReportAllocs()
			spans, began := 0, processor(b)
			for b.Loop() {
				spans = len(m.Match(doc))
			}
			report(b, began, len(doc.Words), length)
			b.ReportMetric(size, "MB")
			b.ReportMetric(float64(spans)/float64(len(doc.Words)), "spans/token")
		})
	}
}

// BenchmarkLink links documents of 800 words, of which the words stand apart already and have no tags, with five million names.
func BenchmarkLink(b *testing.B) {
	l := newLanguage(1_000_000)
	g := l.gazetteer(b, 5_430_000)
	docs, words, length := make([]Document, 500), 0, 0
	for i := range docs {
		var n int
		docs[i], n = l.document(800)
		words, length = words+len(docs[i].Words), length+n
	}
	linker := NewLinker(g, Options{Confidence: 0.3})
	mentions, began := 0, processor(b)
	for b.Loop() {
		mentions = 0
		for _, doc := range docs {
			mentions += len(linker.Link(doc))
		}
	}
	report(b, began, words, length)
	b.ReportMetric(float64(mentions)/float64(words), "mentions/token")
}

// BenchmarkLoad reads the file of five million names.
func BenchmarkLoad(b *testing.B) {
	file := filepath.Join(b.TempDir(), "names")
	f, err := os.Create(file)
	if err != nil {
		b.Fatal(err)
	}
	if _, err = newLanguage(1_000_000).gazetteer(b, 5_430_000).WriteTo(f); err != nil || f.Close() != nil {
		b.Fatal("cannot write the file")
	}
	began, before, size := processor(b), heap(), 0.0
	for b.Loop() {
		g, err := Load(file)
		if err != nil {
			b.Fatal(err)
		}
		size = heap() - before
		runtime.KeepAlive(g)
	}
	b.ReportMetric((processor(b)-began).Seconds()/float64(b.N), "cpu-s/op")
	b.ReportMetric(size, "MB")
}

// report tells the speed by processor time: of texts of some length that each round reads.
func report(b *testing.B, began time.Duration, words, length int) {
	seconds := (processor(b) - began).Seconds() / float64(b.N)
	b.ReportMetric(float64(words)/seconds/1e6, "Mtokens/cpu-s")
	b.ReportMetric(float64(length)/seconds/1e6, "MB/cpu-s")
}

// processor returns the processor time used so far, which other programs do not affect.
func processor(tb testing.TB) time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

func BenchmarkBuild(b *testing.B) {
	l := newLanguage(1_000_000)
	for b.Loop() {
		l.gazetteer(b, 156_000)
	}
}

func BenchmarkParse(b *testing.B) {
	g := newLanguage(1_000_000).gazetteer(b, 156_000)
	b.SetBytes(int64(g.Size()))
	for b.Loop() {
		if _, err := Parse(g.data); err != nil {
			b.Fatal(err)
		}
	}
}
