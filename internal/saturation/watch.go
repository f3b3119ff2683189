package saturation

import "orbweaver/ledger"

// A Watch tells when a crawl has found nearly all: when another 1 000 requests are expected to bring fewer accepted pages than a number; or
// as many as so far, if these are more, than a share of those accepted. It looks at fixed numbers of requests, each a fortieth more than the one before, so that a crawl which
// was interrupted stops where it would have.
type Watch struct {
	fewer float64
	curve Curve
	next  int64 // number of requests at which it looks
	over  bool
	last  Estimate
	known bool // there is a last
}

// NewWatch returns a watch for the beginning of a crawl. From 1 on fewer is a number of pages, below 1 a share of those accepted.
func NewWatch(fewer float64) *Watch { return &Watch{fewer: fewer, next: FirstLook} }

// FirstLook is the number of requests at which a watch looks first, and with which a history begins.
const FirstLook = 50

// After returns the number of requests at which a watch looks after it looked at n.
func After(n int64) int64 { return n + max(10, n/40) }

// Add counts a request by the line that it left.
func (w *Watch) Add(l *ledger.Line) { w.curve.Add(l) }

// Look reports whether the crawl has found nearly all. The threshold is that by which it accepts now, 0 if no score decides; waiting is the
// number of requests that wait, which is asked for where an estimate is made.
func (w *Watch) Look(threshold float64, waiting func() int) bool {
	if w.over || w.curve.requests < w.next {
		return w.over
	}
	w.Pass()
	w.last, w.known = w.curve.Estimate(threshold, int64(waiting()))
	w.over = w.known && w.last.By(w.fewer).Met()
	return w.over
}

// Pass leaves out a look: it was made in an earlier session, and the crawl went on.
func (w *Watch) Pass() {
	for w.next <= w.curve.requests {
		w.next = After(w.next)
	}
}

// Again has it look at once: it ended the crawl before.
func (w *Watch) Again() { w.next = 0 }

// Last returns the newest estimate; false if there is none.
func (w *Watch) Last() (Estimate, bool) { return w.last, w.known }
