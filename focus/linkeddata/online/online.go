package online

import "math"

// A Class is the predicted kind of document behind a link. Greater classes are worth more.
type Class uint8

// The classes.
const (
	N  Class = iota // neither RDF nor HTML, or no answer
	H               // HTML without a known link to RDF
	HR              // HTML with a link to RDF
	R               // an RDF document

	classes = 4
)

// String returns the name of the class: "N", "H", "HR" or "R".
func (c Class) String() string {
	switch c {
	case R:
		return "R"
	case HR:
		return "HR"
	case H:
		return "H"
	}
	return "N"
}

// ParseClass returns the class with a name.
func ParseClass(name string) (Class, bool) {
	for c := N; c <= R; c++ {
		if c.String() == name {
			return c, true
		}
	}
	return N, false
}

// worth returns the worth of a class, 0..1.
func (c Class) worth() float64 { return float64(c) / 3 }

// A Prediction holds the probability of each class; they add up to 1.
type Prediction [classes]float64

// Value returns the expected worth, 0..1: R is worth 1, HR 2/3, H 1/3, N 0.
func (p Prediction) Value() (v float64) {
	for c := N; c <= R; c++ {
		v += p[c] * c.worth()
	}
	return min(v, 1)
}

// Class returns the most probable class; among equals the one worth more.
func (p Prediction) Class() Class {
	best := N
	for c := H; c <= R; c++ {
		if p[c] >= p[best] {
			best = c
		}
	}
	return best
}

// A Rule is a rule of the focus with the class it assigns to links.
type Rule struct {
	Name  string
	Class Class
}

// The sizes of a model: hashed cells, one cell per rule, cells of histories.
const (
	hashedCells = 1 << 18
	maxRules    = 64
	firstRule   = hashedCells
	firstPast   = firstRule + maxRules
	allCells    = firstPast + pastCells
)

// A Model predicts and learns. Features is safe for concurrent use with all methods; the others are not. A
// Model takes about 4 MB, and up to 20 MB with all histories full.
type Model struct {
	seed  uint64
	rules []Rule
	index map[string]int // of rules

	cells    []cell
	past     pasts
	outcomes int64
	unrest   unrest
}

// A cell is the posterior of the weights of a feature.
type cell struct {
	h, hr, r float32 // means; the mean of N is minus their sum
	seen     float32 // curvature seen: q in the package comment; 0: untouched
}

// The prior: see the package comment.
var (
	ruleOffset = math.Log(27)
	priorScale = ruleOffset / (math.Sqrt2 * 1.834) // s
	priorPrec  = 1 / (priorScale * priorScale)     // 1/s²
)

// New returns an untrained model for a focus with these rules, of which the first 64 are used. The seed only
// determines which features share a cell.
func New(seed uint64, rules []Rule) *Model {
	rules = append([]Rule(nil), rules[:min(len(rules), maxRules)]...)
	m := &Model{seed: seed, rules: rules, index: make(map[string]int, len(rules)), cells: make([]cell, allCells)}
	for i, r := range rules {
		m.index[r.Name] = i
	}
	m.past = newPasts()
	return m
}

// Outcomes returns the number of outcomes learned.
func (m *Model) Outcomes() int64 { return m.outcomes }

// Predict returns the current prediction for a link with these features; of links beside it, missed led to what is not there since one
// led to RDF. Without features all classes are equally probable.
func (m *Model) Predict(features []uint32, missed int) Prediction {
	var buf [maxCodes]uint32
	codes := m.codes(buf[:0], features)
	if len(codes) == 0 {
		return softmax(Prediction{}, Prediction{})
	}
	return softmax(m.offset(codes, features[ofShape], missed), m.logits(codes))
}

// Hope is the value of a link if the model errs by one standard deviation in its favour, 0..1: the value of
// the logits moved by √v along (−3, −1, 1, 3)/√20, the direction of increasing worth. Ranking by it explores
// uncertain links before links of known low worth.
func (m *Model) Hope(features []uint32, missed int) float64 {
	var buf [maxCodes]uint32
	codes := m.codes(buf[:0], features)
	if len(codes) == 0 {
		return m.Predict(nil, 0).Value()
	}
	shares := squares(codes)
	z, by := m.logits(codes), math.Sqrt(m.variance(codes, &shares)/20)
	for c := range z {
		z[c] += by * float64(2*c-3)
	}
	return softmax(m.offset(codes, features[ofShape], missed), z).Value()
}

// variance returns the variance of the logits of a link.
func (m *Model) variance(codes []uint32, shares *[maxCodes]float64) (v float64) {
	for i, code := range codes {
		v += shares[i] / (priorPrec + float64(m.cells[index(code)].seen))
	}
	return v
}

// codes appends the codes of the link's features, followed by those of its histories.
func (m *Model) codes(dst, features []uint32) []uint32 {
	if len(features) < keys || len(features) > MaxFeatures {
		return dst
	}
	dst = append(dst, features[keys:]...)
	return m.past.features(dst, features[:keys])
}

// offset returns what is predicted without the weights: the rules' prediction, and what came of links of the same shape, of which at least
// missed led to what is not there. It is the logarithm of the mean of a Dirichlet posterior.
func (m *Model) offset(codes []uint32, shape uint32, missed int) Prediction {
	b := m.ruled(codes)
	var counts [classes]uint32
	if h := m.past[ofShape].of(shape); h != nil {
		counts = h.counts
	}
	counts[N] = max(counts[N], uint32(max(missed, 0)))
	n := 0.0
	for _, count := range counts {
		n += float64(count)
	}
	if n == 0 {
		return b
	}
	prior, scale := softmax(b, Prediction{}), min(1, shapeMost/n)
	for c := range b {
		b[c] = math.Log(shapePrior*prior[c] + scale*float64(counts[c]))
	}
	return b
}

// Counts are numbers of outcomes by class.
type Counts [classes]uint32

// Came returns what came of links of the same shape.
func (m *Model) Came(features []uint32) Counts {
	if len(features) >= keys {
		if h := m.past[ofShape].of(features[ofShape]); h != nil {
			return h.counts
		}
	}
	return Counts{}
}

// The rules' prediction counts as one outcome of a shape, and all outcomes of a shape as eight.
const shapePrior, shapeMost = 1.0, 8.0

// ruled returns the rules' prediction: the class worth most among the rules that fired.
func (m *Model) ruled(codes []uint32) (b Prediction) {
	best := -1
	for _, code := range codes {
		if i := int(index(code)) - firstRule; i >= 0 && i < len(m.rules) {
			best = max(best, int(m.rules[i].Class))
		}
	}
	if best >= 0 {
		b[best] = ruleOffset
	}
	return b
}

// logits returns the learned logits of a link, without the offset.
func (m *Model) logits(codes []uint32) (z Prediction) {
	groups := 0
	for i := 0; i < len(codes); groups++ {
		var h, hr, r float64
		j := i
		for ; j < len(codes) && group(codes[j]) == group(codes[i]); j++ {
			w := &m.cells[index(codes[j])]
			h, hr, r = h+float64(w.h), hr+float64(w.hr), r+float64(w.r)
		}
		x := 1 / math.Sqrt(float64(j-i))
		z[H], z[HR], z[R] = z[H]+h*x, z[HR]+hr*x, z[R]+r*x
		i = j
	}
	if groups == 0 {
		return z
	}
	x := 1 / math.Sqrt(float64(groups))
	z[H], z[HR], z[R] = z[H]*x, z[HR]*x, z[R]*x
	z[N] = -(z[H] + z[HR] + z[R])
	return z
}

// softmax returns the softmax of b + z.
func softmax(b, z Prediction) (p Prediction) {
	most := math.Inf(-1)
	for c := range p {
		p[c] = b[c] + z[c]
		most = max(most, p[c])
	}
	sum := 0.0
	for c := range p {
		p[c] = math.Exp(p[c] - most)
		sum += p[c]
	}
	for c := range p {
		p[c] /= sum
	}
	return p
}
