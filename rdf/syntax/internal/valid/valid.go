// Package valid says whether a statement can be written at all, so that it reads back as it was.
package valid

import (
	"errors"
	"fmt"

	"orbweaver/rdf"
	"orbweaver/rdf/internal/lex"
	"orbweaver/rdf/iri"
)

// Quad returns nil for a quad that the syntaxes can express, and otherwise the error: a term of an invalid kind
// for its position, an IRI that is relative or has invalid characters, an invalid label or language tag.
func Quad(q *rdf.Quad) error { return Next(q, &rdf.Quad{}) }

// Next does the same with a quad that follows another, which is valid, or none yet: terms that both have are not
// examined again.
func Next(q, last *rdf.Quad) error {
	switch {
	case q.S.Kind != rdf.IRI && q.S.Kind != rdf.Blank:
		return errors.New("a subject must be an IRI or a blank node")
	case q.P.Kind != rdf.IRI:
		return errors.New("a predicate must be an IRI")
	case q.O.Kind == rdf.None:
		return errors.New("no object")
	case q.G.Kind == rdf.Literal || q.G.Kind == rdf.TripleTerm:
		return errors.New("a graph's name must be an IRI or a blank node")
	}
	for _, t := range [...]struct{ term, before *rdf.Term }{{&q.S, &last.S}, {&q.P, &last.P}, {&q.O, nil}, {&q.G, &last.G}} {
		if t.before != nil && *t.term == *t.before {
			continue
		}
		if err := term(t.term); err != nil {
			return err
		}
	}
	return nil
}

// term checks one term by its kind.
func term(t *rdf.Term) error {
	switch t.Kind {
	case rdf.IRI:
		return iri.Check(t.Value)
	case rdf.Blank:
		if end := lex.LabelEnd(t.Value); end == 0 || end < len(t.Value) {
			return fmt.Errorf("%q is no label of a blank node", t.Value)
		}
	case rdf.Literal:
		if t.Lang == "" && (t.Datatype == "" || t.Datatype == rdf.XSDString) {
			return nil
		}
		if t.Lang == "" {
			if t.Datatype == rdf.LangString || t.Datatype == rdf.DirLangString || t.Dir != rdf.Undirected {
				return errors.New("a literal lacks its language tag")
			}
			return iri.Check(t.Datatype)
		}
		if end := lex.LangEnd(t.Lang); end == 0 || end < len(t.Lang) {
			return fmt.Errorf("%q is no language tag", t.Lang)
		}
		if t.Dir > rdf.RTL {
			return fmt.Errorf("%d is no direction", t.Dir)
		}
	case rdf.TripleTerm:
		return triple(t)
	}
	return nil
}

// triple checks a triple term.
func triple(t *rdf.Term) error {
	parts, ok := t.Triple()
	switch {
	case !ok:
		return errors.New("a triple term is damaged")
	case t.Depth() > rdf.MaxTripleDepth:
		return errors.New("triple terms are nested too deep")
	}
	if err := Quad(&rdf.Quad{S: parts.S, P: parts.P, O: parts.O}); err != nil {
		return fmt.Errorf("within a triple term: %w", err)
	}
	return nil
}
