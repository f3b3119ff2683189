package eval

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/internal/drawing"
	"orbweaver/ledger"
)

func sequence(lines []ledger.Line) iter.Seq2[ledger.Line, error] {
	return func(yield func(ledger.Line, error) bool) {
		for _, l := range lines {
			if !yield(l, nil) {
				return
			}
		}
	}
}

const dataBegin = `<script type="application/json" id="data">`

func crawlReport(t *testing.T, facts CrawlFacts, lines []ledger.Line) string {
	t.Helper()
	var out bytes.Buffer
	if err := WriteCrawlReport(&out, facts, sequence(lines)); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// selfContained fails the test when a report would load, run or leave open anything, its own script and
// data apart, which are taken away.
func selfContained(t *testing.T, report string) {
	t.Helper()
	report = strings.Replace(report, "<script>"+resultsScript+"</script>", "", 1)
	if before, rest, found := strings.Cut(report, dataBegin); found {
		data, after, _ := strings.Cut(rest, "</script>")
		if !json.Valid([]byte(data)) || strings.ContainsAny(data, "<>&\u2028\u2029") {
			t.Errorf("data that is none, or could end its element: %.300s", data)
		}
		report = before + after
	}
	for _, bad := range []string{"<script", "<img", "<link", "@import", "url(", "src=", "onerror=\"", "ZgotmplZ", "<?xml"} {
		if strings.Contains(report, bad) {
			t.Errorf("the report has %q", bad)
		}
	}
	if grey := regexp.MustCompile(`#(0[0-9A-F]|1[0-2])(0[0-9A-F]|1[0-2])(0[0-9A-F]|1[0-2])`).FindString(report); grey != "" {
		t.Errorf("a colour of the library's is left: %s", grey)
	}
	if n, m := strings.Count(report, "<svg "), strings.Count(report, "</svg>"); n != m {
		t.Errorf("%d drawings begin, %d end", n, m)
	}
}

const hostile = `</style><script>alert("1")</script><img src=x>'"&` + "\u202egnp.exe"

func TestReportsEscape(t *testing.T) {
	c := tenth()
	c.Name, c.Truth, c.Seeds, c.Runs[0].Name = hostile, hostile, []string{hostile}, hostile
	c.Runs[0].Focus, c.Runs[0].Ended, c.Facts = hostile, hostile, []Fact{{hostile, hostile}}
	var out bytes.Buffer
	if err := c.WriteReport(&out); err != nil {
		t.Fatal(err)
	}
	reports := []string{out.String(), crawlReport(t, CrawlFacts{Name: hostile, Focus: hostile, Target: []string{hostile}, Ended: hostile, More: []Fact{{hostile, hostile}}},
		[]ledger.Line{
			{URL: "javascript:alert(1)//" + hostile, Status: 200, Class: hostile, Accepted: true,
				Reasons: []orbweaver.Reason{{Rule: hostile, Evidence: hostile, Weight: 1}}},
			{URL: "http://" + hostile, Error: orbweaver.Failure(hostile)},
		})}
	for i, report := range reports {
		report = strings.ReplaceAll(report, "#ZgotmplZ", "") // where the address of a script stood
		selfContained(t, strings.ReplaceAll(report, "src=x&gt;", ""))
		if strings.Contains(report, `href="javascript`) {
			t.Errorf("report %d links to a script", i)
		}
		if !strings.Contains(report, "&lt;script&gt;alert(") {
			t.Errorf("report %d does not show the text it was given", i)
		}
	}
	if strings.Count(reports[1], "\ufffdgnp.exe") < 3 {
		t.Error("text that turns its direction is shown as it is")
	}
}

func TestComparisonReport(t *testing.T) {
	var out, again bytes.Buffer
	if err := errors.Join(tenth().WriteReport(&out), tenth().WriteReport(&again)); err != nil {
		t.Fatal(err)
	}
	report := out.String()
	selfContained(t, report)
	if report != again.String() {
		t.Error("the same comparison writes different reports")
	}
	for _, want := range []string{"Beyond the budget: 80 %", "25 % of the web: 5 requests", "50 % of the web: 10 requests", "prefers-color-scheme:dark",
		`<tr class="best"><td class="name"><bdi>whole</bdi> ★</td><td>10</td><td>6</td><td>3</td><td>0.500</td><td>0.750</td></tr>`,
		`<bdi>oracle</bdi> (ceiling)`, "ended: 10 requests"} {
		if !strings.Contains(report, want) {
			t.Errorf("the report has no %q", want)
		}
	}
	// two charts in two widths, and a swatch a run under each
	if n := strings.Count(report, "<svg "); n != 4+2*3 {
		t.Errorf("%d drawings, want 10", n)
	}
}

func TestCrawlReport(t *testing.T) {
	truth, lines := tenRequests()
	lines[0].URL, lines[0].Score, lines[0].Depth = "http://a.example/x?y", 0.25, 99
	lines[1].Score, lines[1].Reasons = 0.75, []orbweaver.Reason{{Rule: "entity", Evidence: "Boeing 747", Weight: 0.5}}
	report := crawlReport(t, CrawlFacts{Name: "planes", Truth: truth, TruthName: "three pages", Reachable: 4, Ended: "the frontier is empty"}, lines)
	selfContained(t, report)
	for _, want := range []string{"Requests: 10. Pages: 6. Accepted: 3. Relevant by the truth: 3 of 4", "The crawl ended: <bdi>the frontier is empty</bdi>.",
		"<bdi>a.example</bdi></td><td>1</td><td>1</td>", "30 and more</td><td>1</td><td>1</td>", "<bdi>status 404</bdi>",
		`<li dir="auto">it names Boeing 747</li>`, "<dt><bdi>redirects</bdi></dt><dd><bdi>1</bdi>", ">Recall<"} {
		if !strings.Contains(report, want) {
			t.Errorf("the report has no %q", want)
		}
	}
	if b, a := strings.Index(report, `<bdi>b</bdi></h3>`), strings.Index(report, `href="http://a.example/x?y"`); b < 0 || a < b {
		t.Errorf("the better page stands at %d, the worse at %d", b, a)
	}
	if strings.Contains(crawlReport(t, CrawlFacts{}, lines), "arvest rate") {
		t.Error("a crawl without a truth tells a harvest rate")
	}
}

func TestCrawlReportOfLittle(t *testing.T) {
	if r := crawlReport(t, CrawlFacts{Name: "empty"}, nil); !strings.Contains(r, "Nothing was requested") || strings.Contains(r, "<svg") {
		t.Error("an empty crawl shows a chart")
	}
	if r := crawlReport(t, CrawlFacts{}, []ledger.Line{page("a", false)}); !strings.Contains(r, "None was accepted") || strings.Count(r, "<svg ") != 3 {
		t.Error("a crawl of one page that was not accepted shows no chart, or no word of it")
	}
}

func TestCrawlReportPassesErrorsOn(t *testing.T) {
	broken := func(yield func(ledger.Line, error) bool) {
		_ = yield(page("a", true), nil) && yield(ledger.Line{}, io.ErrUnexpectedEOF)
	}
	var out bytes.Buffer
	err := WriteCrawlReport(&out, CrawlFacts{Name: "x"}, broken)
	if !errors.Is(err, io.ErrUnexpectedEOF) || !strings.Contains(err.Error(), "after line 1") || out.Len() > 0 {
		t.Errorf("error %v, %d bytes written", err, out.Len())
	}
}

// TestCrawlReportStreams feeds hosts and reasons without end and looks at what is kept of them.
func TestCrawlReportStreams(t *testing.T) {
	const n = 300_000
	many := newTally(nil, 0)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for i := range n {
		l := page(fmt.Sprintf("http://%d.example/%s", i, strings.Repeat("x", 500)), i%2 == 0)
		if i%3 == 0 {
			l.Status, l.Error = 0, orbweaver.Failure(fmt.Sprint("reason", i))
		}
		l.Score = float64(i%1000) / 1000
		many.add(l)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if kept := int64(after.HeapAlloc) - int64(before.HeapAlloc); kept > 60<<20 {
		t.Errorf("%d lines of 500 bytes keep %d MB", n, kept>>20)
	}
	rows := many.topHosts()
	pages := 0
	for _, r := range rows {
		pages += r.Pages
	}
	if len(many.hosts) != maxHosts || len(rows) != shownHosts+1 || pages != n*2/3 || !strings.HasPrefix(rows[shownHosts].Name, "more than ") {
		t.Errorf("%d hosts kept, %d shown, %d pages", len(many.hosts), len(rows), pages)
	}
	if len(many.failures) != maxFailures+1 || many.failed != n/3 || len(many.best.kept) != keptPages {
		t.Errorf("%d reasons, %d failures, %d best pages", len(many.failures), many.failed, len(many.best.kept))
	}
}

func TestBestPagesAreThoseOfASort(t *testing.T) {
	var lines []ledger.Line
	var b best
	for i := range 500 {
		l := ledger.Line{N: int64(i), URL: fmt.Sprint(i), Status: 200, Accepted: i%7 == 0, Score: float64(i*37%101) / 100}
		lines = append(lines, l)
		b.offer(ledger.Line{URL: l.URL, Accepted: true, Score: 2})
		b.drop(l.URL)
		b.offer(l)
	}
	slices.SortStableFunc(lines, compareLines)
	for i, l := range b.list() {
		if l.URL != lines[i].URL {
			t.Fatalf("place %d: %s, want %s", i, l.URL, lines[i].URL)
		}
	}
	if !lines[0].Accepted || lines[0].Score < lines[1].Score {
		t.Errorf("the best is %+v", lines[0])
	}
}

func TestStylesDiffer(t *testing.T) {
	c := &Comparison{Runs: make([]Run, 50)}
	c.Runs[3].Oracle = true
	seen := map[string]int{}
	for i, style := range c.styles() {
		key := fmt.Sprint(stylePaint(style), styleLine(style).Dashes)
		if other, ok := seen[key]; ok {
			t.Errorf("runs %d and %d look the same", other, i)
		}
		seen[key] = i
		if c.Runs[i].Oracle != (stylePaint(style) == paintLine) {
			t.Errorf("run %d: the ink is the oracle's colour", i)
		}
	}
}

func TestTicks(t *testing.T) {
	for _, tc := range []struct {
		high float64
		most int
		want string
	}{{1, 5, "0 1 "}, {7, 4, "0 2 4 6 "}, {460, 5, "0 100 200 300 400 "}, {10_000, 4, "0 5000 10k "}, {1e7, 5, "0 2M 4M 6M 8M 10M "}} {
		got := ""
		for _, tick := range ticks(drawing.Axis{Max: tc.high}, tc.most, 1, countLabel) {
			got += tick.Label + " "
		}
		if got != tc.want {
			t.Errorf("to %v, at most %d: %q, want %q", tc.high, tc.most, got, tc.want)
		}
	}
}

func TestHostOf(t *testing.T) {
	for url, want := range map[string]string{
		"http://a.example/x@y": "a.example", "https://a.example:8080": "a.example:8080", "http://u:p@a.example?q": "a.example",
		"http://[::1]/": "[::1]", "": "", "odd": "odd",
	} {
		if got := hostOf(url); got != want {
			t.Errorf("%q: %q, want %q", url, got, want)
		}
	}
}

func BenchmarkCrawlReport(b *testing.B) {
	lines := make([]ledger.Line, 100_000)
	for i := range lines {
		lines[i] = page(fmt.Sprintf("http://host%d.example/articles/%d", i%50, i), i%3 == 0)
		lines[i].Score = float64(i*37%1001) / 1001
	}
	for b.Loop() {
		if err := WriteCrawlReport(io.Discard, CrawlFacts{}, sequence(lines)); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(lines)), "ns/line")
}
