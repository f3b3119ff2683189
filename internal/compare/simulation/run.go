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

// simulatedSeeds is how many pages of the target a simulated crawl begins at, beside the web's first.
const simulatedSeeds = 10

// simulatedRetries is how often a request that failed for a passing reason is made again.
const simulatedRetries = 2

// A stand is how far a simulated crawl had come.
type stand struct{ pages, relevant int64 }

// harvest is the share of the pages that is relevant.
func (s stand) harvest() float64 { return part(float64(s.relevant), float64(s.pages)) }

// A simulated is what a simulated crawl came to.
type simulated struct {
	size     int64 // pages of the web
	focus    string
	findable int64 // pages of the web that are relevant and can be had
	requests int64
	end      stand
	tenth    stand // after a tenth of the requests allowed, or at the end if that was before
	virtual  time.Duration
	hosts    int     // asked
	busy     float64 // hosts at a time, on average, that were answering or not to be asked again yet
	early    int     // requests that came too early for their host
	cost     cost
}

// recall is the share of what can be found.
func (r *simulated) recall(s stand) float64 { return part(float64(s.relevant), float64(r.findable)) }

// rate is pages a second of virtual time.
func (r *simulated) rate() float64 { return part(float64(r.end.pages), r.virtual.Seconds()) }

// part is a share; 0 when there is no whole.
func part(some, whole float64) float64 {
	if whole == 0 {
		return 0
	}
	return some / whole
}

// simulate runs one crawl, its ledger in a folder that is gone afterwards.
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
	watch := startStopwatch()
	progress, err := sitSimulated(ctx, con, s, focus, book, answers, &r)
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

// sitSimulated runs the crawl, notes in r how far it comes, and shows it.
func sitSimulated(ctx context.Context, con *console.Console, s Simulation, focus orbweaver.Focus, book *ledger.Ledger, answers *synthetic, r *simulated) (step.Progress, error) {
	gate, err := gate.New(crawlfile.Scope{}, nil, false, "orbweaver")
	if err != nil {
		return step.Progress{}, err
	}
	gate.Want("off", nil)
	turns := frontier.New(frontier.Options{Delay: s.Delay, Connections: 1, Live: true, Robots: true, Seed: s.Seed})
	budget := s.budget(r.size)
	line := console.StartProgress(con.Err, con.Terminal, con.Columns(), console.Snapshot{})
	defer line.Close()
	return engine.New(engine.Config{
		Focus: focus, Fetch: answers, Read: answers, Ledger: book, Frontier: turns, Scope: gate.Admits, InScope: gate.InScope,
		Live:  &engine.Live{Hosts: turns, Locate: answers.Locate, Robots: gate, Retries: simulatedRetries},
		Seeds: answers.web.Seeds(simulatedSeeds), Limits: engine.Limits{Requests: budget, Redirects: 5},
		Workers: services.LiveWorkers, Snapshot: assembly.SnapshotEvery, Flush: book.Flush, Virtual: answers.clock,
		Observe: func(o orbweaver.Outcome, p step.Progress) {
			if o.Page != nil && answers.relevant(o.Page.URL) {
				r.end.relevant++
			}
			if r.end.pages = p.Pages; p.Requests <= max(1, budget/10) {
				r.tenth = r.end
			}
			line.Tell(console.Snapshot{Pages: p.Pages, Accepted: p.Accepted, Waiting: turns.Len(), Hosts: len(answers.hosts)})
		},
	}, step.Progress{}).Run(ctx)
}

// bytesIn is the size of all files in a folder.
func bytesIn(folder string) (total int64) {
	_ = filepath.WalkDir(folder, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			total += info.Size()
		}
		return nil // what went away meanwhile is not counted
	})
	return total
}
