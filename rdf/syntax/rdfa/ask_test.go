package rdfa_test

import (
	"fmt"
	"maps"
	"regexp"
	"strings"

	"orbweaver/rdf"
	"orbweaver/rdf/iri"
)

// An ask is a SPARQL ASK query of the test suite's kind: one group of triple patterns with OPTIONAL groups
// and FILTERs. Variables and blank nodes are terms of kind None with a name.
type ask struct {
	patterns []rdf.Triple
	nested   []rdf.Triple // of the current statement
	optional [][]rdf.Triple
	filters  [][]string
	tokens   []string
	prefixes map[string]string
	base     iri.Base
	blanks   int
}

var askToken = regexp.MustCompile(`(?s)#[^\n]*|"""(?:[^\\]|\\.)*?"""(?:@[\w-]+|\^\^<[^>]*>|\^\^[\w-]*:[\w.-]*)?|"(?:[^"\\\n]|\\.)*"(?:@[\w-]+|\^\^<[^>]*>|\^\^[\w-]*:[\w.-]*)?|<[^<>\s]*>|\?\w+|&&|\|\||!=|[{}()\[\];,.!=]|_:\w+|[\w-]*:(?:[\w-]|\.\w)*|\w+`)

// parseAsk reads a query.
func parseAsk(query string) (a *ask, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v in %s", r, query)
		}
	}()
	a = &ask{prefixes: map[string]string{}}
	for _, t := range askToken.FindAllString(query, -1) {
		if !strings.HasPrefix(t, "#") {
			a.tokens = append(a.tokens, t)
		}
	}
	for {
		switch word := strings.ToUpper(a.next()); word {
		case "PREFIX":
			name := strings.TrimSuffix(a.next(), ":")
			a.prefixes[name] = strings.Trim(a.next(), "<>")
		case "BASE":
			if a.base, err = iri.ParseBase(strings.Trim(a.next(), "<>")); err != nil {
				return nil, err
			}
		case "ASK", "WHERE":
		case "{":
			a.patterns = a.group()
			return a, nil
		default:
			return nil, fmt.Errorf("%q in %s", word, query)
		}
	}
}

func (a *ask) next() string {
	t := a.tokens[0]
	a.tokens = a.tokens[1:]
	return t
}

// group reads up to the closing brace.
func (a *ask) group() (out []rdf.Triple) {
	for {
		switch t := a.tokens[0]; {
		case t == "}":
			a.next()
			return out
		case t == ".":
			a.next()
		case strings.EqualFold(t, "OPTIONAL"):
			a.next()
			a.next()
			a.optional = append(a.optional, a.group())
		case strings.EqualFold(t, "FILTER"):
			a.next()
			a.filters = append(a.filters, a.condition())
		default:
			out = append(a.triples(out), a.nested...)
			a.nested = nil
		}
	}
}

// condition returns the tokens of a FILTER.
func (a *ask) condition() (out []string) {
	for depth := 0; ; {
		t := a.next()
		out = append(out, t)
		if t == "(" {
			depth++
		} else if t == ")" {
			if depth--; depth == 0 {
				return out
			}
		}
	}
}

// triples reads the patterns of a subject, which may be a bracketed node without further patterns.
func (a *ask) triples(out []rdf.Triple) []rdf.Triple {
	node := a.tokens[0] == "["
	s := a.term(a.next())
	if t := a.tokens[0]; node && (t == "." || t == "}") {
		return out
	}
	return a.predicates(s, out)
}

// predicates reads the predicates and objects of a subject.
func (a *ask) predicates(s rdf.Term, out []rdf.Triple) []rdf.Triple {
	for {
		p := a.term(a.next())
		for {
			out = append(out, rdf.Triple{S: s, P: p, O: a.term(a.next())})
			if a.tokens[0] != "," {
				break
			}
			a.next()
		}
		if a.tokens[0] != ";" {
			return out
		}
		for a.tokens[0] == ";" {
			a.next()
		}
		if t := a.tokens[0]; t == "." || t == "}" || t == "]" {
			return out
		}
	}
}

// fresh returns a node without a name.
func (a *ask) fresh() rdf.Term {
	a.blanks++
	return rdf.Term{Value: fmt.Sprint("[]", a.blanks)}
}

// node reads the content of brackets.
func (a *ask) node() rdf.Term {
	node := a.fresh()
	if a.tokens[0] != "]" {
		said := a.predicates(node, nil)
		a.nested = append(a.nested, said...)
	}
	if t := a.next(); t != "]" {
		panic("no end of a node: " + t)
	}
	return node
}

// collection reads the content of parentheses.
func (a *ask) collection() rdf.Term {
	if a.tokens[0] == ")" {
		a.next()
		return rdf.NewIRI(rdfNS + "nil")
	}
	node, first := a.fresh(), a.term(a.next())
	a.nested = append(a.nested,
		rdf.Triple{S: node, P: rdf.NewIRI(rdfNS + "first"), O: first},
		rdf.Triple{S: node, P: rdf.NewIRI(rdfNS + "rest"), O: a.collection()})
	return node
}

// term reads a term.
func (a *ask) term(t string) rdf.Term {
	switch {
	case t == "a":
		return rdf.NewIRI(rdfNS + "type")
	case t == "[":
		return a.node()
	case t == "(":
		return a.collection()
	case t[0] == '?', strings.HasPrefix(t, "_:"):
		return rdf.Term{Value: t}
	case t[0] == '<':
		return rdf.NewIRI(a.iri(t))
	case t[0] == '"':
		return a.literal(t)
	}
	return rdf.NewIRI(a.iri(t))
}

// iri reads an IRI.
func (a *ask) iri(t string) string {
	if t[0] != '<' {
		prefix, local, found := strings.Cut(t, ":")
		if space, bound := a.prefixes[prefix]; found && bound {
			return space + local
		}
		panic("no IRI: " + t)
	}
	full, err := a.base.Resolve(strings.Trim(t, "<>"))
	if err != nil {
		return strings.Trim(t, "<>")
	}
	return full
}

// literal reads a literal.
func (a *ask) literal(t string) rdf.Term {
	quote := `"`
	if strings.HasPrefix(t, `"""`) {
		quote = `"""`
	}
	end := strings.LastIndex(t, quote)
	value := strings.NewReplacer(`\"`, `"`, `\\`, `\`, `\n`, "\n", `\t`, "\t").Replace(t[len(quote):end])
	switch rest := t[end+len(quote):]; {
	case strings.HasPrefix(rest, "@"):
		return rdf.NewLang(value, rest[1:])
	case strings.HasPrefix(rest, "^^"):
		return rdf.NewTyped(value, a.iri(rest[2:]))
	}
	return rdf.NewString(value)
}

type solution map[string]rdf.Term

// holds reports whether the query is true of a graph.
func (a *ask) holds(graph []rdf.Triple) bool {
	found := false
	match(graph, a.patterns, solution{}, func(s solution) bool {
		found = a.left(graph, a.optional, s)
		return !found
	})
	return found
}

// left joins the remaining optional groups and applies the filters.
func (a *ask) left(graph []rdf.Triple, optional [][]rdf.Triple, s solution) bool {
	if len(optional) == 0 {
		for _, f := range a.filters {
			f := &filter{f, s}
			if !f.or() {
				return false
			}
		}
		return true
	}
	any, found := false, false
	match(graph, optional[0], s, func(s solution) bool {
		any = true
		found = a.left(graph, optional[1:], s)
		return !found
	})
	return found || !any && a.left(graph, optional[1:], s)
}

// match yields the solutions of patterns; false if the consumer stopped.
func match(graph, patterns []rdf.Triple, s solution, yield func(solution) bool) bool {
	if len(patterns) == 0 {
		return yield(s)
	}
	for _, t := range graph {
		bound := maps.Clone(s)
		if bound.unify(patterns[0].S, t.S) && bound.unify(patterns[0].P, t.P) && bound.unify(patterns[0].O, t.O) &&
			!match(graph, patterns[1:], bound, yield) {
			return false
		}
	}
	return true
}

// unify binds a variable, or compares terms.
func (s solution) unify(pattern, t rdf.Term) bool {
	if pattern.Kind != rdf.None {
		return pattern == t
	}
	known, bound := s[pattern.Value]
	if !bound {
		s[pattern.Value] = t
	}
	return !bound || known == t
}

// A filter is a condition, token by token.
type filter struct {
	tokens []string
	s      solution
}

func (f *filter) next() string {
	t := f.tokens[0]
	f.tokens = f.tokens[1:]
	return t
}

func (f *filter) is(t string) bool { return len(f.tokens) > 0 && f.tokens[0] == t }

func (f *filter) or() bool {
	v := f.and()
	for f.is("||") {
		f.next()
		w := f.and()
		v = v || w
	}
	return v
}

func (f *filter) and() bool {
	v := f.one()
	for f.is("&&") {
		f.next()
		w := f.one()
		v = v && w
	}
	return v
}

func (f *filter) one() bool {
	switch t := f.next(); strings.ToLower(t) {
	case "!":
		return !f.one()
	case "(":
		v := f.or()
		f.next()
		return v
	case "isblank":
		return f.argument().Kind == rdf.Blank
	case "isuri", "isiri":
		return f.argument().Kind == rdf.IRI
	case "isliteral":
		return f.argument().Kind == rdf.Literal
	case "bound":
		return !f.argument().IsZero()
	case "lang":
		v := f.argument()
		if f.next() != "=" {
			panic("lang compared otherwise")
		}
		return v.Kind == rdf.Literal && v.Lang == strings.Trim(f.next(), `"`)
	default:
		panic("no condition: " + t)
	}
}

// argument reads a variable in parentheses.
func (f *filter) argument() rdf.Term {
	f.next()
	v := f.s[f.next()]
	f.next()
	return v
}
