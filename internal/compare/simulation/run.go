package simulation

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"orbweaver/eval/synth"
	"orbweaver/internal/console"
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
	workers  int
	findable int64 // relevant pages of the web that can be fetched
	requests int64
	end      stand
	tenth    stand // after a tenth of the request budget, or at the end if earlier
	virtual  time.Duration
	hosts    int     // hosts requested
	busy     float64 // mean number of hosts that were answering or in their delay
	early    int     // requests before the end of a host's delay
	twice    int     // pages that were requested more than once
	parcels  int64   // proposals that workers sent to each other
	messages int64   // in which these were
	lessons  int64   // of what others had learned, taken by a worker
	kills    int     // of workers
	again    int64   // messages that had to be sent again
	ended    string  // why the first worker's crawl ended; empty: it was interrupted
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

// simulate runs one crawl, with its ledgers in a temporary folder.
func simulate(ctx context.Context, con *console.Console, s Simulation, web *synth.Web, kind string, workers int) (simulated, error) {
	folder, err := os.MkdirTemp("", "orbweaver-simulate-")
	if err != nil {
		return simulated{}, err
	}
	r, err := simulateIn(ctx, con, folder, s, web, kind, workers)
	return r, errors.Join(err, os.RemoveAll(folder))
}

func simulateIn(ctx context.Context, con *console.Console, folder string, s Simulation, web *synth.Web, kind string, workers int) (simulated, error) {
	r := simulated{size: web.Pages, focus: kind, workers: workers, findable: web.Relevant()}
	c := &crew{simulation: s, web: web, load: newLoad(), result: &r, left: s.budget(r.size)}
	err := c.gather(ctx, folder, kind, workers)
	if err != nil {
		return r, errors.Join(err, c.close())
	}
	watch := startStopwatch()
	line := console.StartProgress(con.Err, con.Terminal, con.Columns(), console.Snapshot{})
	c.told = func() { line.Update(c.snapshot()) }
	err = c.run(ctx)
	line.Close()
	if s.after != nil {
		s.after(c)
	}
	err = errors.Join(err, c.close())
	r.cost = watch.read()
	r.cost.ledger = bytesIn(folder)
	c.conclude()
	if err == nil && r.ended == "" {
		err = console.ErrInterrupted
	}
	return r, err
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
