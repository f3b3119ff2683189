// Package worker makes the crawl of a process one of several workers that share a crawl: it owns the requests of its partitions, sends what it finds of
// others' through a bus, takes what they send, leases limits, and knows when all are done.
//
// Every worker's ledger is the truth of its partitions. What the bus loses is sent again, until the owner says that it has it: see
// package courier.
package worker

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"orbweaver/engine"
	"orbweaver/internal/cluster"
	"orbweaver/internal/cluster/bus"
	"orbweaver/internal/cluster/courier"
	"orbweaver/internal/step"
	"orbweaver/ledger"
)

// Options say who a worker is among which.
type Options struct {
	Bus     *bus.Bus // of this worker
	Worker  string   // its name on the bus
	Workers []string // of all, the same at each: the i-th has every partition whose remainder by their number is i
	Lease   time.Duration
	Manner  courier.Manner
	Block   int64 // of requests, pages and, in kilobytes, bytes that are leased of a limit at a time
}

// A Worker is a session of a worker. It implements engine.Others.
type Worker struct {
	o       Options
	self    int
	session *bus.Session
	book    *ledger.Ledger
	limits  engine.Limits // of the whole crawl
	flush   func() error
	crawl   *engine.Crawl
	fail    context.CancelCauseFunc // ends the session
	ctx     context.Context
	wake    chan struct{} // there may be something to send, to answer or to ask
	over    atomic.Bool   // all workers are done

	sending sync.Mutex // of the sender; held while the bus is waited for
	sender  *courier.Sender

	mu     sync.Mutex // held for moments
	posted map[int]struct{}
	owed   map[step.Delivery]struct{} // taken, and not flushed: Last alone counts
	owing  map[string]map[int]uint64  // flushed: what senders are to be told, by partition
	state  state
}

// A state is what a worker tells of itself when it is asked whether all is done.
type state struct {
	Idle   bool   `json:"idle"`
	Ended  bool   `json:"ended"`  // by a limit: what others send is not taken any more
	Sent   uint64 `json:"sent"`   // messages, ever
	Taken  uint64 `json:"taken"`  // messages, ever
	Change uint64 `json:"change"` // grows when an idle worker is idle no more
}

// Join begins the session of a worker, and claims its partitions: those of a worker that was killed are free when its lease is over, for which Join
// waits until ctx is done. Errors are those of package bus.
func Join(ctx context.Context, o Options) (*Worker, error) {
	w := &Worker{o: o, self: -1, wake: make(chan struct{}, 1), posted: map[int]struct{}{}, owed: map[step.Delivery]struct{}{}, owing: map[string]map[int]uint64{}}
	for i, name := range o.Workers {
		if name == o.Worker {
			w.self = i
		}
	}
	if w.self < 0 {
		return nil, fmt.Errorf("worker %s is none of %v", o.Worker, o.Workers)
	}
	w.ctx, w.fail = context.WithCancelCause(context.Background())
	err := again(ctx, bus.ErrTaken, func() (err error) {
		w.session, err = o.Bus.Join(ctx, o.Lease)
		return err
	})
	for _, p := range w.partitions() {
		if err == nil {
			err = again(ctx, bus.ErrOwned, func() error {
				_, err := w.session.Claim(ctx, p, 0)
				return err
			})
		}
	}
	if err == nil {
		return w, nil
	}
	if w.session != nil {
		leaving, cancel := context.WithTimeout(context.WithoutCancel(ctx), askTime)
		err = errors.Join(err, w.Close(leaving))
		cancel()
	}
	return nil, err
}

// again does something until it does not fail by one error, or ctx is done.
func again(ctx context.Context, passing error, do func() error) error {
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		err := do()
		if !errors.Is(err, passing) {
			return err
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return fmt.Errorf("%w: %w", ctx.Err(), err)
		}
	}
}

// partitions returns those of the worker.
func (w *Worker) partitions() (all []int) {
	for p := w.self; p < cluster.Partitions; p += len(w.o.Workers) {
		all = append(all, p)
	}
	return all
}

// Share makes an assembled crawl one of a worker, before it runs: its limits are those of all workers together.
func (w *Worker) Share(cfg *engine.Config, book *ledger.Ledger) error {
	w.book, w.limits, w.flush = book, cfg.Limits, cfg.Flush
	book.Divide(cluster.PartitionOf)
	w.sender = courier.NewSender(office{w}, w.send, w.o.Manner)
	cfg.Others, cfg.Flush = w, w.Flush
	have := book.Progress()
	for _, l := range []struct {
		name  string
		limit *int64
		have  int64
	}{{engine.EndRequests, &cfg.Limits.Requests, have.Requests}, {engine.EndPages, &cfg.Limits.Pages, have.Pages}, {engine.EndBytes, &cfg.Limits.Bytes, have.Bytes}} {
		if *l.limit > 0 {
			*l.limit = max(l.have+w.More(l.name), 1)
		}
	}
	return w.postNow(true)
}

// Run runs the crawl, with what goes on beside it: sending, receiving, renewing the lease. If the lease cannot be renewed, the crawl ends before
// another worker may have its hosts.
func (w *Worker) Run(ctx context.Context, crawl *engine.Crawl) (progress step.Progress, err error) {
	w.crawl = crawl
	running, end := context.WithCancel(ctx)
	stop, err := w.answerQuestions()
	if err != nil {
		end()
		return step.Progress{}, err
	}
	var beside sync.WaitGroup
	for _, work := range []func(context.Context) error{w.renew, w.receive, w.serve} {
		beside.Go(func() {
			if err := work(running); err != nil && running.Err() == nil {
				w.fail(err)
			}
		})
	}
	context.AfterFunc(w.ctx, end)
	progress, err = crawl.Run(running)
	if failed := context.Cause(w.ctx); failed != nil {
		err = errors.Join(err, failed)
	}
	if err == nil {
		err = w.settle(ctx, progress)
	}
	end()
	beside.Wait()
	stop()
	return progress, err
}

// settle tells others how the crawl of this worker ended, and goes on sending and answering until all have ended.
func (w *Worker) settle(ctx context.Context, progress step.Progress) error {
	w.mu.Lock()
	w.state.Ended = w.state.Ended || !w.over.Load() && progress.Ended != ""
	w.state.Idle = true
	w.mu.Unlock()
	if progress.Ended == "" { // it was stopped: others go on without
		return nil
	}
	w.nudge()
	tick := time.NewTicker(censusPause)
	defer tick.Stop()
	for !w.over.Load() {
		select {
		case <-tick.C:
			w.nudge()
		case <-w.ctx.Done():
			return context.Cause(w.ctx)
		case <-ctx.Done():
			return nil
		}
	}
	return nil
}

// Close ends the session: the partitions are free.
func (w *Worker) Close(ctx context.Context) error {
	defer w.fail(nil)
	return w.session.Leave(ctx)
}

// renew renews the lease, until it is lost.
func (w *Worker) renew(ctx context.Context) error {
	tick := time.NewTicker(w.o.Lease / 3)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		within, cancel := context.WithDeadline(ctx, w.session.Until().Add(-w.o.Lease/8))
		err := w.session.Renew(within)
		cancel()
		if err != nil && ctx.Err() == nil {
			return fmt.Errorf("the lease is lost: %w", err)
		}
	}
}

// nudge has what is beside the crawl look for what there is to do.
func (w *Worker) nudge() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}
