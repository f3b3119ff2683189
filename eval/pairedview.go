package eval

import (
	_ "embed"
	"fmt"
	"html/template"
	"math"
	"strings"
)

// pairedPart is the template of measures and paired differences; read-only.
//
//go:embed paired.html
var pairedPart string

// A measureRow is the measures of a run, formatted.
type measureRow struct {
	Run    string
	Oracle bool
	Cells  []string
}

// A measuredView is a table of measures.
type measuredView struct {
	Titles []string
	Rows   []measureRow
}

// measureTitles are the heads of a table of measures.
func measureTitles() (titles []string) {
	for _, m := range Measures() {
		titles = append(titles, m.Title())
	}
	return titles
}

// measureRows are those of all runs.
func (c *Comparison) measureRows() []measureRow {
	rows := make([]measureRow, len(c.Runs))
	for i := range c.Runs {
		rows[i] = measureRow{Run: c.Runs[i].Name, Oracle: c.Runs[i].Oracle}
		for _, m := range Measures() {
			rows[i].Cells = append(rows[i].Cells, MeanWords(c.Runs[i].Measured(m)))
		}
	}
	return rows
}

// MeanWords formats the mean of values, of several with half its 95 % interval; a dash if all are NaN.
func MeanWords(values []float64) string {
	e := EstimateOf(known(values))
	switch e.N {
	case 0:
		return "–"
	case 1:
		return figureWords(e.Mean)
	}
	return figureWords(e.Mean) + " ± " + figureWords(e.Half)
}

// intervals draws the differences of a measure with their intervals around 0, a line per run. Oracles, which would
// compress the scale of the others, are left out.
func (p *Paired) intervals(measure string) template.HTML {
	const left, right, line = 170.0, 510.0, 20.0
	low, high := 0.0, 0.0
	var names []string
	for _, r := range p.Rows {
		if r.Measure == measure && !r.Ceiling {
			low, high = min(low, r.Low, r.Difference), max(high, r.High, r.Difference)
			names = append(names, r.Run)
		}
	}
	if low == high || len(names) == 0 {
		return ""
	}
	x := func(v float64) float64 { return math.Round(10*(left+(right-left)*(v-low)/(high-low))) / 10 }
	bottom := line * float64(len(names))
	var b strings.Builder
	fmt.Fprintf(&b, `<svg viewBox="0 0 530 %g" role="img" aria-label="differences with 95 %% intervals">`, bottom+22)
	fmt.Fprintf(&b, `<line x1="%[1]g" x2="%[1]g" y1="0" y2="%[2]g" stroke="var(--p8)" stroke-dasharray="3 3"/>`, x(0), bottom)
	y := line / 2
	for _, r := range p.Rows {
		if r.Measure != measure || r.Ceiling {
			continue
		}
		fmt.Fprintf(&b, `<text x="%g" y="%g" font-size="12" text-anchor="end" fill="var(--p1)">%s</text>`, left-12, y+4, template.HTMLEscapeString(shorten(r.Run, 24)))
		fmt.Fprintf(&b, `<line x1="%g" x2="%g" y1="%[3]g" y2="%[3]g" stroke="var(--p5)" stroke-width="2"/>`, x(r.Low), x(r.High), y)
		fmt.Fprintf(&b, `<circle cx="%g" cy="%g" r="4" fill="var(--p5)"/>`, x(r.Difference), y)
		y += line
	}
	for _, tick := range []float64{low, 0, high} {
		if tick != 0 && math.Abs(x(tick)-x(0)) < 45 {
			continue
		}
		fmt.Fprintf(&b, `<text x="%g" y="%g" font-size="11" text-anchor="middle" fill="var(--soft)">%s</text>`, x(tick), bottom+16, SignedWords(tick))
	}
	b.WriteString("</svg>")
	return template.HTML(b.String())
}
