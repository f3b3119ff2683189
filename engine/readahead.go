package engine

import (
	"context"
	"sync"
	"sync/atomic"
)

// A readahead reads requests before their turn. A reading in vain is lost work and does not change the
// crawl. It holds a few readings per worker, and drops those that are no longer among the best requests.
type readahead struct {
	ctx     context.Context
	read    func(context.Context, uint64) reading
	depth   int // requests ahead
	queue   chan *job
	jobs    map[uint64]*job
	workers sync.WaitGroup
}

// A job is a request to read. The goroutine that claims it reads it; a dropped job is claimed and never
// read.
type job struct {
	id      uint64
	claimed atomic.Bool
	ready   chan struct{}
	result  reading
}

// newReadahead starts workers, which end with ctx.
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

// wait waits for the workers to end.
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

// run reads a job unless it is claimed.
func (a *readahead) run(j *job) {
	if j.claimed.CompareAndSwap(false, true) {
		j.result = a.read(a.ctx, j.id)
		close(j.ready)
	}
}

// want queues requests for reading, as far as the queue has room, and drops other readings when too many
// are held.
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
			return // the queue is full
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

// take returns the reading of a request. Unless a worker has begun, it is read now, by a goroutine of its own: the one
// that decides reads nothing.
func (a *readahead) take(id uint64) reading {
	j, ok := a.jobs[id]
	if !ok {
		j = &job{id: id, ready: make(chan struct{})}
	}
	delete(a.jobs, id)
	a.workers.Go(func() { a.run(j) })
	<-j.ready
	return j.result
}
