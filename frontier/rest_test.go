package frontier_test

import (
	"testing"
	"time"

	"orbweaver"
	"orbweaver/frontier"
	"orbweaver/internal/step"
)

// TestBackOff checks the bounds of the rest after consecutive troubles.
func TestBackOff(t *testing.T) {
	for _, tc := range []struct {
		name     string
		delay    time.Duration
		max      time.Duration
		troubles int
		least    time.Duration
		most     time.Duration
	}{
		{"one", 10 * time.Second, 0, 1, 20 * time.Second, 30 * time.Second},
		{"two", 10 * time.Second, 0, 2, 40 * time.Second, 60 * time.Second},
		{"three", 10 * time.Second, 0, 3, 80 * time.Second, 120 * time.Second},
		{"a second at least", 100 * time.Millisecond, 0, 1, time.Second, 1500 * time.Millisecond},
		{"no delay", 0, 0, 1, time.Second, 1500 * time.Millisecond},
		{"no delay, three", 0, 0, 3, 4 * time.Second, 6 * time.Second},
		{"MaxRest", 10 * time.Second, 25 * time.Second, 4, 25 * time.Second, 25 * time.Second},
		{"MaxRest is ten minutes", 10 * time.Second, 0, 9, 10 * time.Minute, 10 * time.Minute},
	} {
		t.Run(tc.name, func(t *testing.T) {
			rests := map[time.Duration]bool{}
			for seed := range uint64(20) {
				f := opened(t, frontier.Options{
					Live: true, Delay: tc.delay, MaxRest: tc.max, MaxFailures: 10, Seed: seed,
				}, 20)
				now, rest := start(), time.Duration(0)
				for range tc.troubles {
					turn := want(t, f, now, step.TakeRequest, "http://a")
					f.Done(turn.ID, bad(now.Sub(start()).Seconds()))
					_, rest, _ = f.Next(now)
					now = now.Add(rest)
				}
				if rest < tc.least-time.Microsecond || rest > tc.most {
					t.Errorf("a rest of %v, want %v to %v", rest, tc.least, tc.most)
				}
				rests[rest] = true
			}
			if tc.least < tc.most && len(rests) < 10 {
				t.Errorf("%d different rests of 20", len(rests))
			}
		})
	}
}

func TestAGoodReplyEndsTroubles(t *testing.T) {
	f := opened(t, frontier.Options{Live: true, Delay: time.Second, MaxFailures: 2}, 9)
	now := 0.0
	for i := range 8 {
		reply := good(now)
		if i%2 == 0 {
			reply = bad(now)
		}
		f.Done(want(t, f, at(now), step.TakeRequest, "http://a").ID, reply)
		now += 10
	}
	if a, _ := f.Account("http://a"); a.Down != "" || a.Failures[orbweaver.ErrTimeout] != 4 {
		t.Errorf("account %+v", a)
	}
}

func TestDown(t *testing.T) {
	for _, tc := range []struct {
		name  string
		reply step.Reply
		times int
		down  orbweaver.Failure
		probe time.Duration // until the first
	}{
		{"five troubles", bad(0), 5, orbweaver.ErrTimeout, 30 * time.Second},
		{"four are too few", bad(0), 4, "", 0},
		{"bodies that end early are no trouble of the host", step.Reply{
			Started: at(0), Ended: at(0), Fault: step.FaultDocument, Failure: orbweaver.ErrCut,
		}, 9, "", 0},
		{"asked to stay away for long", step.Reply{
			Started: at(0), Ended: at(0), Fault: step.FaultHost, Failure: orbweaver.ErrStatus, RetryAfter: 2 * time.Hour,
		}, 1, orbweaver.ErrStatus, 2 * time.Hour},
		{"for an hour is waited", step.Reply{
			Started: at(0), Ended: at(0), Fault: step.FaultHost, Failure: orbweaver.ErrStatus, RetryAfter: time.Hour,
		}, 1, "", 0},
		{"a refusal of one page is no trouble", step.Reply{
			Started: at(0), Ended: at(0), Failure: orbweaver.ErrStatus,
		}, 9, "", 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := opened(t, frontier.Options{Live: true, MaxRest: time.Second}, 20)
			late := f.Subresource("http://a/late")
			f.Done(late, good(0))
			for i := range tc.times {
				now := at(float64(i) * 10)
				reply := tc.reply
				reply.Started, reply.Ended = now, now
				turn, _, ok := f.Next(now)
				if !ok {
					t.Fatal("no turn")
				}
				if i == 0 && turn.ID != late {
					t.Fatalf("%+v before the subresource request", turn)
				}
				f.Done(turn.ID, reply)
			}
			subresource := f.Subresource("http://a/later")
			f.Hop(step.Turn{For: "http://x"}, "http://a/robots.txt")
			if a, _ := f.Account("http://a"); a.Down != tc.down {
				t.Fatalf("down: %q, want %q", a.Down, tc.down)
			}
			failed := f.Failed()
			if tc.down == "" {
				if failed != nil {
					t.Errorf("failed: %+v", failed)
				}
				return
			}
			wantWait(t, f, at(float64(tc.times-1)*10), tc.probe)
			if len(failed) != 2 || failed[0].ID != subresource || failed[1].For != "http://x" || f.Failed() != nil {
				t.Errorf("failed: %+v", failed)
			}
			if n := len(f.Waits("http://a")); n != f.Len() || n == 0 {
				t.Errorf("%d wait at the host, %d in all", n, f.Len())
			}
			if _, _, down := f.Resting(at(9999)); down != 1 {
				t.Errorf("%d hosts down", down)
			}
		})
	}
}

func TestWhatWaitsFailsWhenAHostGoesDown(t *testing.T) {
	f := opened(t, frontier.Options{Live: true, MaxFailures: 1}, 1)
	turn := want(t, f, at(0), step.TakeRequest, "http://a")
	subresource := f.Subresource("http://a/x")
	f.Hop(step.Turn{For: "http://b"}, "http://a/r")
	f.Done(turn.ID, bad(0))
	failed := f.Failed()
	if len(failed) != 2 || failed[0].For != "http://b" || failed[1].ID != subresource {
		t.Errorf("failed: %+v", failed)
	}
	f.Hop(turn, "mailto:nobody")
	if failed := f.Failed(); len(failed) != 1 {
		t.Errorf("a hop to no host: %+v", failed)
	}
}

func TestRest(t *testing.T) {
	for _, tc := range []struct {
		name  string
		reply step.Reply
		want  float64 // seconds from start to the next turn
	}{
		{"the delay", good(0), 10},
		{"it asks for more", step.Reply{Started: at(0), Ended: at(1), RetryAfter: time.Minute}, 61},
		{"it asks for less", step.Reply{Started: at(0), Ended: at(1), RetryAfter: time.Second}, 10},
		{"slow, within the delay", step.Reply{Started: at(0), Ended: at(4)}, 10},
		{"slow", step.Reply{Started: at(0), Ended: at(9)}, 18},
		{"very slow", step.Reply{Started: at(0), Ended: at(3000)}, 600},
		{"nothing was asked", step.Reply{Ended: at(3)}, 3},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := opened(t, frontier.Options{Live: true, Delay: 10 * time.Second}, 2)
			f.Done(want(t, f, at(0), step.TakeRequest, "http://a").ID, tc.reply)
			if tc.want > 3 {
				wantWait(t, f, at(0), time.Duration(tc.want*float64(time.Second)))
			}
			want(t, f, at(tc.want), step.TakeRequest, "http://a")
		})
	}
}

// TestRobotsTrouble: trouble with robots.txt counts once per request, whichever call reports it first, and a
// successful redirect does not reset it.
func TestRobotsTrouble(t *testing.T) {
	for _, tc := range []struct {
		name string
		tell func(f *frontier.Frontier, turn step.Turn, now float64)
	}{
		{"Done, then RobotsUnavailable", func(f *frontier.Frontier, turn step.Turn, now float64) {
			f.Done(turn.ID, bad(now))
			f.RobotsUnavailable("http://a", "503", at(now))
		}},
		{"RobotsUnavailable, then Done", func(f *frontier.Frontier, turn step.Turn, now float64) {
			f.RobotsUnavailable("http://a", "503", at(now))
			f.Done(turn.ID, bad(now))
		}},
		{"a good reply of no use", func(f *frontier.Frontier, turn step.Turn, now float64) {
			f.Done(turn.ID, good(now))
			f.RobotsUnavailable("http://a", "redirects", at(now))
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			opts := polite()
			opts.Connections = 2
			f := frontier.New(opts)
			f.Add(entry{ID: 1, Host: "a"}.waiting())
			f.Located(want(t, f, at(0), step.TakeAddress, "http://a"), "192.0.2.1:80", "", at(0))
			for i := range 5 {
				now := float64(i * 1000)
				if a, _ := f.Account("http://a"); a.Down != "" {
					t.Fatalf("down after %d", i)
				}
				tc.tell(f, want(t, f, at(now), step.TakeRobots, "http://a"), now)
			}
			if a, _ := f.Account("http://a"); a.Down == "" || a.Asked != 5 {
				t.Errorf("account %+v", a)
			}
		})
	}
}

// TestRulesEndTroubles: a host's robots.txt succeeds at the second attempt, and the host fails again later.
func TestRulesEndTroubles(t *testing.T) {
	opts := polite()
	opts.MaxFailures = 2
	f := frontier.New(opts)
	f.Add(entry{ID: 1, Host: "a"}.waiting())
	f.Located(want(t, f, at(0), step.TakeAddress, "http://a"), "192.0.2.1:80", "", at(0))
	f.Done(want(t, f, at(0), step.TakeRobots, "http://a").ID, bad(0))
	f.RobotsUnavailable("http://a", "503", at(0))
	f.Done(want(t, f, at(100), step.TakeRobots, "http://a").ID, good(100))
	f.RobotsKnown("http://a", 0, "200", at(100))
	f.Done(want(t, f, at(200), step.TakeRequest, "http://a").ID, bad(200))
	if a, _ := f.Account("http://a"); a.Down != "" || a.Robots != "200" {
		t.Errorf("account %+v", a)
	}
}

// TestTheFirstReasonStands: two turns in flight at one host both put it down.
func TestTheFirstReasonStands(t *testing.T) {
	f := opened(t, frontier.Options{Live: true, MaxFailures: 1}, 3)
	first := want(t, f, at(0), step.TakeRequest, "http://a")
	second := want(t, f, at(0), step.TakeRequest, "http://a")
	f.Done(first.ID, bad(0))
	f.Done(second.ID, step.Reply{Started: at(0), Ended: at(1), Fault: step.FaultHost, Failure: orbweaver.ErrCut})
	if a, _ := f.Account("http://a"); a.Down != orbweaver.ErrTimeout {
		t.Errorf("account %+v", a)
	}
	if ids := f.Select(9); len(ids) > 0 {
		t.Errorf("a round of a host that is down: %v", ids)
	}
}
