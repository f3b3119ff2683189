package crawlfile

import (
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
	"time"
)

// What stands in patterns of numbers, without a sign: any, and those above 0.
const (
	decimal         = `([0-9]+\.?[0-9]*|\.[0-9]+)`
	positiveDecimal = `([0-9]*[1-9][0-9]*\.?[0-9]*|[0-9]*\.[0-9]*[1-9][0-9]*)`
	exponent        = `([eE][+-]?[0-9]+)?`
	durationUnit    = `(ns|us|µs|μs|ms|s|m|h)`
	sizeUnit        = `\s*(([kKmMgGtT][iI]?)?[bB])?\s*`
)

// scalarSchema is the schema of a word, number, size, duration or path. As in the decoder, a number may stand for a
// text, and a text that holds a number for that number; the range of a text is its sign alone.
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
	case t.Kind() == reflect.Float64:
		return numberSchema("number", f.min, f.max, `^`+f.signs()+decimal+exponent+`$`)
	}
	return numberSchema("integer", f.min, f.max, `^`+f.signs()+`[0-9][0-9_]*$`)
}

// textSchema is the schema of a text: not blank where there must be one, and one of the words where they are listed.
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

// numberSchema is the schema of a number, or of a text that holds one.
func numberSchema(kind, low, high, pattern string) *jsonSchema {
	return &jsonSchema{AnyOf: []*jsonSchema{
		{Type: []string{kind}, Minimum: json.Number(low), Maximum: json.Number(high)},
		{Type: []string{"string"}, Pattern: pattern},
	}}
}

// durationSchema is the schema of a duration; 0 needs no unit.
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

// sign is that of the least value allowed; without one, -1.
func (f field) sign() int {
	switch least := strings.TrimRight(f.min, "nuµμmshkKMGTiB"); {
	case least == "" || least[0] == '-':
		return -1
	case strings.Trim(least, "0.") == "":
		return 0
	}
	return 1
}

// signs is the pattern of the signs that a number may begin with.
func (f field) signs() string {
	if f.sign() < 0 {
		return `[+-]?`
	}
	return `[+]?`
}

// bytesOf is a size of a tag in bytes.
func bytesOf(size string) string {
	if bytes, _, ok := parseSize(size); ok {
		return strconv.FormatInt(bytes, 10)
	}
	return ""
}

// jsonDefault is the default of a key as JSON has it.
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
