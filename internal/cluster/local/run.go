package local

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"orbweaver"
	"orbweaver/engine"
	"orbweaver/internal/assembly"
	"orbweaver/internal/cluster/bus"
	"orbweaver/internal/cluster/gather"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/job"
	"orbweaver/internal/kind"
	"orbweaver/internal/recording"
	"orbweaver/internal/run"
	"orbweaver/internal/step"
	"orbweaver/ledger"
	"orbweaver/server"
)

// MostProcesses is the largest number of processes of a crawl.
const MostProcesses = 64

// lease is how long the partitions of a process that was killed wait for the one that is begun in its place.
const lease = 5 * time.Second

// A crew is a crawl by several processes.
type crew struct {
	j       *job.Job
	output  string // the crawl folder
	name    string // of the crawl
	names   []string
	command []string // of a worker process
	server  *bus.Server
	file    *crawlfile.Crawl
	token   string
	began   time.Time

	gathering sync.Mutex // of the crawl folder
	stop      context.CancelFunc
	stopping  context.Context
}

// Run runs a session of a crawl by n processes, as run.Session does by this one. command is that of a worker process, which calls Work. The error wraps orbweaver.ErrInput if the crawl's focus
// can't be shared by workers, or the folder has a crawl by another number of processes.
func Run(ctx context.Context, j *job.Job, from assembly.Source, n int, command []string) (*assembly.Summary, error) {
	if n < 2 || n > MostProcesses {
		return nil, fmt.Errorf("--processes %d: from 2 to %d (%w)", n, MostProcesses, orbweaver.ErrInput)
	}
	c, err := prepare(ctx, j, from, n)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	w := &crew{j: j, output: c.File.Output, name: c.File.Name(), file: c.File, command: command, token: rand.Text(), began: time.Now()}
	for i := range n {
		w.names = append(w.names, fmt.Sprintf("%s-%d", w.name, i))
	}
	w.stopping, w.stop = context.WithCancel(ctx)
	defer w.stop()
	control, err := server.Serve(w.output, w, w.routes()...)
	if err != nil {
		return nil, fmt.Errorf("%s: a crawl runs there already: see orbweaver status %s (%w)", w.output, console.Relative(w.output), errors.Join(orbweaver.ErrBusy, err))
	}
	if j.Crawling != nil {
		j.Crawling()
	}
	ended, err := w.all()
	if err = errors.Join(err, control.Close()); err != nil {
		return nil, err
	}
	return Conclude(ctx, j, c, ended, func(into func(...gather.Source) error) error { return into(w.sources()...) })
}

// prepare checks a crawl and makes its folder.
func prepare(ctx context.Context, j *job.Job, from assembly.Source, n int) (*assembly.Crawl, error) {
	c, err := run.Prepare(ctx, j, from, false)
	if err != nil {
		return nil, err
	}
	if err = fits(c, n); err == nil {
		err = assembly.Greet(j, c, 0)
	}
	if err == nil {
		c.Env.Console, c.Env.Yes = &j.Console, j.Yes
		err = c.Focus.Settle(ctx, c.Env)
	}
	if err == nil {
		err = gather.Begin(c.File.Output, n, func() error { return crawlfolder.Make(c.File) })
	}
	if err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// Alone says why a crawl file is for one process alone; empty: it is not.
func Alone(f *crawlfile.Crawl) string {
	switch {
	case len(f.HTTP) > 0:
		return "http: a crawl that logs in, or keeps cookies and credentials, runs by one process, which alone has them"
	case f.Requisites.Wanted() && f.Web == nil:
		return "requisites: a crawl that archives what its pages need runs by one process, which alone knows what is archived"
	}
	return ""
}

// fits checks that a crawl can be one of n processes.
func fits(c *assembly.Crawl, n int) error {
	output := console.Relative(c.File.Output)
	if why := kind.AbilitiesOf(c.File.Focus).Alone; why != "" {
		return fmt.Errorf("%s: --processes: a %s crawl runs by one process: %s (%w)", c.Path, c.File.Focus.Key(), why, orbweaver.ErrInput)
	}
	if why := Alone(c.File); why != "" {
		return fmt.Errorf("%s: --processes: %s (%w)", c.Path, why, orbweaver.ErrInput)
	}
	if len(c.File.Archive.Known) > 0 {
		return fmt.Errorf("%s: --processes: %s (%w)", c.Path, recording.Alone, orbweaver.ErrInput)
	}
	if crawlfolder.IsFresh(c.File.Output) {
		return nil
	}
	switch had := crawlfolder.Workers(c.File.Output); {
	case had == 0 && crawlfolder.HasNothing(c.File.Output): // it begins afresh
	case had != n:
		if had == 0 {
			return fmt.Errorf("%s: the crawl was begun by one process: run it without --processes, or name another output (%w)", output, orbweaver.ErrInput)
		}
		by, flag := crawlfolder.Begun(c.File.Output)
		return fmt.Errorf("%s: the crawl was begun by %s: run it with %s (%w)", output, by, flag, orbweaver.ErrInput)
	}
	return nil
}

// dir is the folder of a worker.
func (w *crew) dir(name string) string {
	return filepath.Join(w.output, crawlfolder.WorkersFolder, name)
}

// all starts the bus and the workers, and waits for their end. It returns how the crawl ended; empty: it was stopped.
func (w *crew) all() (ended string, err error) {
	w.server, err = bus.StartServer(bus.ServerOptions{Name: "local", Folder: filepath.Join(w.output, crawlfolder.WorkersFolder, "bus"), Listen: "127.0.0.1:0", Token: w.token})
	if err != nil {
		return "", err
	}
	defer w.server.Close()
	if err := w.orders(w.stopping, func(all *Orders) { *all = all.Lasting() }); err != nil {
		return "", err
	}
	ends := make([]string, len(w.names))
	errs := make([]error, len(w.names))
	var working sync.WaitGroup
	for i, name := range w.names {
		working.Go(func() {
			if ends[i], errs[i] = w.work(name); errs[i] != nil {
				errs[i] = fmt.Errorf("worker %s: %w", name, errs[i])
				w.stop()
			}
		})
	}
	showing := make(chan struct{})
	shown := make(chan struct{})
	go func() { defer close(shown); w.show(showing) }()
	working.Wait()
	close(showing)
	<-shown
	return gather.Ended(ends), errors.Join(errs...)
}

// Gather brings the crawl folder up to what the workers have now.
func (w *crew) gather(ctx context.Context) error {
	w.gathering.Lock()
	defer w.gathering.Unlock()
	book, err := ledger.Open(w.output)
	if err != nil {
		return err
	}
	return errors.Join(gather.Into(ctx, w.output, book, w.sources()...), book.Close())
}

// sources are the workers that have a folder.
func (w *crew) sources() (sources []gather.Source) {
	for _, name := range w.names {
		if !crawlfolder.IsFresh(w.dir(name)) {
			sources = append(sources, gather.Folder(w.dir(name)))
		}
	}
	return sources
}

// Conclude gathers what all workers have into the folder of a prepared crawl, and ends its session as one of a single process does. from calls its
// argument with those that have something, again if one of them is gone meanwhile, and returns the last error.
func Conclude(ctx context.Context, j *job.Job, c *assembly.Crawl, ended string, from func(into func(...gather.Source) error) error) (*assembly.Summary, error) {
	ctx = context.WithoutCancel(ctx)
	stop := j.AfterAWhile("gathering the results of all workers ...")
	err := c.Open()
	if err != nil {
		stop()
		return nil, err
	}
	var progress step.Progress
	var sources []gather.Source
	err = from(func(some ...gather.Source) error {
		sources = some
		return gather.Into(ctx, c.File.Output, c.Ledger, some...)
	})
	if err == nil {
		progress, err = gather.End(c.File.Output, c.Ledger, ended, false)
	}
	stop()
	if err == nil {
		err = learned(ctx, c, progress, sources)
	}
	if err == nil {
		err = c.Remember(c.Ledger)
	}
	if err != nil {
		return nil, errors.Join(err, c.Ledger.Close())
	}
	sum, err := run.Conclude(ctx, j, c, c.Ledger.Progress())
	if err == nil && len(c.File.Sinks) > 0 {
		console.Say(j.Err, "sinks: workers deliver nothing: orbweaver sink %s does", console.Relative(cmp.Or(c.Path, c.File.Output)))
	}
	return sum, err
}

// learned has the focus know what all workers have learned, and keeps its state. If they went through rounds together, all have learned the same.
func learned(ctx context.Context, c *assembly.Crawl, progress step.Progress, sources []gather.Source) error {
	shared := engine.SharesRounds(c.Focus.Focus())
	if shared {
		model, err := gather.Model(ctx, c.File.Output, c.Ledger, sources...)
		if err == nil && model != nil {
			err = c.Ledger.Commit(step.Batch{Model: model, Progress: progress})
		}
		if err == nil {
			err = c.Focus.Begin(c.Env, true)
		}
		if err != nil {
			return err
		}
	}
	c.Resting = true
	parts, err := c.Assemble()
	if err != nil {
		return err
	}
	if crawl := engine.New(parts.Cfg, progress); shared {
		err = crawl.Recall(ctx)
	} else {
		err = learnedApart(ctx, c, crawl, sources)
	}
	c.Resting = false
	if shared {
		err = errors.Join(err, c.Focus.End(ctx, c.Env, c.Ledger, err))
	}
	return errors.Join(err, parts.Close())
}

// learnedApart makes the focus's state of those of all workers; where that can't be done, the focus learns from all pages, in the order in which they were gathered.
func learnedApart(ctx context.Context, c *assembly.Crawl, crawl *engine.Crawl, sources []gather.Source) error {
	if crawl.Gathers() {
		if models, whole := gather.Models(ctx, c.File.Output, sources...); whole {
			if done, err := crawl.Gather(ctx, models); done || err != nil {
				return err
			}
		}
	}
	return crawl.LearnAll(ctx)
}

// show shows the progress of all workers together until done is closed.
func (w *crew) show(done <-chan struct{}) {
	s, _ := w.Status(w.stopping)
	out := w.j.Err
	if w.j.Log.Quiet {
		out = io.Discard
	}
	line := console.StartProgress(out, w.j.Terminal && !w.j.Log.Quiet, w.j.Columns(), Snapshot(s))
	defer line.Close()
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-done:
			return
		case <-tick.C:
		}
		if s, err := w.Status(w.stopping); err == nil {
			line.Update(Snapshot(s))
		}
	}
}

// Snapshot is a status as progress shows it.
func Snapshot(s server.Status) console.Snapshot {
	p := s.Progress
	failed := int64(0)
	for _, n := range s.Failures {
		failed += n
	}
	return console.Snapshot{
		Pages: p.Pages, Accepted: p.Accepted, Waiting: s.Waiting, Hosts: s.Hosts, Requests: p.Requests, Failed: failed, Bytes: p.Bytes, Active: p.Active,
	}
}

// orders writes a worker's order.
func (w *crew) order(to io.Writer, name string) error {
	return json.NewEncoder(to).Encode(order{
		File: filepath.Join(w.output, crawlfolder.RunFile), Output: w.dir(name), Worker: name, Workers: len(w.names), URL: w.server.URL(), Token: w.token, Lease: lease,
	})
}

// logOf opens the file with what a worker process says.
func (w *crew) logOf(name string) (*os.File, error) {
	path := filepath.Join(w.output, crawlfolder.WorkersFolder, name+".log")
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return nil, err
	}
	return os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o666)
}
