//go:build e2e

package crawls_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"orbweaver"
	"orbweaver/engine"
	"orbweaver/fetch/client"
	"orbweaver/fetch/fetchtest"
	"orbweaver/internal/apptest/verbs"
	"orbweaver/internal/assembly"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/internal/services/wire"
	"orbweaver/internal/step"
	"orbweaver/ledger"
)

// A measured crawl is scraped while its site serves /middle, and when it prints its summary.
type measuredCrawl struct {
	t             *testing.T
	mu            sync.Mutex
	said          bytes.Buffer // standard error, which begins with the address
	during, after map[string]float64
}

// Write receives standard error.
func (c *measuredCrawl) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.said.Write(p)
}

// A summaryWriter receives standard output.
type summaryWriter struct{ *measuredCrawl }

func (w summaryWriter) Write(p []byte) (int, error) {
	if w.after == nil {
		w.after = w.scrape()
	}
	return len(p), nil
}

// ServeHTTP serves the site.
func (c *measuredCrawl) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html")
	switch r.URL.Path {
	case "/robots.txt":
		w.Header().Set("Content-Type", "text/plain")
		io.WriteString(w, "User-agent: *\nDisallow: /private\n")
	case "/":
		io.WriteString(w, `<p>gliders <a href=/1>1</a> <a href=/middle>m</a> <a href=/2>2</a> <a href=/gone>gone</a>
			<a href=/private>private</a> <a href=/private>again</a> <a rel=nofollow href=/shy>shy</a> <a href=/moved>moved</a>`)
	case "/middle":
		c.during = c.scrape()
		io.WriteString(w, "<p>no such thing")
	case "/moved":
		http.Redirect(w, r, "/1", http.StatusFound)
	case "/gone":
		w.WriteHeader(http.StatusGone)
	default:
		fmt.Fprintf(w, "<p>a glider %s", r.URL.Path)
	}
}

// scrape requests the metrics and returns the values by series.
func (c *measuredCrawl) scrape() map[string]float64 {
	c.mu.Lock()
	line, _, _ := strings.Cut(c.said.String(), "\n")
	c.mu.Unlock()
	response, err := http.Get(strings.TrimPrefix(line, "metrics: "))
	if err != nil {
		c.t.Error(err)
		return nil
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		c.t.Error(err)
	}
	series := map[string]float64{}
	for _, sample := range regexp.MustCompile(`(?m)^orbweaver_(\S+) (\S+)$`).FindAllStringSubmatch(string(text), -1) {
		if series[sample[1]], err = strconv.ParseFloat(sample[2], 64); err != nil {
			c.t.Error(err)
		}
	}
	return series
}

// crawlMeasured runs a session of a crawl and returns the scraped metrics.
func crawlMeasured(t *testing.T, dir, limits string) *measuredCrawl {
	t.Helper()
	n := fetchtest.NewNetwork()
	defer n.Close()
	c := &measuredCrawl{t: t}
	n.Serve("a.test", fetchtest.Address(0), c)
	file := filepath.Join(dir, "f.yaml")
	text := "seeds: [http://a.test/]\nfocus: {keyword: {terms: [glider]}}\nallow_private: true\npoliteness: {delay: 1ms}\noutput: crawl\n" + limits
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	a := &job.Job{
		Console: console.Console{Out: summaryWriter{c}, Err: c},
		Alone:   true,
		Metrics: ":0",
		Wire:    wire.Wire{Options: client.Options{Resolve: n.Resolve, Dial: n.Dial}},
	}
	if err := verbs.Crawl(t.Context(), a, file); err != nil {
		t.Fatalf("%v\n%s", err, &c.said)
	}
	return c
}

// TestMetrics scrapes a crawl while it waits for a response and after its end, in two sessions. The metrics agree with
// the ledger.
func TestMetrics(t *testing.T) {
	dir, seen := t.TempDir(), int64(0)
	asked := false
	for _, limits := range []string{"limits: {requests: 3}\n", ""} {
		c := crawlMeasured(t, dir, limits)
		l, err := ledger.Open(filepath.Join(dir, "crawl"))
		if err != nil {
			t.Fatal(err)
		}
		p, refused := l.Progress(), l.Refused()
		want := map[string]float64{
			"requests_total": float64(p.Requests), "pages_total": float64(p.Pages), "accepted_total": float64(p.Accepted),
			"bytes_total": float64(p.Bytes), "in_flight_requests": 0, "waiting_requests": 0, "score_count": 0,
			`hosts{state="down"}`: 0, `duplicates_total{kind="near"}`: 0,
		}
		if got := c.after["known_urls"]; got < float64(l.Known()) { // the ledger's, and URLs that are never requested
			t.Errorf("limits %q: %v URLs are known, of which %d were written down", limits, got, l.Known())
		}
		for w := range l.AllWaiting() {
			want["waiting_requests"] += float64(min(w.ID, 1))
		}
		for o, err := range l.Outcomes(seen) { // of this session
			if err != nil {
				t.Fatal(err)
			}
			seen++
			switch {
			case o.Page == nil:
			case o.Duplicate == (orbweaver.Duplicate{}):
				want["score_count"]++
			case o.Duplicate.Near:
				want[`duplicates_total{kind="near"}`]++
			default:
				want[`duplicates_total{kind="exact"}`]++
			}
			if o.Err != nil {
				want[fmt.Sprintf("failures_total{reason=%q}", orbweaver.FailureOf(o.Err))]++
			}
		}
		for _, r := range refused {
			want[fmt.Sprintf("refused_links_total{reason=%q}", r.Reason)] = float64(r.Links)
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		for series, value := range want {
			if got, ok := c.after[series]; !ok || got != value {
				t.Errorf("limits %q: %s is %v, %v; want %v", limits, series, got, ok, value)
			}
		}
		if c.during != nil {
			asked = true
			checkDuring(t, c.during, p)
		}
	}
	if !asked {
		t.Error("nothing was scraped in the middle")
	}
}

// checkDuring checks the metrics scraped during a request. p is the progress at the end of the session.
func checkDuring(t *testing.T, during map[string]float64, p step.Progress) {
	t.Helper()
	if n := during["requests_total"]; n < 1 || n >= float64(p.Requests) {
		t.Errorf("%v of %d requests are decided while one is under way", n, p.Requests)
	}
	for series, least := range map[string]float64{
		"in_flight_requests": 1, "pages_total": 1, "bytes_total": 1, `refused_links_total{reason="nofollow"}`: 1,
		`refused_links_total{reason="robots"}`: 1, `hosts{state="resting"}`: 0, `hosts{state="ready"}`: 0,
	} {
		if got, ok := during[series]; !ok || got < least {
			t.Errorf("%s is %v, %v; want %v at least", series, got, ok, least)
		}
	}
}

// TestStages: the engine reports only documented stages, and all stages of a crawl with an archive.
func TestStages(t *testing.T) {
	c := crawlMeasured(t, t.TempDir(), "")
	var heard []string
	for series, n := range c.after {
		if stage, ok := strings.CutPrefix(series, `stage_seconds_count{stage="`); ok && n > 0 {
			heard = append(heard, strings.TrimSuffix(stage, `"}`))
		}
	}
	for _, stage := range heard {
		if !slices.Contains(assembly.Stages(), stage) {
			t.Errorf("a stage %s that nobody knows", stage)
		}
	}
	for _, stage := range []string{
		engine.StageFetch, engine.StagePack, engine.StageRead, engine.StageJudge, engine.StageOffer,
		engine.StageCommit, engine.StageFlush,
	} {
		if !slices.Contains(heard, stage) {
			t.Errorf("nothing was heard of %s", stage)
		}
	}
}
