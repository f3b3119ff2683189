package eval

import (
	"slices"

	"orbweaver/rdf"
	"orbweaver/rdf/quads"
	"orbweaver/rdf/sparql/algebra"
	"orbweaver/rdf/sparql/plan"
)

// path matches a property path (section 18.4) from a bound end, or else from every possible start node.
type path struct {
	x        *execution
	node     *plan.Path
	s, o     term
	where    place
	steps    source
	iris     map[string]quads.ID
	nullable bool

	starts  []quads.ID // still to try; one if an end is bound
	start   quads.ID
	ends    []quads.ID
	given   [2]quads.ID // bound values of the ends
	inverse bool        // ends are subjects
	target  quads.ID    // the only relevant end, 0: all
	bytes   int
}

func newPath(x *execution, n *plan.Path) *path {
	return &path{
		x: x, node: n, s: x.node(n.S), o: x.node(n.O), where: x.place(n.Graph),
		steps: source{x: x}, iris: map[string]quads.ID{}, nullable: plan.Nullable(n.Path),
	}
}

func (p *path) open() {
	p.starts, p.ends, p.target = p.starts[:0], nil, 0
	s, o := p.s.value(p.x), p.o.value(p.x)
	p.given = [2]quads.ID{s, o}
	if p.inverse = s == 0 && o != 0; p.inverse {
		s = o
	}
	if p.given[0] != 0 {
		p.target = o
	}
	switch {
	case s == 0 && p.nullable:
		p.starts = p.allNodes()
	case s == 0:
		p.starts = p.firsts()
	case p.node.Check && p.nullable && !p.isNode(s):
	default:
		p.starts = append(p.starts, s)
	}
	slices.Reverse(p.starts) // starts is used as a stack
}

func (p *path) next() bool {
	p.undo()
	for p.x.err == nil {
		if len(p.ends) == 0 {
			if len(p.starts) == 0 {
				break
			}
			p.x.keep(-p.bytes)
			p.bytes = 0
			p.start = p.starts[len(p.starts)-1]
			p.starts = p.starts[:len(p.starts)-1]
			if p.given == [2]quads.ID{} && p.s == p.o {
				p.target = p.start
			}
			p.ends = p.expand(p.node.Path, p.inverse, []quads.ID{p.start}, true)
			slices.Reverse(p.ends)
			continue
		}
		end := p.ends[len(p.ends)-1]
		p.ends = p.ends[:len(p.ends)-1]
		if p.target != 0 && end != p.target {
			continue
		}
		p.fill(end)
		return p.x.step()
	}
	return false
}

// fill writes the ends to the registers that were unbound.
func (p *path) fill(end quads.ID) {
	s, o := p.start, end
	if p.inverse {
		s, o = o, s
	}
	if p.given[0] == 0 {
		p.x.reg[p.s.slot] = s
	}
	if p.given[1] == 0 {
		p.x.reg[p.o.slot] = o
	}
}

func (p *path) undo() {
	if p.given[0] == 0 {
		p.x.reg[p.s.slot] = 0
	}
	if p.given[1] == 0 {
		p.x.reg[p.o.slot] = 0
	}
}

func (p *path) stop() { p.undo() }

// id returns the ID of a predicate.
func (p *path) id(iri string) quads.ID {
	id, ok := p.iris[iri]
	if !ok {
		id = p.x.id(rdf.NewIRI(iri))
		p.iris[iri] = id
	}
	return id
}

// expand returns the nodes that a path reaches from some nodes, with multiplicity. At the top level it may
// stop when it reaches the target.
func (p *path) expand(e algebra.PathExpr, inverse bool, from []quads.ID, top bool) (out []quads.ID) {
	switch e := e.(type) {
	case *algebra.PathIRI:
		for _, id := range from {
			out = p.step(out, id, p.id(e.IRI), nil, inverse)
		}
	case *algebra.PathNot:
		out = p.others(e, inverse, from)
	case *algebra.PathInverse:
		return p.expand(e.Path, !inverse, from, top)
	case *algebra.PathSequence:
		out = from
		for i := range e.Parts {
			part := e.Parts[i]
			if inverse {
				part = e.Parts[len(e.Parts)-1-i]
			}
			out = p.expand(part, inverse, out, false)
		}
		return out
	case *algebra.PathAlternative:
		for _, part := range e.Parts {
			out = append(out, p.expand(part, inverse, from, false)...)
		}
	case *algebra.PathRepeat:
		for _, id := range from {
			out = p.repeat(out, e, inverse, id, top)
		}
	}
	p.bytes += 8 * len(out)
	p.x.keep(8 * len(out))
	return out
}

// step appends the nodes one step away by a predicate, or by any predicate not in but.
func (p *path) step(out []quads.ID, from, predicate quads.ID, but []quads.ID, inverse bool) []quads.ID {
	pattern := quads.Pattern{S: from, P: predicate, O: quads.Any}
	if inverse {
		pattern.S, pattern.O = quads.Any, from
	}
	p.steps.seek(pattern, p.where)
	for p.steps.next() {
		switch q := p.steps.quad; {
		case slices.Contains(but, q.P):
		case inverse:
			out = append(out, q.S)
		default:
			out = append(out, q.O)
		}
	}
	return out
}

// others appends the nodes one step away by predicates outside a negated property set.
func (p *path) others(e *algebra.PathNot, inverse bool, from []quads.ID) (out []quads.ID) {
	for _, id := range from {
		if len(e.Forward) > 0 || len(e.Backward) == 0 {
			out = p.step(out, id, quads.Any, p.idsOf(e.Forward), inverse)
		}
		if len(e.Backward) > 0 {
			out = p.step(out, id, quads.Any, p.idsOf(e.Backward), !inverse)
		}
	}
	return out
}

func (p *path) idsOf(iris []string) []quads.ID {
	out := make([]quads.ID, len(iris))
	for i, iri := range iris {
		out[i] = p.id(iri)
	}
	return out
}

// repeat appends the nodes that a repeated path reaches, each once, nearest first.
func (p *path) repeat(out []quads.ID, e *algebra.PathRepeat, inverse bool, from quads.ID, top bool) []quads.ID {
	seen := map[quads.ID]bool{}
	add := func(id quads.ID) bool {
		if seen[id] {
			return false
		}
		seen[id] = true
		out = append(out, id)
		p.bytes += 48
		p.x.keep(48)
		return top && id == p.target
	}
	if e.Mark != '+' && add(from) {
		return out
	}
	first := len(out)
	for _, id := range p.expand(e.Path, inverse, []quads.ID{from}, false) {
		if add(id) {
			return out
		}
	}
	if e.Mark == '?' {
		return out
	}
	for at := first; at < len(out) && p.x.step(); at++ {
		for _, id := range p.expand(e.Path, inverse, out[at:at+1:at+1], false) {
			if add(id) {
				return out
			}
		}
	}
	return out
}

// isNode reports whether an ID is a subject or object in the graph.
func (p *path) isNode(id quads.ID) bool {
	p.steps.seek(quads.Pattern{S: id, P: quads.Any, O: quads.Any}, p.where)
	if p.steps.next() {
		return true
	}
	p.steps.seek(quads.Pattern{S: quads.Any, P: quads.Any, O: id}, p.where)
	return p.steps.next()
}

// allNodes returns the subjects and objects of the graph.
func (p *path) allNodes() []quads.ID {
	n := nodes{p: p, seen: map[quads.ID]bool{}}
	p.steps.seek(quads.Pattern{S: quads.Any, P: quads.Any, O: quads.Any}, p.where)
	for p.steps.next() {
		n.add(p.steps.quad.S)
		n.add(p.steps.quad.O)
	}
	return n.out
}

// firsts returns the nodes at which the first step of the path can start.
func (p *path) firsts() []quads.ID {
	n := nodes{p: p, seen: map[quads.ID]bool{}}
	n.first(p.node.Path, false)
	return n.out
}

// nodes is an ordered set of nodes.
type nodes struct {
	p    *path
	out  []quads.ID
	seen map[quads.ID]bool
}

func (n *nodes) add(id quads.ID) {
	if !n.seen[id] {
		n.seen[id] = true
		n.out = append(n.out, id)
		n.p.x.keep(48)
	}
}

func (n *nodes) first(e algebra.PathExpr, inverse bool) {
	switch e := e.(type) {
	case *algebra.PathIRI:
		n.sides(n.p.id(e.IRI), inverse)
	case *algebra.PathNot:
		if len(e.Forward) > 0 || len(e.Backward) == 0 {
			n.sides(quads.Any, inverse)
		}
		if len(e.Backward) > 0 {
			n.sides(quads.Any, !inverse)
		}
	case *algebra.PathInverse:
		n.first(e.Path, !inverse)
	case *algebra.PathAlternative:
		for _, part := range e.Parts {
			n.first(part, inverse)
		}
	case *algebra.PathRepeat:
		n.first(e.Path, inverse)
	case *algebra.PathSequence:
		for i := range e.Parts {
			part := e.Parts[i]
			if inverse {
				part = e.Parts[len(e.Parts)-1-i]
			}
			if n.first(part, inverse); !plan.Nullable(part) {
				return
			}
		}
	}
}

// sides adds the subjects of a predicate, or the objects.
func (n *nodes) sides(predicate quads.ID, inverse bool) {
	n.p.steps.seek(quads.Pattern{S: quads.Any, P: predicate, O: quads.Any}, n.p.where)
	for n.p.steps.next() {
		if inverse {
			n.add(n.p.steps.quad.O)
		} else {
			n.add(n.p.steps.quad.S)
		}
	}
}
