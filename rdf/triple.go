package rdf

import (
	"strconv"
	"strings"
)

// MaxTripleDepth is how deep triple terms may be nested in what is read: a triple term whose object is none has depth 1.
const MaxTripleDepth = 64

// Parts of a triple term's Value: of each of its terms a letter, and after it the strings of the term, each behind its
// length in bytes and a colon. So equal terms have equal values, whatever they contain, and reading one copies nothing.
const (
	partIRI    = 'i'
	partBlank  = 'b'
	partString = 's' // a literal of type xsd:string
	partTyped  = 't' // a literal with its datatype
	partLang   = 'g' // a literal with its language tag
	partLTR    = 'l' // the same with a direction
	partRTL    = 'r'
	partOdd    = 'o' // a literal with datatype and language tag, which no syntax can write
	partTriple = 'q'
)

// NewTripleTerm returns a triple as a term. It does not check what the terms are.
func NewTripleTerm(t Triple) Term {
	b := make([]byte, 0, 24+len(t.S.Value)+len(t.P.Value)+len(t.O.Value)+len(t.O.Datatype)+len(t.O.Lang))
	b = appendPart(appendPart(appendPart(b, t.S), t.P), t.O)
	return Term{Kind: TripleTerm, Value: string(b)}
}

// appendPart writes a term of a triple term.
func appendPart(b []byte, t Term) []byte {
	switch t.Kind {
	case IRI:
		return appendSized(append(b, partIRI), t.Value)
	case Blank:
		return appendSized(append(b, partBlank), t.Value)
	case TripleTerm:
		return appendSized(append(b, partTriple), t.Value)
	case Literal:
		switch {
		case t == NewString(t.Value):
			return appendSized(append(b, partString), t.Value)
		case t == NewTyped(t.Value, t.Datatype):
			return appendSized(appendSized(append(b, partTyped), t.Value), t.Datatype)
		case t == NewDirLang(t.Value, t.Lang, t.Dir):
			letter := [...]byte{partLang, partLTR, partRTL}[t.Dir%3]
			return appendSized(appendSized(append(b, letter), t.Value), t.Lang)
		}
		b = appendSized(appendSized(append(b, partOdd), t.Value), t.Datatype)
		return appendSized(b, t.Lang)
	}
	return b
}

func appendSized(b []byte, s string) []byte {
	return append(append(strconv.AppendInt(b, int64(len(s)), 10), ':'), s...)
}

// Triple returns the triple that a term is; false: it is none. Its strings share the term's memory.
func (t Term) Triple() (Triple, bool) {
	if t.Kind != TripleTerm {
		return Triple{}, false
	}
	var out Triple
	rest, ok := t.Value, true
	for _, part := range [...]*Term{&out.S, &out.P, &out.O} {
		if *part, rest, ok = cutPart(rest); !ok {
			return Triple{}, false
		}
	}
	return out, rest == ""
}

// cutPart reads what appendPart wrote.
func cutPart(s string) (t Term, rest string, ok bool) {
	if s == "" {
		return t, s, false
	}
	letter := s[0]
	value, rest, ok := cutSized(s[1:])
	if !ok {
		return t, rest, false
	}
	switch letter {
	case partIRI:
		return NewIRI(value), rest, true
	case partBlank:
		return NewBlank(value), rest, true
	case partTriple:
		return Term{Kind: TripleTerm, Value: value}, rest, true
	case partString:
		return NewString(value), rest, true
	}
	second, rest, ok := cutSized(rest)
	switch letter {
	case partTyped:
		return NewTyped(value, second), rest, ok
	case partLang:
		return NewLang(value, second), rest, ok
	case partLTR:
		return NewDirLang(value, second, LTR), rest, ok
	case partRTL:
		return NewDirLang(value, second, RTL), rest, ok
	case partOdd:
		t = NewTyped(value, second)
		t.Lang, rest, ok = cutSized(rest)
		return t, rest, ok
	}
	return t, rest, false
}

func cutSized(s string) (value, rest string, ok bool) {
	colon := strings.IndexByte(s[:min(len(s), 20)], ':')
	if colon < 0 {
		return "", s, false
	}
	n, err := strconv.ParseUint(s[:colon], 10, 63)
	rest = s[colon+1:]
	if err != nil || n > uint64(len(rest)) {
		return "", s, false
	}
	return rest[:n], rest[n:], true
}

// IsValid reports whether the terms of a triple may stand where they are: a subject is an IRI or a blank node, a predicate an IRI, and
// so within a triple term, which is nested no deeper than MaxTripleDepth.
func (t Triple) IsValid() bool {
	for depth := 0; depth <= MaxTripleDepth; depth++ {
		if t.S.Kind != IRI && t.S.Kind != Blank || t.P.Kind != IRI || t.O.Kind == None {
			return false
		}
		if t.O.Kind != TripleTerm {
			return true
		}
		var ok bool
		if t, ok = t.O.Triple(); !ok {
			return false
		}
	}
	return false
}

// Depth returns how deep triple terms are nested in a term: 0 of one that is none.
func (t Term) Depth() (depth int) {
	for t.Kind == TripleTerm {
		depth++
		triple, ok := t.Triple()
		if !ok {
			return depth
		}
		t = triple.O
	}
	return depth
}

// Each calls f with a term, or with all that a triple term is made of, at any depth, in their order.
func (t Term) Each(f func(Term)) {
	for {
		triple, ok := t.Triple()
		if !ok {
			f(t)
			return
		}
		f(triple.S)
		f(triple.P)
		t = triple.O
	}
}

// Map returns what f makes of a term, or the triple term of what f makes of its terms, at any depth.
func (t Term) Map(f func(Term) Term) Term {
	triple, ok := t.Triple()
	if !ok {
		return f(t)
	}
	mapped := Triple{S: triple.S.Map(f), P: triple.P.Map(f), O: triple.O.Map(f)}
	if mapped == triple {
		return t
	}
	return NewTripleTerm(mapped)
}

// HasBlank reports whether a term is a blank node, or a triple term with one within.
func (t Term) HasBlank() bool {
	if t.Kind != TripleTerm {
		return t.Kind == Blank
	}
	has := false
	t.Each(func(part Term) { has = has || part.Kind == Blank })
	return has
}
