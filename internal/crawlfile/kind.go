package crawlfile

import (
	"reflect"
	"slices"
	"strings"

	"orbweaver/weburl"
)

// Traits are what a kind of focus is to a crawl file, whatever its section says.
type Traits struct {
	Key      string // under focus, such as best_first
	Doc      string // its meaning, for the reference
	Seedless bool   // it has first requests of its own: seeds may be left out
	Searches bool   // it has words of its own for a search engine: seeds.search.query may be left out
	Knowing  bool   // it acts on the truth: a crawl goes on only under the same one
	Always   string // name of the run that every comparison has of it; empty: none
}

// A Kind is a kind of focus as crawl files have it: a key under focus, and the section that stands there.
type Kind interface {
	Traits() Traits
	// Section returns a new section: a pointer to a struct whose tags are its schema.
	Section() any
	// Check reports what is wrong with a section beyond single values, and completes it.
	Check(section any, c *Check)
	// Begins reports whether a focus of this section has first requests of its own.
	Begins(section any) bool
}

// A Schema is the kinds of focus that crawl files may name, in the order of the reference.
type Schema []Kind

// Keys are the keys under focus.
func (s Schema) Keys() []string {
	keys := make([]string, len(s))
	for i, kind := range s {
		keys[i] = kind.Traits().Key
	}
	return keys
}

// Kind returns the kind of a key, and nil for a key that there is none of.
func (s Schema) Kind(key string) Kind {
	for _, kind := range s {
		if kind.Traits().Key == key {
			return kind
		}
	}
	return nil
}

// Focus is a focus of a kind as it is without a key of its section, defaults filled in; change sets what it is to
// be, and may be nil. It panics on a key that the schema lacks.
func (s Schema) Focus(key string, change func(section any)) Focus {
	kind := s.Kind(key)
	section, d := kind.Section(), &decoding{schema: s, places: map[string]place{}}
	v := reflect.ValueOf(section).Elem()
	d.defaults(v, fieldsOf(v.Type()))
	if change != nil {
		change(section)
	}
	return Focus{kind: kind, section: section}
}

// seedless are the keys of kinds that need no seeds, below focus.
func (s Schema) seedless() (keys []string) {
	for _, kind := range s {
		if t := kind.Traits(); t.Seedless {
			keys = append(keys, "focus."+t.Key)
		}
	}
	return keys
}

// always returns the kind that a reserved name of runs stands for.
func (s Schema) always(name string) Kind {
	for _, kind := range s {
		if t := kind.Traits(); t.Always != "" && t.Always == name {
			return kind
		}
	}
	return nil
}

// A Focus says what a crawl is about: a kind of focus, and its section of the file. The zero Focus names none.
type Focus struct {
	kind    Kind
	section any
	named   []string // keys that the file has, in the schema's order
}

// Kind is the kind of focus; nil where none is named.
func (f Focus) Kind() Kind { return f.kind }

// Section is what the file says of it, a pointer as Kind.Section makes it.
func (f Focus) Section() any { return f.section }

// With is a focus of the same kind with another section.
func (f Focus) With(section any) Focus {
	f.section = section
	return f
}

// Key is the key of the focus as written in the file ("best_first"), or "" when none is.
func (f Focus) Key() string { return f.traits().Key }

// traits are those of the kind; of no kind, none.
func (f Focus) traits() Traits {
	if f.kind == nil {
		return Traits{}
	}
	return f.kind.Traits()
}

// begins reports whether the focus has first requests of its own.
func (f Focus) begins() bool { return f.kind != nil && f.kind.Begins(f.section) }

// decode reads the sections of kinds. Without a schema any key will do, and nothing is read.
func (f *Focus) decode(d *decoding, n *node, key string) {
	keys := d.schema.Keys()
	if n.kind != mapNode {
		d.problem(key, "must be a section of keys, not "+n.describe(), hintOf(keys))
		return
	}
	for _, e := range n.entries {
		at := join(key, e.key)
		d.places[at] = e.at
		kind := d.schema.Kind(e.key)
		if kind == nil {
			if d.schema != nil {
				d.unknownFocus(e, at, keys)
			}
			continue
		}
		section := kind.Section()
		d.section(reflect.ValueOf(section).Elem(), e.value, at)
		f.named = append(f.named, e.key)
		if f.kind == nil || slices.Index(keys, e.key) < slices.Index(keys, f.Key()) {
			f.kind, f.section = kind, section
		}
	}
	slices.SortFunc(f.named, func(a, b string) int { return slices.Index(keys, a) - slices.Index(keys, b) })
}

// unknownFocus reports a kind of focus that there is none of.
func (d *decoding) unknownFocus(e entry, key string, keys []string) {
	switch near := nearest(e.key, keys); {
	case isLaterFocus(e.key):
		d.add(e.at, key, e.key+" is not in this version", hintOf(keys))
	case near != "":
		d.add(e.at, key, "unknown key", "did you mean "+near+"?")
	default:
		d.add(e.at, key, "unknown key", hintOf(keys))
	}
}

// isLaterFocus tells the focuses that the design has and this version has not.
func isLaterFocus(kind string) bool { return kind == "blend" }

// A Check is what a kind finds out about its section with, and where it reports what is wrong.
type Check struct {
	Prefixes map[string]string // of the file
	Crawl    *Crawl            // nil in a comparison file

	d   *decoding
	key string // of the section
}

// Problem reports what is wrong with a key of the section, "" being the section itself, and what to do about it.
func (c *Check) Problem(key, msg, hint string) { c.d.problem(c.path(key), msg, hint) }

// Given reports whether the section has a key with a value.
func (c *Check) Given(key string) bool { return c.d.given(c.path(key)) }

// GivenInFile reports whether the file has a key with a value.
func (c *Check) GivenInFile(key string) bool { return c.d.given(key) }

// Troubled reports whether a problem of a key, or of something in it, was reported.
func (c *Check) Troubled(key string) bool { return c.d.troubled(c.path(key)) }

// Item is the key of a list's i-th item, counted from 0, or that of the list where a single value stands for it.
func (c *Check) Item(list string, i int) string {
	return strings.TrimPrefix(c.d.item(c.path(list), i), c.key+".")
}

// Looks reports whether files that the crawl file names are looked at: not of a crawl as it was run.
func (c *Check) Looks() bool { return c.d.look }

// Beside is the folder of what several crawls share.
func (c *Check) Beside() string { return c.d.beside }

// Expand spells out the name of an entity: an IRI, or a prefixed name by the file's prefixes and some others. What is
// wrong with it is msg, with a hint.
func (c *Check) Expand(name string) (iri, msg, hint string) { return expand(name, c.Prefixes) }

// Spell spells out a name in place, behind a mark that it begins with; with the prefixes that everybody writes, where
// usual is set. It reports what is no name.
func (c *Check) Spell(name *string, key, mark string, usual bool) {
	prefixes := c.Prefixes
	if usual {
		prefixes = withUsual(prefixes)
	}
	iri, msg, hint := expand(strings.TrimPrefix(*name, mark), prefixes)
	if msg != "" {
		c.Problem(key, msg, hint)
		return
	}
	*name = mark + iri
}

// URL puts a URL into canonical form in place, where there is one, and reports what is none.
func (c *Check) URL(url *string, key string) {
	if *url == "" {
		return
	}
	canonical, err := weburl.Canonical(*url)
	if err != nil {
		msg, hint := badURL(*url, err)
		c.Problem(key, msg, hint)
		return
	}
	*url = canonical
}

// path is a key of the section as the file has it.
func (c *Check) path(key string) string {
	if key == "" {
		return c.key
	}
	return join(c.key, key)
}

// Quote quotes a text of the user's for a message, cut where it gets long; a password in a URL is hidden.
func Quote(text string) string { return shorten(text) }

// withUsual adds prefixes that everybody writes, where the file gives them no meaning of its own.
func withUsual(prefixes map[string]string) map[string]string {
	all := map[string]string{
		"rdf":  "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
		"rdfs": "http://www.w3.org/2000/01/rdf-schema#",
		"owl":  "http://www.w3.org/2002/07/owl#",
		"skos": "http://www.w3.org/2004/02/skos/core#",
	}
	for prefix, iri := range prefixes {
		all[prefix] = iri
	}
	return all
}
