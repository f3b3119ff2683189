// Package worker makes the crawl of a process one of several workers that share a crawl: it owns the requests of its partitions, sends what it finds of
// others' through a bus, takes what they send, leases limits, and knows when all are done. Partitions go to workers that come, and away from those that leave.
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

	"orbweaver"
	"orbweaver/engine"
	"orbweaver/internal/cluster"
	"orbweaver/internal/cluster/addresses"
	"orbweaver/internal/cluster/bus"
	"orbweaver/internal/cluster/courier"
	"orbweaver/internal/cluster/record"
	"orbweaver/internal/step"
	"orbweaver/ledger"
)

// Options say who a worker is.
type Options struct {
	Bus        *bus.Bus // of this worker
	Worker     string   // its name on the bus
	Expect     int      // workers that are waited for, for a while, before partitions are divided
	Lease      time.Duration
	Manner     courier.Manner
	Partitions int             // of the crawl, 1 to cluster.Partitions
	Record     *record.Record  // where workers keep what they have; nil: nowhere, partitions of one that is gone wait for it
	Folder     string          // the worker's crawl folder
	Checkpoint time.Duration   // between two writes to the record
	Lessons    time.Duration   // between two looks at what was learned, here and elsewhere; 0: 2 s
	Trim       time.Duration   // between two looks at which parcels the bus may drop; 0: some seconds
	Say        func(string)    // to people; nil: nobody is told
	Addresses  addresses.Times // how long a worker may ask an address that others want; zero: workers do not share addresses through the bus
	Block      int64           // of requests, pages and, in kilobytes, bytes that are leased of a limit at a time
}

// A Worker is a session of a worker. It implements engine.Others.
type Worker struct {
	o       Options
	session *bus.Session
	began   time.Time
	before  bool // it had partitions in an earlier session
	book    *ledger.Ledger
	limits  engine.Limits // of the whole crawl
	flush   func() error
	sync    func() error // nil: the ledger outlasts no power cut
	crawl   *engine.Crawl
	fail    context.CancelCauseFunc // ends the session
	ctx     context.Context
	wake    chan struct{}  // there may be something to send, to answer or to ask
	over    atomic.Bool    // all workers are done
	seeded  atomic.Bool    // the crawl has begun
	told    bool           // others know that; of the goroutine that serves
	ending  bool           // all are done, and not all know; likewise
	first   bool           // it proposes the seeds
	leaving atomic.Bool    // it gives all its partitions away
	drained atomic.Bool    // and has
	claimed []int          // partitions, just now; of the goroutine that owns
	orphans []int          // partitions that were claimed of workers that are gone, and are not taken in; likewise
	writer  *record.Writer // of the record; nil: there is none

	recalled atomic.Bool // the record was looked at for workers that the servers have forgotten

	hold      [cluster.Partitions]atomic.Uint32 // what it has of a partition: none and the like
	accepting int                               // the partition of the estate that is taken in right now, or -1; of the goroutine that decides

	sending sync.Mutex // of the sender; held while the bus is waited for
	sender  *courier.Sender

	mu       sync.Mutex // held for moments
	posted   map[int]struct{}
	owed     map[step.Delivery]struct{} // taken, and not flushed: Last alone counts
	kept     map[step.Delivery]struct{} // flushed, and not in the record
	owing    map[string]map[int]uint64  // in the record, or flushed if there is none: what senders are to be told, by partition
	state    state
	estates  map[int]bus.Estate // of partitions
	buried   map[string]bool    // workers that are gone whose letters were taken
	reading  *progress          // of the receiver; nil: it has not begun
	recorded reading            // how far what was read is in the record
	trouble  error              // of the storage; nil: none
	regroup  func()             // has the receiver look at what it has
	places   *places            // nil: addresses are not shared
	byRounds bool               // the crawl goes through rounds with a crew
	rounds   rounds

	forgotten []string // workers that the record has and the servers have not; written by the goroutine that owns
}

// What a worker has of a partition.
const (
	none       uint32 = iota
	mine              // all
	inheriting        // it is the owner, and has not taken in all that the owner before left
	moving            // it gives it away
)

// A state is what a worker tells of itself when it is asked whether all is done.
type state struct {
	Idle   bool   `json:"idle"`
	Ended  bool   `json:"ended"`  // by a limit: what others send is not taken any more
	Owes   bool   `json:"owes"`   // messages that their receivers have not taken
	Moves  bool   `json:"moves"`  // partitions
	Change uint64 `json:"change"` // grows when an idle worker is idle no more
}

// part returns the partition of a URL.
func (w *Worker) part(url string) int { return cluster.PartitionOf(url) % w.o.Partitions }

// Join begins the session of a worker. That of one that was killed must be over before, for which Join waits until ctx is done. Errors are those of package bus.
func Join(ctx context.Context, o Options) (*Worker, error) {
	if o.Partitions == 0 {
		o.Partitions = cluster.Partitions
	}
	w := &Worker{
		o: o, began: time.Now(), wake: make(chan struct{}, 1), accepting: -1, regroup: func() {},
		posted: map[int]struct{}{}, owed: map[step.Delivery]struct{}{}, kept: map[step.Delivery]struct{}{}, owing: map[string]map[int]uint64{}, buried: map[string]bool{}, estates: map[int]bus.Estate{},
	}
	w.rounds.kick = make(chan struct{}, 1)
	w.ctx, w.fail = context.WithCancelCause(context.Background())
	err := again(ctx, bus.ErrTaken, func() (err error) {
		w.session, err = o.Bus.Join(ctx, o.Lease)
		return err
	})
	if err == nil {
		w.first, err = o.Bus.First(ctx, "seeds")
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

// Share makes an assembled crawl one of a worker, before it runs: its limits are those of all workers together.
func (w *Worker) Share(cfg *engine.Config, book *ledger.Ledger) error {
	w.book, w.limits, w.flush, w.sync = book, cfg.Limits, cfg.Flush, cfg.Sync
	book.Divide(w.part)
	w.sender = courier.NewSender(office{w}, w.send, w.o.Manner)
	cfg.Others, cfg.Flush, cfg.Fetch = w, w.Flush, leased{cfg.Fetch, w.session.Lapsed, w.fail}
	w.sharePlaces(cfg)
	if w.byRounds = engine.SharesRounds(cfg.Focus); w.byRounds {
		return w.shareRounds(cfg)
	}
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

// shareRounds makes a crawl one whose rounds are shared: limits hold at the rounds' beginnings, and nothing depends on what this worker alone has seen.
func (w *Worker) shareRounds(cfg *engine.Config) error {
	if len(cfg.Decisions) > 0 {
		return fmt.Errorf("a crawl that goes through rounds by several workers follows no decisions of another (%w)", orbweaver.ErrInput)
	}
	cfg.Limits.Requests, cfg.Limits.Pages, cfg.Limits.Bytes = 0, 0, 0
	cfg.Explore, cfg.Failing, cfg.Discover, cfg.Duplicates = engine.Explore{}, false, nil, nil
	return nil
}

// Run runs the crawl, with what goes on beside it: owning partitions, sending, receiving, renewing the lease. If the lease cannot be renewed, the crawl ends before
// another worker may have its hosts.
func (w *Worker) Run(ctx context.Context, crawl *engine.Crawl) (progress step.Progress, err error) {
	w.crawl = crawl
	w.session.Clear(false)
	if err := w.session.Renew(ctx); err != nil {
		return step.Progress{}, err
	}
	if err := w.resume(ctx); err != nil {
		return step.Progress{}, err
	}
	running, end := context.WithCancel(ctx)
	stop, err := w.answerQuestions()
	if err == nil {
		stop, err = w.hear(stop)
	}
	if err != nil {
		end()
		return step.Progress{}, err
	}
	var beside sync.WaitGroup
	for _, work := range []func(context.Context) error{w.renew, w.own, w.receive, w.serve, w.record, w.trim, w.learn, w.meet, w.sit, w.correspond} {
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
	err = errors.Join(err, w.book.Flush())
	err = errors.Join(err, w.lastCheckpoint(ctx)) // of what is in the ledger, also of a crawl that failed
	owes, problem := w.book.Outstanding()
	w.session.Clear(problem == nil && !owes)
	return progress, errors.Join(err, problem)
}

// settle tells others how the crawl of this worker ended, and goes on sending and answering until all have ended.
func (w *Worker) settle(ctx context.Context, progress step.Progress) error {
	w.seeded.Store(true)
	w.mu.Lock()
	w.state.Ended = w.state.Ended || !w.over.Load() && progress.Ended != ""
	w.state.Idle = true
	w.mu.Unlock()
	if progress.Ended == "" || w.byRounds { // it was stopped: others go on without; or all have come to the same end
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

// Drain has the worker give all its partitions to others; then its crawl stops. With no other worker, it stops when it is told to.
func (w *Worker) Drain() {
	w.session.Leaving()
	w.leaving.Store(true)
}

// Drained reports whether others have all partitions of the worker, and all that it knew of them.
func (w *Worker) Drained() bool { return w.drained.Load() }

// Close ends the session: the partitions wait for the worker to come back, but those that it gave away.
func (w *Worker) Close(ctx context.Context) error {
	defer w.fail(nil)
	ctx, cancel := context.WithTimeout(ctx, w.o.Lease+askTime) // it is over by then
	defer cancel()
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
