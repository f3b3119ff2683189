package crawlfile

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"orbweaver/internal/sinks"
)

// A jsonSchema is a JSON Schema, draft 2020-12, reduced to the keywords in use.
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

// JSONSchema returns the JSON Schema of the crawl file, draft 2020-12: docs/reference/crawl-file.schema.json. It accepts every
// file that Load accepts. Of the rules about several keys it has two: seeds are required unless the focus generates its
// own first requests, and a focus has exactly one key. Load alone checks the other rules and the existence of files.
func (s Schema) JSONSchema() []byte {
	return s.jsonSchema("Crawl file of Orbweaver", reflect.TypeFor[Crawl]())
}

// ComparisonJSONSchema returns the JSON Schema of the comparison file: docs/reference/comparison-file.schema.json.
func (s Schema) ComparisonJSONSchema() []byte {
	return s.jsonSchema("Comparison file of Orbweaver", reflect.TypeFor[Comparison]())
}

// jsonSchema returns the schema of a file as JSON.
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
		panic(err) // unreachable: strings, numbers and maps only
	}
	return out.Bytes()
}

// A schemaWriter builds the JSON Schema of a crawl file or a comparison file.
type schemaWriter struct {
	schema Schema
	keys   []string // top-level keys
}

// section returns the schema of a section.
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
	if _, ok := inline(t); ok {
		for _, key := range w.schema.Keys() {
			out.Properties[key] = &jsonSchema{Ref: "#/$defs/focus/properties/" + key}
		}
	}
	return out
}

// spared reports whether a file of this kind may have a key that makes a field optional.
func (w *schemaWriter) spared(f field) bool {
	return f.unless == anySeedless || slices.ContainsFunc(strings.Split(f.unless, "|"), func(key string) bool { return slices.Contains(w.keys, key) })
}

// unless returns the alternatives for an optional key: the key itself, or a key that makes it optional.
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

// exclusive returns one alternative for each key of a section that has exactly one key.
func exclusive(t reflect.Type) (either []*jsonSchema) {
	keys := map[reflect.Type][]string{
		reflect.TypeFor[Truth]():      {"file", "keywords", "class", "cosine"},
		reflect.TypeFor[Search]():     {"engine", "template"},
		reflect.TypeFor[Auth]():       {"basic", "bearer"},
		reflect.TypeFor[sinks.Sink](): sinks.Kinds(),
	}[t]
	for _, key := range keys {
		either = append(either, &jsonSchema{Required: []string{key}})
	}
	return either
}

// value returns the schema of a key's value.
func (w *schemaWriter) value(t reflect.Type, f field) *jsonSchema {
	switch t {
	case reflect.TypeFor[Focus]():
		return &jsonSchema{Ref: "#/$defs/focus"}
	case reflect.TypeFor[Seeds]():
		return w.seeds()
	case reflect.TypeFor[Private]():
		return orList(&jsonSchema{Type: []string{"string"}, Pattern: `^[0-9A-Fa-f:.]+(%[^/]+)?(/[0-9]{1,3})?$`}, 0, &jsonSchema{Type: []string{"boolean"}})
	}
	switch t {
	case reflect.TypeFor[Secret]():
		return secretSchema()
	case reflect.TypeFor[Phrase]():
		return phraseSchema()
	case reflect.TypeFor[Values]():
		return &jsonSchema{Type: []string{"object"}, AdditionalProperties: phraseSchema()}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return w.value(t.Elem(), f)
	case reflect.Struct:
		section := w.section(t)
		if f.short == "" {
			return section
		}
		either := []*jsonSchema{}
		for _, key := range strings.Split(f.short, "|") {
			either = append(either, section.Properties[key])
		}
		return &jsonSchema{AnyOf: append(either, section)}
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

// element returns the schema of a list's item.
func (w *schemaWriter) element(t reflect.Type, f field) *jsonSchema {
	if t.Kind() == reflect.Struct {
		return orEmpty(w.section(t))
	}
	return scalarSchema(t, f)
}

// orEmpty accepts null for a section without required keys.
func orEmpty(section *jsonSchema) *jsonSchema {
	if len(section.Required) == 0 {
		section.Type = append(section.Type, "null")
	}
	return section
}

// orList returns the schema of a value, a list of such values, or one of others.
func orList(item *jsonSchema, least int, others ...*jsonSchema) *jsonSchema {
	return &jsonSchema{AnyOf: append([]*jsonSchema{item, {Type: []string{"array"}, Items: item, MinItems: least}}, others...)}
}

// focus returns the schema of a focus, which has exactly one key.
func (w *schemaWriter) focus() *jsonSchema {
	out := &jsonSchema{Type: []string{"object"}, Properties: map[string]*jsonSchema{}, AdditionalProperties: false, MinProperties: 1, MaxProperties: 1}
	for _, kind := range w.schema {
		section := orEmpty(w.section(reflect.TypeOf(kind.Section()).Elem()))
		section.Description = kind.Traits().Doc
		out.Properties[kind.Traits().Key] = section
	}
	return out
}

// seeds returns the schema of seeds: URLs, or a section with file and search.
func (w *schemaWriter) seeds() *jsonSchema {
	from := w.section(reflect.TypeFor[seedFile]())
	from.AnyOf = []*jsonSchema{{Required: []string{"file"}}, {Required: []string{"urls"}}, {Required: []string{"list"}}, {Required: []string{"search"}}}
	return orList(&jsonSchema{Type: []string{"string"}, Pattern: `^\s*[hH][tT][tT][pP][sS]?:`}, 0, from)
}

// secretSchema returns the schema of where a secret is.
func secretSchema() *jsonSchema {
	name := &jsonSchema{Type: []string{"string"}}
	return &jsonSchema{
		Type: []string{"object"}, Properties: map[string]*jsonSchema{"env": name, "file": name}, AdditionalProperties: false,
		MinProperties: 1, MaxProperties: 1,
	}
}

// phraseSchema returns the schema of a text or a secret.
func phraseSchema() *jsonSchema {
	return &jsonSchema{AnyOf: []*jsonSchema{{Type: []string{"string", "number", "boolean"}}, secretSchema()}}
}
