package eval

import "math"

const (
	layoutRounds = 200 // of moving nodes by their forces
	layoutPasses = 120 // of pushing apart circles that overlap
)

// A layout places the nodes of a graph by the forces of Fruchterman and Reingold (Graph drawing by
// force-directed placement, 1991): all nodes repel each other and edges attract their ends. Our addition is a
// pull to the centre, which keeps components together. The time is layoutRounds times the square of the nodes.
// The layout is deterministic: it uses no random numbers, and products are converted before they are added,
// which prevents fused multiply-add and makes results equal on all machines.
type layout struct {
	x, y   []float64
	fx, fy []float64 // forces of the round
}

// layOut places n nodes into a box of the given size, centred, with circles of radius r whose overlap is
// reduced by layoutPasses passes.
func layOut(n int, edges []edge, r []float64, width, height float64) *layout {
	l := &layout{make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)}
	for i := range n { // distinct positions that are not collinear
		l.x[i] = width * fraction(0.5+float64(float64(i)*0.7548776662466927))
		l.y[i] = height * fraction(0.5+float64(float64(i)*0.5698402909980532))
	}
	ideal := math.Sqrt(width * height / float64(max(1, n)))
	degree := degrees(n, edges)
	for round := range layoutRounds {
		l.repel(ideal)
		l.attract(edges, degree, ideal)
		l.centre(width, height, ideal)
		l.move(ideal * 2 * (1 - float64(round)/layoutRounds))
	}
	l.fit(r, width, height)
	for range layoutPasses {
		if !l.part(r, width, height) {
			break
		}
	}
	return l
}

func fraction(v float64) float64 { return v - math.Floor(v) }

func (l *layout) repel(ideal float64) {
	clear(l.fx)
	clear(l.fy)
	for i := range l.x {
		for j := range i {
			dx, dy := l.x[i]-l.x[j], l.y[i]-l.y[j]
			f := ideal * ideal / max(1e-6, float64(dx*dx)+float64(dy*dy))
			fx, fy := float64(dx*f), float64(dy*f)
			l.fx[i] += fx
			l.fy[i] += fy
			l.fx[j] -= fx
			l.fy[j] -= fy
		}
	}
}

// attract pulls the ends of edges together. Edges of many pages pull more, up to a few times as much as others.
// Edges of hosts with many edges pull less: otherwise a crawl whose hosts mostly link to each other would
// collapse to a ball.
func (l *layout) attract(edges []edge, degree []float64, ideal float64) {
	for _, e := range edges {
		dx, dy := l.x[e.to]-l.x[e.from], l.y[e.to]-l.y[e.from]
		d := math.Sqrt(float64(dx*dx) + float64(dy*dy))
		f := d / ideal * min(3, 0.8+float64(0.3*math.Log2(float64(e.pages)))) / min(degree[e.from], degree[e.to])
		fx, fy := float64(dx*f), float64(dy*f)
		l.fx[e.from] += fx
		l.fy[e.from] += fy
		l.fx[e.to] -= fx
		l.fy[e.to] -= fy
	}
}

// degrees counts the edges of each of n nodes.
func degrees(n int, edges []edge) []float64 {
	d := make([]float64, n)
	for _, e := range edges {
		d[e.from]++
		d[e.to]++
	}
	return d
}

// centre pulls to the middle, less along the longer side.
func (l *layout) centre(width, height, ideal float64) {
	px, py := 0.6*ideal/width, 0.6*ideal/height
	for i := range l.x {
		l.fx[i] -= float64((l.x[i] - width/2) * px)
		l.fy[i] -= float64((l.y[i] - height/2) * py)
	}
}

// move moves each node by its force, up to a distance.
func (l *layout) move(most float64) {
	for i := range l.x {
		length := math.Sqrt(float64(l.fx[i]*l.fx[i]) + float64(l.fy[i]*l.fy[i]))
		if length == 0 {
			continue
		}
		step := min(length, most) / length
		l.x[i] += float64(l.fx[i] * step)
		l.y[i] += float64(l.fy[i] * step)
	}
}

// fit scales the layout to the box, outliers less, so that few distant hosts do not compress the rest.
func (l *layout) fit(r []float64, width, height float64) {
	gather(l.x)
	gather(l.y)
	stretch(l.x, r, width)
	stretch(l.y, r, height)
}

// gather centres coordinates at 0 and pulls in outliers, relative to the spread.
func gather(at []float64) {
	mean, spread := 0.0, 0.0
	for _, v := range at {
		mean += v / float64(len(at))
	}
	for _, v := range at {
		spread += float64((v-mean)*(v-mean)) / float64(len(at))
	}
	for i, v := range at {
		at[i] = (v - mean) / math.Sqrt(1e-9+float64(2*spread)+float64((v-mean)*(v-mean)))
	}
}

func stretch(at, r []float64, size float64) {
	low, high := math.Inf(1), math.Inf(-1)
	margin := 0.0
	for i, v := range at {
		low, high = min(low, v), max(high, v)
		margin = max(margin, r[i])
	}
	scale := 0.0
	if high > low {
		scale = (size - 2*margin) / (high - low)
	}
	for i, v := range at {
		at[i] = size/2 + float64((v-(low+high)/2)*scale)
	}
}

// part pushes overlapping circles apart within the box, and reports whether any overlapped.
func (l *layout) part(r []float64, width, height float64) bool {
	found := false
	for i := range l.x {
		for j := range i {
			dx, dy := l.x[i]-l.x[j], l.y[i]-l.y[j]
			apart := r[i] + r[j] + 1.5
			if math.Abs(dx) >= apart || math.Abs(dy) >= apart {
				continue
			}
			d := math.Sqrt(float64(dx*dx) + float64(dy*dy))
			if d >= apart {
				continue
			}
			if d < 1e-3 {
				dx, d = 1e-3, 1e-3
			}
			found = true
			push := (apart - d) / d / (r[i] + r[j]) // the smaller one moves more
			l.x[i] += float64(dx * push * r[j])
			l.y[i] += float64(dy * push * r[j])
			l.x[j] -= float64(dx * push * r[i])
			l.y[j] -= float64(dy * push * r[i])
		}
	}
	for i := range l.x {
		l.x[i] = min(max(l.x[i], r[i]+1), width-r[i]-1)
		l.y[i] = min(max(l.y[i], r[i]+1), height-r[i]-1)
	}
	return found
}
