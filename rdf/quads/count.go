package quads

import "math/bits"

// Count implements Reader.
func (v view) Count(p Pattern) (int64, error) {
	switch p.G {
	case Default:
		return v.countSide(sideDefault, p)
	case Named:
		return v.countSide(sideNamed, p)
	case Any:
		a, err := v.countSide(sideDefault, p)
		if err != nil {
			return 0, err
		}
		b, err := v.countSide(sideNamed, p)
		return a + b, err
	}
	return v.countGraph(p)
}

// countSide estimates how many quads of the default graph, or of all the others, match.
func (v view) countSide(s side, p Pattern) (int64, error) {
	switch set := p.fixes(); set {
	case 0:
		return v.source.total(s)
	case fixesP:
		predicate, err := v.source.predicate(s, p.P)
		return predicate.Quads, err
	default:
		if n, ok, err := v.countColumn(s, p); ok || err != nil {
			return n, err
		}
		t, _ := s.tables()
		t += table(orders[set])
		return v.countRange(t, t.order().key(Quad(p)), bits.OnesCount(set))
	}
}

// countGraph estimates how many quads of a named graph match. If they are not a range, it is the length of
// the shorter of the two ranges that contain them.
func (v view) countGraph(p Pattern) (int64, error) {
	size, err := v.source.graph(p.G)
	if set := p.fixes(); err != nil || set == 0 || size == 0 {
		return size, err
	} else if set&fixesS != 0 {
		n := 2
		if set&fixesP != 0 {
			n = 1 + bits.OnesCount(set)
		}
		return v.countRange(namedGSPO, GSPO.key(Quad(p)), n)
	}
	spanning, err := v.countSide(sideNamed, p)
	return min(size, spanning), err
}

// Number of keys counted before the length of a range is estimated. It is larger for IDs that encode values,
// whose distribution is unknown.
const (
	walk      = 256
	walkValue = 16 * walk
)

// countRange counts the keys of a table that begin with the first n IDs of want.
func (v view) countRange(t table, want key, n int) (int64, error) {
	s := v.source.scan(t)
	count := estimate(&part{table: t, scan: s, want: want, n: n})
	return int64(count), s.close()
}

// estimate counts the keys of a range, up to walk of them for each kind of the ID after their common prefix.
// Beyond, it relies on the even distribution of IDs: if a keys are below the ID at which it stopped, and that
// ID is at the fraction f of its kind's IDs, there are a/f of them (Bar-Yossef and others, Counting Distinct
// Elements in a Data Stream, 2002, algorithm II). The keys with exactly that ID are a range of their own.
func estimate(p *part) (total float64) {
	ok := p.seek(0)
	for ok && p.within() {
		if p.n >= p.table.width() {
			return 1
		}
		kind, counted, limit := p.at[p.n].Kind(), 0, walk
		if !p.at[p.n].named() {
			limit = walkValue
		}
		last, before := p.at[p.n], 0 // keys below the last ID
		for ok && counted < limit && p.within() && p.at[p.n].Kind() == kind {
			if p.at[p.n] != last {
				last, before = p.at[p.n], counted
			}
			counted++
			ok = p.scan.next(&p.at)
		}
		if counted < limit {
			total += float64(counted)
			continue
		}
		sub := *p
		sub.want[p.n] = last
		sub.n++
		total += estimate(&sub)
		if last.named() {
			total += float64(before) * (valueMask + 1) / (float64(last.value()) + 1)
		} else {
			total += float64(before)
		}
		if kind >= KindLocal {
			break
		}
		ok = p.seek(newID(kind+1, 0))
	}
	return total
}

// countColumn counts in a column, if there is one of the pattern.
func (v view) countColumn(of side, p Pattern) (n int64, ok bool, err error) {
	s, stored := v.source.(*stored)
	if !stored || s.era == nil || of != sideDefault || p.P == Any {
		return 0, false, nil
	}
	c := &cursor{source: s, column: columnCursor{stored: s, era: s.era}}
	values, ok := c.Values(Pattern{p.S, p.P, p.O, Default})
	return int64(len(values)), ok, c.failed
}
