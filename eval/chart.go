package eval

import (
	"cmp"
	"fmt"
	"html/template"
	"math"
	"strconv"

	"orbweaver/internal/drawing"
)

// maxSamples is the most points of a curve: more would be finer than a pixel.
const maxSamples = 400

// A series is a line of a chart: x ascends, y is 0..1, or a count.
type series struct {
	style int // colour and dash: see stylePaint
	x, y  []float64
	dots  bool // a dot at each point, not only where the line ends
}

// A figure is a chart of shares, or counts, over requests, or rounds. The page has the legend.
type figure struct {
	label  string // of the vertical axis
	bare   bool   // the label is only for screen readers; the page shows it outside
	over   string // of the horizontal one; empty: requests
	xmin   float64
	xmax   float64
	counts bool // what is drawn are counts, not shares
	square bool // both axes are shares from 0 to 1
	series []series
	guides []float64 // requests at which vertical lines are drawn
}

// A chart is a figure in two sizes, for wide and for narrow screens; the style sheet shows one.
type chart struct{ Wide, Narrow template.HTML }

func (f figure) draw() (chart, error) {
	wide, err := f.svg(860, 380)
	if err != nil {
		return chart{}, err
	}
	narrow, err := f.svg(370, 300)
	return chart{wide, narrow}, err
}

func (f figure) svg(width, height float64) (template.HTML, error) {
	most := min(6, int(height/28))
	p := drawing.Plot{Ink: paintInk.variable(), Frame: paintGuide.variable(), Grid: paintGrid.variable(), Size: 12}
	p.X = drawing.Axis{Label: cmp.Or(f.over, "requests"), Min: f.xmin, Max: max(f.xmin+1, f.xmax)}
	p.Y = drawing.Axis{Max: f.top()}
	if !f.bare {
		p.Y.Label = f.label
	}
	p.X.Ticks, p.Y.Ticks = ticks(p.X, int(width/75), 1, countLabel), ticks(p.Y, most, 0, shareLabel) // there is no half request
	if f.square {
		p.X.Min, p.X.Max = 0, 1
		p.X.Ticks = ticks(p.X, int(width/75), 0, shareLabel)
	}
	if f.counts {
		p.Y.Ticks = ticks(p.Y, most, 1, countLabel)
	}
	guide := drawing.Stroke{Colour: paintGuide.variable(), Width: 0.8, Dashes: "2,3"}
	for _, x := range f.guides {
		p.Lines = append(p.Lines, drawing.Line{X: []float64{x, x}, Y: []float64{0, p.Y.Max}, Stroke: guide})
	}
	for _, s := range f.series {
		p.Lines = append(p.Lines, s.line())
	}
	return inline(width, height, f.label+" over "+p.X.Label, func(c *drawing.Canvas) {
		p.Draw(c, drawing.Box{Left: 2, Top: 2, Right: width - 4, Bottom: height - 2})
	})
}

// top returns the end of the vertical axis: the least of a few round numbers that is not below any value, so
// that curves fill the chart and similar charts have equal axes.
func (f figure) top() float64 {
	if f.square {
		return 1
	}
	highest := 0.0
	for _, s := range f.series {
		for _, y := range s.y {
			highest = max(highest, y)
		}
	}
	if f.counts {
		step := roundStep(highest/4, 1)
		return max(step, step*math.Ceil(highest/step-1e-9))
	}
	for _, top := range []float64{0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8} {
		if highest > 0 && highest <= top {
			return top
		}
	}
	return 1
}

// line has a dot where it ends, so that a run of one request shows too.
func (s series) line() drawing.Line {
	l := drawing.Line{X: s.x, Y: s.y, Stroke: styleLine(s.style), Dots: 1, Radius: 3}
	if s.dots {
		l.Dots = len(s.x)
	}
	return l
}

// ticks puts a labelled tick at each multiple of the least round step (1, 2 or 5 times a power of ten) that
// makes at most the given number of them.
func ticks(a drawing.Axis, most int, least float64, label func(float64) string) (all []drawing.Tick) {
	step := roundStep((a.Max-a.Min)/float64(most), least)
	for i := math.Ceil(a.Min / step); i*step <= a.Max*(1+1e-9); i++ {
		all = append(all, drawing.Tick{Value: i * step, Label: label(i * step)})
	}
	return all
}

func roundStep(atLeast, least float64) float64 {
	atLeast = max(atLeast, least)
	power := math.Pow(10, math.Floor(math.Log10(atLeast)))
	for _, m := range []float64{1, 2, 5} {
		if m*power >= atLeast*(1-1e-9) {
			return m * power
		}
	}
	return 10 * power
}

func shareLabel(v float64) string { return strconv.FormatFloat(rounded(v), 'f', -1, 64) }

// countLabel formats counts for an axis: 2500, 40k, 3M.
func countLabel(v float64) string {
	switch {
	case v >= 1e6:
		return strconv.FormatFloat(v/1e6, 'f', -1, 64) + "M"
	case v >= 1e4:
		return strconv.FormatFloat(v/1e3, 'f', -1, 64) + "k"
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

// A paint is a colour defined by the style sheet.
type paint uint8

// The paints of a chart; those of lines follow paintLine.
const (
	paintInk paint = 1 + iota
	paintGrid
	paintGuide
	paintLine
	paintEdge  = paintLine + linePaints // of a graph
	paintShade = paintEdge + 1          // of a share of 0; those of the scale's steps follow
)

// variable is the CSS variable of a paint.
func (p paint) variable() string { return fmt.Sprintf("var(--p%d)", p) }

// The number of colours and dashes of lines: styles repeat after 64. The style sheet
// gives the colours, in a light and in a dark palette.
const (
	linePaints = 8
	lineDashes = 8
)

// stylePaint is the colour of the n-th style. The first, the text colour, is for oracles.
func stylePaint(n int) paint { return paintLine + paint(n%linePaints) }

// styleLine is the dash pattern of the n-th style. Styles of equal colour, and neighbouring styles, have
// different dashes, for readers who cannot distinguish the colours. Of the first eight only the second is
// solid.
func styleLine(n int) drawing.Stroke {
	dashes := [lineDashes]string{"2,2.5", "", "9,3", "5,3", "10,3,2,3", "16,4", "6,2,2,2,2,2", "14,3,5,3"}
	return drawing.Stroke{Colour: stylePaint(n).variable(), Width: 2, Dashes: dashes[(n+n/linePaints)%lineDashes]}
}

// swatch is a line sample of a style, for a legend.
func swatch(style int) (template.HTML, error) {
	return inline(44, 10, "", func(c *drawing.Canvas) { c.Line(1, 5, 43, 5, styleLine(style).CSS()) })
}

// inline makes a drawing an HTML element: without a fixed size, with a description.
func inline(width, height float64, description string, draw func(*drawing.Canvas)) (template.HTML, error) {
	c := new(drawing.Canvas)
	draw(c)
	head := fmt.Sprintf(`<svg viewBox="0 0 %g %g" role="img" aria-label="%s">`, width, height, template.HTMLEscapeString(description))
	if description == "" {
		head = fmt.Sprintf(`<svg viewBox="0 0 %g %g" aria-hidden="true">`, width, height)
	}
	return template.HTML(head + "\n" + c.Elements() + "</svg>\n"), nil
}
