package frontier_test

import (
	"slices"
	"testing"
	"time"

	"orbweaver"
	"orbweaver/frontier"
	"orbweaver/internal/step"
)

// polite returns options for the live Web with round numbers.
func polite() frontier.Options {
	return frontier.Options{Live: true, Robots: true, Delay: 10 * time.Second, Connections: 1}
}

// at returns start plus some seconds.
func at(seconds float64) time.Time {
	return start().Add(time.Duration(seconds * float64(time.Second)))
}

// want takes the next turn and checks it.
func want(t *testing.T, f *frontier.Frontier, now time.Time, task step.Task, host string) step.Turn {
	t.Helper()
	turn, wait, ok := f.Next(now)
	if !ok || turn.Task != task || turn.Host != host {
		t.Fatalf("at %v: got %+v (%v, wait %v), want task %d of %s", now.Sub(start()), turn, ok, wait, task, host)
	}
	if own := turn.ID>>63 == 1; own != (task != step.TakeRequest) {
		t.Fatalf("number %x of task %d", turn.ID, task)
	}
	return turn
}

// wantWait checks that there is no turn, and the wait.
func wantWait(t *testing.T, f *frontier.Frontier, now time.Time, want time.Duration) {
	t.Helper()
	turn, wait, ok := f.Next(now)
	if ok || wait != want {
		t.Fatalf("at %v: got %+v, %v, wait %v; want to wait %v", now.Sub(start()), turn, ok, wait, want)
	}
}

// good returns a successful reply within a second.
func good(seconds float64) step.Reply {
	return step.Reply{Started: at(seconds), Ended: at(seconds + 0.5)}
}

// bad returns an immediate failure.
func bad(seconds float64) step.Reply {
	return step.Reply{
		Started: at(seconds), Ended: at(seconds), Fault: step.FaultHost, Failure: orbweaver.ErrTimeout,
	}
}

// opened returns a frontier with requests at host a, whose address and robots.txt are known.
func opened(t *testing.T, opts frontier.Options, requests int) *frontier.Frontier {
	t.Helper()
	f := frontier.New(opts)
	for id := range uint64(requests) {
		f.Add(entry{ID: id, Host: "a"}.waiting())
	}
	if opts.Live {
		f.Located(want(t, f, start(), step.TakeAddress, "http://a"), "192.0.2.1:80", "", start())
	}
	if opts.Robots {
		turn := want(t, f, start(), step.TakeRobots, "http://a")
		f.Done(turn.ID, good(0))
		f.RobotsKnown("http://a", 0, "200", at(0.5))
	}
	return f
}

func TestAddressThenRobotsThenRequests(t *testing.T) {
	f := frontier.New(polite())
	if f.Open("http://a") {
		t.Error("a host never seen is open")
	}
	f.Add(entry{ID: 1, Host: "a"}.waiting())
	look := want(t, f, at(0), step.TakeAddress, "http://a")
	wantWait(t, f, at(0), -1)
	f.Located(look, "192.0.2.1:80", "", at(1))
	turn := want(t, f, at(1), step.TakeRobots, "http://a")
	if turn.URL != "http://a/robots.txt" || turn.For != "http://a" {
		t.Errorf("robots turn %+v", turn)
	}
	f.Done(turn.ID, good(1))
	wantWait(t, f, at(20), -1)
	if f.Open("http://a") {
		t.Error("open before its rules are known")
	}
	f.RobotsKnown("http://a", 0, "200", at(2))
	if !f.Open("http://a") {
		t.Error("closed though its rules are known")
	}
	wantWait(t, f, at(2), 9*time.Second)
	if turn := want(t, f, at(11), step.TakeRequest, "http://a"); turn.ID != 1 {
		t.Errorf("request %+v", turn)
	}
}

func TestWithoutRobotsAHostIsOpenOnceLocated(t *testing.T) {
	f := opened(t, frontier.Options{Live: true}, 2)
	want(t, f, at(0), step.TakeRequest, "http://a")
	want(t, f, at(0), step.TakeRequest, "http://a")
	if !f.Open("http://a") || !f.Open("http://b") {
		t.Error("robots.txt is not needed")
	}
}

// TestDelayRunsFromTheStart: the request starts three seconds after its turn.
func TestDelayRunsFromTheStart(t *testing.T) {
	for _, told := range []bool{false, true} {
		f := opened(t, frontier.Options{Live: true, Delay: 10 * time.Second, Connections: 2}, 3)
		turn := want(t, f, at(0), step.TakeRequest, "http://a")
		wantWait(t, f, at(2), -1) // it may start at any moment
		if told {
			f.Started(turn.ID, at(3))
			wantWait(t, f, at(4), 9*time.Second)
		}
		f.Done(turn.ID, good(3))
		wantWait(t, f, at(4), 9*time.Second)
		next := want(t, f, at(13), step.TakeRequest, "http://a")
		f.Done(next.ID, step.Reply{Ended: at(14)}) // it never started
		want(t, f, at(14), step.TakeRequest, "http://a")
	}
}

func TestHostsOfOneAddressShareItsSlotsAndDelay(t *testing.T) {
	f := frontier.New(frontier.Options{Live: true, Delay: 10 * time.Second, Connections: 1})
	for i, place := range []struct{ host, address string }{
		{"c", "192.0.2.1:80"}, {"b", "192.0.2.1:80"}, {"a", "192.0.2.2:80"}, {"d", "192.0.2.1:8080"},
	} {
		f.Add(entry{ID: uint64(i), Host: place.host, Score: float64(i)}.waiting())
		f.Located(want(t, f, at(0), step.TakeAddress, "http://"+place.host), place.address, "", at(0))
	}
	want(t, f, at(0), step.TakeRequest, "http://d")
	want(t, f, at(0), step.TakeRequest, "http://a")
	turn := want(t, f, at(0), step.TakeRequest, "http://b")
	wantWait(t, f, at(0), -1)
	f.Done(turn.ID, good(0))
	wantWait(t, f, at(1), 9*time.Second)
	want(t, f, at(10), step.TakeRequest, "http://c")
}

func TestOrderAtAHost(t *testing.T) {
	f := frontier.New(frontier.Options{Live: true})
	f.Add(entry{ID: 9, Host: "a", Score: 1}.waiting())
	f.Located(want(t, f, at(0), step.TakeAddress, "http://a"), "192.0.2.1:80", "", at(0))
	f.Add(entry{ID: 1, Host: "a", Score: 0.1, Ahead: true}.waiting())
	first, second := f.Subresource("http://a/one"), f.Subresource("http://a/two")
	f.Hop(step.Turn{For: "http://x"}, "http://a/robots-of-x")
	var got []uint64
	for i := range 5 {
		turn, _, _ := f.Next(at(0))
		if i == 0 && (turn.Task != step.TakeRobots || turn.For != "http://x" || turn.URL != "http://a/robots-of-x") {
			t.Errorf("the hop first: %+v", turn)
		}
		if i > 0 {
			got = append(got, turn.ID)
		}
	}
	if !slices.Equal(got, []uint64{first, second, 1, 9}) {
		t.Errorf("order %v", got)
	}
}

func TestAHopNeedsNoRobotsButAnAddress(t *testing.T) {
	f := frontier.New(polite())
	f.Add(entry{ID: 1, Host: "a"}.waiting())
	f.Located(want(t, f, at(0), step.TakeAddress, "http://a"), "192.0.2.1:80", "", at(0))
	turn := want(t, f, at(0), step.TakeRobots, "http://a")
	f.Done(turn.ID, good(0))
	f.Hop(turn, "http://b/robots.txt")
	subresource := f.Subresource("http://b/sitemap.xml")
	f.Located(want(t, f, at(1), step.TakeAddress, "http://b"), "192.0.2.2:80", "", at(1))
	hop := want(t, f, at(1), step.TakeRobots, "http://b")
	if hop.For != "http://a" {
		t.Fatalf("hop %+v", hop)
	}
	wantWait(t, f, at(1), -1) // in b's slot
	f.Done(hop.ID, good(1))
	f.RobotsKnown("http://a", 0, "200", at(2))
	own := want(t, f, at(11), step.TakeRobots, "http://b") // for the subresource request of the host that comes first
	if own.For != "http://b" {
		t.Errorf("robots turn %+v", own)
	}
	want(t, f, at(11), step.TakeRequest, "http://a")
	f.Done(own.ID, good(11))
	f.RobotsKnown("http://b", 0, "404", at(12))
	if turn := want(t, f, at(21), step.TakeSubresource, "http://b"); turn.ID != subresource || turn.URL != "http://b/sitemap.xml" {
		t.Errorf("subresource request %+v", turn)
	}
}

func TestRobotsGrowOld(t *testing.T) {
	f := opened(t, polite(), 2)
	f.Done(want(t, f, at(24*3600), step.TakeRequest, "http://a").ID, good(24*3600))
	want(t, f, at(24*3600+11), step.TakeRobots, "http://a")
}

func TestCrawlDelay(t *testing.T) {
	for _, tc := range []struct{ asked, want time.Duration }{
		{0, 10 * time.Second}, {3 * time.Second, 10 * time.Second}, {25 * time.Second, 25 * time.Second},
		{-time.Hour, 10 * time.Second},
	} {
		f := opened(t, polite(), 1)
		f.RobotsKnown("http://a", tc.asked, "200", at(0.5))
		wantWait(t, f, at(1), tc.want-time.Second)
		if a, _ := f.Account("http://a"); a.Delay != tc.want {
			t.Errorf("Crawl-delay %v: %v in force, want %v", tc.asked, a.Delay, tc.want)
		}
	}
}

func TestALostAddressIsLookedUpAgain(t *testing.T) {
	for _, tc := range []struct {
		failure orbweaver.Failure
		started bool
		lost    bool
	}{
		{orbweaver.ErrConnect, false, true}, {orbweaver.ErrNoHost, false, true},
		{orbweaver.ErrTimeout, false, true}, {orbweaver.ErrTimeout, true, false},
		{orbweaver.ErrTLS, false, false}, {orbweaver.ErrCut, true, false},
	} {
		f := opened(t, frontier.Options{Live: true, Delay: time.Second}, 2)
		r := step.Reply{Ended: at(1), Fault: step.FaultHost, Failure: tc.failure}
		if tc.started {
			r.Started = at(0.5)
		}
		f.Done(want(t, f, at(0), step.TakeRequest, "http://a").ID, r)
		task := step.TakeRequest
		if tc.lost {
			task = step.TakeAddress
		}
		want(t, f, at(10), task, "http://a")
	}
}

func TestLookUpsThatFail(t *testing.T) {
	f := frontier.New(polite())
	f.Add(entry{ID: 1, Host: "a"}.waiting())
	for i := range 5 {
		now := at(float64(i) * 1000)
		f.Located(want(t, f, now, step.TakeAddress, "http://a"), "", orbweaver.ErrLookup, now)
	}
	f.Add(entry{ID: 2, Host: "b"}.waiting())
	f.Located(want(t, f, at(0), step.TakeAddress, "http://b"), "", orbweaver.ErrPrivate, at(0))
	wantWait(t, f, at(4000), 30*time.Second) // the first probe of a; b gets none
	for host, why := range map[string]orbweaver.Failure{"http://a": orbweaver.ErrLookup, "http://b": orbweaver.ErrPrivate} {
		if a, _ := f.Account(host); a.Down != why || a.Asked != 0 {
			t.Errorf("account %+v", a)
		}
	}
}

func TestDrop(t *testing.T) {
	f := opened(t, frontier.Options{Live: true}, 4)
	subresource := f.Subresource("http://a/x")
	f.Drop(0, 2, subresource, 99)
	if got := f.Waits("http://a"); !slices.Equal(got, []uint64{1, 3}) {
		t.Errorf("wait: %v", got)
	}
	if got := drain(f, at(0)); !slices.Equal(got, []uint64{1, 3}) {
		t.Errorf("given: %v", got)
	}
}

func TestRounds(t *testing.T) {
	f := frontier.New(frontier.Options{Delay: 10 * time.Second, HostPages: 9})
	for id := range uint64(6) {
		f.Add(entry{ID: id, Host: string(rune('a' + id%2)), Score: float64(id)}.waiting())
	}
	f.Add(entry{ID: 99, Host: "spent", Score: 99}.waiting())
	f.Count("http://spent/", 9)
	turn := want(t, f, at(0), step.TakeRequest, "http://b") // 5; the host rests then
	f.Done(turn.ID, good(0))
	if got := f.Select(3); !slices.Equal(got, []uint64{4, 3, 2}) {
		t.Fatalf("the best of all that wait: %v", got)
	}
	f.Add(entry{ID: 10, Host: "a", Score: 50}.waiting())             // not in the round
	f.Add(entry{ID: 11, Host: "c", Score: 1, Ahead: true}.waiting()) // not in the round, but a redirect target
	f.Add(entry{ID: 2, Host: "a", Score: 60}.waiting())              // a second opinion
	if got := f.Head(9); !slices.Equal(got, []uint64{11, 2, 4}) {
		t.Errorf("Head = %v", got)
	}
	now := at(10)
	var got []uint64
	for {
		turn, wait, ok := f.Next(now)
		if !ok && wait < 0 {
			break
		}
		if now = now.Add(wait); ok {
			got = append(got, turn.ID)
			f.Done(turn.ID, step.Reply{Started: now, Ended: now})
		}
	}
	if !slices.Equal(got, []uint64{11, 2, 3, 4}) {
		t.Errorf("the round: %v", got)
	}
	if f.Len() != 4 {
		t.Errorf("%d wait after the round", f.Len())
	}
	f.Choose([]uint64{1, 4, 77})
	for range 2 { // two attempts
		now = now.Add(time.Minute)
		turn := want(t, f, now, step.TakeRequest, "http://b")
		if turn.ID != 1 {
			t.Errorf("of the round gone on with: %+v", turn)
		}
		f.Done(turn.ID, step.Reply{Started: now, Ended: now})
		wantWait(t, f, now.Add(time.Minute), -1)
		f.Add(entry{ID: 1, Host: "b", Score: 1}.waiting())
	}
	f.Drop(1)
	f.Unselect()
	if turn := want(t, f, now.Add(2*time.Minute), step.TakeRequest, "http://a"); turn.ID != 10 {
		t.Errorf("after the round: %+v", turn)
	}
}

// TestALookUpNeedsNoSlot: a host's lost address is in use by another host.
func TestALookUpNeedsNoSlot(t *testing.T) {
	f := frontier.New(frontier.Options{Live: true, Connections: 1})
	for i, host := range []string{"b", "a"} {
		f.Add(entry{ID: uint64(i), Host: host, Score: float64(i)}.waiting())
		f.Add(entry{ID: uint64(i + 2), Host: host, Score: float64(i)}.waiting())
		f.Located(want(t, f, at(0), step.TakeAddress, "http://"+host), "192.0.2.1:80", "", at(0))
	}
	turn := want(t, f, at(0), step.TakeRequest, "http://a")
	f.Done(turn.ID, step.Reply{Ended: at(0), Fault: step.FaultHost, Failure: orbweaver.ErrConnect})
	want(t, f, at(0), step.TakeRequest, "http://b")
	look := want(t, f, at(9), step.TakeAddress, "http://a")
	wantWait(t, f, at(9), -1)
	f.Located(look, "192.0.2.2:80", "", at(9))
	want(t, f, at(9), step.TakeRequest, "http://a")
}

// TestASlotIsGivenBackWhereItWasTaken: a host moves while a turn at its old address is in flight.
func TestASlotIsGivenBackWhereItWasTaken(t *testing.T) {
	f := frontier.New(frontier.Options{Live: true, Connections: 2})
	for i, host := range []string{"b", "a"} {
		f.Add(entry{ID: uint64(i), Host: host, Score: float64(i)}.waiting())
		f.Add(entry{ID: uint64(i + 2), Host: host, Score: float64(i)}.waiting())
		f.Located(want(t, f, at(0), step.TakeAddress, "http://"+host), "192.0.2.1:80", "", at(0))
	}
	first := want(t, f, at(0), step.TakeRequest, "http://a")
	second := want(t, f, at(0), step.TakeRequest, "http://a")
	f.Done(first.ID, step.Reply{Ended: at(0), Fault: step.FaultHost, Failure: orbweaver.ErrConnect})
	want(t, f, at(0), step.TakeRequest, "http://b")
	wantWait(t, f, at(0), -1)
	f.Done(second.ID, good(0))
	want(t, f, at(1), step.TakeRequest, "http://b")
}

func TestASpentHostShowsNothingOfItsRound(t *testing.T) {
	f := frontier.New(frontier.Options{HostPages: 1})
	f.Add(entry{ID: 1, Host: "a"}.waiting())
	f.Add(entry{ID: 2, Host: "a"}.waiting())
	f.Select(2)
	want(t, f, at(0), step.TakeRequest, "http://a")
	subresource := f.Subresource("http://a/x")
	if got := f.Head(9); len(got) > 0 {
		t.Errorf("Head = %v", got)
	}
	if turn := want(t, f, at(0), step.TakeSubresource, "http://a"); turn.ID != subresource {
		t.Errorf("subresource request %+v", turn)
	}
	wantWait(t, f, at(0), -1)
}

// TestARequestSentAgain: a request was resent, so that its start is later than first reported.
func TestARequestSentAgain(t *testing.T) {
	f := opened(t, frontier.Options{Live: true, Delay: 10 * time.Second, Connections: 2}, 2)
	turn := want(t, f, at(0), step.TakeRequest, "http://a")
	f.Started(turn.ID, at(1))
	f.Done(turn.ID, good(4))
	wantWait(t, f, at(5), 9*time.Second)
	if a, _ := f.Account("http://a"); a.Asked != 1 || !a.Last.Equal(at(4)) {
		t.Errorf("account %+v", a)
	}
}
