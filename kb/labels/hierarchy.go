package labels

import (
	"iter"
	"slices"
	"strings"

	"orbweaver/internal/order"
)

// broader yields the direct broader labels of a label, nearest or not, in queue order; callers sort for
// display.
func (m *Model) broader(t uint32) iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		for _, e := range m.terms.all[t].out {
			p := m.pairs.at(e.at)
			side := p.sideOf(t)
			if _, x := p.given(side); p.over(side) && m.terms.all[x].label() && !yield(x) {
				return
			}
		}
	}
}

// above calls visit once for each label broader than one in from, at any distance. Labels in from are
// included only if they are broader than another one.
func (m *Model) above(from []uint32, visit func(uint32)) {
	seen := map[uint32]bool{}
	stack := slices.Clone(from)
	for len(stack) > 0 {
		t := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for x := range m.broader(t) {
			if !seen[x] {
				seen[x] = true
				visit(x)
				stack = append(stack, x)
			}
		}
	}
}

// nearest returns the labels broader than t without another label between them and t, by text: the transitive
// reduction, which is unique since there are no cycles.
func (m *Model) nearest(t uint32) []uint32 {
	up := slices.Collect(m.broader(t))
	far := map[uint32]bool{}
	m.above(up, func(x uint32) { far[x] = true })
	up = slices.DeleteFunc(up, func(x uint32) bool { return far[x] })
	m.sortByText(up)
	return up
}

func (m *Model) sortByText(numbers []uint32) {
	order.By(numbers, func(a, b uint32) int {
		return strings.Compare(m.terms.all[a].text, m.terms.all[b].text)
	})
}

func (m *Model) texts(numbers []uint32) []string {
	texts := make([]string, len(numbers))
	for i, t := range numbers {
		texts[i] = m.terms.all[t].text
	}
	return texts
}

// labelOf returns the number of a label.
func (m *Model) labelOf(text string) (uint32, bool) {
	t, known := m.terms.index[text]
	return t, known && m.terms.all[t].label()
}

// Is reports whether a term is a label.
func (m *Model) Is(text string) bool {
	_, is := m.labelOf(text)
	return is
}

// Broader returns the nearest labels broader than a label, by name; none for an unknown label.
func (m *Model) Broader(label string) []string {
	t, ok := m.labelOf(label)
	if !ok {
		return nil
	}
	return m.texts(m.nearest(t))
}

// Ancestors returns all labels broader than a label, at any distance, by name.
func (m *Model) Ancestors(label string) []string {
	t, ok := m.labelOf(label)
	if !ok {
		return nil
	}
	var all []uint32
	m.above([]uint32{t}, func(x uint32) { all = append(all, x) })
	m.sortByText(all)
	return m.texts(all)
}

// A Label describes a label.
type Label struct {
	Text        string
	Items       float64 // that have the term; weighted by age with a half-life
	Share       float64 // of all items
	Prominence  float64 // see Parameters
	Alpha, Beta int     // rules of each set
	Together    int     // δ: terms of the Beta set required together
}

// Labels returns all labels, by name.
func (m *Model) Labels() []Label {
	var all []Label
	for _, t := range m.labels() {
		c := &m.terms.all[t]
		all = append(all, Label{
			Text: c.text, Items: c.n / m.inc, Share: c.n / m.weight, Prominence: c.head / c.n,
			Alpha: int(c.alpha), Beta: int(c.beta), Together: m.p.together(c.beta),
		})
	}
	return all
}

// labels returns the numbers of all labels, by text.
func (m *Model) labels() []uint32 {
	var all []uint32
	for i := range m.terms.all {
		if m.terms.all[i].label() {
			all = append(all, uint32(i))
		}
	}
	m.sortByText(all)
	return all
}

// Terms returns the texts of all terms kept, labels among them, in order.
func (m *Model) Terms() []string {
	all := make([]string, 0, len(m.terms.all))
	for i := range m.terms.all {
		all = append(all, m.terms.all[i].text)
	}
	slices.Sort(all)
	return all
}

// Weight returns the number of items, in the measure of Count: weighted by age with a half-life.
func (m *Model) Weight() float64 { return m.weight / m.inc }

// A Rule states that an item with Term has Label: by itself (Alpha), or with others of the Beta set.
type Rule struct {
	Label, Term string
	Alpha       bool
	P           float64 // P(Label|Term)
	Items       float64 // that have both
}

// Rules returns all rules in force, by label, then Alpha before Beta, then by term. It scans all terms.
func (m *Model) Rules() []Rule {
	var all []Rule
	for t := range m.terms.all {
		for _, e := range m.terms.all[t].out {
			p := m.pairs.at(e.at)
			side := p.sideOf(uint32(t))
			kind := ruleOf(p.bits[side])
			if _, x := p.given(side); kind != "" && m.terms.all[x].label() {
				all = append(all, m.rule(p, side, kind == "alpha"))
			}
		}
	}
	order.By(all, compareRules)
	return all
}

func (m *Model) rule(p *pair, side int, alpha bool) Rule {
	t, x := p.given(side)
	return Rule{m.terms.all[x].text, m.terms.all[t].text, alpha, p.n / m.terms.all[t].n, p.n / m.inc}
}

func compareRules(a, b Rule) int {
	c := strings.Compare(a.Label, b.Label)
	switch {
	case c != 0:
		return c
	case a.Alpha != b.Alpha && a.Alpha:
		return -1
	case a.Alpha != b.Alpha:
		return 1
	}
	return strings.Compare(a.Term, b.Term)
}

// Count returns cf(i,j), the number of items with both terms, weighted by age with a half-life; cf(i,i) is
// the number of items with i.
func (m *Model) Count(i, j string) float64 {
	a, ok := m.terms.index[i]
	b, also := m.terms.index[j]
	if !ok || !also {
		return 0
	}
	if a == b {
		return m.terms.all[a].n / m.inc
	}
	at, known := m.pairs.find(min(a, b), max(a, b))
	if !known || m.stale(m.pairs.at(at)) {
		return 0
	}
	return m.pairs.at(at).n / m.inc
}

// Statistics describes the size of a model.
type Statistics struct {
	Items                int64
	Terms, Pairs         int // kept
	Labels               int
	Edges, Nearest       int // pairs of a label and a broader one: all direct ones, and the nearest among them
	AlphaRules, BetaSets int // rules of one term; labels with a sufficiently large Beta set
	BetaTerms            int // terms of all Beta sets together
}

// Statistics computes the statistics by scanning all labels.
func (m *Model) Statistics() Statistics {
	s := Statistics{Items: m.items, Terms: len(m.terms.all), Pairs: int(m.pairs.used)}
	for _, t := range m.labels() {
		c := &m.terms.all[t]
		s.Labels++
		s.AlphaRules += int(c.alpha)
		s.BetaTerms += int(c.beta)
		if int(c.beta) >= m.p.together(c.beta) {
			s.BetaSets++
		}
		for range m.broader(t) {
			s.Edges++
		}
		s.Nearest += len(m.nearest(t))
	}
	return s
}
