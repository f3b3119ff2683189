//go:build e2e

package crawls_test

import (
	"cmp"
	"io"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/fetch/archive"
	"orbweaver/internal/apptest"
	"orbweaver/internal/apptest/toy"
	"orbweaver/internal/inspect"
	"orbweaver/internal/job"
	"orbweaver/internal/realdata"
	"orbweaver/internal/step"
	"orbweaver/ledger"
	"orbweaver/page"
)

// wikispeedia returns a crawl file over the real web with a limit of requests.
func wikispeedia(tb testing.TB, limits string) string {
	data := realdata.Folder(tb, "wikispeedia.warc.gz")
	return `seeds: [http://wikispeedia.test/wiki/Culture.html, http://wikispeedia.test/wiki/Science.html]
web: {archive: ` + filepath.Join(data, "wikispeedia.warc.gz") + `}
focus: {ontology: {files: ` + filepath.Join(realdata.Root(tb), "examples/wikispeedia/computing.ttl") + `, target: "http://example.org/computing#Computing"}}
limits: ` + limits + "\n"
}

// A witness is the result of a crawl, read independently of Explain.
type witness struct {
	t       *testing.T
	web     *archive.Web
	seeds   []string
	lines   map[string]ledger.Line
	waiting []step.Waiting      // in the order of the frontier
	depth   int                 // the crawl's limit
	linking map[string][]string // from a target to the pages that link to it
	pages   map[string]*orbweaver.Page
}

func witnessOf(t *testing.T, dir string, web *archive.Web, seeds ...string) *witness {
	t.Helper()
	w := &witness{t: t, web: web, seeds: seeds, lines: map[string]ledger.Line{}, linking: map[string][]string{}, pages: map[string]*orbweaver.Page{}}
	for line, err := range ledger.Lines(filepath.Join(dir, ledger.JournalFile)) {
		if err != nil {
			t.Fatal(err)
		}
		w.lines[line.URL] = line
	}
	l, err := ledger.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	for one, err := range l.AllWaiting() {
		if err != nil {
			t.Fatal(err)
		}
		w.waiting = append(w.waiting, one)
	}
	slices.SortFunc(w.waiting, func(a, b step.Waiting) int {
		if a.Ahead != b.Ahead {
			return map[bool]int{true: -1, false: 1}[a.Ahead]
		}
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.ID, b.ID))
	})
	for url := range w.lines {
		for target := range l.Outlinks(url) {
			w.linking[target] = append(w.linking[target], url)
		}
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	return w
}

// read reads a page of the web.
func (w *witness) read(url string) *orbweaver.Page {
	if p, ok := w.pages[url]; ok {
		return p
	}
	response, err := w.web.Fetch(w.t.Context(), orbweaver.Request{URL: url})
	if err != nil {
		w.t.Fatal(err)
	}
	payload, err := io.ReadAll(response.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	p, err := page.NewReader(page.Options{}).Read(w.t.Context(), response, payload)
	if err != nil {
		w.t.Fatal(err)
	}
	w.pages[url] = p
	return p
}

// chain checks that each hop of a chain is a link on the page before.
func (w *witness) chain(url string, steps []inspect.HopView) {
	if len(steps) == 0 || !slices.Contains(w.seeds, steps[0].URL) && (len(steps[0].Redirects) == 0 || !slices.Contains(w.seeds, steps[0].Redirects[0])) {
		w.t.Errorf("%s: its chain starts at no seed: %+v", url, steps)
		return
	}
	for i := 1; i < len(steps); i++ {
		target := append(slices.Clone(steps[i].Redirects), steps[i].URL)[0]
		stands := slices.ContainsFunc(w.read(steps[i-1].URL).Links, func(l orbweaver.Link) bool {
			return l.To == target && l.Anchor == steps[i].Anchor && !l.NoFollow()
		})
		if !stands || steps[i].Depth != steps[i-1].Depth+1 {
			w.t.Errorf("%s: no link from %s to %s with the text %q", url, steps[i-1].URL, target, steps[i].Anchor)
		}
	}
}

// check checks an explanation against the result of the crawl.
func (w *witness) check(x *inspect.Explanation) {
	line, fetched := w.lines[x.URL]
	at := slices.IndexFunc(w.waiting, func(one step.Waiting) bool { return one.URL == x.URL })
	switch x.Kind {
	case inspect.KindPage, inspect.KindFailed, inspect.KindRedirect, inspect.KindUnfollowed:
		w.outcome(x, line, fetched)
	case inspect.KindWaiting:
		if at < 0 || x.Waiting.Rank != at+1 || x.Waiting.Of != len(w.waiting) || x.Waiting.Score != w.waiting[at].Score {
			w.t.Errorf("%s: %+v; it waits at %d of %d", x.URL, x.Waiting, at+1, len(w.waiting))
		}
		w.chain(x.URL, x.Chain)
	case inspect.KindUnlinked:
		if fetched || at >= 0 || len(w.linking[x.URL]) > 0 || slices.Contains(w.seeds, x.URL) {
			w.t.Errorf("%s: it is linked by %v, fetched %v, waiting %d", x.URL, w.linking[x.URL], fetched, at)
		}
		for _, near := range x.Nearest {
			_, fetched := w.lines[near]
			if !fetched && !slices.ContainsFunc(w.waiting, func(one step.Waiting) bool { return one.URL == near }) {
				w.t.Errorf("%s: nearest is %s, which the crawl does not know", x.URL, near)
			}
		}
	default:
		if fetched || at >= 0 || x.Links == nil || x.Links.Pages != len(w.linking[x.URL]) {
			w.t.Errorf("%s: %s, links %+v; linked by %d, fetched %v, waiting %d", x.URL, x.Kind, x.Links, len(w.linking[x.URL]), fetched, at)
		}
		for _, url := range w.linking[x.URL] {
			if x.Kind == inspect.KindDeep && w.lines[url].Depth != w.depth {
				w.t.Errorf("%s: too deep, but %s is %d links from a seed", x.URL, url, w.lines[url].Depth)
			}
		}
		if len(x.Chain) > 0 {
			w.chain(x.URL, x.Chain)
		}
	}
}

// outcome checks the explanation of a URL with an outcome.
func (w *witness) outcome(x *inspect.Explanation, line ledger.Line, fetched bool) {
	o := x.Outcome
	if !fetched || o == nil || o.N != line.N || o.Status != line.Status || o.Error != line.Error || o.Redirect != line.Redirect ||
		o.Score != line.Score || o.Accepted != line.Accepted || o.Predicted.Score != line.Predicted.Score || o.Digest != line.Digest {
		w.t.Errorf("%s: %+v, its line %+v", x.URL, o, line)
		return
	}
	kind := inspect.KindPage
	switch {
	case line.Redirect != "" && line.Error != "":
		kind = inspect.KindUnfollowed
	case line.Redirect != "":
		kind = inspect.KindRedirect
	case line.Error != "":
		kind = inspect.KindFailed
	}
	if x.Kind != kind {
		w.t.Errorf("%s: told as %s, is %s", x.URL, x.Kind, kind)
	}
	if len(o.Reasons) < len(line.Reasons) {
		w.t.Errorf("%s: %d reasons, its line has %d", x.URL, len(o.Reasons), len(line.Reasons))
	}
	for _, r := range line.Reasons {
		if !slices.Contains(o.Reasons, r) {
			w.t.Errorf("%s: the reason %v is not told", x.URL, r)
		}
	}
	w.chain(x.URL, x.Chain)
}

// TestExplainARealWeb: the explanations of 200 random URLs of a real web are correct.
func TestExplainARealWeb(t *testing.T) {
	for _, tc := range []struct {
		name, limits string
		depth        int
		kinds        []string // kinds that must occur
	}{
		{"3000 requests", "{requests: 3000}", 20, []string{inspect.KindPage, inspect.KindWaiting, inspect.KindUnlinked}},
		{"not deep", "{requests: 3000, depth: 1}", 1, []string{inspect.KindPage, inspect.KindDeep, inspect.KindUnlinked}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			folder := t.TempDir()
			apptest.CrawlIn(t, folder, wikispeedia(t, tc.limits))
			dir := filepath.Join(folder, "crawl")
			web, err := archive.OpenWeb([]string{realdata.File(t, "wikispeedia.warc.gz")}, archive.WebOptions{})
			if err != nil {
				t.Fatal(err)
			}
			defer web.Close()
			var urls []string
			for e := range web.All() {
				urls = append(urls, e.URL)
			}
			w := witnessOf(t, dir, web, "http://wikispeedia.test/wiki/Culture.html", "http://wikispeedia.test/wiki/Science.html")
			w.depth = tc.depth
			k, err := inspect.OpenKnowledge((&job.Job{}).Schema(), dir)
			if err != nil {
				t.Fatal(err)
			}
			defer k.Close()
			k.Web.Archive = web
			kinds, chance := map[string]int{}, rand.New(rand.NewPCG(4, 200))
			for range 200 {
				x, err := k.Explain(t.Context(), urls[chance.IntN(len(urls))])
				if err != nil {
					t.Fatal(err)
				}
				kinds[x.Kind]++
				w.check(x)
			}
			t.Log(kinds)
			for _, kind := range tc.kinds {
				if kinds[kind] == 0 {
					t.Errorf("none of the URLs is %s", kind)
				}
			}
		})
	}
}

// TestExplainEachKind: a small web with every kind of explanation.
func TestExplainEachKind(t *testing.T) {
	folder := t.TempDir()
	pages := []toy.Answer{
		{URL: "http://a.test/", Body: `<title>A</title><p>airplane <a href="/page">a page</a> <a href="/private/x">private</a>
			<a href="http://b.test/">out</a> <a rel="nofollow" href="/shy">shy</a> <a href="/moved">moved</a> <a href="/away">away</a>
			<a href="/gone">gone</a> <a href="/copy">copy</a> <a href="/late">late</a>`},
		{URL: "http://a.test/robots.txt", Body: "User-agent: *\nDisallow: /private/\n", Kind: "text/plain"},
		{URL: "http://a.test/page", Body: `<p>airplane airplane <a href="/deep">deep</a>`},
		{URL: "http://a.test/copy", Body: `<p>airplane airplane <a href="/deep">deep</a>`},
		{URL: "http://a.test/deep", Body: `<p>an airplane <a href="/deeper">deeper</a> <a href="/shy" rel="ugc nofollow">shy</a>`},
		{URL: "http://a.test/moved", Status: 301, Location: "/page"},
		{URL: "http://a.test/away", Status: 302, Location: "http://b.test/inside"},
		{URL: "http://a.test/gone", Status: 404, Body: "gone"},
	}
	apptest.CrawlIn(t, folder, "seeds: [http://a.test/, http://c.test/]\nweb: {archive: "+toy.WebOf(t, pages)+"}\nfocus: {breadth_first: {}}\n"+
		"scope: {hosts: [a.test, c.test], exclude: [c.test]}\nlimits: {depth: 2, requests: 6}\n")
	dir := filepath.Join(folder, "crawl")
	for _, tc := range []struct {
		url, kind string
		says      string // in the sentence
	}{
		{"http://a.test/", inspect.KindPage, "as request 1: 200"},
		{"a.test/page", inspect.KindPage, "200"},
		{"http://a.test/moved", inspect.KindRedirect, "leads to http://a.test/page"},
		{"http://a.test/away", inspect.KindUnfollowed, "scope"},
		{"http://a.test/gone", inspect.KindFailed, "404"},
		{"http://a.test/late", inspect.KindWaiting, "rank 1 of 2"},
		{"http://a.test/deep", inspect.KindWaiting, "rank 2 of 2; the crawl ended before: limit of requests"},
		{"http://b.test/", inspect.KindScope, "no pattern"},
		{"http://c.test/", inspect.KindScope, "excludes it by c.test"},
		{"http://a.test/private/x", inspect.KindRobots, "Disallow: /private/"},
		{"http://a.test/shy", inspect.KindNoFollow, "nofollow"},
		{"http://b.test/inside", inspect.KindUnlinked, "http://a.test/away redirects to it"},
		{"http://a.test/pag", inspect.KindUnlinked, "links to it"},
	} {
		x := apptest.Explained(t, dir, tc.url)
		if x.Kind != tc.kind || !strings.Contains(x.Why, tc.says) {
			t.Errorf("%s: %s, %q; want %s, %q", tc.url, x.Kind, x.Why, tc.kind, tc.says)
		}
	}
	if x := apptest.Explained(t, dir, "http://a.test/copy"); x.SameBytes == nil || x.SameBytes.URL != "http://a.test/page" {
		t.Errorf("the copy's original: %+v", x.SameBytes)
	}
	if x := apptest.Explained(t, dir, "http://a.test/pag"); !slices.Contains(x.Nearest, "http://a.test/page") {
		t.Errorf("nearest: %v", x.Nearest)
	}
}
