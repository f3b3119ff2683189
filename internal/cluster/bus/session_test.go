package bus

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// A clock is turned by hand.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) turn(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// A member is a worker with a clock of its own, which may show any time.
type member struct {
	*Bus
	*Session
	*clock
}

// join connects a worker that begins a session.
func join(t *testing.T, s *Server, worker string, shows time.Time) member {
	t.Helper()
	m := member{clock: &clock{now: shows}}
	m.Bus = dial(t, worker, func(o *Options) { o.Server, o.Now = s, m.clock.Now })
	var err error
	if m.Session, err = m.Bus.Join(soon(t), lease); err != nil {
		t.Fatal(err)
	}
	return m
}

const lease = 8 * time.Second

// stay lets time pass in which the worker renews its session.
func (m member) stay(t *testing.T, d time.Duration) {
	t.Helper()
	for d > 0 {
		step := min(d, lease/2)
		m.turn(step)
		d -= step
		if err := m.Renew(soon(t)); err != nil {
			t.Fatal(err)
		}
	}
}

// claim claims a partition, and fails the test unless the error is as wanted.
func (m member) claim(t *testing.T, partition int, want error) uint64 {
	t.Helper()
	epoch, err := m.Claim(soon(t), partition, 0)
	if !errors.Is(err, want) {
		t.Fatalf("partition %d: epoch %d, %v, want %v", partition, epoch, err, want)
	}
	return epoch
}

// TestLease: a partition passes on when its owner's lease is over by the clock of who wants it, whatever the owner's clock shows, and the owner
// knows of it before.
func TestLease(t *testing.T) {
	t.Parallel()
	s := start(t)
	a := join(t, s, "a", time.Unix(1_000_000_000, 0))
	b := join(t, s, "b", time.Unix(2_000_000_000, 0))
	first := a.claim(t, 5, nil)
	if again := a.claim(t, 5, nil); again != first {
		t.Errorf("claimed again: epoch %d, then %d", first, again)
	}
	b.claim(t, 5, ErrOwned)
	b.stay(t, lease)
	b.claim(t, 5, ErrOwned) // an eighth is for clocks that run unequally
	a.turn(lease / 2)
	if err := a.Renew(soon(t)); err != nil || a.Until().Sub(a.Now()) != lease {
		t.Errorf("until %v at %v, %v", a.Until(), a.Now(), err)
	}
	b.stay(t, lease/8)
	b.claim(t, 5, ErrOwned) // renewed
	b.stay(t, lease+lease/8-1)
	b.claim(t, 5, ErrOwned)
	b.stay(t, 1)
	second := b.claim(t, 5, nil)
	if second <= first {
		t.Errorf("epoch %d after %d", second, first)
	}
	if err := a.Renew(soon(t)); !errors.Is(err, ErrSession) {
		t.Error(err)
	}
	a.claim(t, 6, ErrSession)
	if err := a.Leave(soon(t)); err != nil {
		t.Error(err)
	}
	var err error
	if a.Session, err = a.Bus.Join(soon(t), lease); err != nil {
		t.Fatal(err)
	}
	a.claim(t, 5, ErrOwned)
	if err := a.Release(soon(t), 5, Estate{From: "a", UpTo: 3}); err != nil {
		t.Error(err)
	}
	a.claim(t, 5, ErrOwned)
	if err := b.Release(soon(t), 5, Estate{From: "a", UpTo: 3}); err != nil {
		t.Error(err)
	}
	if third := a.claim(t, 5, nil); third <= second {
		t.Errorf("epoch %d after %d", third, second)
	}
	if err := a.Leave(soon(t)); err != nil {
		t.Error(err)
	}
	if _, err := b.Claim(soon(t), 5, 1<<60); err != nil {
		t.Error(err)
	}
	if owners, err := b.Owners(soon(t)); err != nil || owners[5] != (Owner{Partition: 5, Worker: "b", Epoch: 1<<60 + 1, Live: true, Estate: Estate{From: "a", UpTo: 3}}) {
		t.Errorf("%+v, %v", owners, err)
	}
}

// TestNotSeen: who saw nothing of an owner for long takes nothing from it if it has renewed.
func TestNotSeen(t *testing.T) {
	t.Parallel()
	s := start(t)
	a, b := join(t, s, "a", time.Now()), join(t, s, "b", time.Now())
	a.claim(t, 1, nil)
	b.claim(t, 1, ErrOwned)
	seen := b.roster.seen["a"]
	if err := a.Renew(soon(t)); err != nil {
		t.Fatal(err)
	}
	b.stay(t, 2*lease)
	stale := seen.beat
	stale.Over, stale.Tag = true, tag()
	if _, err := b.put(soon(t), liveKey+"a", stale, seen.revision); !errors.Is(err, errConflict) {
		t.Errorf("declared over as of before the renewal: %v", err)
	}
	b.claim(t, 1, ErrOwned) // sees the renewal now
	if err := a.Renew(soon(t)); err != nil {
		t.Error(err)
	}
}

// TestRenewalUnanswered: a renewal that was written, and whose answer was lost, leaves the session as it is.
func TestRenewalUnanswered(t *testing.T) {
	t.Parallel()
	a := join(t, start(t), "a", time.Now())
	if _, err := a.put(soon(t), liveKey+"a", beat{Session: a.id, Lease: lease, Tag: tag()}, a.revision); err != nil {
		t.Fatal(err)
	}
	if err := a.Renew(soon(t)); err != nil {
		t.Error(err)
	}
}

// TestEntryLost: an owner whose entry the servers lost keeps its partitions for its lease, and finds out when it renews.
func TestEntryLost(t *testing.T) {
	t.Parallel()
	s := start(t)
	a, b := join(t, s, "a", time.Now()), join(t, s, "b", time.Now())
	a.claim(t, 1, nil)
	stream, err := b.js.Stream(soon(t), b.entryStream())
	if err != nil {
		t.Fatal(err)
	}
	b.claim(t, 1, ErrOwned)
	if err = stream.Purge(soon(t), jetstream.WithPurgeSubject("$KV."+b.bucketName()+"."+liveKey+"a")); err != nil {
		t.Fatal(err)
	}
	b.claim(t, 1, ErrOwned)
	b.stay(t, lease+lease/8-1)
	b.claim(t, 1, ErrOwned)
	b.stay(t, 1)
	if err := a.Renew(soon(t)); !errors.Is(err, ErrSession) {
		t.Error(err)
	}
	b.claim(t, 1, nil)
}

// TestClaimedAtOnce: of several that claim all partitions at once each has some or none, and no partition has two owners.
func TestClaimedAtOnce(t *testing.T) {
	t.Parallel()
	const partitions = 32
	s := start(t)
	var mu sync.Mutex
	var wg sync.WaitGroup
	owners := map[int]string{}
	for _, worker := range []string{"a", "b", "c"} {
		m := join(t, s, worker, time.Now())
		wg.Go(func() {
			for p := range partitions {
				_, err := m.Claim(soon(t), p, 0)
				mu.Lock()
				if err == nil && owners[p] != "" || err != nil && !errors.Is(err, ErrOwned) {
					t.Errorf("partition %d of %s: %s, %v", p, owners[p], worker, err)
				}
				if err == nil {
					owners[p] = worker
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	known, err := dial(t, "d", within(s)).Owners(soon(t))
	if err != nil || len(known) != partitions {
		t.Fatalf("%d owners, %v", len(known), err)
	}
	for p, o := range known {
		if o.Worker != owners[p] || !o.Live {
			t.Errorf("%+v, claimed by %s", o, owners[p])
		}
	}
}

// TestWatch: who watches is told of all owners, and of each change, across a disconnection.
func TestWatch(t *testing.T) {
	t.Parallel()
	s := start(t)
	a, watcher := join(t, s, "a", time.Now()), dial(t, "watcher", within(s))
	epoch := a.claim(t, 1, nil)
	ctx, cancel := context.WithCancel(soon(t))
	told, ended := make(chan Owner, 9), make(chan error, 1)
	go func() {
		ended <- watcher.Watch(ctx, func(o Owner) error { told <- o; return nil })
	}()
	if o := <-told; o != (Owner{Partition: 1, Worker: "a", Epoch: epoch, Live: true}) {
		t.Errorf("%+v", o)
	}
	if err := watcher.conn.ForceReconnect(); err != nil {
		t.Fatal(err)
	}
	if err := a.Release(soon(t), 1, Estate{From: "a", UpTo: 3}); err != nil {
		t.Fatal(err)
	}
	for o := range told {
		if o == (Owner{Partition: 1, Epoch: epoch, Estate: Estate{From: "a", UpTo: 3}}) {
			break
		}
	}
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	for range 2 {
		if err := watcher.Watch(soon(t), func(Owner) error { return errEnough }); !errors.Is(err, errEnough) {
			t.Error(err)
		}
	}
}

// TestTwoOfAName: a worker that is in session, or may be, is not joined again under its name.
func TestTwoOfAName(t *testing.T) {
	t.Parallel()
	s := start(t)
	a := join(t, s, "a", time.Now())
	other := clock{now: time.Now()}
	twin := dial(t, "a", func(o *Options) { o.Server, o.Now = s, other.Now })
	if _, err := twin.Join(soon(t), lease); !errors.Is(err, ErrTaken) {
		t.Error(err)
	}
	other.turn(lease + lease/8)
	if _, err := twin.Join(soon(t), lease); err != nil {
		t.Error(err)
	}
	if err := a.Renew(soon(t)); !errors.Is(err, ErrSession) {
		t.Error(err)
	}
}

// TestQuotas: takers at once get all of a limit and no more; what is given back is had again.
func TestQuotas(t *testing.T) {
	t.Parallel()
	const limit, takers = 100, 8
	s := start(t)
	var wg sync.WaitGroup
	var mu sync.Mutex
	var total int64
	for taker := range takers {
		b := dial(t, fmt.Sprint(taker), within(s))
		wg.Go(func() {
			for {
				got, err := b.Take(soon(t), "pages", 7, limit)
				if err != nil {
					t.Error(err)
				}
				if got == 0 {
					return
				}
				mu.Lock()
				total += got
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if total != limit {
		t.Errorf("%d taken of %d", total, limit)
	}
	b := dial(t, "b", within(s))
	for _, tc := range []struct{ back, want, limit, got int64 }{
		{0, 5, limit, 0}, {30, 5, limit, 5}, {0, 50, limit, 25}, {1, 1, limit - 1, 0}, {0, 1, limit, 1}, {limit * 2, limit, limit, limit},
	} {
		if err := b.GiveBack(soon(t), "pages", tc.back); err != nil {
			t.Fatal(err)
		}
		if got, err := b.Take(soon(t), "pages", tc.want, tc.limit); err != nil || got != tc.got {
			t.Errorf("%+v: %d, %v", tc, got, err)
		}
	}
	if _, err := b.Take(soon(t), "pages", -1, limit); err == nil {
		t.Error("less than nothing is taken")
	}
	if err := b.GiveBack(soon(t), "pages", -1); err == nil {
		t.Error("less than nothing is given back")
	}
}
