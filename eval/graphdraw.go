package eval

import (
	"fmt"
	"html/template"
	"math"
	"strconv"

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

// A picture is a graph being drawn. Its y points down.
type picture struct {
	graph
	width, height float64
	size          float64 // of letters
	labels        int     // at most
	at            *layout
	r             []float64
	taken         []drawing.Box // by labels
}

func (p *picture) draw() (graphPicture, error) {
	p.r = radii(p.nodes, p.width*p.height)
	p.at = layOut(len(p.nodes), p.edges, p.r, p.width, p.height)
	drawn, err := inline(p.width, p.height, fmt.Sprintf("%d hosts as circles, and the links that led from one to another", len(p.nodes)), p.drawAll)
	return graphPicture{drawn, fmt.Sprintf("0 0 %g %g", p.width, p.height), p.dots(), len(p.nodes), p.other, p.cut}, err
}

func (p *picture) drawAll(c *drawing.Canvas) {
	for i := len(p.drawn) - 1; i >= 0; i-- { // the heaviest over the others
		p.drawEdge(c, p.drawn[i])
	}
	for i := range p.nodes {
		x, y := p.point(i)
		drawDot(c, x, y, p.r[i], shade(ratio(p.nodes[i].accepted, p.nodes[i].pages)))
	}
	c.Group(drawing.Letters(paintInk.variable(), p.size), func() {
		for i := range p.nodes[:min(3*p.labels, len(p.nodes))] {
			p.drawLabel(c, i)
		}
	})
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

// point is where a node is.
func (p *picture) point(i int) (x, y float64) { return p.at.x[i], p.height - p.at.y[i] }

// drawEdge draws a wedge, wide at the link's source and pointed at its target.
func (p *picture) drawEdge(c *drawing.Canvas, e edge) {
	fx, fy := p.point(e.from)
	tx, ty := p.point(e.to)
	length := math.Hypot(tx-fx, ty-fy)
	if length == 0 {
		return
	}
	half := min(4, 0.4+0.3*math.Sqrt(float64(e.pages)))
	ax, ay := (fy-ty)/length, (tx-fx)/length // across
	c.Polygon([]float64{fx + float64(ax*half), tx + ax/4, tx - ax/4, fx - float64(ax*half)},
		[]float64{fy + float64(ay*half), ty + ay/4, ty - ay/4, fy - float64(ay*half)}, "fill:"+paintEdge.variable())
}

// drawDot draws a host's circle in a step of the scale.
func drawDot(c *drawing.Canvas, x, y, r float64, step int) {
	c.Circle(x, y, r, fmt.Sprintf("fill:%s;stroke:%s;stroke-width:0.5", (paintShade+paint(step)).variable(), paintGuide.variable()))
}

// mostCovered is how much a label may cover, in units of covers: about eight small circles.
const mostCovered = 30

// drawLabel writes a host's name beside its circle, if there is space. The largest hosts always get their
// labels.
func (p *picture) drawLabel(c *drawing.Canvas, i int) {
	name := printable(p.nodes[i].name, 28)
	if box, found := p.room(i, name, i < p.labels/3); found {
		c.Text(box.Left, box.Bottom-p.size/5, name, "")
	}
}

// extent is the size of a label.
func (p *picture) extent(name string) (width, height float64) {
	return drawing.Width(name, p.size) * 1.06, p.size // the reader's font may be wider than the measured one
}

// room finds a place for a label beside its circle, where it meets no other label and no edge of the picture,
// and covers the fewest and smallest circles. It finds none if every place covers too much, unless must is set.
func (p *picture) room(i int, name string, must bool) (drawing.Box, bool) {
	width, height := p.extent(name)
	x, y := p.point(i)
	gap := p.r[i] + 2
	best, most := drawing.Box{}, mostCovered
	if must {
		most = math.MaxInt - 1
	}
	covered := most + 1
	for _, corner := range [][2]float64{ // upper left ones
		{x + gap, y - height/2}, {x - gap - width, y - height/2},
		{x - width/2, y + gap}, {x - width/2, y - gap - height},
		{x - width/2, y - height/2},
	} {
		box := drawing.Box{Left: corner[0], Top: corner[1], Right: corner[0] + width, Bottom: corner[1] + height}
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
func (p *picture) covers(box drawing.Box, label int) (int, bool) {
	if box.Left < 1 || box.Top < 1 || box.Right > p.width-1 || box.Bottom > p.height-1 {
		return 0, false
	}
	for _, t := range p.taken {
		if box.Left < t.Right+3 && t.Left < box.Right+3 && box.Top < t.Bottom+1 && t.Top < box.Bottom+1 {
			return 0, false
		}
	}
	n := 0
	for i := range p.nodes {
		x, y := p.point(i)
		if r := p.r[i]; i != label && x+r > box.Left && x-r < box.Right && y+r > box.Top && y-r < box.Bottom {
			n += 1 + int(r)
		}
	}
	return n, true
}

// dots are the tooltip areas, slightly larger than the circles, since small ones are hard to point at.
func (p *picture) dots() []graphDot {
	dots := make([]graphDot, len(p.nodes))
	decimal := func(v float64) string { return strconv.FormatFloat(v, 'f', 1, 64) }
	for i, n := range p.nodes {
		x, y := p.point(i)
		dots[len(dots)-1-i] = graphDot{decimal(x), decimal(y), decimal(max(5, p.r[i])), // small ones on top
			fmt.Sprintf("%s: %d accepted of %d", printable(n.name, 100), n.accepted, n.pages)}
	}
	return dots
}

// dotSwatch is a circle in a colour of the scale, for a legend.
func dotSwatch(step int) (template.HTML, error) {
	return inline(14, 14, "", func(c *drawing.Canvas) { drawDot(c, 7, 7, 6, step) })
}
