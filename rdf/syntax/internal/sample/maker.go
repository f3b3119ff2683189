package sample

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// A node is something described.
type node struct {
	id    string // IRI, or a label with "_:"; empty: it stands within another
	class name
	facts []fact
}

// A fact is a property with its values.
type fact struct {
	property name
	values   []value
}

// A value is what a property says: one of its fields, or a text with a language or datatype.
type value struct {
	iri   string // or a label with "_:"
	node  *node
	items []value // of a list

	text, lang string
	datatype   name
}

// A name is in a vocabulary.
type name struct{ prefix, local string }

// spaces are the vocabularies by prefix, in order.
var spaces = [...][2]string{
	{"rdf", "http://www.w3.org/1999/02/22-rdf-syntax-ns#"},
	{"rdfs", "http://www.w3.org/2000/01/rdf-schema#"},
	{"xsd", "http://www.w3.org/2001/XMLSchema#"},
	{"dct", "http://purl.org/dc/terms/"},
	{"schema", "https://schema.org/"},
	{"onto", "http://data.example.org/ontology/"},
	{"res", "http://data.example.org/resource/"},
}

// iri is the name in full.
func (n name) iri() string {
	for _, s := range spaces {
		if s[0] == n.prefix {
			return s[1] + n.local
		}
	}
	return n.local
}

// words are what texts are made of.
var words = strings.Fields(`the of and to in a is that for it as was with be by on not he his but at are this have
	from or had an they which one you were all her would there their will when who him been has more if no out so
	aircraft engine wing museum river catalogue author edition volume landscape harbour cathedral instrument
	Zürich café naïve Łódź Москва 東京 Αθήνα übergänge señor`)

// A maker makes nodes.
type maker struct {
	r    *rand.Rand
	made int
}

// node makes the next node.
func (m *maker) node() *node {
	m.made++
	n := &node{id: m.id(m.made), class: m.local("onto", "Class", 40)}
	n.facts = append(n.facts, fact{name{"rdfs", "label"}, m.labels()})
	for range 2 + m.r.IntN(8) {
		n.facts = append(n.facts, m.fact(0))
	}
	return n
}

// id is the nth node's.
func (m *maker) id(n int) string {
	switch n % 20 {
	case 0, 7:
		return fmt.Sprintf("_:b%d", n)
	case 3, 11, 13:
		return fmt.Sprintf("https://www.example.com/catalogue/items/%d#this", n)
	case 17:
		return fmt.Sprintf("urn:uuid:6e8bc430-9c3a-11d9-9669-%012x", n)
	case 5:
		return fmt.Sprintf("http://data.example.org/resource/Zürich_%d", n)
	}
	return fmt.Sprintf("http://data.example.org/resource/Thing_%s_%d", words[n%40], n)
}

// local is one of some names.
func (m *maker) local(prefix, start string, of int) name {
	return name{prefix, fmt.Sprint(start, m.r.IntN(of))}
}

// labels are a short text in some languages.
func (m *maker) labels() (values []value) {
	for _, lang := range []string{"en", "de", "zh-Hans"}[:1+m.r.IntN(3)] {
		values = append(values, value{text: m.text(1, 5, false), lang: lang})
	}
	return values
}

// fact makes a property; depth counts the nodes it is in.
func (m *maker) fact(depth int) fact {
	f := fact{property: m.local([]string{"onto", "schema", "dct"}[m.r.IntN(3)], "property", 20)}
	for range 1 + max(0, m.r.IntN(6)-3) {
		f.values = append(f.values, m.value(depth))
	}
	return f
}

// value makes any value.
func (m *maker) value(depth int) value {
	switch kind := m.r.IntN(20); {
	case kind < 7:
		return value{iri: m.id(1 + m.r.IntN(m.made))}
	case kind < 8:
		return value{iri: fmt.Sprintf("http://other%d.example.net/page/%d?lang=en&view=%d", m.r.IntN(20), m.r.IntN(1e6), m.r.IntN(9))}
	case kind < 10:
		return value{text: m.text(1, 6, false)}
	case kind < 12:
		return value{text: m.text(1, 6, true), lang: "en"}
	case kind < 13:
		return value{text: m.text(20, 80, true), lang: "en"}
	case kind < 18 || depth > 2:
		return m.typed()
	case kind < 19:
		inner := &node{class: m.local("schema", "Part", 10)}
		for range 1 + m.r.IntN(3) {
			inner.facts = append(inner.facts, m.fact(depth+1))
		}
		return value{node: inner}
	}
	list := value{items: []value{}}
	for range m.r.IntN(5) {
		list.items = append(list.items, value{iri: m.id(1 + m.r.IntN(m.made))})
	}
	return list
}

// typed makes a value with a datatype.
func (m *maker) typed() value {
	switch m.r.IntN(6) {
	case 0:
		return value{text: fmt.Sprintf("%d-%02d-%02d", 1900+m.r.IntN(120), 1+m.r.IntN(12), 1+m.r.IntN(28)), datatype: name{"xsd", "date"}}
	case 1:
		return value{text: fmt.Sprintf("%.4f", m.r.Float64()*1000), datatype: name{"xsd", "decimal"}}
	case 2:
		return value{text: fmt.Sprintf("%.3E", m.r.Float64()*1e6), datatype: name{"xsd", "double"}}
	case 3:
		return value{text: fmt.Sprint(m.r.IntN(2) == 0), datatype: name{"xsd", "boolean"}}
	}
	return value{text: fmt.Sprint(m.r.IntN(100000)), datatype: name{"xsd", "integer"}}
}

// text makes a text of some words, and with marks some characters that have to be escaped.
func (m *maker) text(least, most int, marks bool) string {
	var b []byte
	for i := range least + m.r.IntN(most-least+1) {
		if i > 0 {
			b = append(b, ' ')
		}
		b = append(b, words[m.r.IntN(len(words))]...)
		if marks && m.r.IntN(10) == 0 {
			b = append(b, []string{"\"", "\\", "\n", " & ", " <b>", ",", "."}[m.r.IntN(7)]...)
		}
	}
	return string(b)
}
