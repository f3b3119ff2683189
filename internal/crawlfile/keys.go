package crawlfile

import (
	"reflect"
	"strings"
)

// A Form is how the value of a key is written, and how a form asks for it.
type Form string

// The forms of values.
const (
	SectionForm Form = "section" // keys of its own
	KindForm    Form = "kind"    // focus: exactly one of its keys, which are sections
	WordForm    Form = "word"    // one of Key.Words
	TextForm    Form = "text"    // one line: a text, number, size, duration or path
	NumberForm  Form = "number"  // likewise, and a number
	ListForm    Form = "list"    // texts, one a line
	YAMLForm    Form = "yaml"    // all else: a map, or a list of sections
)

// A Key is a key of crawl files with its documentation.
type Key struct {
	Path    string   `json:"path"`              // from the top, such as limits.requests
	Name    string   `json:"name"`              // the last part of it
	Type    string   `json:"type"`              // as docs/reference/crawl-file.md names it
	Doc     string   `json:"doc"`               //
	Default string   `json:"default,omitempty"` // value of a missing key; empty: none, or Doc says it
	Need    string   `json:"need,omitempty"`    // "required", or under which condition; empty: it may be missing
	Form    Form     `json:"form"`
	Words   []string `json:"words,omitempty"`
	Keys    []Key    `json:"keys,omitempty"` // of a section, in the order of the reference

	Free bool `json:"-"` // it has a notation of its own: one value, a list or a map

	short field // of a section that a single value may stand for
}

// Shorts reports whether a single value may stand for a section.
func (k *Key) Shorts() bool { return k.short.short != "" }

// ShortFor returns the key of a section that a single value in its place is for.
func (k *Key) ShortFor(n *Node) string {
	return k.short.shortFor(&node{kind: nodeKind(n.Kind), text: n.Text})
}

// Documented returns all keys of a crawl file, in the order of the reference.
func (s Schema) Documented() []Key { return s.keysIn(reflect.TypeFor[Crawl](), "") }

// keysIn documents the keys of a section.
func (s Schema) keysIn(t reflect.Type, path string) []Key {
	var keys []Key
	for _, f := range fieldsOf(t) {
		keys = append(keys, s.keyOf(t.Field(f.index).Type, f, path))
	}
	return keys
}

// keyOf documents a key.
func (s Schema) keyOf(t reflect.Type, f field, section string) Key {
	k := Key{Path: join(section, f.key), Name: f.key, Type: f.typeName(t), Doc: f.doc, Default: f.initial, short: f}
	if !f.hasInitial {
		k.Need = strings.ReplaceAll(s.defaultName(f), "`", "")
	}
	k.Form, k.Free = formOf(t, f), t == reflect.TypeFor[Seeds]() || t == reflect.TypeFor[Private]()
	switch {
	case k.Form == KindForm && section == "":
		for _, kind := range s {
			inner, traits := reflect.TypeOf(kind.Section()).Elem(), kind.Traits()
			at := join(k.Path, traits.Key)
			k.Words = append(k.Words, traits.Key)
			k.Keys = append(k.Keys, Key{Path: at, Name: traits.Key, Type: "section", Doc: traits.Doc, Form: SectionForm, Keys: s.keysIn(inner, at)})
		}
	case k.Form == KindForm: // within a kind
		k.Form = YAMLForm
	case k.Form == WordForm && f.oneof != "":
		k.Words = strings.Split(f.oneof, "|")
	case k.Form == WordForm:
		k.Words = []string{"true", "false"}
	case k.Form == SectionForm:
		k.Keys = s.keysIn(sectionType(t), k.Path)
	}
	return k
}

// formOf is how values of a type are written.
func formOf(t reflect.Type, f field) Form {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case t == reflect.TypeFor[Focus]():
		return KindForm
	case t == reflect.TypeFor[Seeds](), t == reflect.TypeFor[Private]():
		return ListForm
	case t == reflect.TypeFor[Secret](), t == reflect.TypeFor[Phrase](), t == reflect.TypeFor[Values]():
		return YAMLForm
	case t.Kind() == reflect.Struct:
		return SectionForm
	case t.Kind() == reflect.Slice && t.Elem().Kind() != reflect.Struct:
		return ListForm
	case t.Kind() == reflect.Slice, t.Kind() == reflect.Map:
		return YAMLForm
	case f.oneof != "", t.Kind() == reflect.Bool:
		return WordForm
	case t.Kind() == reflect.String:
		return TextForm
	}
	return NumberForm
}

// FindKey returns the key of a path below some keys, or nil.
func FindKey(keys []Key, path string) *Key {
	for i := range keys {
		if keys[i].Path == path {
			return &keys[i]
		}
		if strings.HasPrefix(path, keys[i].Path+".") {
			return FindKey(keys[i].Keys, path)
		}
	}
	return nil
}
