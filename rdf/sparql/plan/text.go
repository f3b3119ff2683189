package plan

import (
	"strings"

	"orbweaver/rdf/sparql/algebra"
)

// Text formats the plan, one node a line, inputs indented. note adds a remark to each node.
func (p *Plan) Text(note func(Node) string) string {
	w := textWriter{vars: append([]string(nil), p.vars...), note: note}
	for len(w.vars) < p.Slots {
		w.vars = append(w.vars, ".graph")
	}
	w.node(p.Root, 0)
	return w.b.String()
}

type textWriter struct {
	b    strings.Builder
	vars []string
	note func(Node) string
}

func (w *textWriter) line(depth int, s string) {
	w.b.WriteString(strings.Repeat("  ", min(depth, 40)) + s + "\n")
}

func (w *textWriter) node(n Node, depth int) {
	s := w.head(n)
	if note := w.note(n); note != "" {
		s += "  (" + note + ")"
	}
	w.line(depth, s)
	for _, e := range exprsOf(n) {
		for _, x := range e.plans {
			for _, p := range x.plans {
				w.line(depth+1, "EXISTS")
				w.node(p, depth+2)
			}
		}
	}
	for _, input := range Inputs(n) {
		w.node(input, depth+1)
	}
}

// exprsOf returns the expressions of a node.
func exprsOf(n Node) (out []*Expr) {
	switch n := n.(type) {
	case *Filter:
		return n.Conditions
	case *Optional:
		return n.Conditions
	case *Extend:
		return []*Expr{n.Expr}
	case *Sort:
		for _, key := range n.Keys {
			out = append(out, key.Expr)
		}
	case *Group:
		for _, a := range n.Aggregates {
			if a.Expr != nil {
				out = append(out, a.Expr)
			}
		}
	}
	return out
}

// op formats a node like its operator of algebra.
func (w *textWriter) op(op algebra.Op) string { return algebra.Head(op, w.vars) }

func (w *textWriter) head(n Node) string {
	switch n := n.(type) {
	case *Scan:
		s := w.inGraph("Scan "+w.triple(n.Triple), n.Graph)
		if n.BySubject {
			s += " by subject"
		}
		return s
	case *Magic:
		return "Magic " + w.triple(n.Triple)
	case *Path:
		return w.inGraph(w.op(&algebra.Path{S: n.S, Path: n.Path, O: n.O}), n.Graph)
	case *Join:
		return "Join"
	case *Optional:
		return "Optional" + w.conditions(n.Conditions)
	case *Union:
		return "Union"
	case *Filter:
		return "Filter" + w.conditions(n.Conditions)
	case *Extend:
		return w.op(&algebra.Extend{Var: n.Var, Expr: n.Expr.Expr})
	case *Values:
		return w.op(&algebra.Values{Vars: n.Vars, Rows: n.Rows})
	case *EachGraph:
		return w.op(&algebra.Graph{Name: n.Name})
	case *Service:
		return w.op(n.Service)
	case *Slice:
		return w.op(&algebra.Slice{Offset: n.Offset, Limit: n.Limit})
	case *Mask:
		return "Mask" + w.slots(n.Slots)
	case *Distinct:
		return "Distinct" + w.slots(n.Columns)
	}
	return w.keeping(n)
}

// keeping formats a node that materializes solutions.
func (w *textWriter) keeping(n Node) string {
	switch n := n.(type) {
	case *Minus:
		return "Minus" + w.slots(n.Shared)
	case *Table:
		if len(n.Key) == 0 {
			return "Table" + w.slots(n.Columns)
		}
		return "Table" + w.slots(n.Columns) + " by" + w.slots(n.Key)
	case *Sort:
		o := &algebra.OrderBy{}
		for _, key := range n.Keys {
			o.Keys = append(o.Keys, algebra.OrderKey{Expr: key.Expr.Expr, Descending: key.Descending})
		}
		if n.Limit != algebra.NoLimit {
			return w.op(o) + ", first " + w.op(&algebra.Slice{Limit: n.Limit})[len("Slice offset 0 limit "):]
		}
		return w.op(o)
	case *Group:
		g := &algebra.Group{Keys: n.Keys}
		for _, a := range n.Aggregates {
			g.Aggregates = append(g.Aggregates, a.Aggregate)
		}
		return w.op(g)
	}
	return ""
}

func (w *textWriter) triple(t algebra.Triple) string {
	text := algebra.Text(&algebra.BGP{Patterns: []algebra.Triple{t}}, w.vars)
	return strings.TrimSpace(text[len("BGP\n"):])
}

func (w *textWriter) inGraph(s string, graph algebra.Node) string {
	if graph.IsDefault() {
		return s
	}
	return s + " in" + strings.TrimPrefix(w.op(&algebra.Graph{Name: graph}), "Graph")
}

func (w *textWriter) conditions(list []*Expr) string {
	var parts []string
	for _, e := range list {
		parts = append(parts, algebra.ExprText(e.Expr, w.vars))
	}
	if len(parts) == 0 {
		return ""
	}
	return " " + strings.Join(parts, ", ")
}

func (w *textWriter) slots(slots []algebra.Slot) string {
	var b strings.Builder
	for _, slot := range slots {
		b.WriteString(" ?" + w.vars[slot])
	}
	return b.String()
}
