package results_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"

	"orbweaver/rdf"
	"orbweaver/rdf/rdftest"
	"orbweaver/rdf/sparql/results"
)

// An answer is one read to its end.
type answer struct {
	Vars    []string
	Boolean *bool
	Rows    []results.Row
}

func read(r io.Reader, f results.Format, opts results.Options) (answer, error) {
	res, err := results.Read(r, f, opts)
	if err != nil {
		return answer{}, err
	}
	a := answer{Vars: res.Vars, Boolean: res.Boolean}
	a.Rows, err = rdftest.All(res.Rows)
	return a, err
}

func mustRead(t *testing.T, data string, f results.Format) answer {
	t.Helper()
	a, err := read(strings.NewReader(data), f, results.Options{Base: "http://example.org/base"})
	if err != nil {
		t.Fatalf("%v: %v\n%s", f, err, data)
	}
	return a
}

func write(t testing.TB, f results.Format, a answer) string {
	t.Helper()
	var b bytes.Buffer
	if a.Boolean != nil {
		if err := results.WriteBoolean(&b, f, *a.Boolean); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	w := results.NewWriter(&b, f, a.Vars)
	for _, row := range a.Rows {
		if err := w.Write(row); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestW3C: all answers of the suites read, and those that are written read the same.
func TestW3C(t *testing.T) {
	count := map[results.Format]int{}
	for _, file := range rdftest.Archive(t, "w3c-rdf-tests.tar.gz", "sparql/") {
		format := results.OfName(file.Name)
		switch {
		case format == results.Unknown, strings.Contains(file.Name, "/manifest"):
			continue
		case format == results.RDF && !bytes.Contains(file.Data, []byte("result-set#")):
			continue
		}
		a, err := read(bytes.NewReader(file.Data), format, results.Options{Base: "https://w3c.github.io/rdf-tests/" + file.Name})
		if err != nil {
			t.Errorf("%s: %v", file.Name, err)
			continue
		}
		if got := results.Detect("", file.Data[:min(500, len(file.Data))]); got != format && format != results.CSV {
			t.Errorf("%s: taken for %v", file.Name, got)
		}
		count[format]++
		for _, f := range []results.Format{results.JSON, results.XML, results.TSV} {
			if a.Boolean != nil && f == results.TSV {
				continue
			}
			again, err := read(strings.NewReader(write(t, f, a)), f, results.Options{})
			if err != nil || !reflect.DeepEqual(again, a) {
				t.Errorf("%s as %v: %v\n%v\n%v", file.Name, f, err, again, a)
			}
		}
	}
	want := map[results.Format]int{results.XML: 449, results.JSON: 53, results.CSV: 3, results.TSV: 3, results.RDF: 129}
	if !reflect.DeepEqual(count, want) {
		t.Errorf("%v answers, want %v", count, want)
	}
}

// TestW3CPlain: the answers in CSV and TSV are written as the suite has them.
func TestW3CPlain(t *testing.T) {
	for _, file := range rdftest.Archive(t, "w3c-rdf-tests.tar.gz", "sparql/sparql11/csv-tsv-res/") {
		if f := results.OfName(file.Name); f == results.CSV || f == results.TSV {
			got := strings.ReplaceAll(write(t, f, mustRead(t, string(file.Data), f)), "\r\n", "\n")
			if want := strings.ReplaceAll(string(file.Data), "\r\n", "\n"); got != want {
				t.Errorf("%s:\n%s\nwant\n%s", file.Name, got, want)
			}
		}
	}
}

// sample has what is hard to write.
func sample() answer {
	return answer{Vars: []string{"a", "b"}, Rows: []results.Row{
		{rdf.NewIRI("http://a/é?x=1&y"), rdf.NewBlank("b0")},
		{rdf.NewString(""), {}},
		{{}, {}},
		{rdf.NewString("tab\tline\nreturn\rquote\"apostrophe'slash\\<&>,𝒜"), rdf.NewLang(" a ", "en-GB")},
		{rdf.NewTyped("4", rdf.XSDInteger), rdf.NewTyped("-.5", rdf.XSDDecimal)},
		{rdf.NewTyped("1E6", rdf.XSDDouble), rdf.NewTyped("4.", rdf.XSDDecimal)},
		{rdf.NewTyped("true", rdf.XSDBoolean), rdf.NewTyped("x", "http://t/")},
		{rdf.NewString("1"), rdf.NewString("_:b")},
		{rdf.NewDirLang("to the left", "ar", rdf.RTL), rdf.NewTripleTerm(rdf.Triple{S: rdf.NewBlank("b0"), P: rdf.NewIRI("u:p"), O: rdf.NewTripleTerm(
			rdf.Triple{S: rdf.NewIRI("u:a"), P: rdf.NewIRI("u:p"), O: rdf.NewDirLang("a \"b\" )>>\t", "en", rdf.LTR)})})},
	}}
}

func TestRoundTrip(t *testing.T) {
	yes, no := true, false
	for _, a := range []answer{
		sample(), {Vars: []string{}}, {Vars: []string{}, Rows: []results.Row{{}, {}}}, {Vars: []string{"x"}, Rows: []results.Row{{{}}, {{}}}},
		{Vars: []string{}, Boolean: &yes}, {Vars: []string{}, Boolean: &no},
	} {
		for _, f := range []results.Format{results.JSON, results.XML, results.TSV} {
			if a.Boolean != nil && f == results.TSV {
				continue
			}
			text := write(t, f, a)
			if got := mustRead(t, text, f); !reflect.DeepEqual(got, a) {
				t.Errorf("%v:\n%v\n%v\n%s", f, got, a, text)
			}
		}
	}
}

func TestCSV(t *testing.T) {
	want := "a,b\r\nhttp://a/é?x=1&y,_:b0\r\n,\r\n,\r\n\"tab\tline\nreturn\rquote\"\"apostrophe'slash\\<&>,𝒜\", a \r\n4,-.5\r\n1E6,4.\r\ntrue,x\r\n1,_:b\r\nto the left,\"<<( _:b0 <u:p> <<( <u:a> <u:p> \"\"a \\\"\"b\\\"\" )>>\t\"\"@en--ltr )>> )>>\"\r\n"
	if got := write(t, results.CSV, sample()); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	got := mustRead(t, "\ufeffx,\"y\"\r\n\"a,\"\"b\"\"\r\nc\",http://a/\r\n,_:b\n1,urn:a:b\nnote: x,\"mailto:a b\"", results.CSV)
	if want := (answer{Vars: []string{"x", "y"}, Rows: []results.Row{
		{rdf.NewString("a,\"b\"\r\nc"), rdf.NewIRI("http://a/")}, {{}, rdf.NewBlank("b")},
		{rdf.NewString("1"), rdf.NewIRI("urn:a:b")}, {rdf.NewString("note: x"), rdf.NewString("mailto:a b")},
	}}); !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got := mustRead(t, "x\r\n\r\na\r\n\r\n", results.CSV); len(got.Rows) != 3 {
		t.Errorf("rows of nothing were lost: %v", got)
	}
}

// TestLenient: what endpoints send beside the specifications.
func TestLenient(t *testing.T) {
	for _, c := range []struct {
		name   string
		format results.Format
		text   string
		want   string
	}{
		{"typed-literal, and a label that no syntax has", results.JSON,
			`{"head":{"link":[],"vars":["x","y"]},"results":{"distinct":false,"ordered":true,"bindings":[{"x":{"type":"typed-literal","datatype":"http://t","value":"1"},"y":{"type":"bnode","value":"nodeID://b1"}}]}}`,
			"[[{3  1 http://t } {2  x_nodeID_3a_2f_2fb1  }]]"},
		{"rows before the head", results.JSON, `{"results":{"bindings":[{"b":{"type":"uri","value":"u:b"}}]},"head":{"vars":["a","b"]}}`,
			"[[{0    } {1  u:b  }]]"},
		{"no head", results.JSON, `{"results":{"bindings":[{"b":{"type":"uri","value":"u:b"}},{"a":{"type":"literal","value":1.5}}]}}`,
			"[[{0    } {1  u:b  }] [{3  1.5 http://www.w3.org/2001/XMLSchema#string } {0    }]]"},
		{"a number, null and a language with an underscore", results.JSON,
			`{"head":{"vars":["a","b"]},"results":{"bindings":[{"a":{"type":"literal","value":"x","xml:lang":"en_US"},"b":null}],"more":{"a":[1,{}]}},"extra":[]}`,
			"[[{3  x http://www.w3.org/1999/02/22-rdf-syntax-ns#langString en-US} {0    }]]"},
		{"an IRI with a space, and a relative one", results.JSON,
			`{"head":{"vars":["a","b"]},"results":{"bindings":[{"a":{"type":"uri","value":"http://a/b c"},"b":{"type":"uri","value":"d"}}]}}`,
			"[[{1  http://a/b%20c  } {1  http://example.org/d  }]]"},
		{"an old namespace, and unbound", results.XML,
			`<sparql xmlns="http://www.w3.org/2001/sw/DataAccess/rf1/result"><head><variable name="a"/><variable name="b"/></head><results ordered="true"><result><binding name="a"> <uri> u:a </uri></binding><binding name="b"><unbound/></binding></result></results></sparql>`,
			"[[{1  u:a  } {0    }]]"},
		{"Latin 1", results.XML,
			"<?xml version=\"1.0\" encoding=\"iso-8859-1\"?><sparql><head><variable name='a'/></head><results><result><binding name='a'><literal>\xe9</literal></binding></result></results></sparql>",
			"[[{3  é http://www.w3.org/2001/XMLSchema#string }]]"},
		{"names with and without marks", results.TSV, "\"?a\"\t$b\nfalse\t'x'@en\n",
			"[[{3  false http://www.w3.org/2001/XMLSchema#boolean } {3  x http://www.w3.org/1999/02/22-rdf-syntax-ns#langString en}]]"},
		{"escapes", results.TSV, `?a` + "\n" + `"\u00e9\t\U0001D49C\\"` + "\n" + `"""a"b"""`,
			"[[{3  é\t𝒜\\ http://www.w3.org/2001/XMLSchema#string }] [{3  a\"b http://www.w3.org/2001/XMLSchema#string }]]"},
	} {
		if got := fmt.Sprint(mustRead(t, c.text, c.format).Rows); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestMistakes(t *testing.T) {
	for _, c := range []struct {
		format results.Format
		text   string
	}{
		{results.JSON, ""}, {results.JSON, "[]"}, {results.JSON, "{}"}, {results.JSON, `{"head":{"vars":["a"]}}`},
		{results.JSON, `{"head":{"vars":["a"]},"results":{"bindings":[{"a":{"type":"uri","value":"u:a"}}`},
		{results.JSON, `{"head":{"vars":["a"]},"results":{"bindings":[{"b":{"type":"uri","value":"u:a"}}]}}`},
		{results.JSON, `{"head":{"vars":["a"]},"results":{"bindings":[{"a":{"type":"triple","value":{}}}]}}`},
		{results.JSON, `{"head":{"vars":["a"]},"results":{"bindings":[{"a":{"type":"triple","value":"x"}}]}}`},
		{results.JSON, `{"head":{"vars":["a"]},"results":{"bindings":[{"a":{"type":"uri","value":{}}}]}}`},
		{results.JSON, `{"head":{"vars":["a"]},"results":{"bindings":[{"a":{"value":"x"}}]}}`},
		{results.JSON, `{"head":{"vars":["a"]},"results":{"bindings":[{"a":` +
			strings.Repeat(`{"type":"triple","value":{"subject":{"type":"uri","value":"u:s"},"predicate":{"type":"uri","value":"u:p"},"object":`, 100) +
			`{"type":"uri","value":"u:o"}` + strings.Repeat("}}", 100) + `}]}}`},
		{results.XML, "<sparql><head><variable name='a'/></head><results><result><binding name='a'><triple><subject><uri>u:a</uri></subject></triple></binding></result></results></sparql>"},
		{results.XML, "<sparql><head><variable name='a'/></head><results><result><binding name='a'><triple><uri>u:a</uri></triple></binding></result></results></sparql>"},
		{results.TSV, "?a\n<<( <u:s> <u:p> )>>\n"}, {results.TSV, "?a\n<<( \"s\" <u:p> <u:o> )>>\n"}, {results.TSV, "?a\n<<( <u:s> <u:p> <u:o>\n"},
		{results.TSV, "?a\n<<( <u:s> <u:p> <u:o> )>> .\n"}, {results.TSV, "?a\n" + strings.Repeat("<<( <u:s> <u:p> ", 100) + "1" + strings.Repeat(")>>", 100) + "\n"},
		{results.JSON, `{"head":{"vars":[1]},"results":{"bindings":[]}}`},
		{results.JSON, `{"a":` + strings.Repeat("[", 10000) + strings.Repeat("]", 10000) + `}`},
		{results.XML, ""}, {results.XML, "<html></html>"}, {results.XML, "<sparql></sparql>"}, {results.XML, "<sparql><results>"},
		{results.XML, "<sparql><head><variable name='a'/></head><results><result><binding name='b'><uri>u:b</uri></binding></result></results></sparql>"},
		{results.XML, "<sparql><head><variable name='a'/></head><results><result><binding name='a'><literal>a<b/></literal></binding></result></results></sparql>"},
		{results.XML, "<sparql><head><variable name='a'/></head><results><result><binding name='a'><uri>u:a</uri><uri>u:b</uri></binding></result></results></sparql>"},
		{results.XML, "<sparql>" + strings.Repeat("<a>", 1000) + strings.Repeat("</a>", 1000) + "</sparql>"},
		{results.CSV, ""}, {results.CSV, "a,b\n1\n"}, {results.CSV, "a\n\"1"}, {results.CSV, "a,a\n"},
		{results.TSV, ""}, {results.TSV, "?a\nx\n"}, {results.TSV, "?a\n\"x\n"}, {results.TSV, "?a\n\"x\"y\n"}, {results.TSV, "?a\n\"\\x\"\n"},
		{results.TSV, "?a\n\"\\"}, {results.TSV, "?a\n\""}, {results.TSV, "?a\n'"}, {results.TSV, "?a\n\"\\\"\n"}, {results.TSV, "?a\n\"\\ud800\"\n"}, {results.TSV, "?a\n\"\\u12\"\n"},
		{results.RDF, ""}, {results.RDF, "<u:a> <u:b> <u:c> ."}, {results.Unknown, "{}"},
	} {
		if a, err := read(strings.NewReader(c.text), c.format, results.Options{}); err == nil {
			t.Errorf("%v %.100q was read as %v", c.format, c.text, a)
		} else if !strings.HasPrefix(err.Error(), "answer: ") {
			t.Errorf("%v does not name the answer", err)
		}
	}
}

func TestLimits(t *testing.T) {
	for _, f := range []results.Format{results.JSON, results.XML, results.CSV, results.TSV} {
		long := answer{Vars: []string{"a"}}
		for range 100 {
			long.Rows = append(long.Rows, results.Row{rdf.NewString(strings.Repeat("x", 1000))})
		}
		text := write(t, f, long)
		a, err := read(strings.NewReader(text), f, results.Options{MaxRows: 99})
		if !errors.Is(err, results.ErrLimit) || len(a.Rows) != 99 {
			t.Errorf("%v: %d rows, %v", f, len(a.Rows), err)
		}
		if _, err = read(strings.NewReader(text), f, results.Options{MaxRows: 100}); err != nil {
			t.Errorf("%v: %v", f, err)
		}
		if _, err = read(strings.NewReader(text), f, results.Options{MaxBytes: 50_000}); !errors.Is(err, results.ErrLimit) {
			t.Errorf("%v: %v", f, err)
		}
		if _, err = read(strings.NewReader(text), f, results.Options{MaxBytes: int64(len(text)) + 1}); err != nil {
			t.Errorf("%v: %v", f, err)
		}
		long.Rows = []results.Row{{rdf.NewString(strings.Repeat("x", 1<<20))}}
		if _, err = read(strings.NewReader(write(t, f, long)), f, results.Options{MaxToken: 1 << 16}); !errors.Is(err, results.ErrLimit) {
			t.Errorf("%v: %v", f, err)
		}
	}
}

// TestStopping: who has seen enough reads no more.
func TestStopping(t *testing.T) {
	for _, f := range []results.Format{results.JSON, results.XML, results.CSV, results.TSV} {
		res, err := results.Read(strings.NewReader(write(t, f, sample())), f, results.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for range res.Rows {
			break
		}
	}
}

func TestDetect(t *testing.T) {
	for _, c := range []struct {
		contentType, head string
		want              results.Format
	}{
		{"application/sparql-results+json; charset=utf-8", "", results.JSON},
		{"application/sparql-results+xml", `{"head":`, results.JSON},
		{"text/html", ` {"head":`, results.JSON},
		{"application/xml", `<?xml version="1.0"?><sparql xmlns=`, results.XML},
		{"application/sparql-results+json", `<?xml version="1.0"?><sparql xmlns=`, results.XML},
		{"application/sparql-results+xml", `<!DOCTYPE html><html>`, results.Unknown},
		{"text/csv", "a,b\n", results.CSV},
		{"text/csv", "<sparql>", results.XML},
		{"text/plain", "?a\t?b\n", results.TSV},
		{"text/plain", "Virtuoso 37000 Error SP030", results.Unknown},
		{"text/turtle", "@prefix a: <u:a> .", results.RDF},
		{"", "", results.Unknown},
	} {
		if got := results.Detect(c.contentType, []byte(c.head)); got != c.want {
			t.Errorf("%q with %q is %v, want %v", c.contentType, c.head, got, c.want)
		}
	}
}

func TestNegotiate(t *testing.T) {
	for accept, want := range map[string]results.Format{
		"": results.JSON, "*/*": results.JSON, "text/*": results.TSV, "text/csv": results.CSV, "application/xml": results.XML,
		"text/html,application/xml;q=0.9,*/*;q=0.8": results.XML, "text/html": results.Unknown,
		"application/sparql-results+json;q=0, */*": results.XML,
		"text/csv;q=0.5, application/json;q=0.6":   results.JSON,
		"text/csv;q=2":                             results.CSV,
		"application/sparql-results+xml;q=0":       results.Unknown,
		results.Accept():                           results.JSON,
	} {
		if got := results.Negotiate(accept); got != want {
			t.Errorf("%q: %v, want %v", accept, got, want)
		}
	}
}

func TestNoWriter(t *testing.T) {
	if err := results.NewWriter(io.Discard, results.RDF, nil).Close(); !errors.Is(err, results.ErrFormat) {
		t.Error(err)
	}
	if err := results.WriteBoolean(io.Discard, results.Unknown, true); !errors.Is(err, results.ErrFormat) {
		t.Error(err)
	}
}

func TestTable(t *testing.T) {
	rows := func(yield func(results.Row, error) bool) {
		_ = yield(results.Row{rdf.NewIRI("http://example.org/a-long-address"), rdf.NewLang("食べ物", "ja")}, nil) &&
			yield(results.Row{rdf.NewTyped("42", rdf.XSDInteger), {}}, nil) &&
			yield(results.Row{rdf.NewString("\x1b[31m"), rdf.NewTyped("2000-01-01", "http://www.w3.org/2001/XMLSchema#date")}, nil)
	}
	for width, want := range map[int]string{
		0: `?s                                   ?long
───────────────────────────────────  ──────────────────
<http://example.org/a-long-address>  "食べ物"@ja
42
"\u001B[31m"                         "2000-01-01"^^date
`,
		30: `?s              ?long
──────────────  ──────────────
<http://examp…  "食べ物"@ja
42
"\u001B[31m"    "2000-01-01"^…
`,
	} {
		var b strings.Builder
		if err := results.WriteTable(&b, width, []string{"s", "long"}, rows); err != nil || b.String() != want {
			t.Errorf("%d wide, %v:\n%s\nwant\n%s", width, err, b.String(), want)
		}
	}
	var b strings.Builder
	if err := results.WriteTable(&b, 80, nil, rows); err != nil {
		t.Error(err)
	}
}

// FuzzRead: no answer is too broken to be refused in good order, and what is read is written and read
// the same.
func FuzzRead(f *testing.F) {
	formats := []results.Format{results.JSON, results.XML, results.CSV, results.TSV, results.RDF}
	for i, format := range formats[:4] {
		f.Add(uint8(i), write(f, format, sample()))
	}
	f.Add(uint8(0), `{"results":{"bindings":[{"b":{"type":"bnode","value":"x_"}}]},"head":{}}`)
	f.Add(uint8(1), "<sparql><boolean>true</boolean></sparql>")
	f.Add(uint8(4), `@prefix rs: <http://www.w3.org/2001/sw/DataAccess/tests/result-set#> . [] a rs:ResultSet ; rs:resultVariable "x" ; rs:solution [ rs:index 1 ; rs:binding [ rs:variable "x" ; rs:value 1 ] ] .`)
	f.Fuzz(func(t *testing.T, which uint8, text string) {
		format := formats[int(which)%len(formats)]
		a, err := read(strings.NewReader(text), format, results.Options{MaxRows: 100, MaxBytes: 1 << 16, MaxToken: 1 << 12})
		results.WriteTable(io.Discard, 20, a.Vars, func(yield func(results.Row, error) bool) {
			for _, row := range a.Rows {
				if !yield(row, nil) {
					return
				}
			}
		})
		if err != nil || format == results.RDF || a.Boolean != nil {
			return
		}
		again, err := read(strings.NewReader(write(t, results.JSON, a)), results.JSON, results.Options{})
		if err != nil || len(again.Rows) != len(a.Rows) || len(again.Vars) != len(a.Vars) {
			t.Errorf("%v, %v, was %v", again, err, a)
		}
	})
}

func BenchmarkWrite(b *testing.B) {
	row := sample().Rows[0]
	for _, f := range []results.Format{results.JSON, results.XML, results.CSV, results.TSV} {
		b.Run(f.String(), func(b *testing.B) {
			w := results.NewWriter(io.Discard, f, []string{"a", "b"})
			b.ReportAllocs()
			for b.Loop() {
				w.Write(row)
			}
		})
	}
}

func BenchmarkRead(b *testing.B) {
	for _, f := range []results.Format{results.JSON, results.XML, results.CSV, results.TSV} {
		a := answer{Vars: []string{"a", "b"}}
		for range 1000 {
			a.Rows = append(a.Rows, sample().Rows[0])
		}
		text := write(b, f, a)
		b.Run(f.String(), func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if _, err := read(strings.NewReader(text), f, results.Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
