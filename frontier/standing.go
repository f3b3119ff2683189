package frontier

import (
	"time"

	"orbweaver"
)

// A Standing describes the position of a waiting request and the state of its host.
type Standing struct {
	Rank  int  // among all waiting requests, from 1: redirect targets first, then by score, then by first proposal
	Of    int  // number of waiting requests
	Here  int  // rank among those of its host
	Ahead bool // it precedes all ranked requests of its host

	Down    orbweaver.Failure // why the host gets no more requests in this session; empty: it does
	Spent   bool              // the host's budget of pages is used up
	Outside bool              // a round is in progress that lacks the request
	Until   time.Time         // the host, or its address, rests until then; zero: it does not rest
	Address bool              // the host's address must be looked up first
	Robots  bool              // the host's robots.txt must be known first
	Busy    bool              // all slots of the host are in use
}

// Standing returns the standing of a waiting request; false if it does not wait. It takes time linear in the
// waiting requests: it serves people, not the crawl.
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
	if h.gone() {
		s.Until = time.Time{}
	}
	return s, true
}

// class returns the class of a list.
func (l list) class() class {
	if l == inAhead {
		return ahead
	}
	return ranked
}

// better counts the requests of a host that precede a rank.
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

// rests returns the times until which a host and its address rest.
func (f *Frontier) rests(h *host) (until []time.Time) {
	if h.rests {
		until = append(until, h.past.readyAt)
	}
	if a := h.address; a != nil && a.rests {
		until = append(until, a.readyAt)
	}
	return until
}
