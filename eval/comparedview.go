package eval

import (
	"fmt"
	"html/template"
	"strconv"
)

// roundColumns is how many rounds a table shows, evenly spaced.
const roundColumns = 10

// comparedView is the data of the rounds in comparison.html.
type comparedView struct {
	Sized    bool // there are rounds, not the whole alone
	Repeated bool
	Above    string // the cosines above which pages are counted
	Figures  []comparedFigure
}

// A comparedFigure is one figure of all runs.
type comparedFigure struct {
	Title  string
	Chart  template.HTML // empty without rounds
	Tables []comparedTable
	Runs   []string
	Rows   []differenceRow
}

// A comparedTable shows the runs with rounds of one size.
type comparedTable struct {
	Heads []string // the requests of each column
	Rows  []comparedRow
}

type comparedRow struct {
	Run    string
	Oracle bool
	Cells  []string
}

// A differenceRow compares a run with all others; its own cell is empty.
type differenceRow struct {
	Run    string
	Oracle bool
	Cells  []differenceCell
}

type differenceCell struct {
	Difference    string
	Better, Worse int
	Apart         bool // the interval excludes 0
}

// viewCompared shows the rounds of all runs; nil if there are none.
func (c *Comparison) viewCompared() (*comparedView, error) {
	rounds := c.Rounds()
	if rounds == nil {
		return nil, nil
	}
	thresholds := CosineThresholds()
	v := &comparedView{Sized: rounds[0].Size > 0, Repeated: c.Items() > 1, Above: decimal(thresholds[0]) + " and " + decimal(thresholds[1])}
	for f := range stretchFigures {
		shown := comparedFigure{Title: f.Title(), Tables: c.comparedTables(rounds, f), Rows: c.differenceRows(rounds, f)}
		for _, run := range c.Runs {
			shown.Runs = append(shown.Runs, run.Name)
		}
		var err error
		if v.Sized {
			shown.Chart, err = c.drawRounds(rounds, f)
		}
		if err != nil {
			return nil, err
		}
		v.Figures = append(v.Figures, shown)
	}
	return v, nil
}

// drawRounds draws a figure of all runs, each point in the middle of its round. It leaves out the oracle, which
// would compress the scale of the others.
func (c *Comparison) drawRounds(rounds []Rounds, f StretchFigure) (template.HTML, error) {
	styles := c.styles()
	chart := figure{label: f.Title(), bare: true, xmax: float64(c.budget())}
	for i, r := range rounds {
		if c.ceiling(i, f) {
			continue
		}
		s := series{style: styles[i]}
		for _, round := range r.Each {
			if e := round.Figures[f]; e.N > 0 {
				s.x, s.y = append(s.x, float64(round.From+round.To)/2), append(s.y, e.Mean)
			}
		}
		chart.series = append(chart.series, s)
	}
	return chart.svg(520, 250)
}

// comparedTables are the tables of a figure: one per size of rounds, in the order of the first run of each.
func (c *Comparison) comparedTables(rounds []Rounds, f StretchFigure) []comparedTable {
	var tables []comparedTable
	places := map[int]int{} // by size
	for i, r := range rounds {
		place, there := places[r.Size]
		if !there {
			place, places[r.Size] = len(tables), len(tables)
			tables = append(tables, comparedTable{Heads: c.roundHeads(r.Size)})
		}
		row := comparedRow{Run: c.Runs[i].Name, Oracle: c.ceiling(i, f), Cells: []string{f.words(r.Whole.Figures[f])}}
		for _, n := range c.shownRounds(r.Size) {
			cell := "–"
			if n < len(r.Each) {
				cell = f.words(r.Each[n].Figures[f])
			}
			row.Cells = append(row.Cells, cell)
		}
		tables[place].Rows = append(tables[place].Rows, row)
	}
	return tables
}

// shownRounds are the rounds that a table shows, counted from 0.
func (c *Comparison) shownRounds(size int) (shown []int) {
	if size == 0 {
		return nil
	}
	rounds := (c.budget() + size - 1) / size
	n := min(rounds, roundColumns)
	for i := range n {
		shown = append(shown, i*(rounds-1)/max(1, n-1))
	}
	return shown
}

// roundHeads says which requests the columns are of.
func (c *Comparison) roundHeads(size int) []string {
	heads := []string{"all"}
	for _, n := range c.shownRounds(size) {
		heads = append(heads, fmt.Sprintf("%d–%d", n*size+1, min((n+1)*size, c.budget())))
	}
	return heads
}

// ceiling reports whether a run is the oracle of this figure. An oracle knows the truth, but no cosines.
func (c *Comparison) ceiling(run int, f StretchFigure) bool {
	return c.Runs[run].Oracle && f == HarvestRate
}

// words formats a figure; cosines, and shares above a cosine, are small and get more digits.
func (f StretchFigure) words(e Estimate) string {
	if e.N == 0 {
		return "–"
	}
	text := strconv.FormatFloat(e.Mean, 'f', f.decimals(), 64)
	if e.N > 1 {
		text += " ± " + strconv.FormatFloat(e.Half, 'f', f.decimals(), 64)
	}
	return text
}

func (f StretchFigure) decimals() int {
	if f == HarvestRate {
		return 3
	}
	return 4
}

// differenceRows compare all runs with each other over all requests.
func (c *Comparison) differenceRows(rounds []Rounds, f StretchFigure) []differenceRow {
	rows := make([]differenceRow, len(rounds))
	for i, r := range rounds {
		rows[i] = differenceRow{Run: c.Runs[i].Name, Oracle: c.ceiling(i, f)}
		for _, differences := range r.Whole.Against {
			rows[i].Cells = append(rows[i].Cells, f.cell(differences[f]))
		}
	}
	return rows
}

// cell writes a difference with its sign.
func (f StretchFigure) cell(d Difference) differenceCell {
	if d.N == 0 {
		return differenceCell{}
	}
	text := f.words(d.Estimate)
	if d.Mean > 0 {
		text = "+" + text
	}
	return differenceCell{text, d.Better, d.Worse, d.N > 1 && max(d.Mean, -d.Mean) > d.Half}
}
