package console

import (
	"fmt"
	"io"
	"sync/atomic"
	"time"
)

// A Snapshot is what a progress line tells.
type Snapshot struct {
	Pages, Accepted int64
	Waiting, Hosts  int
}

// A progress draws a line about a crawl on a terminal again and again, or writes one now and then
// elsewhere.
type progress struct {
	out      io.Writer
	terminal bool
	first    *Snapshot
	latest   atomic.Pointer[Snapshot]
	stop     chan struct{}
	stopped  chan struct{}
}

// How often a line is drawn, and written.
const (
	Redraw  = 200 * time.Millisecond
	Rewrite = 10 * time.Second
)

// StartProgress begins to draw; end it with close.
func StartProgress(out io.Writer, terminal bool, first Snapshot) *progress {
	p := &progress{out: out, terminal: terminal, first: &first, stop: make(chan struct{}), stopped: make(chan struct{})}
	p.latest.Store(&first)
	go p.run(first.Pages)
	return p
}

// Tell gives the newest figures.
func (p *progress) Tell(s Snapshot) { p.latest.Store(&s) }

// Close draws the last line and ends it. Of a sitting in which nothing happened there is nothing to
// tell.
func (p *progress) Close() {
	close(p.stop)
	<-p.stopped
}

func (p *progress) run(before int64) {
	defer close(p.stopped)
	every := Rewrite
	if p.terminal {
		every = Redraw
	}
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	began, drawn := time.Now(), false
	for {
		select {
		case <-ticker.C:
			p.draw(before, time.Since(began))
			drawn = true
		case <-p.stop:
			if !drawn && p.latest.Load() == p.first {
				return
			}
			p.draw(before, time.Since(began))
			if p.terminal {
				fmt.Fprintln(p.out)
			}
			return
		}
	}
}

// draw writes one line; before is how many pages earlier sittings fetched.
func (p *progress) draw(before int64, active time.Duration) {
	s := p.latest.Load()
	rate := float64(s.Pages-before) / max(active.Seconds(), 1e-3)
	line := fmt.Sprintf("%d pages, %.0f pages/s, %d accepted, %d waiting, %d hosts", s.Pages, rate, s.Accepted, s.Waiting, s.Hosts)
	if p.terminal {
		fmt.Fprintf(p.out, "\r%s\x1b[K", line)
		return
	}
	fmt.Fprintln(p.out, line)
}

// Patience is how long something may take in silence.
const Patience = 2 * time.Second

// AfterAWhile says what goes on if it is not over soon. End it with stop.
func (c *Console) AfterAWhile(words string) (stop func()) {
	over, told := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(told)
		select {
		case <-time.After(Patience):
			Say(c.Err, "%s", words)
		case <-over:
		}
	}()
	return func() {
		close(over)
		<-told
	}
}
