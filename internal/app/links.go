package app

import (
	"fmt"
	"path/filepath"

	"orbweaver/eval"
	"orbweaver/internal/crawlfile"
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
