package eval

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
)

//go:embed chances.html
var chancesPart string // embedded; read-only

// chancesView is the data of chances.html.
type chancesView struct {
	Links, Led int
	Rates      []Fact
	Chart      chart
	Legend     []legendEntry
	Bins       []reliabilityView
}

// A reliabilityView is a bin of the table beside the reliability diagram.
type reliabilityView struct {
	From, To    string
	Links, Led  int
	Mean, Share string
}

// chanceWords says what the figures of chances mean.
const chanceWords = "chance: the estimated probability, before a link was followed, that it leads to a page that the focus accepts; " +
	"Brier score: the mean squared difference of chance and outcome; " +
	"Brier skill: 1 - Brier score / that of the running base rate, (accepted so far + 1) / (links so far + 2), so that 0 is no better than it and 1 is perfect; " +
	"AUC: the probability that a link to an accepted page ranks above a link to another page; " +
	"calibration error: mean over the links of the difference between the mean chance of their tenth and the share of it that led to accepted pages"

// view shows figures; nil if there are none.
func (f *ChanceFigures) view() (*chancesView, error) {
	if f == nil {
		return nil, nil
	}
	v := &chancesView{Links: f.Links, Led: f.Led, Rates: f.facts()}
	diagonal := series{style: 0, x: []float64{0, 1}, y: []float64{0, 1}}
	found := series{style: 1}
	for i, b := range f.Bins {
		if b.Links == 0 {
			continue
		}
		found.x, found.y = append(found.x, b.Mean()), append(found.y, b.Share())
		v.Bins = append(v.Bins, reliabilityView{shareLabel(float64(i) / ReliabilityBins), shareLabel(float64(i+1) / ReliabilityBins),
			b.Links, b.Led, threeDigits(b.Mean()), threeDigits(b.Share())})
	}
	found.dots = true
	drawn, err := drawChart("", "", figure{label: "share that led to accepted pages", over: "predicted chance", square: true,
		series: nil}, []namedSeries{{diagonal, "as predicted"}, {found, "as it turned out: a dot is a tenth of the scale"}})
	v.Chart, v.Legend = drawn.Chart, drawn.Legend
	return v, err
}

// facts are the figures for people.
func (f *ChanceFigures) facts() []Fact {
	facts := []Fact{
		{"Brier skill", fmt.Sprintf("%s (Brier score %s, of the running base rate %s)", threeDigits(f.Skill()), threeDigits(f.Brier), threeDigits(f.BaseBrier))},
		{"calibration error", threeDigits(f.ECE)},
	}
	if f.Ranked() {
		facts = append(facts, Fact{"AUC", fmt.Sprintf("%s by chance, %s by raw score", threeDigits(f.AUCChance), threeDigits(f.AUCScore))})
	}
	return facts
}

// threeDigits formats a figure with three decimals.
func threeDigits(v float64) string {
	if math.Abs(v) < 5e-4 {
		v = 0 // no -0.000
	}
	return strconv.FormatFloat(v, 'f', 3, 64)
}

// The JSON form of chance figures. The order of fields is the order of keys, and a promise.
type (
	jsonChances struct {
		Links     int               `json:"links"`
		Led       int               `json:"led"`
		Brier     float64           `json:"brier"`
		BaseBrier float64           `json:"brier_base_rate"`
		Skill     float64           `json:"brier_skill"`
		AUCScore  *float64          `json:"auc_score"`
		AUCChance *float64          `json:"auc_chance"`
		ECE       float64           `json:"calibration_error"`
		Bins      []jsonReliability `json:"bins"`
	}
	jsonReliability struct {
		From  float64 `json:"from"`
		Links int     `json:"links"`
		Led   int     `json:"led"`
		Mean  float64 `json:"mean_chance"`
	}
)

// MarshalJSON writes the figures as docs/reference/formats.md describes them.
func (f *ChanceFigures) MarshalJSON() ([]byte, error) {
	j := jsonChances{Links: f.Links, Led: f.Led, Brier: rounded(f.Brier), BaseBrier: rounded(f.BaseBrier), Skill: rounded(f.Skill()), ECE: rounded(f.ECE)}
	if f.Ranked() {
		score, chance := rounded(f.AUCScore), rounded(f.AUCChance)
		j.AUCScore, j.AUCChance = &score, &chance
	}
	for i, b := range f.Bins {
		j.Bins = append(j.Bins, jsonReliability{rounded(float64(i) / ReliabilityBins), b.Links, b.Led, rounded(b.Mean())})
	}
	return json.Marshal(j)
}

// Chances returns the figures of the predicted chances of a run; nil if the run is repeated, or has none.
func (r *Run) Chances() *ChanceFigures {
	if len(r.Curves) != 1 {
		return nil
	}
	return r.Curves[0].Chances()
}

// A chanceRow is a run in the table of a comparison.
type chanceRow struct {
	Run        string
	Links, Led int
	Skill      string
	ECE        string
	ByScore    string
	ByChance   string
}

// chanceRows are those of the runs with chances.
func (c *Comparison) chanceRows() (rows []chanceRow) {
	for _, run := range c.Runs {
		f := run.Chances()
		if f == nil {
			continue
		}
		row := chanceRow{Run: run.Name, Links: f.Links, Led: f.Led, Skill: threeDigits(f.Skill()), ECE: threeDigits(f.ECE), ByScore: "–", ByChance: "–"}
		if f.Ranked() {
			row.ByScore, row.ByChance = threeDigits(f.AUCScore), threeDigits(f.AUCChance)
		}
		rows = append(rows, row)
	}
	return rows
}
