package jsonld

import (
	"maps"
	"slices"
	"strings"

	"orbweaver/rdf/iri"
)

// settle applies the base of the document's top-level context: it returns the document without it, and the
// base for names that stay relative after expansion. A relative @vocab becomes absolute. Nested contexts are
// unchanged.
func settle(document any, base iri.Base) (any, iri.Base) {
	object, _ := document.(map[string]any)
	local, ok := object["@context"]
	if !ok {
		return document, base
	}
	contexts, ok := local.([]any)
	if !ok {
		contexts = []any{local}
	}
	s := settler{outer: base, base: base, known: true}
	out := make([]any, len(contexts))
	for i, c := range contexts {
		out[i] = s.context(c)
	}
	if s.failed {
		return document, base
	}
	object = maps.Clone(object)
	object["@context"] = out
	return object, s.base
}

// A settler processes the contexts of an array.
type settler struct {
	outer, base iri.Base
	vocab       string // active, empty for none
	known       bool   // vocab is known
	seen        []map[string]any
	failed      bool // json-gold reports the error
}

func (s *settler) context(local any) any {
	c, ok := local.(map[string]any)
	if !ok {
		if local == nil {
			s.base, s.vocab, s.known = s.outer, "", true
		} else {
			s.known = false // a remote context may have a vocabulary, no base
		}
		return local
	}
	s.seen = append(s.seen, c)
	out := maps.Clone(c)
	if base, ok := c["@base"]; ok {
		s.rebase(base)
		delete(out, "@base")
	}
	if _, ok := c["@import"]; ok {
		s.known = false
	}
	if vocab, ok := c["@vocab"]; ok {
		out["@vocab"] = s.revocab(vocab)
	}
	return out
}

// rebase changes the base. With an invalid base or none, relative names are dropped.
func (s *settler) rebase(value any) {
	ref, ok := value.(string)
	if !ok {
		s.base, s.failed = iri.Base{}, s.failed || value != nil
		return
	}
	if !iri.IsAbsolute(ref) {
		resolved, err := s.base.Resolve(ref)
		if err != nil {
			s.failed = true
			return
		}
		ref = resolved
	}
	s.base, _ = iri.ParseBase(ref)
}

// revocab changes the vocabulary and returns it, absolute if possible.
func (s *settler) revocab(value any) any {
	vocab, ok := value.(string)
	term := slices.ContainsFunc(s.seen, func(c map[string]any) bool { return c[vocab] != nil })
	switch {
	case !ok:
		s.vocab, s.known = "", value == nil
		return value
	case strings.Contains(vocab, "://"):
		s.vocab, s.known = vocab, true
		return vocab
	case term || !s.known || strings.Contains(vocab, ":"):
		s.known = false
		return vocab
	case s.vocab != "":
		s.vocab += vocab
		return s.vocab
	}
	resolved, err := s.base.Resolve(vocab)
	if err != nil {
		s.known = false
		return vocab
	}
	s.vocab = resolved
	return resolved
}
