package eval

import (
	"fmt"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/ledger"
)

// TestRefreshedPagesCountOnce follows one page each through what a refresh can find, and compares the
// report's counts with those of a crawl that met the last state at once.
func TestRefreshedPagesCountOnce(t *testing.T) {
	scored := func(url string, status int, score float64) ledger.Line {
		return ledger.Line{URL: url, Status: status, Score: score, Accepted: score > 0.5, Depth: 1, Bytes: 100}
	}
	gone := ledger.Line{URL: "http://a/gone", Status: 410, Error: orbweaver.ErrStatus}
	other := scored("http://a/forms", 200, 0.1)
	other.Accept = "text/turtle"
	lines := []ledger.Line{
		scored("http://a/same", 200, 0.8), scored("http://a/worse", 200, 0.95), scored("http://a/gone", 200, 0.99),
		scored("http://a/back", 200, 0.6), scored("http://b/moved", 200, 0.98), scored("http://a/forms", 200, 0.9), other,
		{URL: "http://a/never", Status: 404, Error: orbweaver.ErrStatus},
		scored("http://a/same", 304, 0.8), scored("http://a/worse", 200, 0.2), gone,
		{URL: "http://a/back", Status: 404, Error: orbweaver.ErrStatus}, {URL: "http://b/moved", Status: 301, Redirect: "http://a/same", Depth: 1},
		scored("http://a/same", 304, 0.8), scored("http://a/back", 200, 0.7), scored("http://b/unknown", 304, 0.9),
	}
	tally := tallied(lines)
	if tally.standing != (count{4, 3}) || tally.gone != 2 || tally.bytes != 900 {
		t.Errorf("%+v stand, %d are gone, %d bytes", tally.standing, tally.gone, tally.bytes)
	}
	if rows := tally.topHosts(); len(rows) != 1 || rows[0].Pages != 4 || rows[0].Accepted != 3 {
		t.Errorf("hosts %+v", rows)
	}
	if rows := tally.heat(); rows[1].Pages != 4 || rows[1].Cells[2].Pages != 1 || rows[1].Cells[10].Pages != 0 || rows[1].Cells[9].Pages != 1 {
		t.Errorf("map %+v", rows)
	}
	var best []string
	for _, l := range tally.best.list() {
		best = append(best, fmt.Sprint(l.URL, " ", l.Score))
	}
	if got := strings.Join(best, ", "); got != "http://a/forms 0.9, http://a/same 0.8, http://a/back 0.7, http://a/worse 0.2" {
		t.Errorf("best: %s", got)
	}
	if p := tally.curve.Last(); p.Pages != 6 || p.Accepted != 6 {
		t.Errorf("the curve, which goes by first lines, has %+v", p)
	}
	report := crawlReport(t, CrawlFacts{}, lines)
	for _, want := range []string{"Requests: 16. Pages: 4. Accepted: 3.", "<dt><bdi>pages gone since</bdi></dt><dd><bdi>2</bdi>"} {
		if !strings.Contains(report, want) {
			t.Errorf("the report has no %q", want)
		}
	}
}

// TestBetterFormStands: of two forms of a page the better counts, whichever came first.
func TestBetterFormStands(t *testing.T) {
	html, turtle := page("http://a/", true), page("http://a/", false)
	turtle.Accept = "text/turtle"
	gone := ledger.Line{URL: "http://a/", Accept: "text/turtle", Status: 404, Error: orbweaver.ErrStatus}
	for i, lines := range [][]ledger.Line{{html, turtle}, {turtle, html}, {html, gone}, {html, turtle, gone}, {gone, html}} {
		if got := tallied(lines).standing; got != (count{1, 1}) {
			t.Errorf("case %d: %+v", i, got)
		}
	}
}
