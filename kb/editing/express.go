package editing

import (
	"strings"

	"orbweaver/rdf"
)

// Bounds of the words for a class without a name.
const (
	maxDepth = 6   // of nesting
	maxParts = 300 // of nodes and members: lists may share parts, and lead back into themselves
)

// express puts a class without a name into words, in the manner of the Manchester syntax.
func (d *Draft) express(node rdf.Term) string {
	e := expression{d, maxParts}
	return e.of(node, maxDepth)
}

// An expression is being put into words.
type expression struct {
	d    *Draft
	left int // nodes and members that may still be looked at
}

// of puts a node into words.
func (e *expression) of(node rdf.Term, depth int) string {
	if node.Kind != rdf.Blank {
		if node.Kind == rdf.Literal {
			return node.Value
		}
		return e.d.g.name(node.Value)
	}
	if e.left--; depth == 0 || e.left < 0 {
		return "…"
	}
	property, what := "", ""
	for _, l := range e.d.g.out[node] {
		name := l.predicate[strings.LastIndexByte(l.predicate, '#')+1:]
		switch name {
		case "onProperty":
			property = e.d.g.name(l.to.Value)
		case "someValuesFrom":
			what += " some " + e.of(l.to, depth-1)
		case "allValuesFrom":
			what += " only " + e.of(l.to, depth-1)
		case "hasValue":
			what += " value " + e.of(l.to, depth-1)
		case "onClass":
			what += " of " + e.of(l.to, depth-1)
		case "cardinality", "minCardinality", "maxCardinality", "qualifiedCardinality", "minQualifiedCardinality", "maxQualifiedCardinality":
			what = " " + strings.TrimSuffix(strings.TrimSuffix(strings.ToLower(name), "cardinality"), "qualified") + " " + l.to.Value + what
		case "unionOf":
			what += e.members(l.to, " or ", depth-1)
		case "intersectionOf":
			what += e.members(l.to, " and ", depth-1)
		case "complementOf":
			what += "not " + e.of(l.to, depth-1)
		case "oneOf":
			what += "one of " + e.members(l.to, ", ", depth-1)
		}
	}
	if text := strings.Join(strings.Fields(property+what), " "); text != "" {
		return text
	}
	return "a class without a name"
}

// members puts a list into words.
func (e *expression) members(list rdf.Term, between string, depth int) string {
	var all []string
	for len(all) < shown && list.Kind == rdf.Blank {
		if e.left--; e.left < 0 {
			all = append(all, "…")
			break
		}
		next := rdf.Term{}
		for _, l := range e.d.g.out[list] {
			switch l.predicate {
			case "http://www.w3.org/1999/02/22-rdf-syntax-ns#first":
				all = append(all, e.of(l.to, depth))
			case "http://www.w3.org/1999/02/22-rdf-syntax-ns#rest":
				next = l.to
			}
		}
		list = next
	}
	return "(" + strings.Join(all, between) + ")"
}
