package eval

import "math"

const (
	layoutRounds = 200 // of moving nodes by their forces
	layoutPasses = 120 // of pushing apart circles that overlap
)

// A layout places the nodes of a graph on a plane by the forces of Fruchterman and Reingold (Graph
// drawing by force-directed placement, 1991): all nodes repel each other, edges draw theirs together,
// and a pull to the middle, which is ours, keeps parts together that no edge joins. It takes
// layoutRounds times the square of the nodes, and nothing is drawn by chance. Products are converted
// before they are added, so that no machine fuses the two and every machine draws the same.
type layout struct {
	x, y   []float64
	fx, fy []float64 // forces of the round
}

// layOut places n nodes into a box of the given size, centred, with circles of radius r around them
// that overlap as little as passes of pushing allow.
func layOut(n int, edges []edge, r []float64, width, height float64) *layout {
	l := &layout{make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)}
	for i := range n { // no two in one place, and no row that forces could not leave
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

// attract draws the ends of edges together: those of many pages more, but of any two edges none more
// than a few times the other, and those between hosts of many edges less, or a crawl where most hosts
// lead to most others would shrink to a ball.
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

// move moves each node by its force, at most so far.
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

// fit stretches the layout to the box, outliers less, so that few far hosts do not leave the many a
// corner.
func (l *layout) fit(r []float64, width, height float64) {
	gather(l.x)
	gather(l.y)
	stretch(l.x, r, width)
	stretch(l.y, r, height)
}

// gather puts the mean at 0 and draws in what is far from it, against the spread of all.
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

// part pushes overlapping circles apart, within the box, and reports whether there were any.
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
			push := (apart - d) / d / (r[i] + r[j]) // the smaller one gives way
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
