package queue_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"orbweaver/server/queue"
)

// work is an evaluation: it takes some time, in parts between which it pauses.
type work struct {
	client string
	cost   float64
	takes  time.Duration
	bytes  int64
}

// part is the time between two pauses.
const part = time.Millisecond

// run makes the evaluation, and returns how long it took in all.
func (w work) run(ctx context.Context, q *queue.Queue) (time.Duration, error) {
	began := time.Now()
	s, err := q.Enter(ctx, w.client, 0)
	if err != nil {
		return time.Since(began), err
	}
	defer s.Leave()
	err = s.Planned(w.cost)
	for done := time.Duration(0); done < w.takes && err == nil; done += part {
		<-time.After(part)
		if err = s.Pause(int64(done/part), w.bytes); err == nil {
			err = ctx.Err()
		}
	}
	return time.Since(began), err
}

// TestShortFirst: short evaluations are made at once beside any number of long ones, also where their plan was thought
// to be short, and where they come from the same client.
func TestShortFirst(t *testing.T) {
	for _, planned := range []float64{1e9, 1} {
		for _, client := range []string{"busy", "other"} {
			synctest.Test(t, func(t *testing.T) {
				q := queue.New(queue.Options{})
				var all sync.WaitGroup
				ctx, cancel := context.WithCancel(t.Context())
				for range 40 {
					all.Go(func() { _, _ = work{"busy", planned, time.Hour, 0}.run(ctx, q) })
				}
				<-time.After(10 * time.Second)
				for range 100 {
					if took, err := (work{client, 1, 5 * time.Millisecond, 0}).run(ctx, q); err != nil || took > 10*time.Millisecond {
						t.Errorf("planned %g, client %s: %v, %v", planned, client, took, err)
					}
					<-time.After(7 * time.Millisecond)
				}
				cancel()
				all.Wait()
			})
		}
	}
}

// TestClientsAlike: clients get the same time of the slots, one with one evaluation at a time and one with twenty; a
// client that was away for long gets no more than the others once it is back.
func TestClientsAlike(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := queue.New(queue.Options{Slots: 1})
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		var mu sync.Mutex
		got := map[string]time.Duration{}
		var all sync.WaitGroup
		begin := func(client string, n int, takes time.Duration) {
			for range n {
				all.Go(func() {
					for ctx.Err() == nil {
						s, err := q.Enter(ctx, client, 1e9)
						if err != nil {
							return
						}
						for done := time.Duration(0); done < takes && ctx.Err() == nil; done += part {
							<-time.After(part)
							mu.Lock()
							got[client] += part
							mu.Unlock()
							_ = s.Pause(1, 0)
						}
						s.Leave()
					}
				})
			}
		}
		begin("many", 20, 3*time.Second)
		begin("one", 1, time.Second)
		<-time.After(30 * time.Second)
		begin("late", 2, 300*time.Millisecond)
		all.Wait()
		// Halves of the first thirty seconds, thirds of the others.
		for client, want := range map[string]time.Duration{"many": 25 * time.Second, "one": 25 * time.Second, "late": 10 * time.Second} {
			if d := (got[client] - want).Abs(); d > time.Second {
				t.Errorf("%s had the slot for %v, want %v", client, got[client], want)
			}
		}
	})
}

// TestNobodyStarves: four clients that never end do not keep a fifth from the end of its evaluation, nor do short ones
// keep long ones.
func TestNobodyStarves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := queue.New(queue.Options{})
		ctx, cancel := context.WithCancel(t.Context())
		var all sync.WaitGroup
		for i := range 4 {
			all.Go(func() { _, _ = work{fmt.Sprint(i), 1e9, time.Hour, 0}.run(ctx, q) })
		}
		for range 30 {
			all.Go(func() {
				for ctx.Err() == nil {
					_, _ = work{"short", 1, 20 * time.Millisecond, 0}.run(ctx, q)
				}
			})
		}
		<-time.After(time.Second)
		if took, err := (work{"fifth", 1e9, 3 * time.Second, 0}).run(ctx, q); err != nil || took > 10*time.Second {
			t.Errorf("%v, %v", took, err)
		}
		cancel()
		all.Wait()
	})
}

// TestOrderOfAClient: of one client's evaluations those expected to be short come first, and one expected to be long
// is not overtaken for ever.
func TestOrderOfAClient(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := queue.New(queue.Options{Slots: 1, Quantum: time.Hour})
		first, err := q.Enter(t.Context(), "a", 1)
		if err != nil {
			t.Fatal(err)
		}
		var mu sync.Mutex
		var order []string
		var all sync.WaitGroup
		wait := func(name string, cost float64) {
			all.Go(func() {
				s, err := q.Enter(t.Context(), "a", cost)
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				order = append(order, name)
				mu.Unlock()
				<-time.After(part)
				s.Leave()
			})
			synctest.Wait()
		}
		wait("long", 1.1e6)
		wait("shorter", 0.3e6)
		wait("short", 2)
		first.Leave()
		all.Wait()
		if want := []string{"short", "shorter", "long"}; !slices.Equal(order, want) {
			t.Errorf("%v, want %v", order, want)
		}
		first, err = q.Enter(t.Context(), "a", 1)
		if err != nil {
			t.Fatal(err)
		}
		order = nil
		wait("long", 1.1e6)
		wait("0", 0.1e6)
		wait("1", 0.1e6)
		first.Leave()
		for i := range 40 { // each comes when another one is over
			<-time.After(part)
			wait(fmt.Sprint(i+2), 0.1e6)
		}
		all.Wait()
		if at := slices.Index(order, "long"); at < 0 || at == len(order)-1 {
			t.Errorf("the long one was the last: %v", order)
		}
	})
}

// TestFull: a client with too many evaluations that wait is refused at once, and no other; who waits in vain is told.
func TestFull(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := queue.New(queue.Options{Slots: 1, Waiting: 3, All: 5})
		held, err := q.Enter(t.Context(), "a", 1)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		var all sync.WaitGroup
		wait := func(client string) {
			all.Go(func() {
				if _, err := q.Enter(ctx, client, 1); !errors.Is(err, queue.ErrBusy) || !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("waited in vain: %v", err)
				}
			})
			synctest.Wait()
		}
		wait("a")
		wait("a")
		wait("a")
		if _, err := q.Enter(ctx, "a", 1); !errors.Is(err, queue.ErrFull) {
			t.Errorf("the fourth of a client: %v", err)
		}
		wait("b")
		wait("c")
		if _, err := q.Enter(ctx, "d", 1); !errors.Is(err, queue.ErrFull) {
			t.Errorf("the sixth of all: %v", err)
		}
		all.Wait()
		held.Leave()
		held.Leave()
		s, err := q.Enter(t.Context(), "a", 1)
		if err != nil {
			t.Fatalf("when all had left: %v", err)
		}
		s.Leave()
	})
}

// TestMemory: evaluations are suspended as long as those without a slot keep no more than the limit; beyond, a slot is
// kept by who has it, and a short one that grew long is refused.
func TestMemory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const limit = 100
		q := queue.New(queue.Options{Slots: 3, Memory: limit, Kept: 1000}) // two for long ones
		var mu sync.Mutex
		holds, idle, most, ends := map[int]bool{}, 0, 0, 0
		mark := func(i int, held bool) {
			mu.Lock()
			defer mu.Unlock()
			if holds[i] == held {
				return
			}
			if holds[i] = held; held {
				idle -= 40
			} else {
				idle += 40
			}
			most = max(most, idle)
		}
		var all sync.WaitGroup
		for i := range 6 {
			all.Go(func() {
				s, err := q.Enter(t.Context(), fmt.Sprint(i), 1e9)
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				holds[i] = true
				mu.Unlock()
				for range 2000 {
					<-time.After(part)
					mark(i, false) // while it may be suspended
					_ = s.Pause(1, 40)
					mark(i, true)
				}
				mu.Lock()
				ends++
				mu.Unlock()
				s.Leave()
			})
		}
		all.Wait()
		if ends != 6 || most > limit+2*40 { // two are within Pause, with their slots
			t.Errorf("%d ended, and %d bytes were kept", ends, most)
		}
	})
}

// TestAway: a slot is lent while a client takes an answer slowly, and only then.
func TestAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := queue.New(queue.Options{Slots: 1, Patience: 10 * time.Millisecond})
		s, err := q.Enter(t.Context(), "slow", 1)
		if err != nil {
			t.Fatal(err)
		}
		var all sync.WaitGroup
		all.Go(func() {
			if took, err := (work{"other", 1, 50 * time.Millisecond, 0}).run(t.Context(), q); err != nil || took != 65*time.Millisecond {
				t.Errorf("the other: %v, %v", took, err)
			}
		})
		synctest.Wait()
		began := time.Now()
		for range 5 { // quick enough
			if err := s.Away(func() { <-time.After(part) }); err != nil {
				t.Error(err)
			}
		}
		if err := s.Away(func() { <-time.After(20 * time.Millisecond) }); err != nil {
			t.Error(err)
		}
		if took := time.Since(began); took != 65*time.Millisecond { // it waits for the other one
			t.Errorf("back after %v", took)
		}
		s.Leave()
		all.Wait()
	})
}
