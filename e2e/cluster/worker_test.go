//go:build e2e

package cluster_test

import (
	"cmp"
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

	"orbweaver"
	"orbweaver/engine"
	"orbweaver/fetch/client"
	"orbweaver/fetch/fetchtest"
	"orbweaver/internal/assembly"
	share "orbweaver/internal/cluster"
	"orbweaver/internal/cluster/addresses"
	"orbweaver/internal/cluster/bus"
	"orbweaver/internal/cluster/courier"
	"orbweaver/internal/cluster/record"
	"orbweaver/internal/cluster/worker"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/internal/manners"
	"orbweaver/internal/run"
	"orbweaver/internal/services/wire"
	"orbweaver/internal/starting"
	"orbweaver/internal/step"
	"orbweaver/ledger"
	"orbweaver/weburl"
)

// A crew is several workers, that share a crawl of a web in memory through a server of their process.
type crew struct {
	t       *testing.T
	server  *bus.Server
	network *fetchtest.Network
	hosts   *manners.Registry
	folder  string
	seeds   []string
	address string // of the server
	keys    string
	focus   string // section of the crawl file; breadth_first unless said
	lessons time.Duration
	apart   bool // workers are on different machines
	names   []string

	record  *record.Record // nil: workers keep nothing where all can read it
	mu      sync.Mutex
	running map[string]*worker.Worker
}

func newCrew(t *testing.T, w *fetchtest.Web, n int, keys string) *crew {
	t.Helper()
	network := fetchtest.NewNetwork()
	t.Cleanup(network.Close)
	w.Serve(network)
	return crewOf(t, network, w.Seeds(), n, keys)
}

// crewOf returns workers that crawl what a network serves.
func crewOf(t *testing.T, network *fetchtest.Network, seeds []string, n int, keys string) *crew {
	t.Helper()
	c := &crew{t: t, network: network, hosts: manners.New(), folder: t.TempDir(), seeds: seeds, keys: keys, running: map[string]*worker.Worker{}}
	c.address = "127.0.0.1:0"
	c.serve()
	t.Cleanup(func() { c.server.Close() })
	for i := range n {
		c.names = append(c.names, fmt.Sprint("w", i))
	}
	return c
}

// serve starts the server, at the address where it was before.
func (c *crew) serve() {
	c.t.Helper()
	var err error
	if c.server, err = bus.StartServer(bus.ServerOptions{Name: "one", Folder: filepath.Join(c.folder, "bus"), Listen: c.address}); err != nil {
		c.t.Fatal(err)
	}
	c.mu.Lock()
	c.address = strings.TrimPrefix(c.server.URL(), "nats://")
	c.mu.Unlock()
}

// output is the folder of a worker's crawl.
func (c *crew) output(name string) string { return filepath.Join(c.folder, name, "crawl") }

// work runs a worker until its crawl ends.
func (c *crew) work(ctx context.Context, name string) error {
	c.mu.Lock()
	address, expect := c.address, len(c.names)
	c.mu.Unlock()
	b, err := bus.Dial(ctx, bus.Options{Crawl: "test", Worker: name, URLs: []string{"nats://" + address}, Partitions: share.Partitions})
	if err != nil {
		return err
	}
	defer b.Close()
	hosts, shared := c.hosts, addresses.Times{}
	if c.apart {
		hosts, shared = manners.New(), addresses.Times{Grant: time.Second, Slack: 500 * time.Millisecond}
	}
	w, err := worker.Join(ctx, worker.Options{
		Bus: b, Addresses: shared, Worker: name, Expect: expect, Folder: c.output(name), Record: c.record, Checkpoint: 200 * time.Millisecond, Trim: 100 * time.Millisecond, Lease: 5 * time.Second, Block: 8,
		Manner: courier.Manner{Linger: 20 * time.Millisecond, Patience: 2 * time.Second}, Lessons: cmp.Or(c.lessons, 20*time.Millisecond),
	})
	if err != nil {
		return err
	}
	c.mu.Lock()
	c.running[name] = w
	c.mu.Unlock()
	file := filepath.Join(c.folder, name, "live.yaml")
	text := fmt.Sprintf("seeds: [%s]\nfocus: %s\nallow_private: true\ntraps: off\noutput: %s\n%s\n", strings.Join(c.seeds, ", "), cmp.Or(c.focus, "{breadth_first: {}}"), c.output(name), c.keys)
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o777), os.WriteFile(file, []byte(text), 0o666)); err != nil {
		return err
	}
	a := &job.Job{Console: console.Console{Out: c.t.Output(), Err: c.t.Output()}, Alone: true, Wire: wire.Wire{
		Options: client.Options{Resolve: c.network.Resolve, Dial: c.network.Dial}, Hosts: hosts,
	}}
	_, err = run.Session(ctx, a, assembly.FromFile(a, file), 0, run.Hooks{
		Share: func(cfg *engine.Config, l *ledger.Ledger) (func(context.Context, *engine.Crawl) (step.Progress, error), error) {
			return w.Run, w.Share(cfg, l)
		},
	})
	if errors.Is(err, starting.ErrNothing) { // others had all pages
		err = nil
	}
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

// kept is what the bus has of the crawl's parcels.
func (c *crew) kept() bus.Kept {
	c.t.Helper()
	b, err := bus.Dial(c.t.Context(), bus.Options{Crawl: "looks", Worker: "test", URLs: []string{"nats://" + c.address}, Partitions: 1})
	if err != nil {
		c.t.Fatal(err)
	}
	defer b.Close()
	kept, err := b.Kept(c.t.Context(), "test")
	if err != nil {
		c.t.Error(err)
	}
	return kept
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
	c.seeds = c.seeds[:1]
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
	if kept := c.kept(); kept.Parcels*2 > kept.Ever || kept.Ever < 20 {
		t.Errorf("the bus has %+v", kept)
	} else {
		t.Logf("the bus has %+v", kept)
	}
	slices.Sort(urls)
	if want := w.AllowedFrom(c.seeds...); !slices.Equal(urls, want) || len(want) < 50 || workers != 3 {
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

// TestWorkersLearnTogether: the threshold of each worker comes to be that of pages of all.
func TestWorkersLearnTogether(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	w := fetchtest.Generate(fetchtest.Plan{Seed: 4, Hosts: 14, Pages: 200, Plain: true, Politeness: fetchtest.Politeness{Delay: 50 * time.Millisecond, Retries: 2}})
	c := newCrew(t, w, 2, "politeness: {delay: 50ms, contact: me@example.org, timeout: 10s}")
	c.focus = "{keyword: {terms: [page, host]}}"
	var running sync.WaitGroup
	within, enough := context.WithCancel(ctx)
	for _, name := range c.names {
		running.Go(func() {
			if err := c.work(within, name); err != nil && within.Err() == nil {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for c.ofOthers(c.names[0]) < 15 || c.ofOthers(c.names[1]) < 15 {
		select {
		case <-tick.C:
			continue
		case <-ctx.Done():
		}
		t.Fatalf("they learned of %d and %d pages of the other", c.ofOthers(c.names[0]), c.ofOthers(c.names[1]))
	}
	enough()
	running.Wait()
}

// ofOthers returns how many pages of others a worker's thresholds came to rest on.
func (c *crew) ofOthers(name string) (most int) {
	own := 0
	for line, err := range ledger.Lines(filepath.Join(c.output(name), ledger.JournalFile)) {
		if err != nil {
			return most // it is being written
		}
		for _, r := range line.Reasons {
			if r.Rule != orbweaver.RuleThreshold {
				continue
			}
			for _, word := range strings.Fields(r.Evidence) {
				var seen int
				if n, _ := fmt.Sscanf(word, "%d", &seen); n == 1 {
					most = max(most, seen-own)
				}
			}
		}
		if line.Status == 200 {
			own++
		}
	}
	return most
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

// asked waits until a web was asked so often.
func asked(ctx context.Context, t *testing.T, w *fetchtest.Web, n int) {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for len(w.Visits()) < n {
		select {
		case <-tick.C:
		case <-ctx.Done():
			t.Fatalf("asked %d times", len(w.Visits()))
		}
	}
}

// whole compares what the workers have with what can be reached.
func (c *crew) whole(w *fetchtest.Web) {
	c.t.Helper()
	found := map[string]bool{}
	lines, _ := c.lines()
	for _, l := range lines {
		if l.Status == 200 {
			found[l.URL] = true
		}
	}
	want := w.AllowedFrom(c.seeds...)
	for _, u := range want {
		if !found[u] {
			c.t.Errorf("no %s", u)
		}
	}
	if len(found) != len(want) {
		c.t.Errorf("%d pages, want %d", len(found), len(want))
	}
}

// slowWeb is a web whose crawl takes some seconds.
func slowWeb() *fetchtest.Web {
	return fetchtest.Generate(fetchtest.Plan{Seed: 6, Hosts: 14, Pages: 12, Plain: true, Politeness: fetchtest.Politeness{Delay: 60 * time.Millisecond, Retries: 2}})
}

// slowCrew is three workers that crawl it from one page.
func slowCrew(t *testing.T) (*crew, *fetchtest.Web) {
	w := slowWeb()
	c := newCrew(t, w, 3, "politeness: {delay: 60ms, contact: me@example.org, timeout: 10s}")
	c.seeds = c.seeds[:1]
	return c, w
}

// TestWorkerComesBack: while a worker is away the others keep what they find for it, and wait; when it is back, all end, with all pages.
func TestWorkerComesBack(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	c, w := slowCrew(t)
	var running sync.WaitGroup
	for _, name := range c.names[1:] {
		running.Go(func() {
			if err := c.work(ctx, name); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
	for n := 12; n <= 36; n += 12 {
		within, leave := context.WithCancel(ctx)
		stopped := make(chan error, 1)
		go func() { stopped <- c.work(within, c.names[0]) }()
		asked(ctx, t, w, n)
		leave()
		if err := <-stopped; !errors.Is(err, console.ErrInterrupted) && !errors.Is(err, context.Canceled) { // it may have been about to begin
			t.Errorf("stopped: %v", err)
		}
	}
	if err := c.work(ctx, c.names[0]); err != nil {
		t.Error(err)
	}
	running.Wait()
	c.whole(w)
}

// TestWipedServer: when all that the server had is gone in the middle of a crawl, workers whose leases went with it end with an error that says so; begun
// again they have all pages in the end.
func TestWipedServer(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	c, w := slowCrew(t)
	var running sync.WaitGroup
	for _, name := range c.names {
		running.Go(func() {
			for tries := 0; ; tries++ {
				err := c.work(ctx, name)
				if err == nil {
					return
				}
				if t.Logf("%s: %v", name, err); ctx.Err() != nil || tries == 20 {
					t.Errorf("%s: %v", name, err)
					return
				}
			}
		})
	}
	asked(ctx, t, w, 30)
	c.server.Close()
	if err := os.RemoveAll(filepath.Join(c.folder, "bus")); err != nil {
		t.Fatal(err)
	}
	c.serve()
	running.Wait()
	c.whole(w)
}

// TestWorkersComeAndGo: a worker that joins in the middle of a crawl gets partitions and all that was known of them; one that leaves gives its own away, and has
// nothing that others lack. All pages are found, none is asked for twice, and no host sooner than its delay.
func TestWorkersComeAndGo(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	c, w := slowCrew(t)
	c.apart = true
	first, later := c.names[:2], c.names[2]
	c.names = first
	var running sync.WaitGroup
	begin := func(name string, want error) {
		running.Go(func() {
			if err := c.work(ctx, name); !errors.Is(err, want) {
				t.Errorf("%s: %v, want %v", name, err, want)
			}
		})
	}
	begin(first[0], console.ErrInterrupted)
	begin(first[1], nil)
	asked(ctx, t, w, 25)
	begin(later, nil)
	c.mu.Lock()
	c.names = append(c.names, later)
	c.mu.Unlock()
	asked(ctx, t, w, 60)
	c.mu.Lock()
	leaving := c.running[first[0]]
	c.mu.Unlock()
	leaving.Drain()
	running.Wait()
	if !leaving.Drained() {
		t.Error("it was not drained")
	}
	c.whole(w)
	for _, v := range w.Violations() {
		t.Error(v)
	}
	if twice := w.Repeated(); len(twice) > 0 {
		t.Errorf("asked for twice: %v", twice)
	}
	own := map[string]int{}
	for line, err := range ledger.Lines(filepath.Join(c.output(later), ledger.JournalFile)) {
		if err != nil {
			t.Error(err)
		}
		own[line.URL]++
	}
	if len(own) < 10 {
		t.Errorf("the one that came later asked %d times", len(own))
	}
}

// TestWorkerGone: when a worker ends in the middle of a crawl and does not come back, and its folder is gone too, the others have its partitions, and all that it had
// found of them: what it had asked before is not asked again, no host sooner than its delay, and all pages are found.
func TestWorkerGone(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	c, w := slowCrew(t)
	var err error
	if c.record, err = record.Open(ctx, filepath.Join(c.folder, "storage"), "test"); err != nil {
		t.Fatal(err)
	}
	defer c.record.Close()
	var running sync.WaitGroup
	for _, name := range c.names[1:] {
		running.Go(func() {
			if err := c.work(ctx, name); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
	within, leave := context.WithCancel(ctx)
	stopped := make(chan error, 1)
	go func() { stopped <- c.work(within, c.names[0]) }()
	asked(ctx, t, w, 60)
	leave()
	if err := <-stopped; !errors.Is(err, console.ErrInterrupted) {
		t.Errorf("stopped: %v", err)
	}
	own := 0
	for range ledger.Lines(filepath.Join(c.output(c.names[0]), ledger.JournalFile)) {
		own++
	}
	if err := os.RemoveAll(filepath.Dir(c.output(c.names[0]))); err != nil || own < 5 {
		t.Errorf("it had asked %d times; %v", own, err)
	}
	running.Wait()
	if have, want := w.Pages(), w.AllowedFrom(c.seeds...); !slices.Equal(have, want) {
		t.Errorf("%d pages, want %d", len(have), len(want))
	}
	for _, v := range w.Violations() {
		t.Error(v)
	}
	flying := map[string]bool{} // hosts, each of which may have had a request in flight
	for _, url := range w.Repeated() {
		if host := weburl.Hostname(url); flying[host] {
			t.Errorf("of %s, more than what was in flight is asked for twice: %v", host, w.Repeated())
		} else {
			flying[host] = true
		}
	}
}

// TestStorageFails: while the storage fails, workers make no requests but those in flight, and say so; when it works again they go on, and end with all pages.
func TestStorageFails(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	w := fetchtest.Generate(fetchtest.Plan{Seed: 6, Hosts: 8, Pages: 30, Plain: true, Politeness: fetchtest.Politeness{Delay: 30 * time.Millisecond, Retries: 2}})
	c := newCrew(t, w, 2, "politeness: {delay: 30ms, contact: me@example.org, timeout: 10s}")
	storage := filepath.Join(c.folder, "storage")
	var err error
	if c.record, err = record.Open(ctx, storage, "test"); err != nil {
		t.Fatal(err)
	}
	defer c.record.Close()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		c.all(ctx)
	}()
	asked(ctx, t, w, 20)
	place, away := filepath.Join(storage, "test"), filepath.Join(c.folder, "away")
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for _, err := os.Stat(place); err != nil; _, err = os.Stat(place) {
		<-tick.C
	}
	if err := errors.Join(os.Rename(place, away), os.WriteFile(place, nil, 0o666)); err != nil { // no folder can be made there now
		t.Fatal(err)
	}
	troubled := func() (n int) {
		c.mu.Lock()
		defer c.mu.Unlock()
		for _, name := range c.names {
			if err := c.running[name].Trouble(); err != nil && strings.Contains(err.Error(), storage) {
				n++
			}
		}
		return n
	}
	for troubled() < len(c.names) {
		<-tick.C
	}
	visits := 0
	for since := time.Now(); time.Since(since) < 300*time.Millisecond; <-tick.C { // what is in flight comes to its end
		if now := len(w.Visits()); now > visits {
			visits, since = now, time.Now()
		}
	}
	if len(w.AllowedFrom(c.seeds...)) <= len(w.Pages()) {
		t.Errorf("no pages are left: %d", len(w.Pages()))
	}
	if err := errors.Join(os.Remove(place), os.Rename(away, place)); err != nil {
		t.Fatal(err)
	}
	<-ended
	c.whole(w)
	if twice := w.Repeated(); len(twice) > 0 || troubled() > 0 {
		t.Errorf("asked for twice: %v; %d wait", twice, troubled())
	}
}

// TestWorkersShareAddresses: three workers ask the hosts of two addresses, where each has some, no sooner than the delay of an address after another, and find all pages.
func TestWorkersShareAddresses(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	const delay = 20 * time.Millisecond
	w := fetchtest.Generate(fetchtest.Plan{Seed: 4, Hosts: 6, Addresses: 2, Pages: 4, Plain: true, Politeness: fetchtest.Politeness{Delay: delay, Retries: 2}})
	c := newCrew(t, w, 3, fmt.Sprintf("politeness: {delay: %v, contact: me@example.org, timeout: 10s}", delay))
	c.apart = true
	c.all(ctx)
	c.whole(w)
	for _, v := range w.Violations() {
		t.Error(v)
	}
	places := map[int]map[string]bool{}
	for _, name := range c.names {
		for line, err := range ledger.Lines(filepath.Join(c.output(name), ledger.JournalFile)) {
			if err != nil {
				t.Fatal(err)
			}
			var host int
			if n, _ := fmt.Sscanf(line.URL, "http://h%d.test", &host); n == 1 {
				if places[host%2] == nil {
					places[host%2] = map[string]bool{}
				}
				places[host%2][name] = true
			}
		}
	}
	if len(places[0]) < 2 && len(places[1]) < 2 {
		t.Errorf("no address has two workers: %v", places)
	}
}
