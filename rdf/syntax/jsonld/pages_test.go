package jsonld_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"orbweaver/rdf/rdftest"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/jsonld"
)

// scripts returns the JSON-LD blocks of a page.
func scripts(page []byte) (blocks [][]byte) {
	z := html.NewTokenizer(bytes.NewReader(page))
	inside := false
	for {
		switch z.Next() {
		case html.ErrorToken:
			return blocks
		case html.StartTagToken:
			inside = false
			for _, a := range z.Token().Attr {
				if a.Key == "type" {
					mediaType, _, _ := strings.Cut(a.Val, ";")
					inside = strings.EqualFold(strings.TrimSpace(mediaType), "application/ld+json")
				}
			}
		case html.TextToken:
			if inside {
				blocks = append(blocks, bytes.Clone(z.Raw()))
			}
			inside = false
		default:
			inside = false
		}
	}
}

// schemaOrg serves a minimal context for schema.org.
func schemaOrg() map[string][]byte {
	files := map[string][]byte{}
	for _, url := range []string{"http://schema.org", "http://schema.org/", "https://schema.org", "https://schema.org/"} {
		files[url] = []byte(`{"@context": {"@vocab": "http://schema.org/"}}`)
	}
	return files
}

// count returns the number of statements of a schema.org block: one for each type and each value other than
// null. It is right for plain nodes without contexts of their own.
func count(value any) (n int) {
	switch v := value.(type) {
	case []any:
		for _, item := range v {
			n += count(item)
		}
	case map[string]any:
		for name, value := range v {
			switch items := flat(value); {
			case name == "@type":
				n += len(items)
			case name == "@graph":
				n += count(items)
			case name != "" && !strings.HasPrefix(name, "@"): // json-gold leaves out the empty name
				n += len(items) + count(items)
			}
		}
	}
	return n
}

// flat returns the values of a property, without nulls and nested arrays.
func flat(value any) (items []any) {
	switch v := value.(type) {
	case nil:
	case []any:
		for _, item := range v {
			items = append(items, flat(item)...)
		}
	default:
		return []any{v}
	}
	return items
}

// Every valid block of the real pages gives as many statements as it has values. Every broken one is
// rejected, and reported when repaired.
func TestPages(t *testing.T) {
	blocks, refused, scalars, repaired, statements := 0, 0, 0, 0, 0
	for _, archive := range []string{"extruct-samples.tar.gz", "recipe-pages.tar.gz"} {
		for _, f := range rdftest.Archive(t, archive, "") {
			for _, block := range scripts(f.Data) {
				blocks++
				opts := jsonld.Options{
					Options: syntax.Options{Name: f.Name, Base: "http://page.test/"}, Load: answer(schemaOrg()),
				}
				quads, err := rdftest.All(jsonld.ReadScript(block, opts))
				if err == nil {
					var value any
					if err := json.Unmarshal(block, &value); err != nil {
						t.Errorf("%s: read, and is not JSON: %v", f.Name, err)
					}
					if want := count(value); want != len(quads) {
						t.Errorf("%s: %d quads, want %d\n%s", f.Name, len(quads), want, block)
					}
					statements += len(quads)
					continue
				}
				refused++
				if bytes.IndexByte(block, '{') < 0 {
					scalars++
					continue
				}
				opts.Lenient = true
				reported := 0
				opts.OnError = func(error) { reported++ }
				if _, err := rdftest.All(jsonld.ReadScript(block, opts)); err != nil || reported == 0 {
					t.Errorf("%s: %v, %d repairs reported\n%s", f.Name, err, reported, block)
				}
				repaired++
			}
		}
	}
	if blocks != 231 || refused != 18 || scalars != 11 || repaired != 7 {
		t.Errorf("%d blocks, %d refused: %d scalars, %d repaired", blocks, refused, scalars, repaired)
	}
	t.Logf("%d statements", statements)
}
