package simulation

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"sync"
	"time"

	"orbweaver"
	"orbweaver/engine"
	"orbweaver/eval/synth"
	"orbweaver/frontier"
	"orbweaver/internal/assembly"
	"orbweaver/internal/cluster"
	"orbweaver/internal/cluster/courier"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/gate"
	"orbweaver/internal/manners"
	"orbweaver/internal/services"
	"orbweaver/internal/step"
	"orbweaver/ledger"
)

// A Courier describes what carries messages between workers.
type Courier struct {
	Seed    uint64        // of what is drawn, kills too
	Latency time.Duration // mean time on the way
	Loss    float64       // share of the messages that are lost
	Repeats float64       // share of the messages that arrive twice
}

// patience is how long a worker waits, in latencies of the courier, until it sends again what was not taken; linger is how long a message waits
// for others.
const (
	patience = 40
	linger   = 200 * time.Millisecond
)

// start is when simulated crawls begin.
var start = time.Unix(1e9, 0).UTC()

// A crew is the workers of a simulated crawl. One of them runs at a time: see engine.NewVirtuals.
type crew struct {
	simulation Simulation
	web        *synth.Web
	load       *load
	workers    []*worker
	dice       *rand.Rand
	left       int64 // requests of the budget that no worker has leased
	requests   int64 // made by all
	accepted   int64
	result     *simulated
	told       func()
	places     *manners.Registry // hosts and addresses, of which several workers may have to do with one
}

// A worker is the crawl of its partitions.
type worker struct {
	crew    *crew
	number  int
	clock   *engine.Virtual
	book    *ledger.Ledger
	turns   *frontier.Frontier
	guest   *guest // of the places that workers share; nil: there is one worker
	folder  string
	kind    string
	failed  error // of what was to be sent
	killed  bool  // and not running again yet
	crawl   *engine.Crawl
	sender  *courier.Sender
	owed    map[int]step.Delivery // the last deliveries taken, by sender, that these have not been told of
	alarm   time.Time             // when messages are sent; zero: no event is due for that
	answers bool                  // an event is due that tells senders what was taken
	ended   string
	err     error
	over    bool
	shares  cluster.Growth // when it shares what it has learned
	takes   cluster.Growth // and when it takes what others share
	lessons map[int]lesson // of others
}

// gather makes the workers.
func (c *crew) gather(ctx context.Context, folder, kind string, n int) error {
	c.dice = rand.New(rand.NewPCG(c.simulation.Seed, c.simulation.Courier.Seed))
	clocks := []*engine.Virtual{engine.NewVirtual(start)}
	if n > 1 {
		clocks = engine.NewVirtuals(start, n)
		c.load.pages = map[string]bool{}
	}
	c.places = manners.New()
	for i, clock := range clocks {
		w := &worker{crew: c, number: i, clock: clock, owed: map[int]step.Delivery{}, lessons: map[int]lesson{}}
		c.workers = append(c.workers, w)
		if n > 1 {
			w.guest = c.join()
		}
		w.folder, w.kind = filepath.Join(folder, fmt.Sprint(i)), kind
		if err := w.prepare(ctx); err != nil {
			return err
		}
	}
	if n > 1 && c.simulation.Kills > 0 {
		c.killLater()
	}
	return nil
}

// prepare assembles the crawl of a worker, from where its folder has it.
func (w *worker) prepare(ctx context.Context) (err error) {
	s := w.crew.simulation
	if w.book, err = ledger.Open(filepath.Join(w.folder, "crawl")); err != nil {
		return err
	}
	focus, err := s.simulatedFocus(ctx, w.kind, w.crew.web, w.folder)
	if err != nil {
		return err
	}
	gate, err := gate.New(crawlfile.Scope{}, nil, false, "orbweaver")
	if err != nil {
		return err
	}
	want := "off"
	if s.Sitemaps {
		want = "all"
	}
	gate.Want(want, nil)
	options := frontier.Options{Delay: s.Delay, Connections: 1, Live: true, Robots: true, Seed: s.Seed}
	answers := newSynthetic(w.crew.web, w.clock, s.Delay)
	answers.lists, answers.load = s.Sitemaps, w.crew.load
	cfg := engine.Config{
		Focus: focus, Fetch: answers, Read: answers, Ledger: w.book, Scope: gate.Admits, InScope: gate.InScope, Sitemaps: gate.Sitemaps,
		Seeds: w.crew.web.Seeds(simulatedSeeds), Limits: engine.Limits{Requests: w.crew.left, Redirects: 5},
		Workers: services.LiveWorkers, Snapshot: assembly.SnapshotEvery, Flush: w.book.Flush, Virtual: w.clock,
		Again: answers.again,
		Observe: func(o orbweaver.Outcome, _ step.Progress) {
			w.crew.observe(o, answers)
			w.share()
		},
	}
	before := w.book.Progress()
	if w.guest != nil {
		options.Others = w.guest
		cfg.Others, cfg.Flush = w, w.flush
		cfg.Limits.Requests = before.Requests + w.More(engine.EndRequests)
		w.book.Divide(cluster.PartitionOf)
		w.sender = courier.NewSender(w.book, w.send, courier.Manner{Linger: linger, Patience: patience * max(s.Courier.Latency, time.Millisecond)})
	}
	w.turns = frontier.New(options)
	cfg.Frontier = w.turns
	cfg.Live = &engine.Live{Hosts: w.turns, Locate: answers.Locate, Robots: gate, Retries: simulatedRetries}
	w.crawl = engine.New(cfg, before)
	return nil
}

// run runs the crawls of all workers.
func (c *crew) run(ctx context.Context) error {
	if len(c.workers) == 1 {
		w := c.workers[0]
		w.finish(w.crawl.Run(ctx))
		return w.err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var all sync.WaitGroup
	for _, w := range c.workers {
		all.Go(func() {
			w.clock.Begin()
			w.live(ctx)
			if w.over = true; w.err != nil {
				stop() // the others wait for what will not come
			}
			w.clock.End()
		})
	}
	all.Wait()
	var problems []error
	for _, w := range c.workers {
		problems = append(problems, w.err, w.failed)
	}
	return errors.Join(problems...)
}

func (w *worker) finish(progress step.Progress, err error) {
	w.ended, w.err = progress.Ended, err
}

// observe counts an outcome.
func (c *crew) observe(o orbweaver.Outcome, answers *synthetic) {
	r := c.result
	c.requests++
	if o.Page != nil {
		r.end.pages++
		if o.Actual.Accepted {
			c.accepted++
		}
		if o.Request.Purpose == orbweaver.ForPage && answers.relevant(o.Page.URL) {
			r.end.relevant++
		}
	}
	if c.requests <= max(1, c.simulation.budget(r.size)/10) {
		r.tenth = r.end
	}
	c.told()
}

// snapshot is what the progress line shows.
func (c *crew) snapshot() console.Snapshot {
	s := console.Snapshot{Pages: c.result.end.pages, Accepted: c.accepted, Hosts: len(c.load.hosts)}
	for _, w := range c.workers {
		s.Waiting += w.turns.Len()
	}
	return s
}

// conclude sets the rest of the result.
func (c *crew) conclude() {
	r := c.result
	r.requests, r.hosts, r.early, r.twice, r.ended = c.requests, len(c.load.hosts), c.load.early, c.load.twice, c.workers[0].ended
	for _, w := range c.workers {
		r.virtual = max(r.virtual, w.clock.Now().Sub(start))
	}
	r.busy = part(c.load.busy.Seconds(), r.virtual.Seconds())
}

// close closes the ledgers.
func (c *crew) close() error {
	var problems []error
	for _, w := range c.workers {
		if w.book != nil {
			problems = append(problems, w.book.Close())
		}
	}
	return errors.Join(problems...)
}

// owner returns the worker of a partition.
func (c *crew) owner(partition int) *worker { return c.workers[partition%len(c.workers)] }

// Inherits implements engine.Others.
func (w *worker) Inherits(string) bool { return false }

// Away implements engine.Others.
func (w *worker) Away(url string) bool { return w.crew.owner(cluster.PartitionOf(url)) != w }

// Seeds implements engine.Others.
func (w *worker) Seeds() bool { return w == w.crew.workers[0] }

// Over implements engine.Others.
func (w *worker) Over() bool {
	if err := w.flush(); err != nil { // what others are to have must be under way
		w.failed = err
		return true
	}
	if _, waits := w.sender.Next(); waits {
		return false
	}
	return w.clock.Alone()
}

// More implements engine.Others: a lease is a twentieth of a worker's share of the budget.
func (w *worker) More(limit string) int64 {
	c := w.crew
	if limit != engine.EndRequests {
		return 0
	}
	n := min(max(1, c.simulation.budget(c.web.Pages)/int64(20*len(c.workers))), c.left)
	c.left -= n
	return n
}

// Back implements engine.Others.
func (w *worker) Back(limit string, n int64) {
	if limit == engine.EndRequests {
		w.crew.left += n
	}
}
