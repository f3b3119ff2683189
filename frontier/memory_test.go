package frontier_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"

	"orbweaver/frontier"
	"orbweaver/internal/step"
)

// TestBytes checks the documented memory per request, for different distributions over hosts and numbers, and
// after most requests have left.
func TestBytes(t *testing.T) {
	for _, tc := range []struct {
		name   string
		hosts  uint64
		spread uint64 // one number in this many waits
		gone   int    // turns taken afterwards
	}{
		{"one host", 1, 1, 0},
		{"a thousand hosts", 1000, 1, 0},
		{"ten a host", 20_000, 1, 0},
		{"sparse", 300, 7, 0},
		{"three quarters are gone", 100, 1, 150_000},
	} {
		t.Run(tc.name, func(t *testing.T) {
			const requests = 200_000
			rng := rand.New(rand.NewPCG(1, 2))
			names := named(tc.hosts)
			f := frontier.New(frontier.Options{})
			for _, name := range names { // each host takes memory of its own
				f.Count(name, 1)
			}
			before := heapNow()
			w := step.Waiting{}
			for i := range uint64(requests) {
				w.ID = 1 + i*tc.spread + rng.Uint64N(tc.spread)
				w.URL, w.Score = names[rng.Uint64N(tc.hosts)], rng.Float64()
				f.Add(w)
			}
			for range tc.gone {
				turn, _, _ := f.Next(start())
				f.Done(turn.ID, step.Reply{})
			}
			held := (heapNow() - before) / float64(f.Len())
			if held > 26 {
				t.Errorf("%.1f bytes a request", held)
			}
			runtime.KeepAlive(f)
			runtime.KeepAlive(names)
		})
	}
}

// TestBytesOfHosts checks the memory of idle hosts.
func TestBytesOfHosts(t *testing.T) {
	names := named(50_000)
	before := heapNow()
	f := frontier.New(frontier.Options{})
	for i, name := range names {
		f.Add(entry{ID: uint64(i), Host: name[len("http://"):]}.waiting())
	}
	if held := (heapNow() - before) / float64(len(names)); held > 26+250 {
		t.Errorf("%.0f bytes a host and its request", held)
	}
	runtime.KeepAlive(f)
	runtime.KeepAlive(names)
}

// TestBytesOfKeys checks the memory of a request under a key after many came and went.
func TestBytesOfKeys(t *testing.T) {
	var keys []string
	for i := range 100 {
		keys = append(keys, fmt.Sprint("word:", i))
	}
	var held [2]float64
	for i := range held {
		before := heapNow()
		f := frontier.New(frontier.Options{})
		rng := rand.New(rand.NewPCG(1, 2))
		w := step.Waiting{}
		w.URL = "http://a/"
		for n := range uint64(150_000) {
			w.ID, w.Score = n, rng.Float64()
			if w.Keys = w.Keys[:0]; i == 1 {
				for j := range uint64(5) {
					w.Keys = append(w.Keys, keys[(n*31+j*17)%100])
				}
			}
			if f.Add(w); n%3 == 0 {
				turn, _, _ := f.Next(start())
				f.Done(turn.ID, step.Reply{})
			}
		}
		held[i] = (heapNow() - before) / float64(f.Len())
		runtime.KeepAlive(f)
	}
	if each := (held[1] - held[0]) / 5; each > 6 {
		t.Errorf("%.1f bytes a request and key", each)
	}
}

// TestKeysGo: requests with a key of their own come and go, and others return repeatedly.
func TestKeysGo(t *testing.T) {
	f := frontier.New(frontier.Options{})
	before := heapNow()
	for id := range uint64(100_000) {
		f.Add(entry{ID: id, Host: "a", Keys: []string{fmt.Sprint("own:", id)}}.waiting())
		f.Drop(id)
	}
	if held := heapNow() - before; held > 1e6 {
		t.Errorf("%.0f bytes when nothing waits", held)
	}
	const back = 100_000
	keys := []string{"x", "y"}
	for id := range uint64(2*back - 10_000) {
		id %= back
		f.Add(entry{ID: id, Host: "a", Keys: keys}.waiting())
		f.Take(id, start())
		f.Done(id, step.Reply{})
		f.Add(entry{ID: id, Host: "a", Keys: keys}.waiting())
	}
	if held := (heapNow() - before) / back; held > 26+2*6 {
		t.Errorf("%.1f bytes a request that came back", held)
	}
	runtime.KeepAlive(f)
}
