// Package drawing makes SVG on the canvas of gonum's plot (vg): plots of lines over two axes, and letters of a measured
// width. The axes are its own, for those of gonum link twelve fonts of 4.4 MB and writers of five other formats.
// Lengths are in points, y points up.
package drawing

import (
	"image/color"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Plot has lines over two axes, which meet at its lower left corner.
type Plot struct {
	X, Y             Axis
	Lines            []Line // later ones over earlier ones
	Ink, Frame, Grid color.Color
	Size             vg.Length // of letters
}

// An Axis is a range of values.
type Axis struct {
	Label    string // empty: none
	Min, Max float64
	Place    func(value float64) float64 // of a value on the axis, ascending; nil: the value itself
	Ticks    []Tick                      // ascending; those outside the range are not drawn
}

// A Tick is a labelled value of an axis.
type Tick struct {
	Value float64
	Label string
}

// A Line joins points, of which those outside the axes are not drawn.
type Line struct {
	X, Y   []float64 // of equal length
	Style  draw.LineStyle
	Dots   int       // the last so many points have a dot
	Radius vg.Length // of a dot
}

const (
	tickLength = 5
	gap        = 4 // between a tick and its label
)

// Draw draws the plot into an area.
func (p *Plot) Draw(area draw.Canvas) {
	x, y := p.within(p.X), p.within(p.Y)
	inner := p.inner(area, x, y)
	p.drawFrame(inner, x, y)
	p.drawLabels(area, inner)
	for _, l := range p.Lines {
		p.drawLine(inner, l)
	}
}

// within returns the ticks of an axis that are within its range.
func (p *Plot) within(a Axis) (ticks []Tick) {
	for _, t := range a.Ticks {
		if share := a.share(t.Value); share >= -1e-9 && share <= 1+1e-9 {
			ticks = append(ticks, t)
		}
	}
	return ticks
}

// share is where on the axis a value is, from 0 to 1.
func (a Axis) share(v float64) float64 {
	if a.Place == nil {
		return (v - a.Min) / (a.Max - a.Min)
	}
	return (a.Place(v) - a.Place(a.Min)) / (a.Place(a.Max) - a.Place(a.Min))
}

// inner returns the part of an area between the axes: what remains beside labels, and within half a label of the last ticks.
func (p *Plot) inner(area draw.Canvas, x, y []Tick) draw.Canvas {
	letters := Letters(p.Ink, p.Size)
	left, bottom := vg.Length(0), p.Size+gap+tickLength
	for _, t := range y {
		left = max(left, letters.Width(t.Label))
	}
	left += gap + tickLength
	if p.Y.Label != "" {
		left += p.Size * 1.5
	}
	if p.X.Label != "" {
		bottom += p.Size * 1.5
	}
	right := p.Size / 2
	if len(x) > 0 {
		right = max(right, letters.Width(x[len(x)-1].Label)/2)
	}
	return draw.Crop(area, left, -right, bottom, -p.Size/2)
}

// drawFrame draws the grid, the axes, their ticks and the labels of these.
func (p *Plot) drawFrame(in draw.Canvas, x, y []Tick) {
	grid, frame := draw.LineStyle{Color: p.Grid, Width: 0.25}, draw.LineStyle{Color: p.Frame, Width: 0.5}
	letters := Letters(p.Ink, p.Size)
	letters.XAlign, letters.YAlign = draw.XCenter, draw.YTop
	for _, t := range x {
		at := in.X(p.X.share(t.Value))
		in.StrokeLine2(grid, at, in.Min.Y, at, in.Max.Y)
		in.StrokeLine2(frame, at, in.Min.Y-tickLength, at, in.Min.Y)
		in.FillText(letters, vg.Point{X: at, Y: in.Min.Y - tickLength}, t.Label)
	}
	letters.XAlign, letters.YAlign = draw.XRight, draw.YCenter
	for _, t := range y {
		at := in.Y(p.Y.share(t.Value))
		in.StrokeLine2(grid, in.Min.X, at, in.Max.X, at)
		in.StrokeLine2(frame, in.Min.X-tickLength, at, in.Min.X, at)
		in.FillText(letters, vg.Point{X: in.Min.X - tickLength - gap, Y: at + p.Size/5}, t.Label) // digits have no part below the line
	}
	in.StrokeLines(frame, []vg.Point{{X: in.Min.X, Y: in.Max.Y}, in.Min, {X: in.Max.X, Y: in.Min.Y}})
}

// drawLabels writes what the axes are at the edges of the area.
func (p *Plot) drawLabels(area, in draw.Canvas) {
	letters := Letters(p.Ink, p.Size)
	letters.XAlign, letters.YAlign = draw.XCenter, draw.YBottom
	area.FillText(letters, vg.Point{X: in.Center().X, Y: area.Min.Y + p.Size/4}, p.X.Label)
	letters.Rotation = turned
	area.FillText(letters, vg.Point{X: area.Min.X + p.Size*0.8, Y: in.Center().Y}, p.Y.Label)
}

func (p *Plot) drawLine(in draw.Canvas, l Line) {
	points := make([]vg.Point, len(l.X))
	for i := range points {
		points[i] = vg.Point{X: in.X(p.X.share(l.X[i])), Y: in.Y(p.Y.share(l.Y[i]))}
	}
	in.StrokeLines(l.Style, in.ClipLinesXY(points)...)
	for _, at := range points[max(0, len(points)-l.Dots):] {
		in.DrawGlyph(draw.GlyphStyle{Color: l.Style.Color, Radius: l.Radius, Shape: draw.CircleGlyph{}}, at)
	}
}
