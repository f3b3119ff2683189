package eval

import (
	"fmt"

	"orbweaver/rdf"
	"orbweaver/rdf/quads"
	"orbweaver/rdf/sparql/algebra"
	"orbweaver/rdf/sparql/plan"
)

// extend binds a register to the value of an expression. A different existing value means no solution.
type extend struct {
	x      *execution
	input  iterator
	slot   algebra.Slot
	id     func() quads.ID
	first  bool // no other input below processes the same solution
	filled bool
}

func newExtend(x *execution, n *plan.Extend) *extend {
	_, above := n.Input.(*plan.Extend)
	return &extend{x: x, input: x.iterator(n.Input), slot: n.Var, id: x.idOf(n.Expr), first: !above}
}

func (e *extend) open() {
	e.filled = false
	e.input.open()
}

func (e *extend) next() bool {
	e.undo()
	for e.input.next() {
		if e.first {
			clear(e.x.blanks)
		}
		id := e.id()
		switch old := e.x.reg[e.slot]; {
		case id == 0 || id == old:
			return true
		case old == 0:
			e.x.reg[e.slot], e.filled = id, true
			return true
		}
	}
	return false
}

func (e *extend) undo() {
	if e.filled {
		e.x.reg[e.slot], e.filled = 0, false
	}
}

func (e *extend) stop() {
	e.undo()
	e.input.stop()
}

// A filler writes rows to registers if they are compatible.
type filler struct {
	x       *execution
	columns []algebra.Slot
	filled  []algebra.Slot
}

// fill writes a row to the registers if it is compatible, and reports whether it is.
func (f *filler) fill(row []quads.ID) bool {
	for i, id := range row {
		slot := f.columns[i]
		switch old := f.x.reg[slot]; {
		case id == 0 || id == old:
		case old == 0:
			f.x.reg[slot] = id
			f.filled = append(f.filled, slot)
		default:
			f.stop()
			return false
		}
	}
	return true
}

func (f *filler) stop() {
	for _, slot := range f.filled {
		f.x.reg[slot] = 0
	}
	f.filled = f.filled[:0]
}

// values gives constant rows.
type values struct {
	filler
	rows [][]quads.ID
	at   int
}

func newValues(x *execution, n *plan.Values) *values {
	v := &values{filler: filler{x: x, columns: n.Vars}}
	for _, row := range n.Rows {
		ids := make([]quads.ID, len(row))
		for i, t := range row {
			ids[i] = x.id(t)
		}
		v.rows = append(v.rows, ids)
	}
	return v
}

func (v *values) open() { v.at = 0 }

func (v *values) next() bool {
	v.stop()
	for v.at < len(v.rows) && v.x.step() {
		v.at++
		if v.fill(v.rows[v.at-1]) {
			return true
		}
	}
	return false
}

// mask hides registers from its input and compares afterwards.
type mask struct {
	x            *execution
	input        iterator
	slots        []algebra.Slot
	outer, inner []quads.ID
}

func (m *mask) open() {
	for i, slot := range m.slots {
		m.outer[i], m.inner[i] = m.x.reg[slot], 0
		m.x.reg[slot] = 0
	}
	m.input.open()
	m.put(m.outer)
}

// put sets registers to some values.
func (m *mask) put(ids []quads.ID) {
	for i, slot := range m.slots {
		m.x.reg[slot] = ids[i]
	}
}

func (m *mask) next() bool {
	m.put(m.inner)
	for m.input.next() {
		if m.agree() {
			return true
		}
	}
	m.put(m.outer)
	return false
}

// agree saves the values that the input left in the registers and merges them with the hidden ones.
func (m *mask) agree() bool {
	agree := true
	for i, slot := range m.slots {
		m.inner[i] = m.x.reg[slot]
		agree = agree && (m.inner[i] == 0 || m.outer[i] == 0 || m.inner[i] == m.outer[i])
	}
	for i, slot := range m.slots {
		if agree && m.inner[i] == 0 {
			m.x.reg[slot] = m.outer[i]
		}
	}
	return agree
}

func (m *mask) stop() {
	m.put(m.inner)
	m.input.stop()
	m.put(m.outer)
}

// eachGraph opens its input for each graph.
type eachGraph struct {
	x       *execution
	input   iterator
	name    place
	context algebra.Slot
	graph   quads.ID // the current graph
	one     bool     // it is the only one
	within  bool     // the input is open
	filled  bool     // the name's register was filled after a solution
	was     quads.ID // the previous value of the context
}

func (e *eachGraph) open() {
	e.graph, e.within, e.filled = 0, false, false
	id := e.name.id
	if e.name.slot != algebra.NoSlot {
		id = e.x.reg[e.name.slot]
	}
	if e.one = id != 0 || e.name.slot == algebra.NoSlot; e.one {
		e.graph = id
	}
	if e.context != algebra.NoSlot {
		e.was = e.x.reg[e.context]
	}
}

func (e *eachGraph) next() bool {
	e.unname()
	for e.within || e.turn() {
		for e.input.next() {
			if e.named() {
				return true
			}
		}
		e.close()
		if e.one || e.x.err != nil {
			break
		}
	}
	return false
}

// turn opens the input for the next graph.
func (e *eachGraph) turn() bool {
	if e.one {
		if e.x.err != nil || !e.x.exists(e.graph) {
			return false
		}
	} else if e.graph = e.x.nextNamed(e.graph); e.graph == 0 || !e.x.step() {
		return false
	}
	if e.context != algebra.NoSlot {
		e.x.reg[e.context] = e.graph
	}
	e.within = true
	e.input.open()
	return true
}

// named writes the graph to the name's register, or reports a different value in it.
func (e *eachGraph) named() bool {
	if e.name.slot == algebra.NoSlot {
		return true
	}
	if e.x.reg[e.name.slot] == 0 {
		e.x.reg[e.name.slot], e.filled = e.graph, true
	}
	return e.x.reg[e.name.slot] == e.graph
}

func (e *eachGraph) unname() {
	if e.filled {
		e.x.reg[e.name.slot], e.filled = 0, false
	}
}

func (e *eachGraph) close() {
	e.within = false
	if e.context != algebra.NoSlot {
		e.x.reg[e.context] = e.was
	}
}

func (e *eachGraph) stop() {
	e.unname()
	if e.within {
		e.input.stop()
		e.close()
	}
}

// magic gives the computed triples of a pattern.
type magic struct {
	filler
	node *plan.Magic
	find Predicate
	rows [][2]quads.ID
	at   int
}

func (m *magic) open() {
	m.rows, m.at = m.rows[:0], 0
	m.columns = []algebra.Slot{m.node.S.Slot, m.node.O.Slot}
	s, o := m.x.node(m.node.S), m.x.node(m.node.O)
	given := [2]quads.ID{s.value(m.x), o.value(m.x)}
	for pair, err := range m.find(m.x.ctx, m.x.term(given[0]), m.x.term(given[1])) {
		if err != nil {
			m.x.fail(err)
		}
		if !m.x.step() {
			return
		}
		row := [2]quads.ID{m.x.id(pair[0]), m.x.id(pair[1])}
		for i, id := range given {
			if id == row[i] {
				row[i] = 0 // no register to fill, or a constant
			}
		}
		if given[0] != 0 && row[0] != 0 || given[1] != 0 && row[1] != 0 {
			continue
		}
		m.rows = append(m.rows, row)
	}
}

func (m *magic) next() bool {
	m.stop()
	for m.at < len(m.rows) {
		m.at++
		if row := m.rows[m.at-1]; m.fill(row[:]) {
			return true
		}
	}
	return false
}

// service gives the answer of another endpoint.
type service struct {
	filler
	node *algebra.Service
	rows [][]quads.ID
	at   int
}

func (s *service) open() {
	s.rows, s.at, s.columns = nil, 0, nil
	endpoint := s.x.term(s.x.node(s.node.Name).value(s.x))
	err := ErrService
	switch {
	case endpoint.Kind != rdf.IRI || s.x.opts.Service == nil:
	case s.x.opts.MaxAsked > 0 && s.x.asked >= s.x.opts.MaxAsked:
		err = fmt.Errorf("%w: %d requests were made already", ErrSteps, s.x.asked)
	default:
		s.x.asked++
		err = s.ask(endpoint.Value)
	}
	if err == nil || s.x.err != nil {
		return
	}
	if s.x.check(); s.node.Silent {
		s.rows = [][]quads.ID{make([]quads.ID, len(s.columns))} // as for an empty group
		return
	}
	s.x.fail(&ServiceError{endpoint.Value, err})
}

// A ServiceError reports a SERVICE request without an answer.
type ServiceError struct {
	Endpoint string
	Err      error
}

// Error returns a message with the endpoint.
func (e *ServiceError) Error() string { return "service <" + e.Endpoint + ">: " + e.Err.Error() }

// Unwrap returns the cause.
func (e *ServiceError) Unwrap() error { return e.Err }

func (s *service) ask(endpoint string) error {
	names := make([]string, len(s.node.Columns))
	for i, c := range s.node.Columns {
		names[i] = c.Name
		s.columns = append(s.columns, c.Slot)
	}
	blanks := map[string]rdf.Term{} // labels of the endpoint are mapped to fresh ones
	for row, err := range s.x.opts.Service.Select(s.x.ctx, endpoint, s.node.Query(), names) {
		if err != nil {
			return err
		}
		ids := make([]quads.ID, len(names))
		for i := range min(len(row), len(ids)) {
			ids[i] = s.x.id(row[i].Map(func(t rdf.Term) rdf.Term {
				if t.Kind != rdf.Blank {
					return t
				}
				if blanks[t.Value].IsZero() {
					blanks[t.Value] = rdf.NewBlank(s.x.newLabel())
					s.x.own(blanks[t.Value])
				}
				return blanks[t.Value]
			}))
		}
		s.x.keep(24 + 8*len(ids))
		if !s.x.step() {
			return s.x.err
		}
		s.rows = append(s.rows, ids)
	}
	return nil
}

func (s *service) next() bool {
	s.stop()
	for s.at < len(s.rows) && s.x.step() {
		s.at++
		if s.fill(s.rows[s.at-1]) {
			return true
		}
	}
	return false
}
