package nautilod

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"orbweaver/rdf"
	"orbweaver/rdf/quads"
	"orbweaver/rdf/sparql/algebra"
	"orbweaver/rdf/sparql/eval"
	sparql "orbweaver/rdf/sparql/syntax"
)

// contextVariable is the variable of a test that denotes the node.
const contextVariable = "ctx"

// maxDeep bounds the nesting in a test.
const maxDeep = 32

// square returns the text between the current bracket and its closing one. Brackets within SPARQL strings,
// IRIs and comments are ignored.
func (l *lexer) square(t *token) string {
	s := l.text[l.at+1:]
	for i, open := 0, 1; i < len(s); {
		switch s[i] {
		case '[':
			open++
		case ']':
			if open--; open == 0 {
				l.at += i + 2
				return s[:i]
			}
		}
		i += skipped(s[i:])
	}
	l.fail(t.at, "no ] for this [")
	return ""
}

// skipped returns the length of the SPARQL string, IRI, comment or single byte at the start of a text.
func skipped(s string) int {
	switch s[0] {
	case '"', '\'':
		return quoted(s)
	case '<':
		if n := strings.IndexAny(s[1:], "<>\"{}|^`\\ \t\r\n"); n >= 0 && s[1+n] == '>' {
			return n + 2
		}
	case '#':
		if n := strings.IndexAny(s, "\r\n"); n >= 0 {
			return n
		}
		return len(s)
	}
	return 1
}

// quoted returns the length of the string at the start of a text; 1 if it is not closed.
func quoted(s string) int {
	end := s[:1]
	if strings.HasPrefix(s, strings.Repeat(end, 3)) {
		end = s[:3]
	}
	for i := len(end); i < len(s); i++ {
		switch {
		case s[i] == '\\':
			i++
		case strings.HasPrefix(s[i:], end):
			return i + len(end)
		case len(end) == 1 && (s[i] == '\n' || s[i] == '\r'):
			return 1
		}
	}
	return 1
}

// test parses a test.
func (p *parser) test() Path {
	t := p.advance()
	q, err := sparql.ParseQuery(p.prologue()+t.text, sparql.Options{MaxDepth: maxDeep})
	var wrong *sparql.Error
	switch {
	case errors.As(err, &wrong):
		p.inTest(t, wrong)
	case err != nil:
		p.fail(t.at, "%v", err)
	case q.Form != sparql.AskForm:
		p.fail(t.at, "a test is a query of the form ASK")
	case len(q.Dataset.Default)+len(q.Dataset.Named) > 0:
		p.fail(t.at, "a test has no FROM: it is about the node's document")
	}
	if p.err != nil {
		return &Action{}
	}
	q.Prologue = sparql.Prologue{}
	var line []string // strings of a printed query do not span lines
	for part := range strings.Lines(q.String()) {
		line = append(line, strings.TrimSpace(part))
	}
	test := &Test{Ask: strings.Join(line, " ")}
	if _, err := test.about("http://node.example/"); err != nil {
		p.fail(t.at, "?%s is the node, and cannot be what a test finds: %v", contextVariable, err)
	}
	return test
}

// prologue returns a declaration of all prefixes, on one line.
func (p *parser) prologue() string {
	var b strings.Builder
	for _, prefix := range slices.Sorted(maps.Keys(p.prefixes)) {
		if one := "PREFIX " + prefix + ": <" + p.prefixes[prefix] + "> "; declared(one) {
			b.WriteString(one)
		}
	}
	b.WriteByte('\n')
	return b.String()
}

// declared reports whether SPARQL accepts a prefix.
func declared(prefix string) bool {
	_, err := sparql.ParseQuery(prefix+"ASK {}", sparql.Options{})
	return err == nil && !strings.ContainsAny(prefix, "\r\n")
}

// inTest reports an error of a test at its position in the expression.
func (p *parser) inTest(t token, wrong *sparql.Error) {
	line, col := position(p.text[:t.at+1])
	if wrong.Line > 2 { // line 1 is the prologue
		line, col = line+wrong.Line-2, 1
	}
	p.failAt(line, col+wrong.Column-1, "test: "+wrong.Msg)
}

// column describes the column after a text.
func column(before string) string {
	_, c := position(before)
	return strconv.Itoa(c)
}

// about returns the query with the node substituted for ?ctx.
func (t *Test) about(node string) (*algebra.Query, error) {
	term := sparql.Text(rdf.NewIRI(node))
	var b strings.Builder
	for s := t.Ask; s != ""; {
		n := skipped(s)
		if rest, ok := strings.CutPrefix(s, "?"+contextVariable); ok && !inName(rest) {
			b.WriteString(term)
			n = len(s) - len(rest)
		} else {
			b.WriteString(s[:n])
		}
		s = s[n:]
	}
	q, err := sparql.ParseQuery(b.String(), sparql.Options{Name: "test", MaxDepth: 2 * maxDeep})
	if err != nil {
		return nil, err
	}
	return algebra.TranslateQuery(q)
}

// inName reports whether a text continues a variable's name.
func inName(s string) bool {
	if s == "" {
		return false
	}
	c := s[0]
	return c >= 0x80 || c == '_' || '0' <= c && c <= '9' || letters(s) > 0
}

// Holds reports whether the document of a node, in the default graph of a store, passes the test. An error
// names the node. It is returned for a query that exceeds a limit, that calls a service, or in which the
// node's IRI cannot be substituted.
func (t *Test) Holds(ctx context.Context, document quads.Reader, node string, limits eval.Options) (bool, error) {
	q, err := t.about(node)
	if err != nil {
		return false, fmt.Errorf("test of %s: %w", node, err)
	}
	result, err := eval.Query(ctx, document, q, limits)
	if err != nil {
		return false, fmt.Errorf("test of %s: %w", node, err)
	}
	return result.Boolean, nil
}
