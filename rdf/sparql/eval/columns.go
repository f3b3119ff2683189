package eval

import (
	"orbweaver/rdf/quads"
	"orbweaver/rdf/sparql/algebra"
)

// columns is how a scan of the default graph reads quads that are in memory: lists of IDs, without a call for each.
type columns struct {
	reader    quads.ColumnCursor // nil: the store has none, or the scan is not of the default graph alone
	bySubject bool               // all quads of a predicate come in the order of subjects
	within    bool               // the pattern is read so
	values    []quads.ID         // left of the current key
	slot      algebra.Slot       // register of the values, or NoSlot
	column    *quads.Column      // nil: the pattern has one key
	key       int                // the next one
	keySlot   algebra.Slot       // register of the keys
}

// prepare finds out whether a scan may be read so.
func (c *columns) prepare(s *scan, bySubject bool) {
	merged := s.x.graphs.merged
	if !s.where.whole || len(merged) != 1 || merged[0] != quads.Default {
		return
	}
	if s.s.slot != algebra.NoSlot && s.s.slot == s.o.slot || s.p.slot != algebra.NoSlot && (s.p.slot == s.s.slot || s.p.slot == s.o.slot) {
		return
	}
	s.cursor = s.x.cursor()
	c.reader, _ = s.cursor.(quads.ColumnCursor)
	c.bySubject = bySubject
}

// open starts on a pattern; false: it is not in memory.
func (c *columns) open(s *scan, p quads.Pattern) bool {
	p.G = quads.Default
	if p.S == quads.Any && p.O == quads.Any {
		by := quads.POSG
		c.slot, c.keySlot = s.free[0], s.free[2]
		if c.bySubject {
			by = quads.SPOG
			c.slot, c.keySlot = s.free[2], s.free[0]
		}
		c.values, c.key = nil, 0
		c.column, c.within = c.reader.Column(p.P, by)
		return c.within
	}
	c.column, c.slot = nil, algebra.NoSlot
	if c.values, c.within = c.reader.Values(p); p.S == quads.Any {
		c.slot = s.free[0]
	} else if p.O == quads.Any {
		c.slot = s.free[2]
	}
	return c.within
}

// next advances to the next quad.
func (c *columns) next(s *scan) bool {
	x := s.x
	if len(c.values) == 0 && !c.turn(x) {
		s.stop()
		return false
	}
	if x.steps++; x.steps%checkEvery == 0 {
		if x.check(); x.err != nil {
			return false
		}
	}
	if c.slot != algebra.NoSlot {
		x.reg[c.slot] = c.values[0]
	}
	c.values = c.values[1:]
	return true
}

// turn advances to the values of the next key.
func (c *columns) turn(x *execution) bool {
	if c.column == nil || c.key >= c.column.Len() {
		return false
	}
	x.reg[c.keySlot], c.values = c.column.At(c.key)
	c.key++
	return true
}
