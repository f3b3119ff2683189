package eval

import (
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"

	"orbweaver/internal/drawing"
)

// rounds are n of them: round i has i pages, a quarter of them accepted, and cosines that fall.
func rounds(first, n int) []RoundFacts {
	all := make([]RoundFacts, n)
	for i := range all {
		r := first + i
		all[i] = RoundFacts{Round: r, Pages: 4 * r, Accepted: r, CosItem: 1 / float64(r), CosL0: 2 / float64(r+2),
			Items: 5 * r, Layers: []int{1, r, 3 * r}, Inferred: r / 2, Terms: 900 * r, Labels: 7 * r, Relations: r / 3, Alpha: r, Beta: r / 4}
	}
	return all
}

// words are the words of a part of a report, one space between them.
func words(page string) string {
	page = regexp.MustCompile(`(?s)<svg.*?</svg>`).ReplaceAllString(page, "")
	bare := regexp.MustCompile(`<[^>]*>`).ReplaceAllString(page, " ")
	return strings.Join(strings.Fields(strings.ReplaceAll(bare, "&#43;", "+")), " ")
}

func TestRoundsOfACrawlReport(t *testing.T) {
	some := rounds(1, 20)
	some[3].Layers = []int{1, 4} // there was no third layer then
	report := crawlReport(t, CrawlFacts{Rounds: some}, nil)
	selfContained(t, report)
	text := words(report)
	for _, want := range []string{"Rounds 1 to 20.", "cosine to item to layer 0 in layer 0 in layer 1 in layer 2 items",
		"4 16 4 0.250 0.250 0.333 1 4 0 20 3600 28 1 4 1 2 5 20 5", "20 80 20 0.250 0.050 0.091 1 20 60 100 18000 140 6 20 5 10"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %s", want, text)
		}
	}
	if strings.Contains(text, "more") || strings.Contains(text, "stand for") {
		t.Errorf("twenty rounds are shown one by one: %s", text)
	}
	// cosine, acceptance, three layers, six of what is known; two of them have two lines and a legend
	if n := strings.Count(report, "<figure>"); n != 11 || strings.Count(report, "<svg ") != n+4 {
		t.Errorf("%d charts, %d drawings", n, strings.Count(report, "<svg "))
	}
	if none := crawlReport(t, CrawlFacts{}, nil); strings.Contains(none, "Round by round") {
		t.Error("a crawl without rounds tells of them")
	}
}

// TestManyRoundsStaySmall: 10 000 rounds, of which the first are forgotten.
func TestManyRoundsStaySmall(t *testing.T) {
	report := crawlReport(t, CrawlFacts{Rounds: rounds(501, 10_000)}, nil)
	selfContained(t, report)
	text := words(report)
	for _, want := range []string{"Rounds 501 to 10500. ", "stand for up to 67 rounds each.", " 510 2040 510 ", " 9980 more 10491 41964 "} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %.3000s", want, text)
		}
	}
	if strings.Contains(text, " 511 2044 ") || len(report) > 100_000 {
		t.Errorf("%d bytes", len(report))
	}
	if !strings.Contains(report, ">10k</text>") {
		t.Error("the axis of rounds is not labelled")
	}
}

// TestThinned: nothing is lost of what is added up, and means are over pages, not over rounds.
func TestThinned(t *testing.T) {
	all := rounds(1, 1000)
	all[500].Pages, all[500].Accepted, all[500].CosItem = 0, 0, 0 // nothing answered
	sums := func(some []RoundFacts) string {
		pages, accepted, cos := 0, 0, 0.0
		for _, r := range some {
			pages += r.Pages
			accepted += r.Accepted
			cos += float64(r.Pages) * r.CosItem
		}
		return fmt.Sprintf("%d %d %.6f", pages, accepted, cos)
	}
	thin := thinned(all, 150)
	if len(thin) != 150 || sums(thin) != sums(all) {
		t.Errorf("%d: %s, of %s", len(thin), sums(thin), sums(all))
	}
	if last := thin[149]; last.Round != 1000 || last.Terms != 900_000 || last.Layers[2] != 3000 {
		t.Errorf("%+v", last)
	}
	two := thinned([]RoundFacts{{Round: 1, Pages: 1, CosItem: 1}, {Round: 2, Pages: 3}}, 1)
	if two[0].CosItem != 0.25 || two[0].Round != 2 {
		t.Errorf("one page of four is like the item: %+v", two)
	}
	if empty := thinned(make([]RoundFacts, 9), 3); math.IsNaN(empty[1].CosItem) {
		t.Error("rounds without a page have no mean")
	}
}

// TestCountsOnAnAxis: charts of counts end at a round number that is not below any of them.
func TestCountsOnAnAxis(t *testing.T) {
	for _, tc := range []struct{ highest, want float64 }{{0, 1}, {1, 1}, {3, 3}, {7, 8}, {386, 400}, {1476, 1500}, {26_223, 30_000}} {
		f := figure{counts: true, series: []series{{y: []float64{0, tc.highest}}}}
		if got := f.top(); got != tc.want {
			t.Errorf("of %v: %v, want %v", tc.highest, got, tc.want)
		}
	}
	if ticks := ticks(drawing.Axis{Min: 500, Max: 10_500}, 3, 1, countLabel); len(ticks) != 3 && len(ticks) != 2 || ticks[0].Label != "5000" {
		t.Errorf("%+v", ticks)
	}
}
