package rdfa_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"orbweaver/rdf"
	"orbweaver/rdf/iri"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/rdfa"
)

// FuzzRead: reading any page terminates, is deterministic, and gives valid RDF.
func FuzzRead(f *testing.F) {
	f.Add(article(true), uint8(0))
	for host := range uint8(5) {
		f.Add(`<html prefix="a: http://e.org/"><base href="/b"/><p property="a:b" about="_:x" typeof="a:C" lang="en">x<b rel="a:d"><i inlist="" rel="a:e" href="#y"/></b></p></html>`, host)
		f.Add(`<p property="og:a" datatype="rdf:XMLLiteral">x<b xmlns:a="b">&amp;</b><a><p></a></p></p><time property="og:b">P1D</time>`, host)
		f.Add(`<p resource="_:a" typeof="rdfa:Pattern"><a property="rdfa:copy" href="_:a"/></p><table><tr><td><svg><title/></svg>`, host)
	}
	f.Fuzz(func(t *testing.T, page string, host uint8) {
		opts := rdfa.Options{
			Options: syntax.Options{Base: "http://e.org/page", Lenient: true}, Host: rdfa.Host(host % 5), Roles: host&8 != 0,
			ReportGraph: host&16 != 0, Vocabularies: func(v string) []rdf.Triple {
				return []rdf.Triple{{S: rdf.NewIRI(v + "a"), P: rdf.NewIRI("http://www.w3.org/2000/01/rdf-schema#subPropertyOf"), O: rdf.NewIRI(v + "b")}}
			},
		}
		var first []rdf.Triple
		for triple, err := range rdfa.Read(strings.NewReader(page), opts) {
			if err != nil {
				t.Fatal(err)
			}
			check(t, triple)
			first = append(first, triple)
		}
		i := 0
		for triple := range rdfa.Read(strings.NewReader(page), opts) {
			if i >= len(first) || first[i] != triple {
				t.Fatalf("triple %d is another the second time", i)
			}
			i++
		}
		if data := opts.Host != rdfa.XHTML1 && !opts.Roles && !opts.ReportGraph; data && len(first) > 0 && utf8.ValidString(page) && !rdfa.Mentions([]byte(page)) {
			t.Fatalf("%v is not mentioned", first[0])
		}
	})
}

// check fails the test for an invalid triple.
func check(t *testing.T, triple rdf.Triple) {
	for i, term := range []rdf.Term{triple.S, triple.P, triple.O} {
		switch {
		case term.Kind == rdf.IRI && iri.Check(term.Value) != nil:
			t.Fatalf("%v: %v", triple, iri.Check(term.Value))
		case term.Kind == rdf.Blank && (i == 1 || term.Value == ""):
			t.Fatalf("a blank node in %v", triple)
		case term.Kind == rdf.Literal && (i < 2 || !utf8.ValidString(term.Value) || (term.Datatype == rdf.LangString) != (term.Lang != "")):
			t.Fatalf("a literal in %v", triple)
		case term.IsZero():
			t.Fatalf("no term in %v", triple)
		}
	}
}
