package rdfa

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"orbweaver/rdf"
	"orbweaver/rdf/internal/lex"
	"orbweaver/rdf/iri"
	"orbweaver/rdf/syntax/internal/source"
)

// names resolves the values of attributes (section 7.4).
type names struct {
	host     Host
	document iri.Base
	prefixes map[string]binding // in scope, by prefix in lower case
	undone   []undo
	labels   source.Labeller
	blanks   map[string]string // fresh labels by label of the page
	self     rdf.Term          // the page, if it has no IRI
	report   report
}

// A binding is a declared prefix, as written, with its namespace.
type binding struct{ prefix, space string }

// An undo is the previous binding of a prefix.
type undo struct {
	key    string
	before binding
	bound  bool
}

func newNames(opts Options) names {
	return names{
		host: opts.Host, prefixes: map[string]binding{}, blanks: map[string]string{},
		report: report{wanted: opts.ReportGraph},
	}
}

// page returns the term for the page itself.
func (n *names) page(base iri.Base) rdf.Term {
	if !base.IsZero() {
		return rdf.NewIRI(base.String())
	}
	if n.self.IsZero() {
		n.self = n.fresh()
	}
	return n.self
}

// fresh returns a new blank node.
func (n *names) fresh() rdf.Term { return rdf.NewBlank(n.labels.Fresh()) }

// bind binds a prefix until release.
func (n *names) bind(prefix, space string) {
	key := strings.ToLower(prefix)
	before, bound := n.prefixes[key]
	n.undone = append(n.undone, undo{key, before, bound})
	n.prefixes[key] = binding{prefix, space}
}

// release undoes all bindings after the first mark ones.
func (n *names) release(mark int) {
	for i := len(n.undone) - 1; i >= mark; i-- {
		u := n.undone[i]
		if u.bound {
			n.prefixes[u.key] = u.before
		} else {
			delete(n.prefixes, u.key)
		}
	}
	n.undone = n.undone[:mark]
}

// declare reads a prefix attribute: pairs of "name:" and IRI.
func (n *names) declare(value string) {
	fields := strings.Fields(value)
	for i := 0; i+1 < len(fields); i++ {
		prefix, named := strings.CutSuffix(fields[i], ":")
		if !named {
			continue
		}
		i++
		if !bindable(prefix) {
			n.report.add("Warning", "no prefix can be called so", prefix)
			continue
		}
		if initial := initialPrefixes[strings.ToLower(prefix)]; initial != "" && initial != fields[i] {
			n.report.add("PrefixRedefinition", "a prefix of the initial context means something else", prefix)
		}
		n.bind(prefix, fields[i])
	}
}

// bindable reports whether a prefix can be declared: "_" and "" cannot.
func bindable(s string) bool {
	for i, r := range s {
		if !(lex.IsNameStart(r) || r == '_' || i > 0 && (lex.IsName(r) || r == '.')) {
			return false
		}
	}
	return s != "" && s != "_"
}

// name resolves a TERMorCURIEorAbsIRI.
func (n *names) name(written string, s *scope) (rdf.Term, bool) {
	colon := strings.IndexByte(written, ':')
	if colon < 0 {
		return n.term(written, s)
	}
	if t, ok := n.curie(written, colon); ok {
		return t, true
	}
	if iri.IsAbsolute(written) {
		return rdf.NewIRI(encoded(written)), true
	}
	n.report.add("UnresolvedCURIE", "neither a prefix nor an IRI", written)
	return rdf.Term{}, false
}

// predicate resolves a TERMorCURIEorAbsIRI that must not be a blank node.
func (n *names) predicate(written string, s *scope) (rdf.Term, bool) {
	t, ok := n.name(written, s)
	return t, ok && t.Kind == rdf.IRI
}

// term resolves a term (7.4.3).
func (n *names) term(written string, s *scope) (rdf.Term, bool) {
	if !isTerm(written) {
		return rdf.Term{}, false
	}
	if s.vocab != "" {
		return n.absolute(s.vocab + written)
	}
	if value := initialTerm(strings.ToLower(written), n.host); value != "" {
		return rdf.NewIRI(value), true
	}
	n.report.add("UnresolvedTerm", "a term without a vocabulary", written)
	return rdf.Term{}, false
}

// isTerm reports whether s is a term: a name that may contain slashes.
func isTerm(s string) bool {
	for i, r := range s {
		if !(lex.IsNameStart(r) || r == '_' || i > 0 && (lex.IsName(r) || r == '.' || r == '/')) {
			return false
		}
	}
	return s != ""
}

// curie resolves a CURIE, given the offset of its colon. It fails if the prefix is not bound.
func (n *names) curie(written string, colon int) (rdf.Term, bool) {
	prefix, reference := written[:colon], written[colon+1:]
	switch {
	case prefix == "_":
		return n.blank(reference), true
	case prefix == "":
		return n.absolute(xhvNS + reference)
	case strings.HasPrefix(reference, "//"):
		return rdf.Term{}, false
	}
	b, bound := n.prefixes[prefix]
	if !bound {
		lower := strings.ToLower(prefix)
		if b, bound = n.prefixes[lower]; !bound {
			if b.space, bound = initialPrefixes[lower]; !bound {
				return rdf.Term{}, false
			}
		}
	}
	return n.absolute(b.space + reference)
}

// absolute returns the term of a concatenated IRI; a relative one is resolved against the page's address.
func (n *names) absolute(value string) (rdf.Term, bool) {
	value = encoded(value)
	if !iri.IsAbsolute(value) {
		var err error
		if value, err = n.document.Resolve(value); err != nil {
			return rdf.Term{}, false
		}
	}
	return rdf.NewIRI(value), true
}

// blank returns the blank node of a label of the page.
func (n *names) blank(label string) rdf.Term {
	if lex.LabelEnd(label) == len(label) && label != "" {
		return rdf.NewBlank(n.labels.Own(label))
	}
	known, ok := n.blanks[label]
	if !ok {
		known = n.labels.Fresh()
		n.blanks[label] = known
	}
	return rdf.NewBlank(known)
}

// reference resolves a SafeCURIEorCURIEorIRI.
func (n *names) reference(value string, s *scope) (rdf.Term, bool) {
	value = strings.TrimSpace(value)
	if inner, safe := strings.CutPrefix(value, "["); safe && strings.HasSuffix(inner, "]") {
		inner = inner[:len(inner)-1]
		if colon := strings.IndexByte(inner, ':'); colon >= 0 {
			if t, ok := n.curie(inner, colon); ok {
				return t, true
			}
		}
		if inner != "" {
			n.report.add("UnresolvedCURIE", "the prefix is not declared", inner)
		}
		return rdf.Term{}, false
	}
	if colon := strings.IndexByte(value, ':'); colon >= 0 {
		if t, ok := n.curie(value, colon); ok {
			return t, true
		}
	}
	return n.address(value, s)
}

// address resolves a relative or absolute IRI.
func (n *names) address(value string, s *scope) (rdf.Term, bool) {
	value = encoded(strings.TrimSpace(value))
	if value == "" {
		return n.page(*s.base), true
	}
	full, err := s.base.Resolve(value)
	return rdf.NewIRI(full), err == nil
}

// encoded percent-encodes the characters that an IRI does not allow.
func encoded(value string) string {
	if iri.CheckRef(value) == nil {
		return value
	}
	if !utf8.ValidString(value) {
		value = strings.ToValidUTF8(value, "\ufffd")
	}
	var out []byte
	for i := range len(value) {
		if iri.Allowed(value[i]) {
			out = append(out, value[i])
		} else {
			out = fmt.Appendf(out, "%%%02X", value[i])
		}
	}
	return string(out)
}
