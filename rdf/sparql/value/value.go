// Package value implements the values of SPARQL expressions: typed literals, operators and functions (section
// 17 of SPARQL 1.1 Query), the order of ORDER BY, and aggregates.
//
// Integers and decimals are exact; floats and doubles are those of IEEE 754. Comparisons and computations use
// the value. A term that is only passed through keeps its lexical form; a computed one has the canonical form
// of XSD 1.1. Language tags are in the case of quads.Canonical. Numbers of more than four thousand digits and
// strings of more than 16 MB are errors. Variables, the lazy forms (|| && IF COALESCE BOUND IN EXISTS) and
// graphs are out of scope.
package value

import (
	"errors"
	"math"
	"math/big"

	"orbweaver/rdf"
	"orbweaver/rdf/quads"
)

// ErrType is SPARQL's type error (section 17.2). Evaluators treat all errors alike.
var ErrType = errors.New("type error")

// ErrUnknownFunction means that no function has a name or IRI, or this number of arguments.
var ErrUnknownFunction = errors.New("unknown function")

// A class is a value space, or the reason why a literal has no value.
type class uint8

// The classes. Literals of different classes sort in this order, except that all numbers sort together.
const (
	term      class = iota // unbound, an IRI, a blank node or a triple term: no value beyond the term
	boolean                // n is 0 or 1
	integer                // n, or big
	decimal                // n, or big, with scale digits after the point; the last of them is not 0
	float                  // n is the bits of its value as a float64
	double                 // n is the bits
	dateTime               // n seconds since 1970 in UTC, or as if it were UTC, and scale nanoseconds
	date                   // its first moment, in the same way
	timeOfDay              // as on the first day of 1970
	dayTime                // a duration: n seconds and, forward from there, scale nanoseconds
	yearMonth              // a duration: n months
	text                   // xsd:string
	langText               // a language-tagged string
	other                  // of an unknown datatype
	illTyped               // of a known datatype, with an invalid lexical form
)

// noZone is the zone of a time without one.
const noZone = math.MinInt16

// A Value is a term with its parsed value, if its datatype is known and its lexical form valid. The zero Value
// is that of an unbound variable. Values are compared with Equal or SameTerm, not with ==.
type Value struct {
	kind     rdf.Kind
	class    class
	zone     int16  // of a date or time: minutes, or noZone
	scale    uint32 // digits after the point, nanoseconds, or the direction of a text
	n        int64
	big      *big.Int // an integer or unscaled decimal that exceeds n; read-only
	value    string   // of a literal the lexical form; empty for a computed one that is not a string
	datatype string   // of a literal; empty for a computed one with its class's own datatype
	lang     string
}

// Of returns the value of a term; the zero term is unbound. A language tag is converted to the case of a
// store.
func Of(t rdf.Term) Value {
	t = quads.Canonical(t)
	v := Value{kind: t.Kind, value: t.Value, datatype: t.Datatype, lang: t.Lang}
	if t.Kind == rdf.Literal {
		v.decode()
	}
	if v.class == langText {
		v.scale = uint32(t.Dir)
	}
	return v
}

// dir returns the direction of a text with a language.
func (v Value) dir() rdf.Direction {
	if v.class != langText {
		return rdf.Undirected
	}
	return rdf.Direction(v.scale)
}

// Term returns the value as a term: in its original form, or in canonical form if computed.
func (v Value) Term() rdf.Term {
	t := rdf.Term{Kind: v.kind, Value: v.value, Datatype: v.datatype, Lang: v.lang, Dir: v.dir()}
	if v.kind == rdf.Literal && v.class.isComputable() {
		if t.Value == "" {
			t.Value = v.canonical()
		}
		t.Datatype = v.typeIRI()
	}
	return t
}

// typeIRI returns a literal's datatype.
func (v Value) typeIRI() string {
	if v.datatype == "" {
		return v.class.datatype()
	}
	return v.datatype
}

// Bound reports whether the value is bound.
func (v Value) Bound() bool { return v.kind != rdf.None }

// IsNumeric reports whether the value is a number.
func (v Value) IsNumeric() bool { return v.class >= integer && v.class <= double }

// Bool returns an xsd:boolean.
func Bool(b bool) Value {
	v := Value{kind: rdf.Literal, class: boolean}
	if b {
		v.n = 1
	}
	return v
}

// Integer returns an xsd:integer.
func Integer(n int64) Value { return Value{kind: rdf.Literal, class: integer, n: n} }

// String returns an xsd:string.
func String(s string) Value {
	return Value{kind: rdf.Literal, class: text, value: s, datatype: rdf.XSDString}
}

// IRI returns an IRI.
func IRI(s string) Value { return Value{kind: rdf.IRI, value: s} }

// newDouble returns an xsd:double.
func newDouble(f float64) Value {
	return Value{kind: rdf.Literal, class: double, n: int64(math.Float64bits(f))}
}

// newFloat returns an xsd:float.
func newFloat(f float32) Value {
	return Value{kind: rdf.Literal, class: float, n: int64(math.Float64bits(float64(f)))}
}

// isComputable reports whether the class has canonical lexical forms.
func (c class) isComputable() bool { return c >= boolean && c <= yearMonth }

const xsd = "http://www.w3.org/2001/XMLSchema#"

// datatype returns the IRI of the class's own datatype, for those with one.
func (c class) datatype() string {
	switch c {
	case boolean:
		return rdf.XSDBoolean
	case integer:
		return rdf.XSDInteger
	case decimal:
		return rdf.XSDDecimal
	case float:
		return xsd + "float"
	case double:
		return rdf.XSDDouble
	case dateTime:
		return xsd + "dateTime"
	case date:
		return xsd + "date"
	case timeOfDay:
		return xsd + "time"
	case dayTime:
		return xsd + "dayTimeDuration"
	case yearMonth:
		return xsd + "yearMonthDuration"
	case text:
		return rdf.XSDString
	}
	return ""
}

// canonical returns the canonical lexical form.
func (v Value) canonical() string {
	switch v.class {
	case boolean:
		if v.n == 0 {
			return "false"
		}
		return "true"
	case integer, decimal:
		return v.digits()
	case float:
		return floatText(v.float(), 32)
	case double:
		return floatText(v.float(), 64)
	case dayTime, yearMonth:
		return v.durationText()
	case dateTime, date, timeOfDay:
		return v.timeText()
	}
	return v.value
}
