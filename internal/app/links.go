package app

import (
	"fmt"
	"path/filepath"

	"orbweaver/eval"
	"orbweaver/internal/app/console"
	"orbweaver/internal/app/crawlfile"
	"orbweaver/internal/kind"
	"orbweaver/ledger"
)

// measureLinks tells how well a focus predicted the classes of links, from the pages.jsonl of a folder
// and the web graph; nil where it predicts none.
func measureLinks(f crawlfile.Focus, folder string, graph eval.Graph) (*eval.LinkFigures, error) {
	options := kind.AbilitiesOf(f).Links
	if options == nil {
		return nil, nil
	}
	figures, err := eval.MeasureLinks(*options, ledger.Committed(filepath.Join(folder, ledger.JournalFile)), graph)
	if err != nil {
		return nil, fmt.Errorf("precision of links: %w", err)
	}
	return figures, nil
}

// A webGraph is a ledger's, which nothing else uses meanwhile.
type webGraph struct{ *ledger.Ledger }

// Open reports whether a URL waits, or was asked for.
func (g webGraph) Open(url string) bool {
	id, known := g.Find(url)
	if !known {
		return false
	}
	if _, waits, err := g.Waits(id); waits || err != nil {
		return true
	}
	_, err := g.Outcome(url)
	return err == nil
}

// A movingGraph is that of a crawl that runs: it is asked between two steps.
type movingGraph struct {
	webGraph
	between func(f func()) error
}

// Turn runs f between two steps.
func (g movingGraph) Turn(f func()) error { return g.between(f) }

// tellLinks prints how well classes and rules predicted.
func (a *App) tellLinks(f *eval.LinkFigures) {
	if f == nil {
		return
	}
	console.Say(a.Out, "  discovery rate   %s (documents of RDF: %d; requests: %d; domains: %d)", f.Discovery.Percent(), f.All.RDF, f.All.Requests, f.Domains)
	console.Say(a.Out, "\nLinks followed     predicted   right    open  absent  precision  mean of domains")
	for i, class := range eval.LinkClasses() {
		if c := f.All.Classes[i]; c.Predicted > 0 {
			console.Say(a.Out, "  %-16s %9d%8d%8d%8d%11s%17s", class, c.Predicted, c.Right, c.Open, c.Absent, f.Precision[i].Percent(), f.Precision[i].PercentMean())
		}
	}
	if len(f.Rules) == 0 {
		return
	}
	console.Say(a.Out, "\nBy rule            predicted   right    open  absent  precision   recall")
	for _, r := range f.Rules {
		console.Say(a.Out, "  %-2s %-13s %9d%8d%8d%8d%11s%9s", r.Class, console.Visible(r.Rule, 40), r.Predicted, r.Right, r.Open, r.Absent, r.Precision.Percent(), r.Recall.Percent())
	}
}
