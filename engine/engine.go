// Package engine is the loop of a crawl: take the best request, read it, decide it, commit the
// consequences, take the next.
//
// One goroutine decides, many read. Over an archive, reading a request (fetch to Prepare, see package
// pipeline) depends on its identity and the archive alone, so it may be done ahead, in parallel, and in
// vain; decisions are strictly sequential. The same web and the same focus therefore give the same crawl,
// whatever the number of workers and however often the process was killed. On the live Web (live.go)
// requests start when their hosts' turns come and are decided as they arrive. The engine never looks
// inside a focus, a page or a store: it moves values between the interfaces below.
//
// This package is not part of the stable API.
package engine

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"orbweaver"
	"orbweaver/focus/chance"
	"orbweaver/internal/failing"
	"orbweaver/internal/pipeline"
	"orbweaver/internal/step"
)

// A Frontier orders the waiting requests.
type Frontier interface {
	Adder
	Leaser
	Looker
}

// An Adder takes waiting requests, their scores, and the page counts of hosts.
type Adder interface {
	Add(step.Waiting)
	Rescore(id uint64, score float64)
	RescoreAll(ids []uint64, scores []float64) // each with the score at its index
	Count(url string, pages int64)
	Drop(ids ...uint64) // ends the waiting of requests
}

// A Leaser hands out requests, each once.
type Leaser interface {
	Next(now time.Time) (turn step.Turn, wait time.Duration, ok bool)
	Take(id uint64, now time.Time) bool
	Done(id uint64, r step.Reply)
	Err() error // the failure that ended all turns, if there is one
}

// A Looker shows waiting requests.
type Looker interface {
	Head(n int) []uint64
	Rank(id uint64) (rank float64, waits bool)
	Group(key string) []uint64
	Draw(random uint64) (id uint64, ok bool) // the one that random bits name; false if it cannot be drawn
}

// A Ledger is the durable state of a crawl.
type Ledger interface {
	Book
	Memory
	orbweaver.Known
}

// A Book is the part of the Ledger that every step reads and writes.
type Book interface {
	Seen(orbweaver.Request) (id uint64, known bool)
	Offer(orbweaver.Request) (id uint64, fresh bool) // a fresh one must be in the next batch
	Waiting(id uint64) (step.Waiting, error)
	WaitingOf(ids []uint64) iter.Seq2[step.Waiting, error] // ids ascending
	Note(id uint64) ([]byte, error)                        // of a waiting request; read-only
	NotesOf(ids []uint64) iter.Seq2[step.Opinion, error]   // ids ascending; without scores
	Refused() []step.Refused                               // links that were not followed, by reason, over all sessions
	Failed(orbweaver.Failure) int64                        // outcomes that failed so, over all sessions
	Commit(step.Batch) error
}

// A Recorder archives exchanges. Pack may be called from many goroutines, Append from one. The operating
// system has an appended record before it has the batch whose Archive covers the record.
type Recorder interface {
	Pack(*step.Response, []byte) (any, error)
	Append(packed any) (orbweaver.Ref, error)
	Mark() ([]byte, error) // the end of the archive, for Batch.Archive
}

// Limits end a crawl. Zero means no limit, except for Redirects.
type Limits struct {
	Requests, Pages, Bytes int64
	Time                   time.Duration
	Depth                  int
	Redirects              int   // followed in a row; 0: none
	Body                   int64 // of one payload; a larger one fails
	Dump                   int64 // of one payload that may be data in bulk (step.Response.Dump); less than Body: Body
}

// Enough tells when another thousand requests are hardly worth it.
type Enough interface {
	// Add counts an outcome, in the order in which they are decided.
	Add(orbweaver.Outcome)
	// Reached reports whether the crawl has found enough. The threshold is that of step.Progress. Once true, it stays true.
	Reached(threshold float64) bool
}

// Config is a crawl, assembled.
type Config struct {
	Focus orbweaver.Focus
	Fetch pipeline.Fetcher
	// Again fetches a committed outcome once more, from the archive, after a crash. Nil: Fetch does.
	Again func(context.Context, orbweaver.Outcome) (*step.Response, error)
	Read  pipeline.Reader
	// Check says why an answer is not the page that was asked for: see pipeline.Pipeline.
	Check func(*step.Response, []byte, *orbweaver.Page) error
	// StandIns finds out which pages a host gives for any URL; on the live Web alone. Nil: none are looked for.
	StandIns StandIns
	Render   pipeline.Renderer  // nil: scripts do not run
	Complete pipeline.Completer // nil: data that needs other documents is not read
	Live     *Live              // nil: an archive is crawled, in strict order
	Ledger   Ledger
	Stage    Stager // takes in the data of pages for the Ledger; nil: a batch brings its page alone
	Frontier Frontier
	Recorder Recorder                                // nil: nothing is archived
	Scope    func(url string) (ok bool, rule string) // including robots.txt, where it is known
	InScope  func(url string) bool                   // without robots.txt: tells scope from robots in a refusal; may be nil
	// Source tells whether a URL is a source of links and no page, and by which pattern. May be nil.
	Source     func(url string) (pattern string, is bool)
	Traps      Traps      // nil: every URL in scope may wait
	Duplicates Duplicates // nil: every page is judged
	ListAll    bool       // a page that asks not to be indexed may be accepted
	// Sitemaps returns the canonical URLs of the sitemaps found since its last call. May be nil.
	Sitemaps func() []string
	Seeds    []string // canonical URLs
	Limits   Limits
	Enough   Enough // ends the crawl when hardly anything is left to accept; nil: nothing does
	// Others are the other workers of the crawl, whose Limits are leases then. Nil: there are none.
	Others  Others
	Explore Explore
	// Discover finds requests beside those of the focus. Nil: nothing does.
	Discover Discoverer
	// Failing puts requests of kinds of URLs that did not answer so far after all others: see package failing.
	Failing bool
	// Decisions are those of an earlier crawl. Each is applied, in order, after as many outcomes as there.
	Decisions []orbweaver.Decision
	Workers   int // goroutines that read
	// MostWorkers is how many goroutines may read the live Web while the processors have nothing to do but wait for answers. Less than
	// Workers: these.
	MostWorkers int
	Load        *step.Load // counts the pages of the live Web that are worked on; nil: one of its own
	Snapshot    int        // outcomes between two snapshots of a Learner; up to four times as many if they are large
	// NoReplay means that no page can be read again: model updates since a Learner's last snapshot are lost
	// with the process.
	NoReplay bool
	// Observe sees each outcome after its commit, on the goroutine that decides. May be nil.
	Observe func(orbweaver.Outcome, step.Progress)
	// Sync is called periodically between two commits, and makes them survive a power cut.
	Sync func() error
	// Flush hands all committed batches to the operating system. It is called before a request to the live
	// Web, so that no host has to answer twice after a kill; before a Call; and at the end of the session.
	// May be nil.
	Flush func() error
	// Virtual is the clock of a simulated live crawl. Nil: the machine's clock.
	Virtual *Virtual
	// Meter receives the duration of a stage, by its Stage constant. It is called from many goroutines. May
	// be nil.
	Meter func(stage string, took time.Duration)
}

// A Crawl is one session of a crawl: one process's run of it.
type Crawl struct {
	cfg      Config
	focus    capabilities
	pipeline *pipeline.Pipeline
	chances  *chance.Both
	failing  *failing.Model // nil: kinds of URLs are not told apart
	opinions opinions
	resting  bool // the frontier has nothing: the crawl was recalled to ask it something
	weighed  bool // chances changed after the last commit
	ahead    *readahead
	progress step.Progress
	before   time.Duration // active in earlier sessions
	began    time.Time
	synced   time.Time
	inRound  bool                // a round of fixed size has begun
	round    []uint64            // the requests left of it
	drawn    map[uint64]struct{} // at random, and not decided yet
	probed   map[uint64]struct{} // by Discover, and not decided yet
	lessons  int                 // outcomes since the last snapshot
	size     int                 // of that, in bytes
	n        int64               // outcomes committed

	again     map[uint64]orbweaver.Outcome // pages that a refresh or a watch requests again, by their last outcome
	fresh     map[uint64]bool              // requests of a watch that were never made
	nextVisit time.Time                    // when a watch looks for what is due
	calls     chan call                    // see Call and Look
	later     []call                       // that came within a step and wait for its end
	stopped   chan struct{}                // closed when Run returns
	paused    bool                         // as told or held
	told      bool                         // by Pause
	retry     bool                         // by Resume: lost logins are tried again
	session   *live                        // on the live Web: the latest session
	held      bool                         // by Hold
	halted    time.Time                    // when it was paused
	ending    bool                         // Stop was called
	broken    error                        // the focus crashed, maybe in a Call

	ended     string // why the crawl was over before this session; empty if it was not
	exhausted bool   // it was over, and nothing has been added since
	changed   bool   // this session committed a batch

	attends     attendance
	inFlight    int                 // exchanges and look-ups
	dirty       bool                // a batch was committed since the last Flush
	flying      map[uint64]struct{} // the requests among them; on the live Web
	left        []step.Account      // on the live Web: changed after the last outcome
	followed    int                 // of Decisions: how many were applied
	taken       map[string]int      // decisions of this crawl, by decisionKey
	met         map[string]int      // of Decisions, up to followed
	refusals    refusals
	notReplayed int      // pages whose lessons were lost: see NoReplay
	ids         []uint64 // scratch of rescore
	scores      []float64

	together Together    // nil: the crawl goes through its rounds alone
	sharer   RoundSharer // the focus then
	state    string      // digest of what it knows
}

// New assembles a session. Nothing runs before Run.
func New(cfg Config, progress step.Progress) *Crawl {
	if cfg.Again == nil {
		cfg.Again = func(ctx context.Context, o orbweaver.Outcome) (*step.Response, error) {
			return cfg.Fetch.Fetch(ctx, o.Request)
		}
	}
	c := &Crawl{
		cfg: cfg, focus: capabilitiesOf(cfg.Focus), progress: progress,
		pipeline: &pipeline.Pipeline{
			Fetch: cfg.Fetch, MaxBody: cfg.Limits.Body, Read: cfg.Read, Render: cfg.Render, Complete: cfg.Complete,
			Focus: cfg.Focus, ListAll: cfg.ListAll, Meter: cfg.Meter, Check: cfg.Check,
		},
		chances: &chance.Both{}, before: progress.Active, n: progress.Requests,
		calls: make(chan call), stopped: make(chan struct{}), taken: map[string]int{}, met: map[string]int{},
		drawn: map[uint64]struct{}{}, probed: map[uint64]struct{}{}, attends: newAttendance(),
	}
	if cfg.Discover != nil {
		c.focus.learner = joined{c.focus.learner, cfg.Discover}
	}
	c.pipeline.Correct = c.correct
	c.shareRounds()
	if c.cfg.Load == nil {
		c.cfg.Load = &step.Load{}
	}
	if cfg.Failing {
		c.failing = &failing.Model{}
	}
	return c
}

// Run crawls until nothing waits, a limit is reached or ctx is done, from where the last session stopped.
// Ended in the result says why the crawl is over; it is empty if ctx or Stop ended the session. An error
// means that the crawl cannot continue; committed batches stay.
func (c *Crawl) Run(ctx context.Context) (step.Progress, error) {
	defer close(c.stopped)
	c.began, c.synced = c.now(), c.now()
	c.ended, c.progress.Ended = c.progress.Ended, ""
	if err := c.begin(ctx); err != nil {
		return c.progress, unlessOver(ctx, err) // a model restored in part must not be saved
	}
	crawl := c.strict
	if c.cfg.Live != nil {
		crawl = c.live
	}
	c.attends.leave()
	err := crawl(ctx)
	c.attends.look()
	if err == nil {
		err = c.broken
	}
	inOrder := err == nil
	if err = unlessOver(ctx, err); err == nil {
		err = c.rest(inOrder)
	}
	return c.progress, err
}

// unlessOver returns err, or nil if err merely reports the end of ctx.
func unlessOver(ctx context.Context, err error) error {
	if ctx.Err() != nil && (errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)) {
		return nil
	}
	return err
}

// rest commits the end of the session. inOrder is false if the focus was interrupted: it may know an outcome
// that was not committed, so its model is not saved. A session without a commit changes nothing, not even
// the time spent.
func (c *Crawl) rest(inOrder bool) error {
	if !c.changed && (c.exhausted || c.progress.Ended == c.ended) && len(c.left) == 0 {
		c.progress.Ended = c.ended
		return nil
	}
	batch := step.Batch{Accounts: c.left}
	if inOrder {
		var err error
		if batch.Model = c.snapshot(&err); err != nil {
			return err
		}
	}
	if err := c.commit(batch); err != nil {
		return err
	}
	return c.flush()
}

// strict crawls an archive: it decides the best request, then the next.
func (c *Crawl) strict(ctx context.Context) error {
	reading, stop := context.WithCancel(ctx)
	c.ahead = newReadahead(reading, c.cfg.Workers, c.read)
	defer func() {
		stop()
		c.ahead.wait()
	}()
	for {
		c.serveCalls(ctx)
		if err := c.follow(ctx); err != nil {
			return err
		}
		if over, err := c.step(ctx); over || err != nil {
			return err
		}
	}
}

// step takes the next request and decides it; over means that the session ends.
func (c *Crawl) step(ctx context.Context) (over bool, err error) {
	if ctx.Err() != nil || c.ending || c.broken != nil {
		return true, nil
	}
	if c.progress.Ended = c.reached(); c.progress.Ended != "" {
		return true, nil
	}
	id, ok, err := c.next(ctx)
	if err != nil {
		return false, err
	}
	if !ok && c.cfg.Others != nil && !c.cfg.Others.Over() {
		c.giveBack()
		c.awaitCall(ctx)
		return false, nil
	}
	if !ok {
		c.progress.Ended = c.exhaustion()
		return true, nil
	}
	c.ahead.want(c.upcoming())
	c.attends.look()
	r := c.ahead.take(id)
	if choose, ok := c.cfg.Render.(pipeline.Chooser); ok && r.page != nil && !choose.Stands(r.page) {
		r = c.ahead.take(id) // read anew: nothing is learned meanwhile
	}
	c.attends.leave()
	if ctx.Err() != nil {
		return true, nil // the reading may be incomplete: the next session repeats the request
	}
	waiting, err := c.cfg.Ledger.Waiting(id)
	if err == nil {
		waiting, err = c.predict(waiting)
	}
	if err != nil {
		return false, err
	}
	return false, c.decide(ctx, waiting, r)
}

// upcoming returns the requests to read ahead, best first.
func (c *Crawl) upcoming() []uint64 {
	depth := c.ahead.depth
	ids := append([]uint64(nil), c.round[:min(len(c.round), depth)]...)
	return append(ids, c.cfg.Frontier.Head(depth-len(ids))...)
}

// reached names the limit that ends the crawl, or says that it is saturated; empty if it goes on.
func (c *Crawl) reached() string {
	l, p := &c.cfg.Limits, c.progress
	switch {
	case c.over(EndRequests, &l.Requests, p.Asked()):
		return EndRequests
	case c.over(EndPages, &l.Pages, p.Pages):
		return EndPages
	case c.over(EndBytes, &l.Bytes, p.Bytes):
		return EndBytes
	case l.Time > 0 && c.active() >= l.Time:
		return EndTime
	case c.cfg.Enough != nil && c.cfg.Enough.Reached(p.Threshold):
		return EndSaturated
	}
	return ""
}

// active is the time spent crawling in all sessions, without pauses.
func (c *Crawl) active() time.Duration {
	switch {
	case c.began.IsZero():
		return c.before
	case c.paused:
		return c.before + c.halted.Sub(c.began)
	}
	return c.before + c.since(c.began)
}

// failed names the request of an error.
func failed(what string, r orbweaver.Request, err error) error {
	return fmt.Errorf("%s %s: %w", what, r.URL, err)
}
