package manners

import "time"

// Bounds of what a record keeps of a place.
const (
	maxHold = int64(10 * time.Minute) // a turn that lasts longer keeps nobody waiting
	maxRest = int64(time.Hour)        // the longest rest, or delay, that holds for other crawls
	kept    = int64(10 * time.Minute) // after a start, at least
	grace   = int64(time.Second)      // how late who waits may come without losing its place in the queue, or who asks after reading the clock
	queued  = 6                       // crawls that wait at a place
)

// A record is what all crawls know of a place. Times are nanoseconds since 1970, zero for none; crawls and processes are
// numbers, zero for none.
type record struct {
	last   start
	holder holder
	rest   rest
	queue  [queued]waiter
}

// A start is the latest start of a request.
type start struct{ at, delay, member int64 }

// A holder is the crawl that has turns now. since is when the latest of them was given.
type holder struct{ member, process, since, delay int64 }

// A rest is until when a place must be left alone by all crawls but the one that says so, which knows by itself.
type rest struct{ until, member int64 }

// A waiter is a crawl that waits since it asked, and is due when it asks again.
type waiter struct{ member, asked, due int64 }

// A claimant is a crawl that asks for a turn, with the delay that it keeps between starts.
type claimant struct{ member, process, delay int64 }

// claim gives a crawl a turn, due now, or a place in the queue, due when it is worth asking again. alive reports whether a process runs.
func (r *record) claim(c claimant, now int64, alive func(process int64) bool) (w waiter, ok bool) {
	r.settle(c, now, alive)
	w = waiter{c.member, now, now}
	known := r.place(c.member)
	if known != nil {
		w.asked = known.asked
	}
	if until := r.free(c, now); until > now {
		w.due = until
		r.wait(w)
		return w, false
	}
	if known != nil {
		*known = waiter{}
	}
	if r.rest.member == c.member {
		r.rest = rest{}
	}
	if r.holder.member == 0 || r.holder.member == c.member {
		r.holder = holder{c.member, c.process, now, c.delay}
	}
	return w, true
}

// settle ends what is over: turns of processes that ended or of crawls that hold a place for too long, whose requests may have
// started until now, and the waiting of those who did not come. It bounds times that a wrong clock has set.
func (r *record) settle(c claimant, now int64, alive func(process int64) bool) {
	r.last.at, r.rest.until = right(r.last.at, now), min(r.rest.until, now+maxRest)
	h := &r.holder
	h.since = right(h.since, now)
	r.last.delay, h.delay = min(r.last.delay, maxRest), min(h.delay, maxRest)
	if h.member != 0 && h.member != c.member && (h.since+maxHold < now || !alive(h.process)) {
		r.started(h.member, now, h.delay)
		*h = holder{}
	}
	for i := range r.queue {
		w := &r.queue[i]
		w.asked, w.due = min(w.asked, now), min(w.due, now+maxRest)
		if w.due+grace < now {
			*w = waiter{}
		}
	}
}

// right returns a time of the past, which is now if a wrong clock has set it. One that is a moment after now is right: who asks read the clock, and
// another was quicker to tell of a later start.
func right(at, now int64) int64 {
	if at > now+grace {
		return now
	}
	return at
}

// free returns from when on a crawl may have a turn, as far as that is known.
func (r *record) free(c claimant, now int64) (until int64) {
	if r.last.member != c.member {
		until = r.last.at + max(r.last.delay, c.delay)
	}
	if r.rest.member != c.member {
		until = max(until, r.rest.until)
	}
	delay := max(r.holder.delay, c.delay)
	if r.holder.member != 0 && r.holder.member != c.member && delay > 0 {
		until = max(until, r.holder.since+delay, now+pause(delay))
	}
	if w := r.ahead(c, now); w != nil {
		until = max(until, max(w.due, now)+pause(c.delay))
	}
	return until
}

// pause is the time between two questions whether another crawl's turn is over.
func pause(delay int64) int64 {
	return min(max(delay/4, int64(20*time.Millisecond)), int64(time.Second))
}

// ahead returns who waits for longest, if that is another crawl than the one that asks now.
func (r *record) ahead(c claimant, now int64) *waiter {
	first := waiter{member: c.member, asked: now}
	if w := r.place(c.member); w != nil {
		first = *w
	}
	var ahead *waiter
	for i := range r.queue {
		w := &r.queue[i]
		if w.member == 0 || w.member == c.member {
			continue
		}
		if w.asked < first.asked || w.asked == first.asked && w.member < first.member {
			first, ahead = *w, w
		}
	}
	return ahead
}

// place returns the place of a crawl in the queue; nil: none.
func (r *record) place(member int64) *waiter {
	for i := range r.queue {
		if r.queue[i].member == member {
			return &r.queue[i]
		}
	}
	return nil
}

// wait puts a crawl into the queue, or moves when it is due. Where the queue is full it comes again without a place.
func (r *record) wait(w waiter) {
	known := r.place(w.member)
	if known == nil {
		known = r.place(0)
	}
	if known != nil {
		*known = w
	}
}

// A note is what a crawl tells of a place.
type note struct {
	start, delay int64  // of a request that is over; 0: it never started
	rest         int64  // until when others leave the place alone; 0: nothing is said
	waits        waiter // the place in the queue that it keeps, as another place kept it from starting; zero: none
}

// take takes in a note. over: the crawl has no turn left.
func (r *record) take(member int64, n note, over bool) {
	if n.start != 0 {
		r.started(member, n.start, n.delay)
	}
	if n.waits.member != 0 {
		r.wait(n.waits)
	}
	if n.rest != 0 && (r.rest.member == member || n.rest > r.rest.until) {
		r.rest = rest{n.rest, member}
	}
	if over && r.holder.member == member {
		r.holder = holder{}
	}
}

// started notes a start, unless a later one is known.
func (r *record) started(member, at, delay int64) {
	if at >= r.last.at {
		r.last = start{at, delay, member}
	}
}

// over returns when nothing of a record matters any more.
func (r *record) over() int64 {
	end := max(r.last.at+max(r.last.delay, kept), r.rest.until)
	if r.holder.member != 0 {
		end = max(end, r.holder.since+maxHold)
	}
	for _, w := range r.queue {
		end = max(end, w.due+grace)
	}
	return end
}
