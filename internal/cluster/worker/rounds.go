package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"orbweaver/engine"
	"orbweaver/internal/cluster/bus"
	"orbweaver/internal/step"
	"orbweaver/ledger"
)

// A crawl whose focus is a RoundSharer has a crew: the workers that were there when it began. Partitions stay where they are, and who is away is waited for. Between two
// rounds each worker hands something to all others, twice: what the round brought, and what it offers for the next one. That is kept in the worker's folder before it goes to
// the bus, so that a worker that was killed hands over the same, and again if the servers lost it. It stays until all are one round further.

// ErrLate is the error of a worker that came when others had begun the rounds of a crawl.
var ErrLate = errors.New("the crawl goes through its rounds by the workers that were there when it began, and no other can take part")

// crewNote is the note with the names of the crew.
const crewNote = "crew"

// Pauses of exchanges.
const (
	meetPause   = 10 * time.Millisecond  // between two looks whether another worker has handed something over, at first
	mostPause   = 200 * time.Millisecond // and at last
	revisePause = 2 * time.Second        // between two looks whether the servers still have what this one has handed over
)

// The kinds of exchanges.
const (
	lessons = "lessons"
	offers  = "offers"
)

// A rounds is what a worker knows of the rounds of a crew.
type rounds struct {
	kick chan struct{} // there is an exchange

	mu   sync.Mutex
	crew []string // by name; empty: it is not known
	now  *exchange
}

// An exchange is something that each worker hands to all.
type exchange struct {
	occasion
	own  *handed
	done bool // the following are known; guarded by rounds.mu
	theirs
}

// An occasion names an exchange.
type occasion struct {
	kind       string
	round, try int
}

func (o occasion) String() string { return fmt.Sprintf("%d-%s-%d", o.round, o.kind, o.try) }

// A theirs is what all workers have handed over.
type theirs struct {
	lessons   []step.Parcel
	proposals []step.Parcel
	offers    []engine.Offer // by worker, in the order of the crew
}

// Whole implements engine.Together.
func (w *Worker) Whole() engine.Limits { return w.limits }

// Lessons implements engine.Together.
func (w *Worker) Lessons(n int) (all engine.Lessons, ok bool, err error) {
	x, err := w.exchange(occasion{kind: lessons, round: n}, func() (*handed, error) { return w.brought(n) })
	if x == nil || err != nil {
		return all, false, err
	}
	return engine.Lessons{Lessons: slices.Clone(x.lessons), Proposals: slices.Clone(x.proposals), Taken: x.own.Taken}, true, nil
}

// Offers implements engine.Together.
func (w *Worker) Offers(n, try int, offer func() (engine.Offer, error)) (all []engine.Offer, own int, ok bool, err error) {
	x, err := w.exchange(occasion{offers, n, try}, func() (*handed, error) {
		o, err := offer()
		if err != nil {
			return nil, err
		}
		o.Worker = w.o.Worker
		text, err := json.Marshal(o)
		return &handed{parts: map[string][]byte{toAll: text}}, err
	})
	if x == nil || err != nil {
		return nil, 0, false, err
	}
	return x.offers, slices.Index(w.crewNow(), w.o.Worker), true, nil
}

// exchange returns an exchange that is over; nil: others have not come so far. make makes what this worker hands over, if it did not do so before.
func (w *Worker) exchange(o occasion, make func() (*handed, error)) (*exchange, error) {
	r := &w.rounds
	r.mu.Lock()
	x := r.now
	done := x != nil && x.occasion == o && x.done
	r.mu.Unlock()
	if done {
		return x, nil
	}
	if x != nil && x.occasion == o || !w.whole() {
		return nil, nil
	}
	if err := w.settled(); err != nil {
		return nil, err
	}
	own, err := w.handedBefore(o)
	if own == nil && err == nil {
		if own, err = make(); err == nil {
			err = w.keep(o, own)
		}
	}
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	r.now = &exchange{occasion: o, own: own}
	r.mu.Unlock()
	select {
	case r.kick <- struct{}{}:
	default:
	}
	return nil, nil
}

// settled has the ledger, as it is, outlast a power cut: what is handed over rests on it. Of messages that were handed over nothing is left.
func (w *Worker) settled() error {
	err := w.Flush()
	if err == nil && w.sync != nil {
		err = w.sync()
	}
	for p := 0; err == nil && p <= w.o.Partitions; p++ {
		err = w.dropTaken(w.outlet(p))
	}
	return err
}

// outlet returns the p-th of the partitions to which there may be messages: the last one is that of lessons.
func (w *Worker) outlet(p int) int {
	if p == w.o.Partitions {
		return ledger.LessonPartition
	}
	return p
}

func (w *Worker) dropTaken(partition int) error {
	taken, err := w.book.Taken(w.o.Worker, partition)
	if err != nil || taken == 0 {
		return err
	}
	for m, err := range w.book.Outbox(partition, 0) {
		if err != nil || m.N > taken {
			return err
		}
		return w.book.Delivered(partition, m.N-1, taken)
	}
	return nil
}

// brought collects what the requests of a round brought, which are the messages in the ledger. Of the seeds, which all workers find, those of the first count.
func (w *Worker) brought(round int) (*handed, error) {
	crew := w.crewNow()
	bodies, h := map[string][][]byte{}, &handed{parts: map[string][]byte{}}
	for p := range w.o.Partitions + 1 {
		p = w.outlet(p)
		to := toAll
		if p != ledger.LessonPartition {
			to = due(p, crew)
		}
		d := step.Delivery{From: w.o.Worker, Partition: p}
		for m, err := range w.book.Outbox(p, 0) {
			if err != nil {
				return nil, err
			}
			if d.Last = m.N; round > 0 || crew[0] == w.o.Worker {
				bodies[to] = append(bodies[to], m.Body)
			}
		}
		if d.Last > 0 {
			h.Taken = append(h.Taken, d)
		}
	}
	for to, all := range bodies {
		h.parts[to] = ledger.Bundle(all)
	}
	return h, nil
}

// crewNow returns the crew; none: it is not known.
func (w *Worker) crewNow() []string {
	w.rounds.mu.Lock()
	defer w.rounds.mu.Unlock()
	return w.rounds.crew
}

// whole reports whether the crew is known, and this worker has all its partitions.
func (w *Worker) whole() bool {
	crew := w.crewNow()
	for p := range w.o.Partitions {
		if len(crew) == 0 || due(p, crew) == w.o.Worker && w.hold[p].Load() != mine {
			return false
		}
	}
	return true
}

// muster finds out who the crew is, and notes it if nobody has; false: workers that are expected are not there.
func (w *Worker) muster(ctx context.Context) (bool, error) {
	if len(w.crewNow()) > 0 {
		return true, nil
	}
	crew, err := w.keptCrew()
	if err != nil {
		return false, err
	}
	for {
		var noted []string
		revision, err := w.o.Bus.Noted(ctx, crewNote, &noted)
		if err != nil {
			return false, err
		}
		if revision > 0 {
			if len(crew) > 0 && !slices.Equal(crew, noted) {
				return false, fmt.Errorf("this folder was begun by %s, and the crawl by %s: %w", strings.Join(crew, ", "), strings.Join(noted, ", "), ErrLate)
			}
			crew = noted
			break
		}
		if len(crew) == 0 {
			if present := w.present(); len(present) >= w.o.Expect && slices.Contains(present, w.o.Worker) {
				crew = slices.Sorted(slices.Values(present))
			} else {
				return false, nil
			}
		}
		if _, err = w.o.Bus.Note(ctx, crewNote, crew, 0); err == nil {
			break
		}
		if !errors.Is(err, bus.ErrChanged) {
			return false, err
		}
		if crew, err = w.keptCrew(); err != nil {
			return false, err
		}
	}
	if !slices.Contains(crew, w.o.Worker) {
		return false, fmt.Errorf("worker %s: %w: %s", w.o.Worker, ErrLate, strings.Join(crew, ", "))
	}
	if err := w.keepCrew(crew); err != nil {
		return false, err
	}
	w.rounds.mu.Lock()
	w.rounds.crew = crew
	w.rounds.mu.Unlock()
	return true, w.ended(ctx, w.crawl.Call(ctx, func() {}))
}

// meet hands over what this worker has for exchanges, and takes what others have.
func (w *Worker) meet(ctx context.Context) error {
	if !w.byRounds {
		return nil
	}
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-w.rounds.kick:
		}
		w.rounds.mu.Lock()
		x := w.rounds.now
		w.rounds.mu.Unlock()
		if err := w.conduct(ctx, x); err != nil {
			return w.ended(ctx, err)
		}
	}
}

// conduct conducts an exchange.
func (w *Worker) conduct(ctx context.Context, x *exchange) error {
	if err := w.handOver(ctx, x.occasion.String(), x.own.head); err != nil {
		return err
	}
	if x.kind == lessons {
		if err := w.forget(ctx, x.round); err != nil {
			return err
		}
	}
	crew := w.crewNow()
	var all theirs
	for _, from := range crew {
		if err := w.takeFrom(ctx, x, from, &all); err != nil {
			return err
		}
	}
	w.rounds.mu.Lock()
	x.theirs, x.done = all, true
	w.rounds.mu.Unlock()
	return w.crawl.Call(ctx, func() {})
}

// takeFrom takes what a worker hands over, as soon as it has.
func (w *Worker) takeFrom(ctx context.Context, x *exchange, from string, all *theirs) error {
	h := x.own
	if from != w.o.Worker {
		var err error
		if h, err = w.await(ctx, x, from); err != nil {
			return err
		}
	}
	if x.kind == offers {
		var o engine.Offer
		if err := json.Unmarshal(h.parts[toAll], &o); err != nil {
			return fmt.Errorf("offer of %s: %w", from, err)
		}
		all.offers = append(all.offers, o)
		return nil
	}
	for to, into := range map[string]*[]step.Parcel{toAll: &all.lessons, w.o.Worker: &all.proposals} {
		messages, err := ledger.Bundled(h.parts[to])
		if err != nil {
			return fmt.Errorf("lessons of %s: %w", from, err)
		}
		*into = append(*into, slices.Concat(messages...)...)
	}
	return nil
}

// await waits for what another worker hands over.
func (w *Worker) await(ctx context.Context, x *exchange, from string) (*handed, error) {
	looked := time.Now()
	for pause := meetPause; ; pause = min(2*pause, mostPause) {
		h, err := w.handedBy(ctx, x.occasion, from)
		if err == nil {
			return h, nil
		}
		if errors.Is(err, errGarbled) {
			return nil, err
		}
		if time.Since(looked) > revisePause {
			looked = time.Now()
			if err := w.revise(ctx); err != nil {
				return nil, err
			}
		}
		timer := time.NewTimer(pause)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return nil, ctx.Err()
		}
	}
}
