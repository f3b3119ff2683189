package eval

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/internal/tier"
	"orbweaver/ledger"
	"orbweaver/server/door/doortest"
)

// accepted is a line of an accepted page.
func accepted(n int, url string, score float64) ledger.Line {
	return ledger.Line{N: int64(n), URL: url, Status: 200, Type: "text/html", Score: score, Accepted: true, Title: fmt.Sprintf("Page %d", n),
		Snippet: "The gliders rise.", Reasons: []orbweaver.Reason{{Rule: "raw", Weight: 0.1}, {Rule: "entity", Evidence: "glider: gliders ×1", Weight: 0.1}}}
}

// repeating is a line of a page with the bytes of another.
func repeating(l ledger.Line, of string) ledger.Line {
	l.Reasons = []orbweaver.Reason{{Rule: "duplicate", Evidence: of, Weight: l.Score}}
	return l
}

// dataOf are the results that a report has within it.
func dataOf(t *testing.T, report string) (data struct{ Pages, RDF []hit }) {
	t.Helper()
	_, rest, found := strings.Cut(report, dataBegin)
	text, _, ends := strings.Cut(rest, "</script>")
	if err := json.Unmarshal([]byte(text), &data); !found || !ends || err != nil {
		t.Fatalf("no data: %v", err)
	}
	return data
}

// urlsOf are the addresses of results.
func urlsOf(hits []hit) (urls []string) {
	for _, h := range hits {
		urls = append(urls, h.URL)
	}
	return urls
}

// TestResults: the best first, copies folded into their originals, RDF apart, and what a page is told of by.
func TestResults(t *testing.T) {
	turtle := accepted(5, "http://a.test/data.ttl", 0.9)
	turtle.Type, turtle.Title, turtle.Snippet, turtle.Reasons = "text/turtle", "", "", []orbweaver.Reason{{Rule: "media-type", Evidence: "text/turtle", Weight: 1}}
	rejected := accepted(6, "http://a.test/no", 0.8)
	rejected.Accepted = false
	changed := accepted(9, "http://a.test/changed", 0.1)
	changed.Accepted = false
	lines := []ledger.Line{
		accepted(1, "http://a.test/worse", 0.3), accepted(2, "http://a.test/best", 0.7), repeating(accepted(3, "http://b.test/copy", 0.7), "http://a.test/best"),
		repeating(accepted(4, "http://c.test/copy", 0.3), "http://a.test/worse"), turtle, rejected,
		accepted(7, "http://a.test/changed", 0.5), repeating(accepted(8, "http://b.test/orphan", 0.5), "http://a.test/changed"), changed,
		repeating(accepted(10, "http://c.test/orphan", 0.5), "http://a.test/changed"),
	}
	facts := CrawlFacts{Name: "gliders", Target: []string{"http://x.test/ontology#Glider"}, Truth: truthOf("http://a.test/best")}
	report := crawlReport(t, facts, lines)
	selfContained(t, report)
	data := dataOf(t, report)
	if got, want := urlsOf(data.Pages), []string{"http://a.test/best", "http://b.test/orphan", "http://a.test/worse"}; !slices.Equal(got, want) {
		t.Errorf("pages %q, want %q", got, want)
	}
	if got := urlsOf(data.RDF); !slices.Equal(got, []string{"http://a.test/data.ttl"}) {
		t.Errorf("RDF %q", got)
	}
	best := data.Pages[0]
	if !slices.Equal(best.Copies, []string{"http://b.test/copy"}) || !best.Relevant || data.Pages[1].Relevant || best.Host != "a.test" || best.Shown != "0.700" {
		t.Errorf("%+v", best)
	}
	if !slices.Equal(data.Pages[1].Copies, []string{"http://c.test/orphan"}) {
		t.Errorf("of copies whose original is no result the first stands for them: %+v", data.Pages[1])
	}
	if !slices.Equal(best.Snippet, []string{"The ", "gliders", " rise."}) || !slices.Equal(best.Why, []string{"it names “glider”: gliders ×1"}) {
		t.Errorf("%q, %q", best.Snippet, best.Why)
	}
	for _, want := range []string{"Looked for: <b><bdi>Glider</bdi></b>", "<h3>RDF documents</h3>", "The <mark>gliders</mark> rise.", "told of with it: 3.", "Pages: 3. RDF documents: 1."} {
		if !strings.Contains(report, want) {
			t.Errorf("the report has no %q", want)
		}
	}
	if rdf, pages := strings.Index(report, "http://a.test/data.ttl"), strings.Index(report, "http://a.test/best"); rdf < 0 || pages < rdf {
		t.Errorf("the document of RDF, the best of all, stands at %d, the best page at %d", rdf, pages)
	}
	if answer, curve := strings.Index(report, `id="results"`), strings.Index(report, "<svg "); answer < 0 || curve < answer {
		t.Errorf("the answer stands at %d, the first curve at %d", answer, curve)
	}
	if again := crawlReport(t, facts, lines); again != report {
		t.Error("another report differs")
	}
}

// truthOf is a truth of one page.
func truthOf(url string) Truth { return onePage(url) }

type onePage string

func (p onePage) Relevant(url string) bool { return url == string(p) }

// TestManyResults: what a file holds is bounded in number and in bytes, and what it leaves out is told.
func TestManyResults(t *testing.T) {
	for name, tc := range map[string]struct {
		n, long     int
		some, least int
	}{
		"many": {keptPages + 500, 0, keptPages, keptPages}, "large": {9000, 1500, 9000, 3000}, "addresses without end": {20, 5000, 0, 0},
	} {
		var lines []ledger.Line
		for i := range tc.n {
			lines = append(lines, accepted(i+1, fmt.Sprintf("http://h%d.test/%d%s", i%40, i, strings.Repeat("x", tc.long)), 1-float64(i)/float64(2*tc.n)))
		}
		report := crawlReport(t, CrawlFacts{Folder: "crawls/x"}, lines)
		n := len(dataOf(t, report).Pages)
		if n < tc.least || n > tc.some || len(report) > resultsBytes+4<<20 {
			t.Errorf("%s: %d results, %d bytes", name, n, len(report))
		}
		if left := fmt.Sprintf("whose size is bounded: %d. <code>orbweaver pages crawls/x --accepted</code>", tc.n-n); n < tc.n != strings.Contains(report, left) {
			t.Errorf("%s: %d of %d results, and no word of it", name, n, tc.n)
		}
		if shown := strings.Count(report, "<ol class=\"hits\"><li>") + strings.Count(report, "\n<li>\n<h3"); shown > firstResults {
			t.Errorf("%s: %d results for who has no JavaScript", name, shown)
		}
	}
}

// TestPolicy: a browser may run the script of a report, and load nothing.
func TestPolicy(t *testing.T) {
	report := crawlReport(t, CrawlFacts{}, []ledger.Line{accepted(1, "http://a.test/", 1)})
	if !strings.Contains(report, "<script>"+resultsScript+"</script>") {
		t.Error("the script is not as its hash says")
	}
	if !regexp.MustCompile(`<meta http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;; style-src &#39;unsafe-inline&#39;; script-src &#39;sha256-[^ ]+&#39;; base-uri &#39;none&#39;; form-action &#39;none&#39;">`).MatchString(report) {
		t.Errorf("%.400s", report)
	}
	if regexp.MustCompile(`(?i)innerHTML|eval\(|document\.write|fetch\(|XMLHttp`).MatchString(resultsScript) {
		t.Error("the script puts markup into the page, or asks the network")
	}
}

// usingScript uses the controls of a report, and says in its title what came of it.
const usingScript = `<script>
var get = function (id) { return document.getElementById(id); }, log = [];
var urls = function () { return Array.from(document.querySelectorAll("#hits h3")).map(function (h) { return h.textContent; }); };
var told = function (what) { log.push(what + ": " + get("told").textContent + ", first " + urls()[0] + ", shown " + urls().length); };
var choose = function (id, v) { get(id).value = v; get(id).dispatchEvent(new Event("change")); };
told("at first");
get("on").click(); told("on");
choose("order", "n"); told("by order");
choose("kind", "rdf"); told("rdf");
choose("kind", "pages"); choose("order", "p");
get("words").value = "HOSTILE page"; get("words").dispatchEvent(new Event("input"));
setTimeout(function () {
  told("filtered");
  log.push("elements within titles: " + document.querySelectorAll("#hits h3 img, #hits h3 script").length);
  log.push("links to scripts: " + document.querySelectorAll("a[href^=javascript]").length);
  document.body.textContent = log.join("\n");
}, 400);
</script>`

// TestResultsInABrowser: the script filters, sorts and pages under the report's own policy, and what the Web
// wrote stays text.
func TestResultsInABrowser(t *testing.T) {
	tier.Long(t, "a browser shows a report")
	browser := doortest.Chromium(t)
	var lines []ledger.Line
	for i := range 120 {
		l := accepted(i+1, fmt.Sprintf("http://h%d.test/%d", i%7, i+1), float64(i+1)/200)
		if i%40 == 5 {
			l.Type = "text/turtle"
		}
		lines = append(lines, l)
	}
	lines[7].Title = `Hostile page </script><img src=x onerror="document.title='run'">` + "\u202egnp.exe"
	lines[8].URL, lines[8].Title = "javascript:alert(1)", "Hostile page of a script"
	report := crawlReport(t, CrawlFacts{}, lines)
	for name, tc := range map[string]struct {
		report string
		want   []string
	}{
		"under its policy": {report, []string{`>1–50 of 117 pages</p>`, `page 1 of 3`, "\ufffdgnp.exe"}},
		"used": {regexp.MustCompile(`<meta http-equiv="Content-Security[^>]*>`).ReplaceAllString(report, "") + usingScript, []string{
			"at first: 1–50 of 117 pages, first Page 120, shown 50", "on: 51–100 of 117 pages, first Page 69, shown 50", "by order: 1–50 of 117 pages, first Page 1, shown 50",
			"rdf: 1–3 of 3 RDF documents, first Page 6, shown 3", "filtered: 1–2 of 2 pages, filtered from 117, first Hostile page of a script, shown 2",
			"elements within titles: 0", "links to scripts: 0"}},
	} {
		if tc.report == report {
			lines[7].Score = 1 // among the first
			tc.report = crawlReport(t, CrawlFacts{}, lines)
		}
		file := filepath.Join(t.TempDir(), "report.html")
		if err := os.WriteFile(file, []byte(tc.report), 0o666); err != nil {
			t.Fatal(err)
		}
		shown, err := exec.CommandContext(t.Context(), browser, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
			"--disable-component-update", "--disable-sync", "--virtual-time-budget=2000", "--user-data-dir="+t.TempDir(), "--dump-dom", "file://"+file).Output()
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range tc.want {
			if !strings.Contains(string(shown), want) {
				t.Errorf("%s: no %q in %.1500s", name, want, shown)
			}
		}
	}
}
