package quads

import (
	"math/bits"

	"orbweaver/rdf"
)

// A scan iterates over one table.
type scan interface {
	// seek sets k to the first key that is not below from.
	seek(from, k *key) bool
	// next sets k to the key after the last one.
	next(k *key) bool
	err() error
	close() error
}

// A part is the range of one table that a pattern needs, perhaps with a check.
type part struct {
	table table
	scan  scan
	want  key  // in the table's order
	n     int  // so many IDs at the start of want are the range
	check bool // the others are to be examined: not all are Any
	at    key
	from  key // scratch
	begun bool
	live  bool // at is a key, once begun
}

// advance advances to the next key that matches.
func (p *part) advance() bool {
	ok := false
	if p.begun {
		ok = p.scan.next(&p.at)
	} else {
		p.begun = true
		ok = p.seek(0)
	}
	for ; ok && p.within(); ok = p.scan.next(&p.at) {
		if !p.check || p.matches() {
			return true
		}
	}
	p.live = false
	return false
}

// seek moves to the first key of the range whose next ID is not below from.
func (p *part) seek(from ID) bool {
	p.from = key{}
	copy(p.from[:], p.want[:p.n])
	if p.n < len(p.from) {
		p.from[p.n] = from
	}
	return p.scan.seek(&p.from, &p.at)
}

// within reports whether the key is of the range.
func (p *part) within() bool {
	switch p.n {
	case 0:
		return true
	case 1:
		return p.at[0] == p.want[0]
	case 2:
		return p.at[0] == p.want[0] && p.at[1] == p.want[1]
	}
	return [3]ID(p.at[:3]) == [3]ID(p.want[:3]) && (p.n == 3 || p.at[3] == p.want[3])
}

func (p *part) matches() bool {
	for i := p.n; i < len(p.want); i++ {
		if p.want[i] != Any && p.want[i] != p.at[i] {
			return false
		}
	}
	return true
}

// The positions that a pattern fixes, as bits.
const (
	fixesS = 1 << iota
	fixesP
	fixesO
)

func (p Pattern) fixes() (set uint) {
	if p.S != Any {
		set |= fixesS
	}
	if p.P != Any {
		set |= fixesP
	}
	if p.O != Any {
		set |= fixesO
	}
	return set
}

// orders are the orderings whose prefix is the fixed part of a pattern.
var orders = [8]Order{
	0: SPOG, fixesS: SPOG, fixesS | fixesP: SPOG, fixesS | fixesP | fixesO: SPOG,
	fixesP: POSG, fixesP | fixesO: POSG,
	fixesO: OSPG, fixesS | fixesO: OSPG,
}

// shortGraph is up to how many quads a graph is read rather than a range that spans graphs.
const shortGraph = 256

// A cursor is a Cursor over the tables of a source: over one of them, or over one each of the default
// graph and the named ones at once.
type cursor struct {
	source  source
	terms   terms // nil: not used yet
	scans   [tables]scan
	parts   [sides]part
	n       int // parts in use
	current int // the part whose key is the current quad
	order   Order
	failed  error
	column  columnCursor
}

// Seek implements Cursor.
func (c *cursor) Seek(p Pattern) {
	c.n, c.current = 0, -1
	if c.column.era != nil && c.seekColumn(p) {
		return
	}
	set := p.fixes()
	c.order = orders[set]
	switch p.G {
	case Default:
		c.add(sideDefault, c.order, p, bits.OnesCount(set))
	case Any, Named:
		if p.G == Any {
			c.add(sideDefault, c.order, p, bits.OnesCount(set))
		}
		p.G = Any
		c.add(sideNamed, c.order, p, bits.OnesCount(set))
	default:
		n := 0
		c.order, n = c.inGraph(p, set)
		c.add(sideNamed, c.order, p, n)
	}
}

// inGraph chooses the table for a pattern of one named graph, and returns how many IDs are the range.
func (c *cursor) inGraph(p Pattern, set uint) (Order, int) {
	switch set {
	case fixesP, fixesO, fixesP | fixesO:
	case fixesS | fixesO:
		return GSPO, 2
	default:
		return GSPO, 1 + bits.OnesCount(set)
	}
	size, err := c.source.graph(p.G)
	c.fail(err)
	if size <= shortGraph {
		return GSPO, 1
	}
	spanning, err := view{c.source}.Count(Pattern{p.S, p.P, p.O, Named})
	c.fail(err)
	if size < spanning {
		return GSPO, 1
	}
	return orders[set], bits.OnesCount(set)
}

// add lets the cursor read a range of a table.
func (c *cursor) add(s side, o Order, p Pattern, n int) {
	t, _ := s.tables()
	t += table(o)
	if c.scans[t] == nil {
		c.scans[t] = c.source.scan(t)
	}
	part := &c.parts[c.n]
	part.table, part.scan, part.begun, part.live = t, c.scans[t], false, true
	part.want, part.n, part.check = o.key(Quad(p)), n, false
	if s == sideDefault {
		part.want[3] = Any
	}
	for _, id := range part.want[n:] {
		part.check = part.check || id != Any
	}
	c.n++
}

// Next implements Cursor.
func (c *cursor) Next() bool {
	if c.column.within {
		return c.column.next()
	}
	c.column.steps++
	if c.n == 1 {
		p := &c.parts[0]
		c.current = 0
		return p.live && p.advance() || c.ended()
	}
	if c.n == 0 {
		return false
	}
	if c.current < 0 {
		c.parts[0].live = c.parts[0].advance()
		c.parts[1].live = c.parts[1].advance()
	} else if p := &c.parts[c.current]; p.live {
		p.advance()
	}
	a, b := &c.parts[0], &c.parts[1]
	switch {
	case !a.live && !b.live:
		return c.ended()
	case !b.live || a.live && a.at.compare(&b.at) < 0:
		c.current = 0
	default:
		c.current = 1
	}
	return true
}

// ended records an error, if that is why there is no next quad.
func (c *cursor) ended() bool {
	for i := range c.n {
		c.fail(c.parts[i].scan.err())
	}
	return false
}

func (c *cursor) fail(err error) {
	if c.failed == nil {
		c.failed = err
	}
}

// Quad implements Cursor.
func (c *cursor) Quad() Quad {
	if c.column.within {
		return c.column.quad
	}
	return c.order.quad(&c.parts[c.current].at)
}

// Order implements Cursor.
func (c *cursor) Order() Order { return c.order }

// Term implements Cursor.
func (c *cursor) Term(id ID) (rdf.Term, error) {
	if c.terms == nil {
		c.terms = c.source.lookup()
	}
	return decode(id, c.terms.content)
}

// Err implements Cursor.
func (c *cursor) Err() error { return c.failed }

// Close implements Cursor.
func (c *cursor) Close() error {
	c.column.settle(c)
	for i, s := range c.scans {
		if s != nil {
			c.fail(s.close())
			c.scans[i] = nil
		}
	}
	if c.terms != nil {
		c.fail(c.terms.close())
		c.terms = nil
	}
	c.n = 0
	return c.failed
}
