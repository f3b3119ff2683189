package engine

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"orbweaver"
	"orbweaver/internal/step"
)

// A watch is a session without an end that requests pages again when they are due. A page whose content is as it was gets no new outcome;
// what is kept of its visits is committed alone. New links wait in the ledger until the Watcher has them requested: all requests
// of a watch are its own.

// A Watcher says which pages are requested again, and keeps what is found. The goroutine that decides calls it.
type Watcher interface {
	// Due returns what is due, at most so many.
	Due(now time.Time, most int) ([]Visit, error)
	// Next is when Due may have more.
	Next(now time.Time) time.Time
	// Since returns what a visit's request is conditional on; nil: nothing.
	Since(v Visit) *orbweaver.Version
	// Same reports whether the content of a page is as it was.
	Same(s Sight) bool
	// Saw takes what a request found, before it is committed, and returns what is to be kept of it.
	Saw(s Sight) ([]step.Visit, error)
	// Found takes requests that are new; by hand: a person added them.
	Found(waiting []step.Waiting, byHand bool)
}

// A Visit is a request that is due.
type Visit struct {
	ID     uint64
	Before orbweaver.Outcome // the last one
	Fresh  bool              // the request was never made: there is no Before
}

// A Sight is what a request of a watch found.
type Sight struct {
	Visit
	Outcome  *orbweaver.Outcome
	Version  orbweaver.Version      // of the answer
	Old      func() *orbweaver.Page // reads the page that Before has again; nil if it cannot be had
	NewLinks bool                   // the page has links that it did not have
}

// maxDue is how many requests of a watch are queued at once.
const maxDue = 1000

// watches reports whether the session is a watch.
func (c *Crawl) watches() bool { return c.cfg.Live != nil && c.cfg.Live.Watch != nil }

// beginWatch restores what is known. No limit of the crawl holds for visits but those of single requests.
func (c *Crawl) beginWatch(ctx context.Context) error {
	c.again, c.fresh = map[uint64]orbweaver.Outcome{}, map[uint64]bool{}
	l := &c.cfg.Limits
	l.Requests, l.Pages, l.Bytes, l.Time = 0, 0, 0, 0
	if err := c.noteTraps(); err != nil {
		return err
	}
	return c.remember(ctx)
}

// revisit queues what is due, and returns the time until more may be; 0: the session is no watch.
func (l *live) revisit() (wait time.Duration, err error) {
	c := l.c
	if !c.watches() {
		return 0, nil
	}
	now := c.now()
	if now.Before(c.nextVisit) {
		return c.nextVisit.Sub(now), nil
	}
	due, err := c.cfg.Live.Watch.Due(now, maxDue)
	if err != nil {
		return 0, err
	}
	for _, v := range due {
		if err := c.queueVisit(v); err != nil {
			return 0, err
		}
	}
	c.nextVisit = c.cfg.Live.Watch.Next(now)
	return max(c.nextVisit.Sub(now), 1), nil
}

// queueVisit gives a request that is due to the frontier. One that must not be made any more is decided at once.
func (c *Crawl) queueVisit(v Visit) error {
	w := step.Waiting{ID: v.ID}
	if v.Fresh {
		var err error
		if w, err = c.cfg.Ledger.Waiting(v.ID); err != nil { // it waits no more
			_, err := c.cfg.Live.Watch.Saw(Sight{Visit: v})
			return err
		}
		c.fresh[v.ID] = true
	} else {
		v.Before.Request.Redirects = nil
		w.Proposal = orbweaver.Proposal{Request: v.Before.Request, Judgement: v.Before.Actual}
		c.again[v.ID] = v.Before
	}
	c.cfg.Frontier.Add(w)
	return nil
}

// visitLook compares a page that is visited again with what is known of it: an outcome whose content is as it was is Unchanged.
func (c *Crawl) visitLook(ctx context.Context, o *orbweaver.Outcome, s *Sight) {
	before := s.Before
	if s.Fresh && passing(*o) {
		o.Change = orbweaver.Failed
	}
	if s.Fresh || o.Page == nil || o.Change != orbweaver.Changed || before.Page == nil {
		return
	}
	known := map[string]bool{}
	for to := range c.cfg.Ledger.Outlinks(o.Request.URL) {
		known[to] = true
	}
	for _, link := range o.Page.Links {
		if !known[link.To] {
			s.NewLinks = true
			break
		}
	}
	if !c.cfg.NoReplay && before.Record != (orbweaver.Ref{}) {
		s.Old = func() *orbweaver.Page {
			page, err := c.readAgain(ctx, before)
			if err != nil {
				return nil
			}
			return page
		}
	}
	if !s.NewLinks && c.cfg.Live.Watch.Same(*s) {
		o.Change = orbweaver.Unchanged
	}
}

// nothingNew reports whether a visit found what the last outcome says.
func nothingNew(o *orbweaver.Outcome, s Sight) bool {
	switch o.Change {
	case orbweaver.Unchanged, orbweaver.Failed:
		return true
	case orbweaver.Gone:
		return s.Before.Page == nil && s.Before.Redirect == ""
	}
	return false
}

// keepVisit commits what is kept of a visit that found nothing new.
func (c *Crawl) keepVisit(s Sight, r reading) error {
	visits, err := c.saw(s)
	if err != nil {
		return err
	}
	if err := c.commit(step.Batch{Accounts: r.accounts, Visits: visits}); err != nil {
		return err
	}
	if s.Outcome.Change == orbweaver.Failed && c.cfg.Observe != nil {
		c.cfg.Observe(*s.Outcome, c.progress)
	}
	return nil
}

// saw passes a sight on, and has the next look at what is due come at once.
func (c *Crawl) saw(s Sight) ([]step.Visit, error) {
	delete(c.fresh, s.ID)
	c.nextVisit = time.Time{}
	return c.cfg.Live.Watch.Saw(s)
}

// sight is what a request of a watch is about.
func (c *Crawl) sight(id uint64, before orbweaver.Outcome, again bool, o *orbweaver.Outcome, r reading) Sight {
	return Sight{Visit: Visit{ID: id, Before: before, Fresh: !again}, Outcome: o, Version: r.version}
}

// forsake decides the visits that wait at a host which is down: they are due again later.
func (l *live) forsake(host string, why orbweaver.Failure) error {
	for _, id := range l.hosts.Waits(host) {
		w, err := l.waiting(id)
		if err != nil {
			return err
		}
		l.hosts.Drop(id)
		delete(l.tries, id)
		r := reading{err: fmt.Errorf("fetch %s: %w: %w", w.URL, orbweaver.ErrGaveUp, why), accounts: l.accounts(), at: l.c.now()}
		if l.c.fresh[id] { // it goes on waiting
			if _, err := l.c.saw(Sight{Visit: Visit{ID: id, Fresh: true}}); err != nil {
				return err
			}
			continue
		}
		if err := l.c.decide(l.ctx, w, r); err != nil {
			return err
		}
	}
	return nil
}

// versionOf returns the validators of an answer.
func versionOf(header http.Header) orbweaver.Version {
	return orbweaver.Version{ETag: header.Get("ETag"), LastModified: header.Get("Last-Modified")}
}
