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

// Snapshot is the data of a progress line.
type Snapshot struct {
	Pages, Accepted int64
	Waiting, Hosts  int

	Requests, Failed, Bytes int64
	Active                  time.Duration // over all sessions
	Asking                  string        // URL of the latest request; empty: none yet
	Limits                  Limits
}

// Limits ends a crawl. Zero means no limit.
type Limits struct {
	Requests, Pages, Bytes int64
	Time                   time.Duration
}

// progress redraws a line about a crawl on a terminal, or otherwise writes a line at intervals.
type progress struct {
	out      io.Writer
	terminal bool
	width    int
	first    *Snapshot
	latest   atomic.Pointer[Snapshot]
	stop     chan struct{}
	stopped  chan struct{}
}

// Intervals of redrawn and written lines; after Rewrites written lines the interval becomes Seldom.
const (
	Redraw   = 200 * time.Millisecond
	Rewrite  = 10 * time.Second
	Rewrites = 6
	Seldom   = time.Minute
)

// StartProgress starts to draw on a terminal of width columns. The caller must call Close.
func StartProgress(out io.Writer, terminal bool, width int, first Snapshot) *progress {
	p := &progress{out: out, terminal: terminal, width: width, first: &first, stop: make(chan struct{}), stopped: make(chan struct{})}
	p.latest.Store(&first)
	go p.run(first)
	return p
}

// Update sets the newest figures.
func (p *progress) Update(s Snapshot) { p.latest.Store(&s) }

// Close draws the last line and ends it. It draws nothing if nothing happened in the session.
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

// draw writes one line; before holds the figures of earlier sessions.
func (p *progress) draw(before Snapshot, active time.Duration) {
	s := p.latest.Load()
	if !p.terminal {
		fmt.Fprintln(p.out, s.line(before, active))
		return
	}
	fmt.Fprintf(p.out, "\r%s\x1b[K", s.fitted(before, active, p.width-1))
}

// leastURL is the minimum number of columns of a shown URL.
const leastURL = 24

// line formats the progress of a session that has been active for some time.
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

// fitted returns the line with the current URL, in the given number of columns. It drops the least
// important parts first.
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

// ahead returns the used share of the nearest limit, and the time until that limit at this session's pace;
// 0: no limit, or unknown.
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

// roughly formats a duration in suitable units.
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

// Patience is the time after which a silent operation is reported.
const Patience = 2 * time.Second

// AfterAWhile prints words if the operation takes longer than Patience. The caller must call stop at its
// end.
func (c *Console) AfterAWhile(words string) (stop func()) {
	over, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		select {
		case <-time.After(Patience):
			Say(c.Err, "%s", words)
		case <-over:
		}
	}()
	return func() {
		close(over)
		<-done
	}
}
