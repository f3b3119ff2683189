package engine_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/engine"
	"orbweaver/frontier"
	"orbweaver/internal/step"
	"orbweaver/ledger"
)

// TestSources: a source of links leads on, and stays in the web graph; it has no page, no judgement, and teaches nothing,
// also when the crawl goes on after a kill.
func TestSources(t *testing.T) {
	w := web{
		"http://a/":       "list\nhttp://a/list/2 .9\nhttp://a/one .5\nhttp://a/two .7",
		"http://a/list/2": "list\nhttp://a/three .8",
		"http://a/one":    "one", "http://a/two": "two", "http://a/three": "three",
	}
	dir := t.TempDir()
	config := func(f orbweaver.Focus) func(*engine.Config) {
		return func(cfg *engine.Config) {
			cfg.Focus, cfg.Fetch, cfg.Snapshot = f, w, 100
			cfg.Source = func(url string) (string, bool) {
				return "a/list/*", url == "http://a/" || strings.Contains(url, "/list/")
			}
		}
	}
	book, err := ledger.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	killed := engine.Config{Read: likeReader{}, Ledger: &mortal{Ledger: book, left: 5}, Frontier: frontier.New(frontier.Options{}), Seeds: []string{"http://a/"}, Limits: engine.Limits{Redirects: 10}}
	config(&judging{counting: *newCounting()})(&killed)
	if _, err := engine.New(killed, book.Progress()).Run(t.Context()); err == nil {
		t.Fatal("it was not killed")
	}
	if err := book.Close(); err != nil {
		t.Fatal(err)
	}
	f := &judging{counting: *newCounting()}
	crawlWith(t, dir, config(f), func(book *ledger.Ledger) {
		if p := book.Progress(); p.Requests != 5 || p.Pages != 3 || p.Accepted != 3 {
			t.Errorf("%+v", p)
		}
		o, err := book.Outcome("http://a/list/2")
		if err != nil || !errors.Is(o.Err, step.ErrSource) || o.Page != nil || o.Actual.Accepted || o.Actual.Score != 0 || !strings.Contains(o.Err.Error(), "a/list/*") {
			t.Errorf("%+v, %v", o, err)
		}
		if out := slices.Collect(book.Outlinks("http://a/list/2")); !slices.Equal(out, []string{"http://a/three"}) {
			t.Errorf("the graph has %v", out)
		}
	})
	slices.Sort(f.learned)
	if want := []string{"http://a/one", "http://a/three", "http://a/two"}; !slices.Equal(f.learned, want) {
		t.Errorf("learned from %v, want %v", f.learned, want)
	}
	if order, want := lines(t, dir), []string{"a/ !source", "a/list/2 !source", "a/one", "a/two", "a/three"}; !slices.Equal(order, want) {
		t.Errorf("requested %v, want %v", order, want)
	}
}
