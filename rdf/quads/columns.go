package quads

import (
	"sync"
	"sync/atomic"
)

// Costs in steps of a cursor over the database.
const (
	lookupSteps = 160  // of a look-up, which often reads a block and decompresses it
	askSteps    = 1024 // that a cursor takes between two questions for a column
	scanSteps   = 2    // a row, to make a column by objects, or one by subjects of that by objects
)

// columns are predicates of the default graph as a database has them, decoded: see column. They are made for readers of committed
// data, and by what these read: a column is made once the reading without it has cost as much as it costs to make, so that all costs are
// at most about twice the least (renting and buying). A change of the default graph ends those of the predicates concerned.
type columns struct {
	budget  int64        // bytes; 0: there are none
	version atomic.Int64 // odd while a writer changes the default graph
	mu      sync.Mutex
	current *era
	changed map[ID]bool // predicates, since the version is odd; Any: all may be
}

// unsettle begins a change of a predicate in the default graph; Any: of all.
func (c *columns) unsettle(predicate ID) {
	v := c.version.Load()
	if c.budget <= 0 || v%2 == 1 && c.changed[predicate] {
		return
	}
	if v%2 == 0 {
		c.changed = map[ID]bool{}
		c.version.Store(v + 1)
	}
	c.changed[predicate] = true
}

// settle ends a change.
func (c *columns) settle() {
	v := c.version.Load()
	if v%2 == 0 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.changed[Any]:
		c.current = nil
	case c.current != nil:
		c.current = c.current.without(c.changed)
	}
	c.version.Store(v + 1)
}

// of returns the era of a snapshot that was taken since the version was read; nil: the store may have changed meanwhile.
func (c *columns) of(version int64) *era {
	if c.budget <= 0 || version%2 == 1 {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.version.Load() != version {
		return nil
	}
	if c.current == nil {
		c.current = &era{budget: c.budget, demands: map[columnOf]*demand{}, stats: map[ID]Predicate{}}
	}
	return c.current
}

// An era is the time between two changes of a store. The snapshots that are taken in it share its columns.
type era struct {
	budget  int64
	mu      sync.Mutex
	used    int64 // bytes
	clock   int64
	demands map[columnOf]*demand
	stats   map[ID]Predicate
}

// without returns the next era, with what concerns other predicates than some.
func (e *era) without(changed map[ID]bool) *era {
	e.mu.Lock()
	defer e.mu.Unlock()
	next := &era{budget: e.budget, clock: e.clock, demands: map[columnOf]*demand{}, stats: map[ID]Predicate{}}
	for p, stat := range e.stats {
		if !changed[p] {
			next.stats[p] = stat
		}
	}
	for of, d := range e.demands {
		if changed[of.predicate] {
			continue
		}
		next.demands[of] = &demand{column: d.column, steps: d.steps, asked: d.asked}
		if d.column != nil {
			next.used += d.column.bytes()
		}
	}
	return next
}

// A columnOf names a column: a predicate, and SPOG for one by subjects or POSG for one by objects.
type columnOf struct {
	predicate ID
	order     Order
}

// A demand is how much a column is asked for, and the column once it is made.
type demand struct {
	column *Column
	steps  int64 // taken without it
	asked  int64 // when it was last
	making bool
}

// maxStats is the most predicates whose statistics an era keeps.
const maxStats = 1 << 14

// predicate returns the statistics of a predicate of the default graph.
func (e *era) predicate(s *stored, p ID) (Predicate, error) {
	e.mu.Lock()
	stat, ok := e.stats[p]
	e.mu.Unlock()
	if ok {
		return stat, nil
	}
	st, _, err := s.stat(sideDefault, p)
	stat = st.predicate()
	if err == nil {
		e.mu.Lock()
		if len(e.stats) < maxStats {
			e.stats[p] = stat
		}
		e.mu.Unlock()
	}
	return stat, err
}

// column returns a column if there is one, or if it is worth being made, given that a reader took some steps without it.
func (e *era) column(s *stored, of columnOf, steps int64) (*Column, error) {
	stat, err := e.predicate(s, of.predicate)
	if err != nil || stat.Quads == 0 {
		return nil, err
	}
	e.mu.Lock()
	d := e.demands[of]
	if d == nil {
		if len(e.demands) >= maxStats {
			e.mu.Unlock()
			return nil, nil
		}
		d = &demand{}
		e.demands[of] = d
	}
	e.clock++
	d.asked = e.clock
	if d.column != nil || d.making || steps == 0 {
		defer e.mu.Unlock()
		return d.column, nil
	}
	var from *Column
	cost := scanSteps * stat.Quads
	if of.order == SPOG {
		if other := e.demands[columnOf{of.predicate, POSG}]; other != nil && other.column != nil {
			from = other.column
		} else {
			cost *= 2
		}
	}
	d.steps += steps
	d.making = d.steps >= cost && e.fits(stat.Quads)
	e.mu.Unlock()
	if !d.making {
		return nil, nil
	}
	c, err := s.makeColumn(of, from, int(stat.Quads))
	e.mu.Lock()
	defer e.mu.Unlock()
	d.making = false
	if err == nil {
		d.column = c
		e.used += c.bytes()
		e.shrink(d)
	}
	return c, err
}

// shrink drops the columns that were not asked for longest, except for one, until the others are within the budget.
func (e *era) shrink(keep *demand) {
	for e.used > e.budget {
		var oldest *demand
		for _, d := range e.demands {
			if d.column != nil && d != keep && (oldest == nil || d.asked < oldest.asked) {
				oldest = d
			}
		}
		if oldest == nil {
			return
		}
		e.used -= oldest.column.bytes()
		oldest.column, oldest.steps = nil, 0
	}
}

// makeColumn reads a column, in the order of objects from the database or from the column that is in that order.
func (s *stored) makeColumn(of columnOf, from *Column, rows int) (*Column, error) {
	if of.order == SPOG {
		if from == nil {
			var err error
			if from, err = s.makeColumn(columnOf{of.predicate, POSG}, nil, rows); err != nil {
				return nil, err
			}
		}
		return from.turned(), nil
	}
	c := &Column{values: make([]ID, 0, rows)}
	p := part{table: defaultPOS, scan: s.scan(defaultPOS), want: key{of.predicate, Any, Any, Any}, n: 1}
	for p.advance() {
		c.add(p.at[1], p.at[2])
	}
	err := p.scan.err()
	if err2 := p.scan.close(); err == nil {
		err = err2
	}
	c.finish()
	return c, err
}
