//go:build e2e

package program_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"orbweaver/fetch/fetchtest"
)

// shownWeb is a web of three sites with as many pages each, whose pages have images, a style sheet that imports another, a font and a script of
// their own, and by redirects a logo and a sheet of a host that all share. Each page names one image that is missing and one that is forbidden.
func shownWeb(t *testing.T, pages int) *fetchtest.Web {
	t.Helper()
	cdn := fetchtest.Host{Name: "cdn.test", At: 9, Pages: []fetchtest.Page{
		{Path: "/", Body: "<p>nothing"},
		{Path: "/logo.svg", Type: "image/svg+xml", Body: "<svg xmlns='http://www.w3.org/2000/svg'/>"},
		{Path: "/reset.css", Type: "text/css", Body: "@import 'more.css'; p { margin: 0 }"},
		{Path: "/more.css", Type: "text/css", Body: "p { background: url(dots.png) }"},
		{Path: "/dots.png", Type: "image/png", Body: "dots"},
	}}
	hosts := []fetchtest.Host{}
	for i, name := range []string{"a.test", "b.test", "c.test"} {
		h := fetchtest.Host{Name: name, At: i, Robots: fetchtest.Robots{Disallow: []string{"/private/"}}}
		var links strings.Builder
		for n := range pages {
			fmt.Fprintf(&links, "<a href=/p%d>aircraft %d</a> ", n, n)
		}
		for n := range pages {
			path := fmt.Sprintf("/p%d", n)
			if n == 0 {
				path = "/"
			}
			body := fmt.Sprintf(`<title>Aircraft %[1]d of %[2]s</title><link rel=stylesheet href=/site.css><link rel=stylesheet href=/reset.css><script src=/site.js></script>
<p>The aircraft %[1]d flies.<img src=/logo.svg><img src=/img/%[1]d-0.png srcset="/img/%[1]d-1.png 2x, /img/%[1]d-2.png 3x"><img src=/missing/%[1]d.png>
<img src=/private/%[1]d.png>%[3]s`, n, name, &links)
			h.Pages = append(h.Pages, fetchtest.Page{Path: path, Body: body})
			for k := range 3 {
				h.Pages = append(h.Pages, fetchtest.Page{Path: fmt.Sprintf("/img/%d-%d.png", n, k), Type: "image/png", Body: fmt.Sprintf("image %d of %d of %s", k, n, name)})
			}
			h.Pages = append(h.Pages, fetchtest.Page{Path: fmt.Sprintf("/private/%d.png", n), Type: "image/png", Body: "secret"})
		}
		h.Pages = append(h.Pages,
			fetchtest.Page{Path: "/site.css", Type: "text/css", Body: "@import url(more.css); @font-face { font-family: f; src: url(f.woff2) }"},
			fetchtest.Page{Path: "/more.css", Type: "text/css", Body: "p { background: url(/bg.png) }"},
			fetchtest.Page{Path: "/f.woff2", Type: "font/woff2", Body: "font of " + name},
			fetchtest.Page{Path: "/bg.png", Type: "image/png", Body: "background of " + name},
			fetchtest.Page{Path: "/site.js", Type: "text/javascript", Body: "let a = 1"},
			fetchtest.Page{Path: "/logo.svg", Redirect: "//cdn.test/logo.svg"},
			fetchtest.Page{Path: "/reset.css", Redirect: "//cdn.test/reset.css"})
		hosts = append(hosts, h)
	}
	w := fetchtest.NewWeb(fetchtest.Politeness{Delay: liveDelay}, append(hosts, cdn)...)
	fetchtest.ListenLoopback(t, w)
	return w
}

// shownKeys are the rest of the crawl file of a shownWeb.
var shownKeys = fmt.Sprintf("requisites: accepted\npoliteness: {delay: %v, contact: me@example.org}", liveDelay)

// shownOf counts what a crawl of a shownWeb of so many pages a site archives beside pages and robots.txt files: of each page three images and a missing one, of
// each site two sheets, a font, a background, a script and two redirects, and of the shared host four.
func shownOf(pages int) int { return 3*(4*pages+7) + 4 }

// archivedRequisites counts the answers in a crawl's index that are requisites, by URL.
func archivedRequisites(t *testing.T, folder string) map[string]int {
	t.Helper()
	found := map[string]int{}
	for line := range strings.Lines(string(read(t, filepath.Join(folder, "crawl/archive/index.cdxj")))) {
		if strings.Contains(line, `"purpose":"requisite"`) {
			_, url, _ := strings.Cut(line, `{"url":"`)
			url, _, _ = strings.Cut(url, `"`)
			found[url]++
		}
	}
	return found
}

// shownFile writes the crawl file of a shownWeb.
func shownFile(t *testing.T, folder string, w *fetchtest.Web) {
	t.Helper()
	liveFile(t, folder, shownKeys, w.Seeds()[:3]...)
	path := filepath.Join(folder, "f.yaml")
	write(t, path, strings.Replace(string(read(t, path)), "breadth_first: {}", "keyword: {terms: [aircraft]}", 1))
}

// checkShown checks what a crawl of a shownWeb left: each requisite once, none forbidden, and nothing that waits.
func checkShown(t *testing.T, folder string, pages int) {
	t.Helper()
	found := archivedRequisites(t, folder)
	for url, n := range found {
		if n > 1 || strings.Contains(url, "/private/") {
			t.Errorf("%s is archived %d times", url, n)
		}
	}
	if len(found) != shownOf(pages) {
		t.Errorf("%d requisites are archived, not %d: %v", len(found), shownOf(pages), found)
	}
	c := program(t, folder, "status", "crawl")
	out, err := c.CombinedOutput()
	want := fmt.Sprintf("%d failed, %d refused\n", 3*pages, 3*pages)
	if err != nil || !strings.Contains(string(out), want) {
		t.Errorf("%v, want %q in:\n%s", err, want, out)
	}
	if out, err := program(t, folder, "check", "crawl").CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

// TestRequisites: what accepted pages need is fetched once, as politely as pages, and archived; nothing forbidden is, and a crawl that is over stays as it is.
func TestRequisites(t *testing.T) {
	t.Parallel()
	w, folder := shownWeb(t, 4), t.TempDir()
	shownFile(t, folder, w)
	crawlOn(t, folder)
	checkShown(t, folder, 4)
	for _, v := range w.Violations() {
		t.Error(v)
	}
	if repeated := w.Repeated(); len(repeated) > 0 {
		t.Errorf("asked for more than once: %v", repeated)
	}
	before := len(w.Visits())
	crawlOn(t, folder)
	if after := len(w.Visits()); after != before {
		t.Errorf("%d requests by a crawl that was over", after-before)
	}
}

// TestRequisitesKilled: however often a crawl is killed, no requisite is lost, none is archived twice, and none is asked for again but those in flight.
func TestRequisitesKilled(t *testing.T) {
	t.Parallel()
	w, folder := shownWeb(t, 8), t.TempDir()
	shownFile(t, folder, w)
	random := rand.New(rand.NewPCG(7, 1))
	output := filepath.Join(folder, "crawl")
	if err := os.MkdirAll(output, 0o777); err != nil {
		t.Fatal(err)
	}
	var sessions []int
	for range kills() {
		changes := 1 + random.IntN(2*shownOf(8)/kills())
		c := program(t, folder, "crawl", "f.yaml")
		watching(t, output).until(t, c, syscall.SIGKILL, func(path string) bool {
			if strings.HasSuffix(path, ".warc.gz") {
				changes--
			}
			return changes <= 0
		})
		if c.ProcessState.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
			break
		}
		sessions = append(sessions, len(w.Visits()))
	}
	if len(sessions) < kills()/2 {
		t.Fatalf("the crawl was over after %d kills", len(sessions))
	}
	crawlOn(t, folder)
	checkShown(t, folder, 8)
	past := pastOf(w, sessions)
	past.checkRepeated(t)
	for _, v := range w.Violations() {
		if !past.excuses(t, v) {
			t.Error(v)
		}
	}
	t.Logf("killed after %v of %d requests", sessions, len(w.Visits()))
}
