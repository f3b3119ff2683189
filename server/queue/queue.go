// Package queue shares the slots of a server among the evaluations of its clients: short ones first, and
// clients alike, however many evaluations each sends.
//
// Slots are shared by start-time fair queueing (Goyal, Vin and Cheng, SIGCOMM 1996): each client has a virtual
// time, the seconds that its evaluations held a slot, and the next slot goes to the client whose time is least. A
// client that comes back begins at the least time of those that are there, so that nobody saves up. Among the
// evaluations of one client the order is that of their tags: the client's tag when they came, plus what they are
// expected to take, so that short ones overtake long ones, but not for ever.
//
// An evaluation begins as a short one and becomes a long one when its plan says so (Planned), or when it has made
// more steps, taken more time or kept more memory than a short one may (Pause): estimates are often wrong. Long ones
// never hold the reserved slots, and short ones never more than the others leave. A long one that has run for
// a quantum while someone else is due, or whose slot a short one needs, is suspended where it stands (Pause does not
// return), and goes on when its turn comes. What suspended evaluations keep in memory is bounded: beyond, an
// evaluation keeps its slot. So at most Options.Slots evaluations hold as much as each may, and all others
// together Options.Memory.
//
// This package is not part of the stable API.
package queue

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"
	"time"
)

// The reasons for not getting a slot.
var (
	// ErrFull means that the client, or all clients together, have too many evaluations that wait.
	ErrFull = errors.New("too many requests wait")
	// ErrBusy means that no slot became free in time.
	ErrBusy = errors.New("no slot became free in time")
)

// Options configure a Queue. The zero value of a field means its default, in brackets.
type Options struct {
	Slots    int           // evaluations that run at a time (6)
	Waiting  int           // evaluations of one client that wait for their first slot (200)
	All      int           // those of all clients (1024)
	Memory   int64         // bytes that suspended evaluations keep together (512 MB)
	Quantum  time.Duration // that a long evaluation runs while others wait (100 ms)
	Cost     float64       // of the plan of a short evaluation, in rows (20 000)
	Steps    int64         // of a short evaluation (100 000)
	Time     time.Duration // of a short evaluation, within its slot (250 ms)
	Kept     int64         // bytes that a short evaluation keeps in memory (8 MB)
	Patience time.Duration // with a client that takes an answer, until its slot is lent (5 ms)
}

// filled sets the defaults.
func (o Options) filled() Options {
	o.Slots, o.Waiting, o.All = or(o.Slots, 6), or(o.Waiting, 200), or(o.All, 1024)
	o.Memory, o.Kept = or(o.Memory, 512<<20), or(o.Kept, 8<<20)
	o.Cost, o.Steps = or(o.Cost, 20_000), or(o.Steps, 100_000)
	o.Quantum, o.Time = or(o.Quantum, 100*time.Millisecond), or(o.Time, 250*time.Millisecond)
	o.Patience = or(o.Patience, 5*time.Millisecond)
	return o
}

// or is a value, or another if it is not positive.
func or[N int | int64 | float64 | time.Duration](n, otherwise N) N {
	if n > 0 {
		return n
	}
	return otherwise
}

// A Queue hands out slots. It is safe for concurrent use.
//
// Invariants, at each release of mu: running = the slots that are held; long = those of long evaluations, at most
// Slots less the reserved ones; kept = what the suspended and lent evaluations keep, at most Options.Memory; and
// nothing that waits could run.
type Queue struct {
	opts     Options
	reserved int // slots that no long evaluation holds
	mu       sync.Mutex
	running  int
	long     int
	kept     int64
	fresh    int // of those that wait: those that had no slot yet
	waiting  []*Slot
	clients  map[string]*client
	now      float64 // least virtual time of the clients that are there, ever
	arrivals uint64
}

// New returns a queue.
func New(o Options) *Queue {
	o = o.filled()
	return &Queue{opts: o, reserved: o.Slots / 3, clients: map[string]*client{}}
}

// A client is whoever shares in the slots.
type client struct {
	time  float64 // virtual, in seconds
	tag   float64 // of its evaluation that got a slot last
	there int     // evaluations between Enter and Leave
	fresh int     // those that wait for their first slot
}

// A Slot is the share of one evaluation. Its methods are called by the goroutine of the evaluation.
type Slot struct {
	queue  *Queue
	ctx    context.Context
	client *client
	name   string

	long    bool
	holds   bool
	away    bool          // within Away: the slot may be lent
	waits   chan struct{} // closed when the slot is granted; nil: it does not wait
	fresh   bool          // it had no slot yet
	tag     float64
	arrival uint64
	since   time.Time     // the slot is held, and not yet charged for
	ran     time.Duration // before
	bytes   int64         // kept in memory
	idle    int64         // of these: counted in Queue.kept
}

// Enter waits for a slot for an evaluation of a client, and charges the client for the time until Leave. A cost
// above Options.Cost makes it a long evaluation from the start; 0 means that Planned or Pause will tell. The error
// wraps ErrFull at once if too many wait, and ErrBusy when ctx ends before there is a slot.
func (q *Queue) Enter(ctx context.Context, name string, cost float64) (*Slot, error) {
	s := &Slot{queue: q, ctx: ctx, name: name, long: cost > q.opts.Cost, fresh: true}
	q.mu.Lock()
	c := q.clients[name]
	if c == nil {
		c = &client{}
		q.clients[name] = c
	}
	s.client = c
	if c.there == 0 {
		c.time = max(c.time, q.least())
	}
	c.there++
	s.tag = c.tag + q.seconds(cost)
	if !q.room(s) && (c.fresh >= q.opts.Waiting || q.fresh >= q.opts.All) {
		q.forget(s)
		q.mu.Unlock()
		return nil, fmt.Errorf("%w: at most %d of a client and %d in all", ErrFull, q.opts.Waiting, q.opts.All)
	}
	q.enqueue(s)
	q.mu.Unlock()
	if err := s.wait(); err != nil {
		s.Leave()
		return nil, err
	}
	return s, nil
}

// maxExpected bounds what an estimate, which may be wrong, puts an evaluation behind others of its client.
const maxExpected = 2.0 // seconds

// seconds is the expected time of a cost, at a million rows a second.
func (q *Queue) seconds(cost float64) float64 { return min(cost/1e6, maxExpected) }

// wait waits until the slot is granted.
func (s *Slot) wait() error {
	s.queue.mu.Lock()
	granted := s.waits
	s.queue.mu.Unlock()
	if granted == nil {
		return nil
	}
	select {
	case <-granted:
		return nil
	case <-s.ctx.Done():
	}
	s.queue.mu.Lock()
	defer s.queue.mu.Unlock()
	if s.waits == nil {
		return nil // granted at that moment
	}
	s.queue.remove(s)
	return fmt.Errorf("%w: %w", ErrBusy, s.ctx.Err())
}

// Planned tells the cost of the evaluation's plan, in rows. It returns when the evaluation may go on.
func (s *Slot) Planned(cost float64) error {
	q := s.queue
	if s.long || cost <= q.opts.Cost {
		return nil
	}
	q.mu.Lock()
	s.tag = s.client.tag + q.seconds(cost)
	ok := q.demote(s)
	q.mu.Unlock()
	if !ok {
		return fmt.Errorf("%w: suspended requests keep too much memory", ErrFull)
	}
	return s.wait()
}

// Pause tells how far an evaluation is: the steps that it made, and the bytes that it keeps. It returns when the
// evaluation may go on, which is at once unless others are due. A context that ends meanwhile ends the wait, and
// is for the evaluation to find.
func (s *Slot) Pause(steps, bytes int64) error {
	q := s.queue
	runtime.Gosched() // on few processors, whoever has a request to read is next
	s.bytes = bytes
	q.mu.Lock()
	ran := time.Since(s.since)
	ok := true
	switch {
	case !s.holds:
	case !s.long && (steps > q.opts.Steps || s.ran+ran > q.opts.Time || bytes > q.opts.Kept):
		ok = q.demote(s)
	case s.long && (ran >= q.opts.Quantum || q.urgent()):
		q.yield(s)
	}
	q.mu.Unlock()
	if !ok {
		return fmt.Errorf("%w: suspended requests keep too much memory", ErrFull)
	}
	_ = s.wait()
	return nil
}

// Away calls a function that waits for a client to take an answer: when it takes longer than Options.Patience, the
// slot is lent to others, and Away waits for it again.
func (s *Slot) Away(f func()) error {
	q := s.queue
	q.mu.Lock()
	s.away = true
	q.mu.Unlock()
	lend := time.AfterFunc(q.opts.Patience, func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		if s.away && s.holds && q.keeps(s) {
			q.release(s)
			q.dispatch()
		}
	})
	f()
	lend.Stop()
	q.mu.Lock()
	s.away = false
	if !s.holds && s.waits == nil {
		s.tag = s.client.tag
		q.enqueue(s)
	}
	q.mu.Unlock()
	return s.wait()
}

// Writer writes through: while a write takes long, the slot is lent, as by Away.
func (s *Slot) Writer(w io.Writer) io.Writer { return lending{s, w} }

type lending struct {
	slot *Slot
	w    io.Writer
}

// Write writes bytes.
func (l lending) Write(p []byte) (n int, err error) {
	late := l.slot.Away(func() { n, err = l.w.Write(p) })
	if err == nil {
		err = late
	}
	return n, err
}

// Leave gives the slot back. It may be called again.
func (s *Slot) Leave() {
	q := s.queue
	q.mu.Lock()
	defer q.mu.Unlock()
	if s.client == nil {
		return
	}
	if s.waits != nil {
		q.remove(s)
	}
	if s.holds {
		q.release(s)
	}
	q.kept -= s.idle
	s.idle = 0
	q.forget(s)
	q.dispatch()
}
