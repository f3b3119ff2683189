package eval

import (
	"orbweaver/rdf/quads"
	"orbweaver/rdf/sparql/algebra"
	"orbweaver/rdf/sparql/plan"
)

// An iterator gives solutions in the registers. After an error of the execution it gives none, and the
// registers are undefined.
type iterator interface {
	// open starts over with the current registers.
	open()
	// next advances to the next solution; false at the end, with the registers as at open.
	next() bool
	// stop drops the remaining solutions and restores the registers. It is called after open, or after a next
	// that returned true.
	stop()
}

// iterator returns the iterator of a node.
func (x *execution) iterator(n plan.Node) iterator {
	if x.opts.Explain {
		return x.measured(n)
	}
	return x.plain(n)
}

func (x *execution) plain(n plan.Node) iterator {
	switch n := n.(type) {
	case *plan.Scan:
		return newScan(x, n)
	case *plan.Join:
		j := &join{x: x}
		for _, input := range n.Inputs {
			j.add(x.iterator(input))
		}
		return j
	case *plan.Filter:
		return &filter{x.iterator(n.Input), x.conditions(n.Conditions)}
	case *plan.Optional:
		return &optional{left: x.iterator(n.Left), right: x.iterator(n.Right), conditions: x.conditions(n.Conditions)}
	case *plan.Union:
		u := &union{}
		for _, input := range n.Inputs {
			u.inputs = append(u.inputs, x.iterator(input))
		}
		return u
	case *plan.Extend:
		return newExtend(x, n)
	case *plan.Values:
		return newValues(x, n)
	case *plan.Mask:
		return &mask{x: x, input: x.iterator(n.Input), slots: n.Slots, outer: make([]quads.ID, len(n.Slots)), inner: make([]quads.ID, len(n.Slots))}
	case *plan.Table:
		return newTable(x, n)
	case *plan.Minus:
		if t, ok := n.Right.(*plan.Table); ok && !n.Probe {
			return newMinus(x, n, t)
		}
		return &probe{left: x.iterator(n.Left), right: x.iterator(n.Right)}
	case *plan.Path:
		return newPath(x, n)
	case *plan.Magic:
		return &magic{filler: filler{x: x}, node: n, find: x.opts.Magic[n.P.Term.Value]}
	case *plan.EachGraph:
		return &eachGraph{x: x, input: x.iterator(n.Input), name: x.place(n.Name), context: n.Context}
	case *plan.Service:
		return &service{filler: filler{x: x}, node: n.Service}
	}
	return x.whole(n)
}

// whole returns the iterator of an operator over all solutions.
func (x *execution) whole(n plan.Node) iterator {
	switch n := n.(type) {
	case *plan.Distinct:
		return &distinct{x: x, input: x.iterator(n.Input), columns: n.Columns}
	case *plan.Sort:
		return newSort(x, n)
	case *plan.Group:
		return newGroup(x, n)
	case *plan.Slice:
		return &slice{input: x.iterator(n.Input), node: n}
	}
	return &join{x: x}
}

// A term is a position of a pattern: a constant or a register.
type term struct {
	slot algebra.Slot // NoSlot: a constant
	id   quads.ID
}

func (x *execution) node(n algebra.Node) term {
	if n.IsVar() {
		return term{slot: n.Slot}
	}
	return term{algebra.NoSlot, x.id(n.Term)}
}

// value returns the ID at a position, 0 if unbound.
func (t term) value(x *execution) quads.ID {
	if t.slot == algebra.NoSlot {
		return t.id
	}
	return x.reg[t.slot]
}

// scan matches a triple pattern.
type scan struct {
	source
	s, p, o term
	where   place
	free    [4]algebra.Slot // registers to fill from the quad, or NoSlot
	columns                 // how it is read where quads are in memory
}

func newScan(x *execution, n *plan.Scan) *scan {
	s := &scan{source: source{x: x}, s: x.node(n.S), p: x.node(n.P), o: x.node(n.O), where: x.place(n.Graph)}
	s.prepare(s, n.BySubject)
	return s
}

func (s *scan) open() {
	var p quads.Pattern
	p.S, s.free[0] = s.bound(s.s)
	p.P, s.free[1] = s.bound(s.p)
	p.O, s.free[2] = s.bound(s.o)
	s.free[3] = algebra.NoSlot
	if s.reader != nil && p.P != quads.Any && s.columns.open(s, p) {
		return
	}
	if s.where.slot != algebra.NoSlot && s.x.reg[s.where.slot] == 0 {
		s.free[3] = s.where.slot
	}
	s.seek(p, s.where)
}

// bound returns the ID that a position matches, and the register to fill.
func (s *scan) bound(t term) (quads.ID, algebra.Slot) {
	if id := t.value(s.x); id != 0 {
		return id, algebra.NoSlot
	}
	return quads.Any, t.slot
}

func (s *scan) next() bool {
	if s.within {
		return s.columns.next(s)
	}
	for s.source.next() {
		if s.fill(s.free[0], s.quad.S, false) && s.fill(s.free[1], s.quad.P, s.free[1] == s.free[0]) &&
			s.fill(s.free[2], s.quad.O, s.free[2] == s.free[0] || s.free[2] == s.free[1]) &&
			s.fill(s.free[3], s.quad.G, s.free[3] == s.free[0] || s.free[3] == s.free[1] || s.free[3] == s.free[2]) {
			return true
		}
	}
	s.stop()
	return false
}

// fill writes an ID to a register. If another position has filled it, the values must be equal.
func (s *scan) fill(slot algebra.Slot, id quads.ID, again bool) bool {
	if slot == algebra.NoSlot {
		return true
	}
	if again {
		return s.x.reg[slot] == id
	}
	s.x.reg[slot] = id
	return true
}

func (s *scan) stop() {
	for _, slot := range s.free {
		if slot != algebra.NoSlot {
			s.x.reg[slot] = 0
		}
	}
}

// join opens each input for each solution of the preceding ones.
type join struct {
	x      *execution
	inputs []iterator
	scans  []*scan // the inputs that are, which are called without an indirection; or nil
	depth  int     // number of open inputs
	begun  bool
}

func (j *join) add(i iterator) {
	s, _ := i.(*scan)
	j.inputs, j.scans = append(j.inputs, i), append(j.scans, s)
}

func (j *join) open() { j.depth, j.begun = 0, false }

func (j *join) next() bool {
	if !j.begun {
		j.begun = true
		if len(j.inputs) == 0 {
			return true
		}
		j.inputs[0].open()
		j.depth = 1
	}
	for j.depth > 0 && j.x.err == nil {
		more := false
		if s := j.scans[j.depth-1]; s != nil {
			more = s.next()
		} else {
			more = j.inputs[j.depth-1].next()
		}
		switch {
		case !more:
			j.depth--
		case j.depth == len(j.inputs):
			return true
		default:
			if s := j.scans[j.depth]; s != nil {
				s.open()
			} else {
				j.inputs[j.depth].open()
			}
			j.depth++
		}
	}
	return false
}

func (j *join) stop() {
	for ; j.depth > 0; j.depth-- {
		j.inputs[j.depth-1].stop()
	}
}

type filter struct {
	input      iterator
	conditions []condition
}

func (f *filter) open() { f.input.open() }

func (f *filter) next() bool {
	for f.input.next() {
		if hold(f.conditions) {
			return true
		}
	}
	return false
}

func (f *filter) stop() { f.input.stop() }

type optional struct {
	left, right iterator
	conditions  []condition
	within      bool // the right is open
	found       bool
}

func (o *optional) open() {
	o.within = false
	o.left.open()
}

func (o *optional) next() bool {
	for {
		if !o.within {
			if !o.left.next() {
				return false
			}
			o.right.open()
			o.within, o.found = true, false
		}
		for o.right.next() {
			if hold(o.conditions) {
				o.found = true
				return true
			}
		}
		o.within = false
		if !o.found {
			return true
		}
	}
}

func (o *optional) stop() {
	if o.within {
		o.right.stop()
	}
	o.left.stop()
}

type union struct {
	inputs []iterator
	at     int
}

func (u *union) open() {
	u.at = 0
	u.inputs[0].open()
}

func (u *union) next() bool {
	for u.at < len(u.inputs) {
		if u.inputs[u.at].next() {
			return true
		}
		if u.at++; u.at < len(u.inputs) {
			u.inputs[u.at].open()
		}
	}
	return false
}

func (u *union) stop() {
	if u.at < len(u.inputs) {
		u.inputs[u.at].stop()
	}
}

// probe gives the solutions of the left for which the right has none.
type probe struct{ left, right iterator }

func (p *probe) open() { p.left.open() }

func (p *probe) next() bool {
	for p.left.next() {
		p.right.open()
		if !p.right.next() {
			return true
		}
		p.right.stop()
	}
	return false
}

func (p *probe) stop() { p.left.stop() }

type slice struct {
	input iterator
	node  *plan.Slice
	given int64
	state sliceState
}

type sliceState uint8

const (
	sliceOpened sliceState = iota
	sliceWithin
	sliceEnded
)

func (s *slice) open() {
	s.given, s.state = 0, sliceOpened
}

func (s *slice) next() bool {
	if s.state == sliceOpened && s.node.Limit != 0 {
		s.state = sliceWithin
		s.input.open()
		for range s.node.Offset {
			if !s.input.next() {
				s.state = sliceEnded
				return false
			}
		}
	}
	if s.state != sliceWithin {
		return false
	}
	if s.node.Limit != algebra.NoLimit && s.given == s.node.Limit {
		s.stop()
		return false
	}
	if !s.input.next() {
		s.state = sliceEnded
		return false
	}
	s.given++
	return true
}

func (s *slice) stop() {
	if s.state == sliceWithin {
		s.input.stop()
	}
	s.state = sliceEnded
}
