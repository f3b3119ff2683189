package linkeddata

import (
	"embed"
	"strings"
)

// A Config is what the rules look for: the paper's sets, as data. Case does not matter.
type Config struct {
	// Terms are S_terms: words, or phrases of several, that speak of RDF. They match as whole words:
	// "n3" is not in "n300", and "json-ld" is "JSON LD" too.
	Terms []string
	// ContentTypes are S_types: media types that links name in their attributes and texts.
	ContentTypes []string
	// Extensions are S_ext: file extensions of RDF, with their dot; before .gz and .bz2 they count too.
	Extensions []string
	// HTMLExtensions are those of HTML pages.
	HTMLExtensions []string
	// OtherExtensions are those of what can be neither RDF nor HTML.
	OtherExtensions []string
	// Packed are extensions of what a dump may be packed in: they count among the others unless it is
	// stated that a dump is there.
	Packed []string
	// Documents are media types that make a page, by its bytes and header together, one of RDF.
	Documents []string
	// Layout are beginnings of the IRIs of predicates, and of types, that say how a page is shown: data
	// of these alone make no page worth accepting.
	Layout []string
}

// The lists that a crawl file starts from; nothing writes them.
//
//go:embed data/*.txt
var data embed.FS

// DefaultConfig returns the lists a crawl file starts from.
func DefaultConfig() Config {
	return Config{
		Terms:           entries("terms"),
		ContentTypes:    entries("content_types"),
		Extensions:      entries("extensions"),
		HTMLExtensions:  entries("html_extensions"),
		OtherExtensions: entries("other_extensions"),
		Packed:          entries("packed"),
		Documents:       entries("documents"),
		Layout:          entries("layout"),
	}
}

// entries reads a list: an entry a line; lines that are empty or start with # are left out. It is empty for a missing
// file, which a test would catch.
func entries(name string) (list []string) {
	b, _ := data.ReadFile("data/" + name + ".txt")
	for line := range strings.Lines(string(b)) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			list = append(list, line)
		}
	}
	return list
}

// Extend returns the lists of both, those of more behind.
func (c Config) Extend(more Config) Config {
	join := func(a, b []string) []string { return append(a[:len(a):len(a)], b...) }
	return Config{
		Terms:           join(c.Terms, more.Terms),
		ContentTypes:    join(c.ContentTypes, more.ContentTypes),
		Extensions:      join(c.Extensions, more.Extensions),
		HTMLExtensions:  join(c.HTMLExtensions, more.HTMLExtensions),
		OtherExtensions: join(c.OtherExtensions, more.OtherExtensions),
		Packed:          join(c.Packed, more.Packed),
		Documents:       join(c.Documents, more.Documents),
		Layout:          join(c.Layout, more.Layout),
	}
}
