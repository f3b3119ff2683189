// Package engine is the loop of a crawl: take the best request, read it, decide it, commit what
// follows from it, take the next.
//
// One goroutine decides, many read. Over an archive, reading a request (fetch, page, Prepare) depends
// on its identity and the archive alone, so it may be done ahead, in parallel, and in vain; deciding
// is strictly one after the other. The same web and the same focus therefore give the same crawl,
// whatever the number of workers and however often it was killed. On the live Web (live.go) requests
// start when the turn of their hosts comes and are decided as they arrive. The engine never looks
// inside a focus, a page or a store: it moves values between the interfaces below.
package engine

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"orbweaver"
	"orbweaver/internal/step"
)

// A Fetcher answers requests. It is called from many goroutines. Its errors name the URL and wrap a
// Failure.
type Fetcher interface {
	Fetch(context.Context, orbweaver.Request) (*step.Response, error)
}

// A Reader makes a page of a 2xx response and its payload. Of a request with a Query it is given all
// answers but redirects: what an endpoint says of an error is in its body, and the Reader's error says it.
// It is called from many goroutines.
type Reader interface {
	Read(context.Context, *step.Response, []byte) (*orbweaver.Page, error)
}

// A Frontier says whose turn it is.
type Frontier interface {
	Adder
	Leaser
	Looker
}

// An Adder takes what waits and what was fetched before.
type Adder interface {
	Add(step.Waiting)
	Rescore(id uint64, score float64)
	RescoreAll(ids []uint64, scores []float64) // each with the score at its index
	Count(url string, pages int64)
}

// A Leaser hands requests out, each once.
type Leaser interface {
	Next(now time.Time) (turn step.Turn, wait time.Duration, ok bool)
	Take(id uint64, now time.Time) bool
	Done(id uint64, r step.Reply)
	Err() error // why no turn comes any more, if something failed
}

// A Looker shows what waits.
type Looker interface {
	Head(n int) []uint64
	Rank(id uint64) (rank float64, waits bool)
	Group(key string) []uint64
}

// A Ledger keeps what is known.
type Ledger interface {
	Book
	Memory
	orbweaver.Known
}

// A Book is what every step writes and reads.
type Book interface {
	Seen(orbweaver.Request) (id uint64, known bool)
	Offer(orbweaver.Request) (id uint64, fresh bool) // a fresh one is to be in the next batch
	Waiting(id uint64) (step.Waiting, error)
	WaitingOf(ids []uint64) iter.Seq2[step.Waiting, error] // ids ascending
	Note(id uint64) ([]byte, error)                        // of a request that waits; not to be changed
	NotesOf(ids []uint64) iter.Seq2[step.Opinion, error]   // ids ascending; without scores
	Commit(step.Batch) error
}

// A Recorder archives exchanges. Pack may be called from many goroutines, Append from one. What Append
// returned for is in the hands of the operating system before a batch is whose Archive speaks of it.
type Recorder interface {
	Pack(*step.Response, []byte) (any, error)
	Append(packed any) (orbweaver.Ref, error)
	Mark() ([]byte, error) // how far the archive is written, for Batch.Archive
}

// Limits end a crawl. Zero is no limit, but for Redirects.
type Limits struct {
	Requests, Pages, Bytes int64
	Time                   time.Duration
	Depth                  int
	Redirects              int   // followed in a row; 0: none is
	Body                   int64 // of one payload; what is larger fails
}

// Config is a crawl, assembled.
type Config struct {
	Focus orbweaver.Focus
	Fetch Fetcher
	// Again answers what was committed, after a crash: from the archive. Nil: Fetch does.
	Again    func(context.Context, orbweaver.Outcome) (*step.Response, error)
	Read     Reader
	Render   Renderer  // nil: pages are what they are before their scripts run
	Complete Completer // nil: data for which other documents are needed is not read
	Live     *Live     // nil: an archive is crawled, in strict order
	Ledger   Ledger
	Frontier Frontier
	Recorder Recorder                                // nil: nothing is archived
	Scope    func(url string) (ok bool, rule string) // robots.txt included, as far as it is known
	InScope  func(url string) bool                   // robots.txt left aside: tells why Scope refuses; may be nil
	Traps    Traps                                   // nil: every URL in scope may wait
	Twins    Twins                                   // nil: every page is judged
	ListAll  bool                                    // a page that asks not to be shown in results may be accepted
	// Sitemaps gives the sitemaps, canonical URLs, that came to be known since it was asked last. May be
	// nil.
	Sitemaps func() []string
	Seeds    []string // canonical URLs
	Limits   Limits
	// Decisions are those of an earlier crawl, to be taken up after as many outcomes as then, in order.
	Decisions []orbweaver.Decision
	Workers   int // goroutines that read
	Snapshot  int // outcomes between two snapshots of a Learner
	// Forgets says that no page can be read again: what a Learner took from the pages since its last
	// snapshot is lost with the process.
	Forgets bool
	// Observe sees each outcome after its commit, on the goroutine that decides. May be nil.
	Observe func(orbweaver.Outcome, step.Progress)
	// Sync is called now and then between two commits, to make them safe from a power cut.
	Sync func() error
	// Flush has all that was committed with the operating system when it returns. It is called before a
	// host of the live Web is asked, so that whoever kills the process makes no host answer again what it
	// had answered; before others look at the crawl; and at the sitting's end. May be nil.
	Flush func() error
	// Virtual is the time of a live crawl that is simulated. Nil: that of the machine.
	Virtual *Virtual
	// Meter hears how long a stage took, one of the Stage constants. It is called from many goroutines. May
	// be nil.
	Meter func(stage string, took time.Duration)
}

// The reasons for which a crawl is over.
const (
	EndExhausted = "nothing waits"
	EndRequests  = "limit of requests"
	EndPages     = "limit of pages"
	EndBytes     = "limit of bytes"
	EndTime      = "limit of time"
	EndRefreshed = "all was asked again"
)

// A Crawl is one sitting of a crawl.
type Crawl struct {
	cfg      Config
	focus    faculties
	ahead    *readahead
	progress step.Progress
	before   time.Duration // active in earlier sittings
	began    time.Time
	synced   time.Time
	inRound  bool     // a round of a size is under way
	round    []uint64 // what is left of it
	lessons  int      // outcomes since the last snapshot
	n        int64    // outcomes committed

	again   map[uint64]orbweaver.Outcome // what a refresh asks again, as it was
	calls   chan func()                  // see Call
	stopped chan struct{}                // closed when Run returns
	paused  bool
	halted  time.Time // when it was paused
	ending  bool      // Stop was called
	broken  error     // the focus crashed, maybe in a Call

	ended     string // why the crawl was over before this sitting; empty: it was not
	exhausted bool   // it was over, and nothing has come since
	changed   bool   // something was committed in this sitting

	inFlight int                 // exchanges and look-ups
	dirty    bool                // something was committed since the last Flush
	flying   map[uint64]struct{} // requests among them; of the live Web only
	left     []step.Account      // of the live Web, that changed after the last outcome
	followed int                 // of Decisions
	taken    map[string]int      // decisions of this crawl, by decisionKey
	met      map[string]int      // of Decisions, up to followed
	refusals refusals
	forgot   int      // pages that taught nothing after a crash: see Forgets
	ids      []uint64 // scratch of rescore
	scores   []float64
}

// New assembles a sitting. Nothing happens before Run.
func New(cfg Config, progress step.Progress) *Crawl {
	if cfg.Again == nil {
		cfg.Again = func(ctx context.Context, o orbweaver.Outcome) (*step.Response, error) {
			return cfg.Fetch.Fetch(ctx, o.Request)
		}
	}
	return &Crawl{
		cfg: cfg, focus: facultiesOf(cfg.Focus), progress: progress,
		before: progress.Active, n: progress.Requests,
		calls: make(chan func()), stopped: make(chan struct{}), taken: map[string]int{}, met: map[string]int{},
	}
}

// Run crawls until nothing waits, a limit is reached or ctx is done; it goes on where the last
// sitting stopped. The progress returned says in Ended why the crawl is over, and is empty there
// when ctx ended the sitting. An error means that the crawl cannot go on; what was committed stays.
func (c *Crawl) Run(ctx context.Context) (step.Progress, error) {
	defer close(c.stopped)
	c.began, c.synced = c.now(), c.now()
	c.ended, c.progress.Ended = c.progress.Ended, ""
	if err := c.begin(ctx); err != nil {
		return c.progress, unlessOver(ctx, err) // a model restored in part is not to be kept
	}
	sit := c.strict
	if c.cfg.Live != nil {
		sit = c.live
	}
	err := sit(ctx)
	if err == nil {
		err = c.broken
	}
	inOrder := err == nil
	if err = unlessOver(ctx, err); err == nil {
		err = c.rest(inOrder)
	}
	return c.progress, err
}

// unlessOver is an error, unless it is but the end of the context.
func unlessOver(ctx context.Context, err error) error {
	if ctx.Err() != nil && (errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)) {
		return nil
	}
	return err
}

// rest commits how the sitting ended. The model is in order unless the focus was cut short: it may
// know of an outcome then that was not committed. A sitting in which nothing happened leaves all as it was,
// the time spent included.
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

// strict crawls an archive: the best request, decided, then the next.
func (c *Crawl) strict(ctx context.Context) error {
	reading, stop := context.WithCancel(ctx)
	c.ahead = newReadahead(reading, c.cfg.Workers, c.read)
	defer func() {
		stop()
		c.ahead.wait()
	}()
	for {
		c.heed(ctx)
		if err := c.follow(ctx); err != nil {
			return err
		}
		if over, err := c.step(ctx); over || err != nil {
			return err
		}
	}
}

// step takes the next request and decides it; over means that the sitting is.
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
	if !ok {
		c.progress.Ended = EndExhausted
		return true, nil
	}
	c.ahead.want(c.upcoming())
	r := c.ahead.take(id)
	if ctx.Err() != nil {
		return true, nil // the reading may have been cut short: it is asked again
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

// upcoming are the requests worth reading ahead, best first.
func (c *Crawl) upcoming() []uint64 {
	depth := c.ahead.depth
	ids := append([]uint64(nil), c.round[:min(len(c.round), depth)]...)
	return append(ids, c.cfg.Frontier.Head(depth-len(ids))...)
}

// reached names the limit that ends the crawl, or nothing.
func (c *Crawl) reached() string {
	over := func(limit, have int64) bool { return limit > 0 && have >= limit }
	l, p := c.cfg.Limits, c.progress
	switch {
	case over(l.Requests, p.Requests):
		return EndRequests
	case over(l.Pages, p.Pages):
		return EndPages
	case over(l.Bytes, p.Bytes):
		return EndBytes
	case over(int64(l.Time), int64(c.active())):
		return EndTime
	}
	return ""
}

// active is the time spent crawling, over all sittings, pauses left out.
func (c *Crawl) active() time.Duration {
	switch {
	case c.began.IsZero():
		return c.before
	case c.paused:
		return c.before + c.halted.Sub(c.began)
	}
	return c.before + c.since(c.began)
}

// failed says which request an error is about.
func failed(what string, r orbweaver.Request, err error) error {
	return fmt.Errorf("%s %s: %w", what, r.URL, err)
}
