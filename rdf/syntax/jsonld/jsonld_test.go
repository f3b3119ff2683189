package jsonld_test

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"orbweaver/rdf"
	"orbweaver/rdf/rdftest"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/jsonld"
	"orbweaver/rdf/syntax/ntriples"
)

// lines returns quads as N-Quads.
func lines(quads []rdf.Quad) string {
	var b []byte
	for _, q := range quads {
		for _, term := range []rdf.Term{q.S, q.P, q.O, q.G} {
			if !term.IsZero() {
				b = append(ntriples.AppendTerm(b, term), ' ')
			}
		}
		b = append(b, ".\n"...)
	}
	return string(b)
}

// script reads a script's text and returns its quads as N-Quads, the reported errors and the final error.
func script(text string, opts jsonld.Options) (out string, reported []string, err error) {
	opts.OnError = func(err error) { reported = append(reported, err.Error()) }
	quads, err := rdftest.All(jsonld.ReadScript([]byte(text), opts))
	return lines(quads), reported, err
}

const vocab = `{"@context": {"@vocab": "u:"}, `

// Nearly valid JSON is rejected with its position, and repaired in lenient mode.
func TestRepairs(t *testing.T) {
	const good = "_:genid1 <u:p> \"1\" .\n"
	body := vocab + `"p": "1"}`
	for _, tc := range []struct{ name, in, at, want string }{
		{"a comma behind the last member", vocab + `"p": "1",}`, "1:40: a comma with nothing", good},
		{"a comma behind the last item", vocab + `"p": ["1", ]}`, "1:41: a comma with nothing", good},
		{"a comment of HTML before", "<!-- of a page -->\n" + body, "1:1: a comment of HTML", good},
		{"a comment of HTML around", "<!--\n" + body + "\n-->", "1:1: a comment of HTML", good},
		{"a comment that does not end", "<!--\n" + body, "1:1: a comment of HTML", good},
		{"CDATA", "<![CDATA[" + body + "]]>", "1:1: a mark of CDATA", good},
		{"CDATA behind slashes", "//<![CDATA[\n" + body + "\n//]]>", "1:1: a mark of CDATA", good},
		{"CDATA in a comment", "/*<![CDATA[*/" + body + "/*]]>*/", "1:1: a comment", good},
		{"CDATA in a comment of HTML", "<!--//<![CDATA[\n" + body + "//]]>-->", "1:1: a comment of HTML", good},
		{"a comment of a line", vocab + "// of p\n\"p\": \"1\"}", "1:32: a comment", good},
		{"a comment at the end", body + " // end", "1:42: a comment", good},
		{"a byte order mark", "\ufeff" + body, "1:1: a byte order mark", good},
		{"a semicolon", body + ";\n", `1:41: a document ends with ";"`, good},
		{"several documents", body + "\n" + body, "2:1: the document goes on", good + strings.ReplaceAll(good, "1 <", "2 <")},
		{"several documents, with commas", body + ",\n" + body, `1:41: a document ends with ","`, good + strings.ReplaceAll(good, "1 <", "2 <")},
		{"a line break in a string", vocab + "\"p\": \"1\n2\"}", "1:39: control character U+000A", "_:genid1 <u:p> \"1\\n2\" .\n"},
		{"bytes that are not UTF-8", vocab + "\"p\": \"1\xff\"}", "1:39: bytes in a string", "_:genid1 <u:p> \"1\ufffd\" .\n"},
		{"half a pair", vocab + `"p": "\ud83d"}`, "1:38: half of a surrogate pair", "_:genid1 <u:p> \"\ufffd\" .\n"},
		{"an escape of another language", vocab + `"p": "it\'s"}`, "1:40: no escape", "_:genid1 <u:p> \"it's\" .\n"},
		{"an escape that is cut", vocab + `"p": "\u12"}`, "1:38: no escape", "_:genid1 <u:p> \"u12\" .\n"},
		{"a name that comes twice", vocab + `"p": "0", "p": "1"}`, `1:42: the name "p" comes twice`, good},
		{"nothing", " \n ", "2:2: there is no document", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			out, reported, err := script(tc.in, jsonld.Options{})
			var wrong *syntax.Error
			if !errors.As(err, &wrong) || !strings.HasPrefix(err.Error(), "input:"+tc.at) || out != "" || reported != nil {
				t.Errorf("strict: %q, %q, %v, want %s", out, reported, err, tc.at)
			}
			out, reported, err = script(tc.in, jsonld.Options{Options: syntax.Options{Lenient: true}})
			if err != nil || out != tc.want || len(reported) == 0 || !strings.HasPrefix(reported[0], "input:"+tc.at) {
				t.Errorf("lenient: %q, %q, %v, want %q", out, reported, err, tc.want)
			}
		})
	}
}

// Irreparable documents are rejected in both modes; lenient mode delivers what stands before the mistake.
func TestRefused(t *testing.T) {
	for _, tc := range []struct{ in, want string }{
		{`{"p": 01}`, "1:7: no number"},
		{`{"p": 1.}`, "1:7: no number"},
		{`{"p": -}`, "1:7: no number"},
		{`{"p": 1e}`, "1:7: no number"},
		{`{"p": nul}`, "1:7: a value is missing"},
		{`{"p": NaN}`, "1:7: a value is missing"},
		{`{"p" 1}`, `1:6: ":" is missing`},
		{`{p: 1}`, "1:2: a name in quotes"},
		{`{"p": 1 q: 2}`, `1:9: "," or "}" is missing`},
		{"[1\n2]", `2:1: "," or "]" is missing`},
		{`{"p": "1`, "1:7: a string does not end"},
		{`{"p": "1\`, "1:7: a string does not end"},
		{`{"p": [`, "1:8: a value is missing, found end of input"},
		{`"text"`, "1:1: the document is neither"},
		{`null`, "1:1: the document is neither"},
		{`{"@id": 1}`, "1:1: invalid @id value"},
		{`{"@context": {"": "u:p"}}`, "1:1: invalid term definition"},
		{`{"@context": 1}`, "1:1: invalid local context"},
		{`{"@context": {"t": {"@id": "u:t", "@container": 1}}}`, "1:1: cannot be expanded"},
	} {
		for _, lenient := range []bool{false, true} {
			out, _, err := script(tc.in, jsonld.Options{Options: syntax.Options{Lenient: lenient}})
			if out != "" || err == nil || !strings.HasPrefix(err.Error(), "input:"+tc.want) {
				t.Errorf("%s: %q, %v, want %s", tc.in, out, err, tc.want)
			}
		}
	}
}

// Special cases of JSON-LD.
func TestRead(t *testing.T) {
	const base = "http://b.org/a/b?c"
	for _, tc := range []struct{ name, in, want string }{
		{"relative names are resolved as IRIs", `{"@id": "größe/%zz", "@type": "../x//y", "u:p": {"@id": ""}}`,
			"<http://b.org/a/größe/%zz> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://b.org/x//y> .\n<http://b.org/a/größe/%zz> <u:p> <http://b.org/a/b?c> .\n"},
		{"absolute ones are left as they are", `{"@id": "http://x.org/a/../b", "u:p": 1}`, "<http://x.org/a/../b> <u:p> \"1\"^^<" + rdf.XSDInteger + "> .\n"},
		{"a base of the document's own", `{"@context": {"@base": "http://c.org/d/"}, "@id": "e", "u:p": {"@id": "/f"}}`, "<http://c.org/d/e> <u:p> <http://c.org/f> .\n"},
		{"no base", `{"@context": {"@base": null}, "@id": "u:s", "u:p": [{"@id": "e"}, {"@id": "u:o"}]}`, "<u:s> <u:p> <u:o> .\n"},
		{"a base further inside", `{"@id": "a", "u:p": {"@context": {"@base": "http://c.org/"}, "@id": "b"}}`, "<http://b.org/a/a> <u:p> <http://c.org/b> .\n"},
		{"a vocabulary relative to the base", `{"@context": {"@vocab": "#"}, "@id": "u:s", "p": true}`, "<u:s> <http://b.org/a/b?c#p> \"true\"^^<" + rdf.XSDBoolean + "> .\n"},
		{"labels are kept where they can be", `{"@id": "_:x", "u:p": [{"@id": "_:genid1"}, {"@id": "_:a b"}, {"@id": "_:a b"}, {}]}`,
			"_:x <u:p> _:xgenid1 .\n_:x <u:p> _:genid1 .\n_:x <u:p> _:genid1 .\n_:x <u:p> _:genid2 .\n"},
		{"what is no IRI is dropped, not what hangs on it", `{"@id": "http://a b", "u:p": {"@id": "u:s", "u:q": "1"}, "u:r s": {"@id": "u:s", "u:q": "2"}}`,
			"<u:s> <u:q> \"1\" .\n<u:s> <u:q> \"2\" .\n"},
		{"graphs", `{"@id": "u:g", "@graph": {"@id": "u:s", "u:p": {"@graph": {"@id": "u:t", "u:q": "1"}}}}`,
			"<u:t> <u:q> \"1\" _:genid1 .\n<u:s> <u:p> _:genid1 <u:g> .\n"},
		{"lists", `{"@id": "u:s", "u:p": {"@list": ["a", {"@list": []}]}, "u:q": {"@list": []}}`,
			"_:genid1 <" + rdfNS + "first> \"a\" .\n_:genid1 <" + rdfNS + "rest> _:genid2 .\n_:genid2 <" + rdfNS + "first> <" + rdfNS + "nil> .\n_:genid2 <" + rdfNS + "rest> <" + rdfNS + "nil> .\n<u:s> <u:p> _:genid1 .\n<u:s> <u:q> <" + rdfNS + "nil> .\n"},
		{"reverse properties", `{"@id": "u:s", "@reverse": {"u:p": [{"@id": "u:o"}]}}`, "<u:o> <u:p> <u:s> .\n"},
		{"directions, which text without a language has not", `{"@id": "u:s", "u:p": [{"@value": "a", "@language": "ar", "@direction": "rtl"}, {"@value": "b", "@direction": "ltr"}]}`,
			"<u:s> <u:p> \"a\"@ar--rtl .\n<u:s> <u:p> \"b\" .\n"},
		{"languages", `{"@id": "u:s", "u:p": [{"@value": "a", "@language": "en-GB"}, {"@value": "b", "@language": "no tag"}]}`, "<u:s> <u:p> \"a\"@en-gb .\n"},
		{"JSON as it is", `{"@id": "u:s", "u:p": {"@type": "@json", "@value": {"b": [1.0, 1e30, null], "a": "\u00e9\n"}}}`,
			`<u:s> <u:p> "{\"a\":\"é\\n\",\"b\":[1,1e+30,null]}"^^<` + rdfNS + "JSON> .\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			quads, err := rdftest.All(jsonld.Read(strings.NewReader(tc.in), jsonld.Options{Options: syntax.Options{Base: base}}))
			if got := lines(quads); err != nil || got != tc.want {
				t.Errorf("got\n%s%v\nwant\n%s", got, err, tc.want)
			}
		})
	}
}

const rdfNS = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"

func TestNumbers(t *testing.T) {
	for _, tc := range []struct{ in, want, kind string }{
		{"1", "1", rdf.XSDInteger},
		{"-0", "0", rdf.XSDInteger},
		{"-17.00", "-17", rdf.XSDInteger},
		{"1.5e1", "15", rdf.XSDInteger},
		{"1500e-2", "15", rdf.XSDInteger},
		{"0e999999999999", "0", rdf.XSDInteger},
		{"9007199254740993", "9007199254740993", rdf.XSDInteger}, // exceeds float64's integers
		{"999999999999999999999", "999999999999999999999", rdf.XSDInteger},
		{"1000000000000000000000", "1.0E21", rdf.XSDDouble},
		{"1.5", "1.5E0", rdf.XSDDouble},
		{"0.1", "1.0E-1", rdf.XSDDouble},
		{"-5e-324", "-4.940656458412465E-324", rdf.XSDDouble},
		{"1e-999999999999", "0", rdf.XSDInteger},
		{"1e400", "INF", rdf.XSDDouble},
		{`{"@value": 2, "@type": "` + rdf.XSDDouble + `"}`, "2.0E0", rdf.XSDDouble},
		{`{"@value": 2.5, "@type": "u:t"}`, "2.5E0", "u:t"},
		{`{"@value": true, "@type": "u:t"}`, "true", "u:t"},
	} {
		quads, err := rdftest.All(jsonld.Read(strings.NewReader(`{"u:p": `+tc.in+`}`), jsonld.Options{}))
		if err != nil || len(quads) != 1 || quads[0].O != rdf.NewTyped(tc.want, tc.kind) {
			t.Errorf("%s: %v, %v, want %s of %s", tc.in, quads, err, tc.want, tc.kind)
		}
	}
}

// In lenient mode an item that cannot be expanded does not affect the others.
func TestItems(t *testing.T) {
	for _, in := range []string{
		`[{"u:p": "1"}, {"@id": 5}, {"u:p": "2"}]`,
		`{"@context": {"q": "u:p"}, "@graph": [{"q": "1"}, {"@id": 5}, {"q": "2"}]}`,
	} {
		out, reported, err := script(in, jsonld.Options{Options: syntax.Options{Lenient: true}})
		if want := "_:genid1 <u:p> \"1\" .\n_:genid2 <u:p> \"2\" .\n"; err != nil || out != want || len(reported) != 1 {
			t.Errorf("%s: %q, %q, %v", in, out, reported, err)
		}
		if out, _, err := script(in, jsonld.Options{}); err == nil || out != "" {
			t.Errorf("strict: %s: %q, %v", in, out, err)
		}
	}
}

// Hostile documents cause an error.
func TestLimits(t *testing.T) {
	const many = 10_000
	nest := func(open, end string) string { return strings.Repeat(open, many) + "1" + strings.Repeat(end, many) }
	terms := func(n int, format string) string {
		var out []string
		for i := range n {
			out = append(out, fmt.Sprintf(format, i, i+1))
		}
		return strings.Join(out, ", ")
	}
	for _, tc := range []struct{ name, in, want string }{
		{"arrays", `{"u:p": ` + nest("[", "]") + "}", "nested deeper than 256"},
		{"objects", nest(`{"u:p":`, "}"), "nested deeper than 256"},
		{"contexts in terms", nest(`{"@context": {"t": `, "}}"), "nested deeper than 256"},
		{"brackets that do not end", strings.Repeat("[", many), "nested deeper than 256"},
		{"terms that are defined by each other", `{"@context": {` + terms(many, `"t%d": "t%d:x"`) + `}}`, "defined by more than 32 others"},
		{"a term as long as a page", `{"@context": {"t": "u:` + strings.Repeat("x", many) + `"}, "t": 1}`, "more than 4096 bytes"},
		{"a long prefix used often", `{"@context": {"t": "u:` + strings.Repeat("x", 4000) + `:"}, "u:p": [` + terms(60_000, `{"@id": "t:%d.%d"}`) + `]}`, "names would grow too long"},
		{"contexts in a row", `{"@context": [` + terms(many*2, `{"t%d": "u:%d"}`) + `], "u:p": [` + terms(many, `{"@context": {"x%d": "u:%d"}}`) + `]}`, "too much work"},
		{"terms with contexts", `{"@context": {"t": {"@id": "u:t", "@context": {` + terms(5000, `"t%d": "u:%d"`) + `}}}, "u:p": [` + terms(5000, `{"t": "%d.%d"}`) + `]}`, "copied too often"},
		{"too many entries", `{"@context": {` + terms(100_001, `"t%d": "u:%d"`) + `}}`, "more than 100000 entries"},
		{"too many values", `{"u:p": [` + terms(100_000, `[%d, %d]`) + `]}`, "more than 262144 values"},
		{"too long a body", `{"u:p": "` + strings.Repeat("x", 4<<20) + `"}`, "more than 4194304 bytes"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			for _, lenient := range []bool{false, true} {
				opts := jsonld.Options{Options: syntax.Options{Lenient: lenient}, MaxBody: 4 << 20}
				out, err := rdftest.All(jsonld.Read(strings.NewReader(tc.in), opts))
				if err == nil || !strings.Contains(err.Error(), tc.want) {
					t.Errorf("lenient %v: %d quads, %v", lenient, len(out), err)
				}
			}
		})
	}
}

// At any allowed depth a document is read or rejected without a crash.
func TestDepth(t *testing.T) {
	for _, tc := range []struct {
		depth int
		want  string
	}{{9_999, ""}, {10_001, "nested deeper than 10000"}, {3_000_000, "nested deeper than 10000"}} {
		in := strings.Repeat(`{"u:p":`, tc.depth) + "1" + strings.Repeat("}", tc.depth)
		opts := jsonld.Options{Options: syntax.Options{MaxDepth: 1 << 30}, MaxBody: 1 << 30}
		quads, err := rdftest.All(jsonld.Read(strings.NewReader(in), opts))
		if tc.want == "" && (err != nil || len(quads) != tc.depth) || tc.want != "" && (err == nil || !strings.Contains(err.Error(), tc.want)) {
			t.Errorf("%d deep: %d quads, %v", tc.depth, len(quads), err)
		}
	}
}

// In lenient mode statements that are dropped are reported.
func TestDropped(t *testing.T) {
	in := `{"@id": "u:s", "@type": "u:a b", "u:p": [{"@id": "rel"}, {"@value": "1", "@type": "u:<"}, {"@value": "2", "@language": "?"}, "3"], "u:q{": "4"}`
	out, reported, err := script(in, jsonld.Options{Options: syntax.Options{Lenient: true}})
	if err != nil || out != "<u:s> <u:p> \"3\" .\n" || len(reported) != 5 {
		t.Errorf("%q, %v:\n%s", out, err, strings.Join(reported, "\n"))
	}
}

// The reports of one document are bounded.
func TestReports(t *testing.T) {
	_, reported, err := script(`{"u:p": "`+strings.Repeat("\n", 100_000)+`"}`, jsonld.Options{Options: syntax.Options{Lenient: true}})
	if err != nil || len(reported) != 100 {
		t.Errorf("%d repairs reported, %v", len(reported), err)
	}
}

func TestReadingFails(t *testing.T) {
	in := io.MultiReader(strings.NewReader("{\n"), iotest.ErrReader(io.ErrUnexpectedEOF))
	quads, err := rdftest.All(jsonld.Read(in, jsonld.Options{}))
	if quads != nil || !errors.Is(err, io.ErrUnexpectedEOF) || !strings.HasPrefix(err.Error(), "input:2:1: reading") {
		t.Errorf("%v, %v", quads, err)
	}
}

func TestStop(t *testing.T) {
	for stop := 1; stop <= 3; stop++ {
		n := 0
		in := `[{"u:p": {"@list": [1, {"u:q": 2}]}}, {"u:p": 3}]`
		for range jsonld.Read(strings.NewReader(in), jsonld.Options{}) {
			if n++; n == stop {
				break
			}
		}
		if n != stop {
			t.Errorf("%d quads, want %d", n, stop)
		}
	}
}

// The same document gives the same quads in the same order, independent of map order.
func TestDeterminism(t *testing.T) {
	in := `{"@context": {"a": "u:a", "b": {"@id": "u:b", "@container": "@language"}}, "a": [1, {"a": {"@list": [2]}}], "b": {"en": "x", "de": "y"},
		"@reverse": {"u:r": {"@id": "u:1"}, "u:s": {"@id": "u:2"}}, "@graph": [{"a": 1}, {"u:c": 2}]}`
	first := rdftest.Collect(t, jsonld.Read(strings.NewReader(in), jsonld.Options{}))
	for range 50 {
		if again := rdftest.Collect(t, jsonld.Read(strings.NewReader(in), jsonld.Options{})); !slices.Equal(again, first) {
			t.Fatalf("got\n%s\nbefore\n%s", lines(again), lines(first))
		}
	}
}
