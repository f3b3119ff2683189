package syntax

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"orbweaver/rdf"
)

// String formats the query; parsing it gives the same tree except for positions.
func (q *Query) String() string {
	p := newPrinter(q.Prologue)
	p.prologue(q.Prologue)
	switch q.Form {
	case SelectForm:
		p.items(&q.Select)
	case ConstructForm:
		p.put("CONSTRUCT ")
		p.block(func() { p.triples(q.Template) })
	case DescribeForm:
		p.put("DESCRIBE")
		for _, n := range q.Describe {
			p.put(" " + p.node(n))
		}
		if q.Describe == nil {
			p.put(" *")
		}
	case AskForm:
		p.put("ASK")
	}
	p.dataset("FROM", q.Dataset)
	p.body(&q.Select)
	return p.b.String() + "\n"
}

// String formats the update; parsing it gives the same tree except for positions.
func (u *Update) String() string {
	p := newPrinter(u.Prologue)
	base := u.Base
	for _, op := range slices.Backward(u.Operations) { // the base of the first that has one
		if m, ok := op.(*Modify); ok {
			base = m.Base
		}
	}
	p.prologue(Prologue{base, u.Prefixes})
	for i, op := range u.Operations {
		if i > 0 {
			p.put(" ;\n")
		}
		if m, ok := op.(*Modify); ok && m.Base != base {
			base = m.Base
			p.put("BASE <" + base + ">\n")
		}
		p.operation(op)
	}
	if base != u.Base {
		p.put(" ;\nBASE <" + u.Base + ">")
	}
	return p.b.String() + "\n"
}

// String formats the group with full IRIs, so that it can be embedded in another query.
func (g *Group) String() string {
	p := newPrinter(Prologue{})
	p.group(g)
	return p.b.String()
}

// Text formats a term in SPARQL, with full IRIs.
func Text(t rdf.Term) string { return newPrinter(Prologue{}).term(t) }

// PathText formats a path in SPARQL, with full IRIs.
func PathText(path Path) string { return newPrinter(Prologue{}).path(path) }

// A printer formats trees.
type printer struct {
	b        strings.Builder
	indent   int
	prefixes map[string]string // by namespace
}

func newPrinter(pro Prologue) *printer {
	p := &printer{prefixes: map[string]string{}}
	for _, prefix := range slices.Sorted(maps.Keys(pro.Prefixes)) {
		if _, taken := p.prefixes[pro.Prefixes[prefix]]; !taken {
			p.prefixes[pro.Prefixes[prefix]] = prefix
		}
	}
	return p
}

func (p *printer) put(s string) { p.b.WriteString(s) }

// line starts a new line.
func (p *printer) line() { p.put("\n" + strings.Repeat("  ", min(p.indent, 20))) }

// block writes braces around the lines of body.
func (p *printer) block(body func()) {
	p.put("{")
	p.indent++
	body()
	p.indent--
	p.line()
	p.put("}")
}

func (p *printer) prologue(pro Prologue) {
	if pro.Base != "" {
		p.put("BASE <" + pro.Base + ">\n")
	}
	for _, prefix := range slices.Sorted(maps.Keys(pro.Prefixes)) {
		p.put("PREFIX " + prefix + ": <" + pro.Prefixes[prefix] + ">\n")
	}
}

// items writes SELECT and what is selected.
func (p *printer) items(s *Select) {
	p.put("SELECT")
	switch {
	case s.Distinct:
		p.put(" DISTINCT")
	case s.Reduced:
		p.put(" REDUCED")
	}
	if s.Star {
		p.put(" *")
		return
	}
	for _, item := range s.Items {
		if item.Expr == nil {
			p.put(" ?" + item.Var)
			continue
		}
		p.put(" (")
		p.expr(item.Expr)
		p.put(" AS ?" + item.Var + ")")
	}
}

func (p *printer) dataset(keyword string, d Dataset) {
	for _, iri := range d.Default {
		p.line()
		p.put(keyword + " " + p.iri(iri))
	}
	for _, iri := range d.Named {
		p.line()
		p.put(keyword + " NAMED " + p.iri(iri))
	}
}

// body writes the pattern and what follows it.
func (p *printer) body(s *Select) {
	if s.Where != nil {
		p.line()
		p.put("WHERE ")
		p.group(s.Where)
	}
	if s.GroupBy != nil {
		p.clause("GROUP BY")
		for _, key := range s.GroupBy {
			as := ""
			if key.Var != "" {
				as = " AS ?" + key.Var
			}
			p.key(" ", key.Expr, as)
		}
	}
	if s.Having != nil {
		p.clause("HAVING")
		for _, e := range s.Having {
			p.wrapped(" ", e, "")
		}
	}
	if s.OrderBy != nil {
		p.clause("ORDER BY")
		for _, key := range s.OrderBy {
			if key.Descending {
				p.wrapped(" DESC", key.Expr, "")
			} else {
				p.key(" ", key.Expr, "")
			}
		}
	}
	if s.Limit != NoLimit {
		p.clause("LIMIT " + strconv.FormatInt(s.Limit, 10))
	}
	if s.Offset != 0 {
		p.clause("OFFSET " + strconv.FormatInt(s.Offset, 10))
	}
	if s.Values != nil {
		p.line()
		p.values(s.Values)
	}
}

func (p *printer) clause(s string) {
	p.line()
	p.put(s)
}

// wrapped writes an expression in parentheses.
func (p *printer) wrapped(before string, e Expr, after string) {
	p.put(before + "(")
	p.expr(e)
	p.put(after + ")")
}

// key writes a key of GROUP BY or ORDER BY: a variable needs no parentheses.
func (p *printer) key(before string, e Expr, after string) {
	if v, ok := e.(*VarExpr); ok && after == "" {
		p.put(before + "?" + v.Var)
		return
	}
	p.wrapped(before, e, after)
}

func (p *printer) group(g *Group) {
	p.block(func() {
		for _, e := range g.Elements {
			if t, ok := e.(*Triples); ok {
				p.triples(t.Triples)
				continue
			}
			p.line()
			p.pattern(e)
		}
	})
}

func (p *printer) pattern(e Pattern) {
	switch e := e.(type) {
	case *Group:
		p.group(e)
	case *Triples:
		p.triples(e.Triples)
	case *Filter:
		p.wrapped("FILTER ", e.Expr, "")
	case *Optional:
		p.put("OPTIONAL ")
		p.group(e.Group)
	case *Minus:
		p.put("MINUS ")
		p.group(e.Group)
	case *Graph:
		p.put("GRAPH " + p.node(e.Name) + " ")
		p.group(e.Group)
	case *Service:
		p.put("SERVICE ")
		if e.Silent {
			p.put("SILENT ")
		}
		p.put(p.node(e.Name) + " ")
		p.group(e.Group)
	case *Union:
		for i, g := range e.Branches {
			if i > 0 {
				p.put(" UNION ")
			}
			p.group(g)
		}
	case *Bind:
		p.wrapped("BIND ", e.Expr, " AS ?"+e.Var)
	case *Values:
		p.values(e)
	case *SubSelect:
		p.items(&e.Select)
		p.body(&e.Select)
	}
}

// values writes VALUES.
func (p *printer) values(v *Values) {
	p.put("VALUES (")
	for _, name := range v.Vars {
		p.put(" ?" + name)
	}
	p.put(" ) ")
	p.block(func() {
		for _, row := range v.Rows {
			p.line()
			p.put("(")
			for _, t := range row {
				p.put(" " + p.term(t))
			}
			p.put(" )")
		}
	})
}

// triples writes triples, each on a line of its own.
func (p *printer) triples(triples []Triple) {
	for _, t := range triples {
		p.line()
		verb := p.node(t.P)
		if t.Path != nil {
			verb = p.path(t.Path)
		}
		p.put(p.node(t.S) + " " + verb + " " + p.node(t.O) + " .")
	}
}
