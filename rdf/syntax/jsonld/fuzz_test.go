package jsonld_test

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"

	"orbweaver/rdf/rdftest"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/jsonld"
	"orbweaver/rdf/syntax/nquads"
)

// FuzzRead uses the suite's documents as seeds, including those of expansion and compaction.
func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"@context": {"@vocab": "u:", "t": {"@id": "u:t", "@context": {"x": "@id"}}}, "p": [1, {"@list": ["a"]}], "t": {"x": "_:b"}}`))
	f.Add([]byte("<!-- {\"@context\": \"http://c.org/a\", /* c */ \"p\": \"it\\'s\n\",} //]]> -->;[{}]"))
	files := suiteFiles(f)
	for url, data := range files {
		if dir := path.Base(path.Dir(url)); len(data) < 2000 && strings.HasSuffix(url, "-in.jsonld") && slices.Contains([]string{"toRdf", "expand", "compact"}, dir) {
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, lenient := range []bool{false, true} {
			opts := jsonld.Options{Options: syntax.Options{Base: suiteBase + "toRdf/0001-in.jsonld", Lenient: lenient}, Load: answer(files)}
			reported := 0
			opts.OnError = func(error) { reported++ }
			quads, err := rdftest.All(jsonld.ReadScript(data, opts))
			if !lenient && err != nil && len(quads) > 0 {
				t.Fatalf("quads before an error: %v", err)
			}
			if !lenient && reported > 0 {
				t.Fatal("reported in strict mode")
			}
			again, err2 := rdftest.All(jsonld.ReadScript(data, opts))
			if !slices.Equal(quads, again) || (err == nil) != (err2 == nil) {
				t.Fatalf("%v, %v, and again %v, %v", quads, err, again, err2)
			}
			text := lines(quads)
			back, err := rdftest.All(nquads.Read(strings.NewReader(text), syntax.Options{}))
			if err != nil || lines(back) != text {
				t.Fatalf("what was read reads not: %v\n%s", err, text)
			}
		}
	})
}

// Reading every document of the suite terminates, in both modes.
func TestSuiteInputs(t *testing.T) {
	files := suiteFiles(t)
	n := 0
	for url, data := range files {
		if !strings.HasSuffix(url, ".jsonld") {
			continue
		}
		n++
		for _, lenient := range []bool{false, true} {
			opts := jsonld.Options{Options: syntax.Options{Base: url, Lenient: lenient}, Load: answer(files)}
			for range jsonld.ReadScript(data, opts) {
			}
		}
	}
	if n < 1000 {
		t.Errorf("%d documents", n)
	}
}

func BenchmarkRead(b *testing.B) {
	var items []string
	for i := range 2000 {
		items = append(items, fmt.Sprintf(`{"@type": "Recipe", "@id": "#r%d", "name": "number %d", "rating": {"@type": "Rating", "value": %d.5}}`, i, i, i))
	}
	page := []byte(`{"@context": "http://schema.org", "@graph": [` + items[0] + `]}`)
	for name, text := range map[string][]byte{"block": page, "200kB": []byte(`{"@context": "http://schema.org", "@graph": [` + strings.Join(items, ",") + `]}`)} {
		b.Run(name, func(b *testing.B) {
			opts := jsonld.Options{Options: syntax.Options{Base: "http://page.test/"}, Load: answer(schemaOrg()), Contexts: jsonld.NewContexts(1 << 20)}
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				for _, err := range jsonld.Read(bytes.NewReader(text), opts) {
					if err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}

// BenchmarkTerms reads a short document with a context of the size of schema.org's.
func BenchmarkTerms(b *testing.B) {
	var terms []string
	for i := range 2800 {
		terms = append(terms, fmt.Sprintf(`"term%d": {"@id": "schema:term%d", "@type": "@id"}`, i, i))
	}
	files := map[string][]byte{"http://schema.org": []byte(`{"@context": {"schema": "http://schema.org/", ` + strings.Join(terms, ",") + `}}`)}
	opts := jsonld.Options{Load: answer(files), Contexts: jsonld.NewContexts(1 << 20)}
	b.ReportAllocs()
	for b.Loop() {
		for _, err := range jsonld.Read(strings.NewReader(`{"@context": "http://schema.org", "term7": "u:x"}`), opts) {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
}
