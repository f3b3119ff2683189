package value

import (
	"math"
	"math/big"
	"strconv"
	"strings"

	"orbweaver/rdf"
)

// decode finds what a literal means.
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
	case "dateTime", "date", "time", "dateTimeStamp":
		v.class = map[string]class{"date": date, "time": timeOfDay}[name]
		if v.class == term {
			v.class = dateTime
		}
		ok = v.decodeTime() && (name != "dateTimeStamp" || v.zone != noZone)
	case "dayTimeDuration", "yearMonthDuration":
		v.class = dayTime
		if name == "yearMonthDuration" {
			v.class = yearMonth
		}
		ok = v.decodeDuration()
	default:
		low, high, isInteger := bounds(name)
		if !isInteger {
			v.class = other
			return
		}
		v.class = integer
		ok = v.decodeInteger() && v.isWithin(low, high)
	}
	if !ok {
		*v = Value{kind: v.kind, class: illTyped, value: v.value, datatype: v.datatype}
	}
}

// bounds returns the range of xsd:integer and the types derived from it, by their names; empty is no
// bound.
func bounds(name string) (low, high string, ok bool) {
	switch name {
	case "integer":
		return "", "", true
	case "int":
		return "-2147483648", "2147483647", true
	case "long":
		return "-9223372036854775808", "9223372036854775807", true
	case "short":
		return "-32768", "32767", true
	case "byte":
		return "-128", "127", true
	case "nonNegativeInteger":
		return "0", "", true
	case "positiveInteger":
		return "1", "", true
	case "nonPositiveInteger":
		return "", "0", true
	case "negativeInteger":
		return "", "-1", true
	case "unsignedLong":
		return "0", "18446744073709551615", true
	case "unsignedInt":
		return "0", "4294967295", true
	case "unsignedShort":
		return "0", "65535", true
	case "unsignedByte":
		return "0", "255", true
	}
	return "", "", false
}

// isWithin reports whether an integer is in a range.
func (v Value) isWithin(low, high string) bool {
	limit := func(s string) Value {
		l := Value{value: s, class: integer}
		l.decodeInteger()
		return l
	}
	return (low == "" || compareExact(v, limit(low)) >= 0) && (high == "" || compareExact(v, limit(high)) <= 0)
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

// setDigits sets n or big, and reports whether the number is not too large.
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
	if strings.Trim(s, "+-.0123456789eE") != "" || len(s) > maxDigits { // no names, nor hexadecimals
		return 0, false
	}
	f, err := strconv.ParseFloat(s, bits)
	if err != nil && !math.IsInf(f, 0) {
		return 0, false
	}
	return f, true
}

// isDigits reports whether a string is of digits, one at least.
func isDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}
