package eval

import (
	"orbweaver/rdf/quads"
	"orbweaver/rdf/sparql/algebra"
	"orbweaver/rdf/sparql/plan"
)

// table stores the solutions of its input and gives those compatible with the registers.
type table struct {
	filler
	node  *plan.Table
	input iterator
	rows  rowTable
	built bool
	of    []quads.ID     // values of Depends when it was built
	key   []algebra.Slot // columns that are hashed
	at    int32          // 1 + the next row, 0: none
	scan  bool           // all rows are scanned
	row   []quads.ID
}

func newTable(x *execution, n *plan.Table) *table {
	t := &table{
		filler: filler{x: x, columns: n.Columns}, node: n, input: x.iterator(n.Input),
		of: make([]quads.ID, len(n.Depends)), row: make([]quads.ID, len(n.Columns)),
	}
	t.rows = rowTable{x: x, width: len(n.Columns), key: columnsOf(n.Columns, n.Key)}
	for _, c := range t.rows.key {
		t.key = append(t.key, n.Columns[c])
	}
	return t
}

// fresh rebuilds the rows if the values they depend on changed, and reports whether it did.
func (t *table) fresh() bool {
	same := t.built
	for i, slot := range t.node.Depends {
		if id := t.x.reg[slot]; t.of[i] != id {
			t.of[i], same = id, false
		}
	}
	if !same {
		t.build()
		t.built = true
	}
	return !same
}

func (t *table) build() {
	t.rows.clear()
	outer := make([]quads.ID, len(t.node.Clear))
	for i, slot := range t.node.Clear {
		outer[i] = t.x.reg[slot]
		t.x.reg[slot] = 0
	}
	t.input.open()
	for t.input.next() {
		for i, slot := range t.columns {
			t.row[i] = t.x.reg[slot]
		}
		t.rows.add(t.row)
		if !t.x.step() {
			return
		}
	}
	for i, slot := range t.node.Clear {
		t.x.reg[slot] = outer[i]
	}
}

func (t *table) open() {
	t.at = 0
	if t.fresh(); t.x.err != nil || t.rows.rows == 0 {
		return
	}
	if t.scan = len(t.key) == 0; t.scan {
		t.at = 1
		return
	}
	h := t.x.seed
	for _, slot := range t.key {
		h = hash(h, t.x.reg[slot])
	}
	t.at = t.rows.find(h)
}

func (t *table) next() bool {
	t.filler.stop()
	for t.at != 0 && t.x.step() {
		row := t.rows.at(t.at - 1)
		if !t.scan {
			t.at = int32(row[0])
		} else if t.at++; int(t.at) > t.rows.rows {
			t.at = 0
		}
		if t.fill(row[1:]) {
			return true
		}
	}
	return false
}

// minus gives the left solutions without those compatible with a row that shares a variable.
type minus struct {
	x       *execution
	left    iterator
	right   *table
	columns []algebra.Slot
	shared  []int // columns of the right
	rows    rowTable
}

func newMinus(x *execution, n *plan.Minus, t *plan.Table) *minus {
	m := &minus{x: x, left: x.iterator(n.Left), right: newTable(x, t), columns: n.Shared, shared: columnsOf(t.Columns, n.Shared)}
	m.rows = rowTable{x: x, width: len(n.Shared), key: all(len(n.Shared))}
	return m
}

func (m *minus) open() {
	m.left.open()
	if !m.right.fresh() {
		return
	}
	m.rows.clear()
	row := make([]quads.ID, len(m.shared))
	for i := range int32(m.right.rows.rows) {
		from := m.right.rows.row(i)
		for j, c := range m.shared {
			row[j] = from[c]
		}
		m.rows.put(row)
		if !m.x.step() {
			return
		}
	}
}

func (m *minus) next() bool {
	for m.left.next() {
		if !m.removed() {
			return true
		}
	}
	return false
}

func (m *minus) removed() bool {
	for i := range int32(m.rows.rows) {
		if !m.x.step() {
			return true
		}
		if m.agrees(m.rows.row(i)) {
			return true
		}
	}
	return false
}

// agrees reports whether a row shares a value with the registers and contradicts none.
func (m *minus) agrees(row []quads.ID) bool {
	shares := false
	for j, id := range row {
		switch here := m.x.reg[m.columns[j]]; {
		case here == 0 || id == 0:
		case here != id:
			return false
		default:
			shares = true
		}
	}
	return shares
}

func (m *minus) stop() { m.left.stop() }

// distinct removes duplicate solutions.
type distinct struct {
	x       *execution
	input   iterator
	columns []algebra.Slot
	seen    rowTable
	row     []quads.ID
}

func (d *distinct) open() {
	if d.row == nil {
		d.row = make([]quads.ID, len(d.columns))
		d.seen = rowTable{x: d.x, width: len(d.columns), key: all(len(d.columns))}
	}
	d.seen.clear()
	d.input.open()
}

func (d *distinct) next() bool {
	for d.input.next() {
		for i, slot := range d.columns {
			d.row[i] = d.x.reg[slot]
		}
		if d.seen.put(d.row) {
			return true
		}
	}
	return false
}

func (d *distinct) stop() { d.input.stop() }

// An output writes stored rows to the registers, overwriting them.
type output struct {
	x       *execution
	columns []algebra.Slot
	outer   []quads.ID
	shown   bool
}

func (o *output) begin() {
	o.shown = false
	o.outer = o.outer[:0]
	for _, slot := range o.columns {
		o.outer = append(o.outer, o.x.reg[slot])
	}
}

func (o *output) show(row []quads.ID) {
	o.shown = true
	for i, slot := range o.columns {
		o.x.reg[slot] = row[i]
	}
}

func (o *output) end() {
	if o.shown {
		o.show(o.outer)
		o.shown = false
	}
}
