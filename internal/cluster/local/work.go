// Package local runs a crawl by several processes of this machine: each is a worker with a folder of its own, and the crawl folder is gathered of them. The first process
// has the bus between them, starts the others, begins them again when they die, and answers for the crawl.
package local

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"orbweaver/engine"
	"orbweaver/internal/assembly"
	"orbweaver/internal/cluster"
	"orbweaver/internal/cluster/addresses"
	"orbweaver/internal/cluster/bus"
	"orbweaver/internal/cluster/courier"
	"orbweaver/internal/cluster/gather"
	"orbweaver/internal/cluster/record"
	"orbweaver/internal/cluster/worker"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/job"
	"orbweaver/internal/run"
	"orbweaver/internal/starting"
	"orbweaver/internal/step"
	"orbweaver/ledger"
	"orbweaver/server"
)

// An order is what a worker process reads from its standard input. It holds the bus's token, which no command line shows. The input stays open for as long as
// the worker is wanted.
type order struct {
	File    string        `json:"file"`   // the crawl file as run
	Output  string        `json:"output"` // folder of the worker
	Worker  string        `json:"worker"`
	Workers int           `json:"workers"` // of the crawl
	URL     string        `json:"url"`
	Token   string        `json:"token"`
	Lease   time.Duration `json:"lease"`
}

// A result is what a worker process writes when it ends in order.
type result struct {
	Ended string `json:"ended"` // empty: it was stopped
}

// Work is the whole life of a worker process: it reads an order, crawls until its part is over, or the input ends, and writes a result.
func Work(ctx context.Context, j *job.Job, in io.Reader, out io.Writer) error {
	var o order
	orders := json.NewDecoder(in)
	if err := orders.Decode(&o); err != nil {
		return fmt.Errorf("worker: `orbweaver crawl FILE --processes N` begins it: %w", err)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() { // whoever wants the worker is gone
		_, _ = io.Copy(io.Discard, io.MultiReader(orders.Buffered(), in))
		cancel()
	}()
	ended, err := session(ctx, j, o)
	if err != nil {
		return err
	}
	return json.NewEncoder(out).Encode(result{ended})
}

// Blocks of what is leased of the crawl's limits, and how a courier sends.
const (
	block    = 32
	linger   = 50 * time.Millisecond
	spacing  = 250 * time.Millisecond
	patience = 5 * time.Second
)

// session is one session of a worker process.
func session(ctx context.Context, j *job.Job, o order) (ended string, err error) {
	b, err := bus.Dial(ctx, bus.Options{Crawl: "crawl", Worker: o.Worker, URLs: []string{o.URL}, Token: o.Token, Partitions: cluster.Partitions})
	if err != nil {
		return "", err
	}
	defer b.Close()
	return Session(ctx, j, b, Task{File: o.File, Output: o.Output, Worker: o.Worker, Expect: o.Workers, Share: o.Workers, Lease: o.Lease,
		Orders: func(ctx context.Context) (Orders, error) { return noted(ctx, b) }})
}

// A Task is what a worker is to do.
type Task struct {
	File   string        // the crawl file as run
	Output string        // folder of the worker
	Worker string        // its name
	Expect int           // workers that are waited for, for a while
	Share  int           // workers of this machine, among which the crawl file's memory is divided
	Lease  time.Duration // of partitions
	Apart  bool          // workers are on different machines: they share addresses through the bus
	Joined func(*worker.Worker)

	Partitions int
	Record     *record.Record // nil: there is none
	Checkpoint time.Duration
	Routes     []server.Route // more of them at its control socket
	Orders     func(context.Context) (Orders, error)
}

// Bounds of how long a worker may ask an address that others want.
const (
	longestGrant = 10 * time.Second
	longestSlack = 5 * time.Second
	leastSlack   = time.Second
)

// grants are the times of a lease: an address of a worker that is gone is free about when its partitions are.
func grants(lease time.Duration) addresses.Times {
	return addresses.Times{Grant: min(2*lease/3, longestGrant), Slack: max(min(lease/3, longestSlack), leastSlack)}
}

// Session is one session of a worker, until the crawl of all workers is over, or ctx is done. It returns how it ended; empty: it was stopped.
func Session(ctx context.Context, j *job.Job, b *bus.Bus, o Task) (ended string, err error) {
	var shared addresses.Times
	if o.Apart {
		shared = grants(o.Lease)
	}
	w, err := worker.Join(ctx, worker.Options{
		Bus: b, Addresses: shared, Worker: o.Worker, Expect: o.Expect, Lease: o.Lease, Block: block, Partitions: o.Partitions,
		Say:    func(text string) { console.Say(j.Err, "%s", text) },
		Record: o.Record, Folder: o.Output, Checkpoint: o.Checkpoint,
		Manner: courier.Manner{Linger: linger, Spacing: spacing, Patience: patience + 2*o.Checkpoint},
	})
	if err != nil {
		return "", err
	}
	if o.Joined != nil {
		o.Joined(w)
	}
	from := assembly.Source{Path: o.File, Load: func() (*crawlfile.Crawl, error) {
		file, err := j.Schema().Load(o.File)
		if err == nil {
			file.Output, file.Memory = o.Output, max(file.Memory/int64(max(o.Share, 1)), 1)
		}
		return file, err
	}}
	sum, err := run.Session(ctx, j, from, 0, run.Hooks{
		Share: func(cfg *engine.Config, l *ledger.Ledger) (func(context.Context, *engine.Crawl) (step.Progress, error), error) {
			return func(ctx context.Context, crawl *engine.Crawl) (step.Progress, error) {
				follow := following{j: j, worker: w, crawl: crawl, folder: o.Output, orders: o.Orders}
				within, end := context.WithCancel(ctx)
				ended := make(chan struct{})
				go func() { defer close(ended); follow.run(within) }()
				p, err := w.Run(ctx, crawl)
				end()
				<-ended
				return p, err
			}, w.Share(cfg, l)
		},
		Routes: func(t *assembly.Control) []server.Route { return append(o.Routes, gather.Route(t.C.Ledger)) },
	})
	err = errors.Join(err, w.Close(context.WithoutCancel(ctx)))
	if sum == nil {
		return "", err
	}
	for _, passing := range []error{console.ErrInterrupted, starting.ErrNothing, starting.ErrHostsDown, starting.ErrNetworkDown} {
		if errors.Is(err, passing) { // it is the crawl of all workers that ended so, or not
			err = nil
		}
	}
	return sum.Progress.Ended, err
}
