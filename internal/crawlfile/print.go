package crawlfile

import (
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"orbweaver/internal/crawlfile/notation"
)

// Marshal returns the crawl as a crawl file with every key, defaults included. It omits keys without a value (web, truth,
// accept and empty lists), and the user name and password of a proxy. Names are expanded to IRIs, and URLs are canonical.
//
// The file belongs into the folder c.Output: paths are relative to it, so that a tree with the crawl folder and its
// inputs can be moved. Loading the file from there gives a Crawl equal to c. The output is deterministic.
func (c *Crawl) Marshal() ([]byte, error) {
	if !filepath.IsAbs(c.Output) {
		return nil, fmt.Errorf("crawl file: output folder %q is no absolute path", c.Output)
	}
	var w strings.Builder
	emit(&w, printer{base: c.Output}.section(reflect.ValueOf(c).Elem()), "")
	return []byte(w.String()), nil
}

// Differences returns the keys in which two crawls differ, in the order of the schema. If there are none, a crawl begun
// with one file can be resumed with the other.
//
// It ignores keys that may change between sessions: limits, workers, memory, the output folder, prefixes (targets are
// compared as IRIs), sitemaps, failing, http, sinks, politeness except robots and user_agent, compression and known archives, and truth except for the oracle, which uses it.
// It compares seeds by digest and paths as absolute paths, without reading the files.
func (c *Crawl) Differences(other *Crawl) []string {
	var p printer
	mine, theirs := p.section(reflect.ValueOf(c).Elem()), p.section(reflect.ValueOf(other).Elem())
	return slices.DeleteFunc(differences(mine, theirs, ""), func(key string) bool {
		root, rest, _ := strings.Cut(key, ".")
		switch root {
		case "limits", "stop", "http", "workers", "memory", "cluster", "output", "prefixes", "sitemaps", "failing", "schedule", "sinks":
			return true
		case "politeness":
			return rest != "robots" && rest != "user_agent"
		case "archive":
			return c.Archive.Keep == other.Archive.Keep
		case "lists":
			return c.Lists == "" || c.Lists == "text" && other.Lists == "" // it goes on as the other began, of an older version
		case "explore":
			return c.Explore.Same(other.Explore)
		case "truth":
			return !c.Focus.traits().Knowing
		case "seeds":
			return c.Seeds.Digest == other.Seeds.Digest && reflect.DeepEqual(c.Seeds.Search, other.Seeds.Search)
		}
		return false
	})
}

// A pair is a key with its printed value: a string in YAML syntax, a list ([]any) or a section ([]pair).
type pair struct {
	key   string
	value any
}

// A printer converts a struct to pairs. Paths become relative to base, unless it is empty.
type printer struct{ base string }

// section prints a struct.
func (p printer) section(v reflect.Value) []pair {
	pairs := []pair{}
	for _, f := range fieldsOf(v.Type()) {
		if value := p.value(v.Field(f.index), f); value != nil {
			pairs = append(pairs, pair{f.key, value})
		}
	}
	if at, ok := inline(v.Type()); ok {
		pairs = append(pairs, p.focus(v.Field(at).Interface().(Focus))...)
	}
	return pairs
}

// value prints a value. It returns nil if the key is to be omitted.
func (p printer) value(v reflect.Value, f field) any {
	switch own := v.Interface().(type) {
	case Seeds:
		return p.seeds(own)
	case Private:
		return own.printed()
	case Secret:
		return p.secret(own)
	case Phrase:
		return own.printed(p)
	case Values:
		return own.printed(p)
	case Focus:
		return p.focus(own)
	case Discover:
		if !own.On() {
			return nil
		}
	case Recrawl:
		if !own.On() {
			return nil
		}
	case Sitemap:
		if own.Share == nil && own.Opaque == 0 && own.File == "" {
			return nil // all by default
		}
	case Archiving:
		if own.Compression == "fast" && len(own.Known) == 0 { // by default
			return notation.Quoted(own.Keep)
		}
	case Explore:
		if own.Share == nil && own.Seed <= 1 {
			return nil // all by default
		}
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return nil
		}
		return p.value(v.Elem(), f)
	case reflect.Struct:
		return p.section(v)
	case reflect.Slice:
		return p.list(v, f)
	case reflect.Map:
		return p.table(v.Interface().(map[string]string), f)
	}
	return p.scalar(v, f)
}

// focus prints a focus: the section of its kind.
func (p printer) focus(f Focus) []pair {
	if f.kind == nil {
		return []pair{}
	}
	return []pair{{f.Key(), p.section(reflect.ValueOf(f.section).Elem())}}
}

// list prints a list. It returns nil if the list is empty.
func (p printer) list(v reflect.Value, f field) any {
	if v.Len() == 0 {
		return nil
	}
	items := make([]any, v.Len())
	for i := range items {
		items[i] = p.value(v.Index(i), f)
	}
	return items
}

// table prints a map in key order. It returns nil if the map is empty.
func (p printer) table(m map[string]string, f field) any {
	if len(m) == 0 {
		return nil
	}
	pairs := make([]pair, 0, len(m))
	for _, key := range sortedKeys(m) {
		pairs = append(pairs, pair{key, p.scalar(reflect.ValueOf(m[key]), f)})
	}
	return pairs
}

// scalar prints a leaf. It returns nil for an empty string.
func (p printer) scalar(v reflect.Value, f field) any {
	switch v.Kind() {
	case reflect.String:
		text := v.String()
		switch {
		case text == "":
			return nil
		case f.as == "idf" && isIDFWord(text), f.as == "source" && strings.Contains(text, "://"):
		case f.isPath():
			text = p.path(text)
		case f.as == "iri":
			text = notation.Bracketed(text)
		case f.key == "proxy":
			text = notation.WithoutUser(text)
		}
		return notation.Quoted(text)
	case reflect.Bool:
		return strconv.FormatBool(v.Bool())
	case reflect.Float64:
		return printNumber(v, f, number{f: v.Float()})
	}
	return printNumber(v, f, number{i: v.Int()})
}

// path formats a path relative to the folder of the file. It prefixes ./ if the path equals a word of idf.
func (p printer) path(path string) string {
	if p.base == "" {
		return path
	}
	rel, err := filepath.Rel(p.base, path)
	if err != nil {
		return path
	}
	rel = filepath.ToSlash(rel)
	if isIDFWord(rel) || strings.TrimSpace(rel) == "" {
		return "./" + rel
	}
	return rel
}

// seeds prints the URLs, or the seed file with its digest, and the search.
func (p printer) seeds(s Seeds) any {
	var pairs []pair
	if s.File != "" {
		pairs = append(pairs, pair{"file", notation.Quoted(p.path(s.File))})
	}
	if len(s.Lists) > 0 {
		if s.File == "" && len(s.URLs) > 0 {
			pairs = append(pairs, pair{"urls", p.urls(s.URLs)})
		}
		lists := make([]any, len(s.Lists))
		for i, path := range s.Lists {
			lists[i] = notation.Quoted(p.path(path))
		}
		pairs = append(pairs, pair{"list", lists})
	}
	if pairs != nil && s.Digest != "" {
		pairs = append(pairs, pair{"digest", notation.Quoted(s.Digest)})
	}
	if s.Search != nil {
		pairs = append(pairs, pair{"search", p.section(reflect.ValueOf(s.Search).Elem())})
	}
	if pairs != nil {
		return pairs
	}
	return p.urls(s.URLs)
}

// urls prints a list of URLs.
func (p printer) urls(urls []string) []any {
	items := make([]any, len(urls))
	for i, url := range urls {
		items[i] = notation.Quoted(url)
	}
	return items
}

// printed prints a bool or a list of networks.
func (p Private) printed() any {
	if p.All || len(p.Networks) == 0 {
		return strconv.FormatBool(p.All)
	}
	items := make([]any, len(p.Networks))
	for i, network := range p.Networks {
		items[i] = notation.Quoted(network.String())
	}
	return items
}

// emit writes pairs as block YAML.
func emit(w *strings.Builder, pairs []pair, indent string) {
	for _, p := range pairs {
		w.WriteString(indent + notation.Quoted(p.key) + ":")
		switch value := p.value.(type) {
		case string:
			w.WriteString(" " + value + "\n")
		case []any:
			emitList(w, value, indent+"  ")
		case []pair:
			emitSection(w, value, indent+"  ")
		}
	}
}

// emitSection writes a section below its key.
func emitSection(w *strings.Builder, pairs []pair, indent string) {
	if len(pairs) == 0 {
		w.WriteString(" {}\n")
		return
	}
	w.WriteString("\n")
	emit(w, pairs, indent)
}

// emitList writes a list of scalars below its key.
func emitList(w *strings.Builder, items []any, indent string) {
	if len(items) == 0 {
		w.WriteString(" []\n")
		return
	}
	w.WriteString("\n")
	for _, item := range items {
		section, ok := item.([]pair)
		if !ok {
			fmt.Fprintf(w, "%s- %v\n", indent, item)
			continue
		}
		var b strings.Builder
		emit(&b, section, indent+"  ")
		w.WriteString(indent + "- " + strings.TrimPrefix(b.String(), indent+"  "))
	}
}

// differences returns the paths at which the printed forms of two sections differ.
func differences(a, b []pair, path string) []string {
	var out []string
	for _, one := range a {
		key := join(path, one.key)
		i := slices.IndexFunc(b, func(p pair) bool { return p.key == one.key })
		if i < 0 {
			out = append(out, key)
			continue
		}
		left, leftOK := one.value.([]pair)
		right, rightOK := b[i].value.([]pair)
		if leftOK && rightOK {
			out = append(out, differences(left, right, key)...)
		} else if !reflect.DeepEqual(one.value, b[i].value) {
			out = append(out, key)
		}
	}
	for _, one := range b {
		if !slices.ContainsFunc(a, func(p pair) bool { return p.key == one.key }) {
			out = append(out, join(path, one.key))
		}
	}
	return out
}
