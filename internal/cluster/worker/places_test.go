package worker

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"orbweaver"
	"orbweaver/internal/cluster/addresses"
	"orbweaver/internal/cluster/bus"
)

// Places of these tests.
const (
	aHost     = "http://a.test"
	anAddress = "192.0.2.1:80"
)

// machine is the other crawls of a machine, which keep some places.
type machine struct {
	keeps map[string]bool
	turns map[string]int
}

func (m *machine) Claim(place string, _ time.Duration, now time.Time) (time.Time, bool) {
	if m.keeps[place] {
		return now.Add(time.Second), false
	}
	m.turns[place]++
	return now, true
}

func (m *machine) Release(place string, _ time.Time, _ time.Duration) { m.turns[place]-- }
func (m *machine) Rest(string, time.Time)                             {}

// alone returns the places of a worker that has all desks.
func alone(next *machine) *places {
	p := &places{next: next, self: "a", over: func() bool { return false }, wake: make(chan struct{}, 1), turns: map[string]stay{}}
	p.exchange = addresses.New("a", "1", addresses.Times{Grant: time.Second, Slack: time.Second}, p, time.Now())
	for n := range p.desks {
		p.desks[n] = seat{"a", 5, addresses.Desk{Epoch: 5, Since: time.Now()}}
	}
	return p
}

// TestPlaces: a turn at a host and its address is one among the workers of the crawl and among the crawls of the machine, or neither.
func TestPlaces(t *testing.T) {
	m := &machine{keeps: map[string]bool{}, turns: map[string]int{}}
	p := alone(m)
	now := time.Now()
	turn := func() (ok bool) {
		if _, ok = p.Claim(aHost, time.Second, now); ok {
			if _, ok = p.Claim(anAddress, time.Second, now); !ok {
				p.Release(aHost, time.Time{}, 0)
			}
		}
		return ok
	}
	if !turn() || m.turns[aHost] != 1 || m.turns[anAddress] != 1 || p.turns[aHost] != (stay{anAddress, 1}) {
		t.Fatalf("%v, %v", m.turns, p.turns)
	}
	m.keeps[anAddress] = true // a second turn, in vain
	if turn() || m.turns[aHost] != 1 || p.turns[aHost] != (stay{anAddress, 1}) {
		t.Errorf("%v, %v", m.turns, p.turns)
	}
	m.keeps[anAddress] = false
	p.desks = [len(p.desks)]seat{}
	p.exchange = addresses.New("a", "2", addresses.Times{Grant: time.Second}, p, now)
	if turn() || m.turns[aHost] != 1 || m.turns[anAddress] != 1 || p.turns[aHost] != (stay{anAddress, 1}) {
		t.Errorf("nobody has the desk: %v, %v", m.turns, p.turns)
	}
	p.Release(anAddress, now, time.Second)
	p.Release(aHost, now, time.Second)
	if m.turns[aHost] != 0 || m.turns[anAddress] != 0 || len(p.turns) != 0 {
		t.Errorf("at the end: %v, %v", m.turns, p.turns)
	}
	if _, ok := p.Claim(anAddress, 0, now); !ok {
		t.Error("without a delay nobody waits")
	}
}

// TestPlacesFetch: a request whose grant is over waits until it holds again.
func TestPlacesFetch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := alone(&machine{turns: map[string]int{}})
		asked := counted(0)
		web := granted{&asked, p}
		p.Claim(aHost, time.Second, time.Now())
		p.Claim(anAddress, time.Second, time.Now())
		<-time.After(2 * time.Second)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := web.Fetch(ctx, orbweaver.Request{URL: aHost + "/"}); err == nil || asked != 0 {
			t.Errorf("%v, %d requests", err, asked)
		}
		done := make(chan error, 1)
		go func() {
			_, err := web.Fetch(t.Context(), orbweaver.Request{URL: aHost + "/"})
			done <- err
		}()
		synctest.Wait()
		if asked != 0 {
			t.Error("asked without a grant")
		}
		p.mu.Lock()
		p.exchange.Letters(time.Now()) // the grant is renewed
		p.mu.Unlock()
		if err := <-done; err != nil || asked != 1 {
			t.Errorf("%v, %d requests", err, asked)
		}
		if _, err := web.Fetch(t.Context(), orbweaver.Request{URL: "http://b.test/"}); err != nil || asked != 2 {
			t.Errorf("of no turn: %v, %d requests", err, asked)
		}
	})
}

// TestSeats: a desk that this worker has just claimed is its own whatever it saw before, and is not once another has it.
func TestSeats(t *testing.T) {
	p := alone(nil)
	p.next = nil
	for _, tc := range []struct {
		name      string
		seen      bus.Owner
		has, open bool
		desk      string
	}{
		{"seen before it was claimed", bus.Owner{Worker: "b", Epoch: 4, Live: true}, true, true, "a"},
		{"its own", bus.Owner{Worker: "a", Epoch: 5, Live: true}, false, true, "a"},
		{"another's", bus.Owner{Worker: "b", Epoch: 6, Live: true}, false, false, "b"},
		{"of one that is gone", bus.Owner{Worker: "b", Epoch: 6}, false, false, ""},
	} {
		for n := range p.desks {
			if has := p.see(n, tc.seen); has != tc.has {
				t.Errorf("%s: %v", tc.name, has)
			}
		}
		_, open := p.Open(anAddress)
		if desk, _ := p.Desk(anAddress); open != tc.open || desk != tc.desk {
			t.Errorf("%s: open %v, desk %q", tc.name, open, desk)
		}
	}
}
