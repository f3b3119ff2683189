package frontier

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"orbweaver"
	"orbweaver/internal/step"
)

// answering asks one host as often as it may be asked at once, rounds times, and returns how many that was in each. Each answer begins after
// a wait that depends on how many are asked at once.
func answering(opts Options, rounds int, wait func(atOnce int) time.Duration) (widths []int) {
	opts.Connections, opts.Widest = max(opts.Connections, 1), 6
	f, now := New(opts), time.Unix(0, 0)
	for i := range 1000 {
		f.Add(step.Waiting{ID: uint64(i + 1), Proposal: orbweaver.Proposal{Request: orbweaver.Request{URL: fmt.Sprintf("http://a.test/%d", i)}, Judgement: orbweaver.Judgement{Score: 0.5}}})
	}
	for range rounds {
		var turns []step.Turn
		for {
			turn, _, ok := f.Next(now)
			if !ok {
				break
			}
			turns = append(turns, turn)
		}
		widths = append(widths, len(turns))
		now = now.Add(wait(len(turns)))
		for _, turn := range turns {
			f.Done(turn.ID, step.Reply{Started: now, Ended: now, Page: true})
		}
		now = now.Add(opts.Delay)
	}
	return widths
}

// TestWidth: a host without a delay is asked side by side if its answers are long in coming and come no slower for it.
func TestWidth(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		name string
		opts Options
		wait func(atOnce int) time.Duration
		most int // in flight at any time
	}{
		{"far away", Options{}, func(int) time.Duration { return 100 * ms }, 6},
		{"near", Options{}, func(int) time.Duration { return 5 * ms }, 1},
		{"far away, with a delay", Options{Delay: 10 * ms}, func(int) time.Duration { return 100 * ms }, 1},
		{"one by one", Options{}, func(n int) time.Duration { return time.Duration(n) * 100 * ms }, 3},
		{"the file says more", Options{Connections: 9}, func(int) time.Duration { return 5 * ms }, 9},
	} {
		widths := answering(c.opts, 60, c.wait)
		if got := slices.Max(widths); got != c.most || widths[0] != max(c.opts.Connections, 1) {
			t.Errorf("%s: %v at once, want at most %d", c.name, widths, c.most)
		}
	}
}

// TestWidthAfterTrouble: a host that fails is asked one by one again.
func TestWidthAfterTrouble(t *testing.T) {
	w := width{}
	for range 30 {
		w.note(50*time.Millisecond, 6)
	}
	if w.extra != 5 {
		t.Errorf("%d beside one", w.extra)
	}
	w.note(time.Second, 6)
	if w.extra != 2 {
		t.Errorf("%d beside one after a slow answer", w.extra)
	}
	f := New(Options{Connections: 1, Widest: 6, MaxFailures: 5})
	h := f.host("http://a.test")
	h.history().width = w
	f.trouble(h, lease{id: 1}, step.Reply{Fault: step.FaultHost}, time.Unix(1, 0))
	if h.past.width.extra != 0 {
		t.Error("trouble leaves the width as it was")
	}
}
