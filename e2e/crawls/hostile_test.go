//go:build e2e

package crawls_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"orbweaver"
	"orbweaver/fetch/archive"
	"orbweaver/fetch/client"
	"orbweaver/fetch/fetchtest"
	"orbweaver/fetch/fetchtest/hostile"
	"orbweaver/internal/apptest/verbs"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/internal/services/wire"
	"orbweaver/internal/step"
	"orbweaver/ledger"
	"orbweaver/weburl"
)

// hostileFile is the crawl file of a hostile web; %s: seeds.
const hostileFile = `seeds: [%s]
focus: {best_first: {terms: [page]}}
sitemaps: all
limits: {body: 1MB, per_host: 20, depth: 30}
politeness: {delay: 100ms, timeout: 2s, retries: 1, contact: me@example.org}
`

// Bounds of the kB read from a host: a head, a body, and the data in flight when the crawler stops reading.
const (
	someKB = 3
	wireKB = 64 + 16 + 2 // the connection holds 64, and the client reads 16 at a time
	headKB = 256 + 80
	bodyKB = 1024 + 120
)

// probed bounds the requests to a host that never answers: five that fail, and six probes.
const probed = 5 + 6

// knocks bounds the further requests to a host that answered: where several others in a row are silent, it is asked whether
// the crawl's own network is down.
const knocks = 3

// An end is the expected result of a hostile host.
type end struct {
	host     string
	lines    string // its lines in pages.jsonl: failures, pages and redirects, each with its count if above 1
	requests int    // maximum number of requests, robots.txt included
	kB       int64  // maximum kB read from it
	robots   string // result of its robots.txt; empty: there is none
}

// hostileEnds returns the ends of all hosts. A trap ends by a rule, or when the host's page budget is spent.
func hostileEnds() []end {
	return []end{
		// Connections.
		{"mute", "timeout", probed, someKB, "timeout: nothing is allowed"},
		{"gone", "cut-short", probed, someKB, "cut-short: nothing is allowed"},
		{"deaf", "host-down", probed, someKB, "malformed: nothing is allowed"},
		{"hasty", "status", 2, someKB, ""},
		{"tls-hang", "timeout", probed, someKB, "timeout: nothing is allowed"},
		{"tls-gone", "tls", probed, someKB, "tls: nothing is allowed"},
		{"tls-junk", "tls", probed, someKB, "tls: nothing is allowed"},
		{"tls-drip", "timeout", probed, someKB, "timeout: nothing is allowed"},
		{"cut", "cut-short", 3, someKB, ""},
		{"reset", "cut-short", 3, someKB, ""},
		{"once-only", "cut-short", 3, someKB, ""},
		{"junk-after", "page×2", 3, someKB, ""},

		// Heads of answers.
		{"head-drip", "timeout", 3, someKB, ""},
		{"head-endless", "malformed", 2, headKB, ""},
		{"head-line-endless", "malformed", 2, headKB, ""},
		{"status-endless", "malformed", 2, headKB, ""},
		{"head-large", "malformed", 2, headKB, ""},
		{"head-lines", "malformed", 2, headKB, ""},
		{"cookies", "page", 2, 125, ""},
		{"head-links", "page×2", 3, 560, ""},
		{"interims", "malformed", 2, wireKB, ""},
		{"interims-slow", "timeout", 3, someKB, ""},
		{"switch", "malformed", 2, someKB, ""},
		{"http-09", "malformed", 2, someKB, ""},
		{"http-99", "malformed", 2, someKB, ""},
		{"binary-head", "malformed", 2, wireKB, ""},
		{"status-none", "malformed", 2, someKB, ""},
		{"status-long", "malformed", 2, someKB, ""},
		{"status-999", "status", 2, someKB, ""},
		{"not-modified", "status", 2, someKB, ""},
		{"nul-in-head", "page", 2, someKB, ""},
		{"no-colon", "page", 2, someKB, ""},
		{"location-split", "redirect redirects", 2, someKB, ""},
		{"retry-after", "status", 2, someKB, ""},
		{"retry-after-huge", "status", 3, someKB, ""},

		// Bodies.
		{"body-drip", "timeout", 3, someKB, ""},
		{"body-stalls", "timeout", 3, someKB, ""},
		{"body-endless", "too-large", 2, bodyKB, ""},
		{"chunks-endless", "too-large", 2, bodyKB, ""},
		{"chunks-tiny", "too-large", 2, 6400, ""},
		{"chunk-huge", "too-large", 2, bodyKB, ""},
		{"chunks-broken", "malformed", 2, someKB, ""},
		{"chunk-extension", "malformed", 2, wireKB, ""},
		{"chunk-extensions", "malformed", 2, wireKB, ""},
		{"trailers", "malformed", 2, wireKB, ""},
		{"transfer-coding", "malformed", 2, someKB, ""},
		{"length-large", "cut-short", 3, someKB, ""},
		{"length-huge", "too-large", 2, bodyKB, ""},
		{"length-small", "page", 2, wireKB, ""},
		{"length-negative", "malformed", 2, someKB, ""},
		{"length-none", "malformed", 2, someKB, ""},
		{"lengths", "malformed", 2, someKB, ""},
		{"length-chunked", "page", 2, someKB, ""},
		{"no-content", "page", 2, someKB, ""},
		{"as-to-head", "timeout", 3, someKB, ""},

		// Content codings.
		{"gzip-bomb", "too-large", 2, bodyKB, ""},
		{"gzip-nested", "too-large", 2, someKB, ""},
		{"zstd-bomb", "too-large", 2, 125, ""},
		{"zstd-window", "malformed", 2, someKB, ""},
		{"brotli-bomb", "too-large", 2, 75, ""},
		{"deflate-bomb", "too-large", 2, 75, ""},
		{"codings-many", "malformed", 2, someKB, ""},
		{"gzip-cut", "page", 2, someKB, ""},
		{"gzip-false", "page", 2, someKB, ""},
		{"gzip-endless", "too-large", 2, bodyKB, ""},

		// Redirects.
		{"redirect-chain", "redirect×10 redirects", 12, someKB, ""},
		{"redirect-self", "redirects", 2, someKB, ""},
		{"redirect-loop", "redirect redirects", 3, someKB, ""},
		{"redirect-grow", "redirect×10 redirects", 12, someKB, ""},
		{"redirect-far", "bad-redirect", 2, someKB, ""},
		{"redirect-file", "bad-redirect", 2, someKB, ""},
		{"redirect-long", "bad-redirect", 2, 125, ""},
		{"redirect-port", "bad-redirect", 2, someKB, ""},
		{"redirect-private", "redirect", 2, someKB, ""},
		{"redirect-body", "too-large", 2, bodyKB, ""},

		// Documents.
		{"utf16-bare", "page×2", 2, someKB, ""},
		{"utf16-said", "page×2", 3, someKB, ""},
		{"iso-2022-jp", "page×2", 3, someKB, ""},
		{"three-charsets", "page", 2, someKB, ""},
		{"charset-cut", "page×2", 3, someKB, ""},
		{"replacement", "page", 2, someKB, ""},
		{"html-deep", "page", 2, 560, ""},
		{"html-tables", "page×2", 3, headKB, ""},
		{"links-million", "too-large", 2, bodyKB, ""},
		{"links-many", "page×4 soft-404×16", 21, 1000, ""},
		{"links-bad", "cut-short page×4", 5, 1300, ""},
		{"line-long", "page", 2, 1000, ""},
		{"line-longer", "too-large", 2, bodyKB, ""},
		{"nuls", "page×2", 3, 560, ""},
		{"html-as-png", "page", 2, someKB, ""},
		{"png-as-html", "page", 2, 150, ""},
		{"type-long", "page", 2, 125, ""},
		{"pdf-bomb", "page", 2, 75, ""},
		{"pdf-cycle", "page", 2, someKB, ""},
		{"zip-bomb", "page", 2, 125, ""},
		{"xml-bomb", "page×2", 2, someKB, ""},
		{"feed-bomb", "page×2", 3, someKB, ""},
		{"turtle-deep", "page", 2, 560, ""},
		{"json-deep", "page", 2, 560, ""},

		// Robots.txt files: the page behind them is in order.
		{"robots-huge", "page", 2, bodyKB, "200, 19418 rules"},
		{"robots-drip", "timeout", probed, someKB, "200, timeout: nothing is allowed"},
		{"robots-line", "page", 2, bodyKB, "200, no rules"},
		{"robots-junk", "page", 2, 125, "200, no rules"},
		{"robots-bomb", "", 1, bodyKB, "200, too-large: nothing is allowed"},
		{"robots-redirects", "page", 7, someKB, "redirected too often: everything is allowed"},
		{"robots-page", "page", 3, someKB, "200, no rules"},
		{"robots-patterns", "page", 2, 560, "200, 10000 rules"},
		{"robots-costly", "page×4 soft-404×16", 21, 1000, "200, 5668 rules"},
		{"robots-delay", "", 1, someKB, "200, Crawl-delay of 24h0m0s: nothing is allowed"},
		{"robots-trouble", "host-down", probed, someKB, "500: nothing is allowed"},
		{"robots-later", "host-down", 1, someKB, "503: nothing is allowed"},
		{"robots-sitemaps", "page", 2, 560, "200, no rules"},

		// Sitemaps.
		{"sitemap-cycle", "page×3", 4, someKB, "200, no rules"},
		{"sitemap-endless", "page×20", 21, 75, "200, no rules"},
		{"sitemap-million", "page too-large", 3, bodyKB, "200, no rules"},
		{"sitemap-full", "page×4 soft-404×16", 21, 1000, "200, no rules"},
		{"sitemap-bomb", "page too-large", 3, 75, "200, no rules"},
		{"sitemap-laughs", "page×3", 4, someKB, "200, no rules"},
		{"sitemap-deep", "page×3", 4, 560, "200, no rules"},

		// Traps.
		{"calendar", "page×20", 21, 75, ""},
		{"jsessionid", "page×3", 4, 75, ""},
		{"sid", "page×3", 4, 75, ""},
		{"paths", "page×13", 14, 75, ""},
		{"nested", "page×2", 3, 75, ""},
		{"queries", "page×20", 21, 75, ""},
		{"refreshes", "page×20", 21, someKB, ""},
		{"soft-404", "page×3 soft-404×17", 21, 75, ""},
		{"wild", "page×31", 62, 75, ""},

		// Hosts that are not there, but linked to.
		{host: "private", lines: "private"},
		{host: "254", lines: "private"},
		{host: "nowhere", lines: "no-such-host×500"},
		{host: "a", lines: "no-such-host"},
		{host: "b", lines: "no-such-host"},
		{host: "server", lines: "no-such-host"},
		{host: "x", lines: "no-such-host"},
	}
}

// check checks the result of a host against its end.
func (e end) check(t *testing.T, does string, tally hostile.Tally, lines, robots string) {
	t.Helper()
	if e.robots == "" && e.requests > 0 {
		e.robots = "404: everything is allowed"
	}
	if lines != e.lines || robots != e.robots {
		t.Errorf("%s (%s): %q, robots.txt %q, want %q, %q", e.host, does, lines, robots, e.lines, e.robots)
	}
	if e.requests > 0 && e.lines != "" {
		e.requests += knocks
	}
	if tally.Requests > e.requests || tally.Bytes > e.kB<<10 {
		t.Errorf("%s (%s): %d requests, %d bytes, want at most %d, %d", e.host, does, tally.Requests, tally.Bytes, e.requests, e.kB<<10)
	}
}

// TestHostile crawls a web of hosts that each misbehave in one way, in virtual time. The crawl ends by itself, bounds
// what it reads from each host, and reports the result of each. Its archive is readable.
func TestHostile(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		n := fetchtest.NewNetwork()
		defer n.Close()
		w := hostile.New(hostile.Hosts()...)
		w.Serve(n)
		seeds := append(w.Seeds(), "http://private.test/")
		began, peak := time.Now(), watchHeap(t)
		printed := crawlHostile(t, n, dir, seeds)
		if took := time.Since(began); took > time.Minute {
			t.Errorf("the crawl took %v", took)
		}
		if most := peak(); most > 300<<20 {
			t.Errorf("%d MB of heap", most>>20)
		}
		if !strings.Contains(printed, "limit of pages per host after") { // at the hosts with more pages than that
			t.Errorf("not ended by itself:\n%s", printed)
		}
		checkEnds(t, w, filepath.Join(dir, "crawls", "hostile"))
	})
	checkArchive(t, filepath.Join(dir, "crawls", "hostile"))
}

// crawlHostile crawls a network in which all names below wild.test resolve, and private.test has an address that must
// not be reached.
func crawlHostile(t *testing.T, n *fetchtest.Network, dir string, seeds []string) (printed string) {
	t.Helper()
	file := filepath.Join(dir, "hostile.yaml")
	quoted := fmt.Sprintf("%q", seeds)
	text := fmt.Sprintf(hostileFile, strings.ReplaceAll(quoted[1:len(quoted)-1], `" "`, `", "`))
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	reached := client.Options{
		Resolve: func(ctx context.Context, name string) ([]netip.Addr, error) {
			switch {
			case name == "private.test":
				return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
			case strings.HasSuffix(name, ".wild.test"):
				name = "wild.test"
			}
			return n.Resolve(ctx, name)
		},
		Dial: func(ctx context.Context, addr netip.AddrPort) (net.Conn, error) {
			if !addr.Addr().IsGlobalUnicast() || addr.Addr().IsPrivate() {
				t.Errorf("%v was dialled", addr)
			}
			return n.Dial(ctx, addr)
		},
	}
	var out bytes.Buffer
	a := &job.Job{Console: console.Console{Out: &out, Err: &out}, Alone: true, Wire: wire.Wire{Options: reached}}
	if err := verbs.Crawl(context.Background(), a, file); err != nil {
		t.Fatalf("%v\n%s", err, &out)
	}
	return out.String()
}

// watchHeap samples the size of the heap. peak stops the sampling and returns the maximum growth in bytes.
func watchHeap(t *testing.T) (peak func() uint64) {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	before, most := m.HeapInuse, uint64(0)
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		ticker := time.NewTicker(50 * time.Millisecond)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				runtime.ReadMemStats(&m)
				most = max(most, m.HeapInuse)
			case <-stop:
				return
			}
		}
	}()
	return func() uint64 {
		close(stop)
		<-stopped
		t.Logf("%d MB of heap at most", most>>20)
		return most - min(most, before)
	}
}

// checkEnds checks the results of all hosts against their ends, and the refused links.
func checkEnds(t *testing.T, w *hostile.Web, folder string) {
	t.Helper()
	told := linesOfHosts(t, filepath.Join(folder, ledger.JournalFile))
	l, err := ledger.Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	does := map[string]string{}
	for _, h := range hostile.Hosts() {
		does[h.Name] = h.Does
		if told[h.Name] == nil { // only robots.txt was requested: no line
			told[h.Name] = map[string]int{}
		}
	}
	for _, e := range hostileEnds() {
		account, _, err := l.Account(w.Base(e.host))
		if err != nil {
			t.Fatal(err)
		}
		e.check(t, does[e.host], w.Tally(e.host), summed(told[e.host]), account.Robots)
		delete(told, e.host)
	}
	for host, lines := range told {
		t.Errorf("%s has no row: %q, %+v", host, summed(lines), w.Tally(host))
	}
	checkRefused(t, l.Refused())
}

// checkRefused checks the refused links by reason.
func checkRefused(t *testing.T, refused []step.Refused) {
	t.Helper()
	links, rules := map[string]int64{}, map[string][]string{}
	for _, r := range refused {
		links[r.Reason] = r.Links
		for _, rule := range r.Rules {
			rules[r.Reason] = append(rules[r.Reason], rule.Name)
		}
	}
	traps := []string{"path-repetition", "permuted-parameters", "session-id"}
	if got := slices.Sorted(slices.Values(rules[step.RefusedTrap])); !slices.Equal(got, traps) {
		t.Errorf("traps by rule: %v, want %v", got, traps)
	}
	delete(links, step.RefusedTrap)
	if want := map[string]int64{step.RefusedRobots: 2, step.RefusedDepth: 1}; !maps.Equal(links, want) {
		t.Errorf("refused: %v, want %v", links, want)
	}
}

// linesOfHosts counts the results in pages.jsonl by host label below .test.
func linesOfHosts(t *testing.T, path string) map[string]map[string]int {
	t.Helper()
	told := map[string]map[string]int{}
	for line, err := range ledger.Lines(path) {
		if err != nil {
			t.Fatal(err)
		}
		_, host, _ := strings.Cut(weburl.Host(line.URL), "://")
		host = strings.TrimSuffix(host, ".test")
		host = host[strings.LastIndexByte(host, '.')+1:]
		if told[host] == nil {
			told[host] = map[string]int{}
		}
		switch {
		case line.Error != "":
			told[host][string(line.Error)]++
		case line.Redirect != "":
			told[host]["redirect"]++
		default:
			told[host]["page"]++
		}
	}
	return told
}

// summed formats counts in order: "page×2 timeout".
func summed(counts map[string]int) string {
	var words []string
	for _, word := range slices.Sorted(maps.Keys(counts)) {
		if n := counts[word]; n > 1 {
			word += fmt.Sprintf("×%d", n)
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}

// checkArchive reads the whole archive without warnings.
func checkArchive(t *testing.T, folder string) {
	t.Helper()
	web, err := archive.OpenWeb([]string{filepath.Join(folder, "archive")}, archive.WebOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer web.Close()
	for _, warning := range web.Warnings() {
		t.Error(warning)
	}
	read := 0
	for entry := range web.All() {
		response, err := web.Fetch(context.Background(), orbweaver.Request{URL: entry.URL})
		if err != nil {
			t.Errorf("%s: %v", entry.URL, err)
			continue
		}
		if _, err := io.Copy(io.Discard, response.Body); err != nil {
			t.Errorf("%s: %v", entry.URL, err)
		}
		response.Body.Close()
		read++
	}
	if read < 300 {
		t.Errorf("%d records", read)
	}
}
