package ontology

// maxNesting bounds the nesting of anonymous classes.
const maxNesting = 32

// An expression is the meaning of an anonymous class: the named classes it consists of, and the relations
// that its restrictions require.
type expression struct {
	named     []string
	relations []part // property, filler
	union     bool   // named are alternatives
}

// expand resolves a node in the position of a class. A named class resolves to itself. An anonymous class
// resolves to the members of its union or intersection, and a restriction (someValuesFrom, allValuesFrom,
// onClass) to the property with its filler; other constructs, such as complements, do not say what the class
// is and are skipped.
func (g *gatherer) expand(node string) expression {
	var x expression
	if !blank(node) {
		x.named = []string{node}
		return x
	}
	g.expandInto(&x, node, map[string]bool{}, 0)
	return x
}

func (g *gatherer) expandInto(x *expression, node string, seen map[string]bool, depth int) {
	switch {
	case seen[node] || depth > maxNesting:
		return
	case !blank(node):
		seen[node] = true
		x.named = append(x.named, node)
		return
	}
	seen[node] = true
	var property string
	var fillers []string
	for _, p := range g.parts[node] {
		switch p.predicate {
		case nsOWL + "unionOf", nsOWL + "intersectionOf":
			x.union = x.union || depth == 0 && p.predicate == nsOWL+"unionOf"
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
func (g *gatherer) restrict(x *expression, property string, fillers []string, seen map[string]bool, depth int) {
	if property == "" || blank(property) {
		return
	}
	for _, f := range fillers {
		var filler expression
		within := seen
		if !blank(f) {
			within = map[string]bool{} // a class may occur in several restrictions
		}
		g.expandInto(&filler, f, within, depth+1)
		for _, class := range filler.named {
			x.relations = append(x.relations, part{property, class})
		}
	}
}

// list returns the members of an RDF collection; cycles end it.
func (g *gatherer) list(head string) []string {
	var members []string
	for seen := map[string]bool{}; !seen[head]; {
		seen[head] = true
		next := head
		for _, p := range g.parts[head] {
			if p.predicate == nsRDF+"first" {
				members = append(members, p.object)
			} else if p.predicate == nsRDF+"rest" {
				next = p.object
			}
		}
		head = next
	}
	return members
}
