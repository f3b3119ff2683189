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
)

// TestItemIsSearched: a crawl fetches an item of the live Web first, and then queries a search engine for its terms.
func TestItemIsSearched(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir, query, items := t.TempDir(), "", 0
		n := fetchtest.NewNetwork()
		defer n.Close()
		n.Serve("searx.test", fetchtest.Address(0), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			query = r.URL.Query().Get("q")
			fmt.Fprint(w, `{"results": [{"url": "http://a.test/1"}]}`)
		}))
		n.Serve("a.test", fetchtest.Address(1), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch r.URL.Path {
			case "/robots.txt":
				http.NotFound(w, r)
				return
			case "/item":
				items++
			}
			fmt.Fprintf(w, "<html lang=en><title>Bees</title><p>Honey honey honey, bees bees. <a href=/2>more honey</a>")
		}))
		path := filepath.Join(dir, "f.yaml")
		file := "seeds: {search: {engine: 'http://searx.test/', results: 1}}\nfocus: {crossref: {item: 'http://a.test/item'}}\nallow_private: true\nsitemaps: off\n"
		if err := os.WriteFile(path, []byte(file), 0o666); err != nil {
			t.Fatal(err)
		}
		for range 2 { // the second session reads the item from the folder
			var out bytes.Buffer
			a := &job.Job{Console: console.Console{Out: &out, Err: &out}, Alone: true, Wire: wire.Wire{Options: client.Options{Resolve: n.Resolve, Dial: n.Dial}}}
			if err := verbs.Crawl(context.Background(), a, path); err != nil {
				t.Fatal(err, out.String())
			}
		}
		if !strings.Contains(strings.ToLower(query), "honey") || !strings.Contains(strings.ToLower(query), "bees") || items != 1 {
			t.Errorf("asked for %q, the item %d times", query, items)
		}
		lines, err := os.ReadFile(filepath.Join(dir, "crawls", "f", "pages.jsonl"))
		if err != nil || !bytes.Contains(lines, []byte("http://a.test/1")) || !bytes.Contains(lines, []byte("http://a.test/2")) {
			t.Errorf("%s %v", lines, err)
		}
	})
}
