package ontology

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestPlacesAreAMap(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	var s places
	for _, n := range []int{5, 64, 3, 1000, 40} {
		targets := make([]string, n)
		for i := range targets {
			targets[i] = fmt.Sprintf("http://p.test/%d", rng.IntN(n))
		}
		last := map[string]int32{}
		s.clear(n)
		for i, target := range targets {
			want, again := last[target]
			if !again {
				want = -1
			}
			if got := s.put(target, int32(i), func(of int32) string { return targets[of] }); got != want {
				t.Fatalf("link %d of %d, to %s: %d before, want %d", i, n, target, got, want)
			}
			last[target] = int32(i)
		}
	}
}

func TestWhatIsKeptStays(t *testing.T) {
	var k kept
	var hits [][]hit
	var texts []string
	for i := range 200 {
		room := k.hits(i%40 + 2)
		hits = append(hits, k.keep(append(room, hit{entity: int32(i), count: 1}, hit{entity: int32(i), count: 2})))
		texts = append(texts, k.text(fmt.Appendf(nil, "%0*d", i*3+1, i)))
	}
	for i := range 200 {
		if want := []hit{{entity: int32(i), count: 1}, {entity: int32(i), count: 2}}; !slices.Equal(hits[i], want) || cap(hits[i]) != 2 {
			t.Errorf("%v of room for %d, want %v", hits[i], cap(hits[i]), want)
		}
		if want := fmt.Sprintf("%0*d", i*3+1, i); texts[i] != want {
			t.Errorf("%q, want %q", texts[i], want)
		}
	}
}
