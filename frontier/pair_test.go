package frontier_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"orbweaver/frontier"
	"orbweaver/internal/step"
)

// A pair runs the same operations on two frontiers; the second has a memory budget.
type pair struct {
	t         *testing.T
	rng       *rand.Rand
	free      *frontier.Frontier
	tight     *frontier.Frontier
	now       time.Time
	next      uint64
	flying    []uint64
	mostInUse int
}

// same calls ask on both and compares the results.
func (w *pair) same(what string, ask func(f *frontier.Frontier) any) any {
	w.t.Helper()
	a, b := ask(w.free), ask(w.tight)
	if !reflect.DeepEqual(a, b) {
		w.t.Fatalf("%s: %.300s\nwith a budget %.300s", what, fmt.Sprint(a), fmt.Sprint(b))
	}
	if err := w.tight.Err(); err != nil {
		w.t.Fatal(err)
	}
	w.mostInUse = max(w.mostInUse, w.tight.Spilled())
	return a
}

// both calls do on both.
func (w *pair) both(do func(f *frontier.Frontier)) {
	do(w.free)
	do(w.tight)
}

func (w *pair) host() string {
	if w.rng.IntN(3) > 0 {
		return "big"
	}
	return fmt.Sprint("h", w.rng.IntN(4))
}

// request returns any number used so far.
func (w *pair) request() uint64 { return w.rng.Uint64N(w.next + 1) }

func (w *pair) add() {
	w.next++
	e := entry{ID: w.next, Host: w.host(), Score: float64(w.rng.IntN(2000)), Ahead: w.rng.IntN(200) == 0}
	for range w.rng.IntN(3) {
		e.Keys = append(e.Keys, fmt.Sprint("k", w.rng.IntN(5)))
	}
	w.both(func(f *frontier.Frontier) { f.Add(e.waiting()) })
}

// again adds a request that waits, or returns.
func (w *pair) again() {
	id := w.request()
	if _, waits := w.free.Rank(id); !waits && !slices.Contains(w.flying, id) {
		return
	}
	w.flying = slices.DeleteFunc(w.flying, func(other uint64) bool { return other == id })
	e := entry{ID: id, Host: w.host(), Score: float64(w.rng.IntN(2000)), Ahead: w.rng.IntN(50) == 0, Keys: []string{"k1", "k9"}}
	w.both(func(f *frontier.Frontier) {
		f.Done(id, step.Reply{})
		f.Add(e.waiting())
	})
}

// turn takes the next turn, and ends one of an earlier time.
func (w *pair) turn() {
	w.now = w.now.Add(time.Duration(w.rng.IntN(900)) * time.Millisecond)
	type next struct {
		turn step.Turn
		wait time.Duration
		ok   bool
	}
	n := w.same("Next", func(f *frontier.Frontier) any {
		turn, wait, ok := f.Next(w.now)
		return next{turn, wait, ok}
	}).(next)
	if n.ok && n.turn.Task == step.TakeAddress {
		w.both(func(f *frontier.Frontier) { f.Located(n.turn, "192.0.2.1:80", "", w.now) })
	} else if n.ok {
		w.flying = append(w.flying, n.turn.ID)
	}
	for len(w.flying) > w.rng.IntN(4) {
		r := step.Reply{Started: w.now, Ended: w.now, Page: w.rng.IntN(4) == 0}
		w.both(func(f *frontier.Frontier) { f.Done(w.flying[0], r) })
		w.flying = w.flying[1:]
	}
}

// change changes waiting requests.
func (w *pair) change() {
	id, score := w.request(), float64(w.rng.IntN(2000))
	switch w.rng.IntN(6) {
	case 0:
		if w.same("Take", func(f *frontier.Frontier) any { return f.Take(id, w.now) }) == true {
			w.flying = append(w.flying, id)
		}
	case 1:
		w.both(func(f *frontier.Frontier) { f.Drop(id, id+1, id+2) })
	case 2:
		w.again()
	case 3, 4:
		w.both(func(f *frontier.Frontier) { f.Rescore(id, score) })
	default:
		ids := w.free.Group(fmt.Sprint("k", w.rng.IntN(5)))
		if w.rng.IntN(4) == 0 {
			ids = w.free.Group("*")
		}
		ids = append(ids, w.request(), 1<<40)
		scores := make([]float64, len(ids))
		for i := range scores {
			scores[i] = float64(w.rng.IntN(2000)) + 0.5
		}
		w.both(func(f *frontier.Frontier) { f.RescoreAll(ids, scores) })
	}
}

// look compares the observable state.
func (w *pair) look() {
	id, n, host := w.request(), w.rng.IntN(60), "http://"+w.host()
	if w.rng.IntN(10) == 0 {
		n = 5000
	}
	w.same("Head", func(f *frontier.Frontier) any { return f.Head(n) })
	w.same("Standing", func(f *frontier.Frontier) any { s, ok := f.Standing(id, w.now); return fmt.Sprint(s, ok) })
	w.same("Rank", func(f *frontier.Frontier) any { r, ok := f.Rank(id); return fmt.Sprint(r, ok) })
	w.same("Waits", func(f *frontier.Frontier) any { return f.Waits(host) })
	w.same("Len", func(f *frontier.Frontier) any { return f.Len() })
	for _, key := range []string{"*", "k1", "k4", "k9", "none"} {
		ids := w.same("Group "+key, func(f *frontier.Frontier) any { return slices.Sorted(slices.Values(f.Group(key))) })
		if all := ids.([]uint64); len(slices.Compact(slices.Clone(all))) != len(all) {
			w.t.Fatalf("group %s has one twice", key)
		}
	}
}

// rounds begins or ends a round.
func (w *pair) rounds() {
	switch n := w.rng.IntN(700); w.rng.IntN(4) {
	case 0:
		w.same("Select", func(f *frontier.Frontier) any { return f.Select(n) })
	case 1:
		ids := make([]uint64, 50)
		for i := range ids {
			ids[i] = w.request()
		}
		w.both(func(f *frontier.Frontier) { f.Choose(ids) })
	default:
		w.both((*frontier.Frontier).Unselect)
	}
}

// run performs a few thousand operations, then drains both.
func (w *pair) run() {
	for range 3000 {
		w.add()
	}
	for range 2500 {
		switch w.rng.IntN(40) {
		case 0:
			w.rounds()
		case 1, 2:
			w.look()
		case 3, 4, 5, 6, 7, 8, 9, 10:
			w.change()
		case 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21:
			w.add()
		default:
			w.turn()
		}
	}
	w.both((*frontier.Frontier).Unselect)
	w.look()
	for range 4000 {
		w.turn()
	}
	if w.mostInUse < 500 {
		w.t.Errorf("%d requests in the file at most", w.mostInUse)
	}
}
