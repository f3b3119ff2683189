package frontier

import (
	"time"

	"orbweaver"
)

// A Standing is how a waiting request and its host stand.
type Standing struct {
	Rank  int  // of the request among all that wait, from 1: ahead before ranked, then by score, then as first proposed
	Of    int  // requests that wait
	Here  int  // its rank among those of its host
	Ahead bool // it goes before all else of its host

	Down    orbweaver.Failure // why the host is asked no more in this session; empty: it is
	Spent   bool              // the host's budget of pages is used up
	Outside bool              // a round is under way that the request is not part of
	Until   time.Time         // the host, or its address, rests until then; zero: it does not rest
	Address bool              // the host's address is to be looked up first
	Robots  bool              // the host's robots.txt is to be known first
	Busy    bool              // the host has as many requests in flight as it may have
}

// Standing looks at a request that waits; false when it does not. The time is linear in all that
// waits: it is for people who ask.
func (f *Frontier) Standing(id uint64, now time.Time) (Standing, bool) {
	p := f.find(id)
	if p == nil {
		return Standing{}, false
	}
	h, l := f.order[p.owner()], p.list()
	own := f.entry(uint32(id), *p).rank(l.class())
	s := Standing{Rank: 1, Here: 1, Of: f.waiting.n, Ahead: l == inAhead}
	for _, other := range f.order {
		n := f.better(other, own)
		if s.Rank += n; other == h {
			s.Here += n
		}
	}
	s.Down, s.Spent = h.down(), f.spent(h)
	s.Outside = f.round != nil && l != inRound && l != inAhead
	s.Address, s.Robots, s.Busy = f.unlocated(h), f.closed(h), !f.unlocated(h) && f.busy(h)
	for _, until := range f.rests(h) {
		if until.After(now) && until.After(s.Until) {
			s.Until = until
		}
	}
	return s, true
}

// class is that of a list.
func (l list) class() class {
	if l == inAhead {
		return ahead
	}
	return ranked
}

// better counts the requests of a host that go before a rank.
func (f *Frontier) better(h *host, than rank) (n int) {
	count := func(r *row, c class) {
		for i := range r.len() {
			if r.at(i).rank(c).before(than) {
				n++
			}
		}
	}
	count(&h.queue, ranked)
	if h.side != nil {
		count(&h.side.round, ranked)
		count(&h.side.ahead, ahead)
		for e := range f.stored(h) {
			if e.rank(ranked).before(than) {
				n++
			}
		}
	}
	return n
}

// rests are the times until which a host and its address rest.
func (f *Frontier) rests(h *host) (until []time.Time) {
	if h.rests {
		until = append(until, h.past.readyAt)
	}
	if a := h.address; a != nil && a.rests {
		until = append(until, a.readyAt)
	}
	return until
}
