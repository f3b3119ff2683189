package jsonld_test

import (
	"fmt"
	"strings"
	"testing"

	"orbweaver/rdf"
	"orbweaver/rdf/syntax/jsonld"
)

// TestFlawsInScripts: a flaw in the middle of a page's script loses nothing before it, and what follows comes out where
// the flaw can be mended. Strict mode refuses all of them.
func TestFlawsInScripts(t *testing.T) {
	const all = "before middle after"
	for _, tc := range []struct{ name, flaw, want string }{
		{"an escape of Turtle", `{"@id":"u:m","name":"middle\U0001F600"}`, "before middle😀 after"},
		{"an escape of JavaScript", `{"@id":"u:m","name":"\x6diddle"}`, all},
		{"a quote escaped in vain", `{"@id":"u:m","name":"m\'iddle"}`, "before m'iddle after"},
		{"a raw tab", "{\"@id\":\"u:m\",\"name\":\"mid\tdle\"}", "before mid\tdle after"},
		{"a raw line end", "{\"@id\":\"u:m\",\"name\":\"mid\ndle\"}", "before mid\ndle after"},
		{"bytes that are not UTF-8", "{\"@id\":\"u:m\",\"name\":\"mid\xffdle\"}", "before mid\ufffddle after"},
		{"half a pair", `{"@id":"u:m","name":"middle\ud83d"}`, "before middle\ufffd after"},
		{"a comma too many", `{"@id":"u:m","name":"middle",}`, all},
		{"a comma missing", `{"@id":"u:m" "name":"middle"}`, all},
		{"a no-break space", "{\u00a0\"@id\":\u00a0\"u:m\",\"name\":\"middle\"}\u00a0", all},
		{"a reference to one", `{&nbsp;"@id":"u:m",&#160;"name":"middle"}`, all},
		{"a space of no width", "{\u200b\"@id\":\"u:m\",\ufeff\"name\":\"middle\"}", all},
		{"a form feed", "{\f\"@id\":\"u:m\",\"name\":\"middle\"}", all},
		{"a comment", `{/* m */"@id":"u:m", // m
			"name":"middle"}`, all},
		{"a comment of HTML", `<!-- m -->{"@id":"u:m","name":"middle"}`, all},
		{"a name twice", `{"@id":"u:m","name":"x","name":"middle"}`, all},
		{"no quotes about a name", `{"@id":"u:m",name:"middle"}`, "before"},
		{"single quotes", `{'@id':'u:m'}`, "before"},
		{"no value", `{"@id":"u:m","name":}`, "before"},
		{"a word", `{"@id":"u:m","name":undefined}`, "before"},
		{"the end", `{"@id":"u:m","name":"mid`, "before"},
	} {
		node := func(name string) string { return fmt.Sprintf(`{"@id":"u:%s","name":"%[1]s"}`, name) }
		text := `{"@context":{"@vocab":"http://v.org/"},"@graph":[` + node("before") + "," + tc.flaw + "," + node("after") + "]}"
		if tc.name == "the end" {
			text = text[:strings.Index(text, tc.flaw)+len(tc.flaw)]
		}
		told := 0
		opts := jsonld.Options{}
		opts.Lenient, opts.OnError = true, func(error) { told++ }
		var got []string
		for q, err := range jsonld.ReadScript([]byte(text), opts) {
			if err != nil {
				told++
			} else if q.P == rdf.NewIRI("http://v.org/name") {
				got = append(got, q.O.Value)
			}
		}
		if strings.Join(got, " ") != tc.want || told == 0 {
			t.Errorf("%s: %q, %d flaws told", tc.name, got, told)
		}
		strict := error(nil)
		for _, err := range jsonld.ReadScript([]byte(text), jsonld.Options{}) {
			strict = err
		}
		if strict == nil {
			t.Errorf("%s: strict mode reads it", tc.name)
		}
	}
}

// TestEscapedScripts: a script whose text was escaped as HTML is unescaped, once.
func TestEscapedScripts(t *testing.T) {
	for _, tc := range []struct{ text, want string }{
		{`{&quot;@id&quot;:&quot;u:a&quot;,&quot;http://v.org/p&quot;:&quot;R&amp;D&quot;}`, "R&D"},
		{"&nbsp;{&#34;@id&#34;:&#34;u:a&#34;,&#34;http://v.org/p&#34;:&#34;&amp;amp;&#34;}\u00a0", "&amp;"},
		{`{"@id":"u:a","http://v.org/p":"&quot;"}`, "&quot;"},
	} {
		opts := jsonld.Options{}
		opts.Lenient = true
		got := ""
		for q := range jsonld.ReadScript([]byte(tc.text), opts) {
			got = q.O.Value
		}
		if got != tc.want {
			t.Errorf("%s: %q", tc.text, got)
		}
	}
}
