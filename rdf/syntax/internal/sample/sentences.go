package sample

import (
	"fmt"
	"strings"
)

// sentences writes Turtle, or TriG with a graph for every 50 nodes.
type sentences struct {
	graphs bool
	nodes  int
}

// appendPrefixes appends the declarations.
func appendPrefixes(b []byte) []byte {
	for _, s := range spaces {
		b = fmt.Appendf(b, "@prefix %s: <%s> .\n", s[0], s[1])
	}
	return b
}

// node appends a node.
func (t *sentences) node(b []byte, n *node) []byte {
	if t.graphs && t.nodes%50 == 0 {
		if t.nodes > 0 {
			b = append(b, "}\n"...)
		}
		b = fmt.Appendf(b, "\n<http://data.example.org/graph/%d> {\n", t.nodes/50)
	}
	t.nodes++
	b = append(b, '\n')
	b = append(b, compact(n.id)...)
	return append(facts(b, n, 1), " .\n"...)
}

// facts appends what is said of a node, indented.
func facts(b []byte, n *node, depth int) []byte {
	b = fmt.Appendf(b, " a %s", n.class)
	for _, f := range n.facts {
		b = append(append(b, " ;\n"...), strings.Repeat("    ", depth)...)
		b = fmt.Append(b, f.property)
		for i, v := range f.values {
			if i > 0 {
				b = append(b, " ,"...)
			}
			b = object(append(b, ' '), v, depth)
		}
	}
	return b
}

// object appends a value.
func object(b []byte, v value, depth int) []byte {
	switch {
	case v.node != nil:
		return append(facts(append(b, '['), v.node, depth+1), " ]"...)
	case v.items != nil:
		b = append(b, '(')
		for _, item := range v.items {
			b = append(append(b, ' '), compact(item.iri)...)
		}
		return append(b, " )"...)
	case v.iri != "":
		return append(b, compact(v.iri)...)
	case v.datatype.local == "integer" || v.datatype.local == "boolean" || v.datatype.local == "decimal":
		return append(b, v.text...)
	case strings.Contains(v.text, "\n") && len(v.text) > 100:
		return append(b, `"""`+long.Replace(v.text)+`"""@`+v.lang...)
	}
	return append(b, literal(v, v.datatype.String())...)
}

// String is the name as Turtle has it.
func (n name) String() string { return n.prefix + ":" + n.local }

// compact is an IRI or a label as it is written.
func compact(id string) string {
	if local, ok := strings.CutPrefix(id, name{prefix: "res"}.iri()); ok {
		return "res:" + local
	}
	return reference(id)
}
