package turtle_test

import (
	"strings"
	"testing"

	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/turtle"
)

// TestFlaws: in lenient mode a flaw in the middle of a document loses nothing before or after it, and is told.
func TestFlaws(t *testing.T) {
	for _, tc := range []struct{ name, flaw string }{
		{"an IRI that does not end", `:m :p <http://a.test/x .`},
		{"a blank in an IRI", `:m :p <http://a.test/x y> .`},
		{"a bracket in an IRI", `:m :p <http://a.test/<x>> .`},
		{"a string that does not end", `:m :p "middle .`},
		{"a quote in a string", `:m :p "mid"dle" .`},
		{"a line end in a string", ":m :p \"mid\ndle\" ."},
		{"an escape of another language", `:m :p "\x41" .`},
		{"an escape of no character", `:m :p "\uD800" .`},
		{"a prefix that is not declared", `:m foaf:name "x" .`},
		{"no object", `:m :p .`},
		{"no predicate", `:m .`},
		{"an object too many", `:m :p :x :y .`},
		{"a literal as subject", `"x" :p :y .`},
		{"a language that is none", `:m :p "x"@- .`},
		{"a datatype that is none", `:m :p "x"^^"y" .`},
		{"a list that does not end", `:m :p ( 1 2 .`},
		{"a node that does not end", `:m :p [ :q 1 .`},
		{"a bracket too many", `:m :p [ :q 1 ] ] .`},
		{"bytes that are no UTF-8", ":m :p \"\xe9\" ."},
		{"a control in an IRI", ":m :p <http://a.test/\x01> ."},
		{"a directive that is none", `@prefixes x: <u:x> .`},
		{"a prefix without an IRI", `@prefix x: .`},
		{"words", `here are some words .`},
		{"a tag of HTML", `<br/> Warning: mysql_query() .`},
		{"a comma too many", `:m :p :x , .`},
	} {
		doc := "@prefix : <http://v.org/> .\n:before :p 1 .\n" + tc.flaw + "\n:after :p 1 .\n:last :p [ :q ( 1 ) ] .\n"
		told := 0
		var got []string
		opts := syntax.Options{Base: "http://a.test/", Lenient: true, OnError: func(error) { told++ }}
		for q, err := range turtle.Read(strings.NewReader(doc), opts) {
			if err == nil {
				got = append(got, strings.TrimPrefix(q.S.Value, "http://v.org/"))
			}
		}
		all := " " + strings.Join(got, " ") + " "
		for _, want := range []string{"before", "after", "last"} {
			if !strings.Contains(all, " "+want+" ") || told == 0 {
				t.Errorf("%s: %s, %d flaws told", tc.name, all, told)
				break
			}
		}
	}
}
