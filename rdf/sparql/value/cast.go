package value

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"orbweaver/rdf"
)

// Function calls a function by its IRI: a cast to a datatype of XSD (section 17.5), extended to the types
// derived from xsd:integer, dates, times and the two ordered durations. Other IRIs are errors that wrap
// ErrUnknownFunction.
func Function(env *Env, iri string, args []Value) (Value, error) {
	name, ok := strings.CutPrefix(iri, xsd)
	if !ok || !isCast(name) || len(args) != 1 {
		return Value{}, fmt.Errorf("%s with %d arguments: %w", iri, len(args), ErrUnknownFunction)
	}
	v := args[0]
	if name == "string" {
		return castString(v)
	}
	switch {
	case v.kind != rdf.Literal || v.class == illTyped || v.class == other || v.class == langText:
		return Value{}, ErrType
	case v.class == text:
		return castText(v.value, name)
	case v.typeIRI() == iri: // the same value, in canonical form
		v.value = ""
		return v, nil
	}
	switch name {
	case "boolean":
		return castBoolean(v)
	case "float", "double", "decimal":
		return castNumber(v, name)
	case "dateTime", "date", "time":
		return castTime(v, name)
	case "dayTimeDuration", "yearMonthDuration":
		return Value{}, ErrType
	}
	return castInteger(v, name)
}

// isCast reports whether there is a cast to a datatype of XSD.
func isCast(name string) bool {
	switch name {
	case "string", "boolean", "float", "double", "decimal", "dateTime", "date", "time", "dayTimeDuration", "yearMonthDuration":
		return true
	}
	return isInteger(name)
}

// castString returns a value's canonical form; whole numbers have no decimal point.
func castString(v Value) (Value, error) {
	switch {
	case v.kind == rdf.IRI || v.class == text || v.class == langText:
		return String(v.value), nil
	case v.class == float:
		return String(numberText(v.float(), 32)), nil
	case v.class == double:
		return String(numberText(v.float(), 64)), nil
	case v.class.isComputable():
		return String(v.canonical()), nil
	}
	return Value{}, ErrType
}

// numberText returns a double, or with 32 bits a float, as XPath casts it: without an exponent unless it is
// very small or very large.
func numberText(f float64, bits int) string {
	if abs := math.Abs(f); f == 0 || abs >= 1e-6 && abs < 1e6 {
		return strconv.FormatFloat(f, 'f', -1, bits)
	}
	return floatText(f, bits)
}

// castText parses a lexical form, ignoring surrounding white space.
func castText(s, name string) (Value, error) {
	v := Of(rdf.NewTyped(strings.Trim(s, " \t\n\r"), xsd+name))
	if !v.class.isComputable() {
		return Value{}, ErrType
	}
	if v.value = ""; v.class != integer {
		v.datatype = ""
	}
	return v, nil
}

func castBoolean(v Value) (Value, error) {
	if !v.IsNumeric() && v.class != boolean {
		return Value{}, ErrType
	}
	b, err := EBV(v)
	return Bool(b), err
}

// number returns a value as a number, for a cast.
func number(v Value) (Value, error) {
	if v.class == boolean {
		return Integer(v.n), nil
	}
	return plain(v)
}

func castNumber(v Value, name string) (Value, error) {
	v, err := number(v)
	switch {
	case err != nil:
		return Value{}, err
	case name == "float":
		return newFloat(v.toFloat()), nil
	case name == "double":
		return newDouble(v.toDouble()), nil
	}
	return v.toDecimal()
}

// castInteger casts to xsd:integer or a type derived from it.
func castInteger(v Value, name string) (Value, error) {
	v, err := number(v)
	if err != nil {
		return Value{}, err
	}
	if v, err = v.truncated(); err != nil {
		return Value{}, err
	}
	if !v.isWithin(name) {
		return Value{}, fmt.Errorf("%s is no xsd:%s: %w", v.digits(), name, ErrType)
	}
	if name != "integer" {
		v.datatype = xsd + name
	}
	return v, nil
}

// castTime casts a dateTime to a date or time, or a date to its first moment.
func castTime(v Value, name string) (Value, error) {
	c := v.clock()
	switch {
	case v.class == dateTime && name == "dateTime": // a dateTimeStamp
	case v.class == date && name == "dateTime":
		v.class = dateTime
	case v.class == dateTime && name == "date":
		v.class = date
		c.hour, c.minute, c.whole, c.nanos = 0, 0, 0, 0
	case v.class == dateTime && name == "time":
		v.class = timeOfDay
		c.year, c.month, c.day = 1970, 1, 1
	default:
		return Value{}, ErrType
	}
	v.value, v.datatype = "", ""
	v.set(c)
	return v, nil
}
