package lex_test

import (
	"testing"

	"orbweaver/rdf"
	"orbweaver/rdf/internal/lex"
)

// TestEnds: tokens end where the grammars of Turtle and SPARQL say, in strings as in bytes.
func TestEnds(t *testing.T) {
	for _, tc := range []struct {
		name, in                    string
		label, local, lang, numeric int
	}{
		{"nothing", "", 0, 0, 0, 0},
		{"a full stop ends a statement", "a.b.", 3, 3, 1, 0},
		{"a hyphen inside", "a-b ", 3, 3, 3, 0},
		{"a hyphen first", "-a", 0, 0, 0, 0},
		{"digits first", "1a", 2, 2, 0, 1},
		{"beyond ASCII", "é·ü", 6, 6, 0, 0},
		{"a combining character first", "\u0301a", 0, 0, 0, 0},
		{"no UTF-8", "a\xffb", 1, 1, 1, 0},
		{"an escape and a percent", `a\-%41%4`, 1, 6, 1, 0},
		{"a colon", "a:b", 1, 3, 1, 0},
		{"a tag with a region", "en-GB-1 ", 7, 7, 7, 0},
		{"an exponent", "-1.e5.", 0, 0, 0, 5},
		{"a decimal", "+.5e", 0, 0, 0, 3},
		{"an integer and a full stop", "12.", 2, 2, 0, 2},
	} {
		local, _ := lex.LocalEnd(tc.in)
		number, _ := lex.NumberEnd(tc.in)
		if l, g := lex.LabelEnd(tc.in), lex.LangEnd(tc.in); l != tc.label || local != tc.local || g != tc.lang || number != tc.numeric {
			t.Errorf("%s: label %d, local %d, language %d, number %d", tc.name, l, local, g, number)
		}
		b := []byte(tc.in)
		localOf, _ := lex.LocalEnd(b)
		numberOf, _ := lex.NumberEnd(b)
		if lex.LabelEnd(b) != lex.LabelEnd(tc.in) || localOf != local || lex.LangEnd(b) != lex.LangEnd(tc.in) || numberOf != number {
			t.Errorf("%s: bytes differ from the string", tc.name)
		}
	}
	for in, want := range map[string]string{"1": rdf.XSDInteger, "1.5": rdf.XSDDecimal, "1e5": rdf.XSDDouble} {
		if _, got := lex.NumberEnd(in); got != want {
			t.Errorf("%s is %s", in, got)
		}
	}
}

func TestUnescape(t *testing.T) {
	for _, tc := range []struct {
		in   string
		text bool
		want string
		bad  int
	}{
		{`a\u00e9\U0001F600`, false, "aé😀", -1},
		{`\t\"\\`, true, "\t\"\\", -1},
		{`a\n`, false, "a", 1},
		{`\uD800`, true, "", 0},
		{`\u12`, true, "", 0},
		{`\`, true, "", 0},
	} {
		if got, bad := lex.Unescape(nil, tc.in, tc.text); string(got) != tc.want || bad != tc.bad {
			t.Errorf("%s: %q, %d", tc.in, got, bad)
		}
	}
}
