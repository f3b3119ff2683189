package crawlfile

import (
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
	"time"

	"orbweaver/internal/crawlfile/notation"
)

// Parts of the patterns of unsigned numbers: any number, and numbers above 0.
const (
	decimal         = `([0-9]+\.?[0-9]*|\.[0-9]+)`
	positiveDecimal = `([0-9]*[1-9][0-9]*\.?[0-9]*|[0-9]*\.[0-9]*[1-9][0-9]*)`
	exponent        = `([eE][+-]?[0-9]+)?`
	durationUnit    = `(ns|us|µs|μs|ms|s|m|h)`
	sizeUnit        = `\s*(([kKmMgGtT][iI]?)?[bB])?\s*`
)

// scalarSchema returns the schema of a word, number, size, duration or path. Like the decoder, it accepts a number as a
// text, and a text that contains a number as that number. It restricts such a text only by its sign.
func scalarSchema(t reflect.Type, f field) *jsonSchema {
	switch {
	case t.Kind() == reflect.String:
		return textSchema(f)
	case t.Kind() == reflect.Bool:
		return &jsonSchema{AnyOf: []*jsonSchema{{Type: []string{"boolean"}}, {Enum: []any{"true", "false"}}}}
	case t == reflect.TypeFor[time.Duration]():
		return durationSchema(f)
	case f.as == "size":
		digits := decimal + exponent
		if f.sign() > 0 {
			digits = positiveDecimal + exponent
		}
		return numberSchema("number", bytesOf(f.min), bytesOf(f.max), `^\s*`+f.signs()+digits+sizeUnit+`$`)
	case f.as == "share":
		return numberSchema("number", f.min, f.max, `^[+]?`+decimal+exponent+`(\s*%)?$`)
	case t.Kind() == reflect.Float64:
		return numberSchema("number", f.min, f.max, `^`+f.signs()+decimal+exponent+`$`)
	}
	return numberSchema("integer", f.min, f.max, `^`+f.signs()+`[0-9][0-9_]*$`)
}

// textSchema returns the schema of a text: one of the listed words, or a non-blank text if the key is required or a path.
func textSchema(f field) *jsonSchema {
	switch {
	case f.oneof != "":
		out := new(jsonSchema)
		for word := range strings.SplitSeq(f.oneof, "|") {
			out.Enum = append(out.Enum, word)
		}
		return out
	case f.need || f.isPath():
		return &jsonSchema{Type: []string{"string", "number"}, Pattern: `\S`}
	}
	return &jsonSchema{Type: []string{"string", "number"}}
}

// numberSchema returns the schema of a number or of a text that contains one.
func numberSchema(kind, low, high, pattern string) *jsonSchema {
	return &jsonSchema{AnyOf: []*jsonSchema{
		{Type: []string{kind}, Minimum: json.Number(low), Maximum: json.Number(high)},
		{Type: []string{"string"}, Pattern: pattern},
	}}
}

// durationSchema returns the schema of a duration. 0 needs no unit.
func durationSchema(f field) *jsonSchema {
	part := decimal + durationUnit
	if f.sign() > 0 {
		return &jsonSchema{Type: []string{"string"}, Pattern: `^` + f.signs() + `(` + part + `)*` + positiveDecimal + durationUnit + `(` + part + `)*$`}
	}
	return &jsonSchema{AnyOf: []*jsonSchema{
		{Type: []string{"string"}, Pattern: `^` + f.signs() + `(0|(` + part + `)+)$`},
		{Type: []string{"integer"}, Enum: []any{0}},
	}}
}

// sign returns the sign of the minimum, or -1 if there is no minimum.
func (f field) sign() int {
	switch least := strings.TrimRight(f.min, "nuµμmshkKMGTiB"); {
	case least == "" || least[0] == '-':
		return -1
	case strings.Trim(least, "0.") == "":
		return 0
	}
	return 1
}

// signs returns the pattern of the allowed signs of a number.
func (f field) signs() string {
	if f.sign() < 0 {
		return `[+-]?`
	}
	return `[+]?`
}

// bytesOf converts a size in a tag to bytes.
func bytesOf(size string) string {
	if bytes, _, ok := notation.Size(size); ok {
		return strconv.FormatInt(bytes, 10)
	}
	return ""
}

// jsonDefault returns the default of a key in JSON.
func jsonDefault(t reflect.Type, f field) any {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case t.Kind() == reflect.Bool || t == reflect.TypeFor[Private]():
		return f.initial == "true"
	case t == reflect.TypeFor[time.Duration]() || f.as == "size":
		return f.initial
	case t.Kind() == reflect.Int || t.Kind() == reflect.Int64 || t.Kind() == reflect.Float64:
		return json.Number(f.initial)
	}
	return f.initial
}
