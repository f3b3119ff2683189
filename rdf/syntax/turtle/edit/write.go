package edit

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"orbweaver/rdf"
	"orbweaver/rdf/internal/lex"
	"orbweaver/rdf/syntax/ntriples"
	"orbweaver/rdf/syntax/turtle"
)

const rdfType = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"

// A writer writes statements in Turtle, in the scope at a document's end.
type writer struct {
	b     []byte
	end   string // of a line
	scope *turtle.Scope
}

// write writes statements in order; consecutive ones with one subject form one sentence.
func (w *writer) write(statements []rdf.Triple) {
	for i, t := range statements {
		if i > 0 && statements[i-1].S == t.S {
			w.text(" ;" + w.end + "    ")
		} else {
			if i > 0 {
				w.text(" ." + w.end)
			}
			w.term(t.S)
			w.text(" ")
		}
		w.text(w.verb(t.P) + " ")
		w.term(t.O)
	}
	w.text(" ." + w.end)
}

// verb returns a predicate as it is written.
func (w *writer) verb(p rdf.Term) string {
	if p.Value == rdfType {
		return "a"
	}
	one := writer{scope: w.scope}
	one.term(p)
	return string(one.b)
}

func (w *writer) text(s string) { w.b = append(w.b, s...) }

// term writes an IRI or a literal.
func (w *writer) term(t rdf.Term) {
	switch {
	case t.Kind == rdf.IRI:
		w.iri(t)
	case t.Kind == rdf.Literal && t.Lang == "" && t.Datatype != rdf.XSDString:
		w.b = ntriples.AppendTerm(w.b, rdf.NewString(t.Value))
		w.text("^^")
		w.iri(rdf.NewIRI(t.Datatype))
	default:
		w.b = ntriples.AppendTerm(w.b, t)
	}
}

// iri writes an IRI with its prefix, as a fragment of the base, or in full.
func (w *writer) iri(t rdf.Term) {
	if name, ok := w.short(t.Value); ok {
		w.text(name)
		return
	}
	base, _, _ := strings.Cut(w.scope.Base, "#")
	if fragment, ok := strings.CutPrefix(t.Value, base+"#"); ok && base != "" && plain(fragment) {
		w.text("<#" + fragment + ">")
		return
	}
	w.b = ntriples.AppendTerm(w.b, t)
}

// short returns an IRI's prefixed name, with the longest namespace and its shortest prefix.
func (w *writer) short(iri string) (name string, ok bool) {
	longest := ""
	for _, prefix := range slices.Sorted(maps.Keys(w.scope.Prefixes)) {
		space := w.scope.Prefixes[prefix]
		local, within := strings.CutPrefix(iri, space)
		if !within || !plain(local) || space == "" {
			continue
		}
		candidate := prefix + ":" + local
		if !ok || len(space) > len(longest) || len(space) == len(longest) && len(candidate) < len(name) {
			name, longest, ok = candidate, space, true
		}
	}
	return name, ok
}

// plain reports whether a local name needs no escape and is unambiguous: it has letters, digits, "_" and "-"
// of any script, and a valid first character.
func plain(local string) bool {
	for i, r := range local {
		if !lex.IsName(r) || i == 0 && !lex.IsNameStart(r) && (r < '0' || r > '9') {
			return false
		}
	}
	return local != "" && utf8.ValidString(local)
}
