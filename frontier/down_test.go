package frontier_test

import (
	"slices"
	"testing"
	"time"

	"orbweaver"
	"orbweaver/frontier"
	"orbweaver/internal/step"
)

// mute is a reply of a host that takes a request and does not answer.
func mute(seconds float64) step.Reply {
	return step.Reply{Started: at(seconds), Ended: at(seconds), Failure: orbweaver.ErrTimeout, Fault: step.FaultAnswer}
}

// TestOnePageIsNoHost: a request that does not answer counts once, however often it is tried; several put the host down.
func TestOnePageIsNoHost(t *testing.T) {
	f := opened(t, frontier.Options{Live: true, MaxFailures: 3}, 5)
	now := 0.0
	ask := func(id uint64) {
		now += 100
		turn := want(t, f, at(now), step.TakeRequest, "http://a")
		if turn.ID != id {
			t.Fatalf("request %d, want %d", turn.ID, id)
		}
		f.Done(turn.ID, mute(now))
	}
	for range 9 {
		ask(0)
		f.Add(entry{ID: 0, Host: "a", Score: 99}.waiting())
	}
	if a, _ := f.Account("http://a"); a.Down != "" {
		t.Fatalf("one page that does not answer: down: %s", a.Down)
	}
	f.Drop(0)
	ask(1)
	ask(2)
	if a, _ := f.Account("http://a"); a.Down != orbweaver.ErrTimeout {
		t.Errorf("three pages that do not answer: down: %q", a.Down)
	}
}

// TestProbes: a host that is down is asked again after 30 s, a minute, two and so on, one request at a time; the first
// answer ends it. One that has never answered is left after half an hour.
func TestProbes(t *testing.T) {
	for _, tc := range []struct {
		name    string
		answers bool      // the host answered before
		probes  []float64 // seconds from the end of one to the start of the next
	}{
		{"it answered before", true, []float64{30, 60, 120, 240, 480, 960, 1800, 1800}},
		{"it has never answered", false, []float64{30, 60, 120, 240, 480, 960}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := opened(t, frontier.Options{Live: true, MaxFailures: 1, Connections: 4}, 9)
			now := 0.0
			if tc.answers {
				f.Done(want(t, f, at(now), step.TakeRequest, "http://a").ID, good(now))
			}
			turn := want(t, f, at(now), step.TakeRequest, "http://a")
			f.Done(turn.ID, bad(now))
			f.Add(entry{ID: turn.ID, Host: "a"}.waiting())
			for _, wait := range tc.probes {
				wantWait(t, f, at(now), time.Duration(wait)*time.Second)
				if alive, next, down := f.Prospect(time.Hour); alive || down != 1 || next.IsZero() == (tc.answers && now+wait < 3600) {
					t.Fatalf("alive %v, next %v, down %d", alive, next, down)
				}
				now += wait
				probe := want(t, f, at(now), step.TakeRequest, "http://a")
				wantWait(t, f, at(now), -1) // one at a time
				f.Done(probe.ID, bad(now))
				f.Add(entry{ID: probe.ID, Host: "a"}.waiting())
			}
			if !tc.answers {
				wantWait(t, f, at(now), -1)
				return
			}
			now += 1800
			f.Done(want(t, f, at(now), step.TakeRequest, "http://a").ID, good(now))
			if a, _ := f.Account("http://a"); a.Down != "" {
				t.Errorf("down after an answer: %s", a.Down)
			}
			want(t, f, at(now), step.TakeRequest, "http://a")
			want(t, f, at(now), step.TakeRequest, "http://a")
		})
	}
}

// TestPatience: how long the end of a crawl is worth waiting for a host that answered before.
func TestPatience(t *testing.T) {
	f := opened(t, frontier.Options{Live: true, MaxFailures: 1}, 3)
	f.Done(want(t, f, at(0), step.TakeRequest, "http://a").ID, good(0))
	if alive, _, _ := f.Prospect(0); !alive {
		t.Error("a host that is not down has a turn to come")
	}
	f.Done(want(t, f, at(10), step.TakeRequest, "http://a").ID, bad(10))
	for patience, want := range map[time.Duration]bool{0: false, 29 * time.Second: false, 30 * time.Second: true} {
		if _, next, _ := f.Prospect(patience); next.IsZero() == want || want && !next.Equal(at(40)) {
			t.Errorf("with %v: the next is at %v", patience, next)
		}
	}
	if got := f.Down(); !slices.Equal(got, []string{"http://a"}) || f.More("http://a") || len(f.Recent(5)) > 0 {
		t.Errorf("down: %v", got)
	}
	f.Forgive([]string{"http://a", "http://nobody"}, at(11))
	if got := f.Down(); len(got) > 0 || !f.More("http://a") {
		t.Errorf("down though forgiven: %v", got)
	}
	want(t, f, at(11), step.TakeRequest, "http://a")
}

// TestProbeOfTheNetwork: a host that answered is asked for anything, in its delay, and that says nothing of it.
func TestProbeOfTheNetwork(t *testing.T) {
	f := opened(t, frontier.Options{Live: true, MaxFailures: 1, Delay: 10 * time.Second, Connections: 1}, 2)
	if _, wait, ok := f.Probe("http://nobody", at(0)); ok || wait >= 0 {
		t.Error("a probe of an unknown host")
	}
	f.Done(want(t, f, at(0), step.TakeRequest, "http://a").ID, good(0))
	if got := f.Recent(5); !slices.Equal(got, []string{"http://a"}) {
		t.Fatalf("answered: %v", got)
	}
	if _, wait, ok := f.Probe("http://a", at(4)); ok || wait != 6*time.Second {
		t.Errorf("within the delay: %v, wait %v", ok, wait)
	}
	turn, _, ok := f.Probe("http://a", at(10))
	if !ok || turn.URL != "http://a/robots.txt" {
		t.Fatalf("%+v, %v", turn, ok)
	}
	if _, _, ok := f.Probe("http://a", at(99)); ok {
		t.Error("two probes at once")
	}
	f.Done(turn.ID, bad(11))
	if a, _ := f.Account("http://a"); a.Down != "" || a.Asked != 2 {
		t.Errorf("account %+v", a)
	}
	if _, wait, ok := f.Next(at(12)); ok || wait != 9*time.Second {
		t.Errorf("after a probe that started at 11 the host waits %v", wait)
	}
}

// TestProbeWithinItsDelay: a probe whose failure ends before the host's delay is over counts as one.
func TestProbeWithinItsDelay(t *testing.T) {
	f := opened(t, frontier.Options{Live: true, MaxFailures: 1, Delay: 10 * time.Second}, 2)
	fail := func(start float64) {
		turn := want(t, f, at(start), step.TakeRequest, "http://a")
		f.Done(turn.ID, step.Reply{Started: at(start), Ended: at(start + 1), Failure: orbweaver.ErrCut, Fault: step.FaultAnswer})
		f.Add(entry{ID: turn.ID, Host: "a"}.waiting())
	}
	fail(0)
	wantWait(t, f, at(1), 30*time.Second)
	fail(31)
	wantWait(t, f, at(32), time.Minute)
}

// TestHold: a host that is held gets no turn but probes, its requests go on waiting, and it is not what a crawl waits for.
func TestHold(t *testing.T) {
	f, now := frontier.New(frontier.Options{Live: true, Delay: time.Second}), time.Unix(1000, 0)
	f.Add(step.Waiting{ID: 1, Proposal: orbweaver.Proposal{Request: orbweaver.Request{URL: "http://a/x"}}})
	turn, _, ok := f.Next(now)
	if !ok || turn.Task != step.TakeAddress {
		t.Fatalf("%+v, %v", turn, ok)
	}
	f.Located(turn, "10.0.0.1:80", "", now)
	f.Hold("http://a", true)
	if turn, wait, ok := f.Next(now); ok || wait >= 0 {
		t.Errorf("a host that is held gets %+v, or in %v", turn, wait)
	}
	if alive, next, down := f.Prospect(time.Hour); alive || !next.IsZero() || down > 0 {
		t.Errorf("prospect %v, %v, %d", alive, next, down)
	}
	if got := f.Waits("http://a"); len(got) != 1 {
		t.Errorf("waits: %v", got)
	}
	probe, _, ok := f.Probe("http://a", now)
	if !ok {
		t.Fatal("no probe")
	}
	f.Done(probe.ID, step.Reply{Started: now, Ended: now})
	if _, wait, ok := f.Probe("http://a", now); ok || wait != time.Second {
		t.Errorf("the next probe is due in %v", wait)
	}
	f.Hold("http://a", false)
	if _, wait, ok := f.Next(now); ok || wait != time.Second {
		t.Errorf("its request is due in %v", wait)
	}
	if turn, _, ok := f.Next(now.Add(time.Second)); !ok || turn.ID != 1 {
		t.Errorf("%+v, %v", turn, ok)
	}
}
