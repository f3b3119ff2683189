package ontology

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestSketchKeepsItsPromise checks the bounds of all keys at any time, on typical and worst-case streams.
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
			key := next(i) * 0x9e3779b97f4a7c15
			truth[key]++
			if slot, _ := s.meet(key); s.slots[slot].key != key {
				t.Fatalf("%s: %d has the slot of %d", name, key, s.slots[slot].key)
			}
			if i%997 == 0 || i == 19_999 {
				checkSketch(t, name, s, truth, int64(i+1))
			}
		}
	}
}

// TestSketchesMerge: the sketch of several streams keeps what one of all of them promises, and so does it when it goes on.
func TestSketchesMerge(t *testing.T) {
	const slots = 50
	rng := rand.New(rand.NewPCG(20, 12))
	zipf := rand.NewZipf(rng, 1.1, 1, 5000)
	for name, next := range map[string]func(i, stream int) uint64{
		"zipf":          func(int, int) uint64 { return zipf.Uint64() },
		"uniform":       func(int, int) uint64 { return rng.Uint64N(300) },
		"never again":   func(i, stream int) uint64 { return uint64(i*10 + stream) },
		"few":           func(i, stream int) uint64 { return uint64(i%7 + stream) },
		"each its own":  func(i, stream int) uint64 { return uint64(i%(slots/2) + stream*slots) },
		"one is larger": func(i, stream int) uint64 { return uint64(i % (1 + stream*60)) },
	} {
		for _, streams := range []int{2, 3, 5} {
			truth, length := map[uint64]int64{}, int64(0)
			var all *sketch
			meet := func(s *sketch, n, stream int) {
				for i := range n {
					key := next(i, stream) * 0x9e3779b97f4a7c15
					truth[key]++
					length++
					s.meet(key)
				}
			}
			for stream := range streams {
				s := newSketch(slots)
				if meet(s, 2000, stream); all == nil {
					all = s
					continue
				}
				sum, places := all.merge(s)
				for i, at := range places {
					if key := sum.slots[i].key; all.find(key) != at.first || s.find(key) != at.second {
						t.Fatalf("%s: %d stands at %+v", name, key, at)
					}
				}
				all = sum
			}
			checkBounds(t, name, all, truth, length)
			meet(all, 2000, 0)
			checkBounds(t, name+", going on", all, truth, length)
		}
	}
}

func checkSketch(t *testing.T, name string, s *sketch, truth map[uint64]int64, length int64) {
	t.Helper()
	if sum := checkBounds(t, name, s, truth, length); sum != length {
		t.Fatalf("%s: %d counted of %d", name, sum, length)
	}
}

// checkBounds checks all but the sum of counts, and returns that.
func checkBounds(t *testing.T, name string, s *sketch, truth map[uint64]int64, length int64) (sum int64) {
	t.Helper()
	for i, slot := range s.slots {
		if at := s.find(slot.key); int(at) != i || slot.support() < 1 {
			t.Fatalf("%s: %d stands in slot %d and is found in %d, support %d", name, slot.key, i, at, slot.support())
		}
		if n := truth[slot.key]; n > slot.count || n < slot.support() {
			t.Fatalf("%s: %d came %d times, counted %d, of which %d may be wrong", name, slot.key, n, slot.count, slot.excess)
		}
		if slot.excess > length/int64(s.most) {
			t.Fatalf("%s: an error of %d in %d", name, slot.excess, length)
		}
		sum += slot.count
	}
	if sum > length || len(s.slots) > s.most {
		t.Fatalf("%s: %d counted of %d, %d slots", name, sum, length, len(s.slots))
	}
	for _, key := range slices.Sorted(maps.Keys(truth)) {
		if truth[key] > length/int64(s.most) && s.find(key) < 0 {
			t.Fatalf("%s: %d came %d times in %d and is not kept", name, key, truth[key], length)
		}
	}
	return sum
}

// TestIndex adds and removes keys, many of them with the same home, and some around the end of the table.
func TestIndex(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 3))
	for range 50 {
		x, truth := newIndex(16), map[uint64]int32{}
		for range 300 {
			key := rng.Uint64N(8)*7%32<<32 | rng.Uint64N(6)
			if slot, known := truth[key]; known {
				x.remove(key, slot)
				delete(truth, key)
			} else if len(truth) < 16 {
				truth[key] = int32(rng.IntN(1 << 20))
				x.put(key, truth[key])
			}
			for _, key := range slices.Sorted(maps.Keys(truth)) {
				i := x.home(key)
				for x.slots[i] != truth[key]+1 {
					if x.slots[i] == 0 {
						t.Fatalf("%x is lost", key)
					}
					i = x.next(i)
				}
			}
			if inUse := len(x.slots) - countZeros(x.slots); inUse != len(truth) {
				t.Fatalf("%d places in use for %d keys", inUse, len(truth))
			}
		}
	}
}

func countZeros(of []int32) (n int) {
	for _, x := range of {
		if x == 0 {
			n++
		}
	}
	return n
}

// BenchmarkSketch counts a typical stream of words, most of which occur once.
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
