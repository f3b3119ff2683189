package eval

import (
	"orbweaver/rdf/quads"
	"orbweaver/rdf/sparql/algebra"
	"orbweaver/rdf/sparql/plan"
)

// exists evaluates an EXISTS for the solution in the registers.
type exists struct {
	x       *execution
	node    *plan.Exists
	not     bool
	inputs  map[string]iterator // by bound variables
	bound   []byte
	known   bool // the answer is valid while the values it depends on are the same
	answer  bool
	depends []quads.ID
}

// existence compiles an EXISTS within an expression.
func (x *execution) existence(e *algebra.Exists, within *plan.Expr) test {
	t := &exists{x: x, node: within.Exists(e), not: e.Not, inputs: map[string]iterator{}}
	t.bound = make([]byte, len(t.node.Slots))
	t.depends = make([]quads.ID, len(t.node.Depends))
	return t.test
}

func (t *exists) test() (bool, error) {
	if len(t.node.Slots) == 0 && t.same() {
		return t.answer != t.not, nil
	}
	for i, slot := range t.node.Slots {
		t.bound[i] = '0'
		if t.x.reg[slot] != 0 {
			t.bound[i] = '1'
		}
	}
	input, ok := t.inputs[string(t.bound)]
	if !ok {
		if input = t.plan(); t.x.err != nil {
			return false, t.x.err
		}
		t.inputs[string(t.bound)] = input
	}
	input.open()
	if t.answer = input.next(); t.answer {
		input.stop()
	}
	t.known = true
	return t.answer != t.not, t.x.err
}

// same reports whether the last answer is still valid, if it depends on no variable of Slots.
func (t *exists) same() bool {
	same := t.known
	for i, slot := range t.node.Depends {
		if id := t.x.reg[slot]; t.depends[i] != id {
			t.depends[i], same = id, false
		}
	}
	return same
}

// plan plans the pattern for the variables bound now.
func (t *exists) plan() iterator {
	var bound []algebra.Slot
	for i, slot := range t.node.Slots {
		if t.bound[i] == '1' {
			bound = append(bound, slot)
		}
	}
	n, err := t.node.Plan(plan.SetOf(bound...))
	if err != nil {
		t.x.fail(err)
		return nil
	}
	return t.x.iterator(n)
}
