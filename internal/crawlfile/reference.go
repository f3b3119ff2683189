package crawlfile

import (
	"fmt"
	"reflect"
	"strings"
)

// Reference returns docs/crawl-file.md: the documentation of crawl files and comparison files, generated from the tags of
// the schema.
func (s Schema) Reference() []byte {
	var w strings.Builder
	w.WriteString(referenceHead)
	w.WriteString("## The crawl file\n\n")
	s.referenceSection(&w, reflect.TypeFor[Crawl](), "", map[reflect.Type]bool{})
	w.WriteString(referenceComparison)
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
	if t.Kind() != reflect.Struct || reflect.PointerTo(t).Implements(reflect.TypeFor[selfDecoder]()) {
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

const referenceHead = "# The crawl file and the comparison file\n\n" +
	"<!-- Generated from the schema in internal/crawlfile; after changing it run:\n" +
	"     go test ./internal/crawlfile -run Reference -update -->\n\n" +
	`For authors of crawl and comparison files: every key with its type, default and meaning. One YAML file configures a crawl
completely. This one looks for pages about aircraft in an archived web and fetches at most 2 000 pages:

` + "```yaml\n" + ExampleCrawl + "```\n" + `
Most keys are optional; these two lines are a complete crawl file:

` + "```yaml\n" + ExampleShort + "```\n" + `
How values are written:

- **Paths** are relative to the folder of the file. A single value may replace a list of one.
- **Durations** have a unit: ` + "`250ms`, `30s`, `2h`, `1h30m`" + `.
- **Sizes** are bytes, with or without a unit: ` + "`500kB`, `10MB`, `2GB` (powers of 1000), `64KiB`, `10MiB`, `1GiB`" + ` (powers of 1024).
- **Prefixed names** such as ` + "`ex:Plane`" + ` are expanded by ` + "`prefixes`" + `; an IRI that contains ` + "`://`" + `, or in angle brackets, is absolute.
- Anchors, aliases and merge keys (` + "`<<`" + `) of YAML are allowed; tags are not. A file has at most 1 MB and 5 000 keys; put long lists of seeds into a seed file.

An editor that knows JSON Schema completes and checks keys: the first line ` + "`# yaml-language-server: $schema=crawl-file.schema.json`" + `
names the schema, by path or URL: [crawl-file.schema.json](crawl-file.schema.json) of this file, [comparison-file.schema.json](comparison-file.schema.json) of the comparison file.

All problems of a file are reported at once, one per line, as ` + "`file:line: key: message (hint)`" + `: unknown keys, values of the
wrong type, invalid combinations, undefined names, and missing files. List items are numbered from 1.

The crawl folder keeps the effective crawl file in ` + "`crawl.yaml`" + `: with defaults, expanded names, paths relative to the folder,
and the digest of a seed file. Only an equivalent file resumes a crawl. You may change ` + "`limits`, `workers`, `output`, `prefixes`, `http`" + `, the pace
in ` + "`politeness` (`delay`, `connections`, `timeout`, `retries`, `failures`)" + ` and, except for the oracle, ` + "`truth`" + ` between sessions.

`

const referenceComparison = `## The comparison file

A comparison runs many focuses over the same archived web, from the same seeds and within the same limits, and evaluates
them against one ground truth:

` + "```yaml\n" + ExampleComparison + "```\n\n" +
	`With ` + "`each`" + ` relevance is a cosine to an item, and all runs are repeated for every drawn item:

` + "```yaml\n" + ExampleEach + "```\n\n" +
	"`web`, `limits`, `scope`, `truth` and `focus` have the same keys as in a crawl file.\n\n"

// ExampleCrawl is the crawl file at the top of the documentation.
const ExampleCrawl = `seeds: [https://skylines.example/, https://travel.example/links.html]
web: {archive: demo.warc.gz}        # default: the live Web
prefixes: {ex: "http://example.org/"}
focus:                              # exactly one
  ontology:
    files: aircraft.ttl
    target: [ex:Airplane]
    relevance: total                # single | taxonomic | relational | total
truth: {file: truth.tsv, topics: [aircraft]}   # optional: ground truth, for evaluation
limits: {pages: 2000, time: 2h, body: 10MB}
scope: {exclude: [shop.example, "/\\.pdf$/"]}
output: crawls/aircraft
`

// ExampleShort is a minimal crawl file.
const ExampleShort = `seeds: https://skylines.example/
focus: {keyword: {terms: [airplane, aircraft]}}
`

// ExampleComparison is the comparison file of the documentation.
const ExampleComparison = `web: {archive: demo.warc.gz}
seeds: {file: seeds.txt}            # one URL per line
prefixes: {ex: "http://example.org/"}
truth: {file: truth.tsv, topics: [aircraft]}
limits: {requests: 460}
checkpoints: [0.05, 0.1, 0.2]       # shares of the web
runs:
  - {name: total, focus: {ontology: {files: aircraft.ttl, target: ex:Airplane}}}
  - {name: single, focus: {ontology: {files: aircraft.ttl, target: ex:Airplane, relevance: single}}}
  - {name: keyword, focus: {keyword: {terms: [airplane, aircraft]}}}
  - {name: best-first, focus: {best_first: {terms: [airplane, aircraft]}}}
output: comparisons/aircraft
`

// ExampleEach is the documentation's comparison file with each.
const ExampleEach = `web: {archive: demo.warc.gz}
truth: {cosine: 0.25}               # relevant: pages similar to the item
each: {items: 60, seed: 1}          # each item: a page drawn from the web
limits: {requests: 460}             # of each run; without seeds it starts from the item's links
runs:
  - {name: best-first, focus: {best_first: {}}}            # default terms: the item's words
  - {name: best-50-first, focus: {best_first: {n: 50}}}
output: comparisons/items
`
