package labels

import (
	"math"
	"time"
)

// A Model is the state learned from a stream of items. Learn and Restore need exclusive access; all other
// methods only read and are safe for concurrent use with each other.
type Model struct {
	p    Parameters
	bars [4]bar // of alphaBit, betaBit, overBit, backBit

	items   int64   // number learned
	weight  float64 // N: the sum of the increments of all items
	inc     float64 // current increment of an item; 1 without a half-life
	growth  float64 // factor of inc per item
	version uint64

	terms  terms
	pairs  pairs
	rare   queue // frequent terms, by n: they cease to be when the bar rises
	many   queue // common terms, by n: likewise
	fading queue // with a half-life: supported pairs, by n

	work    Work
	changes []Change
	id      string // of the current item
	at      time.Time
	own     []uint32 // its terms
	touched []uint32 // its pairs
	due     []uint32
	ahead   uint32 // result of reading ahead: unused, it would be optimized away
}

// Work is the cost of learning in operations, in this process only: snapshots omit it.
type Work struct {
	Pairs  int64 // pairs counted: those of the items' own terms
	Looked int64 // comparisons of a pair or term with its thresholds
}

// A bar is a threshold on a probability, with its hysteresis.
type bar struct {
	enter, leave float64
	above        bool    // must be exceeded, not only reached
	doubt        float64 // z²·leave·(1-leave); 0: exceeding enter suffices
}

// holds reports whether c/d reaches the bar; there reports whether it did before. An item counts inc.
func (b *bar) holds(there bool, c, d, inc float64) bool {
	at := b.enter
	if there {
		at = b.leave
	}
	if c < at*d || b.above && c == at*d {
		return false
	}
	return there || b.doubt == 0 || b.sure(c, d, inc)
}

// sure reports whether the lower bound of Wilson's interval for c of d reaches the bar: whether c exceeds the
// bar by that many standard errors of its expected value there. It becomes true only when c grows; when d
// alone grows, or both age, it can only become false. Therefore only pairs of an item's own terms have to be
// checked.
func (b *bar) sure(c, d, inc float64) bool {
	excess := c - b.leave*d
	return excess/inc*excess >= b.doubt*d
}

// New returns an empty model. The error wraps ErrParameters.
func New(p Parameters) (*Model, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	m := &Model{p: p, inc: 1, growth: 1, terms: terms{index: map[string]uint32{}}}
	doubt := func(at float64) float64 { return p.Confidence * p.Confidence * at * (1 - at) }
	m.bars = [4]bar{
		{p.Alpha + p.Margin, p.Alpha, true, doubt(p.Alpha)},
		{p.Beta + p.Margin, p.Beta, false, doubt(p.Beta)},
		{p.Broader + p.Margin, p.Broader, false, doubt(p.Broader)},
		{p.Broader, p.Broader - max(p.Margin, p.Apart), false, 0}, // evidence against an edge needs no confidence
	}
	if p.HalfLife > 0 {
		m.growth = math.Exp2(1 / p.HalfLife)
	}
	return m, nil
}

// Parameters returns the parameters of the model.
func (m *Model) Parameters() Parameters { return m.p }

// Items returns the number of items learned.
func (m *Model) Items() int64 { return m.items }

// Version changes whenever a label, a rule or an edge of the hierarchy is added or removed: while it is the
// same, Classify returns the same labels for an item.
func (m *Model) Version() uint64 { return m.version }

// Work returns the cost of Learn so far.
func (m *Model) Work() Work { return m.work }

// Learn processes the next item and returns the changes it causes, by kind and names; the slice is valid
// until the next call. A repeated item counts again.
//
// The cost is that of the item's own pairs. P(x|t) rises only with an item that has both terms, and those
// pairs are examined one by one. It falls, for all x not in the item, when an item has t. Each term therefore
// has a queue of its pairs with flags in force, keyed by the cf(t) at which the first flag would fall; if
// cf(x,t) has grown since, the key is too low, which is detected and corrected when it is reached. At most
// (Terms-1)/least threshold pairs of a term can have flags in force, since the P(x|t) of all x add up to at
// most Terms-1: this bounds the queues for any input. Conditions that depend on the number of items, or on
// their age, use similar queues.
//
// Counts are exact until MaxTerms or MaxPairs is reached. Then a new term replaces the one with the least
// count among the next sixteen that no rule or edge uses and that cannot be a label; if there is none, the
// new term is skipped in this item. A new pair replaces the weakest among the next eight: one with an evicted
// term, else one without flags in force, else the one with the least count. Evicted terms and pairs count
// from 0 when they recur, so that a cf(i,j) may be too low, never too high.
func (m *Model) Learn(it Item) []Change {
	m.items++
	m.age()
	m.weight += m.inc
	m.id, m.at, m.changes = it.ID, it.At, m.changes[:0]
	m.countTerms(it.terms(m.p.Terms))
	m.countPairs()
	m.lookAtTerms()
	for _, i := range m.touched {
		m.look(i)
	}
	for _, t := range m.own {
		m.fall(t)
	}
	m.fade()
	return m.sortedChanges()
}

// countTerms counts the terms of the item, heaviest first, and sets m.own.
func (m *Model) countTerms(list []Term) {
	m.own = m.own[:0]
	for rank, t := range list {
		i, known := m.terms.index[t.Text]
		if !known {
			number, evicted, ok := m.terms.admit(t.Text, m.p.MaxTerms, m.items)
			if !ok {
				continue
			}
			if i = number; evicted != "" {
				m.record(Change{Kind: OfTerm, Subject: evicted, Old: "term"})
			}
			m.record(Change{Kind: OfTerm, Subject: t.Text, New: "term"})
		}
		c := &m.terms.all[i]
		c.n += m.inc
		c.last = m.items
		if rank < m.p.Head {
			c.head += m.inc
		}
		m.own = append(m.own, i)
	}
}

// countPairs counts the pairs of m.own and sets m.touched. In a large table each pair causes two cache
// misses: one in an index, one in the table. All pairs are looked up before the first is counted, and the
// first memory accesses are made ahead by branch-free loops, so that misses overlap.
func (m *Model) countPairs() {
	m.touched = m.touched[:0]
	m.ahead = 0
	for i, a := range m.own {
		for _, b := range m.own[i+1:] {
			m.ahead += m.pairs.peek(min(a, b), max(a, b))
		}
	}
	for i, a := range m.own {
		for _, b := range m.own[i+1:] {
			number, known := m.pairs.find(min(a, b), max(a, b))
			if !known {
				number = nowhere
			}
			m.touched = append(m.touched, number)
		}
	}
	m.work.Pairs += int64(len(m.touched))
	for _, i := range m.touched {
		if i != nowhere {
			m.ahead += uint32(m.pairs.at(i).flags)
		}
	}
	numbers, counted := m.touched, m.touched[:0]
	for i, a := range m.own {
		for j, b := range m.own[i+1:] {
			if p, ok := m.pair(numbers[j], min(a, b), max(a, b)); ok {
				m.pairs.at(p).n += m.inc
				counted = append(counted, p)
			}
		}
		numbers = numbers[len(m.own)-i-1:]
	}
	m.touched = counted
}

// nowhere is the number of no pair.
const nowhere = math.MaxUint32

// pair returns the number of the pair of two terms: the known one or, for nowhere, a new one; false if the
// table is full.
func (m *Model) pair(i, a, b uint32) (uint32, bool) {
	fresh := pair{a: a, b: b, generation: [2]uint16{m.terms.all[a].generation, m.terms.all[b].generation}}
	switch {
	case i != nowhere:
		if p := m.pairs.at(i); p.a == a && p.b == b { // else a new pair has replaced it, because it was stale
			if m.stale(p) {
				fresh.flags = p.flags & queued
				*p = fresh
			}
			return i, true
		}
	case int(m.pairs.used) < m.p.MaxPairs:
		return m.pairs.add(fresh), true
	}
	i, ok := m.weakest()
	if !ok {
		return 0, false
	}
	m.clear(i)
	fresh.flags = m.pairs.at(i).flags & queued
	m.pairs.replace(i, fresh)
	return i, true
}

func (m *Model) stale(p *pair) bool {
	return p.generation != [2]uint16{m.terms.all[p.a].generation, m.terms.all[p.b].generation}
}

// pairHand is the number of pairs examined to evict one.
const pairHand = 8

// weakest returns the pair to evict; false if all those examined belong to the item itself.
func (m *Model) weakest() (found uint32, ok bool) {
	least := math.Inf(1)
	for range min(pairHand, m.pairs.used) {
		i := m.pairs.hand
		m.pairs.hand = (m.pairs.hand + 1) % m.pairs.used
		p := m.pairs.at(i)
		if m.stale(p) {
			return i, true
		}
		if m.terms.all[p.a].last == m.items && m.terms.all[p.b].last == m.items {
			continue
		}
		worth := p.n / m.inc
		if p.bits != [2]uint8{} {
			worth += 1 << 53 // more than any count
		}
		if worth < least {
			found, least, ok = i, worth, true
		}
	}
	return found, ok
}

// Counts stay finite under a half-life: they are scaled when an item's increment reaches 2^512, and what is
// then worth less than 2^-512 of an item becomes zero.
const scaleBits = 512

// age increases the increment of the next item.
func (m *Model) age() {
	if m.p.HalfLife == 0 || m.items == 1 {
		return
	}
	m.inc *= m.growth
	if m.inc >= math.Ldexp(1, scaleBits) {
		m.scale(math.Ldexp(1, -scaleBits))
	}
}

// scale multiplies all counts by a power of two. Flags in force do not depend on the scale.
func (m *Model) scale(factor float64) {
	scaled := func(n float64) float64 {
		if n *= factor; n < math.Ldexp(1, -scaleBits) {
			return 0
		}
		return n
	}
	m.inc *= factor
	m.weight *= factor
	for i := range m.terms.all {
		t := &m.terms.all[i]
		t.n, t.head = scaled(t.n), scaled(t.head)
		t.out.scale(factor)
	}
	for i := range m.pairs.used {
		p := m.pairs.at(i)
		p.n = scaled(p.n)
	}
	m.rare.scale(factor)
	m.many.scale(factor)
	m.fading.scale(factor)
}
