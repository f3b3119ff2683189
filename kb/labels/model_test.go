package labels

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"testing"
)

// small are parameters under which a few items have an effect.
func small() Parameters {
	p := Default()
	p.Terms, p.Items, p.Head, p.Support = 6, 2, 3, 2
	p.Frequent, p.Common, p.Prominence = Hysteresis{0.06, 0.04}, Hysteresis{0.5, 0.6}, Hysteresis{0.3, 0.2}
	p.Confidence, p.Apart = 0, 0
	return p
}

// regimes are combinations of parameters.
func regimes() map[string]Parameters {
	plain, margin, decays, both := small(), small(), small(), small()
	plain.Margin, margin.Margin, decays.Margin, both.Margin = 0, 0.06, 0, 0.03
	decays.HalfLife, both.HalfLife = 30, 12
	decays.Items, decays.Support = 1.5, 1.5
	margin.Together, margin.TogetherShare = 1, 0.4
	sure, all := margin, both
	sure.Confidence, all.Confidence, sure.Apart = 1.3, 0.7, 0.15
	return map[string]Parameters{
		"plain": plain, "margin": margin, "decays": decays, "margin, decays": both, "margin, sure": sure, "all": all,
	}
}

func newModel(t testing.TB, p Parameters) *Model {
	t.Helper()
	m, err := New(p)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// inForce returns what a model has in force, in the format of naive.inForce.
func (m *Model) inForce() (all []string) {
	for _, l := range m.Labels() {
		all = append(all, "label "+l.Text)
		for _, b := range m.Broader(l.Text) {
			all = append(all, fmt.Sprintf("%s below %s", l.Text, b))
		}
		for _, b := range m.Ancestors(l.Text) {
			all = append(all, fmt.Sprintf("%s far below %s", l.Text, b))
		}
	}
	for _, r := range m.Rules() {
		all = append(all, fmt.Sprintf("%s → %s %s", r.Term, r.Label, map[bool]string{true: "alpha", false: "beta"}[r.Alpha]))
	}
	slices.Sort(all)
	return all
}

func (n *naive) inForce() (all []string) {
	for _, l := range n.labels() {
		all = append(all, "label "+l)
	}
	for edge := range n.nearest() {
		all = append(all, fmt.Sprintf("%s below %s", edge[1], edge[0]))
	}
	for edge := range n.closure() {
		all = append(all, fmt.Sprintf("%s far below %s", edge[1], edge[0]))
	}
	all = append(all, n.rules()...)
	slices.Sort(all)
	return all
}

// compare compares a model with a naive one.
func compare(t *testing.T, m *Model, n *naive) {
	t.Helper()
	now := n.worth[len(n.worth)-1]
	for a, c := range n.count {
		if m.Count(a, a) != c/now {
			t.Fatalf("cf(%s) = %v, naive %v", a, m.Count(a, a), c/now)
		}
	}
	for pair, c := range n.both {
		if got := m.Count(pair[0], pair[1]); got != c/now {
			t.Fatalf("cf%v = %v, naive %v", pair, got, c/now)
		}
	}
	if got, want := m.inForce(), n.inForce(); !slices.Equal(got, want) {
		t.Fatalf("in force:\n%q\nnaive:\n%q", got, want)
	}
}

func held(m *Model, it Item) (names []string) {
	for _, h := range m.Classify(it) {
		names = append(names, h.Label)
	}
	slices.Sort(names)
	return names
}

// TestEqualsNaive: after each of some hundred items, counts, labels, hierarchy, rules and classifications
// equal those computed from all items at once, whatever the order of events within the model.
func TestEqualsNaive(t *testing.T) {
	for name, p := range regimes() {
		t.Run(name, func(t *testing.T) {
			seen := map[string]int{}
			for seed := range uint64(6) {
				m, n, s := newModel(t, p), newNaive(p), newStream(seed, 14, p.Terms)
				for i := range 160 {
					if i == 80 {
						s.turn()
					}
					terms := s.next()
					before := n.events()
					changes := m.Learn(itemOf(terms))
					n.learn(terms)
					compare(t, m, n)
					compareChanges(t, changes, before, n, seen)
					query := s.next()
					if got, want := held(m, itemOf(query)), n.classify(query); !slices.Equal(got, want) {
						t.Fatalf("seed %d, item %d: %v has %v, naive %v", seed, i, query, got, want)
					}
					holdsAlike(t, m, itemOf(query))
				}
			}
			t.Log("changes:", seen)
			for _, kind := range []string{"label +", "label -", "rule +", "rule -", "broader +", "broader -"} {
				if seen[kind] < 5 {
					t.Errorf("%d changes %q: the streams show nothing", seen[kind], kind)
				}
			}
		})
	}
}

// events are labels, rules and direct edges, by the names used in changes.
func (n *naive) events() map[Change]bool {
	all := map[Change]bool{}
	for _, l := range n.labels() {
		all[Change{Kind: OfLabel, Subject: l, New: "label"}] = true
	}
	for pair := range n.both {
		if n.label(pair[0]) && n.alpha[pair] {
			all[Change{Kind: OfRule, Subject: pair[0], Object: pair[1], New: "alpha"}] = true
		} else if n.label(pair[0]) && n.beta[pair] {
			all[Change{Kind: OfRule, Subject: pair[0], Object: pair[1], New: "beta"}] = true
		}
	}
	for edge := range n.direct() {
		all[Change{Kind: OfBroader, Subject: edge[1], Object: edge[0], New: "broader"}] = true
	}
	return all
}

// compareChanges: reported changes are the difference, except those that come and go with a label.
func compareChanges(t *testing.T, changes []Change, before map[Change]bool, n *naive, seen map[string]int) {
	t.Helper()
	stays := func(text string) bool {
		return n.label(text) && before[Change{Kind: OfLabel, Subject: text, New: "label"}]
	}
	told := func(c Change) bool {
		return c.Kind == OfLabel || stays(c.Subject) && (c.Kind == OfRule || stays(c.Object))
	}
	got, want := map[string]bool{}, map[string]bool{}
	for _, c := range changes {
		if c.Kind == OfTerm {
			continue
		}
		if c.Item != int64(len(n.items)) {
			t.Fatalf("change %+v of item %d", c, len(n.items))
		}
		plain := Change{Kind: c.Kind, Subject: c.Subject, Object: c.Object}
		plain.New = c.New
		if c.New != "" {
			seen[string(c.Kind)+" +"]++
			if told(plain) {
				got["+"+fmt.Sprint(plain)] = true
			}
		}
		plain.New = c.Old
		if c.Old != "" {
			seen[string(c.Kind)+" -"]++
			if told(plain) {
				got["-"+fmt.Sprint(plain)] = true
			}
		}
	}
	after := n.events()
	for c := range after {
		if !before[c] && told(c) {
			want["+"+fmt.Sprint(c)] = true
		}
	}
	for c := range before {
		if !after[c] && told(c) {
			want["-"+fmt.Sprint(c)] = true
		}
	}
	if !maps.Equal(got, want) {
		t.Fatalf("item %d: told %v\nwant %v", len(n.items), got, want)
	}
}

// holdsAlike: backward chaining and Why agree with Classify.
func holdsAlike(t *testing.T, m *Model, it Item) {
	t.Helper()
	has := map[string]Held{}
	for _, h := range m.Classify(it) {
		has[h.Label] = h
		if h.Strength <= 0 || h.Strength > 1 {
			t.Fatalf("strength of %+v", h)
		}
	}
	for _, l := range m.Labels() {
		h, ok := has[l.Text]
		if m.Holds(it, l.Text) != ok {
			t.Fatalf("%v: Holds(%s) is not %t", it, l.Text, ok)
		}
		proofs := m.Why(it, l.Text)
		if (len(proofs) > 0) != ok {
			t.Fatalf("%v: %s is %t, because %+v", it, l.Text, ok, proofs)
		}
		for _, p := range proofs {
			checkProof(t, m, it, l.Text, p)
		}
		if ok && (h.By == ByBroader) != (len(proofs[0].Chain) > 1) {
			t.Fatalf("%+v, because %+v", h, proofs[0])
		}
	}
}

// checkProof checks each step of a proof against the model.
func checkProof(t *testing.T, m *Model, it Item, label string, p Proof) {
	t.Helper()
	own := func(text string) bool {
		return slices.ContainsFunc(it.Terms, func(t Term) bool { return t.Text == text })
	}
	base := p.Chain[0]
	if p.Chain[len(p.Chain)-1] != label || p.Own != own(base) {
		t.Fatalf("%s: %+v", label, p)
	}
	for i, l := range p.Chain[1:] {
		if !slices.Contains(m.Broader(p.Chain[i]), l) {
			t.Fatalf("%s: %s is not broader than %s", label, l, p.Chain[i])
		}
	}
	if !p.Own && len(p.Alpha) == 0 && len(p.Beta) < p.Together {
		t.Fatalf("%s: %+v proves nothing", label, p)
	}
	for _, e := range append(slices.Clone(p.Alpha), p.Beta...) {
		if want := m.Count(base, e.Term) / m.Count(e.Term, e.Term); !own(e.Term) || math.Abs(e.P-want) > 1e-12 {
			t.Fatalf("%s: evidence %+v, P %v", label, e, want)
		}
	}
}
