package quads

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"

	"orbweaver/rdf"
)

// The content of a term in the dictionary is: for an IRI the IRI, for a blank node 16 bytes derived from its
// document and label, for a literal a byte that describes the data before the lexical form, for a triple term its Value with the labels
// that the store gives its blank nodes, which are in the dictionary themselves.
const (
	plain     = 0 // nothing: xsd:string
	tagged    = 1 // a language tag with its length in front
	typed     = 2 // a datatype, likewise
	odd       = 3 // both, of a literal that no syntax can write
	leftward  = 4 // as tagged, with the direction RTL
	rightward = 5 // and LTR
	wellKnown = 8 // nothing: of the datatype of that place in datatypes
)

// datatypes are those that need one byte. New ones go to the end: stores have the places.
var datatypes = [...]string{
	rdf.XSDBoolean, rdf.XSDInteger, rdf.XSDDecimal, rdf.XSDDouble, xsdDateTime, xsdDate,
	"http://www.w3.org/2001/XMLSchema#float", "http://www.w3.org/2001/XMLSchema#int",
	"http://www.w3.org/2001/XMLSchema#long", "http://www.w3.org/2001/XMLSchema#short",
	"http://www.w3.org/2001/XMLSchema#byte", "http://www.w3.org/2001/XMLSchema#nonNegativeInteger",
	"http://www.w3.org/2001/XMLSchema#positiveInteger", "http://www.w3.org/2001/XMLSchema#time",
	"http://www.w3.org/2001/XMLSchema#gYear", "http://www.w3.org/2001/XMLSchema#gYearMonth",
	"http://www.w3.org/2001/XMLSchema#anyURI", "http://www.w3.org/2001/XMLSchema#duration",
	rdf.XMLLiteral, "http://www.w3.org/1999/02/22-rdf-syntax-ns#HTML",
	"http://www.opengis.net/ont/geosparql#wktLiteral",
}

// appendContent writes the content of an IRI, a literal or a triple term.
func appendContent(b []byte, t rdf.Term) []byte {
	switch t.Kind {
	case rdf.Literal:
	case rdf.TripleTerm:
		return append(b, Canonical(t).Value...)
	default:
		return append(b, t.Value...)
	}
	switch {
	case t.Lang == "" && t.Datatype == rdf.XSDString:
		b = append(b, plain)
	case t.Lang == "":
		b = appendDatatype(b, t.Datatype)
	case t.Datatype == rdf.LangString:
		b = appendTag(append(b, tagged), t.Lang)
	case t.Datatype == rdf.DirLangString && t.Dir == rdf.RTL:
		b = appendTag(append(b, leftward), t.Lang)
	case t.Datatype == rdf.DirLangString && t.Dir == rdf.LTR:
		b = appendTag(append(b, rightward), t.Lang)
	default:
		b = appendPrefixed(appendTag(append(b, odd), t.Lang), t.Datatype)
	}
	return append(b, t.Value...)
}

func appendDatatype(b []byte, iri string) []byte {
	for i := range datatypes {
		if datatypes[i] == iri {
			return append(b, wellKnown+byte(i))
		}
	}
	return appendPrefixed(append(b, typed), iri)
}

func appendPrefixed(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// termOf returns the term of an ID and its content. The term shares the content's bytes.
func termOf(id ID, content string) (rdf.Term, error) {
	switch id.Kind() {
	case KindIRI:
		return rdf.NewIRI(content), nil
	case KindBlank:
		return rdf.NewBlank(label(id)), nil
	case KindTriple:
		if t := (rdf.Term{Kind: rdf.TripleTerm, Value: content}); isWhole(t) {
			return t, nil
		}
		return rdf.Term{}, fmt.Errorf("term %#x: %w", uint64(id), ErrDamaged)
	}
	if t, ok := literalOf(content); ok {
		return t, nil
	}
	return rdf.Term{}, fmt.Errorf("term %#x: %w", uint64(id), ErrDamaged)
}

// isWhole reports whether a triple term can be read, at any depth.
func isWhole(t rdf.Term) bool {
	whole := true
	t.Each(func(part rdf.Term) { whole = whole && part.Kind != rdf.TripleTerm && part.Kind != rdf.None })
	return whole
}

func literalOf(content string) (t rdf.Term, ok bool) {
	if content == "" {
		return t, false
	}
	t.Kind, t.Value, ok = rdf.Literal, content[1:], true
	switch code := content[0]; {
	case code == plain:
		t.Datatype = rdf.XSDString
	case code == tagged:
		t.Datatype = rdf.LangString
		t.Lang, t.Value, ok = cutPrefixed(t.Value)
	case code == leftward || code == rightward:
		if t.Datatype, t.Dir = rdf.DirLangString, rdf.RTL; code == rightward {
			t.Dir = rdf.LTR
		}
		t.Lang, t.Value, ok = cutPrefixed(t.Value)
		ok = ok && t.Lang != ""
	case code == typed:
		t.Datatype, t.Value, ok = cutPrefixed(t.Value)
	case code == odd:
		if t.Lang, t.Value, ok = cutPrefixed(t.Value); ok {
			t.Datatype, t.Value, ok = cutPrefixed(t.Value)
		}
	case code >= wellKnown && int(code-wellKnown) < len(datatypes):
		t.Datatype = datatypes[code-wellKnown]
	default:
		ok = false
	}
	return t, ok
}

func cutPrefixed(s string) (prefix, rest string, ok bool) {
	head := s[:min(len(s), binary.MaxVarintLen64)]
	n, w := binary.Uvarint([]byte(head))
	if w <= 0 || n > uint64(len(s)-w) {
		return "", s, false
	}
	return s[w : w+int(n)], s[w+int(n):], true
}

// label is the external label of a blank node, which is specific to the store.
func label(id ID) string {
	return "b" + strconv.FormatUint(1<<valueBits|id.value(), 16)[1:]
}

// labelled is the blank node that has a label given out by label.
func labelled(s string) (ID, bool) {
	digits, ok := strings.CutPrefix(s, "b")
	if !ok || len(digits) != valueBits/4 {
		return 0, false
	}
	v, err := strconv.ParseUint(digits, 16, 64)
	id := newID(KindBlank, v)
	return id, err == nil && label(id) == s
}

// A namer makes names of contents. It is not safe for concurrent use.
type namer struct {
	mask    uint64 // bits of a name that count: all of them, but in tests of collisions
	content []byte // of the last term
	scope   string // of blank nodes
	check   uint64 // further bits of the last term's hash
}

func newNamer() *namer { return &namer{mask: valueMask} }

// name returns the ID that a term of the dictionary has, if no other one is in its way, and leaves its
// content in the namer. The blank nodes of a triple term are relabelled before.
func (n *namer) name(t rdf.Term) ID {
	kind := KindIRI
	n.content = n.content[:0]
	switch t.Kind {
	case rdf.Blank:
		kind = KindBlank
		n.content = append(appendPrefixed(n.content, n.scope), t.Value...)
		sum := sha256.Sum256(n.content)
		n.content = append(n.content[:0], sum[16:]...)
	case rdf.Literal:
		kind = KindLiteral
		n.content = appendContent(n.content, t)
	case rdf.TripleTerm:
		kind = KindTriple
		n.content = appendContent(n.content, t)
	default:
		n.content = appendContent(n.content, t)
	}
	sum := sha256.Sum256(n.content)
	n.check = binary.BigEndian.Uint64(sum[8:])
	return newID(kind, binary.BigEndian.Uint64(sum[:])>>(64-valueBits)&n.mask)
}

// maxCrowd is how many terms may be in the way of another. To have so many with one hash takes more than
// the world's computers.
const maxCrowd = 256

// find returns the ID at which a store has the content of a term; false: the ID where it would be added.
// content returns the store's content at an ID.
func (n *namer) find(first ID, content func(ID) (string, bool, error)) (id ID, found bool, err error) {
	id = first
	for range maxCrowd {
		c, ok, err := content(id)
		if err != nil || !ok {
			return id, false, err
		}
		if c == string(n.content) {
			return id, true, nil
		}
		id = after(id)
	}
	return 0, false, fmt.Errorf("%d terms with one hash: %w", maxCrowd, ErrDamaged)
}

// after is the ID behind another, of the same kind.
func after(id ID) ID { return newID(id.Kind(), id.value()+1) }

// relabelled returns a triple term with the labels that a store has for its blank nodes: id returns the ID of a blank node. The
// term is none if one has no ID.
func relabelled(t rdf.Term, id func(rdf.Term) (ID, bool, error)) (rdf.Term, error) {
	var failed error
	all := true
	t = t.Map(func(part rdf.Term) rdf.Term {
		if part.Kind != rdf.Blank || failed != nil || !all {
			return part
		}
		node, found, err := id(part)
		all, failed = found, err
		return rdf.NewBlank(label(node))
	})
	if !all || failed != nil {
		return rdf.Term{}, failed
	}
	return t, nil
}

// lookUp returns the ID of a term that a store may have.
func lookUp(n *namer, t rdf.Term, content func(ID) (string, bool, error)) (ID, bool, error) {
	if t.Kind == rdf.TripleTerm {
		var err error
		t, err = relabelled(t, func(node rdf.Term) (ID, bool, error) { return lookUp(n, node, content) })
		if err != nil || t.IsZero() {
			return 0, false, err
		}
	}
	return lookUpRelabelled(n, t, content)
}

// lookUpRelabelled is lookUp for a term whose blank nodes, if it is a triple term, are relabelled.
func lookUpRelabelled(n *namer, t rdf.Term, content func(ID) (string, bool, error)) (ID, bool, error) {
	if id, ok := Inline(t); ok {
		return id, true, nil
	}
	if t.Kind == rdf.None {
		return Default, true, nil
	}
	if t.Kind == rdf.Blank && n.scope == "" {
		if id, ok := labelled(t.Value); ok {
			if _, found, err := content(id); found || err != nil {
				return id, found, err
			}
		}
	}
	return n.find(n.name(t), content)
}
