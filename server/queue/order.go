package queue

import (
	"slices"
	"time"
)

// Methods of this file are called with mu held.

// least is the least virtual time of the clients that are there.
func (q *Queue) least() float64 {
	least, found := 0.0, false
	for _, c := range q.clients {
		if c.there > 0 && (!found || c.time < least) {
			least, found = c.time, true
		}
	}
	if found {
		q.now = max(q.now, least)
	}
	return q.now
}

// maxAbsent bounds the clients that are remembered after they left.
const maxAbsent = 1024

// forget ends a slot's part in its client. A client without evaluations is remembered while its virtual time is
// ahead of the others', so that it gains nothing by leaving.
func (q *Queue) forget(s *Slot) {
	c := s.client
	s.client = nil
	if c.there--; c.there > 0 {
		return
	}
	if c.time <= q.least() {
		delete(q.clients, s.name)
	}
	if len(q.clients) <= q.opts.All+maxAbsent {
		return
	}
	for name, c := range q.clients {
		if c.there == 0 {
			delete(q.clients, name)
		}
	}
}

// charge adds the time since the last charge to the client's.
func (q *Queue) charge(s *Slot) {
	now := time.Now()
	ran := now.Sub(s.since)
	s.since = now
	s.ran += ran
	s.client.time += ran.Seconds()
}

// room reports whether a slot could be granted now.
func (q *Queue) room(s *Slot) bool {
	short := q.running - q.long
	switch {
	case q.running >= q.opts.Slots:
		return false
	case s.long:
		return q.long < q.opts.Slots-q.reserved
	}
	return short < max(1, q.opts.Slots-(q.opts.Slots-q.reserved)/2)
}

// before orders those that wait: short evaluations, then the client that had least, then the tags.
func before(a, b *Slot) bool {
	switch {
	case a.long != b.long:
		return b.long
	case a.client != b.client && a.client.time != b.client.time:
		return a.client.time < b.client.time
	case a.tag != b.tag:
		return a.tag < b.tag
	}
	return a.arrival < b.arrival
}

// enqueue lets an evaluation wait, and grants what can be granted.
func (q *Queue) enqueue(s *Slot) {
	q.arrivals++
	s.arrival, s.waits = q.arrivals, make(chan struct{})
	if s.fresh {
		s.client.fresh++
		q.fresh++
	}
	q.waiting = append(q.waiting, s)
	q.dispatch()
}

// remove takes an evaluation from those that wait.
func (q *Queue) remove(s *Slot) {
	q.waiting = slices.DeleteFunc(q.waiting, func(other *Slot) bool { return other == s })
	s.waits = nil
	if s.fresh {
		s.client.fresh--
		q.fresh--
	}
}

// dispatch grants slots in order, as long as there are.
func (q *Queue) dispatch() {
	for {
		next := q.next()
		if next == nil {
			return
		}
		granted := next.waits
		q.remove(next)
		q.grant(next)
		close(granted)
	}
}

// next is the first of those that could run.
func (q *Queue) next() (first *Slot) {
	for _, s := range q.waiting {
		if q.room(s) && (first == nil || before(s, first)) {
			first = s
		}
	}
	return first
}

// grant gives an evaluation a slot.
func (q *Queue) grant(s *Slot) {
	q.running++
	if s.long {
		q.long++
	}
	q.kept -= s.idle
	s.idle, s.fresh, s.holds, s.since = 0, false, true, time.Now()
	s.client.tag = max(s.client.tag, s.tag)
}

// release takes its slot from an evaluation, which keeps its memory.
func (q *Queue) release(s *Slot) {
	q.charge(s)
	q.running--
	if s.long {
		q.long--
	}
	s.idle, s.holds = s.bytes, false
	q.kept += s.idle
}

// keeps reports whether there is memory for one more evaluation without a slot.
func (q *Queue) keeps(s *Slot) bool { return q.kept+s.bytes <= q.opts.Memory }

// demote makes a short evaluation, which holds a slot, a long one; false: there is no memory to let it wait.
func (q *Queue) demote(s *Slot) bool {
	if q.long < q.opts.Slots-q.reserved && !q.urgent() && !slices.ContainsFunc(q.waiting, func(o *Slot) bool { return o.long }) {
		q.charge(s)
		s.long = true
		q.long++
		return true
	}
	if !q.keeps(s) {
		return false
	}
	q.release(s)
	s.long = true
	s.tag = max(s.tag, s.client.tag)
	q.enqueue(s)
	return true
}

// urgent reports whether a short evaluation waits.
func (q *Queue) urgent() bool {
	return slices.ContainsFunc(q.waiting, func(s *Slot) bool { return !s.long })
}

// yield suspends a long evaluation if another one is due in its place, and there is memory for that.
func (q *Queue) yield(s *Slot) {
	q.charge(s)
	if len(q.waiting) == 0 || !q.keeps(s) {
		return
	}
	was := s.tag
	s.tag = s.client.tag + q.opts.Quantum.Seconds()
	q.long--
	q.running-- // as if it had left
	next := q.next()
	q.running++
	q.long++
	if next == nil || !before(next, s) {
		s.tag = was
		return
	}
	q.release(s)
	q.enqueue(s)
}
