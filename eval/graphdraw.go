package eval

import (
	"fmt"
	"html/template"
	"math"
	"strconv"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"

	"orbweaver/internal/drawing"
)

// graphView is the picture of a crawl's hosts, in two sizes, for wide and narrow screens.
type graphView struct {
	Wide, Narrow graphPicture
	Legend       []legendEntry
	Late         int // pages between hosts beyond the limit
}

// A graphPicture is a drawing and its tooltip areas, one per host.
type graphPicture struct {
	Drawing    template.HTML
	Box        string
	Dots       []graphDot
	Hosts      int
	Other, Cut int // hosts and edges not shown
}

type graphDot struct{ X, Y, R, Told string }

// drawGraph draws the crawl's hosts; nil when no link led from one to another.
func (t *tally) drawGraph() (*graphView, error) {
	if len(t.graph.edges) == 0 {
		return nil, nil
	}
	wide := picture{graph: t.hostGraph(wideNodes, wideEdges), width: 860, height: 600, size: 11, labels: 40}
	narrow := picture{graph: t.hostGraph(wideNodes/4, wideEdges/4), width: 370, height: 440, size: 11, labels: 14}
	if len(wide.nodes) < 2 {
		return nil, nil
	}
	v := &graphView{Late: t.graph.late}
	var err error
	if v.Wide, err = wide.draw(); err == nil {
		v.Narrow, err = narrow.draw()
	}
	for step := 0; err == nil && step <= shades; step++ {
		var dot template.HTML
		dot, err = dotSwatch(step)
		name := "none accepted"
		switch {
		case step == 1:
			name = "up to 20 %"
		case step > 1:
			name = fmt.Sprintf("%d–%d %%", 100/shades*(step-1), 100/shades*step)
		}
		v.Legend = append(v.Legend, legendEntry{dot, name})
	}
	return v, err
}

// A picture is a graph being drawn. Sizes are in points, y points up.
type picture struct {
	graph
	width, height float64
	size          float64 // of letters
	labels        int     // at most
	at            *layout
	r             []float64
	taken         []vg.Rectangle // by labels
}

func (p *picture) draw() (graphPicture, error) {
	p.r = radii(p.nodes, p.width*p.height)
	p.at = layOut(len(p.nodes), p.edges, p.r, p.width, p.height)
	canvas := vgsvg.New(vg.Length(p.width), vg.Length(p.height))
	area := draw.New(canvas)
	for i := len(p.drawn) - 1; i >= 0; i-- { // the heaviest over the others
		p.drawEdge(&area, p.drawn[i])
	}
	for i := range p.nodes {
		drawDot(&area, p.point(i), p.r[i], shade(ratio(p.nodes[i].accepted, p.nodes[i].pages)))
	}
	for i := range p.nodes[:min(3*p.labels, len(p.nodes))] {
		p.drawLabel(&area, i)
	}
	drawn, err := inline(canvas, fmt.Sprintf("%d hosts as circles, and the links that led from one to another", len(p.nodes)))
	return graphPicture{drawn, fmt.Sprintf("0 0 %g %g", p.width, p.height), p.dots(), len(p.nodes), p.other, p.cut}, err
}

// radii makes circle areas proportional to pages, an eighth of the picture in total, with a minimal and a
// maximal radius.
func radii(nodes []node, area float64) []float64 {
	total := 0
	for _, n := range nodes {
		total += n.pages
	}
	unit := math.Sqrt(area / 8 / math.Pi / float64(max(1, total)))
	most := math.Sqrt(area) / 22
	r := make([]float64, len(nodes))
	for i, n := range nodes {
		r[i] = min(most, max(2.5, unit*math.Sqrt(float64(n.pages))))
	}
	return r
}

func (p *picture) point(i int) vg.Point {
	return vg.Point{X: vg.Length(p.at.x[i]), Y: vg.Length(p.at.y[i])}
}

// drawEdge draws a wedge, wide at the link's source and pointed at its target.
func (p *picture) drawEdge(area *draw.Canvas, e edge) {
	from, to := p.point(e.from), p.point(e.to)
	d := to.Sub(from)
	length := vg.Length(math.Hypot(float64(d.X), float64(d.Y)))
	if length == 0 {
		return
	}
	half := vg.Length(min(4, 0.4+0.3*math.Sqrt(float64(e.pages))))
	across := vg.Point{X: -d.Y / length, Y: d.X / length}
	wide, thin := across.Scale(half), across.Scale(0.25)
	area.FillPolygon(paintEdge, []vg.Point{from.Add(wide), to.Add(thin), to.Sub(thin), from.Sub(wide)})
}

// drawDot draws a host's circle in a step of the scale.
func drawDot(area *draw.Canvas, at vg.Point, r float64, step int) {
	area.DrawGlyphNoClip(draw.GlyphStyle{Color: paintShade + paint(step), Radius: vg.Length(r), Shape: draw.CircleGlyph{}}, at)
	area.DrawGlyphNoClip(draw.GlyphStyle{Color: paintGuide, Radius: vg.Length(r), Shape: draw.RingGlyph{}}, at)
}

// mostCovered is how much a label may cover, in units of covers: about eight small circles.
const mostCovered = 30

// drawLabel writes a host's name beside its circle, if there is space. The largest hosts always get their
// labels.
func (p *picture) drawLabel(area *draw.Canvas, i int) {
	name := printable(p.nodes[i].name, 28)
	if box, found := p.room(i, name, i < p.labels/3); found {
		area.FillText(p.letters(), vg.Point{X: box.Min.X, Y: box.Min.Y + vg.Length(p.size)/5}, name)
	}
}

// letters are those of names.
func (p *picture) letters() draw.TextStyle { return drawing.Letters(paintInk, vg.Length(p.size)) }

// extent is the size of a label.
func (p *picture) extent(name string) vg.Point {
	return vg.Point{X: p.letters().Width(name) * 1.06, Y: vg.Length(p.size)} // the reader's font may be wider than the library's
}

// room finds a place for a label beside its circle, where it meets no other label and no edge of the picture,
// and covers the fewest and smallest circles. It finds none if every place covers too much, unless must is set.
func (p *picture) room(i int, name string, must bool) (vg.Rectangle, bool) {
	size, at, gap := p.extent(name), p.point(i), vg.Length(p.r[i]+2)
	best, most := vg.Rectangle{}, mostCovered
	if must {
		most = math.MaxInt - 1
	}
	covered := most + 1
	for _, corner := range []vg.Point{
		{X: at.X + gap, Y: at.Y - size.Y/2}, {X: at.X - gap - size.X, Y: at.Y - size.Y/2},
		{X: at.X - size.X/2, Y: at.Y - gap - size.Y}, {X: at.X - size.X/2, Y: at.Y + gap},
		{X: at.X - size.X/2, Y: at.Y - size.Y/2},
	} {
		box := vg.Rectangle{Min: corner, Max: corner.Add(size)}
		if n, free := p.covers(box, i); free && n < covered {
			best, covered = box, n
		}
	}
	if covered > most || len(p.taken) >= p.labels {
		return best, false
	}
	p.taken = append(p.taken, best)
	return best, true
}

// covers reports whether a label may be in a box, and how many circles of other hosts it covers, large ones
// weighing more.
func (p *picture) covers(box vg.Rectangle, label int) (int, bool) {
	if box.Min.X < 1 || box.Min.Y < 1 || float64(box.Max.X) > p.width-1 || float64(box.Max.Y) > p.height-1 {
		return 0, false
	}
	for _, t := range p.taken {
		if box.Min.X < t.Max.X+3 && t.Min.X < box.Max.X+3 && box.Min.Y < t.Max.Y+1 && t.Min.Y < box.Max.Y+1 {
			return 0, false
		}
	}
	n := 0
	for i := range p.nodes {
		at, r := p.point(i), vg.Length(p.r[i])
		if i != label && at.X+r > box.Min.X && at.X-r < box.Max.X && at.Y+r > box.Min.Y && at.Y-r < box.Max.Y {
			n += 1 + int(p.r[i])
		}
	}
	return n, true
}

// dots are the tooltip areas, slightly larger than the circles, since small ones are hard to point at.
func (p *picture) dots() []graphDot {
	dots := make([]graphDot, len(p.nodes))
	decimal := func(v float64) string { return strconv.FormatFloat(v, 'f', 1, 64) }
	for i, n := range p.nodes {
		dots[len(dots)-1-i] = graphDot{decimal(p.at.x[i]), decimal(p.height - p.at.y[i]), decimal(max(5, p.r[i])), // small ones on top
			fmt.Sprintf("%s: %d accepted of %d", printable(n.name, 100), n.accepted, n.pages)}
	}
	return dots
}

// dotSwatch is a circle in a colour of the scale, for a legend.
func dotSwatch(step int) (template.HTML, error) {
	canvas := vgsvg.New(14, 14)
	area := draw.New(canvas)
	drawDot(&area, vg.Point{X: 7, Y: 7}, 6, step)
	return inline(canvas, "")
}
