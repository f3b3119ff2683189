package frontier_test

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"orbweaver/frontier"
	"orbweaver/internal/step"
)

// A model is a naive frontier that sorts all requests on each call.
type model map[uint64]entry

// order returns all waiting requests, best first.
func (m model) order() []uint64 {
	all := slices.SortedFunc(maps.Values(m), func(a, b entry) int {
		first := func(e entry) int {
			if e.Ahead {
				return 0
			}
			return 1
		}
		return cmp.Or(first(a)-first(b), cmp.Compare(b.Score, a.Score), cmp.Compare(a.ID, b.ID))
	})
	ids := make([]uint64, len(all))
	for i, e := range all {
		ids[i] = e.ID
	}
	return ids
}

// group returns the requests under a key, ascending.
func (m model) group(key string) (ids []uint64) {
	for id, e := range m {
		if key == "*" || slices.Contains(e.Keys, key) {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

// add is Add: keys stay, and redirect targets remain so.
func (m model) add(e entry) {
	if old, waits := m[e.ID]; waits {
		e.Keys, e.Host, e.Ahead = old.Keys, old.Host, old.Ahead || e.Ahead
	}
	m[e.ID] = e
}

// rescore is Rescore.
func (m model) rescore(id uint64, score float64) {
	if e, waits := m[id]; waits {
		e.Score = score
		m[id] = e
	}
}

// compare compares order and groups.
func (m model) compare(t *testing.T, f *frontier.Frontier) {
	t.Helper()
	want := m.order()
	if got := f.Head(len(want) + 1); !slices.Equal(got, want) {
		t.Fatalf("Head %.200s, want %.200s", fmt.Sprint(got), fmt.Sprint(want))
	}
	for _, key := range []string{"*", "k0", "k1", "k2", "k3", "none"} {
		if got := slices.Sorted(slices.Values(f.Group(key))); !slices.Equal(got, m.group(key)) {
			t.Fatalf("group %s: %.200s, want %.200s", key, fmt.Sprint(got), fmt.Sprint(m.group(key)))
		}
	}
}

// TestLikeASort: requests come, go and return with other keys, many with sparse numbers.
func TestLikeASort(t *testing.T) {
	for seed := range uint64(4) {
		rng := rand.New(rand.NewPCG(seed, 3))
		f, m := frontier.New(frontier.Options{}), model{}
		spread := []uint64{2000, 5000, 400_000, 1 << 32}[seed]
		leave := func(id uint64) {
			delete(m, id)
			f.Done(id, step.Reply{})
		}
		for i := range 15_000 {
			id := rng.Uint64N(spread)
			switch n := rng.IntN(20); {
			case n < 8 || i < 1000:
				e := entry{ID: id, Host: fmt.Sprint("h", id%5), Score: float64(rng.IntN(300) - 150), Ahead: rng.IntN(100) == 0}
				for range rng.IntN(4) {
					e.Keys = append(e.Keys, fmt.Sprint("k", rng.IntN(4)))
				}
				m.add(e)
				f.Add(e.waiting())
			case n < 14:
				turn, _, ok := f.Next(start())
				if ok != (len(m) > 0) {
					t.Fatalf("a turn: %v, %d wait", ok, len(m))
				}
				leave(turn.ID)
			case n < 16:
				if f.Take(id, start()) {
					leave(id)
				}
			case n < 18:
				f.Drop(id, id+1)
				delete(m, id)
				delete(m, id+1)
			default:
				f.Rescore(id, 7)
				m.rescore(id, 7)
			}
			if i%750 == 0 {
				m.compare(t, f)
			}
		}
	}
}

// TestRescoreAll changes few and many scores at once, some twice.
func TestRescoreAll(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	f, m := frontier.New(frontier.Options{}), model{}
	for id := range uint64(5000) {
		e := entry{ID: id, Host: fmt.Sprint("h", rng.IntN(1+int(id)/50)), Score: rng.Float64(), Ahead: id%100 == 0}
		m.add(e)
		f.Add(e.waiting())
	}
	for _, n := range []int{0, 1, 10, 200, 1000, 5000, 20_000} {
		ids, scores := make([]uint64, n), make([]float64, n+3)
		for i := range ids {
			ids[i], scores[i] = rng.Uint64N(5100), float64(rng.IntN(1000)-500)
			m.rescore(ids[i], scores[i])
		}
		f.RescoreAll(ids, scores)
		m.compare(t, f)
	}
	f.Select(300)
	chosen := f.Head(1000)
	scores := make([]float64, len(chosen))
	for i := range scores {
		scores[i] = float64(i)
	}
	f.RescoreAll(chosen, scores)
	turn, _, _ := f.Next(start())
	for turn.ID%100 == 0 {
		turn, _, _ = f.Next(start())
	}
	if turn.ID != chosen[len(chosen)-1] {
		t.Errorf("%d, want %d: the last is the best now", turn.ID, chosen[len(chosen)-1])
	}
}
