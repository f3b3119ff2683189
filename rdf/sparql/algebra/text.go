package algebra

import (
	"fmt"
	"strconv"
	"strings"

	"orbweaver/rdf/sparql/syntax"
)

// Text formats an operator and its inputs, one per line, indented by depth. vars are the variables' names by
// slot.
func Text(op Op, vars []string) string {
	w := writer{vars: vars}
	w.op(op, 0)
	return w.b.String()
}

// Head formats an operator without its inputs, on one line.
func Head(op Op, vars []string) string {
	w := writer{vars: vars}
	return w.head(op)
}

// ExprText formats an expression; patterns of Exists are in braces.
func ExprText(e Expr, vars []string) string {
	w := writer{vars: vars}
	return w.expr(e)
}

// A writer formats operators.
type writer struct {
	b    strings.Builder
	vars []string
}

// op writes an operator, its triples and its inputs.
func (w *writer) op(op Op, depth int) {
	w.line(w.head(op), depth)
	if b, ok := op.(*BGP); ok {
		for _, t := range b.Patterns {
			w.line(w.triple(t), depth+1)
		}
	}
	for _, input := range Inputs(op) {
		w.op(input, depth+1)
	}
}

// line writes a line; the indentation is bounded.
func (w *writer) line(s string, depth int) {
	w.b.WriteString(strings.Repeat("  ", min(depth, 40)) + s + "\n")
}

func (w *writer) head(op Op) string {
	switch op := op.(type) {
	case *BGP:
		return "BGP"
	case *Path:
		return "Path " + w.node(op.S) + " " + syntax.PathText(op.Path) + " " + w.node(op.O)
	case *Join:
		return "Join"
	case *LeftJoin:
		if op.Filter == nil {
			return "LeftJoin"
		}
		return "LeftJoin " + w.expr(op.Filter)
	case *Filter:
		return "Filter " + w.expr(op.Expr)
	case *Union:
		return "Union"
	case *Graph:
		return "Graph " + w.node(op.Name)
	case *Minus:
		return "Minus"
	case *Extend:
		return "Extend " + w.slot(op.Var) + " = " + w.expr(op.Expr)
	case *Group:
		return w.group(op)
	case *Values:
		return fmt.Sprintf("Values%s, %d rows", w.slots(op.Vars), len(op.Rows))
	}
	return w.modifier(op)
}

// modifier formats a solution modifier, or Service.
func (w *writer) modifier(op Op) string {
	switch op := op.(type) {
	case *Project:
		return "Project" + w.slots(op.Vars)
	case *Distinct:
		return "Distinct"
	case *Reduced:
		return "Reduced"
	case *OrderBy:
		keys := make([]string, len(op.Keys))
		for i, key := range op.Keys {
			if keys[i] = w.expr(key.Expr); key.Descending {
				keys[i] += " descending"
			}
		}
		return "OrderBy " + strings.Join(keys, ", ")
	case *Slice:
		s := "Slice offset " + strconv.FormatInt(op.Offset, 10)
		if op.Limit != NoLimit {
			s += " limit " + strconv.FormatInt(op.Limit, 10)
		}
		return s
	case *Service:
		s := "Service " + w.node(op.Name)
		if op.Silent {
			s += " silent"
		}
		slots := make([]Slot, len(op.Columns))
		for i, c := range op.Columns {
			slots[i] = c.Slot
		}
		return s + w.slots(slots)
	}
	return fmt.Sprintf("%T", op) // of another package
}

func (w *writer) group(op *Group) string {
	parts := []string{"Group" + w.slots(op.Keys)}
	for _, a := range op.Aggregates {
		arg := "*"
		if a.Expr != nil {
			arg = w.expr(a.Expr)
		}
		if a.Distinct {
			arg = "distinct " + arg
		}
		parts = append(parts, w.slot(a.Var)+" = "+a.Name+"("+arg+")")
	}
	return strings.Join(parts, ", ")
}

func (w *writer) slot(s Slot) string { return "?" + w.vars[s] }

func (w *writer) slots(slots []Slot) string {
	var b strings.Builder
	for _, slot := range slots {
		b.WriteString(" " + w.slot(slot))
	}
	return b.String()
}

func (w *writer) node(n Node) string {
	switch {
	case n.IsVar():
		return w.slot(n.Slot)
	case n.IsDefault():
		return "default"
	case n.Triple != nil:
		return "<<( " + w.triple(*n.Triple) + " )>>"
	}
	return syntax.Text(n.Term)
}

func (w *writer) triple(t Triple) string {
	return w.node(t.S) + " " + w.node(t.P) + " " + w.node(t.O)
}

// expr formats an expression: calls as name(arguments).
func (w *writer) expr(e Expr) string {
	switch e := e.(type) {
	case *Var:
		return w.slot(e.Slot)
	case *Const:
		return syntax.Text(e.Term)
	case *Call:
		return w.call(e.Name, e.Args)
	case *Function:
		return w.call("<"+e.IRI+">", e.Args)
	case *Exists:
		name := "EXISTS"
		if e.Not {
			name = "NOT EXISTS"
		}
		lines := strings.Split(strings.TrimSuffix(Text(e.Pattern, w.vars), "\n"), "\n")
		for i, line := range lines {
			lines[i] = strings.TrimLeft(line, " ")
		}
		return name + " {" + strings.Join(lines, "; ") + "}"
	}
	return fmt.Sprintf("%T", e)
}

// call formats binary operators infix, and other calls prefix.
func (w *writer) call(name string, args []Expr) string {
	parts := make([]string, len(args))
	for i, a := range args {
		parts[i] = w.expr(a)
	}
	if isOperator(name) && len(args) > 1 {
		return "(" + strings.Join(parts, " "+name+" ") + ")"
	}
	return name + "(" + strings.Join(parts, ", ") + ")"
}

// isOperator reports whether a name is punctuation; that of a Function starts with "<" too.
func isOperator(name string) bool {
	return strings.IndexByte("|&=!<>+-*/", name[0]) >= 0 && len(name) <= 2
}
