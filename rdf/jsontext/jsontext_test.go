package jsontext_test

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"orbweaver/rdf/jsontext"
)

// TestMending: one flaw in the middle, and all before and after it as it was.
func TestMending(t *testing.T) {
	for _, tc := range []struct {
		in, want string
		flaws    int
	}{
		{`"a"`, "a", 0},
		{`"\"\\\/\b\f\n\r\t\u00e9"`, "\"\\/\b\f\n\r\té", 0},
		{`"\ud83d\ude00"`, "😀", 0},
		{`"\U0001F600"`, "😀", 1},
		{`"\U0001f600 and \U000000e9"`, "😀 and é", 2},
		{`"\U00000022\U0000005C\U00000007"`, "\"\\\a", 3},
		{`"\x41\xe9"`, "Aé", 2},
		{`"it\'s"`, "it's", 1},
		{`"\d\."`, "d.", 2},
		{`"\u12"`, "u12", 1},
		{`"\U12"`, "U12", 1},
		{`"\UFFFFFFFF"`, "UFFFFFFFF", 1},
		{"\"a\tb\"", "a\tb", 1},
		{"\"a\nb\r\nc\"", "a\nb\r\nc", 3},
		{"\"a\x00b\x1f\"", "a\x00b\x1f", 2},
		{"\"\\\tx\"", "\tx", 2},
		{"\"\\\\\"", "\\", 0},
		{"\"\\\\\\\"\t\"", "\\\"\t", 1},
		{`"a, ] b,}"`, "a, ] b,}", 0},
		{`"` + strings.Repeat("é\t", 5000) + `"`, strings.Repeat("é\t", 5000), 5000},
	} {
		for _, frame := range []string{`["before",%,"after"]`, `["before", % , "after" ]`, "[\"before\",%,\"after\"\n,\n]"} {
			text := strings.ReplaceAll(frame, "%", tc.in)
			flaws := tc.flaws
			if strings.HasSuffix(frame, ",\n]") {
				flaws++
			}
			for _, in := range []io.Reader{strings.NewReader(text), iotest.OneByteReader(strings.NewReader(text)), iotest.DataErrReader(strings.NewReader(text))} {
				r := jsontext.NewReader(in)
				var got []string
				err := json.NewDecoder(iotest.OneByteReader(r)).Decode(&got)
				if n, first := r.Flaws(); err != nil || len(got) != 3 || got[0] != "before" || got[1] != tc.want || got[2] != "after" || n != flaws || n > 0 && first == "" {
					t.Errorf("%.60s: %.99q, %d flaws (%s), %v", text, got, n, first, err)
				}
			}
		}
	}
}

// TestNothingElseChanges: what is no flaw of a string or a comma passes.
func TestNothingElseChanges(t *testing.T) {
	for _, text := range []string{
		"", "{", `"`, `"a`, `"\`, `"\u`, `{"a":}`, "[1,,2]", "[,]x", `{"a":1 "b":2}`, "\xff", "[NaN]", "{'a':1}", "[1,", "[1, ", strings.Repeat("[", 5000), "[1," + strings.Repeat(" ", 300) + "]",
	} {
		want := text
		if text == "[,]x" {
			want = "[]x"
		}
		if text == `"\` || text == `"\u` {
			want = strings.ReplaceAll(text, `\`, "")
		}
		if got := string(mended([]byte(text))); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
	if got := mended([]byte(`{"a":[1,2,],"b":{"c":3,},}`)); string(got) != `{"a":[1,2],"b":{"c":3}}` {
		t.Errorf("%s", got)
	}
}

func FuzzMending(f *testing.F) {
	f.Add([]byte(`{"a":["\U0001F600",1,],}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		out := mended(text)
		if json.Valid(text) && string(out) != string(text) {
			t.Errorf("%q: %q", text, out)
		}
		if len(out) > 6*len(text) {
			t.Errorf("%d bytes of %d", len(out), len(text))
		}
	})
}

// mended returns a text as a reader mends it.
func mended(text []byte) []byte {
	out, err := io.ReadAll(jsontext.NewReader(bytes.NewReader(text)))
	if err != nil {
		panic(err)
	}
	return out
}
