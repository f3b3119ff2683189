package eval

import "strconv"

const (
	windowRequests = 25 // the fewest requests of a reported share
	maxWindows     = 48
)

// A window is a range of requests, counted by outcome.
type window struct{ requests, pages, accepted, failed int }

// windows splits the crawl into ranges of similar length, at most maxWindows.
func (c *Curve) windows() []window {
	n := min(maxWindows, len(c.steps)/windowRequests)
	all := make([]window, n)
	for i := range all {
		from, to := i*len(c.steps)/n, (i+1)*len(c.steps)/n
		w := &all[i]
		w.requests = to - from
		for _, s := range c.steps[from:to] {
			w.pages += int(s & stepPage)
			w.accepted += int(s & stepAccepted / stepAccepted)
			w.failed += int(s & stepFailed / stepFailed)
		}
	}
	return all
}

// timeline draws the outcomes of requests over the crawl; nil if there are too few requests. Its axis is
// requests: lines have no clock time.
func (t *tally) timeline() (*crawlChart, error) {
	windows := t.curve.windows()
	if len(windows) < 2 {
		return nil, nil
	}
	definition := "Of each " + strconv.Itoa(len(t.curve.steps)/len(windows)) + " requests or so, the share that brought a new page, and that brought an accepted one."
	lines := []namedSeries{{name: "pages, each at its first request", series: series{style: 2}},
		{name: "accepted", series: series{style: 1}}}
	if t.failed > 0 {
		lines = append(lines, namedSeries{name: "failures", series: series{style: 3}})
		definition += " Failures brought neither."
	}
	done := 0
	for _, w := range windows {
		middle := float64(done) + float64(w.requests)/2
		done += w.requests
		for i, n := range []int{w.pages, w.accepted, w.failed}[:len(lines)] {
			lines[i].x, lines[i].y = append(lines[i].x, middle), append(lines[i].y, ratio(n, w.requests))
		}
	}
	c, err := drawChart("Timeline", definition, figure{label: "share of the requests", xmax: float64(done)}, lines)
	return &c, err
}
