package nodes

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"orbweaver"
	"orbweaver/crawl"
	"orbweaver/internal/order"
)

const (
	pause    = time.Second      // between two times that the nodes are asked
	patience = 45 * time.Second // with all nodes together
	restTime = time.Minute      // the status of a crawl that no node runs is asked for once in so long: they read it from the disk
	goneTime = 10 * time.Minute // a node that does not answer is told of for so long
	maxNodes = 1000             // that do not answer and are told of
)

// ErrNone says that the studio has no cluster.
var ErrNone = fmt.Errorf("this studio has no cluster: begin it by orbweaver studio --cluster HOST:PORT (%w)", orbweaver.ErrAbsent)

// A Watch tells how a cluster stands. Its methods may be called from any goroutine; those of a nil Watch tell that there is no cluster.
type Watch struct {
	at      string
	cluster Cluster

	mu     sync.Mutex
	stands Standing
	known  map[string]Node // that answered within goneTime
	status map[string]told
	asking chan struct{} // closed when those that are asked have answered; nil: none are
	next   time.Time     // when they may be asked again
}

// told is the status of a crawl, as it was told.
type told struct {
	crawl.Status
	rested time.Time // when it was told of a crawl that no node ran; zero: a node did
}

// New returns a Watch of a cluster. At says where it is reached.
func New(at string, c Cluster) *Watch {
	return &Watch{at: at, cluster: c, stands: Standing{At: at, Problems: []string{}, Nodes: []Node{}, Crawls: []Crawl{}}, known: map[string]Node{}, status: map[string]told{}}
}

// Look returns how the cluster stands: as of now if the nodes answer before ctx ends, else as they told it last. The Standing is shared and
// must not be changed. The error is ErrNone, or nil.
func (w *Watch) Look(ctx context.Context) (Standing, error) {
	if w == nil {
		return Standing{}, ErrNone
	}
	w.mu.Lock()
	if w.asking == nil && !time.Now().Before(w.next) {
		w.asking = make(chan struct{})
		go w.ask(context.WithoutCancel(ctx)) // it is for all who look
	}
	asking := w.asking
	w.mu.Unlock()
	if asking != nil {
		select {
		case <-asking:
		case <-ctx.Done():
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.stands, nil
}

// Drain has a node give all that it has to others, and end.
func (w *Watch) Drain(ctx context.Context, node string) error {
	if w == nil {
		return ErrNone
	}
	err := w.cluster.Drain(ctx, node)
	w.mu.Lock()
	w.next = time.Time{} // who looks now sees it
	w.mu.Unlock()
	return err
}

// ask asks the nodes.
func (w *Watch) ask(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	answered, err := w.cluster.Nodes(ctx)
	problems := problemsOf(err)
	now := time.Now()
	crawls := sums(answered)
	for i := range crawls {
		c := &crawls[i]
		s := w.last(c.Name)
		if c.Runs || s.rested.IsZero() || now.Sub(s.rested) >= restTime {
			status, err := w.cluster.Status(ctx, c.Name)
			if err != nil {
				problems = append(problems, problemsOf(fmt.Errorf("crawl %s: %w", c.Name, err))...)
			}
			if err == nil || status.Progress.Requests >= s.Progress.Requests { // a sum of fewer nodes is not news
				s.Status = status
			}
			if s.rested = now; c.Runs {
				s.rested = time.Time{}
			}
			w.keep(c.Name, s)
		}
		c.tell(s.Status)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.stands = Standing{At: w.at, Asked: w.stands.Asked, Problems: problems, Nodes: w.remember(answered, now), Crawls: crawls}
	if len(answered) > 0 || err == nil {
		w.stands.Asked = now
	}
	close(w.asking)
	w.asking, w.next = nil, now.Add(pause)
}

func (w *Watch) last(crawl string) told {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.status[crawl]
}

func (w *Watch) keep(crawl string, s told) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.status[crawl] = s
}

// remember returns the nodes that answered, and those that did lately, by name. One that drained has ended in good order.
func (w *Watch) remember(answered []Node, now time.Time) []Node {
	for name, n := range w.known {
		n.Answers = false
		w.known[name] = n
		if n.Draining || now.Sub(n.Seen) >= goneTime || len(w.known) > maxNodes {
			delete(w.known, name)
		}
	}
	for _, n := range answered {
		n.Answers, n.Seen = true, now
		works := []Work{} // lists are never null, as the API has them
		for _, work := range n.Works {
			work.Partitions = append([]int{}, work.Partitions...)
			works = append(works, work)
		}
		order.By(works, func(a, b Work) int { return cmp.Compare(a.Crawl, b.Crawl) })
		n.Works = works
		w.known[n.Name] = n
	}
	all := slices.Collect(maps.Values(w.known))
	order.By(all, func(a, b Node) int { return cmp.Compare(a.Name, b.Name) })
	return append([]Node{}, all...)
}

// sums are the crawls that nodes tell of, by name, without their status.
func sums(nodes []Node) []Crawl {
	all, owned := map[string]Crawl{}, map[string]map[int]bool{}
	for _, n := range nodes {
		for _, work := range n.Works {
			c := all[work.Crawl]
			c.Name, c.Runs, c.Moving, c.Lag = work.Crawl, c.Runs || work.Runs, c.Moving+work.Moving, c.Lag+work.Lag
			if owned[c.Name] == nil {
				owned[c.Name] = map[int]bool{}
			}
			for _, p := range work.Partitions {
				owned[c.Name][p] = true
			}
			c.Owned = len(owned[c.Name])
			all[c.Name] = c
		}
	}
	crawls := []Crawl{}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		crawls = append(crawls, all[name])
	}
	return crawls
}

// tell adds what the status of a crawl has.
func (c *Crawl) tell(s crawl.Status) {
	c.Paused, c.End = s.Paused, s.Progress.Ended
	c.Requests, c.Pages, c.Accepted, c.Rate, c.Waiting = s.Progress.Requests, s.Progress.Pages, s.Progress.Accepted, s.Rate, s.Waiting
	if !c.Runs {
		c.Rate = 0
	}
}

// problemsOf are the errors of which one is made, each on a line.
func problemsOf(err error) []string {
	all := []string{}
	if err == nil {
		return all
	}
	for line := range strings.SplitSeq(err.Error(), "\n") {
		all = append(all, line)
	}
	if errors.Is(err, context.DeadlineExceeded) && len(all) == 1 && all[0] == context.DeadlineExceeded.Error() {
		all[0] = "the nodes did not answer in time"
	}
	return all
}
