// Package node is a machine of a cluster: it has a server of the bus, or knows one, and works on the crawls that people give the cluster. Client is the other side: it gives crawls, asks and steers them.
package node

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"orbweaver"
	"orbweaver/internal/cluster/bus"
	"orbweaver/internal/cluster/local"
	"orbweaver/internal/cluster/record"
	"orbweaver/internal/cluster/worker"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/job"
)

// board is the name under which nodes and clients speak of all crawls. No crawl has it.
const board = "0-cluster"

// Options say what a node is.
type Options struct {
	Name   string // unique in the cluster, the same at each start: letters, digits, - and _
	Folder string // of the node
	Access

	Server   *bus.ServerOptions // of the node's own server; nil: Access has URLs of others
	Replicas int                // of what servers keep, where a crawl file does not say; 0: as many as there are
	Whole    int64              // bytes of the largest excerpt that is answered at once; 0: what a question of the bus takes easily
	Program  bus.Program        // what others see; zero: this one
	Status   string             // HOST:PORT at which GET /status and /metrics answer; empty: nowhere
}

// Access is how servers are reached.
type Access struct {
	own            *bus.Server // of this process, in place of URLs
	URLs           []string
	User, Password string
	Token          string
	TLS            bus.TLS
}

// options are those of the bus of a crawl.
func (a Access) options(crawl, worker string, partitions int) bus.Options {
	if a.own != nil {
		a.URLs = nil
	}
	return bus.Options{Crawl: crawl, Worker: worker, Server: a.own, URLs: a.URLs, User: a.User, Password: a.Password, Token: a.Token, TLS: a.TLS, Partitions: partitions}
}

// A Notice says what the cluster is to do with a crawl.
type Notice struct {
	State   string            `json:"state"` // see the constants
	Files   string            `json:"files"` // name of the file with the crawl file, and what it names
	By      string            `json:"by"`    // version of the program that gave it
	Ends    map[string]string `json:"ends,omitempty"`
	Cluster crawlfile.Cluster `json:"cluster"`
	Nodes   int               `json:"nodes"` // that were there when the crawl was given
	Given   time.Time         `json:"given"`
	Begun   time.Time         `json:"begun,omitzero"` // when it was given first
	Orders  local.Orders      `json:"orders,omitzero"`
	Away    []string          `json:"away,omitempty"` // nodes that have a folder of a removed crawl of this name, which they remove when they are there
}

// States of a crawl.
const (
	Runs  = "runs"
	Stops = "stopped"
	Over  = "over"
	Gone  = "removed" // but for the folders of nodes that are away
)

// A Node is a node that runs.
type Node struct {
	j       *job.Job
	o       Options
	server  *bus.Server
	board   *bus.Bus
	session *bus.Session
	began   time.Time

	reached atomic.Int64 // when the servers answered last, in nanoseconds

	mu       sync.Mutex
	works    map[string]*work
	draining bool
	excerpts []*kept // that are asked for in pieces, the latest last
}

// A work is a crawl that the node works on, or did.
type work struct {
	crawl  string
	stop   context.CancelFunc
	done   chan struct{}
	worker *worker.Worker // nil before it has joined
	orders atomic.Pointer[local.Orders]
	late   bool // others had begun the crawl's rounds: the node takes no part
	err    error
	said   string // why the session before failed, until the worker has joined, or why this one does
}

// Pauses of a node, and the lease by which others see that it is there.
const (
	lookPause = time.Second
	aliveTime = 15 * time.Second
	leaveTime = 10 * time.Second
	quietTime = 3 * time.Second // for which the node waits for servers without a word
)

// Run runs a node until ctx is done, or it is drained. Crawls under way stop then, and go on when the node is begun again, or at others that have what it had.
func Run(ctx context.Context, j *job.Job, o Options) (err error) {
	n := &Node{j: j, o: o, works: map[string]*work{}, began: time.Now()}
	defer n.release()
	if err := os.MkdirAll(filepath.Join(o.Folder, "crawls"), 0o777); err != nil {
		return fmt.Errorf("%w (%w)", err, orbweaver.ErrInput)
	}
	if o.Server != nil {
		if n.server, err = bus.StartServer(*o.Server); err != nil {
			return fmt.Errorf("%w (%w)", err, orbweaver.ErrInput)
		}
		defer n.server.Close()
		n.o.own, n.o.URLs = n.server, []string{n.server.URL()}
	}
	hangUp, err := n.serve()
	if err != nil {
		return err
	}
	defer hangUp()
	found := n.tellWaiting(ctx)
	defer found()
	if n.o.Program == (bus.Program{}) {
		n.o.Program = thisProgram()
	}
	options := n.o.options(board, o.Name, 1)
	options.Replicas, options.Program = o.Replicas, n.o.Program
	b, err := bus.Dial(ctx, options)
	if err != nil {
		return told(err)
	}
	defer b.Close()
	n.mu.Lock()
	n.board = b
	n.mu.Unlock()
	if err := n.board.EnsureFiles(ctx); err != nil {
		return told(err)
	}
	found()
	return n.run(ctx)
}

// told adds to an error of the bus what to do about it.
func told(err error) error {
	switch {
	case errors.Is(err, bus.ErrCredentials):
		return fmt.Errorf("%w: name the file with the cluster's credentials by --credentials, and its CA by --tls-ca (%w)", err, orbweaver.ErrInput)
	case errors.Is(err, bus.ErrUnfit), errors.Is(err, bus.ErrName):
		return fmt.Errorf("%w (%w)", err, orbweaver.ErrInput)
	}
	return err
}

func (n *Node) run(ctx context.Context) (err error) {
	if err := n.understands(ctx); err != nil {
		return err
	}
	joining, cancel := context.WithTimeout(ctx, 2*aliveTime)
	err = again(joining, func() error {
		n.session, err = n.board.Join(joining, aliveTime)
		return err
	})
	cancel()
	if err != nil {
		return fmt.Errorf("node %s: %w: another node of this name runs, or ran until just now", n.o.Name, err)
	}
	defer func() {
		leaving, cancel := context.WithTimeout(context.WithoutCancel(ctx), leaveTime)
		err = errors.Join(err, n.session.Leave(leaving))
		cancel()
	}()
	if err := n.understands(ctx); err != nil { // who began meanwhile
		return err
	}
	stop, err := n.board.Answer("node", n.answer)
	if err != nil {
		return err
	}
	defer stop()
	n.reached.Store(time.Now().UnixNano())
	console.Say(n.j.Err, "node %s works: give it crawls by orbweaver crawl FILE --cluster %s", n.o.Name, strings.Join(n.o.URLs, ","))
	err = n.look(ctx)
	n.stopAll()
	return err
}

// again does something that fails while a session of the same name is not over.
func again(ctx context.Context, do func() error) error {
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for {
		err := do()
		if !errors.Is(err, bus.ErrTaken) {
			return err
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return err
		}
	}
}

// absent says why the servers, or a majority of them, have not answered within the time for which others believe that the node is there; empty: they have. It is called with the lock.
func (n *Node) absent() string {
	if reached := n.reached.Load(); reached != 0 && n.board.Present() && time.Since(time.Unix(0, reached)) < aliveTime {
		return ""
	}
	return n.waits()
}

// waits says what the node waits for.
func (n *Node) waits() string {
	if n.server == nil {
		return "waits for a server of the bus at " + strings.Join(n.o.URLs, ", ")
	}
	there, of := n.server.Servers()
	if there > of/2 {
		return fmt.Sprintf("waits until the servers of the bus have a leader: %d of %d are there, and at their first start all must be", there, of)
	}
	return fmt.Sprintf("waits for a majority: %d of %d servers", there, of)
}

// tellWaiting says, after some seconds, what the node waits for, until found is called.
func (n *Node) tellWaiting(ctx context.Context) (found func()) {
	ctx, found = context.WithCancel(ctx)
	go func() {
		timer := time.NewTimer(quietTime)
		defer timer.Stop()
		for last := ""; ; {
			select {
			case <-timer.C:
			case <-ctx.Done():
				return
			}
			if now := n.waits(); now != last {
				last = now
				n.say("%s", now)
			}
			timer.Reset(lookPause)
		}
	}()
	return found
}

// look begins and stops works as notices say, until ctx is done or the node is drained.
func (n *Node) look(ctx context.Context) error {
	tick := time.NewTicker(lookPause)
	defer tick.Stop()
	for ctx.Err() == nil {
		err := n.session.Renew(ctx)
		if err == nil {
			n.reached.Store(time.Now().UnixNano())
		}
		if err != nil && ctx.Err() == nil {
			if errors.Is(err, bus.ErrSession) {
				return fmt.Errorf("node %s: %w", n.o.Name, err)
			}
			console.Say(n.j.Err, "warning: %v", err)
		}
		notices, err := n.board.Notes(ctx)
		switch {
		case errors.Is(err, bus.ErrLost):
			err = n.board.Ensure(ctx)
		case err == nil:
			n.follow(ctx, notices)
		}
		if err != nil && ctx.Err() == nil {
			console.Say(n.j.Err, "warning: %v", err)
		}
		if n.drained(ctx) {
			console.Say(n.j.Err, "node %s is drained: other nodes have all that it had", n.o.Name)
			return nil
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
		}
	}
	return nil
}

// follow does what notices say.
func (n *Node) follow(ctx context.Context, notices map[string]json.RawMessage) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for crawl, text := range notices {
		var notice Notice
		if json.Unmarshal(text, &notice) != nil {
			continue
		}
		if slices.Contains(notice.Away, n.o.Name) {
			n.removeLate(ctx, crawl)
			continue
		}
		w := n.works[crawl]
		if w != nil {
			w.orders.Store(&notice.Orders)
		}
		switch notice.State {
		case Runs:
			_, ended := notice.Ends[n.o.Name]
			if (w == nil || w.over() && !ended && !w.late) && !n.draining {
				n.begin(ctx, crawl, notice)
			}
		default:
			if w != nil {
				w.stop()
			}
		}
	}
}

// over reports whether the session of a work is over.
func (w *work) over() bool {
	select {
	case <-w.done:
		return true
	default:
		return false
	}
}

// begin begins a session of a crawl.
func (n *Node) begin(ctx context.Context, crawl string, notice Notice) {
	w := &work{crawl: crawl, done: make(chan struct{})}
	if last := n.works[crawl]; last != nil {
		w.said = last.said
	}
	w.orders.Store(&notice.Orders)
	within, stop := context.WithCancel(ctx)
	w.stop = stop
	n.works[crawl] = w
	go func() {
		defer close(w.done)
		if w.err = n.workOn(within, w, notice); w.err != nil && within.Err() == nil {
			n.mu.Lock()
			again := w.said == w.err.Error()
			w.said = w.err.Error()
			n.mu.Unlock()
			if !again {
				console.Say(n.j.Err, "warning: crawl %s: %v", crawl, w.err)
			}
			if w.late = errors.Is(w.err, worker.ErrLate); w.late {
				return
			}
			select { // it is begun again, and not at once
			case <-time.After(5 * lookPause):
			case <-within.Done():
			}
		}
	}()
}

// workOn is a session of a crawl at this node.
func (n *Node) workOn(ctx context.Context, w *work, notice Notice) error {
	file, err := n.unpacked(ctx, w.crawl, notice)
	if err != nil {
		return err
	}
	name := n.workerOf(w.crawl)
	options := n.o.options(w.crawl, name, notice.Cluster.Partitions)
	options.Replicas = cmp.Or(notice.Cluster.Replicas, n.o.Replicas)
	b, err := bus.Dial(ctx, options)
	if err != nil {
		return err
	}
	defer b.Close()
	var kept *record.Record
	if notice.Cluster.Storage != "" {
		if kept, err = record.Open(ctx, notice.Cluster.Storage, w.crawl); err != nil {
			return err
		}
		defer kept.Close()
	}
	j := *n.j
	log, err := os.OpenFile(filepath.Join(n.o.Folder, "crawls", w.crawl, "node.log"), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o666)
	if err != nil {
		return err
	}
	defer log.Close()
	j.Console, j.Yes, j.Crawling = console.Console{Out: log, Err: log}, true, nil
	ended, err := local.Session(ctx, &j, b, local.Task{
		File: file, Output: n.dir(w.crawl, name), Worker: name, Expect: notice.Nodes, Share: 1, Lease: notice.Cluster.Lease, Apart: true,
		Partitions: notice.Cluster.Partitions, Record: kept, Checkpoint: notice.Cluster.Checkpoint,
		Orders: func(context.Context) (local.Orders, error) { return *w.orders.Load(), nil },
		Joined: func(joined *worker.Worker) {
			n.mu.Lock()
			defer n.mu.Unlock()
			w.worker, w.said = joined, ""
			if n.draining {
				joined.Drain()
			}
		},
	})
	if err != nil || ended == "" {
		return err
	}
	return n.note(context.WithoutCancel(ctx), w.crawl, ended)
}

// workerOf is the name of the node's worker of a crawl.
func (n *Node) workerOf(crawl string) string { return crawl + "-" + n.o.Name }

// dir is the folder of a worker of a crawl, this node's or one whose results it has.
func (n *Node) dir(crawl, worker string) string {
	return filepath.Join(n.o.Folder, "crawls", crawl, worker)
}

// note says how a crawl ended at this node. It is over when it has at all nodes that work on it.
func (n *Node) note(ctx context.Context, crawl, ended string) error {
	return change(ctx, n.board, crawl, func(notice *Notice) error {
		if notice.Ends == nil {
			notice.Ends = map[string]string{}
		}
		notice.Ends[n.o.Name] = ended
		if notice.State == Runs { // who ends knows that all do
			notice.State = Over
		}
		return nil
	})
}

// change changes a notice, unless do returns an error.
func change(ctx context.Context, b *bus.Bus, crawl string, do func(*Notice) error) error {
	for {
		var notice Notice
		revision, err := b.Noted(ctx, crawl, &notice)
		if err != nil {
			return err
		}
		if revision == 0 {
			return fmt.Errorf("the cluster knows no crawl %s (%w)", crawl, orbweaver.ErrInput)
		}
		if err := do(&notice); err != nil {
			return err
		}
		if _, err = b.Note(ctx, crawl, notice, revision); !errors.Is(err, bus.ErrChanged) {
			return err
		}
	}
}

// stopAll stops all works, and waits for their ends.
func (n *Node) stopAll() {
	n.mu.Lock()
	works := n.works
	n.mu.Unlock()
	for _, w := range works {
		w.stop()
	}
	for _, w := range works {
		<-w.done
	}
}
