package assembly

import (
	"context"
	"fmt"
	"net"
	"os"
	"sync"
	"time"

	"orbweaver"
	"orbweaver/engine"
	"orbweaver/frontier"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/internal/ongoing"
	"orbweaver/internal/recrawl"
	"orbweaver/internal/step"
	"orbweaver/server/metrics"
)

// lookTime bounds how long a scrape waits for the crawl. After that it shows the last figures.
const lookTime = time.Second

// A Meter serves the metrics of a running crawl to Prometheus. The methods of a nil Meter do nothing.
type Meter struct {
	shown  *metrics.Metrics
	server *metrics.Server

	mu   sync.Mutex
	ask  func(context.Context, func()) error // runs a function on the decider goroutine; nil: no crawl runs
	look func() metrics.Figures              // runs on the decider goroutine
	left *ongoing.Meter
	last metrics.Figures
}

// Measure starts to serve metrics at j.Metrics. It returns nil if the address is empty. The error wraps ErrInput if
// the address cannot be listened on.
func Measure(ctx context.Context, j *job.Job) (*Meter, error) {
	if j.Metrics == "" {
		return nil, nil
	}
	l, err := metrics.Listen(ctx, j.Metrics)
	if err != nil {
		return nil, fmt.Errorf("--metrics %s: %w (%w)", j.Metrics, err, orbweaver.ErrInput)
	}
	m := &Meter{}
	m.shown = metrics.New(metrics.Options{Read: m.read, Failures: outcomeFailures(), Refusals: refusalReasons(), Stages: Stages()})
	m.server = m.shown.Serve(l, j.Pprof, serverNames(j.Metrics)...)
	console.Say(j.Err, "metrics: http://%s/metrics", m.server.Addr())
	return m, nil
}

// serverNames returns the names under which a server at HOST:PORT may be asked: HOST and this machine's.
func serverNames(address string) (names []string) {
	if host, _, err := net.SplitHostPort(address); err == nil && host != "" {
		names = append(names, host)
	}
	if name, err := os.Hostname(); err == nil {
		names = append(names, name)
	}
	return names
}

// Close stops the server.
func (m *Meter) Close() {
	if m != nil {
		m.server.Close()
	}
}

// Attach makes the engine report its stages to the meter.
func (m *Meter) Attach(cfg *engine.Config) {
	if m != nil {
		cfg.Meter = m.shown.Stage
	}
}

// Begin starts to read figures from a session that is about to run.
func (m *Meter) Begin(c *Crawl, session *engine.Crawl, turns *frontier.Frontier, failures *step.Failures) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.ask, m.look = session.Look, func() metrics.Figures { return figuresOf(c, session, turns, failures) }
	m.left = c.Left
	m.keep(m.look())
}

// End reads the final figures of a session that has ended.
func (m *Meter) End() {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	now, left := m.look(), m.last.Left
	now.Left = left
	m.keep(now)
	m.ask, m.look = nil, nil
}

// read returns the current figures, or the last ones if the crawl does not answer in time, has not begun or has ended.
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
		if e := m.left.Estimate(ctx, now.Waiting); e != nil {
			now.Left = &metrics.Left{All: [3]float64{e.Left.Mean, e.Left.Low, e.Left.High}, Next: [3]float64{e.Next.Mean, e.Next.Low, e.Next.High}}
		}
		m.keep(now)
	}
	return m.last
}

// keep stores figures as the last ones. A refresh may reject a page that was accepted, but a counter must not
// decrease.
func (m *Meter) keep(f metrics.Figures) {
	f.Accepted = max(f.Accepted, m.last.Accepted)
	m.last = f
}

// Observe counts the page of an outcome by its score, or as a duplicate.
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

// figuresOf returns the figures of a crawl. It runs on the decider goroutine.
func figuresOf(c *Crawl, session *engine.Crawl, turns *frontier.Frontier, failures *step.Failures) metrics.Figures {
	p := session.Progress()
	ready, resting, down := turns.Resting(time.Now())
	f := metrics.Figures{
		Requests: p.Requests, Pages: p.Pages, Accepted: p.Accepted, Bytes: p.Bytes,
		Failures: make(map[string]int64, len(failures.Reasons)), Refused: map[string]int64{},
		Waiting: int64(turns.Len()), InFlight: int64(session.InFlight()), Known: int64(c.Ledger.Known()),
		Ready: int64(ready), Resting: int64(resting), Down: int64(down), Floods: c.floods(),
		Absences: absencesOf(session.Absences()), RequisiteBytes: p.Requisites.Bytes, RequisitesWaiting: p.Requisites.Waiting,
		Requisites: map[string]int64{
			"fetched": p.Requisites.Fetched, "failed": p.Requisites.Failed, "refused": p.Requisites.Refused, "left-out": p.Requisites.LeftOut,
		},
	}
	if w := c.watch.standing(time.Now()); w != nil {
		f.Watch = metrics.Watch{Pages: int64(w.Pages), Spent: int64(w.Spent), Fresh: w.Fresh, Weighted: w.Weighted, Age: w.Age * recrawl.Day.Seconds()}
	}
	if _, down := c.Outage(); down {
		f.NetworkDown = 1
	}
	f.LoginsLost = int64(len(session.LostLogins()))
	for _, s := range c.Sinks.States() {
		f.SinkBehind = max(f.SinkBehind, s.Behind)
		if s.Error != "" {
			f.SinksFailing++
		}
		if s.Waits {
			f.SinkWaits = 1
		}
	}
	for failure, n := range failures.Reasons {
		f.Failures[string(failure)] = n
	}
	for _, r := range c.Ledger.Refused() {
		f.Refused[r.Reason] = r.Links
	}
	return f
}

// absencesOf returns absences in seconds.
func absencesOf(all engine.Absences) metrics.Absences {
	a := metrics.Absences{Counts: all.Counts, Sum: all.Sum.Seconds(), Longest: all.Longest.Seconds()}
	for _, bound := range engine.AbsenceBounds() {
		a.Bounds = append(a.Bounds, bound.Seconds())
	}
	return a
}

// outcomeFailures returns the reasons for which an outcome has no page, as in docs/reference/formats.md.
func outcomeFailures() []string {
	var words []string
	for _, f := range []orbweaver.Failure{
		orbweaver.ErrAbsent, orbweaver.ErrStatus, orbweaver.ErrRedirects, orbweaver.ErrBadTarget, orbweaver.ErrTooLarge,
		orbweaver.ErrMalformed, orbweaver.ErrUnreadable, orbweaver.ErrScope, orbweaver.ErrRobots, orbweaver.ErrBadURL,
		orbweaver.ErrNoHost, orbweaver.ErrLookup, orbweaver.ErrPrivate, orbweaver.ErrConnect, orbweaver.ErrTLS,
		orbweaver.ErrTimeout, orbweaver.ErrCut, orbweaver.ErrGaveUp, orbweaver.ErrQuery, orbweaver.ErrForbidden,
		orbweaver.ErrNoEndpoint, orbweaver.ErrEndpoint, orbweaver.ErrAnswer, step.ErrLogsOut, step.ErrWall,
		step.ErrSoft404, step.ErrConsent, step.ErrLogin, step.ErrParked, step.ErrMaintenance, "error",
	} {
		words = append(words, string(f))
	}
	return words
}

// refusalReasons returns the reasons for which a link is not followed.
func refusalReasons() []string {
	return []string{
		step.RefusedScope, step.RefusedRobots, step.RefusedTrap, step.RefusedLogout,
		step.RefusedDepth, step.RefusedDropped, step.RefusedNoFollow,
	}
}

// Stages returns the stages in which the engine processes a request.
func Stages() []string {
	return []string{
		engine.StageFetch, engine.StagePack, engine.StageRead, engine.StageData, engine.StagePrepare, engine.StageTake, engine.StageJudge,
		engine.StageOffer, engine.StageLearn, engine.StageRerank, engine.StageCommit, engine.StageFlush,
	}
}
