package node

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"orbweaver"
	"orbweaver/internal/atomicfile"
	"orbweaver/internal/cluster/bus"
	"orbweaver/internal/cluster/gather"
	"orbweaver/internal/cluster/local"
	"orbweaver/internal/cluster/record"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/inspect"
	"orbweaver/internal/step"
	"orbweaver/ledger"
	"orbweaver/server"
)

// A question is what a client, or another node, asks of a node.
type question struct {
	Do     string `json:"do"` // see answer
	Crawl  string `json:"crawl,omitempty"`
	Worker string `json:"worker,omitempty"` // whose results
	URL    string `json:"url,omitempty"`

	Exclusion *inspect.Exclusion `json:"exclusion,omitempty"`
	Location  string             `json:"location,omitempty"` // of a storage
	Node      string             `json:"node,omitempty"`
	File      string             `json:"file,omitempty"`
	Whole     bool               `json:"whole,omitempty"` // see gather.Source
	From      int64              `json:"from,omitempty"`
	To        int64              `json:"to,omitempty"`
	At        ledger.Position    `json:"at,omitzero"`
}

// answer answers a question.
func (n *Node) answer(ctx context.Context, body []byte) ([]byte, error) {
	var q question
	if err := json.Unmarshal(body, &q); err != nil {
		return nil, err
	}
	dir := n.dir(q.Crawl, q.Worker)
	if strings.ContainsAny(q.Crawl+q.Worker+q.File, "/\\") || strings.HasPrefix(q.File, ".") {
		return nil, fmt.Errorf("no names: %q, %q, %q", q.Crawl, q.Worker, q.File)
	}
	switch q.Do {
	case "figures":
		return json.Marshal(n.figures())
	case "drain":
		n.drain()
		return nil, nil
	case "workers":
		return json.Marshal(n.workersOf(q.Crawl))
	case "status", "pause", "resume", "add":
		return n.steer(ctx, q)
	case "since":
		x, err := gather.Folder(dir).Since(ctx, q.At)
		if err != nil {
			return nil, err
		}
		return n.excerpt(x)
	case "piece":
		return n.piece(q)
	case "index":
		return gather.Folder(dir).Index(ctx, q.From, q.To)
	case "model":
		model, err := gather.Folder(dir).Model(ctx, q.Whole)
		size := int64(len(model))
		from := min(max(q.From, 0), size)
		return model[from:max(min(q.To, size), from)], err
	case "file":
		return gather.Section(filepath.Join(crawlfolder.Archive(dir), q.File), q.From, q.To)
	case "adopt":
		return nil, n.adopt(ctx, q)
	case "exclude":
		if q.Exclusion == nil {
			return nil, errors.New("no exclusion")
		}
		out, err := local.Excluding(ctx, n.dir(q.Crawl, n.workerOf(q.Crawl)), *q.Exclusion)
		if err != nil && !errors.Is(err, server.ErrNoCrawl) { // a worker that does not run now follows the order later
			return nil, err
		}
		return json.Marshal(out)
	case "storage":
		kept, err := record.Open(ctx, q.Location, q.Crawl)
		if err != nil {
			return nil, err
		}
		return nil, kept.Close()
	case "remove":
		return nil, n.remove(ctx, q.Crawl)
	}
	return nil, fmt.Errorf("this node (%s) can't %q", n.o.Program.Version, q.Do)
}

// workersOf returns whose results of a crawl are here.
func (n *Node) workersOf(crawl string) (names []string) {
	entries, _ := os.ReadDir(filepath.Join(n.o.Folder, "crawls", crawl)) // none: it has not begun
	for _, e := range entries {
		if e.IsDir() && strings.HasPrefix(e.Name(), crawl+"-") && !crawlfolder.IsFresh(n.dir(crawl, e.Name())) {
			names = append(names, e.Name())
		}
	}
	return names
}

// steer asks the crawl of this node's worker.
func (n *Node) steer(ctx context.Context, q question) ([]byte, error) {
	dir := n.dir(q.Crawl, n.workerOf(q.Crawl))
	if crawlfolder.IsFresh(dir) {
		return json.Marshal(server.Status{Name: q.Crawl})
	}
	c, err := server.Dial(dir)
	if err == nil {
		defer c.Close()
	}
	var out any
	switch {
	case err != nil && q.Do != "status":
	case q.Do == "pause":
		err = c.Pause(ctx)
	case q.Do == "resume":
		err = c.Resume(ctx)
	case q.Do == "add":
		out, err = c.Add(ctx, q.URL)
	case err == nil:
		out, err = c.Status(ctx)
	}
	if errors.Is(err, server.ErrNoCrawl) {
		if q.Do != "status" {
			return nil, fmt.Errorf("the crawl does not run here")
		}
		n.mu.Lock()
		w := n.works[q.Crawl]
		n.mu.Unlock()
		if w != nil && !w.over() { // it just begins or ends, and has the folder
			return json.Marshal(server.Status{Name: q.Crawl})
		}
		out, err = n.resting(dir)
	}
	if err == nil && q.Do == "status" {
		out, err = n.withOthers(ctx, q.Crawl, out.(server.Status))
	}
	if err != nil {
		return nil, err
	}
	return json.Marshal(out)
}

// withOthers adds to the status of this node's worker what nodes have left here that were drained.
func (n *Node) withOthers(ctx context.Context, crawl string, own server.Status) (server.Status, error) {
	sum := gather.NewSum(server.Status{Name: crawl})
	sum.Add(own)
	for _, worker := range n.workersOf(crawl) {
		if worker == n.workerOf(crawl) || crawlfolder.Workers(n.dir(crawl, worker)) == 0 {
			continue
		}
		s, err := n.resting(n.dir(crawl, worker))
		if err != nil {
			return own, err
		}
		s.Waiting = 0 // it was given to others
		sum.Add(s)
	}
	return sum.Status(), nil
}

// resting is the status of a worker that does not run.
func (n *Node) resting(dir string) (s server.Status, err error) {
	l, err := ledger.OpenForLooks(dir)
	if errors.Is(err, orbweaver.ErrBusy) {
		return s, fmt.Errorf("it just begins or ends: %w", err)
	}
	if err != nil {
		return s, err
	}
	s.Progress, s.Refused = l.Progress(), l.Refused()
	f, err := l.Figures(context.Background())
	s.Waiting, s.Hosts, s.Busiest, s.Failures, s.Statuses = f.Waiting, f.Hosts, f.Busiest, f.Failures.Reasons, f.Failures.Statuses
	return s, errors.Join(err, l.Close())
}

// Figures are what a node tells of itself.
type Figures struct {
	Node     string         `json:"node"`
	Version  string         `json:"version"`
	Messages int            `json:"messages"` // version of the messages that it speaks
	Began    time.Time      `json:"began"`
	Server   bool           `json:"server"`          // it has one of the bus
	Present  bool           `json:"present"`         // it reaches the bus
	Waits    string         `json:"waits,omitempty"` // what for, if it does not
	Draining bool           `json:"draining,omitempty"`
	Crawls   []CrawlFigures `json:"crawls,omitempty"`
}

// CrawlFigures are what a node tells of a crawl.
type CrawlFigures struct {
	Crawl      string `json:"crawl"`
	Runs       bool   `json:"runs"`
	Error      string `json:"error,omitempty"` // of its last session; or why it waits
	Partitions []int  `json:"partitions,omitempty"`
	Moving     int    `json:"moving,omitempty"` // of these, that come or go
	Outbox     int    `json:"outbox,omitempty"` // partitions to which messages are on their way
}

// figures are those of this node.
func (n *Node) figures() Figures {
	n.mu.Lock()
	defer n.mu.Unlock()
	f := Figures{Node: n.o.Name, Version: n.o.Program.Version, Messages: n.o.Program.Speaks, Began: n.began, Server: n.server != nil, Waits: n.absent(), Draining: n.draining}
	f.Present = f.Waits == ""
	for crawl, w := range n.works {
		c := CrawlFigures{Crawl: crawl, Runs: !w.over()}
		if c.Error = w.said; !c.Runs && w.err != nil {
			c.Error = w.err.Error()
		}
		if c.Runs && w.worker != nil {
			if err := w.worker.Trouble(); err != nil {
				c.Error = fmt.Sprintf("it makes no requests while its storage fails: %v", err)
			}
		}
		if c.Runs && w.worker != nil {
			c.Partitions, c.Moving, c.Outbox = w.worker.Figures()
		}
		f.Crawls = append(f.Crawls, c)
	}
	return f
}

// drain has all works of the node go to others.
func (n *Node) drain() {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.draining {
		return
	}
	n.draining = true
	n.session.Leaving()
	n.say("drains: other nodes get what it has")
	for _, w := range n.works {
		if w.worker != nil {
			w.worker.Drain()
		}
	}
}

// drained reports whether the node drains, all its works are over, and others have their results.
func (n *Node) drained(ctx context.Context) bool {
	n.mu.Lock()
	draining, works := n.draining, n.works
	n.mu.Unlock()
	if !draining {
		return false
	}
	for _, w := range works {
		if !w.over() {
			return false
		}
	}
	entries, err := os.ReadDir(filepath.Join(n.o.Folder, "crawls"))
	if err != nil {
		return false
	}
	for _, e := range entries {
		for _, worker := range n.workersOf(e.Name()) {
			if err := n.bequeath(ctx, e.Name(), worker); err != nil {
				n.say("%v", err)
				return false
			}
		}
	}
	return true
}

// bequeath has another node take the results of a worker.
func (n *Node) bequeath(ctx context.Context, crawl, worker string) error {
	if _, err := os.Stat(n.dir(crawl, worker) + givenFile); err == nil {
		return nil
	}
	if _, err := n.board.Owners(ctx); err != nil { // looks who is there
		return err
	}
	for _, m := range n.board.Members() {
		if !m.Live || m.Leaves || m.Worker == n.o.Name {
			continue
		}
		if err := ask(ctx, n.board, m.Worker, question{Do: "adopt", Crawl: crawl, Worker: worker, Node: n.o.Name}, nil); err != nil {
			return fmt.Errorf("node %s can't take the results of %s: %w", m.Worker, worker, err)
		}
		return os.WriteFile(n.dir(crawl, worker)+givenFile, []byte(m.Worker+"\n"), 0o666)
	}
	return fmt.Errorf("no other node is there to take the results of %s", worker)
}

// givenFile is the suffix of the file that says which node has a worker's results now.
const givenFile = ".given"

// adopt takes the results of a worker of another node.
func (n *Node) adopt(ctx context.Context, q question) error {
	dir := n.dir(q.Crawl, q.Worker)
	partial := dir + crawlfolder.Partial
	if err := os.MkdirAll(partial, 0o777); err != nil {
		return err
	}
	from := remote{bus: n.board, node: q.Node, crawl: q.Crawl, worker: q.Worker}
	err := gather.Begin(partial, 1, func() error {
		return os.WriteFile(filepath.Join(partial, crawlfolder.RunFile), nil, 0o600)
	})
	if err != nil {
		return err
	}
	book, err := ledger.Open(partial)
	if err != nil {
		return err
	}
	if err = gather.Into(ctx, partial, book, from); err == nil {
		if model, failed := from.Model(ctx, true); failed == nil && len(model) > 0 { // without, whoever gathers learns from the pages
			err = book.Commit(step.Batch{Model: model, Progress: book.Progress()})
		}
	}
	if err = errors.Join(err, book.Close()); err != nil {
		return err
	}
	return atomicfile.Place(partial, dir)
}

// ask asks a node, and decodes its answer into out, unless that is nil.
func ask(ctx context.Context, b *bus.Bus, node string, q question, out any) error {
	body, err := json.Marshal(q)
	if err != nil {
		return err
	}
	answer, err := b.Ask(ctx, node, "node", body)
	if err != nil || out == nil {
		return err
	}
	if raw, ok := out.(*[]byte); ok {
		*raw = answer
		return nil
	}
	return json.Unmarshal(answer, out)
}
