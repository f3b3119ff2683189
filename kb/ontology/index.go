package ontology

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"orbweaver/rdf"
)

// A node is the number of an IRI or blank node of the documents, in the order of first occurrence.
type node int32

const (
	none    node = -1 // no node
	unknown node = -2 // one that the documents do not have
)

// An index numbers the nodes: an IRI has its own name, a blank node "_:", the document's number, ":" and its label.
type index struct {
	list   []string
	roles  []role // by node, as a predicate
	shared map[string]node
	own    map[string]node // what shared lacks
	recent [256]struct {
		name string
		node node
	} // names looked up last: subjects, predicates and classes repeat
}

func newIndex() *index { return &index{own: map[string]node{}} }

// freeze ends the adding of names: clones share what there is.
func (n *index) freeze() { n.shared, n.own = n.own, map[string]node{} }

// clone copies frozen names, so that names can be added to the copy.
func (n *index) clone() *index {
	return &index{list: slices.Clip(n.list), roles: slices.Clip(n.roles), shared: n.shared, own: maps.Clone(n.own)}
}

// find returns the node of a name.
func (n *index) find(name string) (node, bool) {
	if i, ok := n.shared[name]; ok {
		return i, true
	}
	i, ok := n.own[name]
	return i, ok
}

// of returns the node of a name, which is new if it is unknown.
func (n *index) of(name string) node {
	at := &n.recent[slot(name)]
	if name == at.name && name != "" {
		return at.node
	}
	i, ok := n.find(name)
	if !ok {
		i = node(len(n.list))
		n.list, n.roles = with(n.list, name), with(n.roles, roleOf(name))
		n.own[name] = i
	}
	at.name, at.node = name, i
	return i
}

// slot hashes the length and the end of a name: IRIs of one namespace differ there.
func slot(name string) (h uint8) {
	for i := max(0, len(name)-8); i < len(name); i++ {
		h = h*31 + name[i]
	}
	return h + uint8(len(name))
}

// with appends a value to a list, whose capacity doubles: append would copy a long one more often.
func with[T any](list []T, v T) []T {
	if len(list) == cap(list) {
		list = slices.Grow(list, max(len(list), 4))
	}
	return append(list, v)
}

// nameOf returns the name of a term of the document with a number.
func nameOf(t rdf.Term, document int) string {
	if t.Kind == rdf.Blank {
		return "_:" + strconv.Itoa(document) + ":" + t.Value
	}
	return t.Value
}

func blank(name string) bool { return strings.HasPrefix(name, "_:") }
