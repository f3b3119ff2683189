package assembly

import (
	"fmt"
	"path/filepath"

	"orbweaver/eval"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/kind"
	"orbweaver/ledger"
)

// MeasureLinks measures how well a focus predicted the classes of links, from the pages.jsonl of a folder and the web
// graph. It returns nil if the focus predicts no classes.
func MeasureLinks(f crawlfile.Focus, folder string, graph eval.Graph) (*eval.LinkFigures, error) {
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

// A WebGraph is the web graph of a ledger. No other goroutine may use the ledger meanwhile.
type WebGraph struct{ *ledger.Ledger }

// Open reports whether a URL waits or has an outcome.
func (g WebGraph) Open(url string) bool {
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

// A MovingGraph is the web graph of a running crawl. It is read between two steps.
type MovingGraph struct {
	WebGraph
	Between func(f func()) error
}

// Turn runs f between two steps of the crawl.
func (g MovingGraph) Turn(f func()) error { return g.Between(f) }
