package nquads_test

import (
	"strings"
	"testing"

	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/nquads"
)

// TestFlaws: in lenient mode a flaw in the middle of a document loses its own line alone, and is told.
func TestFlaws(t *testing.T) {
	for _, tc := range []struct{ name, flaw string }{
		{"an IRI that does not end", `<u:m> <u:p> <u:x .`},
		{"a blank in an IRI", `<u:m> <u:p> <u:x y> .`},
		{"an IRI that is relative", `<m> <u:p> <u:x> .`},
		{"a prefixed name", `v:m <u:p> <u:x> .`},
		{"a string that does not end", `<u:m> <u:p> "middle .`},
		{"a quote in a string", `<u:m> <u:p> "mid"dle" .`},
		{"a line end in a string", "<u:m> <u:p> \"mid\ndle\" ."},
		{"three quotes", `<u:m> <u:p> """middle""" .`},
		{"an escape of another language", `<u:m> <u:p> "\x41" .`},
		{"an escape of no character", `<u:m> <u:p> "\uD800" .`},
		{"no full stop", `<u:m> <u:p> <u:x>`},
		{"no object", `<u:m> <u:p> .`},
		{"terms too many", `<u:m> <u:p> <u:x> <u:g> <u:h> .`},
		{"a literal as subject", `"x" <u:p> <u:y> .`},
		{"a number", `<u:m> <u:p> 5 .`},
		{"a language that is none", `<u:m> <u:p> "x"@- .`},
		{"a datatype that is none", `<u:m> <u:p> "x"^^"y" .`},
		{"bytes that are no UTF-8", "<u:m> <u:p> \"\xe9\" ."},
		{"a directive of Turtle", `@prefix v: <u:v> .`},
		{"words", `here are some words`},
		{"a tag of HTML", `<br/> Warning: mysql_query()`},
		{"a control", "\x00\x01"},
	} {
		for _, end := range []string{"\n", "\r\n"} {
			line := func(s string) string { return "<u:" + s + "> <u:p> \"1\" <http://v.org/g> ." + end }
			doc := line("before") + tc.flaw + end + line("after") + line("last")
			told := 0
			var got []string
			opts := syntax.Options{Lenient: true, OnError: func(error) { told++ }}
			for q, err := range nquads.Read(strings.NewReader(doc), opts) {
				if err == nil {
					got = append(got, q.S.Value)
				}
			}
			if all := strings.Join(got, " "); all != "u:before u:after u:last" || told == 0 {
				t.Errorf("%s: %s, %d flaws told", tc.name, all, told)
			}
		}
	}
}
