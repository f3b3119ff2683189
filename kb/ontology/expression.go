package ontology

// maxNesting bounds the nesting of anonymous classes.
const maxNesting = 32

// An expression is the meaning of an anonymous class: the named classes it consists of, and the relations
// that its restrictions require.
type expression struct {
	named     []node
	relations []part // property, filler
	union     bool   // named are alternatives
}

// expand resolves a node in the position of a class. A named class resolves to itself. An anonymous class
// resolves to the members of its union or intersection, and a restriction (someValuesFrom, allValuesFrom,
// onClass) to the property with its filler; other constructs, such as complements, do not say what the class
// is and are skipped.
func (g *gatherer) expand(n node) expression {
	var x expression
	if !g.blank(n) {
		x.named = []node{n}
		return x
	}
	g.expandInto(&x, n, map[node]bool{}, 0)
	return x
}

func (g *gatherer) expandInto(x *expression, n node, seen map[node]bool, depth int) {
	switch {
	case seen[n] || depth > maxNesting:
		return
	case !g.blank(n):
		seen[n] = true
		x.named = append(x.named, n)
		return
	}
	seen[n] = true
	property := none
	var fillers []node
	for _, p := range g.parts[n] {
		switch predicate := g.name(p.predicate); predicate {
		case nsOWL + "unionOf", nsOWL + "intersectionOf":
			x.union = x.union || depth == 0 && predicate == nsOWL+"unionOf"
			for _, member := range g.list(p.object) {
				g.expandInto(x, member, seen, depth+1)
			}
		case nsOWL + "onProperty":
			property = p.object
		case nsOWL + "someValuesFrom", nsOWL + "allValuesFrom", nsOWL + "onClass":
			fillers = append(fillers, p.object)
		}
	}
	g.restrict(x, property, fillers, seen, depth)
}

// restrict adds the relations of one restriction.
func (g *gatherer) restrict(x *expression, property node, fillers []node, seen map[node]bool, depth int) {
	if property == none || g.blank(property) {
		return
	}
	for _, f := range fillers {
		var filler expression
		within := seen
		if !g.blank(f) {
			within = map[node]bool{} // a class may occur in several restrictions
		}
		g.expandInto(&filler, f, within, depth+1)
		for _, class := range filler.named {
			x.relations = append(x.relations, part{property, class})
		}
	}
}

// list returns the members of an RDF collection; cycles end it.
func (g *gatherer) list(head node) []node {
	var members []node
	for seen := map[node]bool{}; !seen[head]; {
		seen[head] = true
		next := head
		for _, p := range g.parts[head] {
			if g.name(p.predicate) == nsRDF+"first" {
				members = append(members, p.object)
			} else if g.name(p.predicate) == nsRDF+"rest" {
				next = p.object
			}
		}
		head = next
	}
	return members
}
