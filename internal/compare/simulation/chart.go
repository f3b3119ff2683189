package simulation

import (
	"fmt"
	"math"
	"slices"

	"orbweaver/internal/drawing"
)

// trail is the result of one focus on webs of several sizes.
type trail struct {
	focus                 string
	size, harvest, recall []float64
}

// trailsOf returns the trails of all focuses, in the order of simulation.
func trailsOf(all []simulated) (trails []trail) {
	for _, r := range all {
		i := slices.IndexFunc(trails, func(t trail) bool { return t.focus == r.focus })
		if i < 0 {
			i, trails = len(trails), append(trails, trail{focus: r.focus})
		}
		t := &trails[i]
		t.size, t.harvest, t.recall = append(t.size, float64(r.size)), append(t.harvest, r.end.harvest()), append(t.recall, r.recall(r.end))
	}
	return trails
}

const row = 15.0 // of the legend

// drawSimulated draws harvest rate (solid) and recall (dashed) at the end of each crawl against the size
// of the web, with one colour per focus, as SVG. The legend, above, has a row per focus.
func drawSimulated(all []simulated) []byte {
	trails := trailsOf(all)
	legend := row * float64(len(trails))
	const width = 560
	height := 300 + legend
	c := new(drawing.Canvas)
	c.Rectangle(drawing.Box{Right: width, Bottom: height}, "fill:white")
	p := plotSimulated(trails)
	c.Group(drawing.Letters("black", 12), func() {
		for i, l := range p.Lines {
			x, y := 60+float64(i%2)*250, row*(float64(i/2)+0.6)
			c.Line(x, y, x+24, y, l.Stroke.CSS())
			c.Text(x+30, y+4, trails[i/2].focus+": "+[]string{"harvest rate", "recall"}[i%2], "")
		}
	})
	p.Draw(c, drawing.Box{Left: 2, Top: legend + 2, Right: width - 4, Bottom: height - 2})
	return c.Document(width, height)
}

// plotSimulated has two lines for each trail: harvest rate and recall.
func plotSimulated(trails []trail) *drawing.Plot {
	p := &drawing.Plot{Ink: "black", Frame: "black", Grid: "grey", Size: 12}
	low, high := math.Inf(1), 1.0
	colours := []string{"#1f6fb4", "#d05c12", "#2b8a3e", "#803fa0", "#606060"}
	for i, t := range trails {
		low, high = min(low, slices.Min(t.size)), max(high, slices.Max(t.size))
		stroke := drawing.Stroke{Colour: colours[i%len(colours)], Width: 1.5}
		p.Lines = append(p.Lines, drawing.Line{X: t.size, Y: t.harvest, Stroke: stroke, Dots: len(t.size), Radius: 2.5})
		stroke.Dashes = "4,3"
		p.Lines = append(p.Lines, drawing.Line{X: t.size, Y: t.recall, Stroke: stroke, Dots: len(t.size), Radius: 2.5})
	}
	p.X = drawing.Axis{Label: "pages of the web", Min: low * 0.8, Max: high * 1.25, Place: math.Log10}
	for e := math.Floor(math.Log10(low)); e <= math.Log10(high); e++ {
		p.X.Ticks = append(p.X.Ticks, drawing.Tick{Value: math.Pow(10, e), Label: fmt.Sprintf("10^%g", e)})
	}
	p.Y = drawing.Axis{Label: "share", Max: 1}
	for i := range 6 {
		p.Y.Ticks = append(p.Y.Ticks, drawing.Tick{Value: float64(i) / 5, Label: fmt.Sprint(float64(i) / 5)})
	}
	return p
}
