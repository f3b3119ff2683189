package eval

import (
	"math"
	"testing"
	"time"

	"orbweaver"
	"orbweaver/ledger"
)

// timed reads a crawl of one host with a second between requests and no time to answer.
func timed(t *testing.T, truth Truth, reachable int, lines []ledger.Line) *Curve {
	t.Helper()
	c, err := ReadCurve(sequence(lines), truth, reachable, nil, &Schedule{Delay: time.Second, Connections: 1, AtOnce: 1})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func same(a, b float64) bool {
	return math.IsNaN(a) && math.IsNaN(b) || math.Abs(a-b) < 1e-9
}

// TestMeasures: the crawl is b (relevant), a, a failure, c (relevant), d; five relevant pages can be reached.
func TestMeasures(t *testing.T) {
	at := func(name string, score float64) ledger.Line {
		return ledger.Line{URL: "http://h.test/" + name, Status: 200, Score: score}
	}
	truth := only{"http://h.test/b", "http://h.test/c"}
	lines := []ledger.Line{at("b", 0.1), at("a", 0.9), {URL: "http://h.test/gone", Error: orbweaver.ErrAbsent}, at("c", 0.5), at("d", 0.5)}
	c := timed(t, truth, 5, lines)
	nan := math.NaN()
	for _, tc := range []struct {
		mark int
		want [measures]float64
	}{
		{0, [measures]float64{0, 0, 0, 0, 0, 0, nan, nan}},
		// 1/1 ÷ 5; 1/50; 1/1; 1/5; 1 request, 0 s
		{1, [measures]float64{0.2, 0.02, 1, 0.2, 1, 0, nan, nan}},
		// the failure is a request: 3 ÷ 1, 2 s ÷ 1
		{3, [measures]float64{0.2, 0.02, 0.5, 0.2, 3, 2.0 / 3600, nan, nan}},
		// (1/1 + 2/3) ÷ 5; 2/50; 2/4; 2/5; 5 ÷ 2; 4 s ÷ 2. By score a, c, d, b: (1/2 + 2/4) ÷ 2; 2/50
		{9, [measures]float64{1.0 / 3, 0.04, 0.5, 0.4, 2.5, 2.0 / 3600, 0.5, 0.04}},
	} {
		got := c.at([]int{tc.mark})[0]
		for m, v := range got {
			if !same(v, tc.want[m]) {
				t.Errorf("after %d requests %s is %v, want %v", tc.mark, Measure(m).Name(), v, tc.want[m])
			}
		}
	}
	all := c.at([]int{1, 3, 9})
	if !same(all[1][Harvest], 0.5) || !same(all[2][AveragePrecision], 1.0/3) {
		t.Errorf("several marks at once: %v", all)
	}
}

// TestMeasuresOfNothing: what is undefined is no 0.
func TestMeasuresOfNothing(t *testing.T) {
	got := timed(t, only{}, 0, []ledger.Line{page("http://h.test/a", false)}).at([]int{1})[0]
	for _, m := range []Measure{AveragePrecision, Recall, ScoreAveragePrecision, ScorePrecisionAt50} {
		if !math.IsNaN(got[m]) {
			t.Errorf("%s is %v", m.Name(), got[m])
		}
	}
	if got[RequestsPerRelevant] != 1 || got[Harvest] != 0 {
		t.Errorf("%v", got)
	}
	plain := curveOf(only{}, 0, []ledger.Line{page("a", false)})
	if v := plain.at([]int{1})[0][HoursPerRelevant]; !math.IsNaN(v) {
		t.Errorf("without a schedule %v hours", v)
	}
}

// TestPrecisionAt50 counts the first 50 pages and no later one.
func TestPrecisionAt50(t *testing.T) {
	var lines []ledger.Line
	var truth only
	for i := range 60 {
		url := "http://h.test/" + decimal(float64(i))
		lines = append(lines, ledger.Line{URL: url, Status: 200, Score: float64(i)})
		if i >= 45 {
			truth = append(truth, url)
		}
	}
	got := timed(t, truth, 15, lines).at([]int{60})[0]
	if !same(got[PrecisionAt50], 5.0/50) || !same(got[ScorePrecisionAt50], 15.0/50) || !same(got[ScoreAveragePrecision], 1) {
		t.Errorf("%v", got)
	}
}

func TestSchedule(t *testing.T) {
	const s = time.Second
	a, b := "http://a.test/", "http://b.test/"
	for _, tc := range []struct {
		name     string
		schedule Schedule
		urls     []string
		want     []time.Duration // when all so far are answered
	}{
		{"one host: a delay after each answer", Schedule{Delay: 2 * s, Answer: s, Connections: 1, AtOnce: 4},
			[]string{a, a, a}, []time.Duration{s, 4 * s, 7 * s}},
		{"two hosts in turn", Schedule{Delay: 2 * s, Answer: s, Connections: 1, AtOnce: 4},
			[]string{a, b, a, b}, []time.Duration{s, s, 4 * s, 4 * s}},
		{"one slot: each waits for the one before", Schedule{Delay: 2 * s, Answer: s, Connections: 1, AtOnce: 1},
			[]string{a, b, a}, []time.Duration{s, 2 * s, 4 * s}},
		{"two slots: both wait for a, and b has to", Schedule{Delay: 10 * s, Answer: s, Connections: 1, AtOnce: 2},
			[]string{a, a, a, b}, []time.Duration{s, 12 * s, 23 * s, 23 * s}},
		{"no delay: as many at once as connections", Schedule{Answer: s, Connections: 2, AtOnce: 8},
			[]string{a, a, a}, []time.Duration{s, s, 2 * s}},
		{"robots.txt first, and its delay", Schedule{Delay: s, Answer: s, Connections: 1, AtOnce: 8, Robots: func(host string) time.Duration {
			if host == "http://a.test" {
				return 5 * s
			}
			return 0
		}}, []string{a, a, b}, []time.Duration{7 * s, 13 * s, 13 * s}},
		{"a local dataset takes no time", Schedule{Delay: s, Answer: s, Connections: 1, AtOnce: 1},
			[]string{a, "dataset:x"}, []time.Duration{s, s}},
	} {
		times := newTimetable(&tc.schedule)
		for i, url := range tc.urls {
			if got := times.request(url); got != tc.want[i] {
				t.Errorf("%s: request %d: all answered after %v, want %v", tc.name, i+1, got, tc.want[i])
			}
		}
	}
}
