package grammar

import (
	"errors"
	"io"
	"strings"
	"testing"

	"orbweaver/rdf"
	"orbweaver/rdf/syntax"
)

// read returns the objects of a TriG document in order, each with its graph, and its mistakes.
func read(r io.Reader, lenient bool, depth int) (objects string, mistakes []error) {
	var all []string
	opts := syntax.Options{Name: "f", Lenient: lenient, MaxDepth: depth, OnError: func(err error) { mistakes = append(mistakes, err) }}
	Quads(r, opts, func(q rdf.Quad, err error) bool {
		if err != nil {
			mistakes = append(mistakes, err)
			return true
		}
		shown := strings.TrimPrefix(q.O.Value, "u:")
		if q.G != (rdf.Term{}) {
			shown += "@" + strings.TrimPrefix(q.G.Value, "u:")
		}
		all = append(all, shown)
		return true
	})
	return strings.Join(all, " "), mistakes
}

// TestRecover: behind a mistake reading goes on with the next statement; full stops and braces in strings, IRIs and numbers
// end none.
func TestRecover(t *testing.T) {
	const s = "<u:s> <u:p> "
	for _, tc := range []struct {
		name, text, objects string
		mistakes            int
	}{
		{"none", s + "<u:1>, <u:2> . " + s + "<u:3> .", "1 2 3", 0},
		{"a word", s + "what . " + s + "<u:2> .", "2", 1},
		{"a full stop in a string", s + "what \"a . b\" . " + s + "<u:2> .", "2", 1},
		{"in a long string", s + "what \"\"\"a\n. b\"\"\" . " + s + "<u:2> .", "2", 1},
		{"in a number", s + "what 1.5 . " + s + "<u:2> .", "2", 1},
		{"in an IRI", s + "what <u:x.> . " + s + "<u:2> .", "2", 1},
		{"objects before", s + "<u:1>, what . " + s + "<u:2> .", "1 2", 1},
		{"no end", s + "<u:1>", "1", 1},
		{"an unclosed long string", s + "\"\"\"a . " + s + "<u:2> .", "2", 1},
		{"in a graph", "<u:g> { " + s + "what . " + s + "<u:2> . } " + s + "<u:3> .", "2@g 3", 1},
		{"the last of a graph", "<u:g> { " + s + "what } " + s + "<u:3> .", "3", 1},
		{"a graph that is not closed", "<u:g> { " + s + "<u:1> .", "1@g", 1},
		{"braces within a mistake", "<u:x> what { " + s + "<u:1> . " + s + "<u:2> . } " + s + "<u:3> .", "3", 1},
		{"a brace too many", s + "<u:1> . } " + s + "<u:2> .", "1 2", 1},
	} {
		objects, mistakes := read(strings.NewReader(tc.text), true, 0)
		if objects != tc.objects || len(mistakes) != tc.mistakes {
			t.Errorf("%s: %q, %v, want %q with %d", tc.name, objects, mistakes, tc.objects, tc.mistakes)
		}
		_, strict := read(strings.NewReader(tc.text), false, 0)
		if len(strict) != min(1, tc.mistakes) {
			t.Errorf("%s, strict: %v", tc.name, strict)
		}
	}
}

// TestMistakes: each is named, with its place.
func TestMistakes(t *testing.T) {
	for text, want := range map[string]string{
		"<u:s> <u:p> q:x .":                             "f:1:13: ",
		"<u:s> <u:p> \"a\"^^<" + rdf.LangString + "> .": "have a language tag instead",
		"<u:s> <u:p> \"a\"@ .":                          "a language tag",
		"<u:s> <u:p> \"a\"@en--up .":                    `a direction is "ltr" or "rtl"`,
		"<u:s> <u:p> _: .":                              "a blank node's label",
		"<u:s> <u:p> \"a\"^<u:d> .":                     `"^^"`,
		"<u:s> <u:p> \"a":                               "a string does not end",
		"\n<u:s> \"p\" <u:o> .":                         "f:2:7: ",
	} {
		_, mistakes := read(strings.NewReader(text), false, 0)
		var mistake *syntax.Error
		if len(mistakes) != 1 || !errors.As(mistakes[0], &mistake) || !strings.Contains(mistakes[0].Error(), want) {
			t.Errorf("%s: %v, want %q", text, mistakes, want)
		}
	}
}

// TestDepth: lists may be nested as deep as allowed.
func TestDepth(t *testing.T) {
	nested := func(n int) io.Reader {
		return strings.NewReader("<u:s> <u:p> " + strings.Repeat("[ <u:p> ", n) + "1" + strings.Repeat(" ]", n) + " .")
	}
	if _, mistakes := read(nested(5), false, 5); len(mistakes) > 0 {
		t.Error(mistakes)
	}
	if _, mistakes := read(nested(6), false, 5); len(mistakes) != 1 {
		t.Error(mistakes)
	}
}

// TestStops: a consumer that wants no more gets no more, and an error of the reader below is the last.
func TestStops(t *testing.T) {
	n := 0
	Triples(strings.NewReader("<u:s> <u:p> 1, 2 . <u:s> <u:p> what ."), syntax.Options{}, func(rdf.Triple, error) bool { n++; return false })
	if n != 1 {
		t.Errorf("%d triples", n)
	}
	const text = "@prefix q: <u:> . q:s q:p q:o, \"x\"@en, '''y''', 1.5, _:b ."
	for end := range len(text) {
		for _, lenient := range []bool{false, true} {
			_, mistakes := read(io.MultiReader(strings.NewReader(text[:end]), broken{}), lenient, 0)
			if len(mistakes) == 0 || !errors.Is(mistakes[len(mistakes)-1], io.ErrClosedPipe) {
				t.Errorf("after %q: %v", text[:end], mistakes)
			}
		}
	}
}

// broken is a reader that fails.
type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, io.ErrClosedPipe }
