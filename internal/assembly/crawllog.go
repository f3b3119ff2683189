package assembly

import (
	"context"
	"sync/atomic"

	"orbweaver"
	"orbweaver/frontier"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/internal/kind"
	"orbweaver/internal/logging"
	"orbweaver/internal/pipeline"
	"orbweaver/internal/starting"
	"orbweaver/internal/step"
)

// Logged is the app for a job whose words, results apart, go through a log.
func Logged(a *job.Job) (*job.Job, *logging.Log) {
	job, log := *a, logging.New(a.Err, a.Log)
	job.Err = log
	return &job, log
}

// BeginLog notes how a session begins, in the crawl's folder too from now on.
func (c *Crawl) BeginLog() {
	c.Log.Attach(c.File.Output)
	before := c.Ledger.Progress()
	c.Log.Info("begins", "crawl", c.File.Name(), "focus", kind.Line(c.File.Focus), "seeds", len(c.File.Seeds.URLs),
		"requests", before.Requests, "pages", before.Pages)
}

// EndLog notes how a session ended: every seed without a page, however many the summary names.
func (c *Crawl) EndLog(p step.Progress) {
	for _, f := range c.barren {
		c.Log.Warn("seed without a page", "url", f.Seed, "why", f.Reason(), "mend", f.Mend())
	}
	ended := p.Ended
	if ended == "" {
		ended = string(console.ErrInterrupted)
	}
	key, _ := starting.Limit(p.Ended, c.File.Limits)
	c.Log.Info("ends", "why", ended, "key", key, "requests", p.Requests, "pages", p.Pages, "accepted", p.Accepted, "bytes", p.Bytes)
}

// A going is how a session goes, for its progress.
type going struct {
	limits console.Limits
	failed int64
	asking atomic.Pointer[string] // the URL that was asked for last
}

// StartProgress begins to show how a session goes. On a terminal the line is drawn in place, past the log, unless
// records are shown.
func StartProgress(a *job.Job, c *Crawl, before step.Progress) interface {
	Update(console.Snapshot)
	Close()
} {
	l := c.File.Limits
	c.Going = &going{limits: console.Limits{Requests: l.Requests, Pages: l.Pages, Bytes: l.Bytes, Time: l.Time}}
	out, terminal := a.Err, a.Terminal && !a.Log.Quiet && !a.Log.Records()
	if terminal {
		out = c.Log.Terminal()
	}
	return console.StartProgress(out, terminal, a.Columns(), c.Going.of(before))
}

// of is what a progress line tells of a crawl that has come so far.
func (g *going) of(p step.Progress) console.Snapshot {
	s := console.Snapshot{
		Pages: p.Pages, Accepted: p.Accepted, Requests: p.Requests, Bytes: p.Bytes, Active: p.Active,
		Failed: g.failed, Limits: g.limits,
	}
	if url := g.asking.Load(); url != nil {
		s.Asking = *url
	}
	return s
}

// Snapshot is what a progress line tells after an outcome.
func (g *going) Snapshot(o orbweaver.Outcome, p step.Progress, turns *frontier.Frontier) console.Snapshot {
	if o.Err != nil {
		g.failed++
	}
	s := g.of(p)
	s.Waiting, s.Hosts = turns.Len(), turns.Hosts()
	return s
}

// Watching is a web of which is noted what it is asked for.
func (g *going) Watching(web pipeline.Fetcher) pipeline.Fetcher { return watched{web, g} }

type watched struct {
	pipeline.Fetcher
	by *going
}

// Fetch asks, once that is noted.
func (w watched) Fetch(ctx context.Context, r orbweaver.Request) (*step.Response, error) {
	w.by.asking.Store(&r.URL)
	return w.Fetcher.Fetch(ctx, r)
}
