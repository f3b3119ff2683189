package syntax

import (
	"math"
	"strconv"

	"orbweaver/rdf/internal/lex"
)

// query reads a whole text as a query: production QueryUnit.
func (p *parser) query() *Query {
	q := &Query{}
	p.prologue()
	q.Pos = p.tok.pos
	switch {
	case p.isWord("SELECT"):
		p.selectClause(&q.Select)
		p.dataset(&q.Dataset, "FROM")
		p.where(&q.Select)
		p.modifiers(&q.Select)
	case p.acceptWord("CONSTRUCT"):
		p.construct(q)
	case p.acceptWord("DESCRIBE"):
		p.describe(q)
	case p.acceptWord("ASK"):
		q.Form = AskForm
		p.dataset(&q.Dataset, "FROM")
		p.where(&q.Select)
		p.modifiers(&q.Select)
	default:
		p.expected("SELECT, CONSTRUCT, DESCRIBE or ASK")
	}
	p.end("the end of the query")
	q.Prologue = Prologue{p.base.String(), p.prefixes}
	return q
}

// construct reads what follows CONSTRUCT.
func (p *parser) construct(q *Query) {
	q.Form = ConstructForm
	if p.is("{") {
		p.nodes = nodes{noPaths: true, template: true, what: "a template"}
		q.Template = p.template()
		p.nodes = nodes{}
		p.dataset(&q.Dataset, "FROM")
		p.where(&q.Select)
		p.modifiers(&q.Select)
		return
	}
	p.dataset(&q.Dataset, "FROM")
	p.expectWord("WHERE")
	at := p.tok.pos
	p.nodes = nodes{noPaths: true, what: "CONSTRUCT WHERE"}
	q.Template = p.template()
	p.nodes = nodes{}
	q.Select.Where = &Group{Pos: at}
	if len(q.Template) > 0 {
		q.Select.Where.Elements = []Pattern{&Triples{q.Template[0].Pos, q.Template}}
	}
	p.modifiers(&q.Select)
}

// template reads triples in braces.
func (p *parser) template() (out []Triple) {
	p.expect("{")
	if p.startsTriples() {
		out = p.triples()
	}
	p.expect("}")
	return out
}

// describe reads what follows DESCRIBE.
func (p *parser) describe(q *Query) {
	q.Form = DescribeForm
	if !p.accept("*") {
		for p.tok.kind == variable || p.isIRI() {
			q.Describe = append(q.Describe, p.varOrIRI())
		}
		if q.Describe == nil {
			p.expected(`"*", a variable or an IRI`)
		}
	}
	p.dataset(&q.Dataset, "FROM")
	if p.isWord("WHERE") || p.is("{") {
		p.where(&q.Select)
	}
	p.modifiers(&q.Select)
}

// varOrIRI reads a variable or an IRI.
func (p *parser) varOrIRI() Node {
	if p.tok.kind == variable {
		return Node{Var: p.variable()}
	}
	return iriNode(p.iri("a variable or an IRI"))
}

// dataset reads any number of FROM, or USING.
func (p *parser) dataset(d *Dataset, keyword string) {
	for p.acceptWord(keyword) {
		if p.acceptWord("NAMED") {
			d.Named = append(d.Named, p.iri("a graph's IRI"))
		} else {
			d.Default = append(d.Default, p.iri("a graph's IRI or NAMED"))
		}
	}
}

// where reads a group, with optional WHERE.
func (p *parser) where(s *Select) {
	if !p.acceptWord("WHERE") && !p.is("{") {
		p.expected("WHERE")
	}
	s.Where = p.group(true)
}

// selectClause reads SELECT and what is selected.
func (p *parser) selectClause(s *Select) {
	p.expectWord("SELECT")
	if s.Distinct = p.acceptWord("DISTINCT"); !s.Distinct {
		s.Reduced = p.acceptWord("REDUCED")
	}
	if p.accept("*") {
		s.Star = true
		return
	}
	for {
		item := Projection{Pos: p.tok.pos}
		switch {
		case p.tok.kind == variable:
			item.Var = p.variable()
		case p.accept("("):
			p.link()
			item.Expr = p.aggregated()
			p.expectWord("AS")
			item.Var = p.variable()
			p.expect(")")
		default:
			if s.Items == nil {
				p.expected(`"*", a variable or "(" with an expression`)
			}
			return
		}
		s.Items = append(s.Items, item)
	}
}

// modifiers reads the solution modifiers and checks the whole SELECT.
func (p *parser) modifiers(s *Select) {
	if p.acceptWord("GROUP") {
		p.expectWord("BY")
		p.groupKeys(s)
	}
	if p.acceptWord("HAVING") {
		s.Having = append(s.Having, p.constraint(true))
		for p.startsConstraint() {
			s.Having = append(s.Having, p.constraint(true))
		}
	}
	if p.acceptWord("ORDER") {
		p.expectWord("BY")
		p.orderKeys(s)
	}
	p.slice(s)
	if p.isWord("VALUES") {
		s.Values = p.values()
	}
	p.check(s)
}

// groupKeys reads what follows GROUP BY.
func (p *parser) groupKeys(s *Select) {
	for {
		key := GroupKey{Pos: p.tok.pos}
		switch {
		case p.tok.kind == variable:
			key.Expr = &VarExpr{key.Pos, p.variable()}
		case p.accept("("):
			p.link()
			key.Expr = p.plainExpr()
			if p.acceptWord("AS") {
				key.Var = p.introduce("GROUP BY")
			}
			p.expect(")")
		case p.startsConstraint():
			key.Expr = p.constraint(false)
		default:
			if s.GroupBy == nil {
				p.expected("what to group by")
			}
			return
		}
		s.GroupBy = append(s.GroupBy, key)
	}
}

// orderKeys reads what follows ORDER BY.
func (p *parser) orderKeys(s *Select) {
	for {
		key := OrderKey{Pos: p.tok.pos}
		switch {
		case p.isWord("ASC"), p.isWord("DESC"):
			key.Descending = p.isWord("DESC")
			p.next()
			p.expect("(")
			key.Expr = p.aggregated()
			p.expect(")")
		case p.tok.kind == variable:
			key.Expr = &VarExpr{key.Pos, p.variable()}
		case p.startsConstraint():
			key.Expr = p.constraint(true)
		default:
			if s.OrderBy == nil {
				p.expected("what to order by")
			}
			return
		}
		s.OrderBy = append(s.OrderBy, key)
	}
}

// slice reads LIMIT and OFFSET in either order.
func (p *parser) slice(s *Select) {
	s.Limit = NoLimit
	limit, offset := false, false
	for {
		switch {
		case !limit && p.acceptWord("LIMIT"):
			limit, s.Limit = true, p.count()
		case !offset && p.acceptWord("OFFSET"):
			offset, s.Offset = true, p.count()
		default:
			return
		}
	}
}

// count reads a number of solutions; larger numbers become the largest int64.
func (p *parser) count() int64 {
	text := p.tok.text
	if p.tok.kind != number || lex.Digits(text, 0) != len(text) {
		p.expected("a number of solutions")
	}
	p.next()
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return math.MaxInt64
	}
	return n
}
