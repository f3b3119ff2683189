package labels

import (
	"math"
	"time"
)

// A Model is what was learned from a stream of items. Learn and Restore are for one goroutine; everything else only
// reads, and may run in any number of goroutines while nothing is learned.
type Model struct {
	p    Parameters
	bars [4]bar // of alphaBit, betaBit, overBit, backBit

	items   int64   // learned
	weight  float64 // N: the increments of all items
	inc     float64 // what an item counts now; 1 without a half-life
	growth  float64 // of inc, an item
	version uint64

	terms  terms
	pairs  pairs
	rare   queue // terms that are frequent, by n: some cease to be when the bar rises
	many   queue // terms that are common, by n: the same
	fading queue // with a half-life: supported pairs, by n

	work    Work
	changes []Change
	id      string // of the item that is being learned
	at      time.Time
	own     []uint32 // its terms
	touched []uint32 // its pairs
	due     []uint32
	ahead   uint32 // of what is read ahead: without a use for it, it would not be read
}

// Work is the cost of learning in operations, in this process only: snapshots omit it.
type Work struct {
	Pairs  int64 // pairs counted: those of the items' own terms
	Looked int64 // times that a pair or term was held against its thresholds
}

// A bar is a threshold on a probability, with its hysteresis.
type bar struct {
	enter, leave float64
	above        bool    // it must be exceeded, not only reached
	doubt        float64 // z²·leave·(1-leave); 0: to be past enter is enough
}

// holds reports whether c/d is at the bar, being there already or not. An item counts inc.
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

// sure reports whether the lower bound of Wilson's interval for c of d is at the bar: whether c is more than at the
// bar by as many standard errors of what would be expected there. That is true only once c has grown: while d alone
// does, or both become old, it becomes false at most, so that only pairs of an item's own terms must be asked.
func (b *bar) sure(c, d, inc float64) bool {
	excess := c - b.leave*d
	return excess/inc*excess >= b.doubt*d
}

// New returns a model that has learned nothing. The error wraps ErrParameters.
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

// Parameters are those that the model is learned with.
func (m *Model) Parameters() Parameters { return m.p }

// Items is how many items were learned.
func (m *Model) Items() int64 { return m.items }

// Version changes whenever a label, a rule or an edge of the hierarchy comes or goes: while it is the same,
// Classify finds the same labels for an item.
func (m *Model) Version() uint64 { return m.version }

// Work is what Learn has cost so far.
func (m *Model) Work() Work { return m.work }

// Learn takes the next item and returns what changes by it, in order of kind and names; the slice is valid
// until the next call. An item that comes again counts again.
//
// The cost is that of the item's own pairs. P(x|t) rises only by an item with both, and those pairs are examined one
// by one. It falls, for all x that the item does not hold, when an item holds t: therefore each term has a queue of
// the pairs with something in force, by the cf(t) at which the first of it would fall; a cf(x,t) that grew since only
// makes the key too low, which is found, and set right, when it is reached. At most (Terms-1)/least threshold pairs
// of a term can have something in force, since the P(x|t) of all x add up to Terms-1 at most: that bounds the queues,
// whatever comes. What falls with the number of items, or with their age, waits in queues of the same sort.
//
// Counts are exact until MaxTerms or MaxPairs are reached. Then a new term takes the place of the one with the
// least count among the next sixteen on which no rule and no edge rests and which could be no label; where
// there is none, the new term is passed over in this item. A new pair takes the place of the weakest among
// the next eight: of one with a forgotten term, else without anything in force, else with the least count.
// What is forgotten counts from 0 when it comes again, so that a cf(i,j) may be too low, never too high.
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
	return m.told()
}

// countTerms counts those of the item, heaviest first, and sets m.own.
func (m *Model) countTerms(list []Term) {
	m.own = m.own[:0]
	for rank, t := range list {
		i, known := m.terms.index[t.Text]
		if !known {
			number, forgotten, ok := m.terms.admit(t.Text, m.p.MaxTerms, m.items)
			if !ok {
				continue
			}
			if i = number; forgotten != "" {
				m.tell(Change{Kind: OfTerm, Subject: forgotten, Old: "term"})
			}
			m.tell(Change{Kind: OfTerm, Subject: t.Text, New: "term"})
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

// countPairs counts those of m.own, and sets m.touched. In a large table each pair is two misses of the cache: one in
// an index, one in the table. All pairs are found before the first is counted, and what is examined first is read
// ahead by loops in which no branch depends on it, so that no miss waits for another.
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

// pair is the number of the pair of two terms, where it is known or nowhere: then a new one; false: there is
// no room.
func (m *Model) pair(i, a, b uint32) (uint32, bool) {
	fresh := pair{a: a, b: b, generation: [2]uint16{m.terms.all[a].generation, m.terms.all[b].generation}}
	switch {
	case i != nowhere:
		if p := m.pairs.at(i); p.a == a && p.b == b { // else its place was taken, being that of a stale one
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

// pairHand is how many pairs are examined for one to forget.
const pairHand = 8

// weakest is the pair to be forgotten for another; false: all that were examined are of the item itself.
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

// What keeps counts finite under a half-life: they are scaled when an item's increment reaches 2^512, and
// what is worth less than 2^-512 of an item then is nothing.
const scaleBits = 512

// age makes the next item count more than those before.
func (m *Model) age() {
	if m.p.HalfLife == 0 || m.items == 1 {
		return
	}
	m.inc *= m.growth
	if m.inc >= math.Ldexp(1, scaleBits) {
		m.scale(math.Ldexp(1, -scaleBits))
	}
}

// scale multiplies all counts by a power of two. What is in force is no matter of scale: it stays.
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
