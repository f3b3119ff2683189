//go:build e2e && linux

package cluster_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"orbweaver/internal/cluster/bus"
)

// Sizes and times of a trial.
const (
	servers    = 3
	partitions = 32
	checkpoint = 200 * time.Millisecond
	delay      = 60 * time.Millisecond
)

// A cluster is servers of a bus with the network before them.
type faultsCluster struct {
	t       *testing.T
	folder  string
	network *network
	log     func(format string, v ...any)
	size    int
	listen  [servers]string // where clients reach a server, without the network between
	routes  [servers]string // and other servers, likewise
	among   [servers]string // through the network

	mu   sync.Mutex
	runs [servers]*bus.Server // nil: it is down
}

func faultsNewCluster(t *testing.T, p *ports, size int, log func(format string, v ...any)) *faultsCluster {
	c := &faultsCluster{t: t, folder: t.TempDir(), network: newNetwork(t), log: log, size: size}
	for i := range size {
		c.listen[i], c.routes[i] = p.free(t), p.free(t)
		c.among[i] = c.network.way(t, "", serverName(i), c.routes[i])
	}
	t.Cleanup(func() { c.down(0, 1, 2) })
	for i := range size {
		c.up(i)
	}
	return c
}

func serverName(i int) string { return fmt.Sprint("s", i) }

// ports are the addresses to be given to servers: numbers of machines on the loopback network that no connection begins at, as a server that is down gives its own up.
type ports struct{ next atomic.Int32 }

// free returns an address that nobody listens at.
func (p *ports) free(t *testing.T) string {
	t.Helper()
	n := p.next.Add(1)
	l, err := net.Listen("tcp", fmt.Sprintf("127.%d.%d.%d:0", 77+os.Getpid()%100, n/200, 1+n%200))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// store is the folder of a server.
func (c *faultsCluster) store(i int) string { return filepath.Join(c.folder, serverName(i)) }

// up starts servers that are down.
func (c *faultsCluster) up(which ...int) {
	for _, i := range which {
		c.mu.Lock()
		runs := c.runs[i] != nil
		c.mu.Unlock()
		if runs { // another fault that is over had it go on
			continue
		}
		var s *bus.Server
		var err error
		for range 50 { // it may be a moment until an address is free again
			if s, err = c.start(i); err == nil || !wait(c.t.Context(), 100*time.Millisecond) {
				break
			}
		}
		if err != nil {
			c.t.Error(err)
			return
		}
		c.mu.Lock()
		c.runs[i] = s
		c.mu.Unlock()
	}
}

// start starts a server.
func (c *faultsCluster) start(i int) (*bus.Server, error) {
	o := bus.ServerOptions{Name: serverName(i), Folder: c.store(i), Listen: c.listen[i], Log: func(level, text string) {
		if level == "error" {
			c.log("%s: %s", serverName(i), text)
		}
	}}
	if c.size > 1 {
		o.Cluster = bus.Cluster{Name: "faults", Listen: c.routes[i], Routes: c.among[:], Advertise: c.among[i]}
	}
	return bus.StartServer(o)
}

// down ends servers.
func (c *faultsCluster) down(which ...int) {
	var ending sync.WaitGroup
	for _, i := range which {
		c.mu.Lock()
		s := c.runs[i]
		c.runs[i] = nil
		c.mu.Unlock()
		if s != nil {
			ending.Go(s.Close)
		}
	}
	ending.Wait()
}

// wipe deletes what servers that are down have kept.
func (c *faultsCluster) wipe() {
	for i := range servers {
		if err := os.RemoveAll(c.store(i)); err != nil {
			c.t.Error(err)
		}
	}
}

// A claim is who had a partition at two times and all of the time between, as the test saw it.
type claim struct {
	worker      string
	epoch       uint64
	from, until time.Time
}

// A crew is the workers of one trial.
type faultsCrew struct {
	t       *testing.T
	cluster *faultsCluster
	web     *web
	folder  string
	lease   time.Duration
	storage bool
	began   time.Time

	mu      sync.Mutex
	log     strings.Builder
	owners  strings.Builder
	hands   map[string]*hand
	claims  map[int][]claim
	running sync.WaitGroup
	over    chan struct{} // closed when all workers have ended
}

// A hand is a worker with its process, which is begun again until its crawl is over.
type hand struct {
	name    string
	input   io.Writer
	process *os.Process
	away    bool          // nobody begins it again
	back    time.Duration // until it is begun again; 0: shortly
	ends    []time.Time   // of sessions that did not end in order, and begins of pauses
	errors  []string
	done    bool
}

func (c *faultsCrew) say(format string, v ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	fmt.Fprintf(&c.log, "%8.3f  %s\n", time.Since(c.began).Seconds(), fmt.Sprintf(format, v...))
}

// output is the folder of a worker's crawl.
func (c *faultsCrew) output(name string) string { return filepath.Join(c.folder, name, "crawl") }

// join begins a worker.
func (c *faultsCrew) join(ctx context.Context, name string, expect int) {
	h := &hand{name: name}
	c.mu.Lock()
	c.hands[name] = h
	c.mu.Unlock()
	o := order{
		Worker: name, Web: c.web.gate.Addr().String(), Hosts: c.web.hosts, Seeds: c.web.seeds, Expect: expect, Replicas: c.cluster.size, Partitions: partitions, Lease: c.lease,
		Checkpoint: checkpoint, Delay: delay, Folder: filepath.Join(c.folder, name),
	}
	for i := range c.cluster.size {
		o.Servers = append(o.Servers, "nats://"+c.cluster.network.way(c.t, name, serverName(i), c.cluster.listen[i]))
	}
	if c.storage {
		o.Storage = filepath.Join(c.folder, "storage")
	}
	text, err := json.Marshal(o)
	if err != nil {
		c.t.Fatal(err)
	}
	c.running.Go(func() {
		for ctx.Err() == nil {
			if err := c.live(ctx, h, string(text)); err != nil {
				c.say("%s: %v", name, err)
				return
			}
			c.mu.Lock()
			back, away, done := h.back, h.away, h.done
			h.back = 0
			c.mu.Unlock()
			if away || done {
				return
			}
			if !wait(ctx, max(back, 50*time.Millisecond)) {
				return
			}
		}
	})
}

// wait waits; false if ctx is done.
func wait(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// live is one process of a worker.
func (c *faultsCrew) live(ctx context.Context, h *hand, text string) error {
	if err := os.MkdirAll(filepath.Join(c.folder, h.name), 0o777); err != nil {
		return err
	}
	said, err := os.OpenFile(filepath.Join(c.folder, h.name, "log"), os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o666)
	if err != nil {
		return err
	}
	defer said.Close()
	before, err := said.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, os.Args[0], asWorker, text)
	cmd.Stdout, cmd.Stderr = said, said
	in, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return err
	}
	c.say("%s begins", h.name)
	c.mu.Lock()
	h.input, h.process = in, cmd.Process
	c.mu.Unlock()
	err = cmd.Wait()
	now := time.Now()
	_, seeks := said.Seek(before, io.SeekStart)
	told, reads := io.ReadAll(said)
	c.mu.Lock()
	h.process = nil
	if err != nil {
		h.ends = append(h.ends, now)
		_, ended, _ := strings.Cut(string(told), "ended: ")
		if ended == "" && !strings.Contains(err.Error(), "killed") {
			ended = string(told)
		}
		h.errors = append(h.errors, strings.TrimSpace(ended))
	} else {
		h.done = true
	}
	c.mu.Unlock()
	c.say("%s ended: %v: %s", h.name, err, h.last())
	return errors.Join(seeks, reads)
}

// last is why a worker ended last.
func (h *hand) last() string {
	if len(h.errors) == 0 || h.done {
		return ""
	}
	return h.errors[len(h.errors)-1]
}

// signal sends a signal to the process of a worker, if it runs.
func (c *faultsCrew) signal(name string, s syscall.Signal, then func(*hand)) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	h := c.hands[name]
	if h.process == nil || h.process.Signal(s) != nil {
		return false
	}
	if then != nil {
		then(h)
	}
	return true
}

// tell writes to the standard input of a worker, if it runs.
func (c *faultsCrew) tell(name, what string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if h := c.hands[name]; h.process != nil {
		fmt.Fprintln(h.input, what)
	}
}

// staying returns the workers that are neither done nor away.
func (c *faultsCrew) staying() (names []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for name, h := range c.hands {
		if !h.done && !h.away {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// watch takes note of owners until ctx is done.
func (c *faultsCrew) watch(ctx context.Context) {
	var urls []string
	for _, at := range c.cluster.listen[:c.cluster.size] {
		urls = append(urls, "nats://"+at)
	}
	b, err := bus.Dial(ctx, bus.Options{Crawl: "test", Worker: "watch", URLs: urls, Partitions: partitions, Replicas: c.cluster.size})
	if err != nil {
		c.say("watch: %v", err)
		return
	}
	defer b.Close()
	for wait(ctx, lookPause) {
		began := time.Now()
		within, cancel := context.WithTimeout(ctx, time.Second)
		owners := map[int]bus.Owner{}
		var err error
		for p := range partitions { // one by one, as the leader of the servers has them: others may be behind
			if owners[p], err = b.Owner(within, p); err != nil {
				break
			}
		}
		cancel()
		if errors.Is(err, bus.ErrLost) {
			err = b.Ensure(ctx)
		}
		if err == nil {
			c.see(owners, began)
		}
	}
}

// lookPause is between two looks at owners.
const lookPause = 300 * time.Millisecond

// see takes note of owners.
func (c *faultsCrew) see(owners map[int]bus.Owner, began time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for p, o := range owners {
		if o.Epoch == 0 {
			continue
		}
		all := c.claims[p]
		if n := len(all); n > 0 && all[n-1].epoch == o.Epoch && all[n-1].worker == o.Worker {
			all[n-1].until = began
			continue
		}
		c.claims[p] = append(all, claim{o.Worker, o.Epoch, time.Now(), began})
		fmt.Fprintf(&c.owners, "%8.3f  partition %d: %s, epoch %d, of %s up to %d\n", time.Since(c.began).Seconds(), p, o.Worker, o.Epoch, o.From, o.UpTo)
	}
}
