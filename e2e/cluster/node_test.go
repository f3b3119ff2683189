//go:build e2e

package cluster_test

import (
	"context"
	"errors"
	"fmt"
	"net"
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
	"orbweaver/internal/cluster/bus"
	"orbweaver/internal/cluster/node"
	"orbweaver/internal/console"
	"orbweaver/internal/inspect"
	"orbweaver/internal/job"
	"orbweaver/internal/manners"
	"orbweaver/internal/services/wire"
	"orbweaver/ledger"
)

// A cluster is nodes in this process, of which the first has the server.
type cluster struct {
	t       *testing.T
	folder  string
	address string
	first   string
	program bus.Program // of nodes that begin
	whole   int64       // likewise
	network *fetchtest.Network
	hosts   *manners.Registry
	server  sync.WaitGroup // of the first node, which ends last: others say to its server that they leave
	running sync.WaitGroup
	ends    map[string]context.CancelFunc
	done    map[string]chan error
}

func newCluster(t *testing.T, w *fetchtest.Web) *cluster {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c := &cluster{t: t, folder: t.TempDir(), address: l.Addr().String(), network: fetchtest.NewNetwork(), hosts: manners.New(), ends: map[string]context.CancelFunc{}, done: map[string]chan error{}}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	w.Serve(c.network)
	t.Cleanup(func() {
		for name, end := range c.ends {
			if name != c.first {
				end()
			}
		}
		c.running.Wait()
		for _, end := range c.ends {
			end()
		}
		c.server.Wait()
		c.network.Close()
	})
	return c
}

// job is that of a process with the network.
func (c *cluster) job() *job.Job {
	return &job.Job{Console: console.Console{Out: c.t.Output(), Err: c.t.Output()}, Wire: wire.Wire{
		Options: client.Options{Resolve: c.network.Resolve, Dial: c.network.Dial}, Hosts: c.hosts,
	}}
}

func (c *cluster) access() node.Access {
	return node.Access{URLs: []string{"nats://" + c.address}, Token: "secret"}
}

// begin begins a node.
func (c *cluster) begin(name string) (done chan error) {
	ctx, end := context.WithCancel(context.WithoutCancel(c.t.Context())) // they end in order: see newCluster
	done = make(chan error, 1)
	c.ends[name], c.done[name] = end, done
	o := node.Options{Name: name, Folder: filepath.Join(c.folder, name), Access: c.access(), Program: c.program, Whole: c.whole}
	running := &c.running
	if len(c.ends) == 1 {
		c.first, running = name, &c.server
		o.Server = &bus.ServerOptions{Name: name, Folder: filepath.Join(c.folder, name, "nats"), Listen: c.address, Token: o.Token}
	}
	running.Go(func() { done <- node.Run(ctx, c.job(), o) })
	return done
}

// dial returns a client of the cluster.
func (c *cluster) dial() *node.Client {
	c.t.Helper()
	cl, err := node.Dial(c.t.Context(), c.job(), c.access())
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(cl.Close)
	return cl
}

// file writes a crawl file with an input file beside it.
func (c *cluster) file(name, keys string, seeds []string) assembly.Source {
	c.t.Helper()
	path := filepath.Join(c.folder, name+".yaml")
	text := fmt.Sprintf("seeds: {file: seeds.txt}\nallow_private: true\ntraps: off\nduplicates: off\npoliteness: {delay: 120ms, contact: me@example.org}\noutput: %s\n%s\n", name, keys)
	err := errors.Join(os.WriteFile(path, []byte(text), 0o666), os.WriteFile(filepath.Join(c.folder, "seeds.txt"), []byte(strings.Join(seeds, "\n")), 0o666))
	if err != nil {
		c.t.Fatal(err)
	}
	return assembly.FromFile(c.job(), path)
}

// until waits for something.
func until(t *testing.T, what string, is func() bool) {
	t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for !is() {
		select {
		case <-tick.C:
		case <-t.Context().Done():
			t.Fatal(what)
		}
	}
}

// TestCluster: a crawl that is given to two nodes goes on while a third joins and the first worker leaves; its folder is gathered of all, also of the one that left, with what they have learned. What is wrong with a
// crawl, a name, or credentials is said.
func TestCluster(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	w := fetchtest.Generate(fetchtest.Plan{Seed: 9, Hosts: 10, Pages: 10, Plain: true, Politeness: fetchtest.Politeness{Delay: 120 * time.Millisecond}})
	c := newCluster(t, w)
	c.begin("a")
	leaves := c.begin("b")
	cl := c.dial()
	nodes := func(n int) func() bool {
		return func() bool {
			all, err := cl.Nodes(t.Context())
			return err == nil && len(all) == n
		}
	}
	until(t, "two nodes", nodes(2))
	source := c.file("live", "focus: {keyword: {terms: [page]}}\narchive: off", w.Seeds()[:1]) // which is on each page
	ended := make(chan error, 1)
	go func() {
		sum, err := cl.Run(t.Context(), source)
		if err == nil && !engine.Exhausted(sum.Progress.Ended) {
			err = fmt.Errorf("it ended by %q", sum.Progress.Ended)
		}
		ended <- err
	}()
	until(t, "some requests", func() bool { return len(w.Visits()) > 20 })
	c.begin("c")
	until(t, "a third node", nodes(3))
	if err := cl.Drain(t.Context(), "b"); err != nil {
		t.Error(err)
	}
	if s, err := cl.Status(t.Context(), "live"); err != nil || s.Progress.Requests == 0 || s.Nodes == 0 {
		t.Errorf("status %+v, %v", s, err)
	}
	if folder, err := cl.Folder(t.Context(), "live"); err != nil {
		t.Error(err)
	} else if sum, err := inspect.SummaryOf(t.Context(), c.job(), folder); err != nil || sum.State != "running" || sum.Progress.Requests == 0 {
		t.Errorf("report of the running crawl: %+v, %v", sum, err)
	}
	if err := <-leaves; err != nil {
		t.Errorf("the node that leaves: %v", err)
	}
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	var pages []string
	for line, err := range ledger.Lines(filepath.Join(c.folder, "live", ledger.JournalFile)) {
		if err != nil {
			t.Fatal(err)
		}
		if line.Status == 200 {
			pages = append(pages, line.URL)
		}
	}
	slices.Sort(pages)
	if want := w.AllowedFrom(w.Seeds()[0]); !slices.Equal(pages, want) {
		t.Errorf("%d pages, want %d", len(pages), len(want))
	}
	for _, v := range w.Violations() {
		t.Error(v)
	}
	if twice := w.Repeated(); len(twice) > 0 {
		t.Errorf("asked for twice: %v", twice)
	}
	c.learned("live", len(pages))
	c.wrong(cl)
}

// learned checks that a gathered folder knows what all workers have learned of so many pages, also one that has left: there is no archive to learn it from.
func (c *cluster) learned(crawl string, pages int) {
	c.t.Helper()
	book, err := ledger.Open(filepath.Join(c.folder, crawl))
	if err != nil {
		c.t.Fatal(err)
	}
	defer book.Close()
	model, _, err := book.Model()
	if want := fmt.Sprintf(`"pages":%d,"df":{"page":%[1]d}`, pages); err != nil || !strings.Contains(string(model), want) {
		c.t.Errorf("learned %s, want %s: %v", model, want, err)
	}
}

// wrong asks for what can't be.
func (c *cluster) wrong(cl *node.Client) {
	t := c.t
	bad := c.access()
	bad.Token = "guessed"
	if _, err := node.Dial(t.Context(), c.job(), bad); !errors.Is(err, bus.ErrCredentials) || !errors.Is(err, orbweaver.ErrInput) {
		t.Errorf("wrong credentials: %v", err)
	}
	if _, err := cl.Status(t.Context(), "unknown"); !errors.Is(err, orbweaver.ErrInput) {
		t.Errorf("an unknown crawl: %v", err)
	}
	if _, err := cl.Run(t.Context(), c.file("live", "focus: {keyword: {terms: [other]}}", []string{"http://h000.test/"})); !errors.Is(err, orbweaver.ErrForeign) {
		t.Errorf("another crawl of the name: %v", err)
	}
	if _, err := cl.Run(t.Context(), c.file("paths", "focus: {swget: {expression: \"http://h000.test/ <http://v/p>\"}}", []string{"http://h000.test/"})); !errors.Is(err, orbweaver.ErrInput) {
		t.Errorf("a crawl that can't be shared: %v", err)
	}
	if err := cl.Drain(t.Context(), "nobody"); !errors.Is(err, orbweaver.ErrInput) {
		t.Errorf("drain of nobody: %v", err)
	}
}
