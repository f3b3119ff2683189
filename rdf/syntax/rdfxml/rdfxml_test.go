package rdfxml_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"orbweaver/internal/realdata"

	"orbweaver/rdf"
	"orbweaver/rdf/rdftest"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/ntriples"
	"orbweaver/rdf/syntax/rdfxml"
)

// doc puts node elements into a document.
func doc(body string) string {
	return `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://e.org/">` + body + `</rdf:RDF>`
}

// read prints the statements of a document, and returns the texts of its errors.
func read(in io.Reader, opts syntax.Options) (string, []string) {
	return rdftest.Printing(rdfxml.Read, ntriples.AppendTriple)(in, opts)
}

func TestLiterals(t *testing.T) {
	for _, tc := range []struct{ name, in, want string }{
		{"text with entities", `<e:p>a &lt;&amp;&#x41; <![CDATA[<b>]]></e:p>`, `"a <&A <b>"`},
		{"a language from above", `<e:p>a</e:p>`, `"a"@de`},
		{"a language taken off", `<e:p xml:lang="">a</e:p>`, `"a"`},
		{"a datatype", `<e:p rdf:datatype="http://e.org/t">a</e:p>`, `"a"^^<http://e.org/t>`},
		{"an XML literal", `<e:p rdf:parseType="Literal"><e:b z="1" e:a="&quot;&#9;">x&gt;<c/></e:b><!--n--></e:p>`,
			`"<e:b xmlns:e=\"http://e.org/\" z=\"1\" e:a=\"&quot;&#x9;\">x&gt;<c></c></e:b><!--n-->"^^<http://www.w3.org/1999/02/22-rdf-syntax-ns#XMLLiteral>`},
		{"a namespace taken back within one", `<e:p rdf:parseType="Literal"><a xmlns="u:v"><b xmlns=""/></a></e:p>`,
			`"<a xmlns=\"u:v\"><b xmlns=\"\"></b></a>"^^<http://www.w3.org/1999/02/22-rdf-syntax-ns#XMLLiteral>`},
		{"a direction", `<e:p rdf:version="1.2" xml:lang="ar" xmlns:i="http://www.w3.org/2005/11/its" i:dir="rtl">a</e:p>`, `"a"@ar--rtl`},
		{"a direction of another version", `<e:p xml:lang="ar" xmlns:i="http://www.w3.org/2005/11/its" i:dir="rtl">a</e:p>`, `"a"@ar`},
		{"a triple term", `<e:p rdf:version="1.2" rdf:parseType="Triple"><e:C rdf:about="s:o"/></e:p>`, `<<( <s:o> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://e.org/C> )>>`},
		{"line ends", "<e:p>a\r\nb\rc</e:p>", `"a\nb\nc"`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			lang := ""
			if strings.Contains(tc.name, "language") {
				lang = ` xml:lang="de"`
			}
			got, errs := read(strings.NewReader(doc(`<rdf:Description rdf:about="s:s"`+lang+`>`+tc.in+`</rdf:Description>`)), syntax.Options{})
			if want := "<s:s> <http://e.org/p> " + tc.want + " .\n"; got != want || errs != nil {
				t.Errorf("got %s%q, want %s", got, errs, want)
			}
		})
	}
}

func TestEntities(t *testing.T) {
	in := `<?xml version="1.0"?>
<!DOCTYPE rdf:RDF [
  <!-- "unbalanced -->
  <!ENTITY e "http://e.org/">
  <!ENTITY % parameter "x">
  <!ENTITY thing '&e;thing&#35;'>
  <!ENTITY e "the first counts">
]>
` + doc(`<rdf:Description rdf:about="&thing;a"><e:p>&e;</e:p></rdf:Description>`)
	got, errs := read(strings.NewReader(in), syntax.Options{})
	if want := "<http://e.org/thing#a> <http://e.org/p> \"http://e.org/\" .\n"; got != want || errs != nil {
		t.Errorf("got %s%q, want %s", got, errs, want)
	}
}

func TestEncodings(t *testing.T) {
	body := doc(`<rdf:Description rdf:about="s:s" e:p="é"/>`)
	utf16 := []byte("\xff\xfe")
	for _, r := range body {
		utf16 = append(utf16, byte(r), 0)
	}
	for _, tc := range []struct{ name, in string }{
		{"UTF-8 with a mark", "\ufeff" + body},
		{"Latin 1", `<?xml version="1.0" encoding='ISO-8859-1'?>` + strings.ReplaceAll(body, "é", "\xe9")},
		{"UTF-16", string(utf16)},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, errs := read(strings.NewReader(tc.in), syntax.Options{})
			if want := "<s:s> <http://e.org/p> \"é\" .\n"; got != want || errs != nil {
				t.Errorf("got %s%q, want %s", got, errs, want)
			}
		})
	}
}

// Labels of the document never collide with generated ones, and an rdf:nodeID that is not a valid label gets
// one.
func TestLabels(t *testing.T) {
	got, _ := read(strings.NewReader(doc(`<rdf:Description rdf:nodeID="genid1"><e:p><rdf:Description/></e:p><e:q rdf:nodeID="a."/></rdf:Description>`)), syntax.Options{})
	want := "_:xgenid1 <http://e.org/p> _:genid1 .\n_:xgenid1 <http://e.org/q> _:genid2 .\n"
	if got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// XML that is not well-formed ends the sequence in both modes.
func TestNotWellFormed(t *testing.T) {
	for _, tc := range []struct{ name, in, want string }{
		{"an element not closed", doc("<e:C>"), "</rdf:RDF>"},
		{"the end", "<e xmlns='u:v'>", "not closed"},
		{"nothing", " ", "no element"},
		{"two roots", doc("") + doc(""), "second root"},
		{"text behind the root", doc("") + "x", "outside"},
		{"a prefix not declared", "<f:C/>", "f is not declared"},
		{"an attribute twice", doc(`<e:C e:p="1" e:p="2"/>`), "twice"},
		{"the same under two prefixes", doc(`<e:C xmlns:f="http://e.org/" e:p="1" f:p="2"/>`), "twice"},
		{"a tag that does not end", doc(`<e:C e:p="1" <`), "does not end"},
		{"no quotes", doc(`<e:C e:p=1/>`), "no attribute"},
		{"a control character", doc("<e:C>\x01</e:C>"), "control"},
		{"not UTF-8", doc("<e:C>\xff</e:C>"), "UTF-8"},
		{"an entity outside", `<!DOCTYPE e [<!ENTITY x SYSTEM "/etc/passwd">]>` + doc("<e:C>&x;</e:C>"), "outside of the document"},
		{"an entity in a circle", `<!DOCTYPE e [<!ENTITY x "&y;"><!ENTITY y "&x;">]>` + doc("<e:C>&x;</e:C>"), "not declared before"},
		{"a comment that does not end", doc("<!--"), "missing"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			for _, lenient := range []bool{false, true} {
				_, errs := read(strings.NewReader(tc.in), syntax.Options{Lenient: lenient})
				if !strings.Contains(strings.Join(errs, "\n"), tc.want) {
					t.Errorf("lenient %v: %q, want one with %q", lenient, errs, tc.want)
				}
			}
		})
	}
}

func TestLenient(t *testing.T) {
	for _, tc := range []struct{ name, bad string }{
		{"an rdf:ID that is no name", `<e:C rdf:ID="1a"/>`},
		{"an rdf:ID that stands twice", `<e:C rdf:ID="x"/><e:C rdf:ID="x"/>`},
		{"an attribute without namespace", `<e:C p="1"/>`},
		{"a withdrawn attribute", `<e:C rdf:bagID="b"/>`},
		{"a space in an IRI", `<e:C rdf:about="http://a b/"/>`},
		{"text between nodes", `text`},
		{"an element that is no node", `<rdf:li><e:C/></rdf:li>`},
		{"an element that is no property", `<e:C><rdf:Description><e:C/></rdf:Description></e:C>`},
		{"two elements in a property", `<e:C><e:p><e:C/><e:C/></e:p></e:C>`},
		{"a namespace that is no IRI", `<f:C xmlns:f="f"/>`},
		{"a property of such", `<e:C><f:p xmlns:f="f "><e:C/></f:p></e:C>`},
		{"a datatype that is relative", `<e:C xml:base=""><e:p rdf:datatype="http://e.org/ t">1</e:p></e:C>`},
		{"a triple term of two statements", `<e:C><e:p rdf:version="1.2" rdf:parseType="Triple"><e:C e:p="1"/></e:p></e:C>`},
		{"a triple term of no statement", `<e:C><e:p rdf:version="1.2" rdf:parseType="Triple"/></e:C>`},
		{"an annotation of a node", `<e:C rdf:annotation="http://e.org/r"/>`},
		{"two annotations", `<e:C><e:p rdf:annotation="http://e.org/r" rdf:annotationNodeID="r">1</e:p></e:C>`},
		{"triple terms nested too deep", `<e:C rdf:version="1.2">` + strings.Repeat(`<e:p rdf:parseType="Triple"><rdf:Description>`, 65) + "<e:p>1</e:p>" + strings.Repeat("</rdf:Description></e:p>", 65) + "</e:C>"},
		{"a node whose prefix is not declared", `<u:C e:p="1"><e:p>2</e:p></u:C>`},
		{"a property of such", `<e:C><u:p>1</u:p></e:C>`},
		{"an attribute of such", `<e:C u:about="http://e.org/a"/>`},
		{"a datatype of such", `<e:C><e:p u:datatype="http://e.org/a">1</e:p></e:C>`},
		{"one within an XML literal", `<e:C><e:p rdf:parseType="Literal"><u:b/></e:p></e:C>`},
		{"an attribute twice", `<e:C e:p="1" e:p="2"/>`},
		{"a tag in an attribute", `<e:C e:p="<b>"/>`},
		{"a control character", "<e:C><e:p>a\x01b\x02</e:p></e:C>"},
		{"a control character in an attribute", "<e:C e:p=\"a\x01b\"/>"},
		{"bytes that are not UTF-8", "<e:C><e:p>a\xff</e:p></e:C>"},
		{"an entity not declared", `<e:C><e:p>a&nbsp;b</e:p></e:C>`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			in := doc("\n" + tc.bad + `<e:Last rdf:about="s:s"/>`)
			opts := syntax.Options{Name: "d", Base: "http://b.org/"}
			if _, errs := read(strings.NewReader(in), opts); len(errs) != 1 || !strings.HasPrefix(errs[0], "d:2:") && tc.name != "text between nodes" {
				t.Errorf("strict: %q, want one error in line 2", errs)
			}
			opts.Lenient = true
			got, errs := read(strings.NewReader(in), opts)
			if len(errs) != 1 || !strings.HasSuffix(got, "<http://e.org/Last> .\n") {
				t.Errorf("lenient: %s%q", got, errs)
			}
		})
	}
}

// Hostile input causes an error, not a crash. A lenient reader leaves an entity that is too long as it is written.
func TestLimits(t *testing.T) {
	laughs := `<!DOCTYPE e [<!ENTITY a0 "` + strings.Repeat("ha", 1000) + `">`
	for i := range 20 {
		laughs += fmt.Sprintf(`<!ENTITY a%d "%s">`, i+1, strings.Repeat(fmt.Sprintf("&a%d;", i), 10))
	}
	long := `<!DOCTYPE e [<!ENTITY a "` + strings.Repeat("h", 60000) + `">]>`
	many := doc(`<rdf:Description>` + strings.Repeat("<e:p>&a;</e:p>", 100000) + `</rdf:Description>`)
	for _, tc := range []struct{ name, in string }{
		{"billion laughs", laughs + "]>" + doc("<e:C><e:p>&a20;</e:p></e:C>")},
		{"a long entity, often", long + many},
		{"deep elements", doc(strings.Repeat("<e:C><e:p>", 100000))},
		{"a deep literal", doc(`<e:C><e:p rdf:parseType="Literal">` + strings.Repeat("<a>", 100000))},
		{"a long text", doc("<e:C><e:p>" + strings.Repeat("a", 1<<20))},
		{"a long literal", doc(`<e:C><e:p rdf:parseType="Literal">` + strings.Repeat("<a/>", 100000) + "</e:p></e:C>")},
		{"a long tag", doc("<e:C" + strings.Repeat(" a", 1<<20))},
		{"many attributes", doc("<e:C" + strings.Repeat(` e:a=""`, 2000) + "/>")},
		{"a document type without end", "<!DOCTYPE e [" + strings.Repeat("<!ENTITY a ''>", 100000)},
	} {
		t.Run(tc.name, func(t *testing.T) {
			for _, lenient := range []bool{false, true} {
				quads, err := rdftest.All(rdfxml.Read(strings.NewReader(tc.in), syntax.Options{MaxToken: 200_000, Lenient: lenient}))
				var wrong *syntax.Error
				short := !slices.ContainsFunc(quads, func(q rdf.Triple) bool { return len(q.O.Value) > 100 })
				left := lenient && tc.name == "billion laughs" && err == nil && len(quads) == 2 && short // its name stands as it is written
				if !errors.As(err, &wrong) && !left {
					t.Errorf("lenient %v: %v, want a *syntax.Error", lenient, err)
				}
			}
		})
	}
}

func TestReadingFails(t *testing.T) {
	in := io.MultiReader(strings.NewReader("<a xmlns='u:v'><b>text"), iotest.ErrReader(io.ErrUnexpectedEOF))
	if _, err := rdftest.All(rdfxml.Read(in, syntax.Options{Lenient: true})); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("error %v", err)
	}
}

func TestStop(t *testing.T) {
	n := 0
	for range rdfxml.Read(strings.NewReader(doc(`<e:C><e:p rdf:parseType="Collection"><e:C/><e:C/></e:p></e:C>`)), syntax.Options{}) {
		if n++; n == 3 {
			break
		}
	}
	if n != 3 {
		t.Errorf("%d triples, want 3", n)
	}
}

// dbpedia returns the DBpedia ontology of the test data.
func dbpedia(t testing.TB) []byte {
	f, err := os.Open(realdata.File(t, "ontologies/dbpedia-3.9.owl.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestOntology(t *testing.T) {
	classes := map[rdf.Term]bool{}
	data := dbpedia(t)
	for _, triple := range rdftest.Collect(t, rdfxml.Read(bytes.NewReader(data), syntax.Options{Name: "dbpedia"})) {
		if triple.O.Value == "http://www.w3.org/2002/07/owl#Class" {
			classes[triple.S] = true
		}
	}
	if want := bytes.Count(data, []byte("<owl:Class ")); len(classes) == 0 || len(classes) > want {
		t.Errorf("%d classes of at most %d", len(classes), want)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(doc(`<e:C rdf:ID="a" e:p="x"><rdf:li xml:lang="en">t&amp;</rdf:li><e:p rdf:parseType="Collection"><e:C/></e:p></e:C>`)))
	f.Add([]byte(doc(`<e:C rdf:version="1.2" xml:lang="ar" xmlns:i="http://www.w3.org/2005/11/its" i:dir="rtl"><e:p rdf:annotation="r" rdf:parseType="Triple"><e:C rdf:nodeID="n"/></e:p><e:p rdf:annotationNodeID="n">1</e:p></e:C>`)))
	f.Add([]byte(`<?xml version="1.0"?><!DOCTYPE e [<!ENTITY a "b&#38;">]>` + doc(`<e:C xml:base="../x"><e:p rdf:parseType="Literal"><a b="&a;"/></e:p></e:C>`)))
	f.Fuzz(func(t *testing.T, data []byte) {
		opts := syntax.Options{Base: "http://b.org/a/b", MaxToken: 2000, MaxDepth: 10}
		for _, opts.Lenient = range []bool{false, true} {
			whole, errs := read(bytes.NewReader(data), opts)
			for _, in := range []io.Reader{iotest.OneByteReader(bytes.NewReader(data)), iotest.HalfReader(bytes.NewReader(data))} {
				if got, gotErrs := read(in, opts); got != whole || !slices.Equal(gotErrs, errs) {
					t.Fatalf("in pieces:\n%s%q\nwhole:\n%s%q", got, gotErrs, whole, errs)
				}
			}
			again, err := rdftest.All(ntriples.Read(strings.NewReader(whole), syntax.Options{}))
			var b []byte
			for _, triple := range again {
				b = ntriples.AppendTriple(b, triple)
			}
			if err != nil || string(b) != whole {
				t.Fatalf("%q, read as N-Triples, is %q, %v", whole, b, err)
			}
		}
	})
}

func BenchmarkRead(b *testing.B) {
	data := dbpedia(b)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		for _, err := range rdfxml.Read(bytes.NewReader(data), syntax.Options{}) {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
}
