package verdicts

import "math"

// A point is a page of the fit.
type point struct {
	vector []weighed
	offset float64 // log odds by the focus
	target float64 // relevance: 0 or 1 by verdict, between by the focus
	count  float64 // verdicts that it counts for
}

// A fit finds the weights of the highest posterior by coordinate ascent in the dual (Yu, Huang and Lin, "Dual coordinate
// descent methods for logistic regression and maximum entropy models", 2011): a page's dual variable is count·(target - p)
// at the optimum, and the weights are the sum of the vectors by their variables, times the prior variance.
type fit struct {
	points  []point
	alpha   []float64 // dual variables, by point
	stems   []string
	weights []float64 // by number of the stem
	height  float64
}

// number numbers the stems of all points.
func (f *fit) number() {
	numbers := map[string]int{}
	for i := range f.points {
		for k, w := range f.points[i].vector {
			at, ok := numbers[w.stem]
			if !ok {
				at = len(f.stems)
				numbers[w.stem] = at
				f.stems = append(f.stems, w.stem)
			}
			f.points[i].vector[k].at = at
		}
	}
	f.weights = make([]float64, len(f.stems))
}

// run makes a fixed number of passes, so that the result does not depend on a tolerance.
func (f *fit) run() {
	for range rounds {
		for i := range f.points {
			f.step(i)
		}
	}
}

// step makes a Newton step of one dual variable, and keeps it where a probability can be.
func (f *fit) step(i int) {
	p := &f.points[i]
	x, square := p.offset+f.height, heightVary
	for _, w := range p.vector {
		x += float64(f.weights[w.at] * w.weight)
		square += float64(wordsVary * w.weight * w.weight)
	}
	at := logistic(x)
	delta := (p.count*(p.target-at) - f.alpha[i]) / (1 + float64(p.count*at*(1-at)*square))
	delta = math.Min(p.count*p.target, math.Max(p.count*(p.target-1), f.alpha[i]+delta)) - f.alpha[i]
	f.alpha[i] += delta
	f.height += float64(heightVary * delta)
	for _, w := range p.vector {
		f.weights[w.at] += float64(wordsVary * delta * w.weight)
	}
}

// into hands the weights to the model.
func (f *fit) into(m *Model) {
	m.height = f.height
	for at, w := range f.weights {
		if w != 0 {
			m.weights[f.stems[at]] = w
		}
	}
}
