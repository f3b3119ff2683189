package algebra

import "orbweaver/rdf/sparql/syntax"

// Triple terms with variables in patterns. Such a term is a generated variable of the pattern. Above the pattern, its solutions are
// filtered by what the term has to be, and extended by what its variables are: <<( ?s :p ?o )>> is
//
//	Extend(Extend(Filter(pattern, isTRIPLE(?t) && sameTerm(PREDICATE(?t), :p)), ?s, SUBJECT(?t)), ?o, OBJECT(?t))
//
// A variable that has a value in the pattern already is compared with it by a filter.

// A quoted is a triple term of a pattern and the variable that stands for it.
type quoted struct {
	slot Slot
	term *syntax.TripleNode
}

// unquoted translates a basic graph pattern and paths of which some nodes are quoted. Triples that share variables stay together, the
// others are joined with them by what is within the triple terms.
func (t *translator) unquoted(b *BGP, paths []*Path) Op {
	all := t.quoted
	t.quoted = nil
	op := Op(&BGP{})
	for _, part := range connected(b.Patterns) {
		op = join(op, t.unquote(&BGP{part}, all))
	}
	for _, p := range paths {
		op = join(op, t.unquote(p, all))
	}
	return op
}

// connected divides patterns into those that share variables, directly or through others.
func connected(patterns []Triple) (parts [][]Triple) {
	root := make([]int, len(patterns))
	var find func(i int) int
	find = func(i int) int {
		if root[i] != i {
			root[i] = find(root[i])
		}
		return root[i]
	}
	first := map[Slot]int{} // the pattern that had a variable first
	for i, p := range patterns {
		root[i] = i
		for _, n := range [...]Node{p.S, p.P, p.O} {
			if !n.IsVar() {
				continue
			}
			if j, known := first[n.Slot]; known {
				root[find(i)] = find(j)
			} else {
				first[n.Slot] = i
			}
		}
	}
	place := map[int]int{}
	for i, p := range patterns {
		at, known := place[find(i)]
		if !known {
			at = len(parts)
			place[find(i)] = at
			parts = append(parts, nil)
		}
		parts[at] = append(parts[at], p)
	}
	return parts
}

// unquote puts the conditions and the variables of the triple terms that a pattern has above it.
func (t *translator) unquote(op Op, all []quoted) Op {
	bound := map[Slot]bool{}
	for _, slot := range Visible(op) {
		bound[slot] = true
	}
	for _, q := range all {
		if bound[q.slot] {
			op = t.unfold(op, q, bound)
		}
	}
	return op
}

// unfold does so for one triple term.
func (t *translator) unfold(op Op, q quoted, bound map[Slot]bool) Op {
	term := &Var{q.slot}
	must := []Expr{&Call{"ISTRIPLE", []Expr{term}}}
	type value struct {
		slot Slot
		expr Expr
	}
	var values []value
	var within []quoted
	own := map[Slot]Expr{} // of values
	for _, part := range [...]struct {
		name string
		node syntax.Node
	}{{"SUBJECT", q.term.S}, {"PREDICATE", q.term.P}, {"OBJECT", q.term.O}} {
		is := &Call{part.name, []Expr{term}}
		if part.node.Triple != nil {
			inner := quoted{t.fresh(), part.node.Triple}
			within = append(within, inner)
			bound[inner.slot] = true
			values = append(values, value{inner.slot, is})
			continue
		}
		n := t.variable(part.node)
		switch {
		case !n.IsVar():
			must = append(must, &Call{"SAMETERM", []Expr{is, &Const{n.Term}}})
		case own[n.Slot] != nil:
			must = append(must, &Call{"SAMETERM", []Expr{is, own[n.Slot]}})
		case bound[n.Slot]:
			must = append(must, &Call{"SAMETERM", []Expr{is, &Var{n.Slot}}})
		default:
			bound[n.Slot], own[n.Slot] = true, is
			values = append(values, value{n.Slot, is})
		}
	}
	op = &Filter{op, conjoined(must)}
	for _, v := range values {
		op = &Extend{op, v.slot, v.expr}
	}
	for _, inner := range within {
		op = t.unfold(op, inner, bound)
	}
	return op
}

// conjoined returns the conjunction of conditions.
func conjoined(list []Expr) Expr {
	if len(list) == 1 {
		return list[0]
	}
	return &Call{"&&", list}
}
