package engine

import (
	"context"
	"sync"
	"sync/atomic"
)

// A readahead reads requests before their turn. What it reads in vain is work lost, not a different
// crawl: it holds at most a few readings a worker, and drops those that the frontier thought better
// of.
type readahead struct {
	ctx     context.Context
	read    func(context.Context, uint64) reading
	depth   int // how far ahead is looked
	queue   chan *job
	jobs    map[uint64]*job
	workers sync.WaitGroup
}

// A job is a request that is read, or will be. Whoever claims it reads it; a dropped one is claimed
// by nobody who reads.
type job struct {
	id      uint64
	claimed atomic.Bool
	ready   chan struct{}
	result  reading
}

// newReadahead starts workers; they end with ctx.
func newReadahead(ctx context.Context, workers int, read func(context.Context, uint64) reading) *readahead {
	workers = max(workers, 1)
	a := &readahead{
		ctx: ctx, read: read, depth: 2 * workers,
		queue: make(chan *job, 4*workers), jobs: map[uint64]*job{},
	}
	for range workers {
		a.workers.Go(a.work)
	}
	return a
}

// wait returns when the workers have ended.
func (a *readahead) wait() { a.workers.Wait() }

// work reads jobs until the context is done.
func (a *readahead) work() {
	for {
		select {
		case <-a.ctx.Done():
			return
		case j := <-a.queue:
			a.run(j)
		}
	}
}

// run reads a job unless somebody else does.
func (a *readahead) run(j *job) {
	if j.claimed.CompareAndSwap(false, true) {
		j.result = a.read(a.ctx, j.id)
		close(j.ready)
	}
}

// want lets these requests be read, as far as there are workers, and forgets others when too many
// readings are kept.
func (a *readahead) want(ids []uint64) {
	if len(a.jobs)+len(ids) > 2*a.depth {
		a.keep(ids)
	}
	for _, id := range ids {
		if _, known := a.jobs[id]; known {
			continue
		}
		j := &job{id: id, ready: make(chan struct{})}
		select {
		case a.queue <- j:
			a.jobs[id] = j
		default:
			return // all workers have enough to do
		}
	}
}

// keep drops all jobs but these.
func (a *readahead) keep(ids []uint64) {
	kept := make(map[uint64]*job, len(a.jobs))
	for _, id := range ids {
		if j, ok := a.jobs[id]; ok {
			kept[id] = j
			delete(a.jobs, id)
		}
	}
	for _, j := range a.jobs {
		j.claimed.Store(true)
	}
	a.jobs = kept
}

// take returns the reading of a request, read here and now if nobody has begun.
func (a *readahead) take(id uint64) reading {
	j, ok := a.jobs[id]
	if !ok {
		return a.read(a.ctx, id)
	}
	delete(a.jobs, id)
	a.run(j)
	<-j.ready
	return j.result
}
