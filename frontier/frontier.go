// Package frontier says whose turn it is: hosts by readiness, and of the ready ones the request of
// best rank.
//
// It is pure: it holds of a request its number and rank; it reads no clock, its callers say what time
// it is; and it lives in memory, rebuilt from the ledger when a crawl goes on. Ranking is by score,
// highest first, and equal scores go in the order they were first proposed. Relevance is not its
// business, nor is storage.
package frontier

import (
	"container/heap"
	"math"
	"time"

	"orbweaver"
	"orbweaver/weburl"
)

// Options are the rules of turn-taking. The zero value has none: every host is always ready.
type Options struct {
	Delay       time.Duration // least time between two starts at one host
	Connections int           // most requests in flight at one host; 0: any number
	HostPages   int64         // most pages of one host; 0: any number
}

// A Frontier holds the waiting requests of a crawl. A request is in one of three states here:
// waiting (Add), leased (Next) or gone (Done); no number is leased twice without an Add between. It
// is for one goroutine.
type Frontier struct {
	opts    Options
	hosts   map[string]*host
	waiting map[uint64]*node
	leased  map[uint64]*host
	groups  map[string]map[uint64]struct{}
	ready   readyHeap
	resting restingHeap
	spare   headHeap // scratch of Head
}

// New returns an empty frontier.
func New(opts Options) *Frontier {
	return &Frontier{
		opts:    opts,
		hosts:   map[string]*host{},
		waiting: map[uint64]*node{},
		leased:  map[uint64]*host{},
		groups:  map[string]map[uint64]struct{}{},
	}
}

// Add lets a request wait. Adding one that waits already changes its score and, if Ahead is set, its
// place; its keys stay.
func (f *Frontier) Add(w orbweaver.Waiting) {
	if n, ok := f.waiting[w.ID]; ok {
		n.ahead = n.ahead || w.Ahead
		f.rescore(n, w.Score)
		return
	}
	h := f.host(weburl.Host(w.URL))
	n := &node{id: w.ID, score: w.Score, ahead: w.Ahead, host: h, keys: w.Keys}
	f.waiting[w.ID] = n
	for _, k := range w.Keys {
		f.group(k)[w.ID] = struct{}{}
	}
	heap.Push(&h.queue, n)
	f.settle(h)
}

// Rank returns the score of a waiting request, +Inf for one that goes ahead, and false when it does
// not wait.
func (f *Frontier) Rank(id uint64) (float64, bool) {
	n, ok := f.waiting[id]
	switch {
	case !ok:
		return 0, false
	case n.ahead:
		return math.Inf(1), true
	}
	return n.score, true
}

// Next leases the best request of all hosts that are ready at now. When there is none, ok is false
// and wait is the time until a resting host is ready, or negative when no waiting helps: nothing
// waits, or only behind what is in flight or beyond a host's budget.
func (f *Frontier) Next(now time.Time) (id uint64, wait time.Duration, ok bool) {
	f.wake(now)
	if f.ready.Len() == 0 {
		if f.resting.Len() == 0 {
			return 0, -1, false
		}
		return 0, f.resting.row[0].readyAt.Sub(now), false
	}
	n := f.ready.row[0].queue.row[0]
	f.lease(n, now)
	return n.id, 0, true
}

// Take leases a certain request, ready or not; false when it does not wait.
func (f *Frontier) Take(id uint64, now time.Time) bool {
	n, ok := f.waiting[id]
	if ok {
		f.lease(n, now)
	}
	return ok
}

// lease hands a request out and lets its host rest.
func (f *Frontier) lease(n *node, now time.Time) {
	h := n.host
	heap.Remove(&h.queue, n.at)
	f.forget(n)
	f.leased[n.id] = h
	h.active++
	h.readyAt = now.Add(f.opts.Delay)
	h.rests = f.opts.Delay > 0
	f.settle(h)
}

// Done ends a lease. page says whether the answer counts against the host's budget of pages.
func (f *Frontier) Done(id uint64, page bool) {
	h, ok := f.leased[id]
	if !ok {
		return
	}
	delete(f.leased, id)
	h.active--
	if page {
		h.pages++
	}
	f.settle(h)
}

// Count puts pages fetched earlier on the account of a URL's host: used when a crawl goes on.
func (f *Frontier) Count(url string, pages int64) {
	h := f.host(weburl.Host(url))
	h.pages += pages
	f.settle(h)
}

// Group returns the numbers of the waiting requests under a key, "*" meaning all; in no order.
func (f *Frontier) Group(key string) []uint64 {
	var ids []uint64
	if key == "*" {
		for id := range f.waiting {
			ids = append(ids, id)
		}
		return ids
	}
	for id := range f.groups[key] {
		ids = append(ids, id)
	}
	return ids
}

// Len is how many requests wait.
func (f *Frontier) Len() int { return len(f.waiting) }

// Hosts is how many hosts were ever seen.
func (f *Frontier) Hosts() int { return len(f.hosts) }

// host returns the host of a name, new when it was never seen.
func (f *Frontier) host(name string) *host {
	h, ok := f.hosts[name]
	if !ok {
		h = &host{at: nowhere}
		f.hosts[name] = h
	}
	return h
}

// group returns the set of a key.
func (f *Frontier) group(key string) map[uint64]struct{} {
	g, ok := f.groups[key]
	if !ok {
		g = map[uint64]struct{}{}
		f.groups[key] = g
	}
	return g
}

// forget takes a request out of the indexes.
func (f *Frontier) forget(n *node) {
	delete(f.waiting, n.id)
	for _, k := range n.keys {
		delete(f.groups[k], n.id)
		if len(f.groups[k]) == 0 {
			delete(f.groups, k)
		}
	}
}

// rescore moves a waiting request to where its new score belongs.
func (f *Frontier) rescore(n *node, score float64) {
	n.score = score
	heap.Fix(&n.host.queue, n.at)
	f.settle(n.host)
}
