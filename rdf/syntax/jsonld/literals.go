package jsonld

import (
	"encoding/json"
	"errors"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"orbweaver/internal/order"
	"orbweaver/rdf"
	"orbweaver/rdf/internal/lex"
	"orbweaver/rdf/iri"
)

// literal returns the literal of a value object; none if its datatype or language is invalid.
func (c *converter) literal(m map[string]any) rdf.Term {
	datatype, _ := m["@type"].(string)
	if datatype == "@json" {
		return rdf.NewTyped(string(appendJSON(nil, m["@value"])), rdfJSON)
	}
	lang, tagged := m["@language"].(string)
	if tagged && (lang == "" || lex.LangEnd(lang) != len(lang)) {
		c.drop("language", lang, errors.New("no language tag"))
		return rdf.Term{}
	}
	if datatype != "" {
		if !iri.IsAbsolute(datatype) {
			datatype, _ = c.from.base.Resolve(datatype)
		}
		if err := checkIRI(datatype); err != nil {
			c.drop("datatype", datatype, err)
			return rdf.Term{}
		}
	}
	text, native := lexical(m["@value"], datatype)
	switch {
	case native == "":
		return rdf.Term{}
	case tagged:
		return rdf.NewLang(text, lang)
	case datatype == "":
		datatype = native
	}
	return rdf.NewTyped(text, datatype)
}

// lexical returns the lexical form of a scalar and its native datatype; empty for other values.
func lexical(value any, datatype string) (text, native string) {
	switch v := value.(type) {
	case string:
		return v, rdf.XSDString
	case bool:
		return strconv.FormatBool(v), rdf.XSDBoolean
	case json.Number:
		if digits, ok := integer(string(v)); ok && datatype != rdf.XSDDouble {
			return digits, rdf.XSDInteger
		}
		f, _ := v.Float64()
		return double(f), rdf.XSDDouble
	case float64:
		return lexical(json.Number(strconv.FormatFloat(v, 'g', -1, 64)), datatype)
	}
	return "", ""
}

// integer returns the canonical form, with all digits, of a JSON number without a fraction below 10²¹.
func integer(number string) (string, bool) {
	digits, negative := strings.CutPrefix(number, "-")
	exponent := 0
	if i := strings.IndexAny(digits, "eE"); i >= 0 {
		var err error
		if exponent, err = strconv.Atoi(digits[i+1:]); err != nil || exponent > 1000 || exponent < -1000 {
			f, _ := strconv.ParseFloat(number, 64)
			return "0", f == 0
		}
		digits = digits[:i]
	}
	whole, fraction, _ := strings.Cut(digits, ".")
	digits = strings.TrimLeft(whole+fraction, "0")
	point := len(digits) - len(fraction) + exponent // position of the decimal point
	digits = strings.TrimRight(digits, "0")
	switch {
	case digits == "":
		return "0", true
	case point < len(digits) || point > 21:
		return "", false
	}
	digits += strings.Repeat("0", point-len(digits))
	if negative {
		digits = "-" + digits
	}
	return digits, true
}

// double returns the canonical form of xsd:double in JSON-LD, with at most 16 digits.
func double(f float64) string {
	if math.IsInf(f, 0) {
		return strings.TrimPrefix(strings.ToUpper(strconv.FormatFloat(f, 'g', -1, 64)), "+")
	}
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(f, 'E', 15, 64), "E")
	mantissa = strings.TrimRight(mantissa, "0")
	if strings.HasSuffix(mantissa, ".") {
		mantissa += "0"
	}
	n, _ := strconv.Atoi(exponent)
	return mantissa + "E" + strconv.Itoa(n)
}

// appendJSON appends a value in the canonical form of RFC 8785.
func appendJSON(dst []byte, value any) []byte {
	switch v := value.(type) {
	case nil:
		return append(dst, "null"...)
	case bool:
		return strconv.AppendBool(dst, v)
	case string:
		return appendString(dst, v)
	case json.Number:
		f, _ := v.Float64()
		return appendNumber(dst, f)
	case float64:
		return appendNumber(dst, v)
	case []any:
		dst = append(dst, '[')
		for i, item := range v {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendJSON(dst, item)
		}
		return append(dst, ']')
	case map[string]any:
		dst = append(dst, '{')
		names := order.Collected(maps.Keys(v), func(a, b string) int {
			return slices.Compare(utf16.Encode([]rune(a)), utf16.Encode([]rune(b)))
		})
		for i, name := range names {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(appendString(dst, name), ':')
			dst = appendJSON(dst, v[name])
		}
		return append(dst, '}')
	}
	return dst
}

// appendString appends a JSON string with the fewest possible escapes.
func appendString(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c >= ' ':
			dst = append(dst, c)
		default:
			if j := strings.IndexByte("\b\f\n\r\t", c); j >= 0 {
				dst = append(dst, '\\', "bfnrt"[j])
			} else {
				dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
			}
		}
	}
	return append(dst, '"')
}

// appendNumber appends a number as ECMAScript writes it. Values too large for a float64 become the largest
// one.
func appendNumber(dst []byte, f float64) []byte {
	f = max(min(f, math.MaxFloat64), -math.MaxFloat64)
	if f == 0 {
		return append(dst, '0') // -0 too
	}
	if size := math.Abs(f); size < 1e-6 || size >= 1e21 {
		text := strconv.FormatFloat(f, 'e', -1, 64)
		mantissa, exponent, _ := strings.Cut(text, "e")
		return append(append(append(append(dst, mantissa...), 'e'), exponent[0]), strings.TrimLeft(exponent[1:], "0")...)
	}
	return strconv.AppendFloat(dst, f, 'f', -1, 64)
}
