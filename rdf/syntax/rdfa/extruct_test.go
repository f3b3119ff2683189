package rdfa_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"orbweaver/rdf"
	"orbweaver/rdf/rdftest"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/rdfa"
)

// A difference is a deviation of another reader from the recommendations; rewritten, its literals and
// predicates agree with ours.
type difference struct {
	reason  string
	rewrite func(rdf.Triple) rdf.Triple // nil: skip the comparison
}

func differences() map[string]difference {
	language := difference{"it leaves lang attributes out", func(t rdf.Triple) rdf.Triple {
		if t.O.Kind == rdf.Literal {
			t.O = rdf.NewLang(t.O.Value, "en")
		}
		return t
	}}
	return map[string]difference{
		"songkick/elysianfields.json":   language,
		"songkick/elysianfields_1.json": language,
		"songkick/tovestyrke.json":      language,
		"misc/expanded_OG_support_test.json": {"it has prefixes of Open Graph that no context has", func(t rdf.Triple) rdf.Triple {
			if rest, is := strings.CutPrefix(t.P.Value, "http://ogp.me/ns/"); is {
				t.P = rdf.NewIRI(strings.Replace(rest, "#", ":", 1))
			}
			return t
		}},
		"misc/Portfolio_Niels_Lubberman.json": {"it follows RDFa 1.0 where a page says so: literals with markup are XML, and HTML's rels are terms", nil},
	}
}

// TestRealPages compares with the results of another reader for real pages, in expanded JSON-LD.
func TestRealPages(t *testing.T) {
	files := map[string][]byte{}
	for _, f := range rdftest.Archive(t, "extruct-samples.tar.gz", "extruct/tests/samples/") {
		files[strings.TrimPrefix(f.Name, "extruct/tests/samples/")] = f.Data
	}
	compared := 0
	for _, name := range slices.Sorted(maps.Keys(files)) {
		page, base := strings.TrimSuffix(strings.TrimSuffix(name, ".json"), ".expanded")+".html", "http://www.example.com/index.html"
		said, is := expectation(name, files[name])
		if !is || files[page] == nil {
			continue
		}
		if strings.HasPrefix(name, "songkick/") {
			base = said[0]["@id"].(string)
		}
		if strings.HasPrefix(name, "misc/Portfolio") {
			base = "http://nielslubberman.nl/drupal/"
		}
		compared++
		t.Run(name, func(t *testing.T) {
			got, err := rdftest.All(rdfa.Read(bytes.NewReader(files[page]), rdfa.Options{Options: syntax.Options{Base: base, Lenient: true}}))
			if err != nil {
				t.Fatal(err)
			}
			want := triplesOf(said)
			if other, differs := differences()[name]; differs {
				if other.rewrite == nil {
					t.Skip(other.reason)
				}
				for i := range want {
					want[i] = other.rewrite(want[i])
				}
			}
			if !rdftest.Isomorphic(got, want) {
				t.Errorf("only here\n%s\nonly there\n%s", without(got, want), without(want, got))
			}
		})
	}
	if compared < 17 {
		t.Errorf("%d pages compared", compared)
	}
}

// expectation returns the RDFa part of the expected result of a page.
func expectation(name string, data []byte) (said []map[string]any, is bool) {
	var parts struct {
		RDFa []map[string]any `json:"rdfa"`
	}
	switch {
	case strings.HasSuffix(name, ".expanded.json"), name == "misc/expanded_OG_support_test.json", strings.HasPrefix(name, "misc/Portfolio"):
		if json.Unmarshal(data, &said) != nil {
			return nil, false
		}
		return said, true
	case strings.HasSuffix(name, ".json") && json.Unmarshal(data, &parts) == nil && len(parts.RDFa) > 0:
		return parts.RDFa, true
	}
	return nil, false
}

// triplesOf returns the triples of expanded and flattened JSON-LD without lists.
func triplesOf(nodes []map[string]any) (out []rdf.Triple) {
	for _, node := range nodes {
		s := nodeOf(node["@id"].(string))
		for property, values := range node {
			for _, v := range listOf(values) {
				switch v := v.(type) {
				case string:
					if property == "@type" {
						out = append(out, rdf.Triple{S: s, P: rdf.NewIRI(rdfNS + "type"), O: nodeOf(v)})
					}
				case map[string]any:
					out = append(out, rdf.Triple{S: s, P: rdf.NewIRI(property), O: objectOf(v)})
				}
			}
		}
	}
	return out
}

func listOf(v any) []any {
	if list, is := v.([]any); is {
		return list
	}
	return []any{v}
}

func nodeOf(id string) rdf.Term {
	if label, blank := strings.CutPrefix(id, "_:"); blank {
		return rdf.NewBlank(label)
	}
	return rdf.NewIRI(id)
}

func objectOf(v map[string]any) rdf.Term {
	get := func(key string) string {
		s, _ := v[key].(string)
		return s
	}
	switch {
	case get("@id") != "":
		return nodeOf(get("@id"))
	case get("@language") != "":
		return rdf.NewLang(get("@value"), get("@language"))
	case get("@type") != "":
		return rdf.NewTyped(get("@value"), get("@type"))
	}
	return rdf.NewString(get("@value"))
}

// without returns the triples of a that are not in b, formatted.
func without(a, b []rdf.Triple) string {
	has := distinct(b)
	return strings.Join(slices.DeleteFunc(distinct(a), func(line string) bool { return slices.Contains(has, line) }), "\n")
}
