package syntax

import (
	"fmt"

	"orbweaver/rdf"
)

// An arity is the range of a function's number of arguments.
type arity struct{ min, max int }

// many means any number of arguments.
const many = 1 << 30

// functions are the built-ins of section 17.4, except those with their own syntax. Read-only.
var functions = map[string]arity{
	"STR": {1, 1}, "LANG": {1, 1}, "LANGMATCHES": {2, 2}, "DATATYPE": {1, 1}, "IRI": {1, 1}, "URI": {1, 1},
	"BNODE": {0, 1}, "RAND": {0, 0}, "ABS": {1, 1}, "CEIL": {1, 1}, "FLOOR": {1, 1}, "ROUND": {1, 1},
	"CONCAT": {0, many}, "STRLEN": {1, 1}, "UCASE": {1, 1}, "LCASE": {1, 1}, "ENCODE_FOR_URI": {1, 1},
	"CONTAINS": {2, 2}, "STRSTARTS": {2, 2}, "STRENDS": {2, 2}, "STRBEFORE": {2, 2}, "STRAFTER": {2, 2},
	"YEAR": {1, 1}, "MONTH": {1, 1}, "DAY": {1, 1}, "HOURS": {1, 1}, "MINUTES": {1, 1}, "SECONDS": {1, 1},
	"TIMEZONE": {1, 1}, "TZ": {1, 1}, "NOW": {0, 0}, "UUID": {0, 0}, "STRUUID": {0, 0}, "MD5": {1, 1},
	"SHA1": {1, 1}, "SHA256": {1, 1}, "SHA384": {1, 1}, "SHA512": {1, 1}, "COALESCE": {0, many}, "IF": {3, 3},
	"STRLANG": {2, 2}, "STRDT": {2, 2}, "SAMETERM": {2, 2}, "ISIRI": {1, 1}, "ISURI": {1, 1},
	"ISBLANK": {1, 1}, "ISLITERAL": {1, 1}, "ISNUMERIC": {1, 1}, "REGEX": {2, 3}, "SUBSTR": {2, 3},
	"REPLACE": {3, 4}, "BOUND": {1, 1}, "TRIPLE": {3, 3}, "SUBJECT": {1, 1}, "PREDICATE": {1, 1}, "OBJECT": {1, 1},
	"ISTRIPLE": {1, 1}, "LANGDIR": {1, 1}, "STRLANGDIR": {3, 3}, "HASLANG": {1, 1}, "HASLANGDIR": {1, 1},
}

// isAggregate reports whether a keyword is an aggregate's.
func isAggregate(name string) bool {
	switch name {
	case "COUNT", "SUM", "MIN", "MAX", "AVG", "SAMPLE", "GROUP_CONCAT":
		return true
	}
	return false
}

// plainExpr reads an expression without aggregates.
func (p *parser) plainExpr() Expr { return p.exprWith(false) }

// aggregated reads an expression that may have aggregates.
func (p *parser) aggregated() Expr { return p.exprWith(true) }

func (p *parser) exprWith(aggregates bool) Expr {
	outer := p.aggregates.allowed
	p.aggregates.allowed = aggregates
	e := p.expr()
	p.aggregates.allowed = outer
	return e
}

// startsConstraint reports whether a constraint starts at the current token: production Constraint.
func (p *parser) startsConstraint() bool {
	if p.tok.kind == word {
		_, known := functions[p.tok.value]
		return known || isAggregate(p.tok.value) || p.isWord("EXISTS") || p.isWord("NOT")
	}
	return p.is("(") || p.isIRI()
}

// constraint reads an expression in parentheses or a call.
func (p *parser) constraint(aggregates bool) Expr {
	if !p.startsConstraint() {
		p.expected(`"(" or a function`)
		return &TermExpr{}
	}
	outer := p.aggregates.allowed
	p.aggregates.allowed = aggregates
	e := p.primary()
	p.aggregates.allowed = outer
	if term, ok := e.(*TermExpr); ok && term.Term.Kind == rdf.IRI && p.err == nil && !p.closed {
		p.expected(`"(" with the arguments`)
	}
	return e
}

// expr reads an expression: production ConditionalOrExpression.
func (p *parser) expr() Expr {
	depth := p.depth
	p.deeper()
	e := p.chain("||", func() Expr { return p.chain("&&", p.relation) })
	p.depth = depth
	return e
}

// chain reads operands of an associative operator.
func (p *parser) chain(op string, operand func() Expr) Expr {
	first := operand()
	if !p.is(op) {
		return first
	}
	c := &Call{first.At(), op, []Expr{first}}
	for p.accept(op) {
		c.Args = append(c.Args, operand())
	}
	return c
}

// relation reads a comparison, or IN.
func (p *parser) relation() Expr {
	left := p.sum()
	if p.tok.kind == mark {
		switch op := p.tok.value; op {
		case "=", "!=", "<", ">", "<=", ">=":
			p.next()
			return &Call{left.At(), op, []Expr{left, p.sum()}}
		}
	}
	name := "IN"
	if p.acceptWord("NOT") {
		name = "NOT IN"
		if !p.isWord("IN") {
			p.expected("IN")
		}
	}
	if p.acceptWord("IN") {
		return &Call{left.At(), name, append([]Expr{left}, p.args(true)...)}
	}
	return left
}

// sum reads operands of "+" and "-". A signed number right after an operand is added.
func (p *parser) sum() Expr {
	left := p.product(nil)
	for {
		at := left.At()
		switch {
		case p.is("+"), p.is("-"):
			op := p.tok.value
			p.next()
			left = &Call{at, op, []Expr{left, p.product(nil)}}
		case p.tok.kind == number && (p.tok.text[0] == '+' || p.tok.text[0] == '-'):
			first := &TermExpr{p.tok.pos, p.literal()}
			left = &Call{at, "+", []Expr{left, p.product(first)}}
		default:
			return left
		}
		p.link()
	}
}

// product reads operands of "*" and "/"; the first may already be read.
func (p *parser) product(left Expr) Expr {
	if left == nil {
		left = p.unary()
	}
	for p.is("*") || p.is("/") {
		op := p.tok.value
		p.next()
		left = &Call{left.At(), op, []Expr{left, p.unary()}}
		p.link()
	}
	return left
}

// unary reads an operand with an optional prefix operator.
func (p *parser) unary() Expr {
	at := p.tok.pos
	if p.accept("!") { // repeatable, as in SPARQL 1.2
		depth := p.depth
		p.deeper()
		e := &Call{at, "!", []Expr{p.unary()}}
		p.depth = depth
		return e
	}
	for _, op := range [...]string{"+", "-"} {
		if p.accept(op) {
			return &Call{at, op, []Expr{p.primary()}}
		}
	}
	return p.primary()
}

// primary reads a term, a variable, a call or an expression in parentheses. It never returns nil.
func (p *parser) primary() Expr {
	at := p.tok.pos
	p.closed = false
	switch {
	case p.accept("("):
		e := p.expr()
		p.expect(")")
		p.closed = true
		return e
	case p.tok.kind == variable:
		return &VarExpr{at, p.variable()}
	case p.isLiteral():
		return &TermExpr{at, p.literal()}
	case p.is("<<("):
		return p.exprTriple()
	case p.isIRI():
		name := p.iri("an IRI")
		if p.is("(") {
			return p.functionCall(at, name)
		}
		return &TermExpr{at, rdf.NewIRI(name)}
	case p.tok.kind == word:
		return p.builtIn()
	}
	p.expected("an expression")
	return &TermExpr{}
}

// functionCall reads the arguments of a function by its IRI.
func (p *parser) functionCall(at Pos, name string) Expr {
	c := &FunctionCall{Pos: at, IRI: name}
	p.expect("(")
	if p.accept(")") {
		return c
	}
	c.Distinct = p.acceptWord("DISTINCT")
	c.Args = p.list()
	return c
}

// args reads arguments in parentheses.
func (p *parser) args(none bool) []Expr {
	p.expect("(")
	if none && p.accept(")") {
		return nil
	}
	return p.list()
}

// list reads one or more expressions separated by commas, and a closing parenthesis.
func (p *parser) list() (out []Expr) {
	for {
		out = append(out, p.expr())
		if !p.accept(",") {
			p.expect(")")
			return out
		}
	}
}

// builtIn reads a call of a function named by a keyword.
func (p *parser) builtIn() Expr {
	at, name := p.tok.pos, p.tok.value
	if isAggregate(name) {
		return p.aggregate()
	}
	not := p.acceptWord("NOT")
	switch {
	case p.acceptWord("EXISTS"):
		return p.exists(at, not)
	case not:
		p.expected("EXISTS")
		return &TermExpr{}
	}
	takes, known := functions[name]
	if !known {
		p.expected("an expression")
		return &TermExpr{}
	}
	p.next()
	c := &Call{at, name, p.args(takes.min == 0)}
	switch n := len(c.Args); {
	case n < takes.min || n > takes.max:
		p.wrong(at, fmt.Sprintf("%s with %d arguments", name, n), nil)
	case name == "BOUND" && p.err == nil:
		if _, ok := c.Args[0].(*VarExpr); !ok || p.closed {
			p.wrong(c.Args[0].At(), "BOUND is for a variable", nil)
		}
	case name == "URI":
		c.Name = "IRI"
	case name == "ISURI":
		c.Name = "ISIRI"
	}
	return c
}

// exists reads the group of EXISTS, which follows the rules of a filter.
func (p *parser) exists(at Pos, not bool) Expr {
	outer := p.aggregates
	p.aggregates = aggregates{}
	e := &Exists{at, not, p.group(false)}
	p.aggregates = outer
	return e
}

// aggregate reads an aggregate.
func (p *parser) aggregate() Expr {
	a := &Aggregate{Pos: p.tok.pos, Name: p.tok.value}
	switch {
	case p.aggregates.within:
		p.wrong(a.Pos, "an aggregate within an aggregate", nil)
	case !p.aggregates.allowed:
		p.wrong(a.Pos, "an aggregate may stand in SELECT, HAVING and ORDER BY alone", nil)
	}
	p.aggregates.found, p.aggregates.within = true, true
	p.next()
	p.expect("(")
	a.Distinct = p.acceptWord("DISTINCT")
	if a.Name != "COUNT" || !p.accept("*") {
		a.Expr = p.expr()
	}
	if a.Name == "GROUP_CONCAT" {
		a.Separator = " "
		if p.accept(";") {
			a.Separator = p.separator()
		}
	}
	p.expect(")")
	p.aggregates.within = false
	return a
}

// separator reads what follows ";" in GROUP_CONCAT.
func (p *parser) separator() string {
	p.expectWord("SEPARATOR")
	p.expect("=")
	s := p.tok.value
	if p.tok.kind != quoted {
		p.expected("a string")
	}
	p.next()
	return s
}
