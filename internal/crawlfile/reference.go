package crawlfile

import (
	"fmt"
	"reflect"
	"strings"

	"orbweaver/internal/crawlfile/examples"
)

// Reference returns docs/reference/crawl-file.md: the documentation of crawl files and comparison files, generated from the tags of
// the schema.
func (s Schema) Reference() []byte {
	var w strings.Builder
	w.WriteString(examples.Head)
	w.WriteString("## The crawl file\n\n")
	s.referenceSection(&w, reflect.TypeFor[Crawl](), "", map[reflect.Type]bool{})
	w.WriteString(examples.ComparisonHead)
	shared := map[reflect.Type]bool{
		reflect.TypeFor[Web](): true, reflect.TypeFor[Limits](): true, reflect.TypeFor[Scope](): true,
		reflect.TypeFor[Truth](): true, reflect.TypeFor[Focus](): true,
	}
	s.referenceSection(&w, reflect.TypeFor[Comparison](), "", shared)
	return []byte(w.String())
}

// referenceSection writes a table of a section's keys, then the tables of its subsections that are not documented yet.
func (s Schema) referenceSection(w *strings.Builder, t reflect.Type, path string, done map[reflect.Type]bool) {
	done[t] = true
	fields := fieldsOf(t)
	w.WriteString(referenceTable)
	for _, f := range fields {
		referenceRow(w, f.key, f.typeName(t.Field(f.index).Type), s.defaultName(f), f.doc)
	}
	if _, ok := inline(t); ok {
		referenceRow(w, "…", "section", "required", "The focus: one of the keys of focus, such as ontology, with its section.")
	}
	w.WriteString("\n")
	for _, f := range fields {
		key, inner := join(path, f.key), t.Field(f.index).Type
		if inner == reflect.TypeFor[Focus]() && !done[inner] {
			fmt.Fprintf(w, "### `%s`\n\n%s\n\n", key, f.doc)
			s.referenceFocus(w, key, done)
		}
		if inner = sectionType(inner); inner == nil || done[inner] || inner.NumField() == 0 {
			continue
		}
		fmt.Fprintf(w, "### `%s`\n\n%s\n\n", key, f.doc)
		s.referenceSection(w, inner, key, done)
	}
}

// referenceFocus writes a table of the kinds of focus, then the tables of their sections.
func (s Schema) referenceFocus(w *strings.Builder, path string, done map[reflect.Type]bool) {
	done[reflect.TypeFor[Focus]()] = true
	w.WriteString(referenceTable)
	for _, kind := range s {
		t := kind.Traits()
		referenceRow(w, t.Key, "section", "", t.Doc)
	}
	w.WriteString("\n")
	for _, kind := range s {
		inner := reflect.TypeOf(kind.Section()).Elem()
		if done[inner] || inner.NumField() == 0 {
			continue
		}
		key := join(path, kind.Traits().Key)
		fmt.Fprintf(w, "### `%s`\n\n%s\n\n", key, kind.Traits().Doc)
		s.referenceSection(w, inner, key, done)
	}
}

// referenceTable begins a table of keys.
const referenceTable = "| key | type | default | meaning |\n|---|---|---|---|\n"

// referenceRow writes a row of a table of keys.
func referenceRow(w *strings.Builder, key, kind, initial, doc string) {
	fmt.Fprintf(w, "| `%s` | %s | %s | %s |\n", key, cell(kind), initial, cell(doc))
}

// sectionType returns the struct type of a section, or nil if the type is not a section.
func sectionType(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || t == reflect.TypeFor[Secret]() || reflect.PointerTo(t).Implements(reflect.TypeFor[selfDecoder]()) {
		return nil
	}
	return t
}

// typeName returns the name of a key's type.
func (f field) typeName(t reflect.Type) string {
	if name := f.kindName(); name != "" {
		return name
	}
	name := wanted(reflect.New(t).Elem(), f)
	switch t.Kind() {
	case reflect.Pointer:
		name = "number"
	case reflect.String, reflect.Float64, reflect.Int, reflect.Int64:
		name = strings.TrimPrefix(name, "a ")
	}
	name, _, _ = strings.Cut(name, " such as")
	if f.min != "" && f.max != "" && f.as == "" && t.Kind() != reflect.Int64 {
		name += " from " + f.min + " to " + f.max
	}
	return name
}

// defaultName describes the default of a key, or the condition under which it is required.
func (s Schema) defaultName(f field) string {
	switch {
	case f.hasInitial:
		return "`" + f.initial + "`"
	case f.unless == anySeedless:
		return "required unless there is `" + strings.Join(s.seedless(), "` or `") + "`"
	case f.unless != "":
		return "required unless there is `" + strings.ReplaceAll(f.unless, "|", "` or `") + "`"
	case f.need:
		return "required"
	}
	return ""
}

// cell escapes a text for a table cell.
func cell(text string) string { return strings.ReplaceAll(text, "|", "\\|") }

// The example files of the documentation.
const (
	ExampleCrawl      = examples.Crawl      // at its top
	ExampleShort      = examples.Short      // a minimal one
	ExampleComparison = examples.Comparison // a comparison
	ExampleEach       = examples.Each       // a comparison with each
)
