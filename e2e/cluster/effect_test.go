//go:build e2e

package cluster_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode"

	"orbweaver"
	"orbweaver/eval"
	"orbweaver/fetch/archive"
	"orbweaver/fetch/fetchtest"
	"orbweaver/internal/realdata"
)

// byLetter serves an archive's web as one of 26 domains, by the first letters of its articles.
type byLetter struct {
	t     *testing.T
	web   *archive.Web
	pages map[string]orbweaver.Request // by URL of the 26 domains

	mu     sync.Mutex
	served []string // since the last call of taken
}

// taken returns what was served since the last call.
func (b *byLetter) taken() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	served := b.served
	b.served = nil
	return served
}

// href is a link of an article to another.
var href = regexp.MustCompile(`href="([^":/#]+\.html)`)

// at returns the URL of an article.
func at(article string) string {
	name, err := url.PathUnescape(article)
	first := 'x'
	for _, r := range name {
		first = unicode.ToLower(r)
		break
	}
	if err != nil || first < 'a' || first > 'z' {
		first = 'a' + first%26
	}
	return fmt.Sprintf("http://%c.test/wiki/%s", first, article)
}

func (b *byLetter) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	url := "http://" + r.Host + r.URL.EscapedPath()
	req, ok := b.pages[url]
	if !ok {
		http.NotFound(rw, r)
		return
	}
	b.mu.Lock()
	b.served = append(b.served, url)
	b.mu.Unlock()
	answer, err := b.web.Fetch(r.Context(), req)
	if err != nil {
		b.t.Error(err)
		return
	}
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		b.t.Error(err)
	}
	rw.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = rw.Write(href.ReplaceAllFunc(body, func(link []byte) []byte {
		return []byte(`href="` + at(string(href.FindSubmatch(link)[1])))
	}))
}

// TestWikispeediaByWorkers: an encyclopaedia of 26 domains has the same pages for one worker and for eight, and within the first tenth they find nearly
// as much. It logs the figures of docs/explanation/measurements.md.
func TestWikispeediaByWorkers(t *testing.T) {
	if os.Getenv("ORBWEAVER_EFFECT") != "all" {
		t.Skip("crawls wikispeedia by workers for minutes: ORBWEAVER_EFFECT=all")
	}
	web, err := archive.OpenWeb([]string{realdata.File(t, "wikispeedia.warc.gz")}, archive.WebOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = web.Close() }()
	served := &byLetter{t: t, web: web, pages: map[string]orbweaver.Request{}}
	for entry := range web.All() {
		served.pages[at(entry.URL[strings.LastIndex(entry.URL, "/")+1:])] = orbweaver.Request{URL: entry.URL}
	}
	network := fetchtest.NewNetwork()
	defer network.Close()
	for i := range 26 {
		network.Serve(fmt.Sprintf("%c.test", 'a'+i), fetchtest.Address(i), served)
	}
	var seeds []string
	for _, article := range []string{"Culture", "Science", "History", "Geography", "Technology"} {
		seeds = append(seeds, at(article+".html"))
	}
	run := func(name, target string, n int, lessons time.Duration, keys string) []string {
		c := crewOf(t, network, seeds, n, "prefixes: {ex: 'http://example.org/"+name+"#'}\n"+keys)
		c.focus, c.lessons = fmt.Sprintf("{ontology: {files: [%s], target: ['%s']}}", filepath.Join(realdata.Root(t), "examples/wikispeedia", name+".ttl"), target), lessons
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
		defer cancel()
		c.all(ctx)
		return served.taken()
	}
	var all []string
	for _, n := range []int{1, 2, 4, 8} {
		pages := run("computing", "ex:Computing", n, 0, "politeness: {delay: 10ms, contact: me@example.org, timeout: 10s}\nlimits: {depth: 1000}") // how deep a page is depends on who was faster
		if slices.Sort(pages); all == nil {
			all = pages
		}
		if !slices.Equal(pages, all) || len(slices.Compact(slices.Clone(pages))) != len(pages) {
			t.Errorf("%d workers: %d pages, one has %d", n, len(pages), len(all))
		}
		t.Logf("%d workers: %d pages, each once", n, len(pages))
	}
	for _, topic := range []struct {
		name, target string
		subjects     []string
	}{
		{"computing", "ex:Computing", []string{"subject.IT", "subject.People.Computing"}},
		{"politics", "ex:Politics", []string{"subject.Citizenship.Politics_and_government", "subject.People.Political", "subject.People.USA_Pres"}},
	} {
		truth, err := eval.LoadTopics(realdata.File(t, "wikispeedia-topics.tsv"), topic.subjects, func(url string) (string, error) {
			return at(url[strings.LastIndex(url, "/")+1:]), nil
		})
		if err != nil {
			t.Fatal(err)
		}
		one := 0 // found by one worker
		for _, tc := range []struct {
			workers int
			lessons time.Duration
		}{{1, 0}, {2, 0}, {4, 0}, {8, 0}, {2, never}, {4, never}, {8, never}} {
			found, pages := 0, run(topic.name, topic.target, tc.workers, tc.lessons, "politeness: {delay: 300ms, contact: me@example.org, timeout: 10s}\nlimits: {requests: 430}")
			for _, url := range pages[:min(len(pages), 405)] {
				if truth.Relevant(url) {
					found++
				}
			}
			t.Logf("%s, %d workers, learning together %v: %d of %d relevant in the first 405 pages (%.1f %%)", topic.name, tc.workers, tc.lessons != never, found, truth.Len(), float64(found)/4.05)
			if tc.workers == 1 {
				one = found
			}
			if float64(one-found)/4.05 > 3 && tc.lessons != never {
				t.Errorf("%s: %d workers find %d, one %d", topic.name, tc.workers, found, one)
			}
		}
	}
}

// never is longer than any crawl here.
const never = 24 * time.Hour
