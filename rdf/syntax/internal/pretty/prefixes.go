package pretty

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"orbweaver/internal/order"
	"orbweaver/rdf"
	"orbweaver/rdf/internal/lex"
	"orbweaver/rdf/iri"
)

const (
	mostPrefixes = 32
	fewestUses   = 3 // of a namespace, to be worth a prefix
)

// A space is a namespace under its prefix.
type space struct{ prefix, iri string }

// sorted returns namespaces in the order of their prefixes.
func sorted(prefixes map[string]string) []space {
	var out []space
	for _, prefix := range slices.Sorted(maps.Keys(prefixes)) {
		out = append(out, space{prefix, prefixes[prefix]})
	}
	return out
}

// longestFirst puts the namespaces in the order in which they are tried.
func longestFirst(spaces []space) {
	order.Stably(spaces, func(a, b space) int { return cmp.Compare(len(b.iri), len(a.iri)) })
}

// shorten returns how an IRI is written: by the longest namespace that leaves a plain name.
func shorten(iri string, spaces []space) string {
	for _, s := range spaces {
		if local, within := strings.CutPrefix(iri, s.iri); within && isLocal(local) {
			return s.prefix + ":" + local
		}
	}
	return "<" + iri + ">"
}

// isLocal reports whether a local name needs no escape and can be read as nothing else.
func isLocal(s string) bool {
	for i, r := range s {
		switch {
		case lex.IsNameStart(r), r >= '0' && r <= '9', r == '_', i > 0 && lex.IsName(r):
		case r == '.' && i > 0 && i < len(s)-1:
		default:
			return false
		}
	}
	return s != ""
}

// checkPrefixes returns what is wrong with prefixes that were given.
func checkPrefixes(prefixes map[string]string) error {
	for _, s := range sorted(prefixes) {
		for i, r := range s.prefix {
			if !lex.IsName(r) && (r != '.' || i == len(s.prefix)-1) || i == 0 && !lex.IsNameStart(r) {
				return fmt.Errorf("%q is no prefix", s.prefix)
			}
		}
		if err := iri.Check(s.iri); err != nil {
			return fmt.Errorf("prefix %s: %w", s.prefix, err)
		}
		if err := checkPaths(&rdf.Quad{S: rdf.NewIRI(s.iri)}); err != nil {
			return fmt.Errorf("prefix %s: %w", s.prefix, err)
		}
	}
	return nil
}

// usual are the prefixes that people know, where a namespace does not tell them.
var usual = map[string]string{
	rdfNS:                                   "rdf",
	"http://www.w3.org/2000/01/rdf-schema#": "rdfs",
	"http://www.w3.org/2001/XMLSchema#":     "xsd",
	"http://www.w3.org/2004/02/skos/core#":  "skos",
	"http://purl.org/dc/elements/1.1/":      "dc",
	"http://purl.org/dc/terms/":             "dcterms",
}

// collect returns prefixes for the namespaces that statements use most, written in a shape.
func collect(quads []rdf.Quad, s *shape) map[string]string {
	uses := map[string]int{}
	var found []string // in the order of their first use
	count := func(iri string) {
		cut := strings.LastIndexAny(iri, "#/") + 1
		if cut < len("x://y/") || !isLocal(iri[cut:]) {
			return
		}
		if uses[iri[:cut]]++; uses[iri[:cut]] == 1 {
			found = append(found, iri[:cut])
		}
	}
	var term func(t rdf.Term)
	term = func(t rdf.Term) {
		switch {
		case t.Kind == rdf.IRI && t.Value != rdfType && t.Value != rdfNil:
			count(t.Value)
		case t.Kind == rdf.Literal && t.Lang == "" && t.Datatype != rdf.XSDString && !isBare(&t):
			count(t.Datatype)
		case t.Kind == rdf.TripleTerm:
			t.Each(term)
		}
	}
	for i := range quads {
		q := &quads[i]
		inList := s.isNested(&q.S) && s.of(&q.S).list == yes
		for _, t := range terms(q) {
			if t != &q.P || !inList { // else it is not written
				term(*t)
			}
		}
	}
	found = slices.DeleteFunc(found, func(iri string) bool { return uses[iri] < fewestUses })
	order.Stably(found, func(a, b string) int { return cmp.Compare(uses[b], uses[a]) })
	prefixes := map[string]string{}
	for _, iri := range found[:min(len(found), mostPrefixes)] {
		prefixes[free(prefixFor(iri), prefixes)] = iri
	}
	return prefixes
}

// free returns a prefix, with a number behind it when it is taken.
func free(prefix string, taken map[string]string) string {
	name := prefix
	for n := 2; taken[name] != ""; n++ {
		name = prefix + strconv.Itoa(n)
	}
	return name
}

// prefixFor makes a prefix of a namespace: of its last part that is a word, or its host's name.
func prefixFor(iri string) string {
	if prefix := usual[iri]; prefix != "" {
		return prefix
	}
	_, rest, _ := strings.Cut(iri, "://")
	host, path, _ := strings.Cut(rest, "/")
	parts := strings.FieldsFunc(path, func(r rune) bool { return r == '/' || r == '#' })
	for _, part := range slices.Backward(parts) {
		if isWord(part) {
			return strings.ToLower(part)
		}
	}
	labels := strings.Split(host, ".")
	if len(labels) > 1 && isWord(labels[len(labels)-2]) {
		return strings.ToLower(labels[len(labels)-2])
	}
	return "ns"
}

// isWord reports whether s is short and of plain letters and digits, a letter first.
func isWord(s string) bool {
	for i := range len(s) {
		letter := s[i]|0x20 >= 'a' && s[i]|0x20 <= 'z'
		if !letter && (i == 0 || s[i] < '0' || s[i] > '9') {
			return false
		}
	}
	return s != "" && len(s) <= 16
}
