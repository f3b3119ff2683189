// Package naive evaluates SPARQL directly by sections 18.3 to 18.6 of the recommendation: solutions are maps,
// joins are nested loops, and nothing is optimised. Language tags are in the case of a store. It is a test
// oracle for the optimised evaluator.
//
// This package is not part of the stable API.
package naive

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"orbweaver/rdf"
	"orbweaver/rdf/quads"
	"orbweaver/rdf/sparql/algebra"
	"orbweaver/rdf/sparql/value"
)

// A Solution maps bound variables to terms.
type Solution map[algebra.Slot]rdf.Term

// A Dataset is an RDF dataset.
type Dataset struct {
	Default []rdf.Triple
	Named   map[rdf.Term][]rdf.Triple
}

// NewDataset returns the dataset of quads or, if a query names graphs, the dataset of those. With union, a
// default graph that the query does not name is the union of all quads.
func NewDataset(data []rdf.Quad, d algebra.Dataset, union bool) *Dataset {
	of := func(graph rdf.Term) (out []rdf.Triple) {
		for _, q := range data {
			if q.G == graph {
				out = append(out, rdf.Triple{S: q.S, P: q.P, O: quads.Canonical(q.O)})
			}
		}
		return out
	}
	out := &Dataset{Named: map[rdf.Term][]rdf.Triple{}}
	if d.Default == nil && d.Named == nil {
		out.Default = of(rdf.Term{})
		for _, q := range data {
			if union {
				out.Default = append(out.Default, rdf.Triple{S: q.S, P: q.P, O: quads.Canonical(q.O)})
			}
			if !q.G.IsZero() && out.Named[q.G] == nil {
				out.Named[q.G] = unique(of(q.G))
			}
		}
		out.Default = unique(out.Default)
		return out
	}
	for _, iri := range d.Default {
		out.Default = append(out.Default, of(rdf.NewIRI(iri))...)
	}
	out.Default = unique(out.Default)
	for _, iri := range d.Named {
		out.Named[rdf.NewIRI(iri)] = unique(of(rdf.NewIRI(iri)))
	}
	return out
}

// unique returns the distinct triples.
func unique(triples []rdf.Triple) (out []rdf.Triple) {
	seen := map[rdf.Triple]bool{}
	for _, t := range triples {
		if !seen[t] {
			seen[t] = true
			out = append(out, t)
		}
	}
	return out
}

// maxPairs bounds the pairs of solutions examined.
const maxPairs = 2_000_000

// tooMuch is the panic value of an evaluation that exceeds its limit.
type tooMuch struct{}

// Evaluate returns the solutions of an operator over the default graph; false if it exceeds maxPairs.
func (d *Dataset) Evaluate(op algebra.Op, env *value.Env) (out []Solution, ok bool) {
	defer func() {
		if p := recover(); p != nil {
			if _, is := p.(tooMuch); !is {
				panic(p)
			}
			out, ok = nil, false
		}
	}()
	e := evaluator{dataset: d, env: env, left: maxPairs}
	return e.eval(op, d.Default, nil), true
}

// look counts examined pairs.
func (e *evaluator) look(pairs int) {
	if e.left -= pairs; e.left < 0 {
		panic(tooMuch{})
	}
}

// An evaluator evaluates one query.
type evaluator struct {
	dataset *Dataset
	env     *value.Env
	left    int // pairs left
}

// eval is the function of section 18.6. sub holds the values that EXISTS substitutes for variables.
func (e *evaluator) eval(op algebra.Op, graph []rdf.Triple, sub Solution) []Solution {
	switch op := op.(type) {
	case *algebra.BGP:
		return e.bgp(op, graph, sub)
	case *algebra.Path:
		return e.pathPattern(op, graph, sub)
	case *algebra.Join:
		return e.join(e.eval(op.Left, graph, sub), e.eval(op.Right, graph, sub))
	case *algebra.LeftJoin:
		return e.leftJoin(op, graph, sub)
	case *algebra.Filter:
		var out []Solution
		for _, s := range e.eval(op.Input, graph, sub) {
			if e.holds(op.Expr, s, graph, sub) {
				out = append(out, s)
			}
		}
		return out
	case *algebra.Union:
		return append(e.eval(op.Left, graph, sub), e.eval(op.Right, graph, sub)...)
	case *algebra.Graph:
		return e.graph(op, sub)
	case *algebra.Minus:
		return minus(e.eval(op.Left, graph, sub), e.eval(op.Right, graph, sub))
	case *algebra.Extend:
		return e.extend(op, graph, sub)
	case *algebra.Values:
		return tabled(op, sub)
	case *algebra.Group:
		return e.group(op, graph, sub)
	}
	return e.modifier(op, graph, sub)
}

func (e *evaluator) modifier(op algebra.Op, graph []rdf.Triple, sub Solution) []Solution {
	switch op := op.(type) {
	case *algebra.Project:
		var out []Solution
		for _, s := range e.eval(op.Input, graph, sub) {
			kept := Solution{}
			for _, v := range op.Vars {
				if t, ok := s[v]; ok {
					kept[v] = t
				}
			}
			out = append(out, kept)
		}
		return out
	case *algebra.Distinct:
		var out []Solution
		seen := map[string]bool{}
		for _, s := range e.eval(op.Input, graph, sub) {
			if key := s.Key(); !seen[key] {
				seen[key] = true
				out = append(out, s)
			}
		}
		return out
	case *algebra.Reduced:
		return e.eval(op.Input, graph, sub)
	case *algebra.OrderBy:
		out := e.eval(op.Input, graph, sub)
		slices.SortStableFunc(out, func(a, b Solution) int {
			for _, key := range op.Keys {
				x, _ := e.expr(key.Expr, a, graph, sub)
				y, _ := e.expr(key.Expr, b, graph, sub)
				c := value.Order(x, y)
				if key.Descending {
					c = -c
				}
				if c != 0 {
					return c
				}
			}
			return 0
		})
		return out
	case *algebra.Slice:
		out := e.eval(op.Input, graph, sub)
		out = out[min(op.Offset, int64(len(out))):]
		if op.Limit != algebra.NoLimit {
			out = out[:min(op.Limit, int64(len(out)))]
		}
		return out
	}
	panic(fmt.Sprintf("naive: %T", op))
}

// Key returns a string that identifies the solution.
func (s Solution) Key() string {
	var b strings.Builder
	for _, v := range s.slots() {
		fmt.Fprintf(&b, "%d %q\n", v, s[v])
	}
	return b.String()
}

func (s Solution) slots() []algebra.Slot {
	var out []algebra.Slot
	for v := range s {
		out = append(out, v)
	}
	slices.SortFunc(out, func(a, b algebra.Slot) int { return cmp.Compare(a, b) })
	return out
}

// merged returns the union of two solutions; false if they are incompatible.
func merged(a, b Solution) (Solution, bool) {
	out := Solution{}
	for v, t := range a {
		out[v] = t
	}
	for v, t := range b {
		if old, ok := out[v]; ok && old != t {
			return nil, false
		}
		out[v] = t
	}
	return out, true
}

func (e *evaluator) join(left, right []Solution) (out []Solution) {
	e.look(len(left)*len(right) + len(left) + len(right))
	for _, l := range left {
		for _, r := range right {
			if m, ok := merged(l, r); ok {
				out = append(out, m)
			}
		}
	}
	return out
}

func (e *evaluator) leftJoin(op *algebra.LeftJoin, graph []rdf.Triple, sub Solution) (out []Solution) {
	left, right := e.eval(op.Left, graph, sub), e.eval(op.Right, graph, sub)
	e.look(len(left) * len(right))
	for _, l := range left {
		found := false
		for _, r := range right {
			if m, ok := merged(l, r); ok && (op.Filter == nil || e.holds(op.Filter, m, graph, sub)) {
				out = append(out, m)
				found = true
			}
		}
		if !found {
			out = append(out, l)
		}
	}
	return out
}

func minus(left, right []Solution) (out []Solution) {
	for _, l := range left {
		removed := slices.ContainsFunc(right, func(r Solution) bool {
			shared := false
			for v := range l {
				if _, ok := r[v]; ok {
					shared = true
				}
			}
			_, compatible := merged(l, r)
			return shared && compatible
		})
		if !removed {
			out = append(out, l)
		}
	}
	return out
}

// graph evaluates a pattern in one named graph, or in each.
func (e *evaluator) graph(op *algebra.Graph, sub Solution) (out []Solution) {
	name := op.Name.Term
	if op.Name.IsVar() {
		name = sub[op.Name.Slot]
	}
	if !name.IsZero() {
		if triples, ok := e.dataset.Named[name]; ok {
			return e.eval(op.Input, triples, sub)
		}
		return nil
	}
	for name, triples := range e.dataset.Named {
		out = append(out, e.join(e.eval(op.Input, triples, sub), []Solution{{op.Name.Slot: name}})...)
	}
	return out
}

func (e *evaluator) extend(op *algebra.Extend, graph []rdf.Triple, sub Solution) (out []Solution) {
	for _, s := range e.eval(op.Input, graph, sub) {
		v, err := e.expr(op.Expr, s, graph, sub)
		if err != nil || !v.Bound() {
			out = append(out, s)
			continue
		}
		if constant, ok := sub[op.Var]; ok {
			if constant == v.Term() {
				out = append(out, s)
			}
			continue
		}
		m, _ := merged(s, Solution{op.Var: v.Term()})
		out = append(out, m)
	}
	return out
}

// tabled returns the solutions of VALUES.
func tabled(op *algebra.Values, sub Solution) (out []Solution) {
rows:
	for _, row := range op.Rows {
		s := Solution{}
		for i, t := range row {
			t = quads.Canonical(t)
			constant, ok := sub[op.Vars[i]]
			switch {
			case t.IsZero():
			case !ok:
				s[op.Vars[i]] = t
			case constant != t:
				continue rows
			}
		}
		out = append(out, s)
	}
	return out
}

// bgp matches triple patterns one after the other.
func (e *evaluator) bgp(op *algebra.BGP, graph []rdf.Triple, sub Solution) []Solution {
	out := []Solution{{}}
	for _, p := range op.Patterns {
		var found []Solution
		e.look(len(graph))
		for _, t := range graph {
			if s, ok := match(p, t, sub); ok {
				found = append(found, s)
			}
		}
		out = e.join(out, found)
	}
	return out
}

// match matches one triple.
func match(p algebra.Triple, t rdf.Triple, sub Solution) (Solution, bool) {
	s := Solution{}
	for _, pair := range []struct {
		node algebra.Node
		term rdf.Term
	}{{p.S, t.S}, {p.P, t.P}, {p.O, t.O}} {
		if !s.bind(pair.node, pair.term, sub) {
			return nil, false
		}
	}
	return s, true
}

// bind binds a node's variable; false if it has another value.
func (s Solution) bind(n algebra.Node, t rdf.Term, sub Solution) bool {
	if !n.IsVar() {
		return quads.Canonical(n.Term) == t
	}
	if constant, ok := sub[n.Slot]; ok {
		return constant == t
	}
	if old, ok := s[n.Slot]; ok {
		return old == t
	}
	s[n.Slot] = t
	return true
}

// group evaluates Group and its aggregates (section 18.5.1).
func (e *evaluator) group(op *algebra.Group, graph []rdf.Triple, sub Solution) (out []Solution) {
	groups := map[string][]Solution{}
	keys := map[string]Solution{}
	if len(op.Keys) == 0 {
		keys[""] = Solution{}
	}
	for _, s := range e.eval(op.Input, graph, sub) {
		key := Solution{}
		for _, v := range op.Keys {
			if t, ok := s[v]; ok {
				key[v] = t
			}
		}
		keys[key.Key()] = key
		groups[key.Key()] = append(groups[key.Key()], s)
	}
	for k, key := range keys {
		for _, a := range op.Aggregates {
			if v, err := e.aggregate(a, groups[k], graph, sub); err == nil && v.Bound() {
				key[a.Var] = v.Term()
			}
		}
		out = append(out, key)
	}
	return out
}

func (e *evaluator) aggregate(a algebra.Aggregate, group []Solution, graph []rdf.Triple, sub Solution) (value.Value, error) {
	if a.Expr == nil {
		rows := map[string]bool{}
		for _, s := range group {
			rows[s.Key()] = true
		}
		if a.Distinct {
			return value.Integer(int64(len(rows))), nil
		}
		return value.Integer(int64(len(group))), nil
	}
	agg := value.NewAggregate(e.env, a.Name, a.Distinct, a.Separator)
	for _, s := range group {
		agg.Add(e.expr(a.Expr, s, graph, sub))
	}
	return agg.Result()
}
