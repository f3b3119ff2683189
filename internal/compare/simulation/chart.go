package simulation

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"

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

const row = vg.Length(15) // of the legend

// drawSimulated draws harvest rate (solid) and recall (dashed) at the end of each crawl against the size
// of the web, with one colour per focus, as SVG. The legend, above, has a row per focus.
func drawSimulated(all []simulated) ([]byte, error) {
	trails := trailsOf(all)
	legend := row * vg.Length(len(trails))
	canvas := vgsvg.New(560, 300+legend)
	area := draw.New(canvas)
	area.SetColor(color.White)
	area.Fill(area.Rectangle.Path())
	letters := drawing.Letters(color.Black, 12)
	letters.YAlign = draw.YCenter
	p := plotSimulated(trails)
	for i, l := range p.Lines {
		x, y := 60+vg.Length(i%2)*250, area.Max.Y-row*(vg.Length(i/2)+0.6)
		area.StrokeLine2(l.Style, x, y, x+24, y)
		area.FillText(letters, vg.Point{X: x + 30, Y: y}, trails[i/2].focus+": "+[]string{"harvest rate", "recall"}[i%2])
	}
	p.Draw(draw.Crop(area, 2, -4, 2, -legend-2))
	return drawing.SVG(canvas)
}

// plotSimulated has two lines for each trail: harvest rate and recall.
func plotSimulated(trails []trail) *drawing.Plot {
	p := &drawing.Plot{Ink: color.Black, Frame: color.Black, Grid: color.Gray{0x80}, Size: 12}
	low, high := math.Inf(1), 1.0
	colours := []color.RGBA{{0x1f, 0x6f, 0xb4, 0xff}, {0xd0, 0x5c, 0x12, 0xff}, {0x2b, 0x8a, 0x3e, 0xff}, {0x80, 0x3f, 0xa0, 0xff}, {0x60, 0x60, 0x60, 0xff}}
	for i, t := range trails {
		low, high = min(low, slices.Min(t.size)), max(high, slices.Max(t.size))
		style := draw.LineStyle{Color: colours[i%len(colours)], Width: 1.5}
		p.Lines = append(p.Lines, drawing.Line{X: t.size, Y: t.harvest, Style: style, Dots: len(t.size), Radius: 2.5})
		style.Dashes = []vg.Length{4, 3}
		p.Lines = append(p.Lines, drawing.Line{X: t.size, Y: t.recall, Style: style, Dots: len(t.size), Radius: 2.5})
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
