package assembly

import (
	"cmp"
	"context"
	"sync/atomic"

	"orbweaver"
	"orbweaver/engine"
	"orbweaver/frontier"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/internal/kind"
	"orbweaver/internal/logging"
	"orbweaver/internal/pipeline"
	"orbweaver/internal/starting"
	"orbweaver/internal/step"
)

// Logged returns a copy of the job whose messages go through a log. Results still go to standard output.
func Logged(j *job.Job) (*job.Job, *logging.Log) {
	job, log := *j, logging.New(j.Err, j.Log)
	job.Err = log
	return &job, log
}

// BeginLog logs the start of a session. From now on the log is also written to the crawl folder.
func (c *Crawl) BeginLog() {
	c.Log.Attach(c.File.Output)
	if c.Access != nil {
		c.Access.Withheld = c.tellWithheld
	}
	before := c.Ledger.Progress()
	c.Log.Info("begins", "crawl", c.File.Name(), "focus", kind.Line(c.File.Focus), "seeds", len(c.File.Seeds.URLs),
		"requests", before.Requests, "pages", before.Pages)
}

// EndLog logs the end of a session and every seed without a page, also those that the summary leaves out.
func (c *Crawl) EndLog(p step.Progress) {
	for _, f := range c.barren {
		c.Log.Warn("seed without a page", "url", f.Seed, "why", f.Reason(), "mend", f.Mend())
	}
	ended := p.Ended
	if ended == "" {
		ended = string(console.ErrInterrupted)
	}
	key, _ := starting.Limit(p.Ended, c.File.Limits)
	c.Log.Info("ends", "why", ended, "end", cmp.Or(engine.End(p.Ended), string(console.ErrInterrupted)), "key", key, "requests", p.Requests, "pages", p.Pages, "accepted", p.Accepted, "bytes", p.Bytes)
}

// LogAbsences logs how long the goroutine that decides was away at most.
func (c *Crawl) LogAbsences(all engine.Absences) {
	c.Log.Info("decided", "absences", all.Count(), "longest", all.Longest, "cpu", all.Own)
}

// A going collects the state of a session that its progress line shows.
type going struct {
	limits console.Limits
	failed int64
	asking atomic.Pointer[string] // the URL requested last
}

// StartProgress starts the progress display of a session. On a terminal it redraws one line in place, bypassing the
// log, unless log records are shown.
func StartProgress(j *job.Job, c *Crawl, before step.Progress) interface {
	Update(console.Snapshot)
	Close()
} {
	l := c.File.Limits
	c.Going = &going{limits: console.Limits{Requests: l.Requests, Pages: l.Pages, Bytes: l.Bytes, Time: l.Time}}
	out, terminal := j.Err, j.Terminal && !j.Log.Quiet && !j.Log.Records()
	if terminal {
		out = c.Log.Terminal()
	}
	return console.StartProgress(out, terminal, j.Columns(), c.Going.of(before))
}

// of returns the snapshot of a progress, without the frontier.
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

// Snapshot counts an outcome and returns the state after it.
func (g *going) Snapshot(o orbweaver.Outcome, p step.Progress, turns *frontier.Frontier) console.Snapshot {
	if step.Failed(&o) {
		g.failed++
	}
	s := g.of(p)
	s.Waiting, s.Hosts = turns.Len(), turns.Hosts()
	return s
}

// Watching returns web with each requested URL noted for the progress line.
func (g *going) Watching(web pipeline.Fetcher) pipeline.Fetcher { return watched{web, g} }

type watched struct {
	pipeline.Fetcher
	by *going
}

// Fetch notes the URL and fetches it.
func (w watched) Fetch(ctx context.Context, r orbweaver.Request) (*step.Response, error) {
	w.by.asking.Store(&r.URL)
	return w.Fetcher.Fetch(ctx, r)
}
