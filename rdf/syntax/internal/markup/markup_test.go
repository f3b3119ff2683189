package markup

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"orbweaver/rdf/syntax"
)

// tokens reads a document and shows its tokens: +name attr=value, -name, text between quotes, !comment, ?instruction.
func tokens(text string, opts syntax.Options) (shown string, err error) {
	r, err := NewReader(strings.NewReader(text), opts)
	if err != nil {
		return "", err
	}
	var all []string
	name := func(n Name) string {
		if n.Space == "" {
			return n.Local
		}
		return "{" + n.Space + "}" + n.Local
	}
	for {
		t, err := r.Next()
		if err != nil {
			return strings.Join(all, " "), err
		}
		switch t.Kind {
		case EOF:
			return strings.Join(all, " "), nil
		case Start:
			all = append(all, "+"+name(t.Name))
			for _, a := range t.Attrs {
				all = append(all, fmt.Sprintf("%s=%q", name(a.Name), a.Value))
			}
		case End:
			all = append(all, "-"+name(t.Name))
		case Text:
			all = append(all, fmt.Sprintf("%q", t.Text))
		case Comment:
			all = append(all, "!"+string(t.Text))
		case Instruction:
			all = append(all, "?"+string(t.Text))
		}
	}
}

// TestTokens: what documents consist of; each well-formed one without a mistake.
func TestTokens(t *testing.T) {
	for text, want := range map[string]string{
		"<a/>":                       "+a -a",
		" <!--x--><?y z?><a>b</a>\n": `!x ?y z +a "b" -a`,
		"<?xml version='1.0'?><a b='1' c=\"2\"/>":                    `+a b="1" c="2" -a`,
		"<a xmlns='u:' xml:lang='de' b='1'/>":                        `+{u:}a {` + XMLSpace + `}lang="de" b="1" -{u:}a`,
		"<p:a xmlns:p='u:'><p:b xmlns:p='v:'/><p:c/></p:a>":          `+{u:}a +{v:}b -{v:}b +{u:}c -{u:}c -{u:}a`,
		"<a xmlns='u:'><b xmlns=''/><c/></a>":                        `+{u:}a +b -b +{u:}c -{u:}c -{u:}a`,
		"<a>1\r\n2\r3&amp;&#65;&#x42;</a>":                           `+a "1\n2\n3&AB" -a`,
		"<a b='1\r\n2\t3&lt;'/>":                                     `+a b="1 2 3<" -a`,
		"<a><![CDATA[<&amp;]]></a>":                                  `+a "<&amp;" -a`,
		"<!DOCTYPE a [<!ENTITY f 'y'><!ENTITY e 'x&f;'>]><a>&e;</a>": `+a "xy" -a`,
		"<?xml version='1.0' encoding='iso-8859-1'?><a>\xe9</a>":     `+a "é" -a`,
		"\xff\xfe<\x00a\x00/\x00>\x00":                               "+a -a",
		"\xef\xbb\xbf<a/>":                                           "+a -a",
	} {
		if got, err := tokens(text, syntax.Options{}); err != nil || got != want {
			t.Errorf("%q: %s, %v, want %s", text, got, err, want)
		}
	}
}

// TestMistakes: what is not well-formed, and what lenient mode makes of it; empty: it ends there as well.
func TestMistakes(t *testing.T) {
	for _, tc := range []struct{ text, problem, lenient string }{
		{"", "no element", ""},
		{"<a>", "<a> is not closed", ""},
		{"<a></b>", "<a> is closed by </b>", ""},
		{"</a>", "an end tag closes nothing", ""},
		{"<a/><b/>", "a second root element", ""},
		{"<a/>x", "text outside", ""},
		{"<![CDATA[x]]><a/>", "text outside", ""},
		{" <?xml version='1.0'?><a/>", "an XML declaration may only stand", ""},
		{"<a/><!DOCTYPE a>", "a document type declaration may only stand", ""},
		{"<a><!--x", `"-->" is missing`, ""},
		{"<a b='1'c='2'/>", "space is missing", ""},
		{"<a b/>", "no attribute", ""},
		{"<1/>", "no element name", ""},
		{"<a b='1' b='2'/>", "attribute b stands twice", `+a b="1" -a`},
		{"<a xmlns:p='u:' xmlns:p='v:'/>", "stands twice", ""},
		{"<a xmlns:p='u:' xmlns:q='u:' p:b='1' q:b='2'/>", "stands twice", `+a {u:}b="1" -a`},
		{"<p:a/>", "prefix p is not declared", "+a -a"},
		{"<!DOCTYPE a [<!ENTITY e '&f;'><!ENTITY f 'y'>]><a>&e;</a>", "not declared before it", `+a "&e;" -a`},
		{"<a>&x;</a>", "no reference", `+a "&x;" -a`},
		{"<a>&#0;</a>", "no reference", `+a "&#0;" -a`},
		{"<a>\x01\x02</a>", "control character", "+a \"\ufffd\ufffd\" -a"},
		{"<a>\xff</a>", "not valid UTF-8", "+a \"\ufffd\" -a"},
		{"<a b='<'/>", "in the value of an attribute", `+a b="<" -a`},
		{"<?xml version='1.0' encoding='klingon'?><a/>", `encoding "klingon" is not known`, "+a -a"},
	} {
		_, err := tokens(tc.text, syntax.Options{Name: "f"})
		var mistake *syntax.Error
		if !errors.As(err, &mistake) || !strings.Contains(err.Error(), tc.problem) || mistake.Line != 1 || mistake.Name != "f" {
			t.Errorf("%q: %v, want %q", tc.text, err, tc.problem)
		}
		reported := 0
		got, err := tokens(tc.text, syntax.Options{Lenient: true, OnError: func(error) { reported++ }})
		if (err == nil) != (tc.lenient != "") || err == nil && got != tc.lenient || (reported == 1) != (tc.lenient != "") {
			t.Errorf("%q, lenient: %s, %v, %d reported, want %s", tc.text, got, err, reported, tc.lenient)
		}
	}
}

// TestLimits: depth, attributes and entities are bounded, just as far as they may be and no further.
func TestLimits(t *testing.T) {
	attributes := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, " a%d=''", i)
		}
		return "<a" + b.String() + "/>"
	}
	bomb := "<!DOCTYPE a [<!ENTITY e0 '" + strings.Repeat("x", 1000) + "'>"
	for i := range 9 {
		bomb += fmt.Sprintf("<!ENTITY e%d '%s'>", i+1, strings.Repeat(fmt.Sprintf("&e%d;", i), 10))
	}
	many := "<!DOCTYPE a [<!ENTITY e '" + strings.Repeat("x", 60_000) + "'>]><a>" + strings.Repeat("&e;", 2000) + "</a>"
	for _, tc := range []struct {
		name, text, problem string
	}{
		{"depth", strings.Repeat("<a>", 5) + strings.Repeat("</a>", 5), ""},
		{"deeper", strings.Repeat("<a>", 6) + strings.Repeat("</a>", 6), "nested too deep"},
		{"attributes", attributes(maxAttrs), ""},
		{"more attributes", attributes(maxAttrs + 1), "too many attributes"},
		{"a bomb", bomb + "]><a>&e9;</a>", "entity &e9;"},
		{"an entity of itself", "<!DOCTYPE a [<!ENTITY e '&e;'>]><a>&e;</a>", "entity &e;"},
		{"a long text", many, "entities "},
	} {
		_, err := tokens(tc.text, syntax.Options{MaxDepth: 5})
		if (err != nil) != (tc.problem != "") || err != nil && !strings.Contains(err.Error(), tc.problem) {
			t.Errorf("%s: %.200v", tc.name, err)
		}
	}
}

// TestReads: an error of the reader below is no end of the document, wherever it comes.
func TestReads(t *testing.T) {
	const text = "<?xml version='1.0'?><!DOCTYPE a [<!ENTITY e 'x'>]><a b='1'>t&e;<!--c--><b/><![CDATA[d]]></a>"
	for n := range len(text) {
		r, err := NewReader(io.MultiReader(strings.NewReader(text[:n]), broken{}), syntax.Options{})
		for err == nil {
			var token *Token
			if token, err = r.Next(); err == nil && token.Kind == EOF {
				break
			}
		}
		if !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("after %q: %v", text[:n], err)
		}
	}
}

// broken is a reader that fails.
type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, io.ErrClosedPipe }

// TestAppend: canonical XML of text and of values.
func TestAppend(t *testing.T) {
	const text = "a&<>\"'\t\n\r"
	if got, want := string(AppendText([]byte("x"), []byte(text))), "xa&amp;&lt;&gt;\"'\t\n&#xD;"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := string(AppendValue(nil, text)), "a&amp;&lt;>&quot;'&#x9;&#xA;&#xD;"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
