package drawing

import (
	"bytes"
	"encoding/xml"
	"image/color"
	"math"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

func plotted(t *testing.T, p Plot) string {
	t.Helper()
	p.Ink, p.Frame, p.Grid, p.Size = color.Black, color.Black, color.Black, 12
	canvas := vgsvg.New(200, 100)
	p.Draw(draw.New(canvas))
	b, err := SVG(canvas)
	if err != nil {
		t.Fatal(err)
	}
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
	if strings.Contains(svg, "font-family:Go") || !strings.Contains(svg, "sans-serif") {
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

// TestLinesAreClipped: what leaves the axes is not drawn, nor is what is no number.
func TestLinesAreClipped(t *testing.T) {
	style := draw.LineStyle{Color: color.RGBA{R: 0xab, A: 0xff}, Width: 1}
	svg := plotted(t, Plot{X: Axis{Max: 10}, Y: Axis{Max: 10}, Lines: []Line{
		{X: []float64{-100, 5, 5, 1000}, Y: []float64{5, 5, 1000, 5}, Style: style, Dots: 4, Radius: 3},
		{X: []float64{math.NaN(), 5}, Y: []float64{5, math.NaN()}, Style: style, Dots: 2, Radius: 3},
		{Style: style, Dots: 1},
	}})
	if n := strings.Count(svg, `style="fill:#AB0000"`); n != 1 {
		t.Errorf("%d dots are drawn, of one within the axes", n)
	}
	if strings.Contains(svg, "NaN") {
		t.Error("something is drawn at no number")
	}
	for _, path := range strings.Split(svg, `d="M`)[1:] {
		data, _, _ := strings.Cut(path, `"`)
		for _, number := range strings.FieldsFunc(data, func(r rune) bool { return strings.ContainsRune("MLAZ, ", r) }) {
			if v, err := strconv.ParseFloat(number, 64); err != nil || v < 0 || v > 200 {
				t.Errorf("%s is outside the picture: %s", number, data)
			}
		}
	}
}

// TestLabelsHaveRoom: the axes begin right of the longest label, which begins right of what the axis is.
func TestLabelsHaveRoom(t *testing.T) {
	p := Plot{Size: 12, X: Axis{Label: "x"}, Y: Axis{Label: "y", Max: 1e6, Ticks: []Tick{{0, "0"}, {1e6, "1 000 000"}}}}
	area := draw.New(vgsvg.New(300, 200))
	in := p.inner(area, nil, p.within(p.Y))
	label := Letters(color.Black, p.Size).Width("1 000 000")
	if left := in.Min.X - tickLength - gap - label; left < p.Size*1.2 {
		t.Errorf("the label begins at %v: the axis's own is there", left)
	}
	if in.Min.Y < 2*p.Size {
		t.Errorf("the axis is at %v: no room for two lines", in.Min.Y)
	}
}
