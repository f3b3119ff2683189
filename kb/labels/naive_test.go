package labels

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
)

// A naive model keeps all items, recomputes everything after each one and compares every pair of terms with
// every threshold, directly by the package's definitions. It shares no code with the model.
type naive struct {
	p     Parameters
	items [][]string // terms, heaviest first
	worth []float64

	count map[string]float64
	head  map[string]float64
	both  map[[2]string]float64 // in both orders
	all   float64

	frequent, common, prominent map[string]bool
	supported                   map[[2]string]bool
	alpha, beta, over, back     map[[2]string]bool // {x, t}: of P(x|t)
}

func newNaive(p Parameters) *naive {
	return &naive{
		p: p, frequent: map[string]bool{}, common: map[string]bool{}, prominent: map[string]bool{},
		supported: map[[2]string]bool{}, alpha: map[[2]string]bool{}, beta: map[[2]string]bool{},
		over: map[[2]string]bool{}, back: map[[2]string]bool{},
	}
}

func (n *naive) learn(terms []string) {
	if len(n.items) == 0 {
		n.worth = append(n.worth, 1)
	} else {
		n.worth = append(n.worth, n.worth[len(n.worth)-1]*n.growth())
	}
	n.items = append(n.items, terms)
	n.recount()
	now := n.worth[len(n.worth)-1]
	for t, c := range n.count {
		n.frequent[t] = n.between(n.frequent[t], c >= max(n.p.Frequent.Enter*n.all, n.p.Items*now),
			c >= max(n.p.Frequent.Leave*n.all, n.p.Items/2*now))
		n.common[t] = n.between(n.common[t], c > n.p.Common.Leave*n.all, c > n.p.Common.Enter*n.all)
		n.prominent[t] = n.between(n.prominent[t], n.head[t] >= n.p.Prominence.Enter*c, n.head[t] >= n.p.Prominence.Leave*c)
	}
	for pair, c := range n.both {
		d := n.count[pair[1]]
		if n.supported[pair] = n.between(n.supported[pair], c >= n.p.Support*now, c >= n.p.Support/2*now); !n.supported[pair] {
			n.alpha[pair], n.beta[pair], n.over[pair], n.back[pair] = false, false, false, false
			continue
		}
		low := n.lower(c/now, d/now)
		n.alpha[pair] = n.between(n.alpha[pair], c > (n.p.Alpha+n.p.Margin)*d && low >= n.p.Alpha, c > n.p.Alpha*d)
		n.beta[pair] = n.between(n.beta[pair], c >= (n.p.Beta+n.p.Margin)*d && low >= n.p.Beta, c >= n.p.Beta*d)
		n.over[pair] = n.between(n.over[pair], c >= (n.p.Broader+n.p.Margin)*d && low >= n.p.Broader, c >= n.p.Broader*d)
		n.back[pair] = n.between(n.back[pair], c >= n.p.Broader*d, c >= (n.p.Broader-max(n.p.Margin, n.p.Apart))*d)
	}
}

func (n *naive) growth() float64 {
	if n.p.HalfLife == 0 {
		return 1
	}
	return math.Exp2(1 / n.p.HalfLife)
}

// lower returns the lower bound of Wilson's interval for c of d by the textbook formula; 1 without a
// confidence.
func (n *naive) lower(c, d float64) float64 {
	z, p := n.p.Confidence, c/d
	if z == 0 {
		return 1
	}
	return (p + z*z/(2*d) - z*math.Sqrt(p*(1-p)/d+z*z/(4*d*d))) / (1 + z*z/d)
}

func (n *naive) between(there, enters, stays bool) bool { return enters || there && stays }

func (n *naive) recount() {
	n.count, n.head, n.both, n.all = map[string]float64{}, map[string]float64{}, map[[2]string]float64{}, 0
	for i, terms := range n.items {
		n.all += n.worth[i]
		for rank, a := range terms {
			n.count[a] += n.worth[i]
			if rank < n.p.Head {
				n.head[a] += n.worth[i]
			}
			for _, b := range terms {
				if a != b {
					n.both[[2]string{a, b}] += n.worth[i]
				}
			}
		}
	}
}

func (n *naive) label(t string) bool { return n.frequent[t] && !n.common[t] && n.prominent[t] }

func (n *naive) labels() []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(n.count)), func(t string) bool { return !n.label(t) })
}

// rules returns those in force, as "term → label alpha".
func (n *naive) rules() []string {
	var all []string
	for pair := range n.both {
		if n.label(pair[0]) && n.alpha[pair] {
			all = append(all, fmt.Sprintf("%s → %s alpha", pair[1], pair[0]))
		} else if n.label(pair[0]) && n.beta[pair] {
			all = append(all, fmt.Sprintf("%s → %s beta", pair[1], pair[0]))
		}
	}
	slices.Sort(all)
	return all
}

// direct returns the pairs {broader, narrower} before the reduction.
func (n *naive) direct() map[[2]string]bool {
	edges := map[[2]string]bool{}
	for pair := range n.both {
		if n.label(pair[0]) && n.label(pair[1]) && n.over[pair] && !n.back[[2]string{pair[1], pair[0]}] {
			edges[pair] = true
		}
	}
	return edges
}

// closure returns the transitive closure.
func (n *naive) closure() map[[2]string]bool {
	closed, labels := n.direct(), n.labels()
	for _, k := range labels {
		for _, i := range labels {
			for _, j := range labels {
				if closed[[2]string{i, k}] && closed[[2]string{k, j}] {
					closed[[2]string{i, j}] = true
				}
			}
		}
	}
	return closed
}

// nearest returns the edges of the transitive reduction.
func (n *naive) nearest() map[[2]string]bool {
	closed, edges := n.closure(), n.direct()
	for edge := range n.direct() {
		for _, k := range n.labels() {
			if closed[[2]string{edge[0], k}] && closed[[2]string{k, edge[1]}] {
				delete(edges, edge)
			}
		}
	}
	return edges
}

// classify chains forward from terms to labels.
func (n *naive) classify(terms []string) []string {
	held := map[string]bool{}
	for _, label := range n.labels() {
		set, there := 0, 0
		for t := range n.count {
			pair := [2]string{label, t}
			given := slices.Contains(terms, t)
			if n.alpha[pair] && given || t == label && given {
				held[label] = true
			}
			if n.beta[pair] && !n.alpha[pair] {
				set++
				if given {
					there++
				}
			}
		}
		if there >= max(n.p.Together, int(math.Ceil(n.p.TogetherShare*float64(set)))) {
			held[label] = true
		}
	}
	for edge := range n.closure() {
		if held[edge[1]] {
			held[edge[0]] = true // the closure is transitive: one step suffices
		}
	}
	return slices.Sorted(maps.Keys(held))
}

// A stream generates items on a few subjects; each subject has preferred words, which change halfway.
type stream struct {
	random   *rand.Rand
	subjects [][]string
	words    int
	most     int
}

func newStream(seed uint64, words, most int) *stream {
	s := &stream{random: rand.New(rand.NewPCG(seed, 3)), words: words, most: most}
	s.turn()
	return s
}

// turn replaces the subjects: concept drift.
func (s *stream) turn() {
	s.subjects = nil
	for range 4 {
		var subject []string
		for range 4 {
			subject = append(subject, s.word())
		}
		s.subjects = append(s.subjects, subject)
	}
}

func (s *stream) word() string { return fmt.Sprintf("w%02d", s.random.IntN(s.words)) }

// next returns the distinct terms of an item, heaviest first.
func (s *stream) next() []string {
	var terms []string
	subject := s.subjects[s.random.IntN(len(s.subjects))]
	for range 1 + s.random.IntN(s.most) {
		word := s.word()
		if s.random.IntN(3) > 0 {
			word = subject[min(s.random.IntN(len(subject)), s.random.IntN(len(subject)))]
		}
		if !slices.Contains(terms, word) {
			terms = append(terms, word)
		}
	}
	return terms
}

// itemOf returns an item of terms with decreasing weights.
func itemOf(terms []string) Item {
	var it Item
	for i, t := range terms {
		it.Terms = append(it.Terms, Term{t, float64(len(terms) - i)})
	}
	return it
}
