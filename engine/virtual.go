package engine

import (
	"cmp"
	"container/heap"
	"math"
	"time"
)

// A Virtual clock is the time of a simulated crawl. A live session under it runs on one goroutine: work is
// done at once and takes the time that the Fetcher passes to Sleep; its result is decided at the end of
// that time; and when nothing is left to do, the clock jumps to the next event. The same crawl therefore
// runs the same way, in the real time of its computation alone.
//
// Subresource requests and overlapping turns need goroutines of their own: a Virtual clock excludes
// Config.Render and Live.Overlap. It serves one crawl.
type Virtual struct {
	now  time.Time
	due  dueHeap
	made int // events so far
}

// NewVirtual returns a clock that shows start.
func NewVirtual(start time.Time) *Virtual { return &Virtual{now: start} }

// Now is the time.
func (v *Virtual) Now() time.Time { return v.now }

// Sleep advances the time of the request being answered, and of no other.
func (v *Virtual) Sleep(d time.Duration) { v.now = v.now.Add(max(d, 0)) }

// perform does work, and schedules the event that it returns.
func (v *Virtual) perform(work func() func() error) {
	start := v.now
	event := work()
	v.made++
	heap.Push(&v.due, dueEvent{v.now, v.made, event})
	v.now = start
}

// leap advances to the next event and returns it, if it is due within wait or wait is negative; else it
// advances by wait.
func (v *Virtual) leap(wait time.Duration) func() error {
	if len(v.due) > 0 && (wait < 0 || !v.due[0].at.After(v.now.Add(wait))) {
		next := heap.Pop(&v.due).(dueEvent)
		v.now = next.at
		return next.event
	}
	if wait > 0 && wait < math.MaxInt64 {
		v.now = v.now.Add(wait)
	}
	return func() error { return nil }
}

// A dueEvent is the result of work.
type dueEvent struct {
	at    time.Time
	made  int
	event func() error
}

// A dueHeap has the earliest event at its top, of equals the first made.
type dueHeap []dueEvent

func (q dueHeap) Len() int { return len(q) }
func (q dueHeap) Less(i, j int) bool {
	return cmp.Or(q[i].at.Compare(q[j].at), cmp.Compare(q[i].made, q[j].made)) < 0
}
func (q dueHeap) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *dueHeap) Push(x any)   { *q = append(*q, x.(dueEvent)) }
func (q *dueHeap) Pop() any {
	old := *q
	last := len(old) - 1
	event := old[last]
	old[last] = dueEvent{}
	*q = old[:last]
	return event
}

// now is the time of the crawl.
func (c *Crawl) now() time.Time {
	if c.cfg.Virtual != nil {
		return c.cfg.Virtual.now
	}
	return time.Now()
}

// since is the crawl's time since t.
func (c *Crawl) since(t time.Time) time.Duration { return c.now().Sub(t) }
