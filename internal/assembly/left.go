package assembly

import (
	"fmt"
	"math"
	"path/filepath"

	"orbweaver"
	"orbweaver/engine"
	"orbweaver/eval"
	"orbweaver/frontier"
	"orbweaver/internal/saturation"
	"orbweaver/ledger"
)

// enough tells the engine when a crawl has found nearly all: stop.saturation of the crawl file.
type enough struct {
	watch *saturation.Watch
	turns *frontier.Frontier
}

// Add counts an outcome.
func (e enough) Add(o orbweaver.Outcome) {
	l := ledger.LineOf(o)
	e.watch.Add(&l)
}

// Reached reports whether hardly anything is left to accept.
func (e enough) Reached(threshold float64) bool { return e.watch.Look(threshold, e.turns.Len) }

// enoughOf returns what ends the crawl when hardly anything is left, as far as its lines go; nil if nothing does, or pages are asked again.
func (c *Crawl) enoughOf(turns *frontier.Frontier) (engine.Enough, error) {
	if c.File.Stop.Saturation == 0 || c.Refresh > 0 {
		return nil, nil
	}
	watch := saturation.NewWatch(c.File.Stop.Saturation)
	for line, err := range ledger.Lines(filepath.Join(c.File.Output, ledger.JournalFile)) {
		if err != nil {
			return nil, err
		}
		watch.Add(&line)
		watch.Pass()
	}
	if c.Ledger.Progress().Ended == engine.EndSaturated {
		watch.Again()
	}
	return enough{watch, turns}, nil
}

// historyPoints is the number of estimates in a report.
const historyPoints = 16

// left returns what is left to accept, as the lines so far tell; the ledger has said how many requests wait.
func (c *Crawl) left(s *summary) eval.LeftFacts {
	var f eval.LeftFacts
	for _, e := range s.left.History(historyPoints, c.waiting) {
		found := float64(e.Accepted)
		f.Points = append(f.Points, eval.LeftPoint{Requests: e.Requests, Accepted: e.Accepted, Mean: found + e.Left.Mean, Low: found + e.Left.Low, High: found + e.Left.High})
		s.estimate = &e
	}
	if s.estimate != nil {
		f.Text = LeftText(*s.estimate) + "."
	}
	return f
}

// LeftText says what is left to accept.
func LeftText(e saturation.Estimate) string {
	return fmt.Sprintf("%s if all went on; the next %d requests are expected to bring %s", rangeText(e.Left), saturation.Ahead, rangeText(e.Next))
}

// rangeText is a range in words: "some 12 (4 to 28)".
func rangeText(r saturation.Range) string {
	return fmt.Sprintf("some %.0f (%.0f to %.0f)", math.Round(r.Mean), r.Low, r.High)
}
