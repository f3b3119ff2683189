package crawlfile

import (
	"fmt"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"

	"orbweaver/internal/crawlfile/notation"
	"orbweaver/weburl"
)

// A decoding is the state of decoding one file: its context and the problems found so far.
type decoding struct {
	file     string           // path as the user wrote it
	folder   string           // absolute; base of relative paths
	look     bool             // whether files that it names must exist
	within   string           // absolute, without symbolic links: the folder that paths must not leave, and from which no program is run; empty: any
	schema   Schema           // known kinds of focus; nil: accept any and read none
	keys     []string         // top-level keys
	beside   string           // folder of data that several crawls share
	places   map[string]place // of each key of the file, by its path
	problems []Problem
}

// A field is one key of the schema with its tags.
type field struct {
	index                    int
	key, as, doc, kind       string
	short                    string // of a section: the key that a single value is for, or KEY|KEY: that of a number, that of other text; empty: there is none
	initial, oneof, min, max string
	unless                   string // keys of the file that make this one optional, separated by |
	need, hasInitial         bool   // need: the key is required, subject to unless
}

// fieldsOf reads the tags of a struct.
func fieldsOf(t reflect.Type) []field {
	fields := make([]field, 0, t.NumField())
	for i := range t.NumField() {
		tag := t.Field(i).Tag
		if tag.Get("yaml") == "-" || isInline(tag) {
			continue
		}
		f := field{index: i, key: tag.Get("yaml"), as: tag.Get("as"), doc: tag.Get("doc"), kind: tag.Get("type"),
			short: tag.Get("short"), oneof: tag.Get("oneof"), min: tag.Get("min"), max: tag.Get("max"), need: tag.Get("need") != ""}
		_, f.unless, _ = strings.Cut(tag.Get("need"), "unless ")
		f.initial, f.hasInitial = tag.Lookup("default")
		fields = append(fields, f)
	}
	return fields
}

// shortFor returns the key that a single value is for.
func (f field) shortFor(n *node) string {
	number, text, two := strings.Cut(f.short, "|")
	if two && n.kind == textNode && !startsNumber(n.text) {
		return text
	}
	return number
}

// startsNumber reports whether a text may be meant as a number or a percentage.
func startsNumber(text string) bool {
	digits := strings.TrimLeft(text, "0123456789.,-+ ")
	return digits == "" || digits == "%" || digits == " %"
}

// isInline reports whether a field is a focus whose key stands among the other keys of its section.
func isInline(tag reflect.StructTag) bool { return tag.Get("as") == "inline" }

// inline returns the number of the field of a section that is a focus inline; false if there is none.
func inline(t reflect.Type) (index int, ok bool) {
	for i := range t.NumField() {
		if isInline(t.Field(i).Tag) {
			return i, true
		}
	}
	return 0, false
}

// isPath reports whether the key names a file or folder.
func (f field) isPath() bool {
	switch f.as {
	case "file", "files", "archives", "folder", "written", "idf", "source":
		return true
	}
	return false
}

// A selfDecoder is a value with more than one notation in the file.
type selfDecoder interface {
	decode(d *decoding, n *node, key string)
}

// add reports a problem at a place of the file.
func (d *decoding) add(at place, key, msg, hint string) {
	d.problems = append(d.problems, Problem{File: d.file, Line: at.line, Column: at.column, Key: key, Msg: msg, Hint: hint})
}

// problem reports a problem of a key at the key's place or, if the key is missing, at that of its section.
func (d *decoding) problem(key, msg, hint string) {
	at, there := d.places[key]
	for path := key; !there && path != ""; at, there = d.places[path] {
		path = path[:max(0, strings.LastIndexAny(path, ".["))]
	}
	d.add(at, key, msg, hint)
}

// given reports whether the file has the key with a value.
func (d *decoding) given(key string) bool {
	_, there := d.places[key]
	return there
}

// join returns the path of a key in a section.
func join(section, key string) string {
	if section == "" {
		return key
	}
	return section + "." + key
}

// section decodes a map into a struct. It sets the defaults of all fields first.
func (d *decoding) section(v reflect.Value, n *node, path string) {
	fields := fieldsOf(v.Type())
	d.defaults(v, fields)
	switch n.kind {
	case mapNode:
	case nullNode:
		d.needed(fields, path)
		return
	default:
		d.problem(path, "must be a section of keys, not "+n.describe(), keysHint(fields))
		return
	}
	for _, e := range n.entries {
		key := join(path, e.key)
		i := slices.IndexFunc(fields, func(f field) bool { return f.key == e.key })
		if at, ok := inline(v.Type()); ok && i < 0 && (d.schema == nil || d.schema.Kind(e.key) != nil) {
			v.Field(at).Addr().Interface().(*Focus).decode(d, &node{kind: mapNode, at: e.at, entries: []entry{e}}, path)
			continue
		}
		if i < 0 {
			d.unknown(v.Type(), n, e, key)
			continue
		}
		d.places[key] = e.at
		if e.value.kind == nullNode {
			d.problem(key, "is empty", "give it a value or remove the key")
			continue
		}
		d.value(v.Field(fields[i].index), fields[i], e.value, key)
	}
	d.needed(fields, path)
}

// needed reports required keys that are missing.
func (d *decoding) needed(fields []field, path string) {
	for _, f := range fields {
		spared := f.unless == anySeedless && d.schema == nil || slices.ContainsFunc(d.sparing(f), func(key string) bool {
			return key != "" && (slices.Contains(d.keys, key) || d.given(key))
		})
		if f.need && !spared && !f.hasInitial && !d.given(join(path, f.key)) {
			d.problem(join(path, f.key), "is missing", strings.TrimPrefix(f.kindName(), "section"))
		}
	}
}

// sparing returns the keys of the file each of which makes a field optional. It expands * to the kinds of focus that
// need no seeds.
func (d *decoding) sparing(f field) []string {
	if f.unless == anySeedless {
		return d.schema.seedless()
	}
	return strings.Split(f.unless, "|")
}

// anySeedless means, in a tag, all kinds of focus that need no seeds.
const anySeedless = "*"

// defaults sets every field whose tag has a default.
func (d *decoding) defaults(v reflect.Value, fields []field) {
	for _, f := range fields {
		target := v.Field(f.index)
		switch {
		case target.Kind() == reflect.Struct && !isSelfDecoder(target):
			d.defaults(target, fieldsOf(target.Type()))
		case f.hasInitial && !isSelfDecoder(target):
			d.value(target, field{as: f.as}, &node{kind: textNode, text: f.initial}, f.key)
		}
	}
}

// isSelfDecoder reports whether a value implements selfDecoder.
func isSelfDecoder(v reflect.Value) bool {
	_, ok := v.Addr().Interface().(selfDecoder)
	return ok
}

// unknown reports a key of a section that the schema does not have.
func (d *decoding) unknown(t reflect.Type, n *node, e entry, key string) {
	d.places[key] = e.at
	fields := fieldsOf(t)
	hint := keysHint(fields)
	if inner := inside(t, n, e.key); inner != "" {
		hint = inner
	} else if near := notation.Nearest(e.key, keysOf(fields)); near != "" {
		hint = "did you mean " + near + "?"
	} else if other := elsewhere(t, e.key); other != "" {
		hint = other
	}
	d.add(e.at, key, "unknown key", hint)
}

// inside returns a hint if a key belongs into a section that is given beside it.
func inside(t reflect.Type, n *node, key string) string {
	for _, f := range fieldsOf(t) {
		section := t.Field(f.index).Type
		if section.Kind() == reflect.Pointer {
			section = section.Elem()
		}
		given := slices.IndexFunc(n.entries, func(e entry) bool { return e.key == f.key })
		if given < 0 || section.Kind() != reflect.Struct || isInline(t.Field(f.index).Tag) || !slices.Contains(keysOf(fieldsOf(section)), key) {
			continue
		}
		if value := n.entries[given].value; f.short != "" && value.kind == textNode {
			return fmt.Sprintf("it is a key of %s: write %s: {%s: ..., %s: ...}", f.key, f.key, f.shortFor(value), key)
		}
		return fmt.Sprintf("it is a key of %s: write it there", f.key)
	}
	return ""
}

// elsewhere returns a hint if the key belongs to the other kind of file.
func elsewhere(t reflect.Type, key string) string {
	has := func(other reflect.Type) bool { return slices.Contains(keysOf(fieldsOf(other)), key) }
	switch {
	case t == reflect.TypeFor[Crawl]() && has(reflect.TypeFor[Comparison]()):
		return "a key of comparison files"
	case t == reflect.TypeFor[Comparison]() && has(reflect.TypeFor[Crawl]()):
		return "a key of crawl files that comparisons do not have"
	}
	return ""
}

// keysOf lists the keys of a section.
func keysOf(fields []field) []string {
	keys := make([]string, len(fields))
	for i, f := range fields {
		keys[i] = f.key
	}
	return keys
}

// keysHint lists the keys of a section, for a hint.
func keysHint(fields []field) string {
	return hintOf(keysOf(fields))
}

// hintOf formats a list of keys as a hint.
func hintOf(keys []string) string {
	if len(keys) == 0 {
		return "it takes no keys"
	}
	return "it has: " + strings.Join(keys, ", ")
}

// value decodes a value into a field by its type and tags.
func (d *decoding) value(v reflect.Value, f field, n *node, key string) {
	if f.as == "command" && d.within != "" {
		d.problem(key, "names a program to run, which is not allowed here", "run this crawl by orbweaver crawl")
		return
	}
	switch self := v.Addr().Interface().(type) {
	case selfDecoder:
		self.decode(d, n, key)
		return
	case *Secret:
		d.secret(self, n, key)
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		if v.Type().Elem().Kind() == reflect.Struct {
			d.value(v.Elem(), f, n, key)
			return
		}
		if !d.scalar(v.Elem(), f, n, key) {
			v.SetZero()
		}
	case reflect.Struct:
		if f.short != "" && n.kind != mapNode && (n.kind != listNode || shortIsList(v.Type(), f.short)) {
			n = &node{kind: mapNode, at: n.at, entries: []entry{{key: f.shortFor(n), at: n.at, value: n}}}
		}
		d.section(v, n, key)
	case reflect.Slice:
		d.list(v, f, n, key)
	case reflect.Map:
		d.table(v, f, n, key)
	default:
		d.scalar(v, f, n, key)
	}
}

// shortIsList reports whether the key of a section that a single value is for has a list.
func shortIsList(section reflect.Type, short string) bool {
	return slices.ContainsFunc(fieldsOf(section), func(f field) bool {
		return f.key == short && section.Field(f.index).Type.Kind() == reflect.Slice
	})
}

// list decodes a list. A single value counts as a list of one.
func (d *decoding) list(v reflect.Value, f field, n *node, key string) {
	if n.kind == mapNode && v.Type().Elem().Kind() != reflect.Struct {
		d.problem(key, "must be a "+f.kindName()+", not "+n.describe(), "")
		return
	}
	if n.kind != listNode {
		n = &node{kind: listNode, at: n.at, items: []*node{n}}
		d.element(v, f, n.items[0], key)
		return
	}
	if len(n.items) == 0 && f.need {
		d.problem(key, "is empty", "")
	}
	for i, item := range n.items {
		path := fmt.Sprintf("%s[%d]", key, i+1)
		d.places[path] = item.at
		d.element(v, f, item, path)
	}
}

// element decodes an item and appends it to the list.
func (d *decoding) element(list reflect.Value, f field, n *node, key string) {
	item := reflect.New(list.Type().Elem()).Elem()
	f.need = true
	switch {
	case item.Kind() == reflect.Struct:
		d.section(item, n, key)
	case !d.scalar(item, f, n, key):
		return
	}
	list.Set(reflect.Append(list, item))
}

// table decodes a map of strings.
func (d *decoding) table(v reflect.Value, f field, n *node, key string) {
	if n.kind != mapNode {
		d.problem(key, "must be a "+f.kindName()+", not "+n.describe(), "")
		return
	}
	if len(n.entries) == 0 {
		return
	}
	f.need = true
	out := reflect.MakeMapWithSize(v.Type(), len(n.entries))
	for _, e := range n.entries {
		path := join(key, e.key)
		d.places[path] = e.at
		value := reflect.New(v.Type().Elem()).Elem()
		if d.scalar(value, f, e.value, path) {
			out.SetMapIndex(reflect.ValueOf(e.key), value)
		}
	}
	v.Set(out)
}

// absolute resolves a path relative to the file's folder, as notation.Path says.
func (d *decoding) absolute(path, key string) (whole string, ok bool) {
	if d.look { // else of a crawl folder, by a version that may have taken the path as it is
		var msg, hint string
		if path, msg, hint = notation.Path(path); msg != "" {
			d.problem(key, msg, hint)
			return "", false
		}
	}
	return d.joined(path), true
}

// joined resolves a path relative to the file's folder.
func (d *decoding) joined(path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(d.folder, filepath.FromSlash(path))
}

// sortedKeys returns the keys of a map in sorted order.
func sortedKeys(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }

// describe names the kind of a value, for messages.
func (n *node) describe() string {
	switch n.kind {
	case nullNode:
		return "nothing"
	case listNode:
		return "a list"
	case mapNode:
		return "a section of keys"
	}
	return shorten(n.text)
}

// shorten quotes a text of the user for a message. It truncates long texts and hides passwords in URLs.
func shorten(text string) string {
	const most = 60
	text = weburl.Redacted(text)
	if runes := []rune(text); len(runes) > most {
		text = string(runes[:most]) + "…"
	}
	return fmt.Sprintf("%q", text)
}

// kindName returns the name of a key's type in documentation and messages. Fields of plain Go types need no tag for it.
func (f field) kindName() string {
	switch {
	case f.kind != "":
		return f.kind
	case f.oneof != "":
		return strings.ReplaceAll(f.oneof, "|", ", ")
	}
	return ""
}

// isDuration tells the one type that is an int64 to reflection and a duration to users.
func isDuration(v reflect.Value) bool { return v.Type() == reflect.TypeFor[time.Duration]() }
