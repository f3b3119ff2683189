package eval

import (
	"math"
	"strconv"
)

// NeededShares returns the shares of the reachable relevant pages whose cost in requests is reported: 50, 80
// and 95 %.
func NeededShares() [3]float64 { return [3]float64{0.5, 0.8, 0.95} }

// Needed returns the number of requests after which a share, 0..1, of the reachable relevant pages was found;
// ok is false if the crawl never found so many, or no relevant page is reachable.
func (c *Curve) Needed(share float64) (requests int, ok bool) {
	want := int(math.Ceil(share*float64(c.reachable) - 1e-9)) // 0.8 of 5 is 4
	if c.reachable == 0 || c.last.Relevant < want {
		return 0, false
	}
	at := Point{}
	for at.Relevant < want {
		at.add(c.steps[at.Requests])
	}
	return at.Requests, true
}

// Needed is the mean over the run's crawls with reachable relevant pages; ok is false if there are none, or one
// never found so many.
func (r *Run) Needed(share float64) (Estimate, bool) {
	var all []float64
	for _, c := range r.Curves {
		if c.reachable == 0 {
			continue
		}
		n, ok := c.Needed(share)
		if !ok {
			return Estimate{}, false
		}
		all = append(all, float64(n))
	}
	return EstimateOf(all), len(all) > 0
}

// A neededRow is the requests that a run needed, formatted.
type neededRow struct {
	Run    string
	Oracle bool
	Shares [3]string
}

// neededRows are those of all runs.
func (c *Comparison) neededRows() []neededRow {
	rows := make([]neededRow, len(c.Runs))
	for i := range c.Runs {
		rows[i] = neededRow{Run: c.Runs[i].Name, Oracle: c.Runs[i].Oracle}
		for s, share := range NeededShares() {
			rows[i].Shares[s] = c.Runs[i].NeededWords(share)
		}
	}
	return rows
}

// NeededWords formats Needed; a dash for never.
func (r *Run) NeededWords(share float64) string {
	e, ok := r.Needed(share)
	switch {
	case !ok:
		return "–"
	case e.N > 1:
		return number(e) + " ± " + strconv.FormatFloat(e.Half, 'f', 1, 64)
	}
	return number(e)
}
