package labels

import (
	"fmt"
	"slices"
	"testing"
)

// TestForgetting: with small tables sizes stay within bounds, counts are never too high, and the subjects of
// the stream are still found.
func TestForgetting(t *testing.T) {
	for _, halfLife := range []float64{0, 40} {
		p := crowded()
		p.HalfLife = halfLife
		roomy := p
		roomy.MaxTerms, roomy.MaxPairs = 100_000, 100_000
		m, exact, s := newModel(t, p), newModel(t, roomy), newStream(9, 60, p.Terms)
		evicted := 0
		for i := range 600 {
			it := itemOf(s.next())
			for _, c := range m.Learn(it) {
				if c.Kind == OfTerm && c.Old != "" {
					evicted++
				}
			}
			exact.Learn(it)
			if i%20 > 0 {
				continue
			}
			if len(m.terms.all) > p.MaxTerms || int(m.pairs.used) > p.MaxPairs || len(m.terms.index) > p.MaxTerms {
				t.Fatalf("%d terms, %d pairs", len(m.terms.all), m.pairs.used)
			}
			neverTooHigh(t, m, exact)
			sound(t, m)
		}
		if evicted == 0 {
			t.Error("no term was evicted")
		}
		liked := s.subjects[0][0]
		if m.Count(liked, liked) < exact.Count(liked, liked)/2 {
			t.Errorf("%s: %v of %v", liked, m.Count(liked, liked), exact.Count(liked, liked))
		}
	}
}

func neverTooHigh(t *testing.T, m, exact *Model) {
	t.Helper()
	for a := range exact.terms.index {
		for b := range exact.terms.index {
			if got, most := m.Count(a, b), exact.Count(a, b); got > most*(1+1e-9) {
				t.Fatalf("cf(%s,%s) is %v, at most %v", a, b, got, most)
			}
		}
	}
}

// sound checks that the parts of a model are consistent, and that everything in force satisfies the
// thresholds.
func sound(t *testing.T, m *Model) {
	t.Helper()
	alpha, beta, in := make([]uint32, len(m.terms.all)), make([]uint32, len(m.terms.all)), make([]uint32, len(m.terms.all))
	for i := range m.pairs.used {
		p := m.pairs.at(i)
		if at, ok := m.pairs.find(p.a, p.b); !ok || at != i {
			t.Fatalf("pair %d is not found", i)
		}
		for side, bits := range p.bits {
			given, x := p.given(side)
			stands := m.terms.all[given].out.find(i) >= 0
			if stands != (bits != 0) {
				t.Fatalf("pair %d: bits %b, queued %t", i, bits, stands)
			}
			if bits == 0 {
				continue
			}
			in[x]++
			share := p.n / m.terms.all[given].n
			if m.stale(p) || p.flags&supported == 0 || bits&overBit != 0 && share < m.p.Broader ||
				bits&alphaBit != 0 && share <= m.p.Alpha || bits&betaBit != 0 && share < m.p.Beta {
				t.Fatalf("pair %+v: P %v", p, share)
			}
			switch {
			case bits&alphaBit != 0:
				alpha[x]++
			case bits&betaBit != 0:
				beta[x]++
			}
		}
	}
	queuedOnce(t, "rare", m.rare, func(i uint32) bool { return m.terms.all[i].waits&frequent != 0 })
	queuedOnce(t, "many", m.many, func(i uint32) bool { return m.terms.all[i].waits&common != 0 })
	queuedOnce(t, "fading", m.fading, func(i uint32) bool { return m.pairs.at(i).flags&queued != 0 })
	for i := range m.terms.all {
		c := &m.terms.all[i]
		if c.state&(frequent|common) != c.waits {
			t.Fatalf("term %q: state %b, waits %b", c.text, c.state, c.waits)
		}
		if c.alpha != alpha[i] || c.beta != beta[i] || c.in != in[i] {
			t.Fatalf("term %q: %d %d %d, counted %d %d %d", c.text, c.alpha, c.beta, c.in, alpha[i], beta[i], in[i])
		}
		if least := m.p.Broader - max(m.p.Margin, m.p.Apart); float64(len(c.out)) > float64(m.p.Terms-1)/least {
			t.Fatalf("term %q has %d pairs in force", c.text, len(c.out))
		}
		for j := range c.out {
			if c.out[j].key < c.out[max(j-1, 0)/2].key {
				t.Fatalf("term %q: queue out of order", c.text)
			}
		}
	}
}

func queuedOnce(t *testing.T, name string, q queue, marked func(uint32) bool) {
	t.Helper()
	seen := map[uint32]bool{}
	for _, e := range q {
		if seen[e.at] || !marked(e.at) {
			t.Fatalf("%s: %d is there twice, or not marked", name, e.at)
		}
		seen[e.at] = true
	}
}

// TestNewOnesAreCounted: a replacement of an evicted term or pair counts from 1, in every pair of its item,
// however often the slot was reused before.
func TestNewOnesAreCounted(t *testing.T) {
	for name, p := range map[string]Parameters{"few terms": small(), "few pairs": small(), "both": small()} {
		p.HalfLife = 40
		if name != "few pairs" {
			p.MaxTerms = 24
		}
		if name != "few terms" {
			p.MaxPairs = 36
		}
		m, s := newModel(t, p), newStream(2, 200, p.Terms)
		lost, all := 0, 0
		for range 1000 {
			terms := s.next()
			m.Learn(itemOf(terms))
			for i, a := range terms {
				for _, b := range terms[i+1:] {
					if all++; m.Count(a, a) > 0 && m.Count(b, b) > 0 && m.Count(a, b) < 1-1e-9 {
						lost++
					}
				}
			}
		}
		if sound(t, m); lost > 0 {
			t.Errorf("%s: %d of %d pairs of an item were not counted", name, lost, all)
		}
	}
}

// TestScaling: scaling counts, as happens when they become huge, changes nothing.
func TestScaling(t *testing.T) {
	p := small()
	p.HalfLife = 1.5
	p.Support, p.Items = 1, 1
	plain, scaled := newModel(t, p), newModel(t, p)
	s := newStream(3, 12, p.Terms)
	events := 0
	for i := range 2000 { // 2^512 is reached at 768, and again
		it := itemOf(s.next())
		events += len(plain.Learn(it))
		scaled.Learn(it)
		if i%100 == 50 {
			scaled.scale(1.0 / (1 << 40))
		}
		if got, want := scaled.inForce(), plain.inForce(); !slices.Equal(got, want) {
			t.Fatalf("item %d:\n%q\nnot scaled:\n%q", i, got, want)
		}
	}
	if sound(t, plain); plain.inc > 1e155 || events < 2000 {
		t.Errorf("weight of an item %v, %d events", plain.inc, events)
	}
}

// TestCollisions: pairs are found, replaced and not found in large indexes of many terms.
func TestCollisions(t *testing.T) {
	var s pairs
	want := map[[2]uint32]uint32{}
	for i := range uint32(20_000) {
		p := pair{a: i % 150, b: 150 + i/150}
		want[[2]uint32{p.a, p.b}] = s.add(p)
	}
	for i := range uint32(20_000) { // each replaces another
		old := *s.at(i)
		delete(want, [2]uint32{old.a, old.b})
		s.replace(i, pair{a: old.a + 1000, b: old.b + 1000})
		want[[2]uint32{old.a + 1000, old.b + 1000}] = i
		if _, found := s.find(old.a, old.b); found {
			t.Fatalf("pair %v is still there", old)
		}
	}
	for key, at := range want {
		if got, found := s.find(key[0], key[1]); !found || got != at {
			t.Fatalf("pair %v: %d, %t", key, got, found)
		}
	}
}

func TestQueue(t *testing.T) {
	var q queue
	for i := range uint32(100) {
		q.push(entry{float64(i * 37 % 101), i})
	}
	for i := uint32(0); i < 100; i += 3 {
		q.remove(q.find(i))
	}
	due := q.due(50, nil)
	var want []uint32
	for i := range uint32(100) {
		if i%3 > 0 && i*37%101 <= 50 {
			want = append(want, i)
		}
	}
	if slices.Sort(due); !slices.Equal(due, want) {
		t.Errorf("due %v, want %v", due, want)
	}
	for last := -1.0; len(q) > 0; {
		e := q.remove(0)
		if e.key < last {
			t.Fatal(fmt.Sprint("out of order: ", e))
		}
		last = e.key
	}
}
