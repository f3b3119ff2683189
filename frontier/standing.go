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

	Down    orbweaver.Failure // why the host is asked no more in this sitting; empty: it is
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
	n, ok := f.waiting[id]
	if !ok {
		return Standing{}, false
	}
	s := Standing{Rank: 1, Here: 1, Of: len(f.waiting), Ahead: n.class == ahead}
	for _, m := range f.waiting { // counted: in any order
		if m.before(n) {
			s.Rank++
			if m.host == n.host {
				s.Here++
			}
		}
	}
	h := n.host
	s.Down, s.Spent = h.down, f.spent(h)
	s.Outside = f.round != nil && !n.chosen && n.class < ahead
	s.Address, s.Robots, s.Busy = f.unlocated(h), f.closed(h), !f.unlocated(h) && f.busy(h)
	for _, rest := range [...]struct {
		on    bool
		until time.Time
	}{{h.rests, h.readyAt}, {h.address.rests, h.address.readyAt}} {
		if rest.on && rest.until.After(now) && rest.until.After(s.Until) {
			s.Until = rest.until
		}
	}
	return s, true
}
