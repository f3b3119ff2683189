package engine

import (
	"fmt"
	"iter"
	"math"
	"slices"

	"orbweaver"
	"orbweaver/internal/step"
)

// Others are the other workers of a crawl that runs on several: each owns the requests of its hosts, judges and plans by itself, and sends
// proposals of requests that others own to these. Its methods are called on the goroutine that decides.
type Others interface {
	// Away reports whether another worker owns the requests of a URL.
	Away(url string) bool
	// Inherits reports whether requests of a URL are this worker's, and something that was known of them elsewhere is still to come: they wait until Wake.
	Inherits(url string) bool
	// Over reports, when this worker has nothing to do, whether that is so for all workers, and nothing is under way between them. Who
	// returns false sees to it that a Call comes when that changes.
	Over() bool
	// More leases requests (EndRequests), pages (EndPages) or bytes (EndBytes) from what the crawl's limit has left, when those leased before
	// are used up. 0: nothing is left.
	More(limit string) int64
	// Seeds reports whether this worker is the one that proposes the seeds, also those of others.
	Seeds() bool
	// Back gives back what was leased of a limit and is not used.
	Back(limit string, n int64)
}

// Received tells which deliveries of other workers the ledger has taken.
type Received interface {
	Taken(from string, partition int) (n uint64, err error)
}

// away reports whether another worker owns the requests of a URL.
func (c *Crawl) away(url string) bool {
	return c.cfg.Others != nil && url != "" && c.cfg.Others.Away(url)
}

// inherits reports whether requests of a URL wait until Wake.
func (c *Crawl) inherits(url string) bool {
	return c.cfg.Others != nil && url != "" && c.cfg.Others.Inherits(url)
}

// away takes a proposal for another worker; false: the request is this one's.
func (f *offers) away(p orbweaver.Proposal, ahead bool) bool {
	if f.owned || !f.c.away(p.URL) {
		return false
	}
	f.sent = append(f.sent, step.Parcel{Proposal: p, Ahead: ahead})
	return true
}

// Receive takes a delivery of another worker: its proposals are weighed like those of a page of this worker, in one batch, which notes the
// delivery. taken is false, and nothing happens, if it is not the one after the last that was taken from there. Receive must be called within
// Call, or by an event of a Virtual clock.
//
// In an estate, a request that this worker gave away before waits again, unless it was asked.
func (c *Crawl) Receive(d step.Delivery, parcels []step.Parcel, estate bool) (taken bool, err error) {
	book, ok := c.cfg.Ledger.(Received)
	if !ok {
		return false, fmt.Errorf("receive from %s: the ledger takes no deliveries", d.From)
	}
	last, err := book.Taken(d.From, d.Partition)
	if err != nil || d.First != last+1 {
		return false, err
	}
	offers := newOffers(c)
	offers.estate = estate
	for _, p := range parcels {
		if err := offers.receive(p); err != nil {
			return false, err
		}
	}
	batch := step.Batch{Received: &d, Refused: offers.gone, Elsewhere: offers.elsewhere, Accounts: offers.accounts, Inherited: offers.inherited}
	offers.into(&batch)
	c.exhausted = false
	return true, c.commit(batch)
}

// Inherit takes what is known of partitions whose owner is gone, as Receive takes what an owner leaves. Inherit must be called within Call.
func (c *Crawl) Inherit(parcels []step.Parcel) error {
	for len(parcels) > 0 {
		n := min(len(parcels), maxGiven)
		offers := newOffers(c)
		offers.estate = true
		for _, p := range parcels[:n] {
			if err := offers.receive(p); err != nil {
				return err
			}
		}
		batch := step.Batch{Refused: offers.gone, Elsewhere: offers.elsewhere, Accounts: offers.accounts, Inherited: offers.inherited}
		offers.into(&batch)
		c.exhausted = false
		if err := c.commit(batch); err != nil {
			return err
		}
		parcels = parcels[n:]
		c.breathe()
	}
	return nil
}

// receive takes a parcel.
func (f *offers) receive(p step.Parcel) error {
	switch {
	case p.Known:
		return f.known(p.Request)
	case p.Account != nil:
		account := *p.Account
		if !account.Last.IsZero() { // by another clock, which may be wrong: the host rests as if it had been asked now
			account.Last = f.c.now()
		}
		f.accounts = append(f.accounts, account)
		if hosts, ok := f.c.cfg.Frontier.(restorer); ok {
			hosts.Restore(account)
		}
		return nil
	case p.Taken != nil:
		f.inherited = append(f.inherited, *p.Taken)
		return nil
	}
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

// known takes note that a request was asked elsewhere: one that waits here, as it did when the partition was lost, waits no more.
func (f *offers) known(r orbweaver.Request) error {
	id, fresh := f.c.cfg.Ledger.Offer(r)
	if _, flies := f.c.flying[id]; flies {
		return nil
	}
	f.withdraw(id)
	book, ok := f.c.cfg.Ledger.(Inheritor)
	if !fresh && ok {
		_, waits, err := book.Waits(id)
		if err != nil {
			return err
		}
		if waits {
			f.c.cfg.Frontier.Drop(id)
			f.gone = append(f.gone, id)
		} else if settled, err := f.settled(id); settled || err != nil {
			return err
		}
	}
	f.elsewhere = append(f.elsewhere, step.Numbered{ID: id, Request: r})
	return nil
}

// withdraw takes back that a request waits from this step on.
func (f *offers) withdraw(id uint64) {
	at, ok := f.index[id]
	if !ok {
		return
	}
	delete(f.index, id)
	f.list = slices.Delete(f.list, at, at+1)
	for i, w := range f.list[at:] {
		f.index[w.ID] = at + i
	}
}

// settled reports whether a request that has a number was asked, here or elsewhere, or waits.
func (f *offers) settled(id uint64) (bool, error) {
	if _, waits := f.rank(id); waits {
		return true, nil
	}
	if _, flies := f.c.flying[id]; flies {
		return true, nil
	}
	if slices.ContainsFunc(f.elsewhere, func(n step.Numbered) bool { return n.ID == id }) {
		return true, nil
	}
	book, ok := f.c.cfg.Ledger.(Inheritor)
	if !ok {
		return true, nil
	}
	return book.Settled(id)
}

// A restorer is a frontier that takes what is known of hosts.
type restorer interface{ Restore(step.Account) }

// Inheritor is a ledger that can tell all that it knows of partitions.
type Inheritor interface {
	Asked() iter.Seq2[orbweaver.Request, error]
	Accounts() iter.Seq2[step.Account, error]
	TakenOf(partition int) ([]step.Delivery, error)
	Waits(id uint64) (w step.Waiting, waits bool, err error)
	Settled(id uint64) (bool, error) // a request waits or was asked, here or elsewhere
}

// maxGiven is how many parcels of what is given go into one batch.
const maxGiven = 1000

// Give sends what this worker knows of some partitions, which belong to another from now on, to these: what waits waits here no more. moved reports whether a URL is of one of them: Others calls these away already.
// left is how many of their requests are in flight: once it is 0, all was sent; before, Give must be called again, and what waits is asked no more. Give must be called within Call.
func (c *Crawl) Give(partitions []int, moved func(url string) bool) (left int, err error) {
	book, ok := c.cfg.Ledger.(Inheritor)
	if !ok {
		return 0, fmt.Errorf("give partitions: the ledger can't tell of them")
	}
	g := giving{c: c}
	for w, err := range c.cfg.Ledger.AllWaiting() {
		if err != nil {
			return 0, err
		}
		if !moved(w.URL) {
			continue
		}
		if _, stands := c.cfg.Frontier.Rank(w.ID); stands {
			c.cfg.Frontier.Drop(w.ID)
		} else if _, flies := c.flying[w.ID]; flies {
			left++
		}
		g.waiting = append(g.waiting, w)
	}
	if left > 0 {
		return left, nil
	}
	for r, err := range book.Asked() {
		if err == nil && moved(r.URL) {
			err = g.add(step.KnownParcel(r))
		}
		if err != nil {
			return 0, err
		}
	}
	for a, err := range book.Accounts() {
		if url := a.Host + "/"; err == nil && moved(url) {
			err = g.add(step.Parcel{Proposal: orbweaver.Proposal{Request: orbweaver.Request{URL: url}}, Account: &a})
		}
		if err != nil {
			return 0, err
		}
	}
	for _, p := range partitions {
		taken, err := book.TakenOf(p)
		if err != nil {
			return 0, err
		}
		for _, d := range taken {
			if err := g.add(step.Parcel{Taken: &d}); err != nil {
				return 0, err
			}
		}
	}
	if err := g.send(); err != nil {
		return 0, err
	}
	return 0, g.proposals()
}

// Wake has requests be made that wait and were not this worker's when the session began.
func (c *Crawl) Wake(of func(url string) bool) error {
	for w, err := range c.cfg.Ledger.AllWaiting() {
		if err != nil {
			return err
		}
		_, stands := c.cfg.Frontier.Rank(w.ID)
		if _, flies := c.flying[w.ID]; of(w.URL) && !stands && !flies {
			c.cfg.Frontier.Add(w)
			c.exhausted = false
		}
	}
	return nil
}

// A giving is what goes to another worker.
type giving struct {
	c       *Crawl
	waiting []step.Waiting
	parcels []step.Parcel
	gone    []uint64 // requests that wait here no more with the parcels' batch
}

// proposals sends what waits.
func (g *giving) proposals() error {
	for _, w := range g.waiting {
		g.gone = append(g.gone, w.ID)
		if err := g.add(step.Parcel{Proposal: w.Proposal, Ahead: w.Ahead}); err != nil {
			return err
		}
	}
	return g.send()
}

func (g *giving) add(p step.Parcel) error {
	g.parcels = append(g.parcels, p)
	if len(g.parcels) < maxGiven {
		return nil
	}
	return g.send()
}

func (g *giving) send() error {
	if len(g.parcels) == 0 {
		return nil
	}
	if err := g.c.commit(step.Batch{Away: g.parcels, Refused: g.gone}); err != nil {
		return err
	}
	g.parcels, g.gone = nil, nil
	g.c.breathe()
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
