package crawlfile

import (
	"reflect"
	"slices"
	"strings"

	"orbweaver/internal/crawlfile/notation"
	"orbweaver/internal/order"
	"orbweaver/weburl"
)

// Traits are the properties of a kind of focus that do not depend on its section.
type Traits struct {
	Key      string // under focus, such as best_first
	Doc      string // its meaning, for the reference
	Seedless bool   // it generates its own first requests, so seeds are optional
	Searches bool   // it generates a search query, so seeds.search.query is optional
	Knowing  bool   // it uses the truth, so a resumed crawl must have the same one
	Always   string // name of its run in every comparison; empty: none
}

// A Kind is a kind of focus in crawl files: a key under focus, and the schema of its section.
type Kind interface {
	Traits() Traits
	// Section returns a new section, a pointer to a struct with schema tags.
	Section() any
	// Check reports problems of a section beyond single values, and completes the section.
	Check(section any, c *Check)
	// Begins reports whether a focus with this section generates its own first requests.
	Begins(section any) bool
}

// A Schema lists the kinds of focus that crawl files may name, in the order of the reference.
type Schema []Kind

// Keys returns the keys under focus.
func (s Schema) Keys() []string {
	keys := make([]string, len(s))
	for i, kind := range s {
		keys[i] = kind.Traits().Key
	}
	return keys
}

// Kind returns the kind of a key, or nil if there is none.
func (s Schema) Kind(key string) Kind {
	for _, kind := range s {
		if kind.Traits().Key == key {
			return kind
		}
	}
	return nil
}

// Focus returns a focus of a kind with the defaults of its section, modified by change, which may be nil. It panics if
// the schema lacks the key.
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

// seedless returns the paths, below focus, of the kinds that need no seeds.
func (s Schema) seedless() (keys []string) {
	for _, kind := range s {
		if t := kind.Traits(); t.Seedless {
			keys = append(keys, "focus."+t.Key)
		}
	}
	return keys
}

// always returns the kind of a reserved run name.
func (s Schema) always(name string) Kind {
	for _, kind := range s {
		if t := kind.Traits(); t.Always != "" && t.Always == name {
			return kind
		}
	}
	return nil
}

// A Focus is a kind of focus with its section of the file. The zero Focus has no kind.
type Focus struct {
	kind    Kind
	section any
	named   []string // keys in the file, in the schema's order
}

// Kind returns the kind of focus, or nil if there is none.
func (f Focus) Kind() Kind { return f.kind }

// Section returns the section of the file, a pointer of the type that Kind.Section returns.
func (f Focus) Section() any { return f.section }

// With returns a focus of the same kind with another section.
func (f Focus) With(section any) Focus {
	f.section = section
	return f
}

// Key returns the key of the focus in the file, such as "best_first", or "" if there is no focus.
func (f Focus) Key() string { return f.traits().Key }

// traits returns the traits of the kind, or the zero value if there is none.
func (f Focus) traits() Traits {
	if f.kind == nil {
		return Traits{}
	}
	return f.kind.Traits()
}

// begins reports whether the focus generates its own first requests.
func (f Focus) begins() bool { return f.kind != nil && f.kind.Begins(f.section) }

// decode reads the sections of kinds. Without a schema it accepts any key and reads nothing.
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
	order.By(f.named, func(a, b string) int { return slices.Index(keys, a) - slices.Index(keys, b) })
}

// unknownFocus reports an unknown kind of focus.
func (d *decoding) unknownFocus(e entry, key string, keys []string) {
	switch near := notation.Nearest(e.key, keys); {
	case near != "":
		d.add(e.at, key, "unknown key", "did you mean "+near+"?")
	default:
		d.add(e.at, key, "unknown key", hintOf(keys))
	}
}

// A Check gives a kind access to the file while it checks its section, and takes its problems.
type Check struct {
	Prefixes map[string]string // of the file
	Crawl    *Crawl            // nil in a comparison file

	d   *decoding
	key string // of the section
}

// Problem reports a problem of a key of the section, with a hint. The key "" means the section itself.
func (c *Check) Problem(key, msg, hint string) { c.d.problem(c.path(key), msg, hint) }

// Given reports whether the section has a key with a value.
func (c *Check) Given(key string) bool { return c.d.given(c.path(key)) }

// GivenInFile reports whether the file has a key with a value.
func (c *Check) GivenInFile(key string) bool { return c.d.given(key) }

// Troubled reports whether a key, or a part of its value, has a problem.
func (c *Check) Troubled(key string) bool { return c.d.troubled(c.path(key)) }

// Item returns the key of a list's i-th item, counted from 0. If the file has a single value instead of the list, it
// returns the key of the list.
func (c *Check) Item(list string, i int) string {
	return strings.TrimPrefix(c.d.item(c.path(list), i), c.key+".")
}

// Looks reports whether to check files that the crawl file names. It is false for crawl.yaml of a crawl folder.
func (c *Check) Looks() bool { return c.d.look }

// Folder returns the folder of the file, from which relative paths are counted: absolute, or empty for a file without one.
func (c *Check) Folder() string { return c.d.folder }

// Beside returns the folder of data that several crawls share.
func (c *Check) Beside() string { return c.d.beside }

// Expand returns the IRI of a name: an IRI, or a prefixed name with a prefix of the file or a usual one. If the name is
// invalid, msg says why.
func (c *Check) Expand(name string) (iri, msg, hint string) { return expand(name, c.Prefixes) }

// Spell expands a name in place and keeps the mark that it begins with. If usual is set, the usual prefixes are known
// too. It reports an invalid name.
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

// URL canonicalizes a URL in place, unless it is empty, and reports an invalid one.
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

// path returns the path of a key of the section in the file.
func (c *Check) path(key string) string {
	if key == "" {
		return c.key
	}
	return join(c.key, key)
}

// Focus checks a focus within the section, by its kind. key is that of the section that has the focus as its only key, or
// among others.
func (c *Check) Focus(key string, f Focus) {
	inner := *c
	c.d.checkFocus(f, c.path(key), &inner)
}

// Quote quotes a text of the user for a message. It truncates long texts and hides passwords in URLs.
func Quote(text string) string { return shorten(text) }

// withUsual adds the usual prefixes that the file does not define.
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
