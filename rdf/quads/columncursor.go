package quads

// A ColumnCursor is a Cursor that may have quads in memory.
type ColumnCursor interface {
	Cursor
	// Values returns what matches at the position of a pattern that is Any, in ascending order; one value of no position, if the pattern
	// fixes all and a quad matches. It is for patterns of the default graph with a predicate. False: they are not in memory. The
	// caller must not change the values.
	Values(p Pattern) ([]ID, bool)
	// Column returns the quads of a predicate in the default graph by subjects (SPOG) or by objects (POSG). False: they are not in memory.
	Column(predicate ID, by Order) (*Column, bool)
}

// A columnCursor is the part of a cursor that reads columns.
type columnCursor struct {
	stored  *stored
	era     *era     // nil: there are no columns
	name    columnOf // the last one that was asked for
	column  *Column  // nil: it is not there
	steps   int64    // taken without it since it was asked for
	key     int      // index of the last key found
	object  ID       // values are those of this one, if not 0: see member
	values  []ID
	at      int     // index within values, when quads are read one by one
	long    *index  // of values, if they are many and of an object
	stays   int     // how often the subject stayed the same
	subject ID      // the last one
	turned  *Column // by subjects, used instead
	objects []ID    // of the subject, there
	within  bool
	all     int // index of the current key, if quads of all keys are read; else -1
	quad    Quad
}

// get returns a column, if it is there. What was read without the last one since is on the account of that.
func (cc *columnCursor) get(c *cursor, name columnOf) *Column {
	if name == cc.name && (cc.column != nil || cc.steps < askSteps) {
		return cc.column
	}
	cc.settle(c)
	column, err := cc.era.column(cc.stored, name, 0)
	c.fail(err)
	cc.name, cc.column, cc.key, cc.object, cc.subject, cc.stays, cc.turned = name, column, 0, 0, 0, 0, nil
	return column
}

// settle tells the era how many steps were taken without a column.
func (cc *columnCursor) settle(c *cursor) {
	if cc.steps > 0 && cc.era != nil && cc.name.predicate != 0 {
		_, err := cc.era.column(cc.stored, cc.name, cc.steps)
		c.fail(err)
	}
	cc.steps = 0
}

// Values implements ColumnCursor.
func (c *cursor) Values(p Pattern) ([]ID, bool) {
	cc := &c.column
	if cc.era == nil || p.G != Default || p.P == Any {
		return nil, false
	}
	if p.S != Any && p.O != Any {
		return c.member(p)
	}
	name, k := columnOf{p.P, SPOG}, p.S
	if p.S == Any {
		name, k = columnOf{p.P, POSG}, p.O
	}
	column := cc.get(c, name)
	if column == nil || k == Any {
		return nil, false
	}
	cc.object = 0
	i, ok := column.near(cc.key, k)
	if !ok {
		return nil, true
	}
	cc.key = i
	start, end := column.span(i)
	return column.values[start:end:end], true
}

// member is Values of a pattern that fixes all. It looks in the object's list of subjects, from the last one found on, since those asked for
// often ascend; or in the subject's list of objects, if it is the subject that often stays the same.
func (c *cursor) member(p Pattern) ([]ID, bool) {
	cc := &c.column
	column := cc.get(c, columnOf{p.P, POSG})
	if column == nil {
		return nil, false
	}
	if p.S == cc.subject && p.O != cc.object {
		cc.stays++
	}
	if cc.stays > maxStays && c.subjects() {
		return cc.ofSubject(p), true
	}
	cc.subject = p.S
	if cc.object != p.O {
		cc.object, cc.values, cc.at, cc.long = p.O, nil, 0, nil
		if i, ok := column.find(p.O); ok {
			start, end := column.span(i)
			cc.values = column.values[start:end:end]
			if x, long := column.long[i]; long {
				cc.long = &x
			}
		}
	}
	list, i, found := cc.values, cc.at, false
	if cc.long == nil || i < len(list) && list[i] <= p.S && list[min(i+closeBy, len(list)-1)] >= p.S {
		if i >= len(list) || list[i] > p.S {
			i = 0
		}
		i = gallop(list, i, p.S)
		found = i < len(list) && list[i] == p.S
	} else {
		i, found = cc.long.find(list, p.S)
	}
	if !found {
		return nil, true
	}
	cc.at = i
	return list[i : i+1 : i+1], true
}

// maxStays is how often a subject may stay the same before objects are looked up by subject.
const maxStays = 16

// subjects reports whether there is the column by subjects of a column by objects.
func (c *cursor) subjects() bool {
	cc := &c.column
	if cc.turned == nil {
		column, err := cc.era.column(cc.stored, columnOf{cc.name.predicate, SPOG}, lookupSteps*maxStays)
		c.fail(err)
		cc.turned, cc.stays, cc.subject = column, 0, 0
	}
	if cc.turned != nil {
		cc.stays = maxStays + 1
	}
	return cc.turned != nil
}

// ofSubject is member by the list of the subject.
func (cc *columnCursor) ofSubject(p Pattern) []ID {
	if p.S != cc.subject {
		cc.subject, cc.objects = p.S, nil
		if i, ok := cc.turned.near(cc.key, p.S); ok {
			cc.key = i
			_, cc.objects = cc.turned.At(i)
		}
	}
	i := gallop(cc.objects, 0, p.O)
	if i == len(cc.objects) || cc.objects[i] != p.O {
		return nil
	}
	return cc.objects[i : i+1 : i+1]
}

// gallop returns the index of the first ID of a sorted list, from an index on, that is not below another one.
func gallop(list []ID, from int, id ID) int {
	step := 1
	low, high := from, from // all before low are below id
	for high < len(list) && list[high] < id {
		low = high + 1
		high += step
		step *= 2
	}
	high = min(high, len(list))
	for low < high {
		if middle := int(uint(low+high) / 2); list[middle] < id {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low
}

// Column implements ColumnCursor.
func (c *cursor) Column(predicate ID, by Order) (*Column, bool) {
	if c.column.era == nil {
		return nil, false
	}
	column := c.column.get(c, columnOf{predicate, by})
	return column, column != nil
}

// seekColumn gives a cursor a pattern if there is a column of it.
func (c *cursor) seekColumn(p Pattern) bool {
	cc := &c.column
	cc.within = false
	if p.G != Default || p.P == Any {
		return false
	}
	cc.all, cc.quad = -1, Quad{p.S, p.P, p.O, Default}
	if p.S == Any && p.O == Any {
		name := columnOf{p.P, POSG}
		if turned := (columnOf{p.P, SPOG}); cc.name == turned && cc.column == nil {
			name = turned // the one that was asked for: what is read without it is on its account
		}
		column := cc.get(c, name)
		if cc.within = column != nil; cc.within {
			cc.all, cc.values, cc.object = 0, column.values, 0
		}
	} else if values, ok := c.Values(p); ok {
		cc.within, cc.values, cc.object = true, values, 0
	}
	if cc.at = 0; !cc.within {
		cc.steps += lookupSteps
	}
	c.order = cc.name.order
	return cc.within
}

// next advances to the next quad.
func (cc *columnCursor) next() bool {
	if cc.at >= len(cc.values) {
		return false
	}
	k, v := &cc.quad.O, &cc.quad.S
	if cc.name.order == SPOG {
		k, v = v, k
	}
	*v = cc.values[cc.at]
	if cc.all >= 0 {
		if _, end := cc.column.span(cc.all); cc.at >= end {
			cc.all++
		}
		*k = cc.column.keys[cc.all]
	}
	cc.at++
	return true
}

// Columnar reports whether a Reader has the quads of a predicate in the default graph in memory, or would once they are read often: a look-up
// then costs a few steps.
func Columnar(r Reader, predicate ID) bool {
	v, _ := r.(view)
	if snapshot, ok := r.(*Snapshot); ok {
		v, _ = snapshot.Reader.(view)
	}
	s, ok := v.source.(*stored)
	if !ok || s.era == nil {
		return false
	}
	stat, err := s.era.predicate(s, predicate)
	return err == nil && s.era.fits(stat.Quads)
}

// fits reports whether a column of so many quads may be made.
func (e *era) fits(quads int64) bool { return 16*quads <= e.budget/2 }
