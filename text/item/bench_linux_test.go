package item

import (
	"syscall"
	"testing"
	"time"
)

// processor returns the processor time used so far, which other programs do not affect.
func processor(tb testing.TB) time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

func BenchmarkRead(b *testing.B) {
	stories := news(b)
	var r Reader
	words := 0
	b.ReportAllocs()
	began := processor(b)
	for i := 0; b.Loop(); i++ {
		x := stories[i%len(stories)]
		words += r.Read(x.Body, x.Title, "en").length
	}
	b.ReportMetric(float64(words)/(processor(b)-began).Seconds(), "tokens/cpu-s")
}

func BenchmarkTake(b *testing.B) {
	stories := news(b)
	var r Reader
	drafts := make([]Draft, len(stories))
	for i, x := range stories {
		drafts[i] = r.Read(x.Body, x.Title, "en")
	}
	s := NewState(Options{})
	b.ReportAllocs()
	n := 0
	began := processor(b)
	for ; b.Loop(); n++ {
		s.Take(drafts[n%len(drafts)])
	}
	b.ReportMetric(float64(n)/(processor(b)-began).Seconds(), "items/cpu-s")
}
