//go:build e2e

package crawls_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"orbweaver/fetch/client"
	"orbweaver/fetch/fetchtest"
	"orbweaver/internal/apptest/verbs"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/internal/services/wire"
	"orbweaver/ledger"
)

// searchFile is a crawl file with a search for seeds.
const searchFile = `seeds: {search: {%s, query: "old airplanes", results: 2}}
focus: {breadth_first: {}}
allow_private: true
sitemaps: off
`

// TestSeedsAreSearchedOnce: a crawl searches seeds when it begins, and not when it is resumed.
func TestSeedsAreSearchedOnce(t *testing.T) {
	for name, tc := range map[string]struct{ engine, answer string }{
		"an instance": {"engine: 'http://searx.test/'", `{"results": [{"url": "http://a.test/1"}, {"url": "http://a.test/2"}, {"url": "http://a.test/3"}]}`},
		"JSON":        {"template: 'http://searx.test/?q={query}', path: hits.link", `{"hits": [{"link": "http://a.test/1"}, {"link": "http://a.test/2"}]}`},
		"HTML":        {"template: 'http://searx.test/?q={query}'", `<a href="http://a.test/1">One</a> <a href="http://a.test/2">Two</a> <a href="http://a.test/3">Three</a>`},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				dir, asked, pages, down := t.TempDir(), 0, 0, true
				n := fetchtest.NewNetwork()
				defer n.Close()
				n.Serve("searx.test", fetchtest.Address(0), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					asked++
					switch {
					case down:
						w.WriteHeader(http.StatusTooManyRequests)
					case r.URL.Query().Get("q") == "old airplanes":
						fmt.Fprint(w, tc.answer)
					}
				}))
				n.Serve("a.test", fetchtest.Address(1), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if r.URL.Path == "/robots.txt" {
						http.NotFound(w, r)
						return
					}
					pages++
					fmt.Fprintf(w, "<title>%s</title><p>A page.", r.URL.Path)
				}))
				path := filepath.Join(dir, "f.yaml")
				if err := os.WriteFile(path, []byte(fmt.Sprintf(searchFile, tc.engine)), 0o666); err != nil {
					t.Fatal(err)
				}
				var out bytes.Buffer
				crawl := func() error {
					out.Reset()
					a := &job.Job{Console: console.Console{Out: &out, Err: &out}, Alone: true, Wire: wire.Wire{Options: client.Options{Resolve: n.Resolve, Dial: n.Dial}}}
					return verbs.Crawl(context.Background(), a, path)
				}
				if err := crawl(); err == nil || !strings.Contains(err.Error(), "too-many-requests") || pages > 0 {
					t.Errorf("%d pages without seeds: %v", pages, err)
				}
				down = false
				if err := crawl(); err != nil || pages != 2 || asked != 2 || !strings.Contains(out.String(), "search: 2 seeds") {
					t.Errorf("%d pages, asked %d times: %v\n%s", pages, asked, err, &out)
				}
				if err := crawl(); err != nil || pages != 2 || asked != 2 {
					t.Errorf("going on: %d pages, asked %d times: %v\n%s", pages, asked, err, &out)
				}
				for l, err := range ledger.Lines(filepath.Join(dir, "crawls", "f", ledger.JournalFile)) {
					if err != nil || l.Depth != 0 {
						t.Errorf("%+v %v", l, err)
					}
				}
			})
		})
	}
}
