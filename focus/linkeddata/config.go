package linkeddata

import (
	"embed"
	"strings"
)

// A Config is the data of the rules: the paper's sets. Case is insignificant.
type Config struct {
	// Terms are S_terms: words or phrases that refer to RDF. They match whole words: "n3" does not match
	// "n300", and "json-ld" also matches "JSON LD".
	Terms []string
	// ContentTypes are S_types: media types that links name in attributes and texts.
	ContentTypes []string
	// Extensions are S_ext: file extensions of RDF, with the dot; also before .gz and .bz2.
	Extensions []string
	// HTMLExtensions are the file extensions of HTML pages.
	HTMLExtensions []string
	// OtherExtensions are the file extensions of files that are neither RDF nor HTML.
	OtherExtensions []string
	// Packed are extensions of archives that may contain a dump: they count as other extensions unless a dump
	// is stated to be there.
	Packed []string
	// Documents are media types that make a page RDF, determined from its bytes and header together.
	Documents []string
	// Layout are prefixes of IRIs of predicates and types that describe the presentation of a page: a page
	// with such data only is not accepted.
	Layout []string
}

// The default lists; read-only.
//
//go:embed data/*.txt
var data embed.FS

// DefaultConfig returns the default lists of a crawl file.
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

// entries returns the entries of a list, one a line; empty lines and lines that start with # are skipped. It
// returns nothing for a missing file, which a test would catch.
func entries(name string) (list []string) {
	b, _ := data.ReadFile("data/" + name + ".txt")
	for line := range strings.Lines(string(b)) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			list = append(list, line)
		}
	}
	return list
}

// Extend returns the concatenated lists of c and more.
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
