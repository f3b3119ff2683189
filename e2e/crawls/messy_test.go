//go:build e2e

package crawls_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"

	"orbweaver/eval"
	"orbweaver/fetch/fetchtest"
	"orbweaver/fetch/fetchtest/messy"
	"orbweaver/ledger"
)

// TestMessyWeb crawls the ordinary Web with the defaults: its lists come to their ends, its encodings are read, and the summary
// names each hindrance with its true count, and nothing else.
func TestMessyWeb(t *testing.T) {
	w, dir := messy.New(), t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "lights.ttl"), []byte(messy.Ontology), 0o666); err != nil {
		t.Fatal(err)
	}
	file := fmt.Sprintf("seeds: %q\nfocus: {ontology: {files: lights.ttl, target: %q}}\n", w.Seeds, messy.Target)
	var printed string
	synctest.Test(t, func(t *testing.T) {
		n := fetchtest.NewNetwork()
		defer n.Close()
		w.Serve(n)
		var err error
		if printed, err = sit(t, n, dir, file); err != nil {
			t.Fatal(err)
		}
	})
	if got := named(t, printed); !maps.Equal(got, w.Planted) {
		t.Errorf("the summary names %v\nwant %v in\n%s", got, w.Planted, printed)
	}
	pages := pagesFetched(t, filepath.Join(dir, "crawls", "mine", ledger.JournalFile))
	checkMessyPages(t, w, pages)
	a, err := eval.MeasureAcceptance(ledger.Committed(filepath.Join(dir, "crawls", "mine", ledger.JournalFile)), messyTruth(w.Truth))
	t.Logf("%d pages, %d of %d relevant ones, %d accepted: precision %.3f, recall %.3f", a.Pages, a.Relevant, len(w.Truth), a.Accepted, a.Precision, a.Recall)
	if err != nil || a.Precision < .8 || a.Recall < .8 {
		t.Error(a, err)
	}
}

// messyTruth are relevant pages, sorted.
type messyTruth []string

func (m messyTruth) Relevant(url string) bool {
	_, is := slices.BinarySearch(m, url)
	return is
}

// summaryCounts are what a summary says of hindrances, each with its name in messy.Web.Planted; $1 is a name in the text.
var summaryCounts = []struct{ line, count, name string }{
	{`(?m)^  failed +(?:\d+: )?(.*)$`, `(\d+) answered (\d+)`, "status $2"},
	{`(?m)^  failed +(?:\d+: )?(.*)$`, `(\d+) ([a-z][-0-9a-z]+)(?:,|$)`, "$2"},
	{`(?m)^  walls by +(.*)$`, `(\d+) ([^,]+)`, "wall: $2"},
	{`(?m)^  duplicates +(.*)$`, `(\d+) with (the same bytes|nearly the same text)`, "$2"},
	{`(?m)^  without text +(.*)$`, `(\d+) documents?`, messy.Textless},
	{`(?m)^  without text +(.*)$`, `(\d+) before their scripts run`, messy.Scripted},
	{`(?ms)^Not fetched, because of limits:$(.*?)^$`, `(\d+) links? beyond limits.depth`, messy.Depth},
	{`(?ms)^Not fetched, because of limits:$(.*?)^$`, `(\d+) links? in what looks endless`, messy.Trapped},
	{`(?ms)^Not fetched, because of limits:$(.*?)^$`, `(\d+) links? forbidden by robots.txt`, messy.Forbidden},
	{`(?ms)^Not fetched, because of limits:$(.*?)^$`, `(\d+) links? out of (scope)`, "$2"},
	{`(?ms)^Not fetched, because of limits:$(.*?)^$`, `(\d+) (documents larger)`, "$2"},
	{`(?s)()(.*)`, `Seeds that gave no page: (\d+)`, "seeds"},
}

// named returns the hindrances that a summary names, with their counts.
func named(t *testing.T, printed string) map[string]int {
	all := map[string]int{}
	for _, c := range summaryCounts {
		line := regexp.MustCompile(c.line).FindStringSubmatch(printed)
		if line == nil {
			continue
		}
		count := regexp.MustCompile(c.count)
		for _, m := range count.FindAllStringSubmatchIndex(line[len(line)-1], -1) {
			name := string(count.ExpandString(nil, c.name, line[len(line)-1], m))
			n, err := strconv.Atoi(line[len(line)-1][m[2]:m[3]])
			if err != nil {
				t.Fatal(err)
			}
			all[name] = n
		}
	}
	return all
}

// pagesFetched are the lines of pages, by URL.
func pagesFetched(t *testing.T, journal string) map[string]ledger.Line {
	pages := map[string]ledger.Line{}
	for line, err := range ledger.Lines(journal) {
		if err != nil {
			t.Fatal(err)
		}
		if line.Error == "" && line.Redirect == "" {
			pages[line.URL] = line
		}
	}
	return pages
}

// checkMessyPages checks that lists were followed to their ends, titles were decoded, and documents were read.
func checkMessyPages(t *testing.T, w *messy.Web, pages map[string]ledger.Line) {
	for prefix, want := range w.Lists {
		n := 0
		for url := range pages {
			if strings.HasPrefix(url, prefix) {
				n++
			}
		}
		if n != want {
			t.Errorf("%s…: %d, want %d", prefix, n, want)
		}
	}
	for url, title := range w.Titles {
		if pages[url].Title != title {
			t.Errorf("%s: %q, want %q", url, pages[url].Title, title)
		}
	}
	for _, url := range w.Truth {
		line, ok := pages[url]
		switch {
		case !ok && !strings.HasSuffix(url, "/cookie"):
			t.Errorf("%s was not fetched", url)
		case strings.HasSuffix(url, ".pdf") && line.Score == 0:
			t.Errorf("%s: %+v", url, line)
		}
	}
}
