package plan

import (
	"maps"
	"slices"

	"orbweaver/rdf/sparql/algebra"
)

// Limits of the search for an order.
const (
	maxOrdered = 256    // largest group whose next part is chosen by cost
	maxStarts  = 16     // largest group of which each part is tried as the first
	longWay    = 10_000 // least cost, in cursor steps, of an order that is compared with others
)

// An ordering orders the parts of a group.
type ordering struct {
	around
	p     *planner
	left  []pattern
	begun bool    // a part was joined
	waits []*Expr // filters that were not applied yet
	// The solutions so far ascend by one of these variables; the first look-up by one of them decides by which.
	ascending Set
}

func newOrdering(p *planner, a around, g *group) *ordering {
	o := &ordering{around: a, p: p, left: append([]pattern(nil), g.parts...)}
	o.values = map[algebra.Slot]float64{}
	for _, slot := range g.visible.and(a.in).Slots() {
		if n, ok := a.values[slot]; ok {
			o.values[slot] = n
		}
	}
	return o
}

// best returns the index of the next part: the cheapest of those that share a bound variable.
func (o *ordering) best() int {
	best, connected, cost := -1, false, 0.0
	for i, part := range o.left[:min(len(o.left), maxOrdered)] {
		if !o.ready(part) {
			continue
		}
		c := part.vars().visible.meets(o.in) || part.vars().visible.empty()
		rows, own := o.joined(part)
		c = c || own <= 1
		n := o.cost(part, rows, own) + rows*o.passing(part)
		if best < 0 || c && !connected || c == connected && n < cost {
			best, connected, cost = i, c, n
		}
	}
	return max(best, 0)
}

// maxWaits is how many filters the choice of the next part looks at.
const maxWaits = 16

// passing estimates the share of solutions that pass the filters which can be applied once a part is joined.
func (o *ordering) passing(part pattern) float64 {
	share := 1.0
	if len(o.waits) == 0 {
		return share
	}
	known := o.must.with(o.sub, part.vars().certain)
	for _, e := range o.waits[:min(len(o.waits), maxWaits)] {
		if e.uses.within(known) {
			share /= 2
		}
	}
	return share
}

// ready reports whether the values that a part requires are bound.
func (o *ordering) ready(part pattern) bool {
	known := o.must.with(o.sub)
	switch part := part.(type) {
	case *bind:
		return part.expr.uses.within(known)
	case *service:
		return !part.op.Name.IsVar() || known.Has(part.op.Name.Slot) || !o.bindable(setOf(part.op.Name.Slot))
	case *scan:
		object := part.triple.O
		return !part.magic || !object.IsVar() || known.Has(object.Slot) || !o.bindable(setOf(object.Slot))
	}
	return true
}

// bindable reports whether a remaining part binds one of some variables without requiring it.
func (o *ordering) bindable(slots Set) bool {
	for _, part := range o.left[:min(len(o.left), maxOrdered)] {
		switch part := part.(type) {
		case *service:
			continue
		case *scan:
			if part.magic {
				continue
			}
		}
		if part.vars().visible.meets(slots) {
			return true
		}
	}
	return false
}

// joined estimates the solutions after joining a part, and the part's own.
func (o *ordering) joined(part pattern) (rows, own float64) {
	e := o.p.estimate(part, o.sub)
	rows = o.rows * e.rows
	for _, slot := range part.vars().visible.and(o.in).Slots() {
		rows /= max(o.of(slot), e.of(slot))
	}
	return rows, e.rows
}

// of returns the size of a variable's domain so far.
func (o *ordering) of(slot algebra.Slot) float64 {
	if n, ok := o.values[slot]; ok {
		return max(1, min(n, o.rows))
	}
	return max(1, o.rows)
}

// cost estimates the cost of joining a part.
func (o *ordering) cost(part pattern, rows, own float64) float64 {
	if o.rows <= 1 && o.in.empty() {
		return own
	}
	push := min(o.rows, o.limit)*o.p.seekCost + rows
	if s, ok := part.(*scan); ok && !s.magic {
		if o.p.columnar(s.triple, s.graph) {
			return min(o.rows, o.limit)*o.columnSeek(s) + rows
		}
		return min(push, own*buildCost+o.rows+rows)
	}
	return push + own
}

// columnSeek is the cost of a look-up of a scan in memory.
func (o *ordering) columnSeek(s *scan) float64 {
	if by := o.keyOf(s); by != algebra.NoSlot && o.ascending.Has(by) {
		return columnNext
	}
	if !s.triple.O.IsVar() {
		return columnSeek(o.p.estimate(s, o.sub).rows)
	}
	return columnSeek(o.p.triplesOf(s))
}

// keyOf returns the variable by which the lookups of a scan ascend if its values do.
func (o *ordering) keyOf(s *scan) algebra.Slot {
	subject := s.triple.S.IsVar() && o.in.Has(s.triple.S.Slot)
	object := s.triple.O.IsVar() && o.in.Has(s.triple.O.Slot)
	switch {
	case subject && (object || !s.triple.O.IsVar() || !o.in.Has(s.triple.O.Slot)):
		return s.triple.S.Slot
	case object && s.triple.S.IsVar():
		return s.triple.O.Slot
	}
	return algebra.NoSlot
}

// order notes by which variables the solutions ascend with a part.
func (o *ordering) order(part pattern) {
	s, ok := part.(*scan)
	switch {
	case !o.begun:
		o.begun, o.ascending = true, Set{}
		if ok && o.in.empty() && o.p.columnar(s.triple, s.graph) {
			for _, n := range [...]algebra.Node{s.triple.S, s.triple.O} {
				if n.IsVar() {
					o.ascending = o.ascending.with(setOf(n.Slot))
				}
			}
		}
	case ok:
		if by := o.keyOf(s); by != algebra.NoSlot && o.ascending.Has(by) {
			o.ascending = setOf(by)
		}
	}
}

// take joins a part.
func (o *ordering) take(i int) {
	part := o.left[i]
	o.order(part)
	o.left = append(o.left[:i:i], o.left[i+1:]...)
	rows, _ := o.joined(part)
	e := o.p.estimate(part, o.sub)
	f := part.vars()
	for _, slot := range f.visible.Slots() {
		n := e.of(slot)
		if o.in.Has(slot) {
			n = min(n, o.of(slot))
		}
		o.values[slot] = n
	}
	o.rows = rows
	o.in, o.must = o.in.with(f.visible), o.must.with(f.certain)
}

// start returns the index of the first part. The default is the best one. If the order from there is
// expensive, start tries the others: a small first part may lead to many lookups where two large tables would
// join cheaply.
func (o *ordering) start(filters []*Expr) int {
	best := o.best()
	if len(o.left) < 2 || len(o.left) > maxStarts {
		return best
	}
	least := o.way(best, filters)
	if least < longWay {
		return best
	}
	for i, first := 0, best; i < len(o.left); i++ {
		if i == first || !o.ready(o.left[i]) {
			continue
		}
		if cost := o.way(i, filters); cost < least {
			best, least = i, cost
		}
	}
	return best
}

// way estimates the cost of joining all parts greedily from a given first one.
func (o *ordering) way(i int, filters []*Expr) (cost float64) {
	trial := *o
	trial.values, trial.waits = maps.Clone(o.values), filters
	for {
		part := trial.left[i]
		rows, own := trial.joined(part)
		cost += trial.cost(part, rows, own)
		trial.take(i)
		before := trial.rows
		_, later := trial.filtered(nil, filters)
		cost += before * trial.decoding(filters, later)
		if filters, trial.waits = later, later; len(trial.left) == 0 {
			return cost
		}
		i = trial.best()
	}
}

// Costs of decoding a term, in cursor steps.
const (
	decodeAny  = 20
	decodeNext = 2 // of one behind the last one
)

// decoding estimates the cost, a solution, of the filters that are no longer among the later ones: of the terms that they need.
func (o *ordering) decoding(filters, later []*Expr) (cost float64) {
	for _, e := range filters {
		if slices.Contains(later, e) || !decodes(e.Expr) {
			continue
		}
		for _, slot := range e.uses.Slots() {
			if o.ascending.Has(slot) {
				cost += decodeNext
				o.ascending = setOf(slot)
			} else {
				cost += decodeAny
			}
		}
	}
	return cost
}

// decodes reports whether an expression needs the terms of variables, rather than their IDs or numbers.
func decodes(e algebra.Expr) (found bool) {
	walk(e, func(e algebra.Expr) {
		switch e := e.(type) {
		case *algebra.Function:
			found = true
		case *algebra.Call:
			switch e.Name {
			case "||", "&&", "!", "=", "!=", "<", ">", "<=", ">=", "BOUND", "IN", "NOT IN", "SAMETERM", "+", "-", "*", "/":
			default:
				found = true
			}
		}
	})
	return found
}
