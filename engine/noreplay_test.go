package engine_test

import (
	"testing"

	"orbweaver"
	"orbweaver/engine"
	"orbweaver/frontier"
	"orbweaver/ledger"
)

// TestNoReplay: with NoReplay, a resume continues with the model of the last snapshot and reports the number
// of missing pages.
func TestNoReplay(t *testing.T) {
	w := web{"http://a/": "start\nhttp://a/1 .5\nhttp://a/2 .4\nhttp://a/3 .3", "http://a/1": "", "http://a/2": "", "http://a/3": ""}
	dir := t.TempDir()
	config := func(f orbweaver.Focus, snapshot int) func(*engine.Config) {
		return func(cfg *engine.Config) {
			cfg.Focus, cfg.Fetch, cfg.Snapshot, cfg.NoReplay = f, w, snapshot, true
		}
	}
	book, err := ledger.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	cfg := engine.Config{Read: likeReader{}, Ledger: book, Frontier: frontier.New(frontier.Options{}), Seeds: []string{"http://a/"}}
	config(&judging{counting: *newCounting()}, 2)(&cfg)
	cfg.Ledger = &mortal{Ledger: book, left: 5} // the seeds and three pages
	if _, err := engine.New(cfg, book.Progress()).Run(t.Context()); err == nil {
		t.Fatal("it was not killed")
	}
	if err := book.Close(); err != nil {
		t.Fatal(err)
	}
	if book, err = ledger.Open(dir); err != nil {
		t.Fatal(err)
	}
	defer book.Close()
	again := &judging{counting: *newCounting()}
	config(again, 2)(&cfg)
	cfg.Ledger, cfg.Frontier = book, frontier.New(frontier.Options{})
	crawl := engine.New(cfg, book.Progress())
	if _, err := crawl.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if crawl.NotReplayed() != 1 || len(again.learned) != 1 {
		t.Errorf("%d pages are forgotten, %v taught something", crawl.NotReplayed(), again.learned)
	}
}
