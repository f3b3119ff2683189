package eval

import (
	"encoding/csv"
	"fmt"
	"html/template"
	"io"
	"math"
	"strconv"

	"orbweaver/eval/paired"
)

// Paired has the runs of a comparison, or of several, each compared with a baseline over the same units.
type Paired struct {
	Table *paired.Table
	Rows  []paired.Row
}

func newPaired(t *paired.Table) (*Paired, error) {
	rows, err := t.Compare()
	if err != nil {
		return nil, err
	}
	return &Paired{t, rows}, nil
}

// pairedWords defines the figures of paired differences.
const pairedWords = "the difference to the baseline, unit by unit, over the units where both are defined; its 95 % interval by the bias-corrected and " +
	"accelerated bootstrap of the mean; p by the two-sided Wilcoxon signed-rank test, exact for at most 25 differences without ties, else by the normal " +
	"approximation with corrections for ties and continuity; p adjusted by Holm over all runs, oracles left out, and all measures"

// WriteCSV writes a row per measure and run:
// `measure,run,units,mean,baseline_mean,difference,low95,high95,above,below,rank_sum_above,rank_sum_below,exact,p,p_holm`.
// p_holm is empty for an oracle.
func (p *Paired) WriteCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	out.Write([]string{"measure", "run", "units", "mean", "baseline_mean", "difference", "low95", "high95", "above", "below",
		"rank_sum_above", "rank_sum_below", "exact", "p", "p_holm"}) // Error returns the first error
	for _, r := range p.Rows {
		holm := ""
		if !math.IsNaN(r.Holm) {
			holm = decimal(r.Holm)
		}
		out.Write([]string{r.Measure, r.Run, strconv.Itoa(r.N), decimal(r.Mean), decimal(r.Baseline), decimal(r.Difference), decimal(r.Low), decimal(r.High),
			strconv.Itoa(r.Above), strconv.Itoa(r.Below), decimal(r.Test.Above), decimal(r.Test.Below), strconv.FormatBool(r.Test.Exact), decimal(r.Test.P), holm})
	}
	out.Flush()
	return out.Error()
}

// The JSON form of paired differences. The order of fields is the order of keys, and a promise.
type (
	jsonPaired struct {
		Definition string          `json:"definition"`
		Baseline   string          `json:"baseline"`
		Samples    int             `json:"samples"`
		Seed       uint64          `json:"seed"`
		Rows       []jsonPairedRow `json:"rows"`
	}
	jsonPairedRow struct {
		Measure    string   `json:"measure"`
		Run        string   `json:"run"`
		Units      int      `json:"units"`
		Mean       float64  `json:"mean"`
		Baseline   float64  `json:"baseline_mean"`
		Difference float64  `json:"difference"`
		Low        float64  `json:"low95"`
		High       float64  `json:"high95"`
		Above      int      `json:"above"`
		Below      int      `json:"below"`
		RankAbove  float64  `json:"rank_sum_above"`
		RankBelow  float64  `json:"rank_sum_below"`
		Exact      bool     `json:"exact"`
		P          float64  `json:"p"`
		Holm       *float64 `json:"p_holm,omitempty"`
	}
	jsonMeasure struct {
		Measure  string     `json:"measure"`
		Mean     *float64   `json:"mean"` // null: undefined
		Interval *float64   `json:"ci95,omitempty"`
		Values   []*float64 `json:"values"` // by unit; null: undefined
	}
)

// json is the JSON form; nil of nil.
func (p *Paired) json() *jsonPaired {
	if p == nil {
		return nil
	}
	j := &jsonPaired{Definition: pairedWords, Baseline: p.Table.Baseline, Samples: p.Table.Samples, Seed: p.Table.Seed, Rows: []jsonPairedRow{}}
	if j.Samples == 0 {
		j.Samples = paired.Samples
	}
	for _, r := range p.Rows {
		j.Rows = append(j.Rows, jsonPairedRow{Measure: r.Measure, Run: r.Run, Units: r.N, Mean: rounded(r.Mean), Baseline: rounded(r.Baseline),
			Difference: rounded(r.Difference), Low: rounded(r.Low), High: rounded(r.High), Above: r.Above, Below: r.Below,
			RankAbove: r.Test.Above, RankBelow: r.Test.Below, Exact: r.Test.Exact, P: rounded(r.Test.P), Holm: defined(r.Holm)})
	}
	return j
}

// defined rounds a value; nil if it is NaN.
func defined(v float64) *float64 {
	if math.IsNaN(v) {
		return nil
	}
	v = rounded(v)
	return &v
}

// jsonMeasures are the measures of a run with their values by unit.
func (r *Run) jsonMeasures() []jsonMeasure {
	var all []jsonMeasure
	for _, m := range Measures() {
		all = append(all, jsonMeasureOf(m.Name(), r.Measured(m)))
	}
	return all
}

func jsonMeasureOf(name string, values []float64) jsonMeasure {
	j := jsonMeasure{Measure: name, Values: []*float64{}}
	for _, v := range values {
		j.Values = append(j.Values, defined(v))
	}
	e := EstimateOf(known(values))
	if e.N > 0 {
		j.Mean = defined(e.Mean)
	}
	if e.N > 1 {
		j.Interval = defined(e.Half)
	}
	return j
}

// measureFacts define the measures; name is what each is called.
func (c *Comparison) measureFacts(name func(Measure) string) []Fact {
	var facts []Fact
	for _, m := range Measures() {
		definition := m.definition()
		if m == HoursPerRelevant && c.Schedule != nil {
			definition += "; " + c.Schedule.words()
		}
		facts = append(facts, Fact{name(m), definition})
	}
	return facts
}

// A pairedView is the data of paired.html.
type pairedView struct {
	Baseline string
	Words    string
	Measures []pairedMeasure
}

type pairedMeasure struct {
	Title string
	Lower bool
	Chart template.HTML
	Rows  []pairedRow
}

type pairedRow struct {
	Run                                              string
	Oracle, Apart                                    bool
	Units                                            int
	Mean, Base, Difference, Interval, Test, P, PHolm string
	Above, Below                                     int
}

// view shows paired differences, measure by measure; nil of nil.
func (p *Paired) view() *pairedView {
	if p == nil {
		return nil
	}
	v := &pairedView{Baseline: p.Table.Baseline, Words: pairedWords}
	last := ""
	for _, r := range p.Rows {
		if r.Measure != last {
			m := measureNamed(r.Measure)
			v.Measures = append(v.Measures, pairedMeasure{Title: m.Title(), Lower: m.Lower(), Chart: p.intervals(r.Measure)})
		}
		last = r.Measure
		shown := &v.Measures[len(v.Measures)-1]
		shown.Rows = append(shown.Rows, pairedRowOf(r))
	}
	return v
}

// measureNamed returns the measure of a name.
func measureNamed(name string) Measure {
	for _, m := range Measures() {
		if m.Name() == name {
			return m
		}
	}
	panic("eval: no measure is called " + name)
}

func pairedRowOf(r paired.Row) pairedRow {
	how := "normal"
	if r.Test.Exact {
		how = "exact"
	}
	row := pairedRow{Run: r.Run, Oracle: r.Ceiling, Units: r.N, Mean: figureWords(r.Mean), Base: figureWords(r.Baseline), Difference: SignedWords(r.Difference),
		Interval: SignedWords(r.Low) + " … " + SignedWords(r.High), Apart: r.N > 1 && !math.IsNaN(r.Holm) && r.Holm < 0.05,
		Test: fmt.Sprintf("%g : %g, %s", r.Test.Above, r.Test.Below, how), P: probability(r.Test.P), PHolm: "–", Above: r.Above, Below: r.Below}
	if !math.IsNaN(r.Holm) {
		row.PHolm = probability(r.Holm)
	}
	return row
}

// figureWords formats a measure: about three significant digits, and a dash if it is undefined.
func figureWords(v float64) string {
	switch a := math.Abs(v); {
	case math.IsNaN(v):
		return "–"
	case a >= 100:
		return strconv.FormatFloat(v, 'f', 0, 64)
	case a >= 10:
		return strconv.FormatFloat(v, 'f', 1, 64)
	case a >= 0.01 || a == 0:
		return strconv.FormatFloat(v, 'f', 3, 64)
	}
	return strconv.FormatFloat(v, 'f', 2-int(math.Floor(math.Log10(math.Abs(v)))), 64) // three significant digits
}

// SignedWords formats a difference of a measure, to about three significant digits, with the sign of values above 0.
func SignedWords(v float64) string {
	if v > 0 {
		return "+" + figureWords(v)
	}
	return figureWords(v)
}

// probability formats a p-value.
func probability(p float64) string {
	if p < 0.0001 {
		return "< 0.0001"
	}
	return strconv.FormatFloat(p, 'f', 4, 64)
}
