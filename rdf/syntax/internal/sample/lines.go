package sample

import (
	"fmt"
	"strings"
)

// lines writes N-Triples, or N-Quads with a graph for every 50 nodes.
type lines struct {
	graphs bool
	nodes  int
	inner  int // nodes within others, and cells of lists, so far
}

// node appends a node.
func (l *lines) node(b []byte, n *node) []byte {
	l.nodes++
	return l.facts(b, n.id, n)
}

// facts appends what is said of a node.
func (l *lines) facts(b []byte, id string, n *node) []byte {
	b = l.statement(b, id, name{"rdf", "type"}, "<"+n.class.iri()+">")
	for _, f := range n.facts {
		for _, v := range f.values {
			b = l.value(b, id, f.property, v)
		}
	}
	return b
}

// value appends a statement, and what belongs to its object.
func (l *lines) value(b []byte, id string, p name, v value) []byte {
	switch {
	case v.node != nil:
		inner := l.fresh()
		return l.facts(l.statement(b, id, p, inner), inner, v.node)
	case v.items != nil:
		for _, item := range v.items {
			cell := l.fresh()
			b = l.statement(b, id, p, cell)
			b = l.value(b, cell, name{"rdf", "first"}, item)
			id, p = cell, name{"rdf", "rest"}
		}
		return l.statement(b, id, p, "<"+name{"rdf", "nil"}.iri()+">")
	case v.iri != "":
		return l.statement(b, id, p, reference(v.iri))
	}
	return l.statement(b, id, p, literal(v, "<"+v.datatype.iri()+">"))
}

// fresh is the label of a node that has none.
func (l *lines) fresh() string {
	l.inner++
	return fmt.Sprintf("_:inner%d", l.inner)
}

// statement appends a line.
func (l *lines) statement(b []byte, s string, p name, o string) []byte {
	b = fmt.Appendf(b, "%s <%s> %s", reference(s), p.iri(), o)
	if l.graphs {
		b = fmt.Appendf(b, " <http://data.example.org/graph/%d>", l.nodes/50)
	}
	return append(b, " .\n"...)
}

// reference is an IRI or a label as it is written.
func reference(id string) string {
	if strings.HasPrefix(id, "_:") {
		return id
	}
	return "<" + id + ">"
}

// short escapes what a string in quotes has to, long what one in three quotes has to.
var (
	short = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)
	long  = strings.NewReplacer(`\`, `\\`, `"`, `\"`)
)

// literal is a text in quotes, with its language or datatype.
func literal(v value, datatype string) string {
	quoted := `"` + short.Replace(v.text) + `"`
	switch {
	case v.lang != "":
		return quoted + "@" + v.lang
	case v.datatype.local != "":
		return quoted + "^^" + datatype
	}
	return quoted
}
