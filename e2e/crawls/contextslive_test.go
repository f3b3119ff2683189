//go:build e2e

package crawls_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"orbweaver/fetch/client"
	"orbweaver/fetch/fetchtest"
	"orbweaver/internal/apptest/verbs"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/internal/services/wire"
	"orbweaver/ledger"
)

// script returns a page with a JSON-LD script that uses a context, and links to RDF.
func script(context, about string, links ...string) string {
	page := `<!DOCTYPE html><title>p</title><script type="application/ld+json">{"@context": "` + context + `",
		"@id": "#it", "name": "It", "about": "` + about + `"}</script>`
	for _, to := range links {
		page += `<p><a href="` + to + `">further</a>`
	}
	return page
}

// TestContextsOfTheLiveWeb: a crawl fetches each context of the live Web once, as politely as pages, and not if
// robots.txt disallows it. It follows the links in the data that a context defines.
func TestContextsOfTheLiveWeb(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		const words = `{"@context": {"name": "http://words.test/name", "about": {"@id": "http://words.test/about", "@type": "@id"}}}`
		w := fetchtest.NewWeb(fetchtest.Politeness{Delay: time.Second, Retries: 2},
			fetchtest.Host{Name: "a.test", At: 1, Pages: []fetchtest.Page{
				{Path: "/", Body: script("http://words.test/c", "/data/one", "/two", "/three", "/four")},
				{Path: "/two", Body: script("http://words.test/c", "/data/two")},
				{Path: "/three", Body: script("http://closed.test/c", "/data/three")},
				{Path: "/four", Body: script("https://schema.org", "/data/four")},
				{Path: "/data/one", Type: "text/turtle", Body: "<> <u:p> 1 ."},
				{Path: "/data/two", Type: "text/turtle", Body: "<> <u:p> 2 ."},
				{Path: "/data/three", Type: "text/turtle", Body: "<> <u:p> 3 ."},
			}},
			fetchtest.Host{Name: "words.test", At: 2, Pages: []fetchtest.Page{
				{Path: "/c", Redirect: "/c.jsonld"}, {Path: "/c.jsonld", Type: "application/ld+json", Body: words},
			}},
			fetchtest.Host{Name: "closed.test", At: 3, Robots: fetchtest.Robots{Disallow: []string{"/"}}, Pages: []fetchtest.Page{
				{Path: "/c", Type: "application/ld+json", Body: words},
			}},
		)
		n := fetchtest.NewNetwork()
		defer n.Close()
		w.Serve(n)
		file := filepath.Join(dir, "live.yaml")
		text := "seeds: ['http://a.test/']\nfocus: {linked_data: {}}\nallow_private: true\nscope: {hosts: [a.test]}\npoliteness: {contact: me@example.org}\n"
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		a := &job.Job{Console: console.Console{Out: &out, Err: &out}, Alone: true, Wire: wire.Wire{Options: client.Options{Resolve: n.Resolve, Dial: n.Dial}}}
		if err := verbs.Crawl(context.Background(), a, file); err != nil {
			t.Fatalf("%v\n%s", err, &out)
		}
		var visited []string
		for _, v := range w.Visits() {
			visited = append(visited, v.Host+v.Path)
		}
		once := func(url string, want int) {
			if n := len(slices.DeleteFunc(slices.Clone(visited), func(s string) bool { return s != url })); n != want {
				t.Errorf("%s was requested %d times, want %d: %v", url, n, want, visited)
			}
		}
		once("words.test/c", 1)
		once("words.test/c.jsonld", 1)
		once("closed.test/c", 0)
		once("a.test/data/one", 1)
		once("a.test/data/two", 1)
		once("a.test/data/three", 0)
		for _, v := range w.Violations() {
			t.Error(v)
		}
		checkAccepted(t, filepath.Join(dir, "crawls", "live", ledger.JournalFile), "/ /two /four /data/one /data/two")
	})
}

// checkAccepted compares the accepted pages of http://a.test with a list of paths.
func checkAccepted(t *testing.T, journal, want string) {
	t.Helper()
	var accepted []string
	for l, err := range ledger.Lines(journal) {
		if err != nil {
			t.Fatal(err)
		}
		if l.Accepted {
			accepted = append(accepted, strings.TrimPrefix(l.URL, "http://a.test"))
		}
	}
	expected := strings.Fields(want)
	slices.Sort(accepted)
	slices.Sort(expected)
	if !slices.Equal(accepted, expected) {
		t.Errorf("accepted %v, want %v", accepted, expected)
	}
}

// TestContextsThatManyWaitFor: pages of many hosts arrive at once and need one context of a slow host. The crawl
// requests it once, all pages get it, and waiting pages do not block other work.
func TestContextsThatManyWaitFor(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		hosts := []fetchtest.Host{{Name: "words.test", At: 1, Latency: 5 * time.Second, Pages: []fetchtest.Page{
			{Path: "/c", Type: "application/ld+json", Body: `{"@context": {"@vocab": "http://words.test/"}}`},
		}}}
		var seeds []string
		for i := range 12 {
			name := fmt.Sprintf("h%d.test", i)
			seeds = append(seeds, "'http://"+name+"/'")
			hosts = append(hosts, fetchtest.Host{Name: name, At: 2 + i, Pages: []fetchtest.Page{{Path: "/", Body: script("http://words.test/c", "x")}}})
		}
		w := fetchtest.NewWeb(fetchtest.Politeness{Delay: time.Second, Retries: 2}, hosts...)
		n := fetchtest.NewNetwork()
		defer n.Close()
		w.Serve(n)
		file := filepath.Join(dir, "live.yaml")
		text := "seeds: [" + strings.Join(seeds, ", ") + "]\nfocus: {linked_data: {}}\nallow_private: true\nscope: {exclude: [words.test]}\npoliteness: {contact: me@example.org}\n"
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		a := &job.Job{Console: console.Console{Out: &out, Err: &out}, Alone: true, Wire: wire.Wire{Options: client.Options{Resolve: n.Resolve, Dial: n.Dial}}}
		if err := verbs.Crawl(context.Background(), a, file); err != nil {
			t.Fatalf("%v\n%s", err, &out)
		}
		asked := 0
		for _, v := range w.Visits() {
			if v.Host+v.Path == "words.test/c" {
				asked++
			}
		}
		accepted := 0
		for l, err := range ledger.Lines(filepath.Join(dir, "crawls", "live", ledger.JournalFile)) {
			if err != nil {
				t.Fatal(err)
			}
			if l.Accepted {
				accepted++
			}
		}
		if asked != 1 || accepted != 12 {
			t.Errorf("the context was requested %d times, %d of 12 pages were accepted\n%s", asked, accepted, &out)
		}
	})
}
