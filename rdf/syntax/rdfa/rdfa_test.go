package rdfa_test

import (
	"errors"
	"strings"
	"testing"
	"testing/iotest"

	"orbweaver/rdf"
	"orbweaver/rdf/rdftest"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/rdfa"
)

// read returns a page's triples, one per line, without the page's address and with short names for frequent
// IRIs.
func read(t *testing.T, page string, opts rdfa.Options) string {
	t.Helper()
	if opts.Base == "" {
		opts.Base = "http://e.org/page"
	}
	short := strings.NewReplacer("http://e.org/page", "", "http://schema.org/", "s:", rdfNS, "rdf:", " .\n", "\n")
	return strings.TrimSpace(short.Replace(show(rdftest.Collect(t, rdfa.Read(strings.NewReader(page), opts)))))
}

// TestHTML covers HTML beyond the test suite.
func TestHTML(t *testing.T) {
	for _, tc := range []struct{ name, page, want string }{
		{"Open Graph needs no declaration", `<meta property="og:title" content="A">`, `<> <http://ogp.me/ns#title> "A"`},
		{"nothing is about the page", `<p typeof="foaf:Person">`, `_:genid1 <rdf:type> <http://xmlns.com/foaf/0.1/Person>`},
		{"a fragment has a root all the same", `<p vocab="http://schema.org/" property="name">A`,
			"<> <http://www.w3.org/ns/rdfa#usesVocabulary> <s:>\n<> <s:name> \"A\""},
		{"addresses are made IRIs", `<a property="schema:url" href=" a b|c">`, `<> <s:url> <http://e.org/a%20b%7Cc>`},
		{"a base in the middle", `<p resource="a" property="og:a">x</p><BASE HREF="/b/"><base href="/c/">`,
			`<http://e.org/b/> <http://ogp.me/ns#a> <http://e.org/b/a>`},
		{"languages that are none", `<p lang="en_US" property="og:a">x</p>`, `<> <http://ogp.me/ns#a> "x"`},
		{"xml:lang prevails", `<p lang="en" xml:lang="de" property="og:a">x</p>`, `<> <http://ogp.me/ns#a> "x"@de`},
		{"templates are not the page", `<template><p property="og:a">x</p></template><p property="og:b">y<template>z</template></p>`, `<> <http://ogp.me/ns#b> "y"`},
		{"scripts do not run", `<noscript><p property="og:a">x</p></noscript>`, `<> <http://ogp.me/ns#a> "x"`},
		{"a paragraph ends the one before", `<p property="og:a">x<p property="og:a">y<div property="og:a">z`,
			"<> <http://ogp.me/ns#a> \"x\"\n<> <http://ogp.me/ns#a> \"y\"\n<> <http://ogp.me/ns#a> \"z\""},
		{"items end", `<ul><li property="og:a">x<ul><li property="og:a">y</ul>z<li property="og:a">w</ul>`,
			"<> <http://ogp.me/ns#a> \"xyz\"\n<> <http://ogp.me/ns#a> \"y\"\n<> <http://ogp.me/ns#a> \"w\""},
		{"cells end", `<table><tr property="og:r"><td property="og:a">x<td property="og:a">y<tr><th property="og:a">z</table>w`,
			"<> <http://ogp.me/ns#r> \"xy\"\n<> <http://ogp.me/ns#a> \"x\"\n<> <http://ogp.me/ns#a> \"y\"\n<> <http://ogp.me/ns#a> \"z\""},
		{"bold that ends too late", `<div property="og:d"><b property="og:a">x<p>y</b>z</p>w</div>`,
			"<> <http://ogp.me/ns#d> \"xyzw\"\n<> <http://ogp.me/ns#a> \"xyz\""},
		{"a link ends the one before", `<a href="x"><i property="og:a">x<a href="y"><i property="og:a">y`,
			"<http://e.org/x> <http://ogp.me/ns#a> \"x\"\n<http://e.org/y> <http://ogp.me/ns#a> \"y\""},
		{"data go on behind the body", `<body resource="b"></body><p property="og:a">x`, `<http://e.org/b> <http://ogp.me/ns#a> "x"`},
		{"entities and cases", `<P PROPERTY="og:a">&lt;&eacute;&#x41;</P>`, `<> <http://ogp.me/ns#a> "<éA"`},
		{"a line feed that is no text", "<pre property='og:a'>\nx\n</pre>", "<> <http://ogp.me/ns#a> \"x\n\""},
		{"the first of two attributes", `<p property="og:a" property="og:b">x</p>`, `<> <http://ogp.me/ns#a> "x"`},
		{"HTML as a value", `<p property="og:a" datatype="rdf:HTML">x<br><b class="c">&amp;</b><script>1<2</script></p>`,
			`<> <http://ogp.me/ns#a> "x<br><b class="c">&amp;</b><script>1<2</script>"^^rdf:HTML`},
		{"XML as a value", `<p property="og:a" datatype="rdf:XMLLiteral">x<br><svg xmlns="u:s" xmlns:f="u:f"/>`,
			`<> <http://ogp.me/ns#a> "x<br xmlns="http://www.w3.org/1999/xhtml"></br><svg xmlns="u:s" xmlns:f="u:f"></svg>"^^rdf:XMLLiteral`},
		{"lists of two subjects that chain", `<p resource="#s"><i rel="og:q" resource="#o"><i property="og:z" inlist>x</i></i></p>`,
			"<#s> <http://ogp.me/ns#q> <#o>\n<#o> <http://ogp.me/ns#z> _:genid1\n_:genid1 <rdf:first> \"x\"\n_:genid1 <rdf:rest> <rdf:nil>"},
		{"labels that are no labels", `<p about="_:a b" property="og:a">x</p><p about="[_:a b]" property="og:a">y</p><p about="_:genid1" property="og:a">z</p>`,
			"_:genid1 <http://ogp.me/ns#a> \"x\"\n_:genid1 <http://ogp.me/ns#a> \"y\"\n_:xgenid1 <http://ogp.me/ns#a> \"z\""},
		{"roles are for screen readers", `<p role="navigation" id="n">x</p>`, ``},
		{"an icon's title is no page's", `<svg><title property="og:a"><b>x</b></title></svg>`, `<> <http://ogp.me/ns#a> "x"`},
		{"rel of HTML's own beside a property", `<a rel="nofollow" property="og:a" href="x">y</a>`, `<> <http://ogp.me/ns#a> <http://e.org/x>`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := read(t, tc.page, rdfa.Options{}); got != tc.want {
				t.Errorf("got\n%s\nwant\n%s", got, tc.want)
			}
		})
	}
}

func TestXML(t *testing.T) {
	for _, tc := range []struct {
		name string
		host rdfa.Host
		page string
		want string
	}{
		{"entities of XHTML", rdfa.XHTML5, `<p property="og:a">&eacute;<![CDATA[<&]]></p>`, `<> <http://ogp.me/ns#a> "é<&"`},
		{"of the page itself", rdfa.XML, `<!DOCTYPE p [<!ENTITY e 'http://e.org/' ><!ENTITY % x "y">]><p property="&e;a">x</p>`, `<> <http://e.org/a> "x"`},
		{"terms of XHTML 1", rdfa.XHTML1, `<a rel="Next" href="x">y</a>`, `<> <http://www.w3.org/1999/xhtml/vocab#next> <http://e.org/x>`},
		{"which others have not", rdfa.XHTML5, `<a rel="Next" href="x">y</a>`, ``},
		{"xml:base", rdfa.SVG, `<svg xml:base="/b/"><a rel="license" href="x"/></svg>`, `<http://e.org/b/> <http://www.w3.org/1999/xhtml/vocab#license> <http://e.org/b/x>`},
		{"which XHTML has not", rdfa.XHTML5, `<p xml:base="/b/"><a rel="license" href="x"/></p>`, `<> <http://www.w3.org/1999/xhtml/vocab#license> <http://e.org/x>`},
		{"another encoding", rdfa.XML, "<?xml version='1.0' encoding='iso-8859-1'?><p property='og:a'>\xe9</p>", `<> <http://ogp.me/ns#a> "é"`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := read(t, tc.page, rdfa.Options{Host: tc.host}); got != tc.want {
				t.Errorf("got\n%s\nwant\n%s", got, tc.want)
			}
		})
	}
}

func TestOptions(t *testing.T) {
	roles := rdfa.Options{Roles: true}
	if got, want := read(t, `<p role="main" id="n">x</p>`, roles), `<#n> <http://www.w3.org/1999/xhtml/vocab#role> <http://www.w3.org/1999/xhtml/vocab#main>`; got != want {
		t.Errorf("roles: %s", got)
	}
	got := read(t, `<p property="a b:c" prefix="og: http://e.org/o#">x</p>`, rdfa.Options{ReportGraph: true})
	for _, want := range []string{"UnresolvedTerm", "PrefixRedefinition", `"a term without a vocabulary: a"`} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
	page := "<p property='og:a'>x\xe9</p><p property='og:b' resource='relative'></p><p about='http://e.org/s' property='og:c'>y</p>"
	graph := rdftest.Collect(t, rdfa.Read(strings.NewReader(page), rdfa.Options{}))
	if got, want := show(graph), "_:genid1 <http://ogp.me/ns#a> \"xé\" .\n_:genid1 <http://ogp.me/ns#b> \"\" .\n<http://e.org/s> <http://ogp.me/ns#c> \"y\" .\n"; got != want {
		t.Errorf("without a base:\n%swant\n%s", got, want)
	}
}

func TestVocabulariesImply(t *testing.T) {
	vocabulary := func(iri string) []rdf.Triple {
		const owl, rdfs = "http://www.w3.org/2002/07/owl#", "http://www.w3.org/2000/01/rdf-schema#"
		says := func(s, p, o string) rdf.Triple {
			return rdf.Triple{S: rdf.NewIRI(iri + s), P: rdf.NewIRI(p), O: rdf.NewIRI(iri + o)}
		}
		return []rdf.Triple{
			says("a", rdfs+"subPropertyOf", "b"), says("b", rdfs+"subPropertyOf", "c"), says("c", rdfs+"subPropertyOf", "a"),
			says("A", rdfs+"subClassOf", "B"), says("C", owl+"equivalentClass", "B"),
		}
	}
	got := read(t, `<p vocab="http://e.org/v#" typeof="A" resource="#x" property="a">x</p>`, rdfa.Options{Vocabularies: vocabulary})
	for _, want := range []string{"<http://e.org/v#b> <#x>", "<http://e.org/v#c> <#x>", "<http://e.org/v#B>", "<http://e.org/v#C>"} {
		if strings.Count(got, want) != 1 {
			t.Errorf("%s is not once in\n%s", want, got)
		}
	}
}

// TestWhatCameBefore: triples before an error are delivered.
func TestWhatCameBefore(t *testing.T) {
	const page = `<p property="og:a">x</p>` + "\n" + `<p property="og:b">y</q>`
	broken := errors.New("broken")
	for _, lenient := range []bool{false, true} {
		var reported error
		opts := syntax.Options{Base: "http://e.org/", Lenient: lenient, OnError: func(err error) { reported = err }}
		graph, err := rdftest.All(rdfa.Read(strings.NewReader("<x>"+page), rdfa.Options{Options: opts, Host: rdfa.XML}))
		var wrong *syntax.Error
		if len(graph) != 2 || errors.As(err, &wrong) == lenient || (reported != nil) != lenient {
			t.Errorf("lenient %v: %d triples, %v, reported %v", lenient, len(graph), err, reported)
		}
		if !lenient && (wrong.Line != 2 || wrong.Name != "http://e.org/") {
			t.Errorf("at %v", wrong)
		}
	}
	_, err := rdftest.All(rdfa.Read(iotest.ErrReader(broken), rdfa.Options{Options: syntax.Options{Lenient: true}}))
	if !errors.Is(err, broken) {
		t.Errorf("ended with %v", err)
	}
	for range rdfa.Read(strings.NewReader(page), rdfa.Options{Options: syntax.Options{Base: "http://e.org/"}}) {
		break
	}
}

func TestMentions(t *testing.T) {
	for page, want := range map[string]bool{
		``:                                      false,
		`<p class="a" itemprop="property">`:     false,
		`<p property="a">`:                      true,
		`<P Property = a>`:                      true,
		"<p class=a typeof\n=b>":                true,
		`<p class="a"vocab=b>`:                  true,
		`<p data-property="a" itemproperty=b>`:  false,
		`<script>a.property = 1</script>`:       false,
		`<a rel="nofollow noopener" href="a:">`: false,
		`<a rel="external License">`:            true,
		`<link rel=dc:source href=x>`:           true,
		`<a rev='dc&#58;source'>`:               true,
		`<a rel=`:                               false,
		`=`:                                     false,
		`<a rel="` + strings.Repeat("x ", 9999): true,
	} {
		if got := rdfa.Mentions([]byte(page)); got != want {
			t.Errorf("Mentions(%.60s) = %v", page, got)
		}
	}
}
