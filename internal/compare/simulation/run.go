package simulation

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"orbweaver"
	"orbweaver/engine"
	"orbweaver/eval/synth"
	"orbweaver/frontier"
	"orbweaver/internal/assembly"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/gate"
	"orbweaver/internal/services"
	"orbweaver/internal/step"
	"orbweaver/ledger"
)

// simulatedSeeds is the number of pages about the target among the seeds, besides the web's first page.
const simulatedSeeds = 10

// simulatedRetries bounds the retries of a request after a transient failure.
const simulatedRetries = 2

// stand is the progress of a simulated crawl.
type stand struct{ pages, relevant int64 }

// harvest returns the harvest rate: relevant pages ÷ pages fetched.
func (s stand) harvest() float64 { return part(float64(s.relevant), float64(s.pages)) }

// simulated is the result of a simulated crawl.
type simulated struct {
	size     int64 // pages of the web
	focus    string
	findable int64 // relevant pages of the web that can be fetched
	requests int64
	end      stand
	tenth    stand // after a tenth of the request budget, or at the end if earlier
	virtual  time.Duration
	hosts    int     // hosts requested
	busy     float64 // mean number of hosts that were answering or in their delay
	early    int     // requests before the end of a host's delay
	cost     cost
}

// recall returns the share of the findable pages that was found.
func (r *simulated) recall(s stand) float64 { return part(float64(s.relevant), float64(r.findable)) }

// rate returns the pages per second of virtual time.
func (r *simulated) rate() float64 { return part(float64(r.end.pages), r.virtual.Seconds()) }

// part returns a ratio; 0 if whole is 0.
func part(some, whole float64) float64 {
	if whole == 0 {
		return 0
	}
	return some / whole
}

// simulate runs one crawl, with its ledger in a temporary folder.
func simulate(ctx context.Context, con *console.Console, s Simulation, web *synth.Web, kind string) (simulated, error) {
	folder, err := os.MkdirTemp("", "orbweaver-simulate-")
	if err != nil {
		return simulated{}, err
	}
	r, err := simulateIn(ctx, con, folder, s, web, kind)
	return r, errors.Join(err, os.RemoveAll(folder))
}

func simulateIn(ctx context.Context, con *console.Console, folder string, s Simulation, web *synth.Web, kind string) (simulated, error) {
	r := simulated{size: web.Pages, focus: kind, findable: web.Relevant()}
	focus, err := s.simulatedFocus(ctx, kind, web, folder)
	if err != nil {
		return r, err
	}
	crawl := filepath.Join(folder, "crawl")
	book, err := ledger.Open(crawl)
	if err != nil {
		return r, err
	}
	start := time.Unix(1e9, 0).UTC()
	answers := newSynthetic(web, engine.NewVirtual(start), s.Delay)
	answers.lists = s.Sitemaps
	watch := startStopwatch()
	progress, err := runSimulated(ctx, con, s, focus, book, answers, &r)
	err = errors.Join(err, book.Close())
	r.cost = watch.read()
	r.cost.ledger = bytesIn(crawl)
	r.requests, r.virtual = progress.Requests, answers.clock.Now().Sub(start)
	r.hosts, r.early, r.busy = len(answers.hosts), answers.early, part(answers.busy.Seconds(), r.virtual.Seconds())
	if err == nil && progress.Ended == "" {
		err = console.ErrInterrupted
	}
	return r, err
}

// runSimulated runs the crawl, records its progress in r, and prints it.
func runSimulated(ctx context.Context, con *console.Console, s Simulation, focus orbweaver.Focus, book *ledger.Ledger, answers *synthetic, r *simulated) (step.Progress, error) {
	gate, err := gate.New(crawlfile.Scope{}, nil, false, "orbweaver")
	if err != nil {
		return step.Progress{}, err
	}
	want := "off"
	if s.Sitemaps {
		want = "all"
	}
	gate.Want(want, nil)
	turns := frontier.New(frontier.Options{Delay: s.Delay, Connections: 1, Live: true, Robots: true, Seed: s.Seed})
	budget := s.budget(r.size)
	line := console.StartProgress(con.Err, con.Terminal, con.Columns(), console.Snapshot{})
	defer line.Close()
	return engine.New(engine.Config{
		Focus: focus, Fetch: answers, Read: answers, Ledger: book, Frontier: turns, Scope: gate.Admits, InScope: gate.InScope, Sitemaps: gate.Sitemaps,
		Live:  &engine.Live{Hosts: turns, Locate: answers.Locate, Robots: gate, Retries: simulatedRetries},
		Seeds: answers.web.Seeds(simulatedSeeds), Limits: engine.Limits{Requests: budget, Redirects: 5},
		Workers: services.LiveWorkers, Snapshot: assembly.SnapshotEvery, Flush: book.Flush, Virtual: answers.clock,
		Observe: func(o orbweaver.Outcome, p step.Progress) {
			if o.Page != nil && o.Request.Purpose == orbweaver.ForPage && answers.relevant(o.Page.URL) {
				r.end.relevant++
			}
			if r.end.pages = p.Pages; p.Requests <= max(1, budget/10) {
				r.tenth = r.end
			}
			line.Update(console.Snapshot{Pages: p.Pages, Accepted: p.Accepted, Waiting: turns.Len(), Hosts: len(answers.hosts)})
		},
	}, step.Progress{}).Run(ctx)
}

// bytesIn returns the total size of the files in a folder.
func bytesIn(folder string) (total int64) {
	_ = filepath.WalkDir(folder, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			total += info.Size()
		}
		return nil // files removed meanwhile do not count
	})
	return total
}
