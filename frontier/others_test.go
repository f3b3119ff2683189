package frontier_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"orbweaver/frontier"
	"orbweaver/internal/manners"
	"orbweaver/internal/step"
)

// guests returns the frontiers of two crawls that share hosts and addresses. Each has three requests at
// each of some hosts, which are at one address.
func guests(t *testing.T, opts frontier.Options, hosts ...string) (one, two *frontier.Frontier) {
	t.Helper()
	registry := manners.New()
	crawl := func() *frontier.Frontier {
		member := registry.Join(func(err error) { t.Error(err) })
		t.Cleanup(member.Close)
		opts.Others = member
		return visiting(t, opts, hosts...)
	}
	return crawl(), crawl()
}

// visiting returns a frontier with three requests at each of some hosts, which are at one address.
func visiting(t *testing.T, opts frontier.Options, hosts ...string) *frontier.Frontier {
	t.Helper()
	f := frontier.New(opts)
	for i, host := range hosts {
		for n := range 3 {
			f.Add(entry{ID: uint64(10*i + n + 1), Host: host}.waiting())
		}
	}
	for range hosts {
		turn, _, ok := f.Next(start())
		if !ok || turn.Task != step.TakeAddress {
			t.Fatalf("got %+v, %v, want an address", turn, ok)
		}
		f.Located(turn, "192.0.2.1:80", "", start())
	}
	return f
}

// plain returns the options of crawls that ask for no robots.txt.
func plain() frontier.Options {
	opts := polite()
	opts.Robots = false
	return opts
}

// wantNone checks that a crawl has no turn, and that it is worth asking again at a time.
func wantNone(t *testing.T, f *frontier.Frontier, now, again float64) {
	t.Helper()
	wantWait(t, f, at(now), at(again).Sub(at(now)))
}

// page takes a turn for a page of a host.
func page(t *testing.T, f *frontier.Frontier, now float64, host string) step.Turn {
	t.Helper()
	return want(t, f, at(now), step.TakeRequest, host)
}

// TestOthersDelay: two crawls at a host are a delay apart, start to start, and one waits while the other's request is under way.
func TestOthersDelay(t *testing.T) {
	one, two := guests(t, plain(), "a")
	first := page(t, one, 0, "http://a")
	wantNone(t, two, 0, 10)
	wantNone(t, two, 10, 11) // it is not over: asked again
	one.Done(first.ID, good(11))
	wantNone(t, two, 11.5, 21)
	second := page(t, two, 21, "http://a")
	two.Done(second.ID, good(21))
	wantNone(t, one, 21, 31)
	page(t, one, 31, "http://a")
}

// TestOthersLongerDelay: the longer of two crawls' delays lies between them, whoever comes first.
func TestOthersLongerDelay(t *testing.T) {
	registry := manners.New()
	crawl := func(delay time.Duration) *frontier.Frontier {
		opts := plain()
		opts.Delay, opts.Others = delay, registry.Join(func(err error) { t.Error(err) })
		return visiting(t, opts, "a")
	}
	slow, fast := crawl(60*time.Second), crawl(5*time.Second)
	turn := page(t, slow, 0, "http://a")
	slow.Done(turn.ID, good(0))
	wantNone(t, fast, 1, 60)
	turn = page(t, fast, 60, "http://a")
	fast.Done(turn.ID, good(60))
	wantNone(t, slow, 61, 120)
	page(t, slow, 120, "http://a")
}

// TestOthersRobots: a host whose robots.txt has answered is kept until its rules are read, and their Crawl-delay holds for the
// other crawl, which does not know it.
func TestOthersRobots(t *testing.T) {
	for _, tc := range []struct {
		name string
		read func(f *frontier.Frontier, turn step.Turn)
		free float64 // when the other crawl has its turn
	}{
		{"Crawl-delay", func(f *frontier.Frontier, _ step.Turn) { f.RobotsKnown("http://a", 45*time.Second, "200", at(30)) }, 45},
		{"none", func(f *frontier.Frontier, _ step.Turn) { f.RobotsKnown("http://a", 0, "404", at(30)) }, 30},
		{"redirected", func(f *frontier.Frontier, turn step.Turn) { f.Hop(turn, "http://elsewhere/robots.txt") }, 30},
	} {
		t.Run(tc.name, func(t *testing.T) {
			one, two := guests(t, polite(), "a")
			turn := want(t, one, at(0), step.TakeRobots, "http://a")
			one.Done(turn.ID, good(0))
			wantNone(t, two, 0.5, 10)
			wantNone(t, two, 29, 30) // its rules are not read yet: asked again
			tc.read(one, turn)
			if tc.free > 30.5 {
				wantNone(t, two, 30.5, tc.free)
			}
			want(t, two, at(max(tc.free, 30.5)), step.TakeRobots, "http://a")
		})
	}
}

// TestOthersRobotsUnavailable: the rest of a host whose robots.txt is not to be had holds for both.
func TestOthersRobotsUnavailable(t *testing.T) {
	one, two := guests(t, polite(), "a")
	turn := want(t, one, at(0), step.TakeRobots, "http://a")
	one.Done(turn.ID, good(0))
	one.RobotsUnavailable("http://a", "503", at(1))
	_, rest, _ := one.Next(at(1))
	if rest < 20*time.Second {
		t.Fatalf("rests for %v", rest)
	}
	wantWait(t, two, at(1), rest)
	want(t, two, at(1).Add(rest), step.TakeRobots, "http://a")
}

// TestOthersRest: a host that asks one crawl to come back later, or fails, is left alone by the other.
func TestOthersRest(t *testing.T) {
	later := bad(0)
	later.RetryAfter = 5 * time.Minute
	for name, tc := range map[string]struct {
		reply step.Reply
		least time.Duration
	}{"Retry-After": {later, 5 * time.Minute}, "failure": {bad(0), 20 * time.Second}} {
		one, two := guests(t, plain(), "a")
		turn := page(t, one, 0, "http://a")
		one.Done(turn.ID, tc.reply)
		_, rest, _ := one.Next(at(1))
		if rest+time.Second < tc.least {
			t.Fatalf("%s: rests for %v", name, rest)
		}
		wantWait(t, two, at(1), rest)
		want(t, two, at(1).Add(rest), step.TakeRequest, "http://a")
	}
}

// TestOthersAddress: hosts at one address count as one place for both crawls, and a crawl that does not get the address gives the
// host back.
func TestOthersAddress(t *testing.T) {
	registry := manners.New()
	crawl := func(host string) *frontier.Frontier {
		opts := plain()
		opts.Others = registry.Join(func(err error) { t.Error(err) })
		return visiting(t, opts, host)
	}
	one, two, three := crawl("a"), crawl("b"), crawl("b")
	turn := page(t, one, 0, "http://a")
	wantNone(t, two, 0, 10)
	one.Done(turn.ID, good(0))
	turn = page(t, two, 10, "http://b")
	two.Done(turn.ID, good(10))
	wantNone(t, three, 10, 20)
	page(t, three, 20, "http://b")
}

// TestOthersElsewhere: while another crawl keeps a host, this one asks a host at another address.
func TestOthersElsewhere(t *testing.T) {
	one, two := guests(t, plain(), "a")
	page(t, one, 0, "http://a")
	two.Add(entry{ID: 99, Host: "far"}.waiting())
	two.Located(want(t, two, at(0), step.TakeAddress, "http://far"), "192.0.2.9:80", "", at(0))
	page(t, two, 0, "http://far")
}

// TestOthersEnd: a crawl that ends in its request keeps the host for a delay only.
func TestOthersEnd(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "hosts")
	registry := func() *manners.Registry { return manners.Open(func() (string, error) { return dir, nil }) }
	ended, rests := registry().Join(func(err error) { t.Error(err) }), registry().Join(func(err error) { t.Error(err) })
	t.Cleanup(rests.Close)
	opts := plain()
	opts.Others = ended
	one := visiting(t, opts, "a")
	opts.Others = rests
	two := visiting(t, opts, "a")
	page(t, one, 0, "http://a")
	wantNone(t, two, 1, 10)
	ended.Close() // its request counts as started now, which is after all times of this test
	wantNone(t, two, 10, 20)
	wantNone(t, two, 20, 30) // the same for the address
	page(t, two, 30, "http://a")
}

// TestOthersAlone: with nobody else about, a crawl has the same turns at the same times as without others.
func TestOthersAlone(t *testing.T) {
	member := manners.New().Join(func(err error) { t.Error(err) })
	defer member.Close()
	opts := plain()
	without := itinerary(opts)
	opts.Others = member
	if with := itinerary(opts); with != without || strings.Count(with, "\n") != 12 {
		t.Errorf("with others\n%s\nwithout\n%s", with, without)
	}
}

// itinerary returns the turns of a crawl of three hosts at two addresses, with their times.
func itinerary(opts frontier.Options) (turns string) {
	f, now := frontier.New(opts), start()
	for id := range uint64(12) {
		f.Add(entry{ID: id + 1, Host: string('a' + rune(id%3))}.waiting())
	}
	for {
		turn, wait, ok := f.Next(now)
		switch {
		case ok && turn.Task == step.TakeAddress:
			f.Located(turn, fmt.Sprintf("192.0.2.%d:80", turn.Host[7]/'c'), "", now)
		case ok:
			turns += fmt.Sprintln(now.Sub(start()), turn.Host, turn.ID)
			reply := step.Reply{Started: now, Ended: now.Add(time.Second)}
			if turn.ID%4 == 0 {
				reply.Fault, reply.RetryAfter = step.FaultHost, 40*time.Second
			}
			f.Done(turn.ID, reply)
		case wait < 0:
			return turns
		default:
			now = now.Add(wait)
		}
	}
}
