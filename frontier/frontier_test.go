package frontier_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"orbweaver/frontier"
	"orbweaver/internal/step"
)

// An entry is a short form of a waiting request.
type entry struct {
	ID    uint64
	Host  string
	Score float64
	Ahead bool
	Keys  []string
}

func (e entry) waiting() step.Waiting {
	w := step.Waiting{ID: e.ID, Ahead: e.Ahead}
	w.URL, w.Score, w.Keys = "http://"+e.Host+"/", e.Score, e.Keys
	return w
}

// start is an arbitrary time.
func start() time.Time { return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC) }

// drain leases until no host is ready at now.
func drain(f *frontier.Frontier, now time.Time) []uint64 {
	var ids []uint64
	for {
		turn, _, ok := f.Next(now)
		if !ok {
			return ids
		}
		ids = append(ids, turn.ID)
	}
}

func TestOrder(t *testing.T) {
	for _, tc := range []struct {
		name    string
		entries []entry
		want    []uint64
	}{
		{"nothing", nil, nil},
		{"the best first", []entry{
			{ID: 1, Host: "a", Score: 0.1}, {ID: 2, Host: "a", Score: 0.9}, {ID: 3, Host: "a", Score: 0.5},
		}, []uint64{2, 3, 1}},
		{"the best of all hosts first", []entry{
			{ID: 1, Host: "a", Score: 0.1}, {ID: 2, Host: "b", Score: 0.9}, {ID: 3, Host: "a", Score: 0.5},
		}, []uint64{2, 3, 1}},
		{"equal scores: first proposed first", []entry{
			{ID: 3, Host: "a", Score: 0.5}, {ID: 1, Host: "b", Score: 0.5}, {ID: 2, Host: "a", Score: 0.5},
		}, []uint64{1, 2, 3}},
		{"a redirect's target goes ahead", []entry{
			{ID: 1, Host: "a", Score: 0.9}, {ID: 2, Host: "a", Score: 0.1, Ahead: true},
		}, []uint64{2, 1}},
		{"a second opinion counts, up", []entry{
			{ID: 1, Host: "a", Score: 0.1}, {ID: 2, Host: "a", Score: 0.5}, {ID: 1, Host: "a", Score: 0.9},
		}, []uint64{1, 2}},
		{"and down", []entry{
			{ID: 1, Host: "a", Score: 0.9}, {ID: 2, Host: "a", Score: 0.5}, {ID: 1, Host: "a", Score: 0.1},
		}, []uint64{2, 1}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := frontier.New(frontier.Options{})
			for _, e := range tc.entries {
				f.Add(e.waiting())
			}
			if head := f.Head(10); !slices.Equal(head, tc.want) {
				t.Errorf("Head = %v, want %v", head, tc.want)
			}
			if got := drain(f, start()); !slices.Equal(got, tc.want) {
				t.Errorf("Next = %v, want %v", got, tc.want)
			}
			if _, wait, _ := f.Next(start()); wait >= 0 {
				t.Errorf("wait = %v when nothing waits", wait)
			}
		})
	}
}

// TestOrderIsTotal checks a thousand random requests against a sort.
func TestOrderIsTotal(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	f := frontier.New(frontier.Options{})
	var all []entry
	for id := range uint64(1000) {
		e := entry{
			ID: id, Host: string(rune('a' + rng.IntN(20))),
			Score: float64(rng.IntN(50)), Ahead: rng.IntN(20) == 0,
		}
		f.Add(e.waiting())
		all = append(all, e)
	}
	slices.SortFunc(all, func(a, b entry) int {
		if a.Ahead != b.Ahead {
			if a.Ahead {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.ID, b.ID))
	})
	want := make([]uint64, len(all))
	for i, e := range all {
		want[i] = e.ID
	}
	if !slices.Equal(f.Head(1000), want) {
		t.Error("Head differs from a sort")
	}
	if !slices.Equal(drain(f, start()), want) {
		t.Error("Next differs from a sort")
	}
}

func TestDelay(t *testing.T) {
	f := frontier.New(frontier.Options{Delay: 10 * time.Second, Connections: 1})
	f.Add(entry{ID: 1, Host: "a", Score: 0.9}.waiting())
	f.Add(entry{ID: 2, Host: "a", Score: 0.8}.waiting())
	f.Add(entry{ID: 3, Host: "b", Score: 0.1}.waiting())
	if got := drain(f, start()); !slices.Equal(got, []uint64{1, 3}) {
		t.Fatalf("one request a host may start at once: got %v", got)
	}
	if _, wait, _ := f.Next(start()); wait >= 0 {
		t.Errorf("host a's connection is in use: no waiting helps, got %v", wait)
	}
	f.Done(1, step.Reply{Started: start(), Ended: start().Add(time.Second), Page: true})
	if _, wait, _ := f.Next(start().Add(4 * time.Second)); wait != 6*time.Second {
		t.Errorf("wait = %v, want 6s: the delay runs from start to start", wait)
	}
	if turn, _, ok := f.Next(start().Add(10 * time.Second)); !ok || turn.ID != 2 {
		t.Errorf("got %+v, %v when the delay is over", turn, ok)
	}
}

func TestHostBudget(t *testing.T) {
	f := frontier.New(frontier.Options{HostPages: 2})
	for id := range uint64(4) {
		f.Add(entry{ID: id, Host: "a"}.waiting())
	}
	if got := drain(f, start()); !slices.Equal(got, []uint64{0, 1}) {
		t.Fatalf("leased %v, want two: what is in flight counts as pages", got)
	}
	f.Done(0, step.Reply{Page: true})
	f.Done(1, step.Reply{}) // a failure leaves budget
	if got := drain(f, start()); !slices.Equal(got, []uint64{2}) {
		t.Fatalf("leased %v, want one more", got)
	}
	f.Done(2, step.Reply{Page: true})
	if _, wait, ok := f.Next(start()); ok || wait >= 0 {
		t.Error("a spent host gave a request")
	}
	if f.Len() != 1 {
		t.Errorf("%d wait beyond the budget, want 1", f.Len())
	}
}

func TestCountGoesOn(t *testing.T) {
	f := frontier.New(frontier.Options{HostPages: 2})
	f.Count("http://a/", 2)
	f.Add(entry{ID: 1, Host: "a"}.waiting())
	if _, _, ok := f.Next(start()); ok {
		t.Error("a budget spent before the resume was forgotten")
	}
}

func TestGroups(t *testing.T) {
	f := frontier.New(frontier.Options{})
	f.Add(entry{ID: 1, Host: "a", Score: 1, Keys: []string{"x"}}.waiting())
	f.Add(entry{ID: 2, Host: "a", Keys: []string{"x", "y"}}.waiting())
	f.Add(entry{ID: 3, Host: "b"}.waiting())
	group := func(key string) []uint64 { return slices.Sorted(slices.Values(f.Group(key))) }
	if got := group("*"); !slices.Equal(got, []uint64{1, 2, 3}) {
		t.Errorf("all = %v", got)
	}
	f.Next(start()) // leases 1
	if got := group("x"); !slices.Equal(got, []uint64{2}) {
		t.Errorf("x = %v: a leased request waits no more", got)
	}
	if got := group("z"); got != nil {
		t.Errorf("z = %v", got)
	}
}

// TestNeverTwice performs random operations and checks that no number is leased twice and none is lost.
func TestNeverTwice(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	f := frontier.New(frontier.Options{Delay: time.Second, Connections: 2})
	now, leased := start(), map[uint64]bool{}
	var inFlight []uint64
	next := uint64(0)
	for range 5000 {
		switch now = now.Add(time.Duration(rng.IntN(400)) * time.Millisecond); rng.IntN(3) {
		case 0:
			f.Add(entry{ID: next, Host: string(rune('a' + rng.IntN(5))), Score: rng.Float64()}.waiting())
			next++
		case 1:
			if turn, _, ok := f.Next(now); ok {
				if leased[turn.ID] {
					t.Fatalf("%d leased twice", turn.ID)
				}
				leased[turn.ID] = true
				inFlight = append(inFlight, turn.ID)
			}
		default:
			if len(inFlight) > 0 {
				f.Done(inFlight[0], step.Reply{Started: now, Ended: now, Page: true})
				inFlight = inFlight[1:]
			}
		}
	}
	if len(leased)+f.Len() != int(next) {
		t.Errorf("%d leased and %d waiting of %d", len(leased), f.Len(), next)
	}
}

// TestHeadIsWhatNextGives compares Head and Next with and without rounds, on shared addresses.
func TestHeadIsWhatNextGives(t *testing.T) {
	for seed := range uint64(50) {
		rng := rand.New(rand.NewPCG(seed, 1))
		f := frontier.New(frontier.Options{Live: true})
		for i := range 20 {
			turn := step.Turn{}
			f.Subresource(fmt.Sprintf("http://h%d/", i))
			turn, _, _ = f.Next(start())
			f.Located(turn, fmt.Sprintf("192.0.2.%d:80", i%6), "", start())
			turn, _, _ = f.Next(start())
			f.Done(turn.ID, step.Reply{})
		}
		for id := range uint64(300) {
			f.Add(entry{
				ID: id, Host: fmt.Sprint("h", rng.IntN(20)), Score: float64(rng.IntN(30)), Ahead: rng.IntN(40) == 0,
			}.waiting())
		}
		if seed%2 == 0 {
			f.Select(60)
			for id := range uint64(20) { // added after the round began
				f.Add(entry{ID: 300 + id, Host: "h3", Score: 99, Ahead: id%5 == 0}.waiting())
			}
		}
		head := f.Head(1000)
		if got := drain(f, start()); !slices.Equal(head, got) {
			t.Fatalf("seed %d: Head %v, Next %v", seed, head, got)
		}
	}
}
