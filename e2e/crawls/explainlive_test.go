//go:build e2e

package crawls_test

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"orbweaver/fetch/fetchtest"
	"orbweaver/internal/apptest"
	"orbweaver/internal/apptest/verbs"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
)

// TestExplainLive: explanations of a live crawl read the crawl's own archive: pages and robots.txt files, including one
// behind a redirect and one stored as a revisit record.
func TestExplainLive(t *testing.T) {
	rules := fetchtest.Robots{Disallow: []string{"/private/"}}
	moved := fetchtest.Robots{Disallow: []string{"/hidden/"}, At: []string{"/rules.txt"}}
	web := fetchtest.NewWeb(fetchtest.Politeness{},
		fetchtest.Host{Name: "a.test", At: 1, Robots: rules, Pages: []fetchtest.Page{
			{Path: "/", Body: `<p><a href="/private/x">x</a> <a rel="nofollow" href="/shy">shy</a> <a href="/gone">gone</a>
				<a href="http://b.test/private/y">y</a> <a href="http://c.test/hidden/z">z</a> <a href="/page">page</a>`},
			{Path: "/page", Body: "<p>words"}, {Path: "/gone", Status: 410},
		}},
		fetchtest.Host{Name: "b.test", At: 2, Robots: rules, Pages: []fetchtest.Page{{Path: "/"}}},
		fetchtest.Host{Name: "c.test", At: 3, Robots: moved, Pages: []fetchtest.Page{{Path: "/"}}},
	)
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		apptest.CrawlLive(t, web, dir, "limits: {depth: 3}", "http://a.test/", "http://b.test/", "http://c.test/")
	})
	for _, tc := range []struct{ url, kind, rule, says string }{
		{"http://a.test/page", "page", "", "200"},
		{"http://a.test/gone", "failed", "", "410"},
		{"http://a.test/private/x", "robots", "Disallow: /private/", "robots.txt forbids"},
		{"http://b.test/private/y", "robots", "Disallow: /private/", "robots.txt forbids"},
		{"http://c.test/hidden/z", "robots", "Disallow: /hidden/", "robots.txt forbids"},
		{"http://a.test/shy", "nofollow", "", "nofollow"},
		{"http://a.test/shying", "unlinked", "", "No page"},
	} {
		var out bytes.Buffer
		if err := verbs.Explain(t.Context(), &job.Job{Console: console.Console{Out: &out}}, filepath.Join(dir, "crawls/live"), tc.url, true); err != nil {
			t.Fatal(err)
		}
		var x struct{ Kind, Why, Rule, Note string }
		if err := json.Unmarshal(out.Bytes(), &x); err != nil {
			t.Fatal(err)
		}
		if x.Kind != tc.kind || x.Rule != tc.rule || !strings.Contains(x.Why, tc.says) || x.Note != "" {
			t.Errorf("%s: %+v; want %+v", tc.url, x, tc)
		}
	}
}
