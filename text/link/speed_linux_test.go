package link

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"time"
)

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
