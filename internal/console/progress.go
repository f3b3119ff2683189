package console

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"sync/atomic"
	"time"
	"unicode/utf8"
)

// A Snapshot is what a progress line tells.
type Snapshot struct {
	Pages, Accepted int64
	Waiting, Hosts  int

	Requests, Failed, Bytes int64
	Active                  time.Duration // of all sessions
	Asking                  string        // the URL that was asked for last; empty: none was yet
	Limits                  Limits
}

// Limits end a crawl. Zero is none.
type Limits struct {
	Requests, Pages, Bytes int64
	Time                   time.Duration
}

// A progress draws a line about a crawl on a terminal again and again, or writes one now and then
// elsewhere.
type progress struct {
	out      io.Writer
	terminal bool
	width    int
	first    *Snapshot
	latest   atomic.Pointer[Snapshot]
	stop     chan struct{}
	stopped  chan struct{}
}

// How often a line is drawn, and written: after the first Rewrites of them less often.
const (
	Redraw   = 200 * time.Millisecond
	Rewrite  = 10 * time.Second
	Rewrites = 6
	Seldom   = time.Minute
)

// StartProgress begins to draw, on a terminal of so many columns; end it with close.
func StartProgress(out io.Writer, terminal bool, width int, first Snapshot) *progress {
	p := &progress{out: out, terminal: terminal, width: width, first: &first, stop: make(chan struct{}), stopped: make(chan struct{})}
	p.latest.Store(&first)
	go p.run(first)
	return p
}

// Tell gives the newest figures.
func (p *progress) Tell(s Snapshot) { p.latest.Store(&s) }

// Close draws the last line and ends it. Of a session in which nothing happened there is nothing to
// tell.
func (p *progress) Close() {
	close(p.stop)
	<-p.stopped
}

func (p *progress) run(before Snapshot) {
	defer close(p.stopped)
	every := Rewrite
	if p.terminal {
		every = Redraw
	}
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	began, drawn := time.Now(), false
	for n := 1; ; n++ {
		select {
		case <-ticker.C:
			p.draw(before, time.Since(began))
			if drawn = true; n == Rewrites && !p.terminal {
				ticker.Reset(Seldom)
			}
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

// draw writes one line; before is how far earlier sessions came.
func (p *progress) draw(before Snapshot, active time.Duration) {
	s := p.latest.Load()
	if !p.terminal {
		fmt.Fprintln(p.out, s.line(before, active))
		return
	}
	fmt.Fprintf(p.out, "\r%s\x1b[K", s.fitted(before, active, p.width-1))
}

// leastURL is how many columns a URL needs to tell anything.
const leastURL = 24

// line tells how a crawl goes that has been active for so long in this session.
func (s *Snapshot) line(before Snapshot, active time.Duration, without ...string) string {
	rate := float64(s.Pages-before.Pages) / max(active.Seconds(), 1e-3)
	share, left := s.ahead(before, active)
	var parts []string
	add := func(there bool, name, part string) {
		if there && !slices.Contains(without, name) {
			parts = append(parts, part)
		}
	}
	add(true, "pages", fmt.Sprintf("%d pages", s.Pages))
	add(true, "rate", fmt.Sprintf("%.0f pages/s", rate))
	add(true, "accepted", fmt.Sprintf("%d accepted", s.Accepted))
	add(s.Failed > 0, "failed", fmt.Sprintf("%d failed", s.Failed))
	add(true, "waiting", fmt.Sprintf("%d waiting", s.Waiting))
	add(true, "hosts", fmt.Sprintf("%d hosts", s.Hosts))
	add(share > 0, "share", fmt.Sprintf("%.0f %% of the limit", 100*min(share, 1)))
	add(share > 0 && share < 1 && left > 0, "left", roughly(left)+" left")
	return strings.Join(parts, ", ")
}

// fitted is the line with the URL that is asked for, in so many columns: what matters least gives way to it.
func (s *Snapshot) fitted(before Snapshot, active time.Duration, columns int) string {
	line := s.line(before, active)
	if s.Asking == "" {
		return Visible(line, columns)
	}
	without := []string{"hosts", "rate", "waiting", "left"}
	room := func() int { return columns - utf8.RuneCountInString(line) - len(", now ") }
	for n := 1; n <= len(without) && room() < min(leastURL, utf8.RuneCountInString(s.Asking)+1); n++ {
		line = s.line(before, active, without[:n]...)
	}
	if room() < leastURL/2 {
		return Visible(line, columns)
	}
	return line + ", now " + Visible(s.Asking, room())
}

// ahead is how much of the nearest limit is used up, and how long it takes until it is reached if the crawl goes on as
// in this session; 0: there is no limit, or nothing tells.
func (s *Snapshot) ahead(before Snapshot, active time.Duration) (share float64, left time.Duration) {
	consider := func(limit, have, had int64) {
		if limit <= 0 {
			return
		}
		share = max(share, float64(have)/float64(limit))
		if have > had && have < limit {
			if l := time.Duration(float64(active) * float64(limit-have) / float64(have-had)); left == 0 || l < left {
				left = l
			}
		}
	}
	consider(s.Limits.Requests, s.Requests, before.Requests)
	consider(s.Limits.Pages, s.Pages, before.Pages)
	consider(s.Limits.Bytes, s.Bytes, before.Bytes)
	consider(int64(s.Limits.Time), int64(before.Active+active), int64(before.Active))
	return share, left
}

// roughly writes a time in the units that matter.
func roughly(d time.Duration) string {
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%.0f s", max(d.Seconds(), 1))
	case d < time.Hour:
		return fmt.Sprintf("%.0f min", d.Minutes())
	case d < 48*time.Hour:
		return fmt.Sprintf("%.1f h", d.Hours())
	}
	return fmt.Sprintf("%.0f days", d.Hours()/24)
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
