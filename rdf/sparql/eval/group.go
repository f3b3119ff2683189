package eval

import (
	"slices"

	"orbweaver/rdf/quads"
	"orbweaver/rdf/sparql/algebra"
	"orbweaver/rdf/sparql/plan"
	"orbweaver/rdf/sparql/value"
)

// group gives one solution per combination of its keys' values.
type group struct {
	output
	node   *plan.Group
	input  iterator
	args   []operand      // of the aggregates; nil: COUNT(*)
	direct []algebra.Slot // the variable that an aggregate counts, or NoSlot
	groups *rowTable
	counts []int64           // by group and aggregate
	values []value.Aggregate // likewise; nil: counts
	unique []*rowTable       // by aggregate: values seen by DISTINCT, per group
	row    []quads.ID
	at     int
	filled bool
	bytes  int
}

func newGroup(x *execution, n *plan.Group) *group {
	g := &group{output: output{x: x, columns: slices.Clone(n.Keys)}, node: n, input: x.iterator(n.Input)}
	for _, a := range n.Aggregates {
		g.columns = append(g.columns, a.Var)
		direct := algebra.NoSlot
		var arg operand
		if a.Expr != nil {
			arg = x.operand(a.Expr)
			if v, ok := a.Expr.Expr.(*algebra.Var); ok {
				direct = v.Slot
			}
		}
		g.args, g.direct = append(g.args, arg), append(g.direct, direct)
	}
	g.row = make([]quads.ID, len(g.columns))
	return g
}

func (g *group) open() {
	g.begin()
	g.x.keep(-g.bytes)
	g.bytes = 0
	if g.groups != nil {
		g.groups.clear()
	}
	for _, u := range g.unique {
		if u != nil {
			u.clear()
		}
	}
	g.groups = newRowSet(g.x, len(g.node.Keys))
	g.counts, g.values, g.unique = nil, nil, make([]*rowTable, len(g.args))
	for i, a := range g.node.Aggregates {
		switch {
		case !a.Distinct || a.Name == "MIN" || a.Name == "MAX" || a.Name == "SAMPLE": // duplicates do not matter
		case g.args[i] == nil:
			g.unique[i] = newRowSet(g.x, 1+len(g.node.Columns))
		default:
			g.unique[i] = newRowSet(g.x, 2)
		}
	}
	g.at, g.filled = 0, false
	g.input.open()
}

// counted reports whether an aggregate is a count without decoding.
func (g *group) counted(i int) bool {
	return g.args[i] == nil || g.direct[i] != algebra.NoSlot && g.node.Aggregates[i].Name == "COUNT"
}

func (g *group) next() bool {
	if !g.filled {
		g.filled = true
		g.fill()
	}
	if g.at >= g.groups.rows || g.x.err != nil {
		g.end()
		return false
	}
	n := copy(g.row, g.groups.row(int32(g.at)))
	for i := range g.args {
		g.row[n+i] = g.result(g.at*len(g.args) + i)
	}
	g.at++
	g.show(g.row)
	return g.x.err == nil
}

// result returns the ID of an aggregate's value, 0 after an error.
func (g *group) result(i int) quads.ID {
	if g.values[i] == nil {
		return g.x.id(value.Integer(g.counts[i]).Term())
	}
	v, err := g.values[i].Result()
	if err != nil {
		return 0
	}
	return g.x.id(v.Term())
}

// fill reads all solutions of the input.
func (g *group) fill() {
	key := make([]quads.ID, len(g.node.Keys))
	last := int32(-1)
	if len(key) == 0 {
		last = g.add(key)
	}
	for g.input.next() {
		if !g.x.step() {
			return
		}
		same := last >= 0
		for i, slot := range g.node.Keys {
			if id := g.x.reg[slot]; key[i] != id {
				key[i], same = id, false
			}
		}
		if !same {
			var found bool
			if last, found = g.groups.look(key); !found {
				last = g.add(key)
			}
		}
		for i := range g.args {
			g.take(last, i)
		}
	}
}

// add makes a new group.
func (g *group) add(key []quads.ID) int32 {
	for i, a := range g.node.Aggregates {
		var v value.Aggregate
		if !g.counted(i) {
			v = value.NewAggregate(&g.x.env, a.Name, false, a.Separator)
		}
		g.counts, g.values = append(g.counts, 0), append(g.values, v)
	}
	g.charge(200 * len(g.args))
	return g.groups.add(key)
}

func (g *group) charge(bytes int) {
	g.bytes += bytes
	g.x.keep(bytes)
}

// take adds the current solution to an aggregate of a group.
func (g *group) take(group int32, i int) {
	n, u := int(group)*len(g.args)+i, g.unique[i]
	computed := g.args[i] != nil && g.direct[i] == algebra.NoSlot
	if u != nil && !computed && !g.first(group, i) {
		return
	}
	if g.counted(i) {
		if g.args[i] == nil || g.x.reg[g.direct[i]] != 0 {
			g.counts[n]++
		}
		return
	}
	v, err := g.args[i]()
	if u != nil && computed && err == nil && !u.put([]quads.ID{quads.ID(group), g.x.id(v.Term())}) {
		return
	}
	g.values[n].Add(v, err)
	if a := g.node.Aggregates[i]; a.Name == "GROUP_CONCAT" {
		g.charge(2 * (len(v.Term().Value) + len(a.Separator)))
	}
}

// first reports whether a distinct aggregate of a group sees the current value for the first time.
func (g *group) first(group int32, i int) bool {
	row := append(make([]quads.ID, 0, 16), quads.ID(group))
	if g.args[i] != nil {
		return g.unique[i].put(append(row, g.x.reg[g.direct[i]]))
	}
	for _, slot := range g.node.Columns {
		row = append(row, g.x.reg[slot])
	}
	return g.unique[i].put(row)
}

func (g *group) stop() {
	g.end()
	if !g.filled {
		g.input.stop()
	}
}
