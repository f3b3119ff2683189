//go:build e2e

package crawls_test

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"orbweaver/internal/apptest"
	"orbweaver/internal/apptest/toy"
)

// hidden is a web of which some pages, all about airplanes, hang behind what links by rank do not lead to.
type hidden map[string]string

// page adds a page with links, each to a URL, by the URL as a map of its text.
func (h hidden) page(url, title, more string, links ...string) {
	var b strings.Builder
	fmt.Fprintf(&b, "<html><head><title>%s</title></head><body>%s<p>This page is %s, told at some length for whoever reads it.</p><ul>", title, more, title)
	for _, l := range links {
		to, text, _ := strings.Cut(l, " ")
		fmt.Fprintf(&b, `<li><a href="%s">%s</a></li>`, to, text)
	}
	h[url] = b.String() + "</ul></body></html>"
}

// archive writes the web as a WARC file, and returns the beginning of a crawl file.
func (h hidden) archive(t *testing.T) string {
	t.Helper()
	var b bytes.Buffer
	for i, url := range slices.Sorted(maps.Keys(h)) {
		kind := "text/html"
		switch body := h[url]; {
		case strings.HasPrefix(body, "{"):
			kind = "application/json"
		case strings.HasPrefix(body, "<?xml"):
			kind = "application/opensearchdescription+xml"
		}
		message := fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s", kind, len(h[url]), h[url])
		fmt.Fprintf(&b, "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: %s\r\nWARC-Date: 2026-01-01T00:00:00Z\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-%012x>\r\n"+
			"Content-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", url, i, len(message), message)
	}
	path := filepath.Join(t.TempDir(), "web.warc")
	if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("seeds: [\"http://a.example/\"]\nweb: {archive: %q}\nfocus: {keyword: {terms: [airplane]}}\nexplore: 0\ntraps: off\nduplicates: off\n", path)
}

// aside adds pages off the topic whose links look better than those that matter.
func (h hidden) aside(n int) (links []string) {
	for i := range n {
		url := fmt.Sprintf("http://a.example/aside/%d", i)
		h.page(url, fmt.Sprintf("garden %d", i), "")
		links = append(links, url+" an airplane, perhaps")
	}
	return links
}

// goods adds pages about the topic that nothing links to yet.
func (h hidden) goods(at string, n int) (links []string) {
	for i := range n {
		url := fmt.Sprintf("http://a.example/%s/%d", at, i)
		h.page(url, fmt.Sprintf("airplane %s %d", at, i), "<p>The airplane and its airplane engine.</p>")
		links = append(links, url+" airplane")
	}
	return links
}

// behindSearch has a form, behindDescription a description alone.
func behindSearch() hidden {
	h := hidden{}
	h.page("http://a.example/", "airplane", `<form action="/find" role="search"><input type="hidden" name="in" value="all"><input name="q"></form>
		<form action="/login" method="post"><input name="q"><input type="password" name="p"></form>`, h.aside(30)...)
	h.page("http://a.example/find?in=all&q=airplane", "results", "", h.goods("deep", 9)...)
	return h
}

func behindDescription() hidden {
	h := hidden{}
	h.page("http://a.example/", "airplane", `<link rel="search" type="application/opensearchdescription+xml" href="/os.xml">`, h.aside(30)...)
	h["http://a.example/os.xml"] = `<?xml version="1.0"?><OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/"><Url type="text/html" template="http://a.example/s/{searchTerms}?n={count}&amp;x={x:y?}"/></OpenSearchDescription>`
	h.page("http://a.example/s/airplane?n=20&x=", "results", "", h.goods("deep", 9)...)
	return h
}

// behindIndex has pages by letter, whose links say nothing of the topic.
func behindIndex() hidden {
	h := hidden{}
	links := h.aside(200)
	for i := range links {
		links[i], _, _ = strings.Cut(links[i], " ")
		links[i] += " garden"
	}
	for _, letter := range "abcdefgh" {
		links = append(links, fmt.Sprintf("http://a.example/letters/%c %c", letter, letter))
		h.page(fmt.Sprintf("http://a.example/letters/%c", letter), "names", "", append(h.goods("by-"+string(letter), 9), "http://a.example/letters/"+string(letter)+"?page=2 more")...)
		h.page(fmt.Sprintf("http://a.example/letters/%c?page=2", letter), "names", "", h.goods("more-"+string(letter), 9)...)
	}
	h.page("http://a.example/", "airplane", "", links...)
	return h
}

func behindEngine() hidden {
	h := hidden{}
	h.page("http://a.example/", "airplane", "", h.aside(30)...)
	h["http://engine.example/?q=airplane"] = `{"results": [{"url": "http://a.example/deep/0", "title": "airplane"}, {"url": "http://a.example/deep/1", "title": "an airplane"}, {"link": 7}]}`
	h.goods("deep", 2)
	return h
}

func behindHub() hidden {
	h := hidden{}
	h.page("http://a.example/", "airplane", "", h.aside(30)...)
	h.page("http://hub.example/", "links of a pilot", "", h.goods("deep", 9)...)
	return h
}

// found counts the pages about the topic in a journal.
func found(journal []byte) int {
	n := 0
	for line := range bytes.Lines(journal) {
		if bytes.Contains(line, []byte(`/deep/`)) || bytes.Contains(line, []byte(`/by-`)) || bytes.Contains(line, []byte(`/more-`)) {
			n++
		}
	}
	return n
}

// webs are webs that hide pages, the key that finds them, how many requests are made, and how many pages come of it at least.
func webs(t *testing.T) map[string]struct {
	web      hidden
	key      string
	requests int
	want     int
} {
	graph := filepath.Join(t.TempDir(), "graph.tsv")
	if err := os.WriteFile(graph, []byte("# links\nhttp://hub.example/\thttp://a.example/\nhttp://hub.example/\thttp://b.example/\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	return map[string]struct {
		web      hidden
		key      string
		requests int
		want     int
	}{
		"search":      {behindSearch(), "discover: [search]\n", 45, 9},
		"description": {behindDescription(), "discover: search\n", 45, 9},
		"index":       {behindIndex(), "discover: [index]\n", 150, 60},
		"engine":      {behindEngine(), `discover: {engine: "http://engine.example/?q={query}"}` + "\n", 40, 2},
		"backlinks":   {behindHub(), fmt.Sprintf("discover: {backlinks: %q}\n", graph), 45, 9},
	}
}

// TestDiscover: pages that hang behind searches, lists and unknown pages are found, and are not without.
func TestDiscover(t *testing.T) {
	for name, tc := range webs(t) {
		t.Run(name, func(t *testing.T) {
			head := tc.web.archive(t) + fmt.Sprintf("limits: {requests: %d}\n", tc.requests)
			_, without := apptest.CrawlIn(t, t.TempDir(), head)
			_, with := apptest.CrawlIn(t, t.TempDir(), head+tc.key)
			t.Logf("%d of them without, %d with", found(without), found(with))
			if found(without) != 0 || found(with) < tc.want {
				t.Errorf("%d of them without, %d with, want none and %d\n%s", found(without), found(with), tc.want, with)
			}
			if !bytes.Contains(with, []byte(`"discover"`)) {
				t.Error("no reason says so")
			}
			if bytes.Contains(with, []byte("/login")) {
				t.Error("a form for passwords was asked")
			}
			sameWithWorkers(t, head+tc.key, with, 1)
		})
	}
}

// TestDiscoverInSessions: a crawl that is interrupted again and again discovers the same.
func TestDiscoverInSessions(t *testing.T) {
	for name, tc := range webs(t) {
		t.Run(name, func(t *testing.T) { sameInSessions(t, tc.web.archive(t)+tc.key, t.TempDir(), t.TempDir()) })
	}
	t.Run("rounds", func(t *testing.T) {
		sameInSessions(t, toy.DemoLines(t)+"focus: {best_first: {terms: [airplane, aircraft], n: 10}}\ndiscover: {by: [index, search], share: 20%}\n", t.TempDir(), t.TempDir())
	})
}
