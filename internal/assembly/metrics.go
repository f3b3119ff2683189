package assembly

import (
	"context"
	"fmt"
	"sync"
	"time"

	"orbweaver"
	"orbweaver/engine"
	"orbweaver/frontier"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/internal/step"
	"orbweaver/server/metrics"
)

// lookTime is how long the crawl may be busy before it is told of as it was when last looked at.
const lookTime = time.Second

// A Meter shows a crawl to Prometheus while it runs. A nil one shows nothing.
type Meter struct {
	shown  *metrics.Metrics
	server *metrics.Server

	mu   sync.Mutex
	ask  func(context.Context, func()) error // has the goroutine that decides do something; nil: none does
	look func() metrics.Figures              // for that goroutine
	last metrics.Figures
}

// Measure begins to answer at the address of the App, if it has one. The error wraps ErrInput when
// nobody can listen there.
func Measure(ctx context.Context, a *job.Job) (*Meter, error) {
	if a.Metrics == "" {
		return nil, nil
	}
	l, err := metrics.Listen(ctx, a.Metrics)
	if err != nil {
		return nil, fmt.Errorf("--metrics %s: %w (%w)", a.Metrics, err, orbweaver.ErrInput)
	}
	m := &Meter{}
	m.shown = metrics.New(metrics.Options{Read: m.read, Failures: outcomeFailures(), Refusals: refusalReasons(), Stages: Stages()})
	m.server = m.shown.Serve(l, a.Pprof)
	console.Say(a.Err, "metrics: http://%s/metrics", m.server.Addr())
	return m, nil
}

// Close ends the answers.
func (m *Meter) Close() {
	if m != nil {
		m.server.Close()
	}
}

// Attach has a crawl that is about to be assembled tell of its stages.
func (m *Meter) Attach(cfg *engine.Config) {
	if m != nil {
		cfg.Meter = m.shown.Stage
	}
}

// Begin follows a session that is about to run.
func (m *Meter) Begin(c *Crawl, session *engine.Crawl, turns *frontier.Frontier, failures map[orbweaver.Failure]int64) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.ask, m.look = session.Call, func() metrics.Figures { return figuresOf(c, session, turns, failures) }
	m.keep(m.look())
}

// End looks at a session that has run, for the last time.
func (m *Meter) End() {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.keep(m.look())
	m.ask, m.look = nil, nil
}

// read is how the crawl stands. One that does not answer in time stands as before; so does one that
// has not begun, or is over.
func (m *Meter) read() metrics.Figures {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.ask == nil {
		return m.last
	}
	ctx, cancel := context.WithTimeout(context.Background(), lookTime)
	defer cancel()
	var now metrics.Figures
	if m.ask(ctx, func() { now = m.look() }) == nil {
		m.keep(now)
	}
	return m.last
}

// keep makes figures the last ones. A refresh may find that a page is accepted no more, but what is
// counted does not fall.
func (m *Meter) keep(f metrics.Figures) {
	f.Accepted = max(f.Accepted, m.last.Accepted)
	m.last = f
}

// Observe counts an outcome: one that was judged, or one that has the judgement of a page it repeats.
func (m *Meter) Observe(o orbweaver.Outcome) {
	switch {
	case m == nil, o.Page == nil, o.Request.Purpose == orbweaver.ForSitemap, o.Change == orbweaver.Unchanged:
	case o.Duplicate.Near:
		m.shown.Duplicate("near")
	case o.Duplicate.URL != "":
		m.shown.Duplicate("exact")
	default:
		m.shown.Score(o.Actual.Score)
	}
}

// figuresOf is how a crawl stands, for the goroutine that decides.
func figuresOf(c *Crawl, session *engine.Crawl, turns *frontier.Frontier, failures map[orbweaver.Failure]int64) metrics.Figures {
	p := session.Progress()
	ready, resting, down := turns.Resting(time.Now())
	f := metrics.Figures{
		Requests: p.Requests, Pages: p.Pages, Accepted: p.Accepted, Bytes: p.Bytes,
		Failures: make(map[string]int64, len(failures)), Refused: map[string]int64{},
		Waiting: int64(turns.Len()), InFlight: int64(session.InFlight()), Known: int64(c.Ledger.Known()),
		Ready: int64(ready), Resting: int64(resting), Down: int64(down),
	}
	for failure, n := range failures {
		f.Failures[string(failure)] = n
	}
	for _, r := range c.Ledger.Refused() {
		f.Refused[r.Reason] = r.Links
	}
	return f
}

// outcomeFailures are the reasons for which an outcome has no page, as docs/formats.md lists them.
func outcomeFailures() []string {
	var words []string
	for _, f := range []orbweaver.Failure{
		orbweaver.ErrAbsent, orbweaver.ErrStatus, orbweaver.ErrRedirects, orbweaver.ErrBadTarget, orbweaver.ErrTooLarge,
		orbweaver.ErrMalformed, orbweaver.ErrUnreadable, orbweaver.ErrScope, orbweaver.ErrRobots, orbweaver.ErrBadURL,
		orbweaver.ErrNoHost, orbweaver.ErrLookup, orbweaver.ErrPrivate, orbweaver.ErrConnect, orbweaver.ErrTLS,
		orbweaver.ErrTimeout, orbweaver.ErrCut, orbweaver.ErrGaveUp, orbweaver.ErrQuery, orbweaver.ErrForbidden,
		orbweaver.ErrNoEndpoint, orbweaver.ErrEndpoint, orbweaver.ErrAnswer, "error",
	} {
		words = append(words, string(f))
	}
	return words
}

// refusalReasons are the reasons for which a link is not followed.
func refusalReasons() []string {
	return []string{
		step.RefusedScope, step.RefusedRobots, step.RefusedTrap,
		step.RefusedDepth, step.RefusedDropped, step.RefusedNoFollow,
	}
}

// Stages are those of the work on a request.
func Stages() []string {
	return []string{
		engine.StageFetch, engine.StagePack, engine.StageRead, engine.StageData, engine.StagePrepare, engine.StageJudge,
		engine.StageOffer, engine.StageLearn, engine.StageRerank, engine.StageCommit, engine.StageFlush,
	}
}
