package drawing

import (
	"bytes"
	"encoding/xml"
	"math"
	"strconv"
	"strings"
	"testing"
)

func plotted(t *testing.T, p Plot) string {
	t.Helper()
	p.Ink, p.Frame, p.Grid, p.Size = "black", "black", "black", 12
	c := new(Canvas)
	p.Draw(c, Box{Right: 200, Bottom: 100})
	b := c.Document(200, 100)
	for d := xml.NewDecoder(bytes.NewReader(b)); ; {
		if token, err := d.Token(); token == nil {
			if err.Error() != "EOF" {
				t.Errorf("no XML: %v\n%s", err, b)
			}
			return string(b)
		}
	}
}

// TestTicksOutsideAreNotDrawn: on linear axes, and on others.
func TestTicksOutsideAreNotDrawn(t *testing.T) {
	p := Plot{
		X: Axis{Min: 10, Max: 1000, Place: math.Log10, Ticks: []Tick{{1, "one"}, {10, "ten"}, {100, "<hundred>"}, {1e4, "myriad"}}},
		Y: Axis{Label: "share", Max: 1, Ticks: []Tick{{-1, "below"}, {0, "bottom"}, {1, "top"}, {1.1, "above"}}},
	}
	svg := plotted(t, p)
	for text, drawn := range map[string]bool{"one": false, "ten": true, "&lt;hundred&gt;": true, "myriad": false, "below": false, "bottom": true, "top": true, "above": false, "share": true} {
		if strings.Contains(svg, ">"+text+"</text>") != drawn {
			t.Errorf("%s is drawn: %t", text, !drawn)
		}
	}
	if strings.Contains(svg, "Go Regular") || !strings.Contains(svg, "sans-serif") {
		t.Error("texts are not in the reader's sans serif")
	}
	if again := plotted(t, p); again != svg {
		t.Error("drawn twice, it differs")
	}
}

// TestHundredIsHalfway: a tick of a logarithmic axis lies halfway between those of a tenth and of ten times.
func TestHundredIsHalfway(t *testing.T) {
	a := Axis{Min: 10, Max: 1000, Place: math.Log10}
	if got := a.share(100); math.Abs(got-0.5) > 1e-12 {
		t.Errorf("at %v", got)
	}
}

// TestPointsOutsideAreLeftOut: what leaves the axes is not drawn, nor is what is no number.
func TestPointsOutsideAreLeftOut(t *testing.T) {
	stroke := Stroke{Colour: "#ab0000", Width: 1, Dashes: "4,3"}
	svg := plotted(t, Plot{X: Axis{Max: 10}, Y: Axis{Max: 10}, Lines: []Line{
		{X: []float64{-100, 5, 0, 5, 1000}, Y: []float64{5, 5, 10, 1000, 5}, Stroke: stroke, Dots: 4, Radius: 3},
		{X: []float64{math.NaN(), 5}, Y: []float64{5, math.NaN()}, Stroke: stroke, Dots: 2, Radius: 3},
		{Stroke: stroke, Dots: 1},
	}})
	if n := strings.Count(svg, `style="fill:#ab0000"`); n != 2 {
		t.Errorf("%d dots are drawn, of two within the axes", n)
	}
	if n := strings.Count(svg, `style="fill:none;stroke:#ab0000;stroke-width:1;stroke-dasharray:4,3"`); n != 1 {
		t.Errorf("%d lines are drawn, of one with points within", n)
	}
	if strings.Contains(svg, "NaN") {
		t.Error("something is drawn at no number")
	}
	for _, polyline := range strings.Split(svg, `points="`)[1:] {
		points, _, _ := strings.Cut(polyline, `"`)
		for _, number := range strings.FieldsFunc(points, func(r rune) bool { return r == ',' || r == ' ' }) {
			if v, err := strconv.ParseFloat(number, 64); err != nil || v < 0 || v > 200 {
				t.Errorf("%s is outside the picture: %s", number, points)
			}
		}
	}
}

// TestLabelsHaveRoom: the axes begin right of the longest label, which begins right of what the axis is.
func TestLabelsHaveRoom(t *testing.T) {
	p := Plot{Size: 12, X: Axis{Label: "x"}, Y: Axis{Label: "y", Max: 1e6, Ticks: []Tick{{0, "0"}, {1e6, "1 000 000"}}}}
	in := p.inner(Box{Right: 300, Bottom: 200}, nil, p.Y.within())
	if left := in.Left - tickLength - gap - Width("1 000 000", p.Size); left < p.Size*1.2 {
		t.Errorf("the label begins at %v: the axis's own is there", left)
	}
	if in.Bottom > 200-2*p.Size {
		t.Errorf("the axis is at %v: no room for two lines", in.Bottom)
	}
}

// TestWidth: by letters, in proportion to the size, for texts that the font lacks too.
func TestWidth(t *testing.T) {
	if narrow, wide := Width("iii", 12), Width("MMM", 12); narrow <= 0 || wide < 2*narrow || math.Abs(Width("MMM", 24)-2*wide) > 1e-9 {
		t.Errorf("iii is %v wide, MMM %v", narrow, wide)
	}
	if got := Width("日本\xff", 10); got < 15 || got > 35 {
		t.Errorf("three letters without a glyph are %v wide", got)
	}
}
