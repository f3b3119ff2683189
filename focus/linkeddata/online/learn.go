package online

import "math"

// Learn updates the model by the outcome of a link with these features. It
// returns the keys of requests to rerank: those of histories whose features changed, as Keys returns them;
// and "*" when the weights have moved enough to rerank all.
func (m *Model) Learn(features []uint32, actual Class) (stale []string) {
	var buf [maxCodes]uint32
	codes := m.codes(buf[:0], features)
	if len(codes) == 0 || actual > R {
		return nil
	}
	surprise := m.step(codes, actual, every)
	return m.moved(surprise, m.past.add(features[:keys], actual))
}

// Miss updates the model by a link with these features to what is not there: an N. That is evidence about the link's place and the rules
// at its host. It says nothing of extensions, types, words and hosts: beside files that are missing others are there. It returns what Learn does.
func (m *Model) Miss(features []uint32) (stale []string) {
	var buf [maxCodes]uint32
	codes := m.codes(buf[:0], features)
	if len(codes) == 0 {
		return nil
	}
	surprise := m.step(codes, N, ofPlace)
	if key := features[ofShape]; m.past[ofShape].add(key, N) {
		stale = append(stale, pastKey(ofShape, key))
	}
	return m.moved(surprise, stale)
}

// Sets of groups of features that an outcome teaches.
const (
	every   = 1<<groups - 1
	ofPlace = 1<<groupTrust | 1<<groupPath
)

// moved counts an outcome, and appends to the keys that are stale.
func (m *Model) moved(surprise float64, stale []string) []string {
	m.outcomes++
	if m.unrest.add(surprise) {
		stale = append(stale, "*")
	}
	return stale
}

// An unrest decides when to rerank all requests. Weights move by the surprise of outcomes: 1 minus the
// predicted probability of what came. All requests are reranked when the sum of surprises has grown by one
// eighth and by at least 1 since the last time: after nearly every outcome at first, and about twenty times
// per tenfold increase. They are reranked after 512 outcomes in any case.
type unrest struct {
	surprises float64 // their sum
	ranked    float64 // the sum when all requests were last reranked
	outcomes  uint64  // number since then
}

// mostOutcomes is the number of outcomes after which all requests are reranked in any case.
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

// maxWeight bounds a weight, far beyond what outcomes can cause.
const maxWeight = 1e4

// step updates the weights of a link's features of the groups that are taught. It returns the surprise, 1 minus the predicted probability
// of the outcome, 0..1.
func (m *Model) step(codes []uint32, actual Class, taught int) (surprise float64) {
	shares := squares(codes)
	for i, code := range codes {
		if taught&(1<<group(code)) == 0 {
			shares[i] = 0
		}
	}
	offset, z := m.ruled(codes), m.logits(codes)
	surprise = 1 - softmax(offset, z)[actual]
	p := settle(offset, z, m.variance(codes, &shares), actual)
	curvature := 1.0
	for _, q := range p {
		curvature -= q * q
	}
	curvature = max(curvature/3, leastCurvature)
	p[actual]--
	for i, code := range codes {
		if shares[i] == 0 {
			continue
		}
		w := &m.cells[index(code)]
		rate := math.Sqrt(shares[i]) / (priorPrec + float64(w.seen))
		w.h, w.hr, w.r = bounded(w.h, -rate*p[H]), bounded(w.hr, -rate*p[HR]), bounded(w.r, -rate*p[R])
		w.seen += float32(shares[i] * curvature)
	}
	return surprise
}

// leastCurvature is the curvature of an outcome predicted with certainty: it distinguishes a touched cell
// from an untouched one.
const leastCurvature = 1e-4

func bounded(w float32, by float64) float32 {
	return float32(max(-maxWeight, min(maxWeight, float64(w)+by)))
}

// squares returns the x_i² of a link's features.
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

// rounds is the number of Newton iterations in settle. The function is strictly convex, and six iterations
// reach the precision of a stored weight.
const rounds = 6

// settle returns the probabilities at the logits z' that maximize ln softmax_y(b+z) − |z−z0|²/2v.
//
// The Hessian of the negative is I/v + diag(p) − pp', a diagonal plus a rank-one matrix, inverted by the
// Sherman–Morrison formula.
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
