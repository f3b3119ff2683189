package frontier_test

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"orbweaver"
	"orbweaver/frontier"
	"orbweaver/internal/step"
)

// naming returns the least bits that name the request at a place among n.
func naming(place, n uint64) uint64 {
	if place == n {
		return 0 // one more than the largest
	}
	quotient, rest := bits.Div64(place, 0, n)
	if rest > 0 {
		quotient++
	}
	return quotient
}

// TestDrawNamesEach: the bits name each waiting number equally often, in ascending order, whatever came and went, and
// whether it lies in the file, which is not read; order and fairness stay.
func TestDrawNamesEach(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	disk := &scratch{}
	plain := frontier.New(frontier.Options{})
	spilled := frontier.New(frontier.Options{Memory: 4000, Spill: func() (frontier.Spill, error) { return disk, nil }})
	var waiting []uint64
	for range 3000 {
		id := uint64(rng.Uint32N(1 << 20))
		if rng.IntN(9) == 0 {
			id = uint64(rng.Uint32N(1<<31)) + 1<<31
		}
		if slices.Contains(waiting, id) {
			continue
		}
		w := step.Waiting{ID: id, Proposal: orbweaver.Proposal{
			Request: orbweaver.Request{URL: fmt.Sprintf("http://%d/%d", rng.IntN(3), id)}, Judgement: orbweaver.Judgement{Score: rng.Float64()},
		}}
		plain.Add(w)
		spilled.Add(w)
		waiting = append(waiting, id)
	}
	for i := range 1000 {
		if i%2 == 0 {
			plain.Drop(waiting[0])
			spilled.Drop(waiting[0])
			waiting = waiting[1:]
		}
	}
	slices.Sort(waiting)
	n := uint64(len(waiting))
	disk.left = 1 // a look into the file would fail
	for i, want := range waiting {
		for _, random := range []uint64{naming(uint64(i), n), naming(uint64(i)+1, n) - 1} {
			for _, f := range []*frontier.Frontier{plain, spilled} {
				if id, ok := f.Draw(random); id != want || !ok {
					t.Fatalf("place %d: %d, %v, not %d", i, id, ok, want)
				}
			}
		}
	}
	if disk.left = 0; len(disk.bytes) == 0 || spilled.Err() != nil {
		t.Fatalf("nothing was spilled, or %v", spilled.Err())
	}
	for {
		a, _, more := plain.Next(time.Time{})
		b, _, too := spilled.Next(time.Time{})
		if a != b || more != too {
			t.Fatalf("after draws %v comes, and with a file %v", a, b)
		}
		if !more {
			return
		}
	}
}

// TestDrawOfHosts: nothing is drawn of a host that is spent or has a redirect target waiting.
func TestDrawOfHosts(t *testing.T) {
	f := frontier.New(frontier.Options{HostPages: 1})
	if _, ok := f.Draw(1 << 63); ok {
		t.Error("nothing waits, and something is drawn")
	}
	add := func(id uint64, url string, ahead bool) {
		f.Add(step.Waiting{ID: id, Ahead: ahead, Proposal: orbweaver.Proposal{Request: orbweaver.Request{URL: url}}})
	}
	add(1, "http://spent/", false)
	f.Count("http://spent/0", 1)
	add(2, "http://ahead/", false)
	add(3, "http://ahead/target", true)
	add(4, "http://open/", false)
	for i, want := range []bool{false, false, false, true} {
		if id, ok := f.Draw(naming(uint64(i), 4)); id != uint64(i+1) || ok != want {
			t.Errorf("request %d: %d, %v", i+1, id, ok)
		}
	}
	if f.Err() != nil {
		t.Error(f.Err())
	}
}

// BenchmarkDraw draws of a million requests.
func BenchmarkDraw(b *testing.B) {
	f := frontier.New(frontier.Options{})
	for id := range uint64(1_000_000) {
		f.Add(step.Waiting{ID: id + 1, Proposal: orbweaver.Proposal{Request: orbweaver.Request{URL: fmt.Sprintf("http://%d/", id%1000)}}})
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for b.Loop() {
		f.Draw(rng.Uint64())
	}
}
