package simulation

import (
	"context"
)

// A lesson is what a worker has learned from its pages.
type lesson struct {
	pages int64
	body  []byte
}

// share tells the other workers what this one has learned, when that is worth it. A crawl alone shares nothing.
func (w *worker) share() {
	c := w.crew
	if c.simulation.Unshared || w.guest == nil || !w.crawl.Shares() || !w.shares.Due(w.book.Progress().Pages) {
		return
	}
	body, pages, err := w.crawl.Share()
	if err != nil {
		w.failed = err
		return
	}
	for _, to := range c.workers {
		if to == w || to.over || to.killed {
			continue
		}
		to.clock.At(c.arrival(w), func() error { return to.learn(w.number, lesson{pages, body}) })
	}
}

// learn takes what another worker has learned.
func (w *worker) learn(from int, l lesson) error {
	w.lessons[from] = l
	var pages int64
	all := map[string][]byte{}
	for n, one := range w.lessons {
		pages += one.pages
		all[w.crew.workers[n].name()] = one.body
	}
	if !w.takes.Due(pages) {
		return nil
	}
	w.crew.result.lessons++
	return w.crawl.Take(context.Background(), all)
}
