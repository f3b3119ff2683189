package app

import (
	"fmt"
	"io"
	"sync/atomic"
	"time"
)

// A snapshot is what a progress line tells.
type snapshot struct {
	pages, accepted int64
	waiting, hosts  int
}

// A progress draws a line about a crawl on a terminal again and again, or writes one now and then
// elsewhere.
type progress struct {
	out      io.Writer
	terminal bool
	first    *snapshot
	latest   atomic.Pointer[snapshot]
	stop     chan struct{}
	stopped  chan struct{}
}

// How often a line is drawn, and written.
const (
	redraw  = 200 * time.Millisecond
	rewrite = 10 * time.Second
)

// startProgress begins to draw; end it with close.
func startProgress(out io.Writer, terminal bool, first snapshot) *progress {
	p := &progress{out: out, terminal: terminal, first: &first, stop: make(chan struct{}), stopped: make(chan struct{})}
	p.latest.Store(&first)
	go p.run(first.pages)
	return p
}

// tell gives the newest figures.
func (p *progress) tell(s snapshot) { p.latest.Store(&s) }

// close draws the last line and ends it. Of a sitting in which nothing happened there is nothing to
// tell.
func (p *progress) close() {
	close(p.stop)
	<-p.stopped
}

func (p *progress) run(before int64) {
	defer close(p.stopped)
	every := rewrite
	if p.terminal {
		every = redraw
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
	rate := float64(s.pages-before) / max(active.Seconds(), 1e-3)
	line := fmt.Sprintf("%d pages, %.0f pages/s, %d accepted, %d waiting, %d hosts", s.pages, rate, s.accepted, s.waiting, s.hosts)
	if p.terminal {
		fmt.Fprintf(p.out, "\r%s\x1b[K", line)
		return
	}
	fmt.Fprintln(p.out, line)
}

// patience is how long something may take in silence.
const patience = 2 * time.Second

// afterAWhile says what goes on if it is not over soon. End it with stop.
func (a *App) afterAWhile(words string) (stop func()) {
	over, told := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(told)
		select {
		case <-time.After(patience):
			say(a.Err, "%s", words)
		case <-over:
		}
	}()
	return func() {
		close(over)
		<-told
	}
}
