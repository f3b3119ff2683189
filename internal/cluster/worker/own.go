package worker

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/cespare/xxhash/v2"

	"orbweaver/engine"
	"orbweaver/internal/cluster/bus"
)

// Pauses of who owns what.
const (
	ownPause   = 500 * time.Millisecond // between two looks at owners
	givePause  = 50 * time.Millisecond  // between two looks at requests in flight of partitions that are given away
	expectTime = 5 * time.Second        // for the workers that are expected
)

// own takes partitions that are due to this worker, and gives those away that are due to others.
func (w *Worker) own(ctx context.Context) error {
	tick := time.NewTicker(ownPause)
	defer tick.Stop()
	if strays := w.strays(); len(strays) > 0 {
		if err := w.give(ctx, strays); err != nil {
			return err
		}
	}
	if err := w.unlessAway(w.takeIn(ctx)); err != nil {
		return err
	}
	for {
		if err := w.divide(ctx); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

// due returns the worker to which a partition is due, of those that want any: by highest random weight (D. Thaler and C. Ravishankar, A name-based mapping scheme
// for rendezvous, 1996), so that few move when a worker comes or leaves. The weights of a worker are the same everywhere.
func due(partition int, workers []string) (name string) {
	var most uint64
	for _, w := range workers {
		if weight := xxhash.Sum64String(fmt.Sprintf("%d/%s", partition, w)); name == "" || weight > most {
			name, most = w, weight
		}
	}
	return name
}

// present returns the workers that are there and want partitions.
func (w *Worker) present() (names []string) {
	if crew := w.crewNow(); len(crew) > 0 {
		return crew
	}
	for _, m := range w.o.Bus.Members() {
		if leaves := m.Leaves || m.Worker == w.o.Worker && w.leaving.Load(); m.Live && !leaves {
			names = append(names, m.Worker)
		}
	}
	return names
}

// awaits reports whether workers are expected that are not there yet.
func (w *Worker) awaits(present []string) bool {
	return len(present) < w.o.Expect && time.Since(w.began) < expectTime && !w.leaving.Load()
}

// divide looks once at who owns what.
func (w *Worker) divide(ctx context.Context) error {
	owners, err := w.o.Bus.Owners(ctx)
	if err != nil {
		return err
	}
	if w.byRounds {
		if whole, err := w.muster(ctx); !whole || err != nil {
			return err
		}
	}
	present := w.present()
	if !w.byRounds && w.awaits(present) {
		return nil
	}
	var give, orphans []int
	for p := range w.o.Partitions {
		o, to := owners[p], due(p, present)
		_, known := owners[p]
		switch has := w.hold[p].Load(); {
		case !known && w.gathers():
		case !known && w.o.Record != nil && to == w.o.Worker && has == none: // its owner may be forgotten, and not be back
			orphans = append(orphans, p)
		case o.Worker == w.o.Worker && has == none, o.Worker == "" && to == w.o.Worker && has == none:
			if err := w.claim(ctx, p); err != nil {
				return err
			}
		case w.o.Record != nil && !w.byRounds && o.Worker != "" && !o.Live && to == w.o.Worker && has == none:
			orphans = append(orphans, p)
		case has == mine && to != w.o.Worker && to != "":
			give = append(give, p)
		}
	}
	if err := w.woken(ctx); err != nil {
		return err
	}
	if err := w.unlessAway(w.takeOver(ctx, orphans)); err != nil {
		return err
	}
	if err := w.unlessAway(w.bury(ctx)); err != nil {
		return err
	}
	if len(give) > 0 {
		if err := w.give(ctx, give); err != nil {
			return err
		}
	}
	return w.leave()
}

// gathers reports whether the servers may have forgotten who had the partitions that nobody has now: those claim them first, and may believe in an older lease until then.
func (w *Worker) gathers() bool {
	return w.before && time.Since(w.began) < max(expectTime, 2*w.o.Lease)
}

// claim makes this worker the owner of a partition, unless another was faster.
func (w *Worker) claim(ctx context.Context, p int) error {
	_, err := w.session.Claim(ctx, p, 0)
	if errors.Is(err, bus.ErrOwned) {
		return nil
	}
	if err != nil {
		return err
	}
	owner, err := w.o.Bus.Owner(ctx, p)
	if err != nil {
		return err
	}
	var failed error
	err = w.crawl.Call(ctx, func() { failed = w.enter(p, owner.Estate) })
	if err = errors.Join(err, failed); err != nil {
		return w.ended(ctx, err)
	}
	w.claimed = append(w.claimed, p)
	return nil
}

// woken has what waits of partitions that were claimed be asked: there is some of those whose owner the servers had forgotten. Those of which something is to be taken in
// wake then: what was asked of them meanwhile waits here until that is known.
func (w *Worker) woken(ctx context.Context) error {
	if len(w.claimed) == 0 {
		return nil
	}
	claimed := w.claimed
	w.claimed = nil
	var failed error
	err := w.crawl.Call(ctx, func() { failed = w.wakeUp(claimed) })
	if err = errors.Join(err, failed); err != nil {
		return w.ended(ctx, err)
	}
	w.changed()
	return w.keepHeld()
}

// wakeUp has what waits of partitions be asked, on the goroutine that decides, if this worker has all of them.
func (w *Worker) wakeUp(partitions []int) error {
	return w.crawl.Wake(func(url string) bool {
		p := w.part(url)
		return slices.Contains(partitions, p) && w.hold[p].Load() == mine
	})
}

// ended is nil for an error that came since the crawl is over.
func (w *Worker) ended(ctx context.Context, err error) error {
	if errors.Is(err, engine.ErrOver) || ctx.Err() != nil {
		return nil
	}
	return err
}

// changed has the receiver look at what this worker has.
func (w *Worker) changed() {
	w.mu.Lock()
	regroup := w.regroup
	w.mu.Unlock()
	regroup()
	w.nudge()
}

// give sends all that is known of partitions to whom they are due, and releases them.
func (w *Worker) give(ctx context.Context, partitions []int) error {
	for _, p := range partitions {
		w.hold[p].Store(moving)
	}
	moved := func(url string) bool { return slices.Contains(partitions, w.part(url)) }
	tick := time.NewTicker(givePause)
	defer tick.Stop()
	sent, taken := map[int]uint64{}, map[int]uint64{}
	for left := 1; left > 0; {
		var failed error
		err := w.crawl.Call(ctx, func() {
			if left, failed = w.crawl.Give(partitions, moved); failed == nil && left == 0 {
				failed = w.Flush()
			}
			for _, p := range partitions {
				if failed == nil {
					sent[p], failed = w.book.Sent(p)
				}
				if failed == nil {
					taken[p], failed = w.book.Taken(w.o.Worker, p)
				}
			}
		})
		if err = errors.Join(err, failed); err != nil {
			for _, p := range partitions {
				w.hold[p].Store(mine)
			}
			return w.ended(ctx, err)
		}
		if left > 0 {
			select {
			case <-tick.C:
			case <-ctx.Done():
				return nil
			}
		}
	}
	for _, p := range partitions {
		left := bus.Estate{}
		if sent[p] > taken[p] {
			left = bus.Estate{From: w.o.Worker, After: taken[p], UpTo: sent[p]}
		}
		if err := w.session.Release(ctx, p, left); err != nil {
			return err
		}
		w.hold[p].Store(none)
	}
	w.changed()
	return w.keepHeld()
}

// leave ends the crawl of a worker that drains, when others have all that it had.
func (w *Worker) leave() error {
	if !w.leaving.Load() || w.drained.Load() {
		return nil
	}
	for p := range w.hold {
		if w.hold[p].Load() != none {
			return nil
		}
	}
	owes, err := w.book.Outstanding()
	if err != nil || owes {
		return err
	}
	w.drained.Store(true)
	return w.ended(w.ctx, w.crawl.Call(w.ctx, w.crawl.Stop))
}

// held returns the partitions that this worker receives for.
func (w *Worker) held() (all []int) {
	for p := range w.hold {
		if has := w.hold[p].Load(); has != none {
			all = append(all, p)
		}
	}
	return all
}

// moves reports whether partitions come or go.
func (w *Worker) moves() bool {
	for p := range w.hold {
		if has := w.hold[p].Load(); has == inheriting || has == moving {
			return true
		}
	}
	return false
}

// Figures returns the partitions of this worker, how many of them come or go, and to how many others messages are on their way.
func (w *Worker) Figures() (partitions []int, moved, outbox int) {
	for p := range w.hold {
		switch w.hold[p].Load() {
		case none:
			continue
		case inheriting, moving:
			moved++
		}
		partitions = append(partitions, p)
	}
	w.sending.Lock()
	defer w.sending.Unlock()
	if w.sender != nil {
		outbox = w.sender.Flying()
	}
	return partitions, moved, outbox
}
