package online

import "math"

// Learn takes the outcome of a link whose features were these. A link that gave no answer is an N.
// It returns the keys under which what waits is to be ranked again: those of histories whose features
// changed, as Keys has them; and "*" when the weights have moved by enough for all.
func (m *Model) Learn(features []uint32, actual Class) (stale []string) {
	var buf [maxCodes]uint32
	codes := m.codes(buf[:0], features)
	if len(codes) == 0 || actual > R {
		return nil
	}
	surprise := m.step(codes, actual)
	stale = m.past.add(features[:keys], actual)
	m.outcomes++
	if m.unrest.add(surprise) {
		stale = append(stale, "*")
	}
	return stale
}

// An unrest says when all is to be ranked again. Weights move by what was not foreseen: the surprise of
// an outcome is the probability that it was not given. All is ranked when the surprises have grown by
// an eighth, and by one, since the last time; so nearly at each while everything is new, and some
// twenty times until they are ten times as many. It is ranked after 512 outcomes anyway.
type unrest struct {
	surprises float64 // their sum
	ranked    float64 // that sum, when all was ranked last
	outcomes  uint64  // since then
}

// mostOutcomes is after how many outcomes all is ranked anyway.
const mostOutcomes = 512

func (u *unrest) add(surprise float64) bool {
	u.surprises += surprise
	u.outcomes++
	if u.outcomes < mostOutcomes && u.surprises-u.ranked < max(1, u.ranked/8) {
		return false
	}
	u.ranked, u.outcomes = u.surprises, 0
	return true
}

// maxWeight bounds a weight, far beyond what outcomes can make of it.
const maxWeight = 1e4

// step moves the weights of a link's features. It returns the surprise: what was missing of the
// probability of what came, 0..1.
func (m *Model) step(codes []uint32, actual Class) (surprise float64) {
	shares := squares(codes)
	offset, z := m.offset(codes), m.logits(codes)
	surprise = 1 - softmax(offset, z)[actual]
	p := settle(offset, z, m.variance(codes, &shares), actual)
	curvature := 1.0
	for _, q := range p {
		curvature -= q * q
	}
	curvature = max(curvature/3, leastCurvature)
	p[actual]--
	for i, code := range codes {
		w := &m.cells[index(code)]
		rate := math.Sqrt(shares[i]) / (priorPrec + float64(w.seen))
		w.h, w.hr, w.r = moved(w.h, -rate*p[H]), moved(w.hr, -rate*p[HR]), moved(w.r, -rate*p[R])
		w.seen += float32(shares[i] * curvature)
	}
	return surprise
}

// leastCurvature is the weight of an outcome predicted with certainty: it distinguishes a touched cell from an
// untouched one.
const leastCurvature = 1e-4

func moved(w float32, by float64) float32 {
	return float32(max(-maxWeight, min(maxWeight, float64(w)+by)))
}

// squares are the x_i² of a link's features.
func squares(codes []uint32) (shares [maxCodes]float64) {
	groups := 0.0
	for i, code := range codes {
		if i == 0 || group(code) != group(codes[i-1]) {
			groups++
		}
	}
	for i := 0; i < len(codes); {
		j := i
		for j < len(codes) && group(codes[j]) == group(codes[i]) {
			j++
		}
		share := 1 / (groups * float64(j-i))
		for ; i < j; i++ {
			shares[i] = share
		}
	}
	return shares
}

// rounds of Newton's method by which settle finds its place: the function is strictly convex, and six
// leave no digit that a weight could hold.
const rounds = 6

// settle returns the probabilities at the logits z' that make ln softmax_y(b+z) − |z−z0|²/2v greatest.
//
// The Hessian of the negative is I/v + diag(p) − pp', a diagonal and a rank of one, which
// Sherman and Morrison invert.
func settle(b, z0 Prediction, v float64, y Class) Prediction {
	z := z0
	p := softmax(b, z)
	for range rounds {
		var g, a Prediction // gradient, and diagonal inverted
		pg, pp := 0.0, 0.0  // p'Ag and p'Ap
		for c := range z {
			g[c] = (z[c]-z0[c])/v + p[c]
			if Class(c) == y {
				g[c]--
			}
			a[c] = 1 / (1/v + p[c])
			pg, pp = pg+p[c]*a[c]*g[c], pp+p[c]*a[c]*p[c]
		}
		for c := range z {
			z[c] -= a[c] * (g[c] + p[c]*pg/(1-pp))
		}
		p = softmax(b, z)
	}
	return p
}
