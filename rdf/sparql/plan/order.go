package plan

import (
	"maps"

	"orbweaver/rdf/sparql/algebra"
)

// How far the best order is looked for.
const (
	maxOrdered = 256    // parts of a group of which the best next one is looked for
	maxStarts  = 16     // parts of a group of which each is tried as the first
	longWay    = 10_000 // the least cost, in steps of a cursor, of a way to which others are compared
)

// An ordering puts the parts of a group into their order.
type ordering struct {
	around
	p    *planner
	left []pattern
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

// best returns the place of the part to continue with: of those that share a variable with what is bound the one that
// costs least.
func (o *ordering) best() int {
	best, connected, cost := -1, false, 0.0
	for i, part := range o.left[:min(len(o.left), maxOrdered)] {
		if !o.ready(part) {
			continue
		}
		c := part.vars().visible.meets(o.in) || part.vars().visible.empty()
		rows, own := o.joined(part)
		c = c || own <= 1
		n := rows + o.cost(part, rows, own)
		if best < 0 || c && !connected || c == connected && n < cost {
			best, connected, cost = i, c, n
		}
	}
	return max(best, 0)
}

// ready reports whether a part has the values that it needs before it.
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

// bindable reports whether a part that is left binds one of some variables without needing it itself.
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

// joined estimates the solutions with a part, and those that it has by itself.
func (o *ordering) joined(part pattern) (rows, own float64) {
	e := o.p.estimate(part, o.sub)
	rows = o.rows * e.rows
	for _, slot := range part.vars().visible.and(o.in).Slots() {
		rows /= max(o.of(slot), e.of(slot))
	}
	return rows, e.rows
}

// of returns how many values of a variable there are so far.
func (o *ordering) of(slot algebra.Slot) float64 {
	if n, ok := o.values[slot]; ok {
		return max(1, min(n, o.rows))
	}
	return max(1, o.rows)
}

// cost estimates what it takes to join a part.
func (o *ordering) cost(part pattern, rows, own float64) float64 {
	if o.rows <= 1 && o.in.empty() {
		return own
	}
	push := min(o.rows, o.limit)*o.p.seekCost + rows
	if s, ok := part.(*scan); ok && !s.magic {
		return min(push, own*buildCost+o.rows+rows)
	}
	return push + own
}

// take has a part joined.
func (o *ordering) take(i int) {
	part := o.left[i]
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

// start returns the place of the part to begin with. That is the best one, unless the way from there is
// long and a shorter one begins elsewhere: what gives few solutions may lead to many that are all to be
// looked up, where two large tables would have met in few.
func (o *ordering) start(filters []*Expr) int {
	best := o.best()
	if len(o.left) < 3 || len(o.left) > maxStarts {
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

// way estimates what it takes to join all parts, a given one first, then always the best.
func (o *ordering) way(i int, filters []*Expr) (cost float64) {
	trial := *o
	trial.values = maps.Clone(o.values)
	for {
		part := trial.left[i]
		rows, own := trial.joined(part)
		cost += trial.cost(part, rows, own)
		trial.take(i)
		if len(trial.left) == 0 {
			return cost
		}
		_, filters = trial.filtered(nil, filters)
		i = trial.best()
	}
}
