package ontology

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"orbweaver"
	"orbweaver/internal/order"
)

// A gapMerge makes the gaps of two workers one. Counts and masses add up. The pages of a worker on which a key had no
// slot are among those before it got one.
type gapMerge struct {
	one, two, sum *gaps
	pages         [2][]int64 // of one and two, by the sum's hosts
}

// merge returns the gaps of the pages of g and of more, neither of which may be used afterwards. An error wraps
// orbweaver.ErrDamaged: no crawl has so many pages.
func (g *gaps) merge(more *gaps) (*gaps, error) {
	m := gapMerge{one: g, two: more, sum: newGaps()}
	sum := m.sum
	sum.near, sum.far = g.near+more.near, g.far+more.far
	sum.pages, sum.texts, sum.nearby = g.pages.plus(more.pages), g.texts.plus(more.texts), g.nearby.plus(more.nearby)
	for _, all := range []mass{sum.pages, sum.texts, sum.nearby} {
		if all.on > maxMass || all.off > maxMass {
			return nil, fmt.Errorf("a mass of %d and %d: %w", all.on, all.off, orbweaver.ErrDamaged)
		}
	}
	m.hosts()
	var places []place
	sum.words, places = g.words.merge(more.words)
	for _, at := range places {
		sum.wordsOf = append(sum.wordsOf, m.word(at))
	}
	sum.pairs, places = g.pairs.merge(more.pairs)
	for _, at := range places {
		sum.pairsOf = append(sum.pairsOf, m.pair(at))
	}
	return sum, nil
}

// hosts adds up the pages of hosts. The words of the second worker are at the sum's hosts from then on.
func (m *gapMerge) hosts() {
	to := make([]int32, len(m.two.hosts)) // by host of the second worker: in the sum
	for _, h := range m.one.hosts {
		m.sum.host(h.name)
	}
	for i, h := range m.two.hosts {
		to[i] = m.sum.host(h.name)
	}
	m.pages = [2][]int64{make([]int64, len(m.sum.hosts)), make([]int64, len(m.sum.hosts))}
	for i, h := range m.one.hosts {
		m.pages[0][i] = h.pages
	}
	for i, h := range m.two.hosts {
		if to[i] >= 0 {
			m.pages[1][to[i]] = h.pages
		}
	}
	for i := range m.sum.hosts {
		m.sum.hosts[i].pages = m.pages[0][i] + m.pages[1][i]
	}
	for i := range m.two.wordsOf {
		at := &m.two.wordsOf[i].at
		if at.host < 0 {
			continue
		}
		if at.host = to[at.host]; at.host < 0 {
			*at = abode{host: -1}
		}
	}
}

// word merges what both know of a word.
func (m *gapMerge) word(at place) (w wordGap) {
	none := wordGap{at: abode{host: -1}}
	one, two := &none, &none
	if at.first >= 0 {
		one = &m.one.wordsOf[at.first]
	} else {
		none.text.before, none.named.before = m.one.texts, m.one.pages
	}
	if at.second >= 0 {
		two = &m.two.wordsOf[at.second]
	} else {
		none.text.before, none.named.before = m.two.texts, m.two.pages
	}
	w = wordGap{
		form: one.form, votes: one.votes, examples: one.examples,
		far: added32(one.far, two.far), titles: added32(one.titles, two.titles), titled: one.titled + two.titled,
		text: one.text.plus(two.text), named: one.named.plus(two.named),
		nearest: mergedStandings(one.nearest, two.nearest), at: m.abode(one.at, two.at),
	}
	switch {
	case two.form == "":
	case one.form == "":
		w.form, w.votes, w.examples = two.form, two.votes, two.examples
	default:
		if w.votes = added32(one.votes, two.votes); one.form != two.form {
			w.votes = max(one.votes, two.votes) - min(one.votes, two.votes)
		}
		if two.votes > one.votes {
			w.form = two.form
		}
		both := *one.examples
		exemplifyAll(&both, two.examples)
		w.examples = &both
	}
	return w
}

// abode merges two majority votes: against another host, the one of more votes loses as many as that has.
func (m *gapMerge) abode(one, two abode) abode {
	switch {
	case one.host < 0 && two.host < 0:
		return one
	case one.host == two.host:
		return abode{one.host, one.votes + two.votes, one.met + two.met, one.since + two.since}
	case one.host < 0 || two.host >= 0 && two.votes > one.votes:
		two.votes -= one.votes
		two.since += m.pages[0][two.host]
		return two
	}
	one.votes -= two.votes
	one.since += m.pages[1][one.host]
	return one
}

// pair merges what both know of a pair.
func (m *gapMerge) pair(at place) pairGap {
	switch {
	case at.second < 0:
		p := m.one.pairsOf[at.first]
		p.text.before = p.text.before.plus(m.two.nearby)
		return p
	case at.first < 0:
		p := m.two.pairsOf[at.second]
		p.text.before = p.text.before.plus(m.one.nearby)
		return p
	}
	p, more := m.one.pairsOf[at.first], &m.two.pairsOf[at.second]
	p.text = p.text.plus(more.text)
	exemplifyAll(&p.examples, &more.examples)
	return p
}

// mergedStandings adds up standings, of which the largest stay; among equals the one of lower number.
func mergedStandings(one, two [maxNearest]standing) (sum [maxNearest]standing) {
	var all []standing
	for _, n := range slices.Concat(one[:], two[:]) {
		at := slices.IndexFunc(all, func(other standing) bool { return other.entity == n.entity })
		switch {
		case n.count == 0:
		case at >= 0:
			all[at].count = added32(all[at].count, n.count)
		default:
			all = append(all, n)
		}
	}
	order.By(all, func(a, b standing) int {
		return cmp.Or(cmp.Compare(b.count, a.count), cmp.Compare(a.entity, b.entity))
	})
	copy(sum[:], all)
	return sum
}

// exemplifyAll keeps the first of more URLs.
func exemplifyAll(of, more *[examples]string) {
	for _, address := range given(more) {
		if !slices.Contains(of[:], address) {
			exemplify(of, address)
		}
	}
}

// added32 adds counts of pages, which can't exceed what a snapshot holds.
func added32(a, b int32) int32 { return int32(min(int64(a)+int64(b), math.MaxInt32)) }
