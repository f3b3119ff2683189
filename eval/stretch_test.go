package eval

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"orbweaver/ledger"
)

// alike is a likeness in which pages of 1 to 9 have the more words of the item, the higher their number.
func alike() *Likeness {
	pages := [][3]string{{"item", "", strings.Repeat("sea ", 9)}, {"none", "", "moon sun"}}
	for i := 1; i <= 9; i++ {
		pages = append(pages, [3]string{fmt.Sprint(i), "", strings.Repeat("sea ", i) + strings.Repeat(fmt.Sprintf("word%d ", i), 10-i)})
	}
	return like(pages...)
}

func TestCosines(t *testing.T) {
	l := alike()
	c := l.To("item")
	for i := 2; i <= 9; i++ {
		less, _ := c.Of(fmt.Sprint(i - 1))
		if more, another := c.Of(fmt.Sprint(i)); !another || more <= less || more > 1 {
			t.Errorf("%d has %v, %d has %v", i, more, i-1, less)
		}
	}
	for _, url := range []string{"none", "nowhere"} {
		if cosine, another := c.Of(url); cosine != 0 || !another {
			t.Errorf("%s: %v %v", url, cosine, another)
		}
	}
	if cosine, another := c.Of("item"); cosine != 1 || another {
		t.Errorf("the item itself: %v %v", cosine, another)
	}
	if cosine, another := l.To("nowhere").Of("5"); cosine != 0 || !another {
		t.Errorf("nothing is like an item without words: %v %v", cosine, another)
	}
	for _, threshold := range CosineThresholds() {
		above := l.Above("item", threshold)
		for _, url := range []string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "none"} {
			if cosine, _ := c.Of(url); above.Relevant(url) != (cosine > threshold) {
				t.Errorf("%s has %v, and is relevant above %v: %v", url, cosine, threshold, above.Relevant(url))
			}
		}
	}
}

// read follows a crawl that is compared with the item.
func read(t *testing.T, truth Truth, lines ...ledger.Line) *Curve {
	t.Helper()
	c, err := ReadCurve(sequence(lines), truth, 3, alike().To("item"), nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestStretch: what counts in a stretch is what is new in it.
func TestStretch(t *testing.T) {
	cosine := func(url string) float64 { v, _ := alike().To("item").Of(url); return v }
	c := read(t, only{"9", "1", "item"}, page("9", true), ledger.Line{URL: "8", Status: 404}, page("item", true),
		page("9", false), ledger.Line{URL: "7", Status: 301, Redirect: "1"}, page("1", false), page("none", false))
	above := func(url string) float64 {
		if cosine(url) > 0.1 {
			return 1
		}
		return 0
	}
	nan := math.NaN()
	for _, tc := range []struct {
		name     string
		from, to int
		pages    int
		want     [stretchFigures]float64
	}{
		{"a page", 1, 1, 1, [4]float64{1, cosine("9"), 1, 1}},
		{"a failure", 2, 2, 0, [4]float64{nan, nan, nan, nan}},
		{"the item is a page, and like nothing", 3, 3, 1, [4]float64{1, nan, 0, 0}},
		{"a page again, and a redirect", 4, 5, 0, [4]float64{nan, nan, nan, nan}},
		{"its target and one without a word of the item", 5, 7, 2, [4]float64{0.5, cosine("1") / 2, above("1") / 2, 0}},
		{"all, to beyond the end", 1, 100, 4, [4]float64{0.75, (cosine("9") + cosine("1")) / 3, (1 + above("1")) / 4, 0.25}},
		{"beyond the end", 8, 9, 0, [4]float64{nan, nan, nan, nan}},
	} {
		pages, got := c.within(tc.from, tc.to)
		for f := range got {
			if pages != tc.pages || math.IsNaN(got[f]) != math.IsNaN(tc.want[f]) || math.Abs(got[f]-tc.want[f]) > 1e-6 {
				t.Errorf("%s: %d pages, %s %v, want %d and %v", tc.name, pages, StretchFigure(f).Name(), got[f], tc.pages, tc.want[f])
			}
		}
	}
	if plain := curveOf(only{}, 0, []ledger.Line{page("9", true)}); plain.cosines != nil {
		t.Error("what is not compared keeps no cosines")
	}
	broken := func(yield func(ledger.Line, error) bool) { yield(ledger.Line{}, errors.ErrUnsupported) }
	if _, err := ReadCurve(broken, nil, 0, nil, nil); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("of lines that cannot be read: %v", err)
	}
}

// TestThresholdsAreThoseOfTheTruth: a cosine that 32 bits would round is above where the truth has it above.
func TestThresholdsAreThoseOfTheTruth(t *testing.T) {
	to := alike().To("item")
	for i, threshold := range CosineThresholds() {
		for _, cosine := range []float64{threshold, math.Nextafter(threshold, 0), math.Nextafter(threshold, 1)} {
			for n := range to.of {
				to.of[n] = cosine
			}
			c, err := ReadCurve(sequence([]ledger.Line{page("5", false)}), nil, 0, to, nil)
			if err != nil {
				t.Fatal(err)
			}
			if _, values := c.within(1, 1); (values[AboveFirst+StretchFigure(i)] == 1) != (cosine > threshold) {
				t.Errorf("%v above %v: %v", cosine, threshold, values)
			}
		}
	}
}

// pair is a comparison of two runs for three items, of which the third has nothing for the second run.
func pair(t *testing.T) *Comparison {
	truth := only{"9", "8", "7"}
	long := read(t, truth, page("9", false), page("8", false), page("none", false), page("7", false), page("1", false))
	half := read(t, truth, page("9", false), page("none", false), page("2", false), page("8", false), page("3", false))
	poor := read(t, truth, page("none", false), page("1", false))
	failed := read(t, truth, ledger.Line{URL: "gone", Status: 404})
	return &Comparison{Name: "pair", Budget: 5, Runs: []Run{
		{Name: "rounds", Round: 2, Curves: []*Curve{long, half, half}},
		{Name: "plain", Round: 1, Curves: []*Curve{half, poor, failed}},
	}}
}

func TestRounds(t *testing.T) {
	all := pair(t).Rounds()
	var spans []string
	for _, r := range all {
		for _, e := range r.Each {
			spans = append(spans, fmt.Sprint(r.Size, e.From, e.To, e.Figures[HarvestRate].N))
		}
	}
	// of the second run the second item has two requests, the third no page
	if want := []string{"2 1 2 3", "2 3 4 3", "2 5 5 3", "2 1 2 2", "2 3 4 1", "2 5 5 1"}; !slices.Equal(spans, want) {
		t.Errorf("%v, want %v", spans, want)
	}
	first := all[0].Each[0]
	if got := first.Figures[HarvestRate].Mean; math.Abs(got-2./3) > 1e-9 { // 1, 1/2 and 1/2
		t.Errorf("harvest rate %v", got)
	}
	d := first.Against[1][HarvestRate] // 1 - 1/2 and 1/2 - 0
	if d.N != 2 || d.Mean != 0.5 || d.Half != 0 || d.Better != 2 || d.Worse != 0 {
		t.Errorf("%+v", d)
	}
	if d := all[1].Each[0].Against[0][HarvestRate]; d.Mean != -0.5 || d.Worse != 2 {
		t.Errorf("the other way round: %+v", d)
	}
	if d := first.Against[0][HarvestRate]; d.N != 0 {
		t.Errorf("against itself: %+v", d)
	}
	whole := all[0].Whole // 3/5 - 2/5 and 2/5 - 0
	if d := whole.Against[1][HarvestRate]; whole.To != 5 || math.Abs(d.Mean-0.3) > 1e-9 || math.Abs(d.Half-12.7062*0.1) > 1e-6 {
		t.Errorf("%+v", d)
	}
	// only 9 is above 0.25: 1/5 - 1/5 and 1/5 - 0
	if d := whole.Against[1][AboveSecond]; d.N != 2 || math.Abs(d.Mean-0.1) > 1e-9 || d.Better != 1 || d.Worse != 0 {
		t.Errorf("%+v", d)
	}
}

// TestRoundsEndWithTheRun: what another run did after it is none of its rounds.
func TestRoundsEndWithTheRun(t *testing.T) {
	c := pair(t)
	c.Runs[1].Curves = []*Curve{read(t, nil, page("9", false)), read(t, nil, page("8", false), page("7", false)), read(t, nil)}
	all := c.Rounds()
	if len(all[0].Each) != 3 || len(all[1].Each) != 1 || all[1].Whole.To != 5 {
		t.Errorf("%d and %d rounds, whole %+v", len(all[0].Each), len(all[1].Each), all[1].Whole)
	}
	if d := all[0].Each[1].Against[1][HarvestRate]; d.N != 0 {
		t.Errorf("there is nothing to be compared with: %+v", d)
	}
}

// TestRoundSizes: the run's own, else the first, else none; never more than 50 of them.
func TestRoundSizes(t *testing.T) {
	for _, tc := range []struct {
		name   string
		budget int
		rounds []int
		want   []int
	}{
		{"of its own", 100, []int{20, 10}, []int{20, 10}},
		{"of the first that has some", 100, []int{0, 1, 10, 30}, []int{10, 10, 10, 30}},
		{"nobody has some", 100, []int{0, 1}, []int{0, 0}},
		{"fifty", 500, []int{10}, []int{10}},
		{"more are taken together", 501, []int{10, 3}, []int{20, 12}},
	} {
		c := Comparison{Budget: tc.budget}
		for _, r := range tc.rounds {
			c.Runs = append(c.Runs, Run{Round: r})
		}
		for i, want := range tc.want {
			if got := c.roundSize(i); got != want {
				t.Errorf("%s: run %d has rounds of %d, want %d", tc.name, i, got, want)
			}
		}
	}
	c := tenth()
	c.Runs[0].Round = 2
	if c.Rounds() != nil {
		t.Error("crawls that no item was compared with have rounds")
	}
}

func TestRoundsAsJSON(t *testing.T) {
	var out bytes.Buffer
	if err := pair(t).WriteJSON(&out); err != nil {
		t.Fatal(err)
	}
	var o struct {
		Definitions struct{ Rounds string }
		Runs        []struct{ Rounds jsonRounds }
	}
	if err := json.Unmarshal(out.Bytes(), &o); err != nil || !strings.Contains(o.Definitions.Rounds, "cos_item") {
		t.Fatalf("%v\n%s", err, &out)
	}
	r := o.Runs[0].Rounds
	if r.Size != 2 || r.Whole.To != 5 || len(r.Each) != 3 || r.Each[0].Pages != 2 {
		t.Errorf("%+v", r)
	}
	var names []string
	for _, f := range r.Each[0].Figures {
		names = append(names, f.Figure)
	}
	if want := []string{"harvest_rate", "cos_item", "cos_above_0.1", "cos_above_0.25"}; !slices.Equal(names, want) {
		t.Errorf("%v", names)
	}
	against := r.Each[0].Against
	if len(against) != 1 || against[0].Run != "plain" || against[0].Figures[0].Mean != 0.5 || against[0].Figures[0].Items != 2 || against[0].Figures[0].Better != 2 {
		t.Errorf("%+v", against)
	}
	if last := o.Runs[1].Rounds.Each[2]; last.Figures[0].Interval != nil || last.Figures[0].Items != 1 {
		t.Errorf("of one item there is no interval: %+v", last)
	}
}

func TestRoundsOfAComparisonReport(t *testing.T) {
	c := pair(t)
	c.Runs[1].Name = hostile
	var out bytes.Buffer
	if err := c.WriteReport(&out); err != nil {
		t.Fatal(err)
	}
	selfContained(t, strings.ReplaceAll(out.String(), "src=x&gt;", ""))
	text := words(out.String())
	for _, want := range []string{"Like the item, round by round", "above 0.1 and 0.25", "requests all 1–2 3–4 5–5", "rounds 0.467 ± 0.287 0.667 ± 0.717 ",
		"Runs against each other", "+0.300 ± 1.271 2 : 0", "-0.300 ± 1.271 0 : 2"} {
		if !strings.Contains(text, want) {
			t.Errorf("the report has no %q", want)
		}
	}
	if n := strings.Count(out.String(), "<figure>"); n != 4 {
		t.Errorf("%d charts of rounds", n)
	}
	for i := range c.Runs {
		c.Runs[i].Round = 0
	}
	out.Reset()
	if err := c.WriteReport(&out); err != nil || strings.Contains(out.String(), "<figure>") || !strings.Contains(words(out.String()), "requests all rounds 0.467 ± 0.287") {
		t.Errorf("without rounds there is the whole alone: %v", err)
	}
}

// TestManyRoundsOfAComparison: a table stays as wide as a page, and shows the first and the last.
func TestManyRoundsOfAComparison(t *testing.T) {
	c := Comparison{Budget: 95}
	c.Runs = []Run{{Round: 2}}
	if got := fmt.Sprint(c.shownRounds(2), c.roundHeads(2)[10]); got != "[0 5 10 15 20 26 31 36 41 47]95–95" {
		t.Errorf("%s", got)
	}
	if got := c.shownRounds(95); len(got) != 1 {
		t.Errorf("of one round: %v", got)
	}
}
