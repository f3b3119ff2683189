//go:build e2e

package program_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"orbweaver"

	"orbweaver/fetch/archive"
	"orbweaver/fetch/fetchtest"
	"orbweaver/ledger"
)

// liveDelay is what hosts on loopback ask for.
const liveDelay = 50 * time.Millisecond

// oddWeb is a web on 20 loopback addresses, with so many plain pages on each, and redirects, pages that fail at first, sitemaps and odd
// robots.txt files. It forgives nothing.
func oddWeb(t *testing.T, pages int) *fetchtest.Web {
	t.Helper()
	w := fetchtest.Generate(fetchtest.Plan{
		Seed: 6, Hosts: 20, Addresses: 20, Pages: pages, Politeness: fetchtest.Politeness{Delay: liveDelay, Retries: 2},
	})
	fetchtest.ListenLoopback(t, w)
	return w
}

// liveFile writes the crawl file of a web on loopback.
func liveFile(t *testing.T, folder, keys string, seeds ...string) {
	t.Helper()
	write(t, filepath.Join(folder, "f.yaml"), fmt.Sprintf(`seeds: [%s]
focus: {breadth_first: {}}
allow_private: [127.0.0.0/8]
output: crawl
%s
`, strings.Join(seeds, ", "), keys))
}

// oddKeys are the rest of the crawl file of an oddWeb.
var oddKeys = fmt.Sprintf("sitemaps: all\npoliteness: {delay: %v, retries: 2, contact: me@example.org}", liveDelay)

// TestLive crawls 20 hosts over real sockets: no request too early or forbidden, no page missed.
func TestLive(t *testing.T) {
	t.Parallel()
	w, folder := oddWeb(t, 6), t.TempDir()
	seeds := w.Seeds()[:2]
	liveFile(t, folder, oddKeys, seeds...)
	began := time.Now()
	crawlOn(t, folder)
	for _, v := range w.Violations() {
		t.Error(v)
	}
	samePages(t, w.Pages(), w.AllowedFrom(seeds...))
	if repeated := w.Repeated(); len(repeated) > 0 {
		t.Errorf("asked for more than once: %v", repeated)
	}
	wholeFolder(t, folder, w)
	t.Logf("%d requests, %d pages, in %v", len(w.Visits()), len(w.Pages()), time.Since(began))
}

// samePages compares what was served with what should have been.
func samePages(t *testing.T, got, want []string) {
	t.Helper()
	without := func(a, b []string) []string {
		return slices.DeleteFunc(slices.Clone(a), func(s string) bool { return slices.Contains(b, s) })
	}
	if !slices.Equal(got, want) || len(want) == 0 {
		t.Errorf("%d pages were served, %d are allowed; missing %v, too many %v", len(got), len(want), without(want, got), without(got, want))
	}
}

// wholeFolder checks what a crawl left: each page served has one line, lines are numbered without
// gaps, each answer of pages.jsonl is in the archive, each record of which is whole.
func wholeFolder(t *testing.T, folder string, w *fetchtest.Web) {
	t.Helper()
	archived := map[string]bool{}
	for _, u := range answers(t, filepath.Join(folder, "crawl/archive")) {
		archived[u] = true
	}
	lines, n, failed := map[string]int{}, int64(0), map[string]orbweaver.Failure{}
	for line, err := range ledger.Lines(filepath.Join(folder, "crawl", ledger.JournalFile)) {
		if err != nil {
			t.Fatal(err)
		}
		if n++; line.N != n {
			t.Errorf("line %d has the number %d", n, line.N)
		}
		if line.Status != 0 && !archived[line.URL] {
			t.Errorf("%s answered and is not archived", line.URL)
		}
		if lines[line.URL]++; lines[line.URL] > 1 && failed[line.URL] == "" { // what failed may be asked again
			t.Errorf("%s has %d lines", line.URL, lines[line.URL])
		}
		failed[line.URL] = line.Error
	}
	for _, u := range w.Pages() {
		if lines[u] == 0 {
			t.Errorf("%s was served and has no line", u)
		}
	}
}

// liveKills is how often a crawl over sockets is killed before it may end: 25 times, with ORBWEAVER_EFFECT=all fifty times.
func liveKills() int { return kills() * 5 / 2 }

// TestLiveKilled kills a crawl of 20 hosts with SIGKILL at many moments, and goes on with it. No page is
// lost, none asked for twice but those in flight at that moment, and no host asked too early; whenever the
// crawl is killed, the archive has what pages.jsonl has.
func TestLiveKilled(t *testing.T) {
	t.Parallel()
	w, folder := oddWeb(t, 12), t.TempDir()
	seeds := w.Seeds()[:2]
	liveFile(t, folder, oddKeys, seeds...)
	random := rand.New(rand.NewPCG(5, 1))
	var sessions []int // how many requests were made before each but the first
	for range liveKills() {
		if !killSoon(t, folder, liveGrowth, random) {
			t.Fatalf("the crawl was over after %d kills", len(sessions))
		}
		sessions = append(sessions, len(w.Visits()))
		if len(sessions)%5 == 0 {
			checkCommitted(t, folder)
		}
	}
	crawlOn(t, folder)
	past := pastOf(w, sessions)
	for _, v := range w.Violations() {
		if !past.excuses(t, v) {
			t.Error(v)
		}
	}
	samePages(t, w.Pages(), w.AllowedFrom(seeds...))
	past.checkRepeated(t)
	wholeFolder(t, folder, w)
	t.Logf("killed after %v of %d requests; %d pages; asked for again: %d", sessions, len(w.Visits()), len(w.Pages()), len(w.Repeated()))
}

// liveGrowth is what killSoon takes for the length of pages.jsonl: it grows by half of it ÷ kills, on average, before a crawl is
// killed.
const liveGrowth = 120_000

// checkCommitted checks a crawl that was just killed, as the next session would find it: each answer that
// it knows of is in the archive, up to the place that it knows of, where a record ends.
func checkCommitted(t *testing.T, folder string) {
	t.Helper()
	copied := filepath.Join(t.TempDir(), "crawl")
	copyFiles(t, copied, filepath.Join(folder, "crawl"))
	book, err := ledger.Open(copied)
	if err != nil {
		t.Fatal(err)
	}
	var mark archive.Mark
	if told := book.Archive(); told != nil {
		err = json.Unmarshal(told, &mark)
	}
	if err = errors.Join(err, book.Close()); err != nil {
		t.Fatal(err)
	}
	archived := map[string]bool{}
	if mark.File != "" {
		records, err := warcRecords(read(t, filepath.Join(copied, "archive", mark.File))[:mark.Length])
		if err != nil {
			t.Errorf("after a kill: %s: %v", mark.File, err)
		}
		for _, r := range records {
			archived[r.header.Get("WARC-Target-URI")] = true
		}
	}
	for line, err := range ledger.Lines(filepath.Join(copied, ledger.JournalFile)) {
		if err != nil {
			t.Fatal(err)
		}
		if line.Status != 0 && !archived[line.URL] {
			t.Errorf("after a kill: %s answered and is not archived", line.URL)
		}
	}
}

// A killedPast is what a web saw of a crawl that was killed.
type killedPast struct {
	visits   []fetchtest.Visit
	sessions []int // visits made before each session but the first
}

func pastOf(w *fetchtest.Web, sessions []int) killedPast {
	return killedPast{w.Visits(), sessions}
}

// session is that in which a visit was made, from 0.
func (p killedPast) session(visit int) int {
	at, found := slices.BinarySearch(p.sessions, visit)
	if found {
		at++
	}
	return at
}

// last reports whether a visit was its host's last of a session that was killed.
func (p killedPast) last(visit int) bool {
	session := p.session(visit)
	if session == len(p.sessions) {
		return false
	}
	return !slices.ContainsFunc(p.visits[visit+1:p.sessions[session]], func(v fetchtest.Visit) bool {
		return v.Host == p.visits[visit].Host
	})
}

// checkRepeated looks for pages answered in full twice though the first answer came before another of
// its host was asked for, so before the crawl was killed.
func (p killedPast) checkRepeated(t *testing.T) {
	t.Helper()
	answered := map[string]int{}
	for i, v := range p.visits {
		if v.Status != 200 || strings.Contains(v.Path, "robots") || v.Path == "/rules" {
			continue
		}
		if before, again := answered[v.Host+v.Path]; again && !p.last(before) {
			t.Errorf("%s%s: request %d and %d, and the first was not in flight when the crawl was killed", v.Host, v.Path, before+1, i+1)
		}
		answered[v.Host+v.Path] = i
	}
}

// excuses reports whether a violation is of what a killed process could not tell the next one: a
// Retry-After, or a Crawl-delay, whose answer was in flight
// at the end of one session.
func (p killedPast) excuses(t *testing.T, violation string) bool {
	t.Helper()
	var n int
	if _, err := fmt.Sscanf(violation, "request %d,", &n); err != nil {
		t.Fatal(violation)
	}
	_, gap, crawlDelay := strings.Cut(violation, ": gap at host: ")
	before := n - 2
	for before >= 0 && (p.visits[before].Host != p.visits[n-1].Host || !crawlDelay && p.visits[before].Status != 503) {
		before--
	}
	if before < 0 || p.session(before) == p.session(n-1) {
		return false
	}
	if crawlDelay {
		gap, _, _ = strings.Cut(gap, ",")
		was, err := time.ParseDuration(gap)
		return err == nil && was >= liveDelay && strings.Contains(p.visits[before].Path, "robots")
	}
	return strings.Contains(violation, ": Retry-After: ") && p.last(before)
}
