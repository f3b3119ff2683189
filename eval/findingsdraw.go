package eval

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"orbweaver/internal/drawing"
)

const (
	termGroups = 6  // with a colour of their own
	edgeKinds  = 4  // properties with a style of their own
	allNamed   = 60 // largest number of terms that are all labelled
	namedEdges = 24 // largest number of statements that are labelled
	ring       = 3  // distance of a given term's ring from its circle
)

// termGraph is the picture of terms, in two sizes, for wide and narrow screens.
type termGraph struct {
	Wide, Narrow termPicture
	Groups       []classEntry
	Kinds        []classEntry
	Given        bool
	OnTheWay     bool
}

// A classEntry is a name in a legend and its CSS class.
type classEntry struct{ Class, Name string }

// A termPicture is a drawing. Its y axis points down.
type termPicture struct {
	Box               string
	Edges             []edgeView
	Dots              []termDot
	Names             []nameView
	Shown, Other, Cut int
	Dense             bool // thin lines, for many statements
}

// edgeView is a statement: its line, arrowhead and tooltip.
type edgeView struct{ Class, Line, Head, Told string }

type termDot struct {
	Class, Row  string // Row: the fragment of the term's row; empty: it has none
	X, Y, R     string
	Ring, Touch string // radii: of a given term's ring; and of the pointer target
	Told        string
}

type nameView struct{ Class, Anchor, X, Y, Size, Text string }

// draw draws the terms; nil if there are none.
func (f *Findings) draw() *termGraph {
	if len(f.Nodes) == 0 {
		return nil
	}
	whole, few := f.net(termNodes, termEdges), f.net(termNodes/4, termEdges/4)
	few.groups, few.kinds = whole.groups, whole.kinds // both sizes share one legend
	g := &termGraph{Wide: whole.picture(860, false), Narrow: few.picture(370, true)}
	g.Given, g.OnTheWay = whole.nodes[0].term != nil && whole.nodes[0].term.Given, whole.onTheWay
	for i, name := range whole.groups {
		g.Groups = append(g.Groups, classEntry{"g" + strconv.Itoa(i+1), printable(name, 60)})
	}
	if whole.grey {
		g.Groups = append(g.Groups, classEntry{"gx", "others"})
	}
	for i, name := range whole.kinds {
		g.Kinds = append(g.Kinds, classEntry{"k" + strconv.Itoa(i+1), printable(localName(name), 60)})
	}
	if whole.unstyled {
		g.Kinds = append(g.Kinds, classEntry{"kx", "others"})
	}
	return g
}

// picture lays a net out and draws it.
func (g *termNet) picture(width float64, narrow bool) termPicture {
	t := &termDrawing{net: g, picture: picture{width: width, height: heightFor(len(g.nodes), narrow), size: 11, labels: 40}}
	if len(g.nodes) <= allNamed {
		t.labels = allNamed + namedEdges
	}
	if narrow {
		t.labels = min(t.labels, 24)
	}
	t.measure()
	t.at = layOutParts(len(g.nodes), g.layoutEdges(), t.roomy(), t.width, t.height)
	out := termPicture{Box: fmt.Sprintf("0 0 %g %g", t.width, t.height), Other: g.other, Cut: g.cut, Dense: len(g.edges) > 2*allNamed}
	for i := range g.edges {
		out.Edges = append(out.Edges, t.edgeView(&g.edges[i]))
	}
	for i := len(g.nodes) - 1; i >= 0; i-- { // those given on top
		out.Dots = append(out.Dots, t.dot(i))
		if g.nodes[i].term != nil {
			out.Shown++
		}
	}
	out.Names = t.names()
	return out
}

// heightFor is the height of a picture of n terms.
func heightFor(n int, narrow bool) float64 {
	switch {
	case narrow && n <= 40:
		return 440
	case narrow:
		return 640
	case n <= 20:
		return 440
	case n <= 150:
		return 600
	}
	return 900
}

// A termDrawing is a net being drawn.
type termDrawing struct {
	picture
	net    *termNet
	circle []float64 // radii within those of the layout, which include rings
}

// measure makes circles grow with the logarithm of their instances, within the available area.
func (t *termDrawing) measure() {
	unit := min(9, max(2.8, math.Sqrt(t.width*t.height/float64(len(t.net.nodes)))/9))
	for i := range t.net.nodes {
		n := &t.net.nodes[i]
		t.nodes = append(t.nodes, node{name: n.iri})
		r := 0.5 * unit
		if n.term != nil {
			size := 0.0
			if t.net.most > 0 && n.term.Instances > 0 {
				size = math.Log1p(float64(n.term.Instances)) / math.Log1p(float64(t.net.most))
			}
			r = unit * (0.65 + float64(0.85*size))
		}
		t.circle = append(t.circle, r)
		if n.term != nil && n.term.Given {
			r += ring
		}
		t.r = append(t.r, r)
	}
}

// roomy are radii that keep circles apart, with space for arrows and names if possible.
func (t *termDrawing) roomy() []float64 {
	room := math.Sqrt(t.width*t.height/float64(len(t.r))) / 12
	all := make([]float64, len(t.r))
	for i, r := range t.r {
		all[i] = r + min(18, room)
	}
	return all
}

func (t *termDrawing) dot(i int) termDot {
	n, r := &t.net.nodes[i], t.circle[i]
	x, y := t.point(i)
	d := termDot{Class: "gw", X: coordinate(x), Y: coordinate(y), R: coordinate(r), Told: printable(n.iri, mostNames) + "\non the way from term to term"}
	if r < 5 {
		d.Touch = "5"
	}
	if n.term == nil {
		return d
	}
	d.Class, d.Told = t.net.colour(n.term), n.told()
	if n.term.Given {
		d.Ring = coordinate(t.r[i])
	}
	if n.place < mostRows {
		d.Row = termID(n.place)
	}
	return d
}

// colour is the class of a term.
func (g *termNet) colour(t *FoundTerm) string {
	if t.Given {
		return "g0"
	}
	for i, name := range g.groups {
		if name == t.Group {
			return "g" + strconv.Itoa(i+1)
		}
	}
	return "gx"
}

// told is the tooltip of a term.
func (n *netNode) told() string {
	t := n.term
	lines := []string{printable(t.IRI, mostNames)}
	if t.Label != "" {
		lines = []string{printable(t.Label, mostNames), lines[0]}
	}
	lines = append(lines, fmt.Sprintf("stage %d, %s; instances: %s", t.Stage, howKnown(t), grouped(t.Instances)))
	if t.Group != "" && !t.Given {
		lines = append(lines, printable(t.Group, mostNames))
	}
	if t.Path != "" {
		lines = append(lines, printable(t.Path, mostPathText))
	}
	return strings.Join(lines, "\n")
}

// names are the labels of terms, as space permits: of all in a small picture, otherwise of given terms and the
// largest ones; and of the statements of a small picture.
func (t *termDrawing) names() (names []nameView) {
	for i := range t.net.nodes {
		n := &t.net.nodes[i]
		if n.term == nil || len(t.net.nodes) > allNamed && i >= 3*t.labels {
			continue
		}
		name := shownName(n)
		box, found := t.room(i, name, n.term.Given)
		if !found {
			continue
		}
		class := "name"
		if n.term.Given {
			class = "name given"
		}
		x, _ := t.point(i)
		names = append(names, t.nameAt(class, name, box, x))
	}
	if len(t.net.edges) <= namedEdges {
		names = append(names, t.edgeNames()...)
	}
	return names
}

// shownName is a term's label, or the end of its IRI.
func shownName(n *netNode) string {
	name := n.term.Label
	if strings.TrimSpace(name) == "" {
		name = localName(n.iri)
	}
	if !utf8.ValidString(name) {
		name = strings.ToValidUTF8(name, "\ufffd")
	}
	return printable(name, 28)
}

// localName is the part after the last # or / of an IRI, or all of it.
func localName(iri string) string {
	if name := iri[strings.LastIndexAny(iri, "#/")+1:]; name != "" {
		return name
	}
	return iri
}

// nameAt writes a name into a box, aligned to the circle at x: the reader's font may differ from the measured
// one.
func (t *termDrawing) nameAt(class, name string, b drawing.Box, x float64) nameView {
	v := nameView{Class: class, Anchor: "middle", X: coordinate((b.Left + b.Right) / 2), Y: coordinate(b.Bottom - t.size/5), Size: coordinate(t.size), Text: name}
	switch {
	case b.Left >= x:
		v.Anchor, v.X = "start", coordinate(b.Left)
	case b.Right <= x:
		v.Anchor, v.X = "end", coordinate(b.Right)
	}
	return v
}

// edgeNames are the labels of statements, each at the middle of its line, if it covers nothing.
func (t *termDrawing) edgeNames() (names []nameView) {
	t.size = 9
	for i := range t.net.edges {
		s := &t.net.edges[i]
		name := printable(localName(s.property), 28)
		width, height := t.extent(name)
		x, y := t.bend(s, 0.5)
		box := drawing.Box{Left: x - width/2, Top: y - height/2, Right: x + width/2, Bottom: y + height/2}
		if n, free := t.covers(box, -1); free && n == 0 {
			t.taken = append(t.taken, box)
			names = append(names, t.nameAt("name kind", name, box, x))
		}
	}
	return names
}

// bend is the control point of a statement. Statements of one pair of terms have different curves; share is the
// share of its distance from the straight line.
func (t *termDrawing) bend(s *statement, share float64) (x, y float64) {
	ax, ay := t.point(min(s.from, s.to))
	bx, by := t.point(max(s.from, s.to))
	length := max(1e-6, math.Hypot(bx-ax, by-ay))
	aside := share * 28 * (float64(s.turn) - float64(s.of-1)/2) / length
	return (ax+bx)/2 - float64((by-ay)*aside), (ay+by)/2 + float64((bx-ax)*aside)
}

// edgeView draws a statement from the rim of its subject to that of its object.
func (t *termDrawing) edgeView(s *statement) edgeView {
	cx, cy := t.bend(s, 1)
	fx, fy := t.rim(s.from, cx, cy, 0)
	head := min(6, max(4, t.width/150))
	if len(t.net.nodes) > allNamed {
		head = 4
	}
	tx, ty := t.rim(s.to, cx, cy, 0.8)
	lx, ly := t.rim(s.to, cx, cy, 0.8+head)
	dx, dy := float64((lx-tx)*0.4), float64((ly-ty)*0.4)
	v := edgeView{Class: "kx", Told: t.stated(s),
		Line: fmt.Sprintf("M%s %sQ%s %s %s %s", coordinate(fx), coordinate(fy), coordinate(cx), coordinate(cy), coordinate(lx), coordinate(ly)),
		Head: fmt.Sprintf("M%s %sL%s %sL%s %sZ", coordinate(tx), coordinate(ty), coordinate(lx-dy), coordinate(ly+dx), coordinate(lx+dy), coordinate(ly-dx))}
	for i, name := range t.net.kinds {
		if name == s.property {
			v.Class = "k" + strconv.Itoa(i+1)
		}
	}
	return v
}

// rim is the point at a distance beyond a node's circle, towards another point.
func (t *termDrawing) rim(i int, cx, cy, beyond float64) (x, y float64) {
	x, y = t.point(i)
	length := max(1e-6, math.Hypot(cx-x, cy-y))
	share := min(1, (t.r[i]+beyond)/length)
	return x + float64((cx-x)*share), y + float64((cy-y)*share)
}

// stated is the tooltip of a statement.
func (t *termDrawing) stated(s *statement) string {
	subject, object := t.net.nodes[s.from].iri, t.net.nodes[s.to].iri
	lines := []string{fmt.Sprintf("%s\n%s\n%s", printable(subject, mostNames), printable(s.property, mostNames), printable(object, mostNames))}
	for _, d := range s.datasets[:min(len(s.datasets), 5)] {
		lines = append(lines, "stated by "+printable(d, mostNames))
	}
	if n := len(s.datasets) - 5; n > 0 {
		lines = append(lines, fmt.Sprintf("and by %d more", n))
	}
	return strings.Join(lines, "\n")
}

// coordinate formats a length to a tenth of a point.
func coordinate(v float64) string { return strconv.FormatFloat(v, 'f', 1, 64) }
