//go:build e2e

package crawls_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"orbweaver"
	"orbweaver/internal/apptest"
	"orbweaver/internal/apptest/toy"
	"orbweaver/internal/apptest/verbs"
	"orbweaver/internal/assembly"
	"orbweaver/internal/console"
	"orbweaver/internal/inspect"
	"orbweaver/internal/job"
	"orbweaver/internal/offline/export"
	"orbweaver/internal/step"
	"orbweaver/internal/view"
	"orbweaver/ledger"
)

// journalFolder returns a crawl folder with the outcomes of lines of pages.jsonl.
func journalFolder(t *testing.T, journal string) string {
	t.Helper()
	dir := toy.Bare(t)
	l, err := ledger.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	for text := range strings.Lines(journal) {
		var line ledger.Line
		if err := json.Unmarshal([]byte(text), &line); err != nil {
			t.Fatal(err)
		}
		if err := commit(l, line); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

// commit commits the outcome of a line.
func commit(l *ledger.Ledger, line ledger.Line) error {
	r := orbweaver.Request{URL: line.URL, Depth: line.Depth, Parent: line.Parent}
	o := &orbweaver.Outcome{
		Request: r, Status: line.Status, Redirect: line.Redirect,
		Actual: orbweaver.Judgement{Score: line.Score, Accepted: line.Accepted, Class: line.Class, Reasons: line.Reasons},
	}
	if line.Predicted != nil {
		o.Predicted.Score = line.Predicted.Score
	}
	switch {
	case line.Error != "":
		o.Err = line.Error
	case line.Redirect == "":
		o.Page = &orbweaver.Page{Request: r, URL: line.URL, Size: line.Bytes}
	}
	id, fresh := l.Offer(r)
	if fresh {
		if err := l.Commit(step.Batch{Waiting: []step.Waiting{{ID: id, Proposal: orbweaver.Proposal{Request: r}}}}); err != nil {
			return err
		}
	} else {
		o.Change = orbweaver.Changed
	}
	return l.Commit(step.Batch{Done: id, Outcome: o})
}

// someLines include a refresh: b was accepted first and rejected later.
const someLines = `{"n":1,"url":"http://b.test/","status":200,"bytes":5,"predicted":{"score":1},"score":0.9,"accepted":true}
{"n":2,"url":"http://a.test/x?a=1&b=2","status":200,"bytes":70,"depth":1,"predicted":{"score":0.25},"score":0.5,"accepted":true,"reasons":[{"rule":"entity","evidence":"plane: \"x\", y","weight":1}]}
{"n":3,"url":"http://sub.a.test/","status":404,"error":"status","depth":2,"predicted":{"score":0.5}}
{"n":4,"url":"http://a.test/old","status":301,"redirect":"http://b.test/","predicted":{"score":0.5},"score":0.9,"accepted":true}
{"n":5,"url":"http://b.test/","status":200,"bytes":6,"predicted":{"score":1},"score":0.1}
{"n":6,"url":"http://sub.a.test/y","status":200,"bytes":9,"depth":3,"predicted":{"score":0.1},"score":0.5}
`

func TestPages(t *testing.T) {
	dir := journalFolder(t, someLines)
	for _, tc := range []struct {
		name  string
		query ledger.PageQuery
		opts  view.PagesOptions
		want  string // numbers in order
	}{
		{"all, as fetched", ledger.PageQuery{}, view.PagesOptions{}, "2 5 6"},
		{"accepted: the last line of a URL counts", ledger.PageQuery{Accepted: true}, view.PagesOptions{}, "2"},
		{"by score, equals as fetched", ledger.PageQuery{Sort: "score"}, view.PagesOptions{}, "2 6 5"},
		{"by url", ledger.PageQuery{Sort: "url"}, view.PagesOptions{}, "2 5 6"},
		{"by bytes", ledger.PageQuery{Sort: "bytes"}, view.PagesOptions{}, "2 6 5"},
		{"by depth", ledger.PageQuery{Sort: "depth"}, view.PagesOptions{}, "5 2 6"},
		{"a host with its subdomains", ledger.PageQuery{Host: "a.test"}, view.PagesOptions{}, "2 6"},
		{"a subdomain", ledger.PageQuery{Host: "sub.a.test"}, view.PagesOptions{}, "6"},
		{"no suffix of a name", ledger.PageQuery{Host: "test"}, view.PagesOptions{}, "2 5 6"},
		{"a host that only ends alike", ledger.PageQuery{Host: ".test"}, view.PagesOptions{}, ""},
		{"from a score on", ledger.PageQuery{MinScore: 0.5}, view.PagesOptions{}, "2 6"},
		{"the best one", ledger.PageQuery{Sort: "score", Limit: 1}, view.PagesOptions{}, "2"},
		{"with failures and redirects", ledger.PageQuery{}, view.PagesOptions{Columns: []string{"n", "status"}}, "2 3 4 5 6"},
		{"accepted pages alone, failures asked for", ledger.PageQuery{Accepted: true}, view.PagesOptions{Columns: []string{"n", "error"}}, "2"},
	} {
		tc.opts.Format = "csv"
		if !slices.Contains(tc.opts.Columns, "n") {
			tc.opts.Columns = []string{"n"}
		}
		text, err := apptest.Saying(func(j *job.Job) error { return verbs.Pages(t.Context(), j, dir, tc.query, tc.opts) })
		if err != nil {
			t.Errorf("%s: %v", tc.name, err)
			continue
		}
		rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		var numbers []string
		for _, row := range rows[1:] {
			numbers = append(numbers, row[0])
		}
		if got := strings.Join(numbers, " "); got != tc.want {
			t.Errorf("%s: %s, want %s", tc.name, got, tc.want)
		}
	}
}

// TestTitlesOfPages: title and snippet are columns, and the title is a default column.
func TestTitlesOfPages(t *testing.T) {
	dir := apptest.CrawledFor(t, "")
	text, err := apptest.Saying(func(j *job.Job) error {
		return verbs.Pages(t.Context(), j, dir, ledger.PageQuery{Accepted: true}, view.PagesOptions{Format: "csv"})
	})
	rows, bad := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err := errors.Join(err, bad); err != nil || len(rows) < 10 || strings.Join(rows[0], ",") != "score,accepted,title,url" {
		t.Fatalf("%v\n%s", err, text)
	}
	for _, row := range rows[1:] {
		if row[2] == "" && !strings.Contains(row[3], "/data/") {
			t.Errorf("%s has no title", row[3])
		}
	}
	text, err = apptest.Saying(func(j *job.Job) error {
		return verbs.Pages(t.Context(), j, dir, ledger.PageQuery{Accepted: true, Sort: "score", Limit: 1}, view.PagesOptions{Columns: []string{"snippet", "title"}, Format: "json"})
	})
	var best struct{ Title, Snippet string }
	if err := errors.Join(err, json.Unmarshal([]byte(text), &best)); err != nil || best.Title == "" || len(best.Snippet) < 40 || len(best.Snippet) > 260 {
		t.Errorf("%v: %s", err, text)
	}
	exported := filepath.Join(t.TempDir(), "x.csv")
	toy.MustExport(t, dir, export.Options{Format: export.CSV, Accepted: true, Out: exported})
	content, err := os.ReadFile(exported)
	if err != nil || !bytes.Contains(content, []byte(",type,title,snippet,digest,")) || !bytes.Contains(content, []byte(best.Title)) {
		t.Errorf("%v: %.300s", err, content)
	}
}

// TestPagesAsJSON: without columns, the JSON of a page equals its line in pages.jsonl; with columns, it has only these.
func TestPagesAsJSON(t *testing.T) {
	dir := journalFolder(t, someLines)
	whole, err := apptest.Saying(func(j *job.Job) error {
		return verbs.Pages(t.Context(), j, dir, ledger.PageQuery{Accepted: true}, view.PagesOptions{Format: "json"})
	})
	if err != nil || whole != strings.SplitAfter(someLines, "\n")[1] {
		t.Errorf("%v\n%s", err, whole)
	}
	text, err := apptest.Saying(func(j *job.Job) error {
		return verbs.Pages(t.Context(), j, dir, ledger.PageQuery{Accepted: true}, view.PagesOptions{Format: "json", Columns: []string{"score", "host", "url", "error"}})
	})
	if want := `{"score":0.5,"host":"a.test","url":"http://a.test/x?a=1&b=2"}` + "\n"; err != nil || text != want {
		t.Errorf("%v\n%s", err, text)
	}
	if !json.Valid([]byte(text)) {
		t.Error("that is no JSON")
	}
}

// TestPagesFit: a table fits the terminal's width, and text from the Web cannot control the terminal.
func TestPagesFit(t *testing.T) {
	long := strings.Repeat("very-long/", 30)
	line := func(n, url string) string {
		return `{"n":` + n + `,"url":"` + url + `","status":200,"predicted":{"score":1},"score":0.5,"class":"a\u001b[31mclass","accepted":true,"parent":"http://p.test/` + long + `"}` + "\n"
	}
	dir := journalFolder(t, line("1", "http://a.test/"+long+"end.html")+line("22", "http://b.test/"))
	for _, width := range []int{40, 60, 80, 200} {
		var out bytes.Buffer
		a := &job.Job{Console: console.Console{Out: &out, Width: width}}
		if err := verbs.Pages(t.Context(), a, dir, ledger.PageQuery{}, view.PagesOptions{}); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimRight(out.String(), "\n"), "\n")
		if len(lines) != 3 || !strings.HasSuffix(lines[1], "nd.html") || !strings.Contains(lines[1], "…") {
			t.Errorf("%d columns:\n%s", width, &out)
		}
		for _, line := range lines {
			if n := utf8.RuneCountInString(line); n > width {
				t.Errorf("%d columns: %d in %q", width, n, line)
			}
		}
	}
	text, err := apptest.Saying(func(j *job.Job) error {
		return verbs.Pages(t.Context(), j, dir, ledger.PageQuery{}, view.PagesOptions{Columns: []string{"n", "class", "parent", "url"}})
	})
	if err != nil || strings.ContainsRune(text, 0x1b) {
		t.Errorf("%v\n%q", err, text)
	}
}

// TestPagesMisused: all problems are reported at once.
func TestPagesMisused(t *testing.T) {
	_, err := apptest.Saying(func(j *job.Job) error {
		return verbs.Pages(t.Context(), j, journalFolder(t, ""), ledger.PageQuery{Sort: "size", Limit: -1}, view.PagesOptions{Format: "xml", Columns: []string{"url", "ulr"}})
	})
	if orbweaver.FailureOf(err) != orbweaver.ErrInput {
		t.Fatal(err)
	}
	for _, word := range []string{`"size"`, `"xml"`, `"ulr"`, "-1"} {
		if !strings.Contains(err.Error(), word) {
			t.Errorf("%v does not tell of %s", err, word)
		}
	}
	for _, dir := range []string{t.TempDir(), "nowhere"} {
		if _, err := apptest.Saying(func(j *job.Job) error {
			return verbs.Pages(t.Context(), j, dir, ledger.PageQuery{}, view.PagesOptions{})
		}); orbweaver.FailureOf(err) != orbweaver.ErrInput {
			t.Errorf("%s: %v", dir, err)
		}
	}
	if text, err := apptest.Saying(func(j *job.Job) error {
		return verbs.Pages(t.Context(), j, toy.Bare(t), ledger.PageQuery{}, view.PagesOptions{})
	}); err != nil || text != "No such page.\n" {
		t.Errorf("a crawl without pages: %q, %v", text, err)
	}
}

// TestReportAgain: rewriting the report of an ended crawl changes nothing.
func TestReportAgain(t *testing.T) {
	folder := t.TempDir()
	told, _ := apptest.CrawlIn(t, folder, toy.DemoLines(t)+toy.DemoFocus(t)+"limits: {requests: 100}\nscope: {exclude: [carriers.example]}\n")
	path := filepath.Join(folder, "crawl", assembly.ReportFile)
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	again, err := apptest.Saying(func(j *job.Job) error { return verbs.Report(t.Context(), j, filepath.Dir(path)) })
	if err != nil || again != told {
		t.Errorf("%v\n%s\nbefore:\n%s", err, again, told)
	}
	after, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(before, after) {
		t.Errorf("another report, %d bytes, not %d, %v", len(after), len(before), err)
	}
	if !bytes.Contains(after, []byte("carriers.example")) || !bytes.Contains(after, []byte("out-of-scope")) {
		t.Error("the report does not tell what was out of scope")
	}
}

// TestReportOfWhatIsLeft: a report can be written in a moved folder of a crawl whose archive is missing.
func TestReportOfWhatIsLeft(t *testing.T) {
	folder, web := t.TempDir(), toy.WebOf(t, []toy.Answer{{URL: "http://a.test/", Body: "<p>an airplane"}})
	apptest.CrawlIn(t, folder, "seeds: [http://a.test/]\nweb: {archive: "+web+"}\nfocus: {breadth_first: {}}\n")
	moved := filepath.Join(t.TempDir(), "moved")
	if err := errors.Join(os.Rename(filepath.Join(folder, "crawl"), moved), os.RemoveAll(web), os.Remove(filepath.Join(moved, assembly.ReportFile))); err != nil {
		t.Fatal(err)
	}
	var out, told bytes.Buffer
	if err := verbs.Report(t.Context(), &job.Job{Console: console.Console{Out: &out, Err: &told}}, moved); err != nil || !strings.Contains(told.String(), "warning") {
		t.Errorf("%v, %s", err, &told)
	}
	if _, err := os.Stat(filepath.Join(moved, assembly.ReportFile)); err != nil || !strings.Contains(out.String(), "nothing waits after 1 requests") {
		t.Errorf("%v\n%s", err, &out)
	}
	if x := apptest.Explained(t, moved, "http://a.test/"); x.Kind != inspect.KindPage {
		t.Errorf("%+v", x)
	}
}
