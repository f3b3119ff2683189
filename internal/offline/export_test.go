package offline

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"orbweaver"
	"orbweaver/fetch/archive"
	"orbweaver/internal/apptest"
	"orbweaver/internal/apptest/toy"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/job"
	"orbweaver/internal/offline/export"
	"orbweaver/ledger"
)

// asJudged removes thresholds from lines, and keeps the verdicts.
func asJudged(t *testing.T, lines string) string {
	t.Helper()
	var b strings.Builder
	for line := range strings.Lines(lines) {
		var l ledger.Line
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatal(err)
		}
		l.Accepted, l.Threshold = false, 0
		again, err := json.Marshal(l)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(append(again, '\n'))
	}
	return b.String()
}

// chosenURLs returns the URLs of pages, in the crawl's order.
func chosenURLs(lines []ledger.Line, accepted bool) (urls []string) {
	for _, l := range lines {
		if export.IsPage(l) && (!accepted || l.Accepted) {
			urls = append(urls, l.URL)
		}
	}
	return urls
}

func TestExportAsTables(t *testing.T) {
	dir := apptest.CrawledFor(t, "")
	journal, err := os.ReadFile(filepath.Join(dir, ledger.JournalFile))
	if err != nil {
		t.Fatal(err)
	}
	lines := toy.LinesOf(t, dir)
	all := toy.MustExport(t, dir, export.Options{Format: export.JSONL})
	if got := asJudged(t, all); got != asJudged(t, string(journal)) {
		t.Errorf("jsonl is not pages.jsonl but for verdicts: %d bytes, not %d", len(got), len(journal))
	}
	accepted := toy.MustExport(t, dir, export.Options{Format: export.JSONL, Accepted: true})
	for line := range strings.Lines(accepted) {
		if !strings.Contains(all, line) || !strings.Contains(line, `"accepted":true`) {
			t.Errorf("a malformed or rejected line: %s", line)
		}
	}
	for _, only := range []bool{false, true} {
		want := chosenURLs(lines, only)
		if len(want) < 50 {
			t.Fatalf("only %d pages", len(want))
		}
		got := strings.Fields(toy.MustExport(t, dir, export.Options{Format: export.URLs, Accepted: only}))
		if !slices.Equal(got, want) {
			t.Errorf("accepted %v: %d URLs, want %d", only, len(got), len(want))
		}
	}
	if n := strings.Count(accepted, "\n"); n != len(chosenURLs(lines, true)) {
		t.Errorf("%d accepted lines", n)
	}
	out := filepath.Join(t.TempDir(), "t.csv")
	messages := toy.MustExport(t, dir, export.Options{Format: export.CSV, Out: out})
	table, err := os.ReadFile(out)
	if err != nil || !strings.Contains(messages, "200 lines") {
		t.Fatal(messages, err)
	}
	checkTable(t, string(table), lines)
}

// checkTable compares a table with lines.
func checkTable(t *testing.T, table string, lines []ledger.Line) {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(table)).ReadAll()
	if err != nil || len(rows) != len(lines)+1 || !slices.Equal(rows[0], export.CSVColumns()) {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for i, l := range lines {
		row := map[string]string{}
		for c, name := range rows[0] {
			row[name] = rows[i+1][c]
		}
		if row["url"] != l.URL || row["score"] != export.Number(l.Score) || row["redirect"] != l.Redirect || row["error"] != string(l.Error) {
			t.Errorf("line %+v is %v", l, row)
		}
		for _, r := range l.Reasons {
			if !strings.Contains(row["reasons"], r.Rule+": "+r.Evidence) && r.Evidence != "" {
				t.Errorf("%s: no %q in %q", l.URL, r.Evidence, row["reasons"])
			}
		}
	}
}

// TestExportOfArchives: a crawl with its own archive and one of another archive export the same pages as
// WARC, WACZ and text; a crawl of the exported archive finds each page.
func TestExportOfArchives(t *testing.T) {
	for name, more := range map[string]string{"its own": "archive: on\n", "the one it crawled": ""} {
		t.Run(name, func(t *testing.T) {
			dir, out := apptest.CrawledFor(t, more), t.TempDir()
			lines := toy.LinesOf(t, dir)
			for _, only := range []bool{false, true} {
				sub := filepath.Join(out, map[bool]string{true: "accepted", false: "all"}[only])
				if err := os.Mkdir(sub, 0o777); err != nil {
					t.Fatal(err)
				}
				opts := export.Options{Format: export.WARC, Accepted: only, Out: filepath.Join(sub, "a.warc.gz")}
				toy.MustExport(t, dir, opts)
				checkWeb(t, opts.Out, lines, only)
				opts.Format, opts.Out = export.WACZ, filepath.Join(sub, "a.wacz")
				toy.MustExport(t, dir, opts)
				checkWACZ(t, opts.Out, lines, only)
				opts.Format, opts.Out = export.Text, filepath.Join(sub, "texts")
				opts.Entity = new(job.Job).EntityName
				if _, _, err := toy.Exported(dir, opts); err != nil {
					t.Fatal(err)
				}
				checkTexts(t, opts.Out, lines, only)
				if left, _ := filepath.Glob(filepath.Join(sub, "*.tmp*")); len(left) > 0 {
					t.Errorf("%v are left", left)
				}
			}
		})
	}
}

// checkWeb verifies that a WARC file holds the pages, and the redirects that lead to them.
func checkWeb(t *testing.T, path string, lines []ledger.Line, only bool) {
	t.Helper()
	web, err := archive.OpenWeb([]string{path}, archive.WebOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer web.Close()
	if w := web.Warnings(); len(w) > 0 {
		t.Error(w)
	}
	held := map[string]int{}
	for e := range web.All() {
		held[e.URL] = e.Status
	}
	for _, l := range lines {
		want := l.Status != 0 && (!only || export.IsAccepted(l))
		if status, has := held[l.URL]; want != has && l.Redirect == "" || has && status != l.Status {
			t.Errorf("%s: is there: %v, with %d; want %v, with %d", l.URL, has, status, want, l.Status)
		}
		if !export.IsPage(l) || !want {
			continue
		}
		resp, err := web.Fetch(t.Context(), orbweaver.Request{URL: l.URL})
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		if err != nil || int64(len(body)) != l.Bytes {
			t.Errorf("%s: %d bytes, want %d: %v", l.URL, len(body), l.Bytes, err)
		}
		resp.Body.Close()
	}
}

// checkWACZ verifies the list of pages; other tests cover the rest of a WACZ.
func checkWACZ(t *testing.T, path string, lines []ledger.Line, only bool) {
	t.Helper()
	z, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	f, err := z.Open("pages/pages.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	titled := 0
	for line := range strings.Lines(string(text)) {
		var p struct{ URL, Title string }
		if err := json.Unmarshal([]byte(line), &p); err != nil {
			t.Fatal(err)
		}
		if p.URL != "" {
			got = append(got, p.URL)
		}
		if p.Title != "" {
			titled++
		}
	}
	want := chosenURLs(lines, only)
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) || titled < len(want)/2 {
		t.Errorf("%d pages of which %d have a title, want %d", len(got), titled, len(want))
	}
}

func checkTexts(t *testing.T, folder string, lines []ledger.Line, only bool) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.txt"))
	if err != nil {
		t.Fatal(err)
	}
	byURL := map[string]ledger.Line{}
	for _, l := range lines {
		byURL[l.URL] = l
	}
	for _, path := range files {
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		h, text := textHeadOf(t, string(content))
		l := byURL[h.URL]
		if h.Score != l.Score || h.Accepted != l.Accepted || h.Type != l.Type || h.Fetched == "" || !slices.Equal(h.Entities, entitiesOf(l.Reasons)) {
			t.Errorf("%s: %+v, want %+v", path, h, l)
		}
		if strings.TrimSpace(text) == "" || strings.Contains(text, "<p>") {
			t.Errorf("%s: text %.100q", path, text)
		}
	}
	if want := len(chosenURLs(lines, only)); len(files) > want || len(files) < want*9/10 {
		t.Errorf("%d texts of %d pages", len(files), want)
	}
}

// TestExportOfRefreshed: the last of several lines about a page counts; a redirect to an accepted page is
// not exported as a page, but is archived with it.
func TestExportOfRefreshed(t *testing.T) {
	dir := toy.Bare(t)
	journal := `{"n":1,"url":"http://a.test/","status":200,"digest":"d1","accepted":true,"score":0.5}
{"n":2,"url":"http://a.test/b","status":200,"digest":"d2"}
{"n":3,"url":"http://a.test/r","status":301,"redirect":"http://a.test/s","accepted":true}
{"n":4,"url":"http://a.test/s","status":302,"redirect":"http://a.test/b"}
{"n":5,"url":"http://a.test/","status":404,"error":"status"}
{"n":6,"url":"http://a.test/b","status":304,"digest":"d2","accepted":true}
{"n":7,"url":"http://a.test/torn`
	if err := os.WriteFile(filepath.Join(dir, ledger.JournalFile), []byte(journal), 0o666); err != nil {
		t.Fatal(err)
	}
	if got := toy.MustExport(t, dir, export.Options{Format: export.URLs}); got != "http://a.test/b\n" {
		t.Errorf("URLs %q", got)
	}
	if got := toy.MustExport(t, dir, export.Options{Format: export.JSONL, Accepted: true}); strings.Count(got, "\n") != 1 || !strings.HasPrefix(got, `{"n":6,`) {
		t.Errorf("lines %s", got)
	}
	if got := toy.MustExport(t, dir, export.Options{Format: export.JSONL}); strings.Count(got, "\n") != 4 || strings.Contains(got, `"n":1,`) {
		t.Errorf("lines %s", got)
	}
	lines, err := journalOf(dir).Stand()
	if err != nil {
		t.Fatal(err)
	}
	picked, err := lines.Pick(true, true)
	if err != nil {
		t.Fatal(err)
	}
	var numbers []int64
	for _, k := range picked.All {
		numbers = append(numbers, k.N)
	}
	if !slices.Equal(numbers, []int64{3, 4, 6}) {
		t.Errorf("picked lines %v, want the redirects 3 and 4 and the page 6", numbers)
	}
}

func journalOf(dir string) export.Journal {
	path := filepath.Join(dir, ledger.JournalFile)
	return export.Journal{Path: path, Length: 1 << 40}
}

// TestExportWhileItRuns: export works while another process holds the ledger.
func TestExportWhileItRuns(t *testing.T) {
	dir := apptest.CrawledFor(t, "archive: on\n")
	l, err := ledger.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	want := chosenURLs(toy.LinesOf(t, dir), false)
	if got := strings.Fields(toy.MustExport(t, dir, export.Options{Format: export.URLs})); !slices.Equal(got, want) {
		t.Errorf("%d URLs, want %d", len(got), len(want))
	}
	toy.MustExport(t, dir, export.Options{Format: export.WACZ, Out: filepath.Join(t.TempDir(), "a.wacz")})
}

// TestExportRefuses: an invalid export fails before anything is written, and existing files stay.
func TestExportRefuses(t *testing.T) {
	dir := apptest.CrawledFor(t, "")
	out := t.TempDir()
	full := filepath.Join(out, "full")
	if err := os.MkdirAll(filepath.Join(full, "x"), 0o777); err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		dir  string
		opts export.Options
		want string
	}{
		"no folder":           {out + "/none", export.Options{Format: export.URLs}, "no such folder"},
		"no crawl":            {out, export.Options{Format: export.URLs}, "not a crawl folder"},
		"nothing crawled":     {toy.Bare(t), export.Options{Format: export.URLs}, "nothing was crawled yet"},
		"no such format":      {dir, export.Options{Format: "xml"}, "xml"},
		"warc to nowhere":     {dir, export.Options{Format: export.WARC}, "-o"},
		"text to stdout":      {dir, export.Options{Format: export.Text, Out: "-"}, "folder"},
		"text to full folder": {dir, export.Options{Format: export.Text, Out: full}, "not empty"},
		"file to folder":      {dir, export.Options{Format: export.CSV, Out: full}, "not a regular file"},
		"into the crawl":      {dir, export.Options{Format: export.JSONL, Out: filepath.Join(dir, ledger.JournalFile)}, "crawl's folder"},
		"text into the crawl": {dir, export.Options{Format: export.Text, Out: filepath.Join(dir, "texts")}, "crawl's folder"},
		"no such place":       {dir, export.Options{Format: export.WACZ, Out: out + "/none/a.wacz"}, "none"},
	} {
		if _, _, err := toy.Exported(tc.dir, tc.opts); !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v, want %q", name, err, tc.want)
		}
	}
	if entries, _ := os.ReadDir(out); len(entries) != 1 {
		t.Errorf("%v were written", entries)
	}
}

// TestExportOfDamagedFolders: a malformed line is an error with its position, a damaged record is omitted
// and reported, an archive without index is read, and a line with an unknown digest is omitted.
func TestExportOfDamagedFolders(t *testing.T) {
	dir := apptest.CrawledFor(t, "archive: on\n")
	if err := os.RemoveAll(filepath.Join(dir, "ledger")); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "a.warc.gz")
	warcs, _ := filepath.Glob(filepath.Join(crawlfolder.Archive(dir), "*.warc.gz"))
	content, err := os.ReadFile(warcs[0])
	if err != nil {
		t.Fatal(err)
	}
	broken := bytes.Clone(content)
	for i := len(broken) / 2; i < len(broken)/2+4096; i++ {
		broken[i] ^= 0x55
	}
	if err := os.WriteFile(warcs[0], broken, 0o666); err != nil {
		t.Fatal(err)
	}
	messages, log, err := toy.Exported(dir, export.Options{Format: export.WARC, Out: out})
	if err != nil || !strings.Contains(log, "left out: ") || !strings.Contains(log, "at byte") {
		t.Errorf("%v, %s%s", err, messages, log)
	}
	if err := os.WriteFile(warcs[0], content, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(crawlfolder.Archive(dir), "index.cdxj.part")); err != nil {
		t.Fatal(err)
	}
	toy.MustExport(t, dir, export.Options{Format: export.WARC, Out: out})
	checkWeb(t, out, toy.LinesOf(t, dir), false)
	journal := filepath.Join(dir, ledger.JournalFile)
	text, err := os.ReadFile(journal)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(journal, append(text, "{\"n\":\n"...), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, _, err := toy.Exported(dir, export.Options{Format: export.URLs}); !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), ledger.JournalFile+":201") {
		t.Error(err)
	}
}

// textHead is the front matter of a text file.
type textHead struct {
	URL, Title, Fetched, Lang, Type string
	Score                           float64
	Accepted                        bool
	Entities                        []string
}

// textHeadOf splits a text file into front matter and text.
func textHeadOf(t *testing.T, content string) (h textHead, text string) {
	t.Helper()
	front, text, ok := strings.Cut(strings.TrimPrefix(content, "---\n"), "\n---\n\n")
	if err := yaml.Unmarshal([]byte(front), &h); err != nil || !ok {
		t.Fatalf("%v in %s", err, content)
	}
	return h, text
}

// entitiesOf are the names of the entities that reasons name, each once.
func entitiesOf(reasons []orbweaver.Reason) (names []string) {
	for _, r := range reasons {
		if name, ok := new(job.Job).EntityName(r); ok && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}
