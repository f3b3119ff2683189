package quads

import (
	"strconv"
	"strings"

	"orbweaver/rdf"
)

// An ID identifies a term: its kind is in the top four bits, its value or its hash in the other sixty. Within a
// kind that encodes values, IDs are in the order of the values.
type ID uint64

// A Kind is the kind of an ID.
type Kind uint8

// Kinds of IDs. The first three and KindTriple are of terms in the dictionary, the others encode the term itself, with its
// lexical form: a literal in another form is in the dictionary.
const (
	KindIRI      Kind = 1 + iota
	KindBlank              // a blank node
	KindLiteral            // any other literal
	KindString             // xsd:string of up to 7 bytes
	KindBoolean            // "true" or "false"
	KindInteger            // xsd:integer, canonical, of 60 bits
	KindDecimal            // xsd:decimal below 7.2e10 without needless zeros in front and at most 6 digits behind the point
	KindDateTime           // xsd:dateTime of the years 0 to 9999, to the millisecond, zones in quarters of an hour
	KindDate               // xsd:date, likewise
	KindTriple             // a triple term
	KindLocal    Kind = 14 // never of a store: for terms that a reader of stores makes itself
)

const (
	valueBits = 60
	valueMask = 1<<valueBits - 1
	zero      = 1 << (valueBits - 1) // the encoding of 0 for kinds with negative values
)

// Kind returns the kind of an ID, 0 for Default; Any and Named have one that no term has.
func (id ID) Kind() Kind { return Kind(id >> valueBits) }

// value is all but the kind.
func (id ID) value() uint64 { return uint64(id) & valueMask }

// named reports whether the dictionary has the term.
func (id ID) named() bool {
	return id.Kind() >= KindIRI && id.Kind() <= KindLiteral || id.Kind() == KindTriple
}

func newID(k Kind, value uint64) ID { return ID(k)<<valueBits | ID(value&valueMask) }

// Inline returns the ID of a literal that fits into one.
func Inline(t rdf.Term) (ID, bool) {
	if t.Kind != rdf.Literal || t.Lang != "" {
		return 0, false
	}
	switch t.Datatype {
	case rdf.XSDString:
		return inlineString(t.Value)
	case rdf.XSDInteger:
		return inlineInteger(t.Value)
	case rdf.XSDDecimal:
		return inlineDecimal(t.Value)
	case rdf.XSDBoolean:
		switch t.Value {
		case "false":
			return newID(KindBoolean, 0), true
		case "true":
			return newID(KindBoolean, 1), true
		}
	case xsdDateTime:
		return inlineMoment(KindDateTime, t.Value)
	case xsdDate:
		return inlineMoment(KindDate, t.Value)
	}
	return 0, false
}

// Inline returns the literal that an ID holds; false: it holds none.
func (id ID) Inline() (rdf.Term, bool) {
	v := id.value()
	switch id.Kind() {
	case KindString:
		if v&15 <= maxShort {
			return rdf.NewString(shortString(v)), true
		}
	case KindBoolean:
		if v <= 1 {
			return rdf.NewTyped(strconv.FormatBool(v == 1), rdf.XSDBoolean), true
		}
	case KindInteger:
		return rdf.NewTyped(strconv.FormatInt(int64(v)-zero, 10), rdf.XSDInteger), true
	case KindDecimal:
		if s, ok := decimal(v); ok {
			return rdf.NewTyped(s, rdf.XSDDecimal), true
		}
	case KindDateTime:
		if s, ok := moment(KindDateTime, v); ok {
			return rdf.NewTyped(s, xsdDateTime), true
		}
	case KindDate:
		if s, ok := moment(KindDate, v); ok {
			return rdf.NewTyped(s, xsdDate), true
		}
	}
	return rdf.Term{}, false
}

// Integer returns the number of an ID that holds an xsd:integer; false: it does not.
func (id ID) Integer() (int64, bool) {
	return int64(id.value()) - zero, id.Kind() == KindInteger
}

const maxShort = 7

// inlineString packs bytes from the top, followed by their number, so that the order is that of the bytes.
func inlineString(s string) (ID, bool) {
	if len(s) > maxShort {
		return 0, false
	}
	var v uint64
	for i := range len(s) {
		v |= uint64(s[i]) << (valueBits - 8 - 8*i)
	}
	return newID(KindString, v|uint64(len(s))), true
}

func shortString(v uint64) string {
	var b [maxShort]byte
	for i := range b {
		b[i] = byte(v >> (valueBits - 8 - 8*i))
	}
	return string(b[:v&15])
}

// inlineInteger encodes integers in the form of strconv.
func inlineInteger(s string) (ID, bool) {
	n, ok := digits(strings.TrimPrefix(s, "-"))
	if !ok || n >= zero {
		return 0, false
	}
	if s[0] == '-' {
		return newID(KindInteger, uint64(zero-n)), n > 0
	}
	return newID(KindInteger, uint64(zero+n)), true
}

// digits reads a number of at most 18 digits without needless zeros.
func digits(s string) (n int64, ok bool) {
	if s == "" || len(s) > 18 || s[0] == '0' && len(s) > 1 {
		return 0, false
	}
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		n = n*10 + int64(s[i]-'0')
	}
	return n, true
}

// A decimal is millionths and, below them, how many digits are written behind the point; 0: no point.
const (
	millionths  = 6
	scaleBits   = 3
	zeroDecimal = zero >> scaleBits
)

func inlineDecimal(s string) (ID, bool) {
	whole, fraction, point := strings.Cut(strings.TrimPrefix(s, "-"), ".")
	n, ok := digits(whole)
	if !ok || len(whole) > 11 || len(fraction) > millionths || point && fraction == "" {
		return 0, false
	}
	for i := range millionths {
		n *= 10
		if i >= len(fraction) {
			continue
		}
		if fraction[i] < '0' || fraction[i] > '9' {
			return 0, false
		}
		n += int64(fraction[i] - '0')
	}
	if n >= zeroDecimal || n == 0 && s[0] == '-' {
		return 0, false
	}
	if s[0] == '-' {
		n = -n
	}
	return newID(KindDecimal, uint64(n+zeroDecimal)<<scaleBits|uint64(len(fraction))), true
}

func decimal(v uint64) (string, bool) {
	n, scale := int64(v>>scaleBits)-zeroDecimal, int(v&(1<<scaleBits-1))
	if scale > millionths {
		return "", false
	}
	var buf [24]byte
	b := buf[:0]
	if n < 0 {
		b, n = append(b, '-'), -n
	}
	b = strconv.AppendInt(b, n/1e6, 10)
	if scale > 0 {
		at := len(b)
		b = strconv.AppendInt(b, 1e6+n%1e6, 10) // the 1 makes room for the point
		b[at] = '.'
		b = b[:at+1+scale]
	}
	return string(b), true
}
