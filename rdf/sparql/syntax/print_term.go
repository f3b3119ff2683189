package syntax

import (
	"strings"

	"orbweaver/rdf"
)

func (p *printer) node(n Node) string {
	switch {
	case n.Var != "":
		return "?" + n.Var
	case n.Triple != nil:
		return "<<( " + p.node(n.Triple.S) + " " + p.node(n.Triple.P) + " " + p.node(n.Triple.O) + " )>>"
	}
	return p.term(n.Term)
}

// iri formats an IRI, with its prefix if the local name is simple.
func (p *printer) iri(iri string) string {
	if cut := strings.LastIndexAny(iri, "#/") + 1; cut > 0 && cut < len(iri) {
		if prefix, ok := p.prefixes[iri[:cut]]; ok && isSimple(iri[cut:]) {
			return prefix + ":" + iri[cut:]
		}
	}
	return "<" + iri + ">"
}

// isSimple reports whether a local name needs no escapes.
func isSimple(local string) bool {
	return span(local, func(r rune) bool { return r < 0x80 && isVar(r) }) == len(local)
}

// term formats a term; the zero term is UNDEF.
func (p *printer) term(t rdf.Term) string {
	switch t.Kind {
	case rdf.IRI:
		return p.iri(t.Value)
	case rdf.Blank:
		return "_:" + t.Value
	case rdf.Literal:
		return p.literal(t)
	case rdf.TripleTerm:
		triple, _ := t.Triple()
		return "<<( " + p.term(triple.S) + " " + p.term(triple.P) + " " + p.term(triple.O) + " )>>"
	}
	return "UNDEF"
}

func (p *printer) literal(t rdf.Term) string {
	if t.Lang != "" && t.Dir != rdf.Undirected {
		return quote(t.Value) + "@" + t.Lang + "--" + t.Dir.String()
	}
	if t.Lang != "" {
		return quote(t.Value) + "@" + t.Lang
	}
	switch t.Datatype {
	case rdf.XSDString:
		return quote(t.Value)
	case rdf.XSDBoolean:
		if t.Value == "true" || t.Value == "false" {
			return t.Value
		}
	case rdf.XSDInteger, rdf.XSDDecimal, rdf.XSDDouble:
		var tok token
		if t.Value != "" && scanNumber(t.Value, &tok) == len(t.Value) && tok.datatype == t.Datatype {
			return t.Value
		}
	}
	return quote(t.Value) + "^^" + p.iri(t.Datatype)
}

// quote writes a string in double quotes.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(s) {
		switch c := s[i]; c {
		case '"', '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case '\n':
			b.WriteString(`\n`)
		case '\r':
			b.WriteString(`\r`)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// path formats a path; all but single steps are in parentheses.
func (p *printer) path(path Path) string {
	switch path := path.(type) {
	case *PathIRI:
		return p.iri(path.IRI)
	case *PathInverse:
		return "(^" + p.path(path.Path) + ")"
	case *PathSequence:
		return p.paths(path.Parts, "/")
	case *PathAlternative:
		return p.paths(path.Parts, "|")
	case *PathRepeat:
		return "(" + p.path(path.Path) + string(path.Mark) + ")"
	case *PathNot:
		var parts []string
		for _, iri := range path.Forward {
			parts = append(parts, p.iri(iri))
		}
		for _, iri := range path.Backward {
			parts = append(parts, "^"+p.iri(iri))
		}
		return "!(" + strings.Join(parts, "|") + ")"
	}
	return ""
}

func (p *printer) paths(paths []Path, between string) string {
	parts := make([]string, len(paths))
	for i, path := range paths {
		parts[i] = p.path(path)
	}
	return "(" + strings.Join(parts, between) + ")"
}

// A level is the precedence of an expression; lower precedence than the context requires parentheses.
type level int

const (
	anything level = iota
	disjunction
	conjunction
	relation
	sum
	product
	sign
	primary
)

// levelOf returns the level of an expression.
func levelOf(e Expr) level {
	c, ok := e.(*Call)
	if !ok {
		return primary
	}
	switch c.Name {
	case "||":
		return disjunction
	case "&&":
		return conjunction
	case "=", "!=", "<", ">", "<=", ">=", "IN", "NOT IN":
		return relation
	case "*", "/":
		return product
	case "+", "-", "!":
		if len(c.Args) == 1 {
			return sign
		}
		return sum
	}
	return primary
}

// expr writes an expression without context.
func (p *printer) expr(e Expr) { p.exprAt(e, anything) }

// exprAt writes an expression in the context of a level.
func (p *printer) exprAt(e Expr, at level) {
	if levelOf(e) < at {
		p.wrapped("", e, "")
		return
	}
	switch e := e.(type) {
	case *VarExpr:
		p.put("?" + e.Var)
	case *TermExpr:
		p.put(p.term(e.Term))
	case *Call:
		p.call(e)
	case *FunctionCall:
		p.put(p.iri(e.IRI) + "(")
		if e.Distinct {
			p.put("DISTINCT ")
		}
		p.exprs(e.Args, ", ", anything)
		p.put(")")
	case *Exists:
		if e.Not {
			p.put("NOT ")
		}
		p.put("EXISTS ")
		p.group(e.Group)
	case *Aggregate:
		p.aggregate(e)
	}
}

func (p *printer) exprs(list []Expr, between string, at level) {
	for i, e := range list {
		if i > 0 {
			p.put(between)
		}
		p.exprAt(e, at)
	}
}

func (p *printer) call(c *Call) {
	switch at := levelOf(c); at {
	case primary:
		p.put(c.Name + "(")
		p.exprs(c.Args, ", ", anything)
		p.put(")")
	case sign:
		p.put(c.Name)
		p.wrapped("", c.Args[0], "") // -1 is a number, - (1) an operator
	case disjunction, conjunction:
		p.exprs(c.Args, " "+c.Name+" ", at+1)
	case relation:
		p.exprAt(c.Args[0], sum)
		if p.put(" " + c.Name + " "); len(c.Name) <= 2 && c.Name != "IN" {
			p.exprAt(c.Args[1], sum)
			return
		}
		p.put("(")
		p.exprs(c.Args[1:], ", ", anything)
		p.put(")")
	default:
		p.exprAt(c.Args[0], at)
		p.put(" " + c.Name + " ")
		p.exprAt(c.Args[1], at+1)
	}
}

func (p *printer) aggregate(a *Aggregate) {
	p.put(a.Name + "(")
	if a.Distinct {
		p.put("DISTINCT ")
	}
	if a.Expr == nil {
		p.put("*")
	} else {
		p.expr(a.Expr)
	}
	if a.Name == "GROUP_CONCAT" && a.Separator != " " {
		p.put("; SEPARATOR=" + quote(a.Separator))
	}
	p.put(")")
}
