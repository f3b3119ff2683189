package labels

import "math"

// look checks a pair against its thresholds, both ways, and updates its flags. It is idempotent.
func (m *Model) look(i uint32) {
	m.work.Looked++
	p := m.pairs.at(i)
	if !m.support(i, p) {
		m.clear(i)
		return
	}
	var bits [2]uint8
	for side := range bits {
		t, _ := p.given(side)
		bits[side] = m.cross(p.bits[side], p.n, m.terms.all[t].n)
	}
	m.put(i, bits)
}

// support reports whether enough items have both terms of a pair, and records it.
func (m *Model) support(i uint32, p *pair) bool {
	need := m.p.Support
	if p.flags&supported != 0 {
		need /= 2
	}
	if m.stale(p) || p.n < need*m.inc {
		p.flags &^= supported
		return false
	}
	if p.flags |= supported; m.p.HalfLife > 0 && p.flags&queued == 0 {
		p.flags |= queued
		m.fading.push(entry{p.n, i})
	}
	return true
}

// cross returns the flags after c/d was compared with the bars.
func (m *Model) cross(bits uint8, c, d float64) (after uint8) {
	for i := range m.bars {
		bit := uint8(1) << i
		if m.bars[i].holds(bits&bit != 0, c, d, m.inc) {
			after |= bit
		}
	}
	return after
}

// clear clears all flags of a pair.
func (m *Model) clear(i uint32) { m.put(i, [2]uint8{}) }

// put sets the flags of a pair.
func (m *Model) put(i uint32, bits [2]uint8) {
	p := m.pairs.at(i)
	if bits == p.bits {
		return
	}
	before := *p
	for side := range bits {
		if bits[side] != p.bits[side] {
			m.putSide(i, side, bits[side])
		}
	}
	m.recordPair(&before, p)
}

func (m *Model) putSide(i uint32, side int, bits uint8) {
	p := m.pairs.at(i)
	t, x := p.given(side)
	head := &m.terms.all[x]
	head.recount(p.bits[side], -1)
	head.recount(bits, 1)
	p.bits[side] = bits
	m.requeue(t, i, m.key(bits, p.n))
}

// recount adds a pair to the counts of its x, or removes it.
func (t *term) recount(bits uint8, sign int32) {
	switch by := uint32(sign); { // wraps around for sign -1
	case bits&alphaBit != 0:
		t.alpha += by
	case bits&betaBit != 0:
		t.beta += by
	}
	if bits != 0 {
		t.in += uint32(sign)
	}
}

// slack compensates for rounding: a key is that much below the count at which a flag falls, so that none is
// found too late.
const slack = 1 - 1e-12

// key returns the cf(t) at which the first of the flags falls; negative if there is none.
func (m *Model) key(bits uint8, n float64) float64 {
	highest := 0.0
	for i := range m.bars {
		if bits&(1<<i) != 0 {
			highest = max(highest, m.bars[i].leave)
		}
	}
	if highest == 0 {
		return -1
	}
	return n / highest * slack
}

// requeue moves a pair to its position in the queue of the given term.
func (m *Model) requeue(t, i uint32, key float64) {
	q := &m.terms.all[t].out
	at := q.find(i)
	switch {
	case at < 0 && key >= 0:
		q.push(entry{key, i})
	case at >= 0 && key < 0:
		q.remove(at)
	case at >= 0:
		(*q)[at].key = key
		q.fix(at)
	}
}

// fall checks pairs that may have fallen since cf(t) rose.
func (m *Model) fall(t uint32) {
	m.due = m.terms.all[t].out.due(m.terms.all[t].n, m.due[:0])
	for _, i := range m.due {
		p := m.pairs.at(i)
		if _, x := p.given(p.sideOf(t)); m.terms.all[x].last != m.items {
			m.look(i) // else it was examined with the item's own pairs
		}
		m.requeue(t, i, m.key(p.bits[p.sideOf(t)], p.n))
	}
}

// fade checks pairs whose items may have become too old for support.
func (m *Model) fade() {
	for len(m.fading) > 0 && m.fading[0].key < m.p.Support/2*m.inc {
		i := m.fading.remove(0).at
		m.pairs.at(i).flags &^= queued
		m.look(i)
	}
}

// lookAtTerms compares the item's terms, and those passed by a rising bar, with the thresholds of labels.
func (m *Model) lookAtTerms() {
	for _, t := range m.own {
		m.lookAtTerm(t)
	}
	for len(m.rare) > 0 && m.rare[0].key < m.floor(true) {
		t := m.rare.remove(0).at
		m.terms.all[t].waits &^= frequent
		m.lookAtTerm(t)
	}
	for len(m.many) > 0 && m.many[0].key <= m.p.Common.Enter*m.weight {
		t := m.many.remove(0).at
		m.terms.all[t].waits &^= common
		m.lookAtTerm(t)
	}
}

// floor returns the count below which a term is too rare; there reports whether it was frequent so far.
func (m *Model) floor(there bool) float64 {
	if there {
		return math.Max(m.p.Frequent.Leave*m.weight, m.p.Items/2*m.inc)
	}
	return math.Max(m.p.Frequent.Enter*m.weight, m.p.Items*m.inc)
}

func (m *Model) lookAtTerm(i uint32) {
	m.work.Looked++
	t := &m.terms.all[i]
	was := t.label()
	t.state = m.stateOf(t)
	if t.state&^t.waits&frequent != 0 {
		m.rare.push(entry{t.n, i})
	}
	if t.state&^t.waits&common != 0 {
		m.many.push(entry{t.n, i})
	}
	t.waits |= t.state & (frequent | common)
	switch is := t.label(); {
	case is && !was:
		m.record(Change{Kind: OfLabel, Subject: t.text, New: "label"})
	case was && !is:
		m.record(Change{Kind: OfLabel, Subject: t.text, Old: "label"})
	}
}

// stateOf returns the state of a term by its counts and its previous state.
func (m *Model) stateOf(t *term) (state uint8) {
	if t.n >= m.floor(t.state&frequent != 0) {
		state |= frequent
	}
	most, least := m.p.Common.Leave, m.p.Prominence.Enter
	if t.state&common != 0 {
		most = m.p.Common.Enter
	}
	if t.n > most*m.weight {
		state |= common
	}
	if t.state&prominent != 0 {
		least = m.p.Prominence.Leave
	}
	if t.head >= least*t.n {
		state |= prominent
	}
	return state
}
