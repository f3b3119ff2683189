// Package drawing makes SVG: plots of lines over two axes, and the width of texts. Lengths are in the units of the
// picture, x points right and y down, colours are those of CSS.
package drawing

import "fmt"

// A Plot has lines over two axes, which meet at its lower left corner.
type Plot struct {
	X, Y             Axis
	Lines            []Line  // later ones over earlier ones
	Ink, Frame, Grid string  // colours of texts, axes and grid
	Size             float64 // of letters
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

// A Line joins points. Those outside the axes are left out.
type Line struct {
	X, Y   []float64 // of equal length
	Stroke Stroke
	Dots   int     // the last so many points have a dot
	Radius float64 // of a dot
}

// A Stroke is how a line looks.
type Stroke struct {
	Colour string
	Width  float64
	Dashes string // lengths of dashes and gaps, with commas between; empty: none
}

// CSS returns the stroke as a style.
func (s Stroke) CSS() string {
	css := fmt.Sprintf("fill:none;stroke:%s;stroke-width:%g", s.Colour, s.Width)
	if s.Dashes != "" {
		css += ";stroke-dasharray:" + s.Dashes
	}
	return css
}

// A Box is a rectangle.
type Box struct{ Left, Top, Right, Bottom float64 }

const (
	tickLength = 5
	gap        = 4 // between a tick and its label
)

// Draw draws the plot into a part of a picture.
func (p *Plot) Draw(c *Canvas, area Box) {
	x, y := p.X.within(), p.Y.within()
	inner := p.inner(area, x, y)
	p.drawFrame(c, inner, x, y)
	p.drawLabels(c, area, inner, x, y)
	for _, l := range p.Lines {
		p.drawLine(c, inner, l)
	}
}

// within returns the ticks of an axis that are within its range.
func (a Axis) within() (ticks []Tick) {
	for _, t := range a.Ticks {
		if a.has(t.Value) {
			ticks = append(ticks, t)
		}
	}
	return ticks
}

func (a Axis) has(v float64) bool { return a.share(v) >= -1e-9 && a.share(v) <= 1+1e-9 }

// share is where on the axis a value is, from 0 to 1.
func (a Axis) share(v float64) float64 {
	if a.Place == nil {
		return (v - a.Min) / (a.Max - a.Min)
	}
	return (a.Place(v) - a.Place(a.Min)) / (a.Place(a.Max) - a.Place(a.Min))
}

// inner returns the part of an area between the axes: what remains beside labels, and within half a label of the last ticks.
func (p *Plot) inner(area Box, x, y []Tick) Box {
	left, bottom := 0.0, p.Size+gap+tickLength
	for _, t := range y {
		left = max(left, Width(t.Label, p.Size))
	}
	left += gap + tickLength
	if p.Y.Label != "" {
		left += p.Size * 1.5
	}
	if p.X.Label != "" {
		bottom += p.Size * 1.4
	}
	right := p.Size / 2
	if len(x) > 0 {
		right = max(right, Width(x[len(x)-1].Label, p.Size)/2)
	}
	return Box{area.Left + left, area.Top + p.Size/2, area.Right - right, area.Bottom - bottom}
}

func (p *Plot) x(in Box, v float64) float64 { return in.Left + (in.Right-in.Left)*p.X.share(v) }
func (p *Plot) y(in Box, v float64) float64 { return in.Bottom - (in.Bottom-in.Top)*p.Y.share(v) }

// drawFrame draws the grid, and over it the axes with their ticks.
func (p *Plot) drawFrame(c *Canvas, in Box, x, y []Tick) {
	c.Group(Stroke{Colour: p.Grid, Width: 0.25}.CSS(), func() {
		for _, t := range x {
			c.Line(p.x(in, t.Value), in.Top, p.x(in, t.Value), in.Bottom, "")
		}
		for _, t := range y {
			c.Line(in.Left, p.y(in, t.Value), in.Right, p.y(in, t.Value), "")
		}
	})
	c.Group(Stroke{Colour: p.Frame, Width: 0.5}.CSS(), func() {
		c.Polyline([]float64{in.Left, in.Left, in.Right}, []float64{in.Top, in.Bottom, in.Bottom}, "")
		for _, t := range x {
			c.Line(p.x(in, t.Value), in.Bottom, p.x(in, t.Value), in.Bottom+tickLength, "")
		}
		for _, t := range y {
			c.Line(in.Left-tickLength, p.y(in, t.Value), in.Left, p.y(in, t.Value), "")
		}
	})
}

// drawLabels writes the labels of ticks and, at the edges of the area, those of the axes.
func (p *Plot) drawLabels(c *Canvas, area, in Box, x, y []Tick) {
	c.Group(Letters(p.Ink, p.Size)+";text-anchor:middle", func() {
		for _, t := range x {
			c.Text(p.x(in, t.Value), in.Bottom+tickLength+p.Size, t.Label, "")
		}
		for _, t := range y {
			c.Text(in.Left-tickLength-gap, p.y(in, t.Value)+p.Size*0.35, t.Label, "text-anchor:end")
		}
		if p.X.Label != "" {
			c.Text((in.Left+in.Right)/2, area.Bottom-p.Size*0.3, p.X.Label, "")
		}
		if p.Y.Label != "" {
			c.Turned(area.Left+p.Size*0.8, (in.Top+in.Bottom)/2, -90, func() { c.Text(0, 0, p.Y.Label, "") })
		}
	})
}

func (p *Plot) drawLine(c *Canvas, in Box, l Line) {
	var x, y []float64
	for i := range l.X {
		if p.X.has(l.X[i]) && p.Y.has(l.Y[i]) {
			x, y = append(x, p.x(in, l.X[i])), append(y, p.y(in, l.Y[i]))
		}
	}
	if len(x) > 1 {
		c.Polyline(x, y, l.Stroke.CSS())
	}
	for i := max(0, len(x)-l.Dots); i < len(x); i++ {
		c.Circle(x[i], y[i], l.Radius, "fill:"+l.Stroke.Colour)
	}
}
