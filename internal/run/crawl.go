package run

import (
	"context"
	"errors"
	"fmt"
	"time"

	"orbweaver"
	"orbweaver/engine"
	"orbweaver/internal/assembly"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/inspect"
	"orbweaver/internal/job"
	"orbweaver/internal/logging"
	"orbweaver/internal/recording"
	"orbweaver/internal/step"
	"orbweaver/ledger"
	"orbweaver/server"
)

// watched calls run with a log and a metrics endpoint, and closes both when run returns.
func watched(ctx context.Context, a *job.Job, run func(*job.Job, *assembly.Meter, *logging.Log) error) error {
	a, log := assembly.Logged(a)
	defer log.Close()
	m, err := assembly.Measure(ctx, a)
	if err != nil {
		return err
	}
	defer m.Close()
	return run(a, m, log)
}

// Hooks are called while a session runs. Each may be nil.
type Hooks struct {
	// Running is called with the crawl before its first step.
	Running func(*assembly.Control)
	// Observe is called with each outcome after its commit, on the decider goroutine.
	Observe func(orbweaver.Outcome, step.Progress)
	// Watch makes the session one that visits the pages of a crawl by its schedule, until ctx is done.
	Watch bool
	// Share makes the crawl one of a worker, before it runs, and returns what runs it then.
	Share func(*engine.Config, *ledger.Ledger) (func(context.Context, *engine.Crawl) (step.Progress, error), error)
	// Routes returns more routes of the control socket.
	Routes func(*assembly.Control) []server.Route
	// Ended is called with the result of Session, while the metrics endpoint still answers.
	Ended func(*assembly.Summary, error)
}

// routes returns the further routes of the control socket.
func (h Hooks) routes(t *assembly.Control) []server.Route {
	if h.Routes == nil {
		return nil
	}
	return h.Routes(t)
}

// Session runs one session of a crawl until the crawl ends or ctx is done, and returns its summary. If refresh > 0, the
// session refreshes accepted pages older than refresh. The summary is non-nil beside the error of an interrupted crawl,
// and beside that of a crawl that fetched nothing.
func Session(ctx context.Context, a *job.Job, from assembly.Source, refresh time.Duration, hooks Hooks) (*assembly.Summary, error) {
	var sum *assembly.Summary
	err := watched(ctx, a, func(a *job.Job, m *assembly.Meter, log *logging.Log) (err error) {
		sum, err = session(ctx, a, from, refresh, hooks, m, log)
		if hooks.Ended != nil {
			hooks.Ended(sum, err)
		}
		return err
	})
	return sum, err
}

func session(ctx context.Context, a *job.Job, from assembly.Source, refresh time.Duration, hooks Hooks, m *assembly.Meter, log *logging.Log) (*assembly.Summary, error) {
	stop := a.AfterAWhile("reading the input files and indexing the archive ...")
	c, err := Prepare(ctx, a, from, refresh > 0 || hooks.Watch || hooks.Share != nil)
	stop()
	if err != nil {
		return nil, err
	}
	c.Meter, c.Log, c.Watching = m, log, hooks.Watch
	defer c.Close()
	if crawlfolder.Workers(c.File.Output) > 0 {
		by, flag := crawlfolder.Begun(c.File.Output)
		if hooks.Watch {
			return nil, fmt.Errorf("%s: the crawl was begun by %s, and a watch is done by one process alone (%w)", console.Relative(c.File.Output), by, orbweaver.ErrInput)
		}
		return nil, fmt.Errorf("%s: the crawl was begun by %s: run it with %s (%w)", console.Relative(c.File.Output), by, flag, orbweaver.ErrInput)
	}
	if err := assembly.Greet(a, c, refresh); err != nil {
		return nil, err
	}
	if hooks.Share == nil {
		if err := c.OpenSinks(ctx, a, "", false); err != nil {
			return nil, err
		}
	}
	c.Env.Console, c.Env.Yes = &a.Console, a.Yes
	if err := c.Focus.Settle(ctx, c.Env); err != nil {
		return nil, inspect.Owned(ctx, c.File.Output, err)
	}
	perHost := perHostBefore(c)
	if err := c.Open(); err != nil {
		return nil, inspect.Owned(ctx, c.File.Output, err)
	}
	if a.Crawling != nil {
		a.Crawling()
	}
	c.BeginLog()
	for _, warning := range []string{c.Mended(), c.Clock()} {
		if warning != "" {
			console.Say(a.Err, "warning: %s", warning)
		}
	}
	tellOver(a, c, perHost)
	progress, err := Steps(ctx, a, c, hooks)
	err = errors.Join(err, c.Repeated())
	err = errors.Join(err, c.Remember(c.Ledger)) // what a failed session did is told too
	c.EndLog(progress)
	if err != nil {
		err = errors.Join(err, c.Ledger.Close())
		return nil, errors.Join(err, c.Unmake(progress, err))
	}
	return Conclude(ctx, a, c, progress)
}

// Conclude ends a session: it writes the report of a crawl whose Remember was called, gets its folder ready for looks, and closes its ledger.
func Conclude(ctx context.Context, a *job.Job, c *assembly.Crawl, progress step.Progress) (*assembly.Summary, error) {
	// The ledger stays locked until the report is written, so that no other process writes one meanwhile.
	s, err := c.Conclude(progress)
	stop := a.AfterAWhile("indexing the list of pages ...")
	if err == nil {
		err = c.Ledger.Rest(ctx)
	}
	err = errors.Join(err, c.Ledger.Close())
	if stop(); err != nil {
		return nil, err
	}
	for _, w := range s.Warnings {
		console.Say(a.Err, "warning: %s", w)
	}
	if progress.Ended == "" {
		return s, fmt.Errorf("%s: %w; the same command resumes it", c.File.Output, console.ErrInterrupted)
	}
	err = c.Failed(progress)
	return s, errors.Join(err, c.Undelivered())
}

// crawls runs a crawl that no others share.
func crawls(ctx context.Context, s *engine.Crawl) (step.Progress, error) { return s.Run(ctx) }

// begin begins the session of the focus, and looks for seeds.
func begin(ctx context.Context, a *job.Job, c *assembly.Crawl) error {
	begun, err := c.Begun()
	if err == nil {
		err = c.Focus.Begin(c.Env, begun)
	}
	if err == nil {
		err = assembly.SearchSeeds(ctx, a, c, begun)
	}
	return err
}

// Steps runs the steps of a session, for a crawl whose ledger is open, and shows its progress.
func Steps(ctx context.Context, a *job.Job, c *assembly.Crawl, hooks Hooks) (step.Progress, error) {
	before := c.Ledger.Progress()
	if err := begin(ctx, a, c); err != nil {
		return before, err
	}
	var err error
	if c.Known, err = recording.Known(ctx, c.File, func(format string, args ...any) { console.Say(a.Err, format, args...) }); err != nil {
		return before, err
	}
	parts, err := c.Assemble()
	if err != nil {
		return before, err
	}
	line := assembly.StartProgress(a, c, before)
	failures := &step.Failures{}
	parts.Cfg.Fetch = c.Going.Watching(parts.Cfg.Fetch)
	var session *engine.Crawl
	parts.Cfg.Observe = func(o orbweaver.Outcome, p step.Progress) {
		if step.Failed(&o) {
			failures.Add(orbweaver.FailureOf(o.Err), o.Status)
		}
		line.Update(c.Going.Snapshot(o, p, parts.Turns))
		c.Log.Outcome(o)
		c.Changes.Note(o)
		c.Book.Observe(o)
		c.Focus.Observe(o)
		c.Meter.Observe(o)
		c.Left.Add(o)
		c.Sinks.Observe(o)
		if hooks.Observe != nil {
			hooks.Observe(o, p)
		}
		if a.Watch != nil {
			a.Watch(c.Ledger, session, p)
		}
	}
	c.Meter.Attach(&parts.Cfg)
	runs := crawls
	if hooks.Share != nil {
		if runs, err = hooks.Share(&parts.Cfg, c.Ledger); err != nil {
			return before, errors.Join(err, parts.Close())
		}
	}
	session = engine.New(parts.Cfg, before)
	if hooks.Share == nil {
		c.MeterLeft(before.Requests)
	}
	if err := c.Deliver(ctx, a, session, false); err != nil {
		return before, errors.Join(err, parts.Close())
	}
	t := &assembly.Control{C: c, Session: session, Turns: parts.Turns, Began: time.Now(), Failures: failures}
	hangUp := listen(a, t, hooks.routes(t)...)
	if hooks.Running != nil {
		hooks.Running(t)
	}
	c.Meter.Begin(c, session, parts.Turns, failures)
	indexed := func() {}
	if parts.Cfg.Live != nil && parts.Cfg.Recorder != nil && hooks.Share == nil && !hooks.Watch { // nobody searches the folder of a worker, and a watch has little to index
		indexed = indexAlong(ctx, a, t, parts.Cfg.Load)
	}
	silence, err := c.Tell(ctx, a)
	if err != nil {
		return before, errors.Join(err, hangUp(), parts.Close())
	}
	progress, err := runs(ctx, session)
	silence()
	indexed()
	c.Drain(progress.Ended != "" && err == nil)
	c.Meter.End()
	c.LogAbsences(session.Absences())
	line.Close()
	if n := session.NotReplayed(); n > 0 {
		console.Say(a.Err, "warning: model updates of the last %d pages before the crash are lost: the crawl has no archive to read them from again", n)
	}
	return progress, errors.Join(err, hangUp(), c.Focus.End(ctx, c.Env, c.Ledger, err), parts.Close())
}
