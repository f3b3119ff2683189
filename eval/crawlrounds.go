package eval

import (
	_ "embed"
	"fmt"
	"html/template"
	"strconv"
)

//go:embed rounds.html
var roundsPart string // embedded; read-only

const (
	roundSamples = 150 // points of a small chart; neighbouring rounds beyond are merged
	roundRows    = 10  // first rounds, and last rounds, of the table
	shownLayers  = 5   // layers reported, at most
)

// RoundFacts describe one round of a crawl that learns in rounds (paper 003, figures 4 to 6). Page figures are
// of the pages learned from in this round; the fields from Items on are the state after the round.
type RoundFacts struct {
	Round    int // from 1
	Pages    int
	Accepted int
	CosItem  float64 // mean cosine of their terms to the target item, by the idf at that time, 0..1
	CosL0    float64 // and to layer 0

	Items    int   // kept
	Layers   []int // members of each layer; five are shown
	Inferred int   // labels of items that are not among their terms

	Terms, Labels, Relations, Alpha, Beta int // Alpha: rules of one term; Beta: labels with rules of several
}

// roundsView is the data of rounds.html.
type roundsView struct {
	First, Last int
	Charts      []roundsChart
	Layers      []int // their numbers
	Head, Tail  []roundRow
	Between     int // rounds that the table omits
	Together    int // rounds per point of a chart; 0: one
}

type roundsChart struct {
	Name   string
	Chart  template.HTML
	Legend []legendEntry
}

type roundRow struct {
	RoundFacts
	Acceptance, Item, L0 string
	InLayers             []int
}

// viewRounds shows rounds, which ascend; nil when there are none.
func viewRounds(rounds []RoundFacts) (*roundsView, error) {
	if len(rounds) == 0 {
		return nil, nil
	}
	v := &roundsView{First: rounds[0].Round, Last: rounds[len(rounds)-1].Round}
	layers := 0
	for _, r := range rounds {
		layers = min(shownLayers, max(layers, len(r.Layers)))
	}
	for i := range layers {
		v.Layers = append(v.Layers, i)
	}
	v.Head = rowsOfRounds(rounds, layers)
	if v.Between = len(rounds) - 2*roundRows; v.Between > 0 {
		v.Head, v.Tail = v.Head[:roundRows], v.Head[len(rounds)-roundRows:]
	}
	points := thinned(rounds, roundSamples)
	if len(points) < len(rounds) {
		v.Together = (len(rounds) + len(points) - 1) / len(points)
	}
	for _, d := range roundDrawings(layers) {
		c, err := d.draw(points)
		if err != nil {
			return nil, err
		}
		v.Charts = append(v.Charts, c)
	}
	return v, nil
}

func rowsOfRounds(rounds []RoundFacts, layers int) []roundRow {
	rows := make([]roundRow, len(rounds))
	for i, r := range rounds {
		rows[i] = roundRow{r, three(ratio(r.Accepted, r.Pages)), three(r.CosItem), three(r.CosL0), inLayers(&r, layers)}
	}
	return rows
}

func three(v float64) string { return strconv.FormatFloat(v, 'f', 3, 64) }

// inLayers are the members of each layer; a layer that the round lacks has none.
func inLayers(r *RoundFacts, layers int) []int {
	members := make([]int, layers)
	copy(members, r.Layers)
	return members
}

// thinned merges neighbouring rounds if there are more than n: cosines become means over the pages, pages are
// summed, and the state is that after the last round.
func thinned(rounds []RoundFacts, n int) []RoundFacts {
	if len(rounds) <= n {
		return rounds
	}
	points := make([]RoundFacts, n)
	for i := range points {
		some := rounds[i*len(rounds)/n : (i+1)*len(rounds)/n]
		p := some[len(some)-1]
		p.Pages, p.Accepted, p.CosItem, p.CosL0 = 0, 0, 0, 0
		for _, r := range some {
			p.Pages += r.Pages
			p.Accepted += r.Accepted
			p.CosItem += float64(r.Pages) * r.CosItem
			p.CosL0 += float64(r.Pages) * r.CosL0
		}
		if p.Pages > 0 {
			p.CosItem, p.CosL0 = p.CosItem/float64(p.Pages), p.CosL0/float64(p.Pages)
		}
		points[i] = p
	}
	return points
}

// A roundDrawing is a small chart of rounds.
type roundDrawing struct {
	name   string
	counts bool
	lines  []roundLine
}

type roundLine struct {
	name string // in the legend; empty: a single line without a legend
	of   func(*RoundFacts) float64
}

// countOf draws a count.
func countOf(of func(*RoundFacts) int) func(*RoundFacts) float64 {
	return func(r *RoundFacts) float64 { return float64(of(r)) }
}

// roundDrawings are the charts in their order. Quantities of different magnitude have separate charts.
func roundDrawings(layers int) []roundDrawing {
	single := func(name string, of func(*RoundFacts) int) roundDrawing {
		return roundDrawing{name, true, []roundLine{{"", countOf(of)}}}
	}
	drawings := []roundDrawing{
		{"Cosine of the pages", false, []roundLine{
			{"to the item", func(r *RoundFacts) float64 { return r.CosItem }}, {"to layer 0", func(r *RoundFacts) float64 { return r.CosL0 }}}},
		{"Accepted by pages", false, []roundLine{{"", func(r *RoundFacts) float64 { return ratio(r.Accepted, r.Pages) }}}},
	}
	for i := range layers {
		drawings = append(drawings, single(fmt.Sprintf("Items in layer %d", i), func(r *RoundFacts) int { return inLayers(r, layers)[i] }))
	}
	return append(drawings,
		single("Items kept", func(r *RoundFacts) int { return r.Items }),
		single("Terms", func(r *RoundFacts) int { return r.Terms }),
		single("Labels", func(r *RoundFacts) int { return r.Labels }),
		single("Relations of labels", func(r *RoundFacts) int { return r.Relations }),
		roundDrawing{"Rules", true, []roundLine{
			{"of one term", countOf(func(r *RoundFacts) int { return r.Alpha })}, {"of several", countOf(func(r *RoundFacts) int { return r.Beta })}}},
		single("Labels inferred", func(r *RoundFacts) int { return r.Inferred }))
}

// draw draws the chart of at least one round.
func (d roundDrawing) draw(rounds []RoundFacts) (roundsChart, error) {
	c := roundsChart{Name: d.name}
	f := figure{label: d.name, bare: true, over: "round", counts: d.counts, xmin: float64(rounds[0].Round - 1), xmax: float64(rounds[len(rounds)-1].Round)}
	for i, line := range d.lines {
		s := series{style: i + 1}
		for j := range rounds {
			s.x, s.y = append(s.x, float64(rounds[j].Round)), append(s.y, line.of(&rounds[j]))
		}
		f.series = append(f.series, s)
		if line.name == "" {
			continue
		}
		sample, err := swatch(s.style)
		if err != nil {
			return c, err
		}
		c.Legend = append(c.Legend, legendEntry{sample, line.name})
	}
	var err error
	c.Chart, err = f.svg(300, 170)
	return c, err
}

// Span is the number of columns of the table besides that of the round.
func (v *roundsView) Span() int { return 12 + len(v.Layers) }
