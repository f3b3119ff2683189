package eval

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"orbweaver"
	"orbweaver/ledger"
)

// only is the truth of a few URLs.
type only []string

func (o only) Relevant(url string) bool { return slices.Contains(o, url) }

func page(url string, accepted bool) ledger.Line {
	return ledger.Line{URL: url, Status: 200, Accepted: accepted}
}

// tenRequests has 6 pages, of which b, d and f are relevant, and a, b and d accepted.
func tenRequests() (only, []ledger.Line) {
	return only{"b", "d", "f", "gone", "moved", "endpoint"}, []ledger.Line{
		page("a", true),
		page("b", true),
		{URL: "gone", Status: 404, Error: orbweaver.ErrStatus},
		page("c", false),
		{URL: "moved", Status: 301, Redirect: "d", Accepted: true},
		page("d", true),
		{URL: "b", Accept: "text/turtle", Status: 200, Accepted: true},
		{URL: "endpoint", Query: "ASK {}", Status: 200, Accepted: true},
		page("e", false),
		page("f", false),
	}
}

func curveOf(truth Truth, reachable int, lines []ledger.Line) *Curve {
	c := NewCurve(truth, reachable)
	for _, l := range lines {
		c.Add(l)
	}
	return c
}

func TestCurveCounts(t *testing.T) {
	truth, lines := tenRequests()
	c := curveOf(truth, 4, lines)
	for _, tc := range []struct {
		name string
		at   int
		want Point
	}{
		{"nothing before the first request", 0, Point{0, 0, 0, 0, 0, 4}},
		{"a page", 1, Point{1, 1, 0, 1, 0, 4}},
		{"a relevant page", 2, Point{2, 2, 1, 2, 1, 4}},
		{"a failure is a request and no page", 3, Point{3, 2, 1, 2, 1, 4}},
		{"a redirect is a request and no page, whatever it carries", 5, Point{5, 3, 1, 2, 1, 4}},
		{"its target counts", 6, Point{6, 4, 2, 3, 2, 4}},
		{"another form of a known URL is no new page", 7, Point{7, 4, 2, 3, 2, 4}},
		{"an answer to a query is no page", 8, Point{8, 4, 2, 3, 2, 4}},
		{"the end", 10, Point{10, 6, 3, 3, 2, 4}},
		{"beyond the end the last values stay", 99, Point{10, 6, 3, 3, 2, 4}},
	} {
		if got := c.Points([]int{tc.at})[0]; got != tc.want {
			t.Errorf("%s: after %d: %+v, want %+v", tc.name, tc.at, got, tc.want)
		}
	}
	if c.Requests() != 10 || c.Last() != c.Points([]int{10})[0] {
		t.Errorf("%d requests, last %+v", c.Requests(), c.Last())
	}
}

func TestRates(t *testing.T) {
	p := Point{Requests: 10, Pages: 8, Relevant: 4, Accepted: 5, Right: 3, Reachable: 16}
	for _, tc := range []struct {
		name      string
		got, want float64
	}{
		{"harvest rate", p.HarvestRate(), 0.5},
		{"recall", p.Recall(), 0.25},
		{"acceptance rate", p.AcceptanceRate(), 0.625},
		{"acceptance precision", p.AcceptancePrecision(), 0.6},
		{"acceptance recall", p.AcceptanceRecall(), 0.75},
		{"harvest rate of nothing", Point{}.HarvestRate(), 0},
		{"recall where nothing can be reached", Point{Relevant: 1}.Recall(), 0},
	} {
		if tc.got != tc.want {
			t.Errorf("%s: %v, want %v", tc.name, tc.got, tc.want)
		}
	}
}

func TestAcceptedLater(t *testing.T) {
	c := curveOf(only{"a"}, 1, []ledger.Line{page("a", false), page("a", true), page("a", true)})
	if want := (Point{3, 1, 1, 1, 1, 1}); c.Last() != want {
		t.Errorf("a page accepted in its second form: %+v, want %+v", c.Last(), want)
	}
}

func TestURLSetAgreesWithMap(t *testing.T) {
	var s urlSet
	known := map[string]bool{}
	for i := range 20_000 {
		url := fmt.Sprint("http://example.org/", i*7919%5000)
		if got := s.add(url); got == known[url] {
			t.Fatalf("add %d of %s: new is %v", i, url, got)
		}
		known[url] = true
	}
	if s.n != len(known) {
		t.Errorf("%d URLs, want %d", s.n, len(known))
	}
}

func TestEstimate(t *testing.T) {
	for _, tc := range []struct {
		name       string
		values     []float64
		mean, half float64
	}{
		{"of nothing", nil, 0, 0},
		{"of one value: no interval", []float64{3}, 3, 0},
		{"of equal values: none either", []float64{2, 2, 2}, 2, 0},
		{"of two, deviation √2: t·√2/√2", []float64{1, 3}, 2, 12.7062},
		{"of three, deviation 1: t/√3", []float64{4, 5, 6}, 5, 4.3027 / math.Sqrt(3)},
	} {
		e := EstimateOf(tc.values)
		if e.Mean != tc.mean || math.Abs(e.Half-tc.half) > 1e-9 || e.N != len(tc.values) {
			t.Errorf("%s: %+v, want %v ± %v", tc.name, e, tc.mean, tc.half)
		}
	}
	for degrees, want := range map[int]float64{1: 12.7062, 30: 2.0423, 31: 2.0395, 60: 2.0003, 120: 1.9799, 100000: 1.95999} {
		if got := studentT(degrees); math.Abs(got-want) > 1e-4 {
			t.Errorf("t(%d) = %v, want %v", degrees, got, want)
		}
	}
}

func BenchmarkCurveAdd(b *testing.B) {
	lines := make([]ledger.Line, 100_000)
	for i := range lines {
		lines[i] = page(fmt.Sprint("http://host.example/articles/", i), i%3 == 0)
	}
	b.ReportAllocs()
	for b.Loop() {
		curveOf(nil, 0, lines)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(lines)), "ns/line")
}
