package naive

import (
	"slices"

	"orbweaver/rdf"
	"orbweaver/rdf/quads"
	"orbweaver/rdf/sparql/algebra"
)

// A pair is two nodes that a path connects.
type pair struct{ from, to rdf.Term }

// pathPattern evaluates a property path (section 18.4) by all pairs that it connects.
func (e *evaluator) pathPattern(op *algebra.Path, graph []rdf.Triple, sub Solution) (out []Solution) {
	nodes := map[rdf.Term]bool{}
	for _, t := range graph {
		nodes[t.S], nodes[t.O] = true, true
	}
	for _, n := range []algebra.Node{op.S, op.O} { // the empty path connects a constant to itself, even outside the graph
		if t, ok := sub[n.Slot]; n.IsVar() && ok {
			nodes[t] = true
		} else if !n.IsVar() {
			nodes[quads.Canonical(n.Term)] = true
		}
	}
	for _, p := range pairs(op.Path, graph, nodes) {
		s := Solution{}
		if s.bind(op.S, p.from, sub) && s.bind(op.O, p.to, sub) {
			out = append(out, s)
		}
	}
	return out
}

// pairs returns the pairs that a path connects, with multiplicity.
func pairs(e algebra.PathExpr, graph []rdf.Triple, nodes map[rdf.Term]bool) (out []pair) {
	switch e := e.(type) {
	case *algebra.PathIRI:
		for _, t := range graph {
			if t.P.Value == e.IRI {
				out = append(out, pair{t.S, t.O})
			}
		}
	case *algebra.PathInverse:
		for _, p := range pairs(e.Path, graph, nodes) {
			out = append(out, pair{p.to, p.from})
		}
	case *algebra.PathSequence:
		out = pairs(e.Parts[0], graph, nodes)
		for _, part := range e.Parts[1:] {
			out = connected(out, pairs(part, graph, nodes))
		}
	case *algebra.PathAlternative:
		for _, part := range e.Parts {
			out = append(out, pairs(part, graph, nodes)...)
		}
	case *algebra.PathNot:
		for _, t := range graph {
			if (len(e.Forward) > 0 || len(e.Backward) == 0) && !slices.Contains(e.Forward, t.P.Value) {
				out = append(out, pair{t.S, t.O})
			}
			if len(e.Backward) > 0 && !slices.Contains(e.Backward, t.P.Value) {
				out = append(out, pair{t.O, t.S})
			}
		}
	case *algebra.PathRepeat:
		return repeated(e, graph, nodes)
	}
	return out
}

// connected joins the pairs of a with those of b.
func connected(a, b []pair) (out []pair) {
	for _, p := range a {
		for _, q := range b {
			if p.to == q.from {
				out = append(out, pair{p.from, q.to})
			}
		}
	}
	return out
}

// repeated returns the distinct pairs of a repeated path.
func repeated(e *algebra.PathRepeat, graph []rdf.Triple, nodes map[rdf.Term]bool) (out []pair) {
	seen := map[pair]bool{}
	add := func(list []pair) (grew bool) {
		for _, p := range list {
			if !seen[p] {
				seen[p], grew = true, true
				out = append(out, p)
			}
		}
		return grew
	}
	if e.Mark != '+' {
		for n := range nodes {
			add([]pair{{n, n}})
		}
	}
	step := pairs(e.Path, graph, nodes)
	for grew := add(step); grew && e.Mark != '?'; {
		grew = add(connected(out, step))
	}
	return out
}
