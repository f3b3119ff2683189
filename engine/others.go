package engine

import (
	"fmt"
	"math"

	"orbweaver"
	"orbweaver/internal/step"
)

// Others are the other workers of a crawl that runs on several: each owns the requests of its hosts, judges and plans by itself, and sends
// proposals of requests that others own to these. Its methods are called on the goroutine that decides.
type Others interface {
	// Away reports whether another worker owns the requests of a URL.
	Away(url string) bool
	// Over reports, when this worker has nothing to do, whether that is so for all workers, and nothing is under way between them. Who
	// returns false sees to it that a Call comes when that changes.
	Over() bool
	// More leases requests (EndRequests), pages (EndPages) or bytes (EndBytes) from what the crawl's limit has left, when those leased before
	// are used up. 0: nothing is left.
	More(limit string) int64
	// Back gives back what was leased of a limit and is not used.
	Back(limit string, n int64)
}

// Received tells which deliveries of other workers the ledger has taken.
type Received interface {
	Taken(from string, partition int) (n uint64, err error)
}

// away takes a proposal for another worker; false: the request is this one's.
func (f *offers) away(p orbweaver.Proposal, ahead bool) bool {
	if f.c.cfg.Others == nil || p.URL == "" || !f.c.cfg.Others.Away(p.URL) {
		return false
	}
	f.sent = append(f.sent, step.Parcel{Proposal: p, Ahead: ahead})
	return true
}

// Receive takes a delivery of another worker: its proposals are weighed like those of a page of this worker, in one batch, which notes the
// delivery. taken is false, and nothing happens, if it is not the one after the last that was taken from there. Receive must be called within
// Call, or by an event of a Virtual clock.
func (c *Crawl) Receive(d step.Delivery, parcels []step.Parcel) (taken bool, err error) {
	book, ok := c.cfg.Ledger.(Received)
	if !ok {
		return false, fmt.Errorf("receive from %s: the ledger takes no deliveries", d.From)
	}
	last, err := book.Taken(d.From, d.Partition)
	if err != nil || d.First != last+1 {
		return false, err
	}
	offers := newOffers(c)
	for _, p := range parcels {
		if err := offers.receive(p); err != nil {
			return false, err
		}
	}
	batch := step.Batch{Received: &d}
	offers.into(&batch)
	c.exhausted = false
	return true, c.commit(batch)
}

// receive takes a parcel.
func (f *offers) receive(p step.Parcel) error {
	if !p.Ahead {
		return f.propose(p.Proposal)
	}
	if f.away(p.Proposal, true) || !f.c.inScope(p.URL) || math.IsNaN(p.Score) {
		return nil
	}
	if _, err := f.c.cfg.Ledger.Outcome(p.URL); err == nil && p.Query == "" {
		return nil
	}
	f.goAhead(p.Proposal)
	return nil
}

// over reports whether a limit is reached; of a crawl on several workers, whether no more can be leased of it.
func (c *Crawl) over(name string, limit *int64, have int64) bool {
	if *limit <= 0 || have < *limit {
		return false
	}
	if c.cfg.Others != nil {
		*limit += c.cfg.Others.More(name)
	}
	return have >= *limit
}

// giveBack gives back what this worker has leased and does not use now: it has nothing to do until others send it something.
func (c *Crawl) giveBack() {
	back := func(name string, limit *int64, have int64) {
		keep := max(have, 1) // zero is no limit
		if left := *limit - keep; *limit > 0 && left > 0 {
			c.cfg.Others.Back(name, left)
			*limit = keep
		}
	}
	l, p := &c.cfg.Limits, c.progress
	back(EndRequests, &l.Requests, p.Requests)
	back(EndPages, &l.Pages, p.Pages)
	back(EndBytes, &l.Bytes, p.Bytes)
}
