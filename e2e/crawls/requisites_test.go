//go:build e2e

package crawls_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"orbweaver/fetch/archive"
	"orbweaver/fetch/fetchtest"
	"orbweaver/internal/apptest"
)

// TestRequisiteBudgets: sheets that import each other without end are read three levels deep, a budget of a page bounds its bytes, 500 requisites its number, what
// is too large is left out, hosts that are not there fail at once, and a limit of pages ends pages alone.
func TestRequisiteBudgets(t *testing.T) {
	const large = 5000
	chain := func(h *fetchtest.Host) {
		for i := range 9 {
			h.Pages = append(h.Pages, fetchtest.Page{Path: fmt.Sprintf("/%d.css", i), Type: "text/css", Body: fmt.Sprintf("@import '%d.css';", i+1)})
		}
	}
	images := func(h *fetchtest.Host, n int, body string) (html string) {
		for i := range n {
			html += fmt.Sprintf("<img src=/%d.png>", i)
			if i < 10 {
				h.Pages = append(h.Pages, fetchtest.Page{Path: fmt.Sprintf("/%d.png", i), Type: "image/png", Body: body + fmt.Sprint(i)})
			}
		}
		return html
	}
	for _, tc := range []struct {
		name, keys string
		html       func(*fetchtest.Host) string
		want       string // printed
		archived   int    // requisites
	}{
		{"an endless chain", "", func(h *fetchtest.Host) string { chain(h); return "<link rel=stylesheet href=/0.css>" }, "4 (64 bytes)\n", 4},
		{"a budget of a page", "page: 3kB", func(h *fetchtest.Host) string { return images(h, 10, strings.Repeat("x", 999)) }, "3 (3.0 kB), 7 left out by the budget\n", 3},
		{"a budget of the crawl", "total: 2kB", func(h *fetchtest.Host) string { return images(h, 10, strings.Repeat("x", 999)) }, "2 (2.0 kB), 8 left out by the budget\n", 2},
		{"one too large", "one: 1kB", func(h *fetchtest.Host) string { return images(h, 1, strings.Repeat("x", large)) }, "1 left out by the budget\n", 0},
		{"too many", "", func(h *fetchtest.Host) string { return images(h, 700, "x") }, "490 failed, 200 left out by the budget\n", 500},
		{"no such host", "", func(h *fetchtest.Host) string {
			return "<img src=http://nowhere.test/a.png><img src=http://nowhere.test/b.png>"
		}, "2 failed\n", 0},
		{"a form of URL that is a trap", "", func(h *fetchtest.Host) string { return "<img src=" + strings.Repeat("/shop/cart", 4) + ">" }, "1 refused\n", 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := t.TempDir()
			synctest.Test(t, func(t *testing.T) {
				h := fetchtest.Host{Name: "a.test", Pages: []fetchtest.Page{{Path: "/"}, {Path: "/next", Body: "<p>next"}}}
				h.Pages[0].Body = "<title>a</title><a href=/next>next</a>" + tc.html(&h)
				w := fetchtest.NewWeb(fetchtest.Politeness{Delay: 1e9}, h)
				keys := "limits: {pages: 1}\nrequisites: {of: accepted, " + tc.keys + "}\npoliteness: {delay: 1s, contact: me@example.org}"
				_, printed := apptest.CrawlLive(t, w, dir, strings.Replace(keys, ", }", "}", 1), "http://a.test/")
				if !strings.Contains(printed, tc.want) || !strings.Contains(printed, "limit of pages after 1 requests") {
					t.Errorf("want %q in:\n%s", tc.want, printed)
				}
				for _, v := range w.Violations() {
					t.Error(v)
				}
				if slices.Contains(w.Pages(), "http://a.test/next") {
					t.Error("a page beyond the limit was requested")
				}
			})
			web, err := archive.OpenWeb([]string{filepath.Join(dir, "crawls/live/archive")}, archive.WebOptions{})
			if err != nil {
				t.Fatal(err)
			}
			n := 0
			for range web.All() {
				n++
			}
			if got := n - 2; got != tc.archived { // the page and robots.txt
				t.Errorf("%d requisites are archived, not %d", got, tc.archived)
			}
			if err := web.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}
