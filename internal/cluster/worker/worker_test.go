package worker_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"orbweaver/engine"
	"orbweaver/fetch/client"
	"orbweaver/fetch/fetchtest"
	"orbweaver/internal/assembly"
	"orbweaver/internal/cluster"
	"orbweaver/internal/cluster/bus"
	"orbweaver/internal/cluster/courier"
	"orbweaver/internal/cluster/worker"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/internal/manners"
	"orbweaver/internal/run"
	"orbweaver/internal/services/wire"
	"orbweaver/internal/step"
	"orbweaver/ledger"
)

// A crew is several workers, that share a crawl of a web in memory through a server of their process.
type crew struct {
	t       *testing.T
	server  *bus.Server
	network *fetchtest.Network
	hosts   *manners.Registry
	folder  string
	seeds   []string
	keys    string
	names   []string
}

func newCrew(t *testing.T, w *fetchtest.Web, n int, keys string) *crew {
	t.Helper()
	c := &crew{t: t, network: fetchtest.NewNetwork(), hosts: manners.New(), folder: t.TempDir(), seeds: w.Seeds(), keys: keys}
	w.Serve(c.network)
	t.Cleanup(c.network.Close)
	var err error
	if c.server, err = bus.StartServer(bus.ServerOptions{Name: "one", Folder: filepath.Join(c.folder, "bus")}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.server.Close)
	for i := range n {
		c.names = append(c.names, fmt.Sprint("w", i))
	}
	return c
}

// output is the folder of a worker's crawl.
func (c *crew) output(name string) string { return filepath.Join(c.folder, name, "crawl") }

// work runs a worker until its crawl ends.
func (c *crew) work(ctx context.Context, name string) error {
	b, err := bus.Dial(ctx, bus.Options{Crawl: "test", Worker: name, Server: c.server, Partitions: cluster.Partitions})
	if err != nil {
		return err
	}
	defer b.Close()
	w, err := worker.Join(ctx, worker.Options{
		Bus: b, Worker: name, Workers: c.names, Lease: 5 * time.Second, Block: 8,
		Manner: courier.Manner{Linger: 20 * time.Millisecond, Patience: 2 * time.Second},
	})
	if err != nil {
		return err
	}
	file := filepath.Join(c.folder, name, "live.yaml")
	text := fmt.Sprintf("seeds: [%s]\nfocus: {breadth_first: {}}\nallow_private: true\ntraps: off\noutput: %s\n%s\n", strings.Join(c.seeds, ", "), c.output(name), c.keys)
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o777), os.WriteFile(file, []byte(text), 0o666)); err != nil {
		return err
	}
	a := &job.Job{Console: console.Console{Out: c.t.Output(), Err: c.t.Output()}, Alone: true, Wire: wire.Wire{
		Options: client.Options{Resolve: c.network.Resolve, Dial: c.network.Dial}, Hosts: c.hosts,
	}}
	_, err = run.Session(ctx, a, assembly.FromFile(a, file), 0, run.Hooks{
		Share: func(cfg *engine.Config, l *ledger.Ledger) (func(context.Context, *engine.Crawl) (step.Progress, error), error) {
			return w.Run, w.Share(cfg, l)
		},
	})
	return errors.Join(err, w.Close(context.WithoutCancel(ctx)))
}

// all runs all workers.
func (c *crew) all(ctx context.Context) {
	var running sync.WaitGroup
	for _, name := range c.names {
		running.Go(func() {
			if err := c.work(ctx, name); err != nil {
				c.t.Errorf("%s: %v", name, err)
			}
		})
	}
	running.Wait()
}

// lines returns the lines of all workers, and how many have any.
func (c *crew) lines() (all []ledger.Line, workers int) {
	for _, name := range c.names {
		before := len(all)
		for line, err := range ledger.Lines(filepath.Join(c.output(name), ledger.JournalFile)) {
			if err != nil {
				c.t.Error(err)
			}
			all = append(all, line)
		}
		if len(all) > before {
			workers++
		}
	}
	return all, workers
}

// patience bounds a test that hangs.
const patience = 2 * time.Minute

// TestWorkers: three workers have, together, the pages of a web, each once and politely, and know when they are done; when they run again, nothing
// changes.
func TestWorkers(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	w := fetchtest.Generate(fetchtest.Plan{Seed: 4, Hosts: 16, Pages: 8, Plain: true, Politeness: fetchtest.Politeness{Delay: 20 * time.Millisecond, Retries: 2}})
	c := newCrew(t, w, 3, "politeness: {delay: 20ms, contact: me@example.org, timeout: 10s}")
	c.all(ctx)
	for _, v := range w.Violations() {
		t.Error(v)
	}
	var urls []string
	lines, workers := c.lines()
	for _, l := range lines {
		if l.Status == 200 {
			urls = append(urls, l.URL)
		}
	}
	slices.Sort(urls)
	if want := w.Allowed(); !slices.Equal(urls, want) || workers != 3 {
		t.Errorf("%d pages by %d workers, want %d", len(urls), workers, len(want))
	}
	if twice := w.Repeated(); len(twice) > 0 {
		t.Errorf("asked for twice: %v", twice)
	}
	visits := len(w.Visits())
	c.all(ctx)
	if again, _ := c.lines(); len(again) != len(lines) || len(w.Visits()) != visits {
		t.Errorf("run again, they have %d lines, not %d", len(again), len(lines))
	}
}

// TestWorkersShareALimit: together, workers make no more requests than the crawl file allows, and all end.
func TestWorkersShareALimit(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	w := fetchtest.Generate(fetchtest.Plan{Seed: 5, Hosts: 12, Pages: 10, Plain: true, Politeness: fetchtest.Politeness{Delay: 10 * time.Millisecond}})
	c := newCrew(t, w, 2, "politeness: {delay: 10ms, contact: me@example.org}\nlimits: {requests: 40}")
	c.all(ctx)
	if lines, _ := c.lines(); len(lines) > 40 || len(lines) < 25 {
		t.Errorf("%d requests", len(lines))
	}
}
