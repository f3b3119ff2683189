package frontier

import (
	"time"

	"orbweaver/internal/step"
)

// Others are the crawls beside this one that may ask the same places, hosts and addresses. A frontier alone gives the same turns
// with them as without.
type Others interface {
	// Claim asks for a turn at a place, between whose starts lies delay. Without ok, until is when it is worth asking
	// again, after now.
	Claim(place string, delay time.Duration, now time.Time) (until time.Time, ok bool)
	// Release ends a turn. start is when its request started, zero if it did not: then delay is after what time this crawl asks again, until
	// when it keeps its place before those who asked later; zero if it will not.
	Release(place string, start time.Time, delay time.Duration)
	// Rest says until when others must leave a place alone. A later call replaces it.
	Rest(place string, until time.Time)
}

// Among has what join makes of the crawls beside this one, which may be nil, take their place. It must be called before the first turn.
func (f *Frontier) Among(join func(Others) Others) { f.opts.Others = join(f.opts.Others) }

// claimNext puts hosts and addresses to rest that other crawls keep, until the first ready host is this crawl's to ask;
// false if no host is left.
func (f *Frontier) claimNext(now time.Time) bool {
	for len(f.ready) > 0 {
		h := f.ready[0].best()
		if f.unlocated(h) {
			return true
		}
		if _, ok := f.claim(h, now); ok {
			return true
		}
	}
	return false
}

// claim claims a host and its address for a turn. What another crawl keeps rests until it is worth asking again.
func (f *Frontier) claim(h *host, now time.Time) (until time.Time, ok bool) {
	o := f.opts.Others
	if h.claimed = o != nil && !h.free && (f.closed(h) || f.spacing(h) > 0); !h.claimed { // where nobody waits, nobody has to know
		return now, true
	}
	a := h.address
	if until, ok = o.Claim(h.name, f.spacing(h), now); !ok {
		h.rest(until)
	} else if a != nil {
		if until, ok = o.Claim(a.name, f.opts.Delay, now); !ok {
			o.Release(h.name, time.Time{}, until.Sub(now))
			a.rest(until)
		}
	}
	if h.claimed = ok; !ok {
		f.settle(h)
	}
	return until, ok
}

// handBack gives a turn's host and address back to other crawls. A host whose robots.txt has answered is kept until its rules are
// read: they may demand a longer delay than the crawl knew when it asked.
func (f *Frontier) handBack(l lease) {
	o := f.opts.Others
	if !l.claimed {
		return
	}
	if l.address != nil {
		o.Release(l.address.name, l.at, f.opts.Delay)
	}
	if l.task == step.TakeRobots && l.own && l.host.asking {
		f.unread[l.host] = l.at
		return
	}
	o.Release(l.host.name, l.at, f.spacing(l.host))
}

// handBackRead gives a host back whose robots.txt has answered, once that is read.
func (f *Frontier) handBackRead(h *host) {
	if at, ok := f.unread[h]; ok {
		delete(f.unread, h)
		f.opts.Others.Release(h.name, at, f.spacing(h))
	}
}

// shareRest tells other crawls of a host's rest if it has changed.
func (f *Frontier) shareRest(h *host, before time.Time) {
	if o := f.opts.Others; o != nil && !h.free && !h.past.readyAt.Equal(before) {
		o.Rest(h.name, h.past.readyAt)
	}
}
