package value

import (
	"math"
	"math/big"
	"strconv"
	"strings"

	"orbweaver/rdf"
)

// decode parses a literal's lexical form by its datatype.
func (v *Value) decode() {
	switch {
	case v.lang != "":
		v.class = langText
		return
	case v.datatype == rdf.XSDString:
		v.class = text
		return
	}
	name, known := strings.CutPrefix(v.datatype, xsd)
	if !known {
		v.class = other
		return
	}
	var ok bool
	switch name {
	case "boolean":
		v.class = boolean
		ok = v.decodeBoolean()
	case "decimal":
		v.class = decimal
		ok = v.decodeDecimal()
	case "float":
		v.class = float
		ok = v.decodeFloat(32)
	case "double":
		v.class = double
		ok = v.decodeFloat(64)
	case "dateTime", "dateTimeStamp":
		v.class = dateTime
		ok = v.decodeTime() && (name == "dateTime" || v.zone != noZone)
	case "date":
		v.class = date
		ok = v.decodeTime()
	case "time":
		v.class = timeOfDay
		ok = v.decodeTime()
	case "dayTimeDuration":
		v.class = dayTime
		ok = v.decodeDuration()
	case "yearMonthDuration":
		v.class = yearMonth
		ok = v.decodeDuration()
	default:
		if !isInteger(name) {
			v.class = other
			return
		}
		v.class = integer
		ok = v.decodeInteger() && v.isWithin(name)
	}
	if !ok {
		*v = Value{kind: v.kind, class: illTyped, value: v.value, datatype: v.datatype}
	}
}

// isInteger reports whether a datatype of XSD is xsd:integer or derived from it.
func isInteger(name string) bool {
	_, _, ok := bounds(name)
	return ok
}

// bounds returns the range of xsd:integer or a type derived from it, by its name, limited to 64 bits.
func bounds(name string) (low, high int64, ok bool) {
	switch name {
	case "integer", "long":
		return math.MinInt64, math.MaxInt64, true
	case "int":
		return math.MinInt32, math.MaxInt32, true
	case "short":
		return math.MinInt16, math.MaxInt16, true
	case "byte":
		return math.MinInt8, math.MaxInt8, true
	case "nonNegativeInteger", "unsignedLong":
		return 0, math.MaxInt64, true
	case "positiveInteger":
		return 1, math.MaxInt64, true
	case "nonPositiveInteger":
		return math.MinInt64, 0, true
	case "negativeInteger":
		return math.MinInt64, -1, true
	case "unsignedInt":
		return 0, math.MaxUint32, true
	case "unsignedShort":
		return 0, math.MaxUint16, true
	case "unsignedByte":
		return 0, math.MaxUint8, true
	}
	return 0, 0, false
}

// isWithin reports whether an integer is in the range of a type derived from xsd:integer, given by its name.
func (v Value) isWithin(name string) bool {
	if v.big == nil {
		low, high, _ := bounds(name)
		return low <= v.n && v.n <= high
	}
	switch name {
	case "integer":
		return true
	case "nonNegativeInteger", "positiveInteger":
		return v.sign() > 0
	case "nonPositiveInteger", "negativeInteger":
		return v.sign() < 0
	case "unsignedLong":
		return v.sign() > 0 && v.big.BitLen() <= 64
	}
	return false
}

func (v *Value) decodeBoolean() bool {
	switch v.value {
	case "true", "1":
		v.n = 1
		return true
	case "false", "0":
		return true
	}
	return false
}

// maxDigits bounds numbers: their cost grows with the square.
const maxDigits = 4000

func (v *Value) decodeInteger() bool {
	digits := strings.TrimPrefix(v.value, "-")
	if digits == v.value {
		digits = strings.TrimPrefix(v.value, "+")
	}
	if !isDigits(digits) {
		return false
	}
	return v.setDigits(digits, v.value[0] == '-')
}

// setDigits sets n or big; false if the number is too large.
func (v *Value) setDigits(digits string, negative bool) bool {
	if digits = strings.TrimLeft(digits, "0"); digits == "" {
		v.n = 0
		return true
	}
	if negative {
		digits = "-" + digits
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err == nil {
		v.n = n
		return true
	}
	if len(digits) > maxDigits {
		return false
	}
	v.big, _ = new(big.Int).SetString(digits, 10)
	return v.big != nil
}

func (v *Value) decodeDecimal() bool {
	s, negative := v.value, false
	if s != "" && (s[0] == '-' || s[0] == '+') {
		s, negative = s[1:], s[0] == '-'
	}
	whole, fraction, _ := strings.Cut(s, ".")
	if whole == "" && fraction == "" || whole != "" && !isDigits(whole) || fraction != "" && !isDigits(fraction) {
		return false
	}
	fraction = strings.TrimRight(fraction, "0")
	if len(fraction) > maxDigits {
		return false
	}
	v.scale = uint32(len(fraction))
	if fraction == "" {
		return v.setDigits(whole, negative)
	}
	return v.setDigits(whole+fraction, negative)
}

func (v *Value) decodeFloat(bits int) bool {
	f, ok := parseFloat(v.value, bits)
	v.n = int64(math.Float64bits(f))
	return ok
}

// parseFloat reads the lexical form of xsd:double or, with 32 bits, xsd:float.
func parseFloat(s string, bits int) (float64, bool) {
	switch s {
	case "INF", "+INF":
		return math.Inf(1), true
	case "-INF":
		return math.Inf(-1), true
	case "NaN":
		return math.NaN(), true
	}
	if strings.Trim(s, "+-.0123456789eE") != "" || len(s) > maxDigits { // excludes names and hexadecimal numbers
		return 0, false
	}
	f, err := strconv.ParseFloat(s, bits)
	if err != nil && !math.IsInf(f, 0) {
		return 0, false
	}
	return f, true
}

// isDigits reports whether a string consists of one or more digits.
func isDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}
