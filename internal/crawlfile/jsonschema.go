package crawlfile

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
)

// A jsonSchema is a JSON Schema, draft 2020-12, with the keywords that the files need.
type jsonSchema struct {
	Draft                string                 `json:"$schema,omitempty"`
	Title                string                 `json:"title,omitempty"`
	Ref                  string                 `json:"$ref,omitempty"`
	Description          string                 `json:"description,omitempty"`
	Type                 []string               `json:"type,omitempty"`
	Enum                 []any                  `json:"enum,omitempty"`
	Default              any                    `json:"default,omitempty"`
	Minimum              json.Number            `json:"minimum,omitempty"`
	Maximum              json.Number            `json:"maximum,omitempty"`
	Pattern              string                 `json:"pattern,omitempty"`
	Properties           map[string]*jsonSchema `json:"properties,omitempty"`
	AdditionalProperties any                    `json:"additionalProperties,omitempty"` // false or *jsonSchema
	Required             []string               `json:"required,omitempty"`
	MinProperties        int                    `json:"minProperties,omitempty"`
	MaxProperties        int                    `json:"maxProperties,omitempty"`
	Items                *jsonSchema            `json:"items,omitempty"`
	MinItems             int                    `json:"minItems,omitempty"`
	AnyOf                []*jsonSchema          `json:"anyOf,omitempty"`
	OneOf                []*jsonSchema          `json:"oneOf,omitempty"`
	Defs                 map[string]*jsonSchema `json:"$defs,omitempty"`
}

// JSONSchema returns the JSON Schema of the crawl file, draft 2020-12: docs/crawl-file.schema.json. It refuses no file
// that Load takes. What depends on other files, or on several keys at once, Load alone checks; two rules of the kind are
// in it: seeds are required unless the focus has its own, and a focus has exactly one key.
func (s Schema) JSONSchema() []byte {
	return s.jsonSchema("Crawl file of Orbweaver", reflect.TypeFor[Crawl]())
}

// ComparisonJSONSchema is JSONSchema of the comparison file: docs/comparison-file.schema.json.
func (s Schema) ComparisonJSONSchema() []byte {
	return s.jsonSchema("Comparison file of Orbweaver", reflect.TypeFor[Comparison]())
}

// jsonSchema writes the schema of a file.
func (s Schema) jsonSchema(title string, file reflect.Type) []byte {
	w := &schemaWriter{schema: s, keys: keysOf(fieldsOf(file))}
	root := w.section(file)
	root.Draft, root.Title = "https://json-schema.org/draft/2020-12/schema", title
	root.Defs = map[string]*jsonSchema{"focus": w.focus()}
	for _, f := range fieldsOf(file) {
		if f.need && f.unless != "" {
			root.AnyOf = w.unless(f)
		}
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	if err := enc.Encode(root); err != nil {
		panic(err) // texts, numbers and maps of them: nothing that JSON lacks
	}
	return out.Bytes()
}

// A schemaWriter makes the JSON Schema of one kind of file.
type schemaWriter struct {
	schema Schema
	keys   []string // of the file itself
}

// section is the schema of a struct's keys.
func (w *schemaWriter) section(t reflect.Type) *jsonSchema {
	out := &jsonSchema{Type: []string{"object"}, Properties: map[string]*jsonSchema{}, AdditionalProperties: false, OneOf: exclusive(t)}
	for _, f := range fieldsOf(t) {
		value := w.value(t.Field(f.index).Type, f)
		value.Description = f.doc
		if f.hasInitial {
			value.Default = jsonDefault(t.Field(f.index).Type, f)
		}
		out.Properties[f.key] = value
		if f.need && !f.hasInitial && !w.spared(f) {
			out.Required = append(out.Required, f.key)
		}
	}
	return out
}

// spared reports whether a file of this kind may have a key that makes a field needless.
func (w *schemaWriter) spared(f field) bool {
	return f.unless == anySeedless || slices.ContainsFunc(strings.Split(f.unless, "|"), func(key string) bool { return slices.Contains(w.keys, key) })
}

// unless is what a file has one of where a key of it may be left out: the key itself, or one that spares it.
func (w *schemaWriter) unless(f field) []*jsonSchema {
	either := []*jsonSchema{{Required: []string{f.key}}}
	if f.unless != anySeedless {
		for _, key := range strings.Split(f.unless, "|") {
			either = append(either, &jsonSchema{Required: []string{key}})
		}
		return either
	}
	for _, path := range w.schema.seedless() {
		section, key, _ := strings.Cut(path, ".")
		either = append(either, &jsonSchema{Properties: map[string]*jsonSchema{section: {Required: []string{key}}}, Required: []string{section}})
	}
	return either
}

// exclusive are the keys of a section of which it has exactly one, each as an alternative.
func exclusive(t reflect.Type) (either []*jsonSchema) {
	keys := map[reflect.Type][]string{
		reflect.TypeFor[Truth]():  {"file", "keywords", "class", "cosine"},
		reflect.TypeFor[Search](): {"engine", "template"},
	}[t]
	for _, key := range keys {
		either = append(either, &jsonSchema{Required: []string{key}})
	}
	return either
}

// value is the schema of a key's value.
func (w *schemaWriter) value(t reflect.Type, f field) *jsonSchema {
	switch t {
	case reflect.TypeFor[Focus]():
		return &jsonSchema{Ref: "#/$defs/focus"}
	case reflect.TypeFor[Seeds]():
		return w.seeds()
	case reflect.TypeFor[Private]():
		return orList(&jsonSchema{Type: []string{"string"}, Pattern: `^[0-9A-Fa-f:.]+(%[^/]+)?(/[0-9]{1,3})?$`}, 0, &jsonSchema{Type: []string{"boolean"}})
	}
	switch t.Kind() {
	case reflect.Pointer:
		return w.value(t.Elem(), f)
	case reflect.Struct:
		return w.section(t)
	case reflect.Slice:
		least := 0
		if f.need {
			least = 1
		}
		f.need = true
		return orList(w.element(t.Elem(), f), least)
	case reflect.Map:
		f.need = true
		return &jsonSchema{Type: []string{"object"}, AdditionalProperties: scalarSchema(t.Elem(), f)}
	}
	return scalarSchema(t, f)
}

// element is the schema of a list's item: a section without required keys may be empty.
func (w *schemaWriter) element(t reflect.Type, f field) *jsonSchema {
	if t.Kind() == reflect.Struct {
		return orEmpty(w.section(t))
	}
	return scalarSchema(t, f)
}

// orEmpty lets nothing stand for a section that needs no key.
func orEmpty(section *jsonSchema) *jsonSchema {
	if len(section.Required) == 0 {
		section.Type = append(section.Type, "null")
	}
	return section
}

// orList is a value, a list of such values, or one of others.
func orList(item *jsonSchema, least int, others ...*jsonSchema) *jsonSchema {
	return &jsonSchema{AnyOf: append([]*jsonSchema{item, {Type: []string{"array"}, Items: item, MinItems: least}}, others...)}
}

// focus is the schema of the kinds of focus: exactly one key.
func (w *schemaWriter) focus() *jsonSchema {
	out := &jsonSchema{Type: []string{"object"}, Properties: map[string]*jsonSchema{}, AdditionalProperties: false, MinProperties: 1, MaxProperties: 1}
	for _, kind := range w.schema {
		section := orEmpty(w.section(reflect.TypeOf(kind.Section()).Elem()))
		section.Description = kind.Traits().Doc
		out.Properties[kind.Traits().Key] = section
	}
	return out
}

// seeds is the schema of seeds: URLs, or where they come from.
func (w *schemaWriter) seeds() *jsonSchema {
	from := w.section(reflect.TypeFor[seedFile]())
	from.AnyOf = []*jsonSchema{{Required: []string{"file"}}, {Required: []string{"search"}}}
	return orList(&jsonSchema{Type: []string{"string"}, Pattern: `^\s*[hH][tT][tT][pP][sS]?:`}, 0, from)
}
