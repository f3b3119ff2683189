package engine

import (
	"cmp"
	"container/heap"
	"math"
	"slices"
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
	made int   // events so far
	line *line // that other clocks share; nil: the clock has its own time

	until time.Time     // what it waits for; zero: for what others send it alone
	over  bool          // its crawl is over
	turn  chan struct{} // it may run
}

// NewVirtual returns a clock that shows start.
func NewVirtual(start time.Time) *Virtual { return &Virtual{now: start} }

// A line is a time that several clocks share. One of their crawls runs at a time: the one whose next event is due first.
type line struct {
	now    time.Time
	clocks []*Virtual
}

// NewVirtuals returns clocks that share a time, for as many crawls, each of which runs on a goroutine of its own between Begin and End, and
// each only while the others wait: the same crawls run the same way.
func NewVirtuals(start time.Time, n int) []*Virtual {
	l := &line{now: start}
	for range n {
		l.clocks = append(l.clocks, &Virtual{now: start, line: l, until: start, turn: make(chan struct{}, 1)})
	}
	l.clocks[0].turn <- struct{}{}
	return l.clocks
}

// Begin waits until the clock's crawl may begin. It must be called before its Run, by the goroutine that runs it.
func (v *Virtual) Begin() {
	<-v.turn
	v.until = time.Time{}
}

// End tells that the clock's crawl is over.
func (v *Virtual) End() {
	v.over = true
	if next := v.line.next(); next != nil {
		next.turn <- struct{}{}
	}
}

// Alone reports whether all other crawls of a shared time are over, or wait for nothing but what others send them.
func (v *Virtual) Alone() bool {
	for _, other := range v.line.clocks {
		if other != v && !other.over && !other.until.IsZero() {
			return false
		}
	}
	return len(v.due) == 0
}

// At has the goroutine that decides of the clock's crawl run an event at a time, or at once if that is past. It is called by the crawl that runs,
// be it this clock's or another of the same line.
func (v *Virtual) At(t time.Time, event func() error) {
	v.made++
	heap.Push(&v.due, dueEvent{t, v.made, false, event})
	if v.until.IsZero() || t.Before(v.until) {
		v.until = t
	}
}

// Restart lets time pass while no crawl runs, between two: the first was killed, and the results of its work are lost. What others sent comes to
// the second, if it is due by then, at once.
func (v *Virtual) Restart(after time.Duration) {
	v.due = slices.DeleteFunc(v.due, func(e dueEvent) bool { return e.own })
	heap.Init(&v.due)
	for end := v.now.Add(after); v.now.Before(end); {
		v.until = end
		v.yield()
	}
}

// next returns the clock that may run next: the one whose time comes first, of equals the first, and of those that wait for others alone the
// first. nil: all are over.
func (l *line) next() (first *Virtual) {
	for _, v := range l.clocks {
		switch {
		case v.over:
		case first == nil, first.until.IsZero() && !v.until.IsZero(), !v.until.IsZero() && v.until.Before(first.until):
			first = v
		}
	}
	return first
}

// wait gives the turn to the clock whose time comes first, and returns when it is this one's turn.
func (v *Virtual) wait(wait time.Duration) {
	if v.until = (time.Time{}); wait >= 0 && wait < math.MaxInt64 {
		v.until = v.now.Add(wait)
	}
	if len(v.due) > 0 && (v.until.IsZero() || v.due[0].at.Before(v.until)) {
		v.until = v.due[0].at
	}
	v.yield()
}

// yield is wait for a clock that knows what it waits for.
func (v *Virtual) yield() {
	l := v.line
	l.now = v.now
	if next := l.next(); next != v {
		next.turn <- struct{}{}
		<-v.turn
	}
	if v.until.After(l.now) {
		l.now = v.until
	}
	v.now = l.now
}

// Now is the time.
func (v *Virtual) Now() time.Time { return v.now }

// Sleep advances the time of the request being answered, and of no other.
func (v *Virtual) Sleep(d time.Duration) { v.now = v.now.Add(max(d, 0)) }

// perform does work, and schedules the event that it returns.
func (v *Virtual) perform(work func() func() error) {
	start := v.now
	event := work()
	v.made++
	heap.Push(&v.due, dueEvent{v.now, v.made, true, event})
	v.now = start
}

// leap advances to the next event and returns it, if it is due within wait or wait is negative; else it
// advances by wait.
func (v *Virtual) leap(wait time.Duration) func() error {
	if v.line != nil {
		v.wait(wait)
		wait = 0
	}
	if len(v.due) > 0 && (wait < 0 || !v.due[0].at.After(v.now.Add(wait))) {
		next := heap.Pop(&v.due).(dueEvent)
		if next.at.After(v.now) { // others may send what is due already
			v.now = next.at
		}
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
	own   bool // the result of work; false: others sent it
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
