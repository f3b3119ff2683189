// Package courier brings messages from the ledger of one worker to the owners of partitions, whatever carries them: what is lost on the way is sent
// again, until its receiver says that it has taken it. A receiver takes the messages of a sender to a partition in order, each once
// (engine.Crawl.Receive). The package reads no clock.
package courier

import (
	"iter"
	"maps"
	"slices"
	"time"

	"orbweaver/ledger"
)

// An Office is the ledger of a sender.
type Office interface {
	// Posted returns the partitions to which there are messages that it has not named before.
	Posted() ([]int, error)
	Outbox(partition int, from uint64) iter.Seq2[ledger.Message, error]
	// Delivered drops the messages to a partition after one number up to another.
	Delivered(partition int, after, upTo uint64) error
}

// A Bundle is messages to a partition that travel together: those from number First to Last.
type Bundle struct {
	Partition   int
	First, Last uint64
	Bodies      [][]byte // theirs
	Again       int      // how often something to the partition was sent again, since progress
}

// Bounds of what is on its way to a partition, and of a bundle.
const (
	Window   = 256      // messages
	fullSize = 64 << 10 // bytes from which a bundle is not extended
)

// Manner says when a Sender sends.
type Manner struct {
	Linger   time.Duration // a message waits so long for others to the same partition
	Spacing  time.Duration // between two bundles to a partition, at least; no matter for what is sent again
	Patience time.Duration // if nothing of what is on its way to a partition was taken for so long, all of it is sent again; then for twice as long, and so on, up to 64 times
}

// A Sender sends the messages of an office. It is for one goroutine.
type Sender struct {
	office Office
	send   func(Bundle) error
	manner Manner
	ways   map[int]*way
}

// A way leads to a partition.
type way struct {
	taken uint64    // up to this message the receiver has them
	sent  uint64    // up to this one they were sent
	more  bool      // there may be more than were sent
	due   time.Time // with more: when they are sent
	last  time.Time // when something was sent
	since time.Time // of the last progress; with messages on their way
	tries int       // since then
}

// flies reports whether messages are on their way.
func (w *way) flies() bool { return w.sent > w.taken }

// mostTries is how often patience doubles.
const mostTries = 6

// patience is how long the progress of a way is waited for.
func (s *Sender) patience(w *way) time.Duration { return s.manner.Patience << w.tries }

// full reports whether no more may be on their way.
func (w *way) full() bool { return w.sent >= w.taken+Window }

// NewSender returns a Sender that sends by send, which may lose, repeat and reorder bundles.
func NewSender(office Office, send func(Bundle) error, m Manner) *Sender {
	return &Sender{office: office, send: send, manner: m, ways: map[int]*way{}}
}

// Post sends what has waited for others, and again what was not taken in time.
func (s *Sender) Post(now time.Time) error {
	posted, err := s.office.Posted()
	if err != nil {
		return err
	}
	for _, to := range posted {
		w := s.ways[to]
		if w == nil {
			w = &way{}
			s.ways[to] = w
		}
		if !w.more {
			w.more, w.due = true, now.Add(s.manner.Linger)
			if spaced := w.last.Add(s.manner.Spacing); w.due.Before(spaced) {
				w.due = spaced
			}
		}
	}
	for _, to := range slices.Sorted(maps.Keys(s.ways)) {
		if err := s.post(to, s.ways[to], now); err != nil {
			return err
		}
	}
	return nil
}

// post sends the messages to a partition.
func (s *Sender) post(to int, w *way, now time.Time) error {
	if w.flies() && now.Sub(w.since) >= s.patience(w) {
		w.sent, w.more, w.due = w.taken, true, now
		w.tries = min(w.tries+1, mostTries)
	}
	if !w.more || w.full() || now.Before(w.due) {
		return nil
	}
	w.more = false
	b, size := Bundle{Partition: to, Again: w.tries}, 0
	for m, err := range s.office.Outbox(to, w.sent+1) {
		if err != nil {
			return err
		}
		if w.taken == 0 && w.sent == 0 && b.Last == 0 { // an earlier session has delivered those before
			w.taken, w.sent = m.N-1, m.N-1
		}
		if m.N > w.taken+Window {
			w.more, w.due = true, now
			break
		}
		if size += len(m.Body); b.Last > 0 && size > fullSize {
			if err := s.dispatch(w, b, now); err != nil {
				return err
			}
			b, size = Bundle{Partition: to, Again: w.tries}, len(m.Body)
		}
		if b.Last == 0 {
			b.First = m.N
		}
		b.Last, b.Bodies = m.N, append(b.Bodies, m.Body)
	}
	if b.Last == 0 {
		return nil
	}
	return s.dispatch(w, b, now)
}

// dispatch sends a bundle.
func (s *Sender) dispatch(w *way, b Bundle, now time.Time) error {
	if !w.flies() {
		w.since = now
	}
	w.sent, w.last = b.Last, now
	return s.send(b)
}

// Taken notes that the receiver has taken, and keeps, the messages to a partition up to a number.
func (s *Sender) Taken(partition int, upTo uint64, now time.Time) error {
	w := s.ways[partition]
	if w == nil || upTo <= w.taken {
		return nil
	}
	before := w.taken
	w.taken, w.sent, w.since, w.tries = upTo, max(w.sent, upTo), now, 0
	return s.office.Delivered(partition, before, upTo)
}

// Next returns when Post has something to send if nothing is posted or taken before; false: nothing waits and nothing is on its way.
func (s *Sender) Next() (at time.Time, ok bool) {
	first := func(t time.Time) {
		if !ok || t.Before(at) {
			at, ok = t, true
		}
	}
	for _, w := range s.ways {
		if w.more && !w.full() {
			first(w.due)
		}
		if w.flies() {
			first(w.since.Add(s.patience(w)))
		}
	}
	return at, ok
}

// Forget drops what is known of the way to a partition, whose messages nobody takes any more: they stay in the office.
func (s *Sender) Forget(partition int) { delete(s.ways, partition) }

// Flying returns to how many partitions messages are on their way.
func (s *Sender) Flying() (n int) {
	for _, w := range s.ways {
		if w.flies() {
			n++
		}
	}
	return n
}
