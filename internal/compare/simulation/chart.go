package simulation

import (
	"bytes"
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// trail is the result of one focus on webs of several sizes.
type trail struct {
	focus           string
	harvest, recall plotter.XYs
}

// trailsOf returns the trails of all focuses, in the order of simulation.
func trailsOf(all []simulated) (trails []trail) {
	for _, r := range all {
		i := slices.IndexFunc(trails, func(t trail) bool { return t.focus == r.focus })
		if i < 0 {
			i, trails = len(trails), append(trails, trail{focus: r.focus})
		}
		t, x := &trails[i], float64(r.size)
		t.harvest = append(t.harvest, plotter.XY{X: x, Y: r.end.harvest()})
		t.recall = append(t.recall, plotter.XY{X: x, Y: r.recall(r.end)})
	}
	return trails
}

// drawSimulated draws harvest rate (solid) and recall (dashed) at the end of each crawl against the size
// of the web, with one colour per focus, as SVG.
func drawSimulated(all []simulated) ([]byte, error) {
	p, err := plotSimulated(all)
	if err != nil {
		return nil, err
	}
	canvas := vgsvg.New(560, 340)
	p.Draw(draw.Crop(draw.New(canvas), 2, -8, 2, -6))
	var b bytes.Buffer
	_, err = canvas.WriteTo(&b)
	return b.Bytes(), err
}

func plotSimulated(all []simulated) (*plot.Plot, error) {
	p := plot.New()
	p.X.Label.Text, p.Y.Label.Text = "pages of the web", "share"
	p.X.Scale, p.X.Tick.Marker, p.Y.Tick.Marker = plot.LogScale{}, powersOfTen{}, fifths{}
	p.Legend.Top = true
	for _, f := range []*font.Font{&p.X.Label.TextStyle.Font, &p.Y.Label.TextStyle.Font, &p.X.Tick.Label.Font, &p.Y.Tick.Label.Font, &p.Legend.TextStyle.Font} {
		f.Variant = "Sans"
	}
	p.Add(plotter.NewGrid())
	for i, t := range trailsOf(all) {
		if err := t.addTo(p, i); err != nil {
			return nil, fmt.Errorf("chart of %s: %w", t.focus, err)
		}
	}
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = p.X.Min*0.8, p.X.Max*1.25, 0, 1.3 // the legend is above 1
	return p, nil
}

// addTo adds the trail of the n-th focus.
func (t trail) addTo(p *plot.Plot, n int) error {
	colours := []color.RGBA{{0x1f, 0x6f, 0xb4, 0xff}, {0xd0, 0x5c, 0x12, 0xff}, {0x2b, 0x8a, 0x3e, 0xff}, {0x80, 0x3f, 0xa0, 0xff}, {0x60, 0x60, 0x60, 0xff}}
	for _, curve := range []struct {
		name   string
		points plotter.XYs
		dashes []vg.Length
	}{{"harvest rate", t.harvest, nil}, {"recall", t.recall, []vg.Length{4, 3}}} {
		line, dots, err := plotter.NewLinePoints(curve.points)
		if err != nil {
			return err
		}
		line.Color, line.Width, line.Dashes = colours[n%len(colours)], 1.5, curve.dashes
		dots.Color, dots.Shape = line.Color, draw.CircleGlyph{}
		p.Add(line, dots)
		p.Legend.Add(t.focus+": "+curve.name, line)
	}
	return nil
}

// powersOfTen places a tick at each power of ten.
type powersOfTen struct{}

// Ticks returns the ticks between two numbers above 0.
func (powersOfTen) Ticks(low, high float64) []plot.Tick {
	var ticks []plot.Tick
	for e := math.Floor(math.Log10(low)); e <= math.Log10(high); e++ {
		if v := math.Pow(10, e); v >= low {
			ticks = append(ticks, plot.Tick{Value: v, Label: fmt.Sprintf("10^%g", e)})
		}
	}
	return ticks
}

// fifths places ticks at 0, 0.2 and so on to 1.
type fifths struct{}

// Ticks returns the same ticks for all ranges.
func (fifths) Ticks(_, _ float64) (ticks []plot.Tick) {
	for i := range 6 {
		ticks = append(ticks, plot.Tick{Value: float64(i) / 5, Label: fmt.Sprint(float64(i) / 5)})
	}
	return ticks
}
