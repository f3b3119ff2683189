package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"orbweaver"
	"orbweaver/internal/pipeline"
	"orbweaver/internal/step"
)

// syncEvery bounds the work that a power cut may undo.
const syncEvery = 2 * time.Second

// decide turns a reading into an outcome and commits the outcome with its consequences.
func (c *Crawl) decide(ctx context.Context, waiting step.Waiting, r reading) error {
	o := orbweaver.Outcome{
		N: c.n + 1, Request: waiting.Request, Page: r.page, Status: r.status, Redirect: r.redirect,
		Record: r.record, At: r.at, Predicted: waiting.Judgement, Err: r.err,
		Explored: c.wasDrawn(waiting),
	}
	before, again := c.compare(waiting.ID, &o, r)
	seen := c.sight(waiting.ID, before, again, &o, r)
	if c.watches() {
		if c.visitLook(ctx, &o, &seen); nothingNew(&o, seen) {
			return c.keepVisit(seen, r)
		}
	} else if o.Change == orbweaver.Failed {
		return c.failedAgain(o, r)
	}
	c.expect(&o)
	batch := step.Batch{Done: waiting.ID, Outcome: &o, Accounts: r.accounts, Data: r.data}
	if err := c.record(&batch, r); err != nil {
		return err
	}
	offers := newOffers(c)
	switch {
	case o.Err != nil:
		o.Page, o.Actual.Reasons = nil, sender(o.Err)
	case o.Change == orbweaver.Unchanged:
		c.stands(&o, before)
	case o.Redirect != "":
		c.redirect(&o, r.cookies, offers)
	case c.standsIn(&o, waiting.Request, offers):
		o.Page = nil
	default:
		o.Page.Request = waiting.Request // the reading may have begun with an older one
		if err := c.judge(ctx, &o, offers); err != nil {
			return err
		}
		c.source(&o, &batch)
	}
	if err := c.recoverFrom(ctx, &o, offers); err != nil {
		return err
	}
	if err := c.learn(ctx, o, &batch, offers); err != nil {
		return err
	}
	if err := offers.proposeFound(); err != nil {
		return err
	}
	if err := offers.proposeSitemaps(); err != nil {
		return err
	}
	offers.into(&batch)
	if err := c.require(&o, waiting.ID, r.needs, &batch); err != nil {
		return err
	}
	c.weigh(&o)
	c.answers(&o)
	c.count(o, r.size)
	if again {
		c.recount(o, before)
	}
	if c.watches() {
		var err error
		if batch.Visits, err = c.saw(seen); err != nil {
			return err
		}
	}
	return c.withData(ctx, batch, c.commitOutcome)
}

// record writes the exchange to the archive, before the batch that refers to it; the page's subresources
// come first.
func (c *Crawl) record(batch *step.Batch, r reading) (err error) {
	if r.packed == nil {
		return nil
	}
	for _, packed := range r.more {
		if _, err = c.cfg.Recorder.Append(packed); err != nil {
			return failed("archive", batch.Outcome.Request, err)
		}
	}
	batch.Outcome.Record, err = c.cfg.Recorder.Append(r.packed)
	if err == nil {
		batch.Archive, err = c.cfg.Recorder.Mark()
	}
	if err != nil {
		return failed("archive", batch.Outcome.Request, err)
	}
	return nil
}

// judge asks the focus to judge a page and to plan the next requests. A panic of the focus fails the page;
// an error ends the crawl.
func (c *Crawl) judge(ctx context.Context, o *orbweaver.Outcome, offers *offers) error {
	err := c.opinion(ctx, o)
	var crash *pipeline.Crash
	if errors.As(err, &crash) {
		o.Err = crash
		o.Page, o.Plan, o.Actual = nil, nil, orbweaver.Judgement{}
		return nil
	}
	if err != nil {
		return err
	}
	lists := descend(o)
	if o.Request.Purpose == orbweaver.ForSitemap {
		o.Plan = append(pipeline.Followable(o.Page, sitemapsOf(*o)), o.Plan...)
	}
	c.refusals.unfollowed(o.Page)
	if len(o.Plan) == 0 && leads(o) {
		c.refusals.cut(o.Page)
	}
	began := c.begun()
	defer c.took(StageOffer, began)
	if !lists {
		return offers.proposeAll(o.Plan)
	}
	return offers.proposeList(o)
}

// descend makes the plan of an outcome children of its request. A query after a query, and another page of the same list
// (step.Continues), stay at the same depth; lists: there is such a page.
func descend(o *orbweaver.Outcome) (lists bool) {
	for i := range o.Plan {
		next := &o.Plan[i].Request
		next.Parent, next.Depth = o.Request.URL, o.Request.Depth+1
		switch {
		case o.Request.Query != "" && next.Query != "":
			next.Depth--
		case continues(o, next):
			next.Depth--
			lists = true
		}
	}
	return lists
}

// continues reports whether a request is for another page of the list that an outcome is a page of.
func continues(o *orbweaver.Outcome, next *orbweaver.Request) bool {
	return next.Via != nil && next.Query == "" && next.Via.To == next.URL && step.Continues(o.Request.URL, next.Via)
}

// opinion asks the focus for its judgement of a page and for its plan. A sitemap is a list of links and is
// not judged; a duplicate takes over the judgement of the page that it repeats.
func (c *Crawl) opinion(ctx context.Context, o *orbweaver.Outcome) (err error) {
	defer pipeline.Catch(&err, "judge", o.Request.URL)
	began := c.begun()
	defer c.took(StageJudge, began)
	if o.Request.Purpose == orbweaver.ForSitemap || c.repeats(o) {
		o.Actual = c.pipeline.Adjust(o.Page, o.Actual)
	} else if o.Actual, err = c.pipeline.Judge(ctx, o.Page); err != nil {
		return err
	}
	c.assess(o)
	if leads(o) || hasHeaderLinks(o.Page) {
		o.Plan, err = c.pipeline.Plan(ctx, o.Page, o.Actual)
	}
	if !leads(o) {
		o.Plan = byHeader(o.Plan)
	}
	return err
}

// redirect follows a redirect. The target inherits the link and its prediction and precedes all other
// requests of its host. If the target was fetched before, the outcome takes over its judgement; but one that redirected
// here, or is this request, is requested again if its cookies have changed.
func (c *Crawl) redirect(o *orbweaver.Outcome, cookies bool, offers *offers) {
	next := o.Request
	next.URL = o.Redirect
	next.Redirects = append(append([]string(nil), o.Request.Redirects...), o.Request.URL)
	back := slices.Contains(next.Redirects, next.URL)
	switch {
	case len(next.Redirects) > c.cfg.Limits.Redirects, back && !cookies:
		o.Err = failed("follow", o.Request, orbweaver.ErrRedirects)
		return
	case !c.inScope(next.URL):
		o.Err = fmt.Errorf("follow %s: %s: %w", o.Request.URL, next.URL, orbweaver.ErrScope)
		return
	}
	if word, is := c.logsOut(next); is {
		o.Err = fmt.Errorf("follow %s: %s: %w: %s", o.Request.URL, next.URL, step.ErrLogsOut, word)
		return
	}
	if id, known := c.cfg.Ledger.Seen(next); known && back {
		offers.put(step.Waiting{ID: id, Proposal: orbweaver.Proposal{Request: next, Judgement: o.Predicted}, Ahead: true})
		return
	}
	if offers.held { // it waits like any other request, at whichever worker
		offers.sent = append(offers.sent, step.Parcel{Proposal: orbweaver.Proposal{Request: next, Judgement: o.Predicted}})
		return
	}
	if known, err := c.cfg.Ledger.Outcome(next.URL); err == nil && next.Query == "" { // the target is a page
		o.Actual = known.Actual
		return
	}
	if rule, trapped := offers.goAhead(orbweaver.Proposal{Request: next, Judgement: o.Predicted}); trapped {
		o.Err = fmt.Errorf("follow %s: %s: %w: %s", o.Request.URL, next.URL, orbweaver.ErrTrap, rule)
	}
}

// inScope reports whether a URL may be requested.
func (c *Crawl) inScope(url string) bool {
	ok, _ := c.admits(url)
	return ok
}

// admits is inScope with the rule that decided.
func (c *Crawl) admits(url string) (ok bool, rule string) {
	if c.cfg.Scope == nil {
		return true, ""
	}
	return c.cfg.Scope(url)
}

// learn teaches the focus an outcome and reranks the waiting requests that this made stale.
func (c *Crawl) learn(ctx context.Context, o orbweaver.Outcome, batch *step.Batch, offers *offers) error {
	if c.focus.learner == nil || o.Change == orbweaver.Unchanged || o.Duplicate.URL != "" || isSource(&o) ||
		pipeline.IsStandIn(orbweaver.FailureOf(o.Err)) {
		return nil
	}
	began := c.begun()
	defer c.took(StageLearn, began)
	if c.together != nil {
		return offers.teachLater(ctx, o)
	}
	lesson, err := c.taught(ctx, "learn from", o)
	if err != nil {
		return err
	}
	batch.Facts = lesson.Facts
	if err := offers.rerank(lesson.Stale); err != nil {
		return err
	}
	if c.lessons++; c.due() {
		batch.Model = c.snapshot(&err)
	}
	return err
}

// Snapshots of a large state are rarer: as many outcomes lie between two as give each snapshotShare bytes of the last one, but at
// most rareSnapshots times Config.Snapshot.
const (
	snapshotShare = 256
	rareSnapshots = 4
)

// due reports whether enough outcomes were learned since the last snapshot of the focus for another one.
func (c *Crawl) due() bool {
	every := max(c.cfg.Snapshot, 1)
	if !c.cfg.NoReplay {
		every = min(max(every, c.size/snapshotShare), rareSnapshots*every)
	}
	return c.lessons >= every
}

// snapshot returns the focus's state, or nil if it has none or *err is set already.
func (c *Crawl) snapshot(err *error) []byte {
	if c.focus.learner == nil || *err != nil {
		return nil
	}
	defer c.broke(err, "snapshot of the focus", "")
	var b bytes.Buffer
	if *err = c.focus.learner.Snapshot(&b); *err != nil {
		return nil
	}
	c.lessons, c.size = 0, b.Len()
	return b.Bytes()
}

// count adds an outcome to the crawl's progress.
func (c *Crawl) count(o orbweaver.Outcome, size int64) {
	c.progress.Requests++
	c.progress.Bytes += size
	if t := step.ThresholdOf(o); t > 0 {
		c.progress.Threshold = t
	}
	if o.Page != nil {
		c.progress.Pages++
		if o.Actual.Accepted {
			c.progress.Accepted++
		}
	}
	if c.cfg.Enough != nil {
		c.cfg.Enough.Add(o)
	}
	if choose, ok := c.cfg.Render.(pipeline.Chooser); ok && o.Page != nil {
		choose.Learn(o.Page)
	}
}

// commitOutcome commits a batch with an outcome, then notifies the frontier and the observer.
func (c *Crawl) commitOutcome(batch step.Batch) error {
	if err := c.commit(batch); err != nil {
		return err
	}
	c.n++
	c.exhausted = false
	c.cfg.Frontier.Done(batch.Done, step.Reply{Page: batch.Outcome.Page != nil})
	if c.cfg.Observe != nil {
		c.cfg.Observe(*batch.Outcome, c.progress)
	}
	return nil
}

// commit writes a batch to the ledger, then adds its waiting requests to the frontier.
func (c *Crawl) commit(batch step.Batch) error {
	c.progress.Active = c.active()
	c.progress.Requisites.Count(&batch)
	batch.Progress, batch.Refusals, batch.Chances = c.progress, c.refusals.take(), c.evidence()
	if err := c.cfg.Frontier.Err(); err != nil {
		return err
	}
	began := c.begun()
	if err := c.cfg.Ledger.Commit(batch); err != nil {
		return err
	}
	c.took(StageCommit, began)
	c.dirty, c.changed = true, true
	if c.follows(batch) {
		for _, w := range batch.Waiting {
			if !c.inherits(w.URL) {
				c.cfg.Frontier.Add(w)
			}
		}
	}
	for _, r := range batch.Needs {
		c.cfg.Live.Hosts.Require(uint32(r.N), r.URL)
	}
	c.rescore(batch.Opinions)
	if c.cfg.Sync != nil && c.since(c.synced) > syncEvery {
		c.synced = c.now()
		return c.cfg.Sync()
	}
	return nil
}

// manyOpinions is the number of opinions from which the frontier takes all of them in one call.
const manyOpinions = 1024

// rescore passes opinions to the frontier.
func (c *Crawl) rescore(opinions []step.Opinion) {
	if len(opinions) < manyOpinions {
		for _, o := range opinions {
			c.cfg.Frontier.Rescore(o.ID, o.Score)
		}
		return
	}
	c.ids, c.scores = c.ids[:0], c.scores[:0]
	for _, o := range opinions {
		c.ids, c.scores = append(c.ids, o.ID), append(c.scores, o.Score)
	}
	c.cfg.Frontier.RescoreAll(c.ids, c.scores)
}

// flush hands committed batches to the operating system.
func (c *Crawl) flush() error {
	if !c.dirty || c.cfg.Flush == nil {
		return nil
	}
	c.dirty = false
	began := c.begun()
	err := c.cfg.Flush()
	c.took(StageFlush, began)
	return err
}
