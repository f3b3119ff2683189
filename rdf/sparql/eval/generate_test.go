package eval_test

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"orbweaver/rdf"
)

// A maker makes random queries and data with few terms, so that many match.
type maker struct {
	r     *rand.Rand
	fresh int // variables introduced by BIND and sub-queries
}

func (m *maker) pick(of ...string) string { return of[m.r.IntN(len(of))] }

func (m *maker) one(in int) bool { return m.r.IntN(in) == 0 }

// data returns a small dataset.
func (m *maker) data() (out []rdf.Quad) {
	iri := func(s string) rdf.Term { return rdf.NewIRI("u:" + s) }
	node := func() rdf.Term {
		if m.one(6) {
			return rdf.NewBlank(m.pick("b1", "b2"))
		}
		return iri(m.pick("a", "b", "c", "d", "g1"))
	}
	for range 4 + m.r.IntN(14) {
		q := rdf.Quad{S: node(), P: iri(m.pick("p", "p", "q", "r")), O: node()}
		switch m.r.IntN(8) {
		case 0, 1:
			q.O = rdf.NewTyped(m.pick("1", "2", "3"), rdf.XSDInteger)
		case 2:
			q.O = m.literal()
		}
		if m.one(8) {
			q.O = rdf.NewTripleTerm(rdf.Triple{S: node(), P: iri(m.pick("p", "q")), O: q.O})
		}
		switch m.r.IntN(5) {
		case 0:
			q.G = iri("g1")
		case 1:
			q.G = iri("g2")
		}
		out = append(out, q)
		if m.one(5) { // in another graph, too
			q.G = iri(m.pick("g1", "g2"))
			out = append(out, q)
		}
	}
	return out
}

func (m *maker) literal() rdf.Term {
	switch m.r.IntN(5) {
	case 0:
		return rdf.NewDirLang("x", m.pick("en", "EN", "de"), rdf.Direction(m.r.IntN(3)))
	case 1:
		return rdf.NewTyped("2.5", rdf.XSDDecimal)
	case 2:
		return rdf.NewTyped("true", rdf.XSDBoolean)
	case 3:
		return rdf.NewTyped("x", "u:type")
	}
	return rdf.NewString(m.pick("x", "a longer string", ""))
}

func (m *maker) variable() string { return m.pick("?x", "?y", "?z", "?w", "?x", "?y") }

func (m *maker) subject() string {
	if m.one(4) {
		return m.pick(":a", ":b", ":c", ":d", ":nowhere")
	}
	return m.variable()
}

func (m *maker) object() string {
	switch m.r.IntN(8) {
	case 0:
		return m.pick(":a", ":b", ":c")
	case 1:
		return m.pick("1", "2", `"x"`, `"x"@en`, `"x"@eN`)
	}
	return m.variable()
}

func (m *maker) triple() string {
	verb := m.pick(":p", ":p", ":q", ":r", "?v", "a")
	if m.one(4) {
		verb = m.path(2)
	}
	o := m.object()
	if m.one(12) {
		o = "[ " + m.pick(":p", ":q") + " " + m.object() + " ]"
	}
	if m.one(12) {
		o = m.term(2)
	}
	return m.subject() + " " + verb + " " + o + " . "
}

// term returns a triple term.
func (m *maker) term(depth int) string {
	o := m.object()
	if depth > 0 && m.one(4) {
		o = m.term(depth - 1)
	}
	return "<<( " + m.subject() + " " + m.pick(":p", ":q", "?v") + " " + o + " )>>"
}

func (m *maker) path(depth int) string {
	if depth == 0 {
		return m.pick(":p", ":q", ":r")
	}
	switch m.r.IntN(7) {
	case 0:
		return "^(" + m.path(depth-1) + ")"
	case 1:
		return "(" + m.path(depth-1) + "/" + m.path(depth-1) + ")"
	case 2:
		return "(" + m.path(depth-1) + "|" + m.path(depth-1) + ")"
	case 3:
		return m.pick("!:p", "!(:p|:q)", "!^:p", "!(:p|^:q)", "!(^:r|:p)")
	case 4:
		return ":p"
	}
	return "(" + m.path(depth-1) + ")" + m.pick("*", "+", "?")
}

// group returns the content of braces.
func (m *maker) group(depth int) string {
	var b strings.Builder
	b.WriteString("{ ")
	for range m.r.IntN(3) + 1 {
		b.WriteString(m.element(depth))
	}
	b.WriteString("} ")
	return b.String()
}

func (m *maker) element(depth int) string {
	if depth == 0 {
		return m.triple()
	}
	switch m.r.IntN(18) {
	case 0, 1:
		return "OPTIONAL " + m.group(depth-1)
	case 2:
		return "MINUS " + m.group(depth-1)
	case 3:
		return m.group(depth-1) + "UNION " + m.group(depth-1)
	case 4, 5:
		return "GRAPH " + m.pick("?x", "?g", "?g", ":g1", ":g2", ":g3") + " " + m.group(depth-1)
	case 6, 7:
		return "FILTER(" + m.expr(2, depth) + ") "
	case 8:
		m.fresh++
		return fmt.Sprintf("BIND(%s AS %s) ", m.expr(2, depth), m.pick("?w", "?z", fmt.Sprintf("?n%d", m.fresh)))
	case 9:
		return m.values()
	case 10:
		return m.group(depth - 1)
	case 11:
		return "{ " + m.selection(depth-1) + "} "
	}
	return m.triple()
}

func (m *maker) values() string {
	row := func() string { return m.pick(":a", ":b", ":c", "1", "2", "UNDEF", `"x"`, `"x"@En`, ":g1") }
	if m.one(2) {
		return fmt.Sprintf("VALUES %s { %s %s } ", m.variable(), row(), row())
	}
	return fmt.Sprintf("VALUES (?x ?y) { (%s %s) (%s %s) } ", row(), row(), row(), row())
}

func (m *maker) expr(depth, groups int) string {
	if depth == 0 {
		if m.one(3) {
			return m.pick("1", "2", ":a", ":b", `"x"`, `"x"@EN`, "2.5", "true")
		}
		return m.variable()
	}
	e := func() string { return m.expr(depth-1, groups) }
	switch m.r.IntN(16) {
	case 0:
		return "(" + e() + " && " + e() + ")"
	case 1:
		return "(" + e() + " || " + e() + ")"
	case 2:
		return "!(" + e() + ")"
	case 3:
		return "bound(" + m.variable() + ")"
	case 4, 5:
		return "(" + e() + m.pick(" < ", " > ", " <= ", " >= ") + e() + ")"
	case 6:
		return "(" + e() + " " + m.pick("IN", "NOT IN") + " (" + e() + ", " + e() + "))"
	case 7:
		return "(" + e() + m.pick(" + ", " - ", " * ") + e() + ")"
	case 8:
		return m.pick("COALESCE", "sameTerm") + "(" + e() + ", " + e() + ")"
	case 9:
		return "IF(" + e() + ", " + e() + ", " + e() + ")"
	case 10:
		return m.pick("STR", "isIRI", "isLiteral", "DATATYPE", "LANG", "isBlank", "isNumeric", "isTRIPLE", "SUBJECT", "OBJECT", "LANGDIR") + "(" + e() + ")"
	case 11:
		if groups > 0 {
			return m.pick("EXISTS ", "NOT EXISTS ") + m.group(groups-1)
		}
	}
	return "(" + e() + m.pick(" = ", " = ", " != ") + e() + ")"
}

// selection returns a SELECT query. With LIMIT or OFFSET, all selected variables are sort keys, so that the
// result is unique.
func (m *maker) selection(depth int) string {
	if m.one(3) {
		return m.aggregation(depth)
	}
	vars := m.pick("?x", "?x ?y", "?y ?z", "?x ?y ?z ?w", "?z")
	q := "SELECT " + m.pick("", "", "DISTINCT ") + vars
	if m.one(4) {
		m.fresh++
		q += fmt.Sprintf(" (%s AS ?n%d)", m.expr(1, 0), m.fresh)
	}
	q += " WHERE " + m.group(depth)
	switch {
	case strings.Contains(q, " AS ?n"):
	case m.one(3):
		q += "ORDER BY " + m.pick("", "DESC") + "(" + strings.Join(strings.Fields(vars), ") (") + ") "
		if m.one(2) {
			q += m.pick("LIMIT 2 ", "OFFSET 1 ", "LIMIT 3 OFFSET 1 ", "LIMIT 0 ")
		}
	}
	if m.one(12) {
		q += m.values()
	}
	return q
}

func (m *maker) aggregation(depth int) string {
	m.fresh++
	arg := m.pick("*", "DISTINCT *", "?y", "DISTINCT ?y", "?z + 1")
	agg := "COUNT(" + arg + ")"
	if m.one(2) {
		agg = m.pick("SUM", "MIN", "MAX", "AVG") + "(" + m.pick("?y", "DISTINCT ?y", "?z", "DISTINCT ?z + ?y") + ")"
	}
	q := fmt.Sprintf("SELECT (%s AS ?n%d) WHERE ", agg, m.fresh)
	if m.one(3) {
		return q + m.group(depth)
	}
	key := m.pick("?x", "?x ?w", "?w")
	q = fmt.Sprintf("SELECT %s (%s AS ?n%d) WHERE %s GROUP BY %s ", key, agg, m.fresh, m.group(depth), key)
	if m.one(3) {
		q += "HAVING (COUNT(*) > 1) "
	}
	return q
}

// query returns a query that may be invalid, for example by binding a variable twice.
func (m *maker) query() string {
	q := "PREFIX : <u:> "
	if m.one(8) {
		return q + "ASK " + m.group(3)
	}
	s := m.selection(3)
	if m.one(3) {
		s = "SELECT * WHERE " + m.group(3)
	}
	if m.one(8) {
		s = strings.Replace(s, "WHERE", m.pick("FROM :g1", "FROM :g1 FROM :g2", "FROM :g1 FROM NAMED :g2", "FROM NAMED :g3 FROM NAMED :g1")+" WHERE", 1)
	}
	return q + s
}

// update returns an update that may be invalid.
func (m *maker) update() string {
	q := "PREFIX : <u:> "
	template := func() string {
		o := m.object()
		if m.one(6) {
			o = m.term(1)
		}
		t := m.subject() + " " + m.pick(":p", ":q", ":r", "?v") + " " + o + " . "
		if m.one(3) {
			return "GRAPH " + m.pick(":g1", ":g2", "?g") + " { " + t + "} "
		}
		return t
	}
	for range m.r.IntN(3) + 1 {
		switch m.r.IntN(10) {
		case 0:
			q += m.pick("CLEAR", "DROP") + " SILENT " + m.pick("DEFAULT", "NAMED", "ALL", "GRAPH :g1")
		case 1:
			q += m.pick("COPY", "MOVE", "ADD") + " SILENT " + m.pick("DEFAULT", ":g1", ":g3") + " TO " + m.pick("DEFAULT", ":g1", ":g2")
		case 2:
			q += "INSERT DATA { :a :p :n . GRAPH :g1 { :b :q 7 } }"
		case 3:
			q += "DELETE DATA { :a :p :b . :b :q 1 . GRAPH :g1 { :a :p :b } }"
		case 4:
			q += "DELETE WHERE { " + template() + template() + "}"
		default:
			q += m.pick("", "", "WITH :g1 ")
			if m.one(2) {
				q += "DELETE { " + template() + "} "
			}
			q += "INSERT { " + template() + template() + "} " + m.pick("", "", "USING :g1 ") + "WHERE " + m.group(2)
		}
		q += " ;\n"
	}
	return q
}
