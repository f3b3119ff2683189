package ontology

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestSketchKeepsItsPromise: at any time, of every key, on streams as words come and on the worst.
func TestSketchKeepsItsPromise(t *testing.T) {
	const slots = 50
	rng := rand.New(rand.NewPCG(8, 1))
	zipf := rand.NewZipf(rng, 1.1, 1, 5000)
	for name, next := range map[string]func(i int) uint64{
		"zipf":        func(int) uint64 { return zipf.Uint64() },
		"uniform":     func(int) uint64 { return rng.Uint64N(300) },
		"never again": func(i int) uint64 { return uint64(i) },
		"in a ring":   func(i int) uint64 { return uint64(i % (slots + 1)) },
		"few":         func(i int) uint64 { return uint64(i % 7) },
		"in runs":     func(i int) uint64 { return uint64(i / 20) },
	} {
		s, truth := newSketch(slots), map[uint64]int64{}
		for i := range 20_000 {
			key := next(i)
			truth[key]++
			if slot, _ := s.meet(key); s.keys[slot] != key {
				t.Fatalf("%s: %d has the slot of %d", name, key, s.keys[slot])
			}
			if i%997 == 0 || i == 19_999 {
				checkSketch(t, name, s, truth, int64(i+1))
			}
		}
	}
}

func checkSketch(t *testing.T, name string, s *sketch, truth map[uint64]int64, length int64) {
	t.Helper()
	var sum int64
	for slot, key := range s.keys {
		if at := s.index[key]; int(at) != slot || s.support(at) < 1 {
			t.Fatalf("%s: %d stands in slot %d and is found in %d, support %d", name, key, slot, at, s.support(at))
		}
		if n := truth[key]; n > s.counts[slot] || n < s.support(int32(slot)) {
			t.Fatalf("%s: %d came %d times, counted %d, of which %d may be wrong", name, key, n, s.counts[slot], s.errors[slot])
		}
		if s.errors[slot] > length/int64(s.slots) {
			t.Fatalf("%s: an error of %d in %d", name, s.errors[slot], length)
		}
		sum += s.counts[slot]
	}
	if sum != length || len(s.index) != s.len() || s.len() > s.slots {
		t.Fatalf("%s: %d counted of %d, %d slots, %d in the index", name, sum, length, s.len(), len(s.index))
	}
	for _, key := range slices.Sorted(maps.Keys(truth)) {
		if _, kept := s.index[key]; !kept && truth[key] > length/int64(s.slots) {
			t.Fatalf("%s: %d came %d times in %d and is not kept", name, key, truth[key], length)
		}
	}
}

// BenchmarkSketch meets words as they come, most of them for the first time.
func BenchmarkSketch(b *testing.B) {
	rng := rand.New(rand.NewPCG(8, 2))
	zipf := rand.NewZipf(rng, 1.05, 1, 10_000_000)
	keys := make([]uint64, 1<<20)
	for i := range keys {
		keys[i] = zipf.Uint64() * 0x9e3779b97f4a7c15
	}
	s := newSketch(gapWords)
	for i := 0; b.Loop(); i++ {
		s.meet(keys[i&(len(keys)-1)])
	}
}
