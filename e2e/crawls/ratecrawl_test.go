//go:build e2e

package crawls_test

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/eval/rating"
	"orbweaver/internal/apptest"
	"orbweaver/internal/apptest/toy"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/offline/export"
	"orbweaver/internal/offline/sample"
	"orbweaver/ledger"
)

// rated draws a sample and returns the output.
func rated(t *testing.T, dir, out string, seed uint64) (stdout, stderr string, err error) {
	t.Helper()
	var told, log bytes.Buffer
	err = sample.Draw(t.Context(), &console.Console{Out: &told, Err: &log}, dir, sample.Options{Out: out, Seed: seed, Design: rating.DefaultDesign()})
	return told.String(), log.String(), err
}

// tableOf reads a sheet or key as CSV.
func tableOf(t *testing.T, path string) [][]string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(content, []byte("\ufeff")))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// TestRateSample: the sheet has pages of the crawl with titles and snippets and without verdicts, and its key the verdicts
// of pages.jsonl. The sample is reproducible, also from the crawl's own archive and while the crawl runs.
func TestRateSample(t *testing.T) {
	dir, out := apptest.CrawledFor(t, ""), t.TempDir()
	sheet := filepath.Join(out, "sheet.csv")
	told, log, err := rated(t, dir, sheet, 1)
	if err != nil || log != "" || !strings.Contains(told, "sheet.key.csv") {
		t.Fatal(told, log, err)
	}
	verdicts := map[string]bool{}
	accepted := 0
	for _, l := range toy.LinesOf(t, dir) {
		if export.IsPage(l) {
			verdicts[l.URL] = l.Accepted
			if l.Accepted {
				accepted++
			}
		}
	}
	rows, key := tableOf(t, sheet), tableOf(t, filepath.Join(out, "sheet.key.csv"))
	a, r := rating.DefaultDesign().Strata(accepted, len(verdicts)-accepted)
	if !slices.Equal(rows[0], []string{"id", "title", "snippet", "url", "relevant"}) || len(rows) != a+r+1 || len(key) != len(rows) {
		t.Fatalf("%v; %d rows and %d verdicts, want %d", rows[0], len(rows), len(key), a+r+1)
	}
	yes := 0
	for i, row := range rows[1:] {
		verdict, is := verdicts[row[3]]
		of := map[bool]int{true: accepted, false: len(verdicts) - accepted}[verdict]
		if want := []string{row[0], map[bool]string{true: "yes", false: "no"}[verdict], row[3], strconv.Itoa(of)}; !is || !slices.Equal(key[i+1], want) {
			t.Errorf("%v is a page: %v; its key is %v", row, is, key[i+1])
		}
		if row[1] == "" || len(row[2]) < 50 || row[4] != "" || strings.Contains(row[2], "\n") {
			t.Errorf("%q", row)
		}
		if verdict {
			yes++
		}
	}
	if yes != a || !strings.Contains(told, fmt.Sprintf("accepted %d of %d, rejected %d of %d", a, accepted, r, len(verdicts)-accepted)) {
		t.Errorf("%d accepted, want %d: %s", yes, a, told)
	}
	own := apptest.CrawledFor(t, "archive: on\n")
	l, err := ledger.Open(own) // like a running crawl
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	again := filepath.Join(out, "again")
	if _, log, err := rated(t, own, again, 1); err != nil || log != "" {
		t.Fatal(log, err)
	}
	for _, ends := range [][2]string{{"sheet.csv", "again"}, {"sheet.key.csv", "again.key.csv"}} {
		if x, y := tableOf(t, filepath.Join(out, ends[0])), tableOf(t, filepath.Join(out, ends[1])); fmt.Sprint(x) != fmt.Sprint(y) {
			t.Errorf("%s and %s differ", ends[0], ends[1])
		}
	}
	if _, _, err := rated(t, dir, filepath.Join(out, "other.csv"), 2); err != nil || tableOf(t, filepath.Join(out, "other.csv"))[1][0] == rows[1][0] {
		t.Errorf("another seed: %v", err)
	}
}

// TestRateSampleOfStates: the last line about a page counts, a page in several media types has one row, and other lines
// have none. Without an archive, titles and snippets are empty.
func TestRateSampleOfStates(t *testing.T) {
	dir := toy.Bare(t)
	live := "seeds: [http://a.test/]\narchive: off\nfocus: {breadth_first: {}}\npoliteness: {contact: me@a.test}\noutput: .\n"
	if err := os.WriteFile(filepath.Join(dir, crawlfolder.RunFile), []byte(live), 0o666); err != nil {
		t.Fatal(err)
	}
	journal := `{"n":1,"url":"http://a.test/","status":200,"digest":"d1"}
{"n":2,"url":"http://a.test/forms","accept":"text/turtle","status":200,"digest":"d2"}
{"n":3,"url":"http://a.test/forms","status":200,"digest":"d3","accepted":true}
{"n":4,"url":"http://a.test/r","status":301,"redirect":"http://a.test/","accepted":true}
{"n":5,"url":"http://a.test/gone","status":404,"error":"status","digest":"d4"}
{"n":6,"url":"http://a.test/sparql","query":"ASK {}","status":200,"digest":"d5","accepted":true}
{"n":7,"url":"http://a.test/","status":200,"digest":"d6","accepted":true}
{"n":8,"url":"http://a.test/no","status":200,"digest":"d7"}
{"n":9,"url":"http://a.test/torn`
	if err := os.WriteFile(filepath.Join(dir, ledger.JournalFile), []byte(journal), 0o666); err != nil {
		t.Fatal(err)
	}
	sheet := filepath.Join(t.TempDir(), "sheet.csv")
	told, log, err := rated(t, dir, sheet, 1)
	if err != nil || !strings.Contains(log, "titles and snippets stay empty: ") || !strings.Contains(log, "keeps no archive") || !strings.Contains(log, "pages without a snippet: 3") {
		t.Fatal(told, log, err)
	}
	got := map[string]string{}
	for _, row := range tableOf(t, sample.KeyOf(sheet))[1:] {
		got[row[2]] = row[1]
	}
	if want := "map[http://a.test/:yes http://a.test/forms:yes http://a.test/no:no]"; fmt.Sprint(got) != want {
		t.Errorf("%v, want %s", got, want)
	}
}

// TestRateDamaged: fields that the archive cannot supply stay empty with a warning, and no row is lost.
func TestRateDamaged(t *testing.T) {
	dir, sheet := apptest.CrawledFor(t, "archive: on\n"), filepath.Join(t.TempDir(), "sheet.csv")
	warcs, _ := filepath.Glob(filepath.Join(crawlfolder.Archive(dir), "*.warc.gz"))
	content, err := os.ReadFile(warcs[0])
	if err != nil {
		t.Fatal(err)
	}
	for i := len(content) / 2; i < len(content)/2+4096; i++ {
		content[i] ^= 0x55
	}
	if err := os.WriteFile(warcs[0], content, 0o666); err != nil {
		t.Fatal(err)
	}
	_, log, err := rated(t, dir, sheet, 1)
	if err != nil || !strings.Contains(log, "left out: ") || !strings.Contains(log, "pages without a snippet: ") {
		t.Error(log, err)
	}
	empty := 0
	for i, row := range tableOf(t, sheet) {
		if row[0] == "" || row[3] == "" {
			t.Errorf("row %d: %q", i, row)
		}
		if row[2] == "" {
			empty++
		}
	}
	if empty == 0 || empty > 60 {
		t.Errorf("%d rows without a snippet", empty)
	}
}

// TestRateRefuses: an impossible sample is refused before anything is written, and existing files are kept, because they
// may hold answers.
func TestRateRefuses(t *testing.T) {
	dir, out := apptest.CrawledFor(t, ""), t.TempDir()
	at := func(name string) string { return filepath.Join(out, name) }
	for _, name := range []string{"answered.csv", "other.key.csv"} {
		if err := os.WriteFile(at(name), []byte("precious"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	void := toy.Bare(t)
	if err := os.WriteFile(filepath.Join(void, ledger.JournalFile), []byte(`{"n":1,"url":"http://a.test/","error":"absent"}`+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	good := rating.DefaultDesign()
	for name, tc := range map[string]struct {
		dir, out string
		design   rating.Design
		want     string
	}{
		"no folder":          {at("none"), at("a.csv"), good, "no such folder"},
		"no crawl":           {out, at("a.csv"), good, "not a crawl folder"},
		"nothing crawled":    {toy.Bare(t), at("a.csv"), good, "nothing was crawled yet"},
		"no page":            {void, at("a.csv"), good, "it has no page to rate"},
		"a sheet is there":   {dir, at("answered.csv"), good, "answered.csv exists"},
		"a key is there":     {dir, at("other.csv"), good, "other.key.csv exists"},
		"a key's name":       {dir, at("a.key.csv"), good, "reserved for the key"},
		"into the crawl":     {dir, filepath.Join(dir, "a.csv"), good, "crawl's folder"},
		"no such place":      {dir, at("none/a.csv"), good, "none"},
		"a folder":           {dir, out, good, "not a regular file"},
		"no design":          {dir, at("a.csv"), rating.Design{Z: 1.96, Error: 2, Sigma: 0.5}, "error 2: it is above 0 and below 1"},
		"a broken line":      {brokenJournal(t), at("a.csv"), good, ledger.JournalFile + ":1"},
		"two things at once": {at("none"), at("answered.csv"), rating.Design{}, "answered.csv exists"},
	} {
		err := sample.Draw(t.Context(), &console.Console{Out: &bytes.Buffer{}, Err: &bytes.Buffer{}}, tc.dir, sample.Options{Out: tc.out, Design: tc.design})
		if !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v, want %q", name, err, tc.want)
		}
	}
	entries, _ := os.ReadDir(out)
	content, _ := os.ReadFile(at("answered.csv"))
	if len(entries) != 2 || string(content) != "precious" {
		t.Errorf("%v, %s", entries, content)
	}
}

// brokenJournal returns a crawl folder whose pages.jsonl is not JSON.
func brokenJournal(t *testing.T) string {
	t.Helper()
	dir := toy.Bare(t)
	if err := os.WriteFile(filepath.Join(dir, ledger.JournalFile), []byte("{\"n\":\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	return dir
}
