package nautilod

import "strings"

// A parser reads tokens with a lookahead of two.
type parser struct {
	lexer
	tok, after token
	depth      int
}

func newParser(text string, opts Options) *parser {
	p := &parser{lexer: newLexer(text, opts)}
	p.tok = p.next()
	p.after = p.next()
	return p
}

func (p *parser) advance() (read token) {
	read = p.tok
	p.tok, p.after = p.after, p.next()
	return read
}

// is reports whether the current token is a sign.
func (p *parser) is(s string) bool { return p.tok.kind == sign && p.tok.text == s }

// query parses a whole expression.
func (p *parser) query() *Query {
	q := &Query{}
	if p.tok.kind == swgetWord {
		p.advance()
	}
	for p.tok.kind == named && p.after.begins() {
		q.From = append(q.From, p.advance().text)
	}
	if p.tok.kind == option && p.tok.text == "-p" {
		p.command(q)
	} else {
		q.Path = p.alternative()
	}
	for p.err == nil && p.tok.kind == option {
		p.option(q)
	}
	if p.err == nil && p.tok.kind != atEnd {
		p.unexpected("an operator, / or |")
	}
	return q
}

// begins reports whether a token that follows an IRI starts a path.
func (t token) begins() bool {
	switch t.kind {
	case named, anything, act:
		return true
	case sign:
		return t.text == "(" || t.text == "^"
	case option:
		return t.text == "-p"
	}
	return false
}

// command parses "-p <q> <m-n>".
func (p *parser) command(q *Query) {
	p.advance()
	step := &Step{Direction: Both}
	switch p.tok.kind {
	case named, anything:
		step.Predicate = p.advance().text
	default:
		p.unexpected("a predicate after -p")
	}
	levels := token{from: 1, to: 1}
	if p.tok.kind == times {
		levels = p.advance()
	}
	q.Command, q.Path = true, &Repeat{Path: step, Min: levels.from, Max: levels.to}
}

// option parses an option of the tool.
func (p *parser) option(q *Query) {
	switch o := p.advance(); o.text {
	case "-saveGraph":
		q.Save = true
	case "-domains":
		if p.tok.kind != braces {
			p.unexpected("{…} after -domains")
			return
		}
		for domain := range strings.SplitSeq(p.tok.text, ",") {
			if domain = strings.TrimSpace(domain); domain == "" || strings.ContainsAny(domain, " \t\r\n") {
				p.fail(p.tok.at, "-domains: %q is no domain", domain)
				return
			}
			q.Domains = append(q.Domains, domain)
		}
		p.advance()
	default:
		p.fail(o.at, "unknown option %s: there are -p, -saveGraph and -domains", o.text)
	}
}

// unexpected reports an error at the current token and what was expected.
func (p *parser) unexpected(wanted string) {
	if p.tok.kind == atEnd {
		p.fail(len(p.text), "the expression ends, where %s should be", wanted)
		return
	}
	p.fail(p.tok.at, "%s should be here", wanted)
}

func (p *parser) alternative() Path {
	var parts []Path
	for {
		part := p.sequence()
		if inner, ok := part.(*Alternative); ok {
			parts = append(parts, inner.Parts...)
		} else {
			parts = append(parts, part)
		}
		if !p.is("|") {
			break
		}
		p.advance()
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return &Alternative{Parts: parts}
}

func (p *parser) sequence() Path {
	path := p.repeated()
	for p.is("/") {
		p.advance()
		path = join(path, p.repeated())
	}
	return path
}

// join concatenates two paths.
func join(a, b Path) Path {
	var parts []Path
	for _, part := range [...]Path{a, b} {
		if inner, ok := part.(*Sequence); ok {
			parts = append(parts, inner.Parts...)
		} else {
			parts = append(parts, part)
		}
	}
	return &Sequence{Parts: parts}
}

// repeated parses an atom and its postfix operators.
func (p *parser) repeated() Path {
	path := p.atom()
	for p.err == nil {
		switch {
		case p.is("*"):
			path = &Repeat{Path: path, Min: 0, Max: Any}
		case p.is("+"):
			path = &Repeat{Path: path, Min: 1, Max: Any}
		case p.is("?"):
			path = &Repeat{Path: path, Min: 0, Max: 1}
		case p.tok.kind == times:
			path = &Repeat{Path: path, Min: p.tok.from, Max: p.tok.to}
		case p.tok.kind == inverted:
			path = p.inverse(path, p.tok.at)
		case p.tok.kind == ask:
			path = join(path, p.test())
			continue
		default:
			return path
		}
		p.advance()
	}
	return path
}

// inverse inverts a path, which must be a single predicate. at is the position of the operator.
func (p *parser) inverse(path Path, at int) Path {
	step, ok := path.(*Step)
	switch {
	case p.err != nil:
	case !ok:
		p.fail(at, "only a predicate can be inverted")
	case step.Direction == Inverse:
		p.fail(at, "inverted twice")
	default:
		return &Step{Predicate: step.Predicate, Direction: Inverse}
	}
	return path
}

func (p *parser) atom() Path {
	switch {
	case p.tok.kind == named || p.tok.kind == anything:
		return &Step{Predicate: p.advance().text}
	case p.tok.kind == act:
		p.advance()
		return &Action{}
	case p.tok.kind == ask:
		return p.test()
	case p.is("^"):
		at := p.advance().at
		return p.inverse(p.inverted(), at)
	case p.is("("):
		return p.group()
	}
	p.unexpected("a predicate, a group, a test or an action")
	return &Action{}
}

// inverted parses the operand of ^: a predicate, possibly in a group.
func (p *parser) inverted() Path {
	if p.tok.kind == named || p.tok.kind == anything || p.is("(") {
		return p.atom()
	}
	p.unexpected("a predicate after ^")
	return &Action{}
}

func (p *parser) group() Path {
	open := p.advance()
	if p.depth++; p.depth > maxDepth {
		p.fail(open.at, "groups are nested more than %d deep", maxDepth)
	}
	path := p.alternative()
	p.depth--
	switch {
	case p.err != nil:
	case p.is(")"):
		p.advance()
	default:
		p.unexpected("an operator, / or |, or ) for the group of column " + column(p.text[:open.at]) + ",")
	}
	return path
}
