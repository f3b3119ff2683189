package assembly

import (
	"iter"
	"path/filepath"

	"orbweaver"
	"orbweaver/engine"
	"orbweaver/eval"
	"orbweaver/frontier"
	"orbweaver/internal/kind"
	"orbweaver/internal/ongoing"
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
	if c.File.Stop.Saturation == 0 || c.Refresh > 0 || c.Watching {
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

// MeterLeft has the session that begins estimate what is left to accept. The crawl releases the meter.
func (c *Crawl) MeterLeft(before int64) {
	if c.Refresh > 0 || c.Watching || kind.AbilitiesOf(c.File.Focus).Pageless {
		return
	}
	c.Left = ongoing.NewMeter(before, func() iter.Seq2[ledger.Line, error] {
		return ledger.Lines(filepath.Join(c.File.Output, ledger.JournalFile))
	})
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
		f.Text = s.estimate.Text() + "."
	}
	return f
}
