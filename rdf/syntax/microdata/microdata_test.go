package microdata_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"orbweaver/rdf"
	"orbweaver/rdf/rdftest"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/microdata"
	"orbweaver/rdf/syntax/ntriples"
	"orbweaver/rdf/syntax/turtle"
)

const (
	rdfType  = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
	prefixes = "@base <http://e.org/d/page> . @prefix s: <http://schema.org/> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .\n"
)

// read reads a page of http://e.org/d/page strictly.
func read(page string) ([]rdf.Triple, error) {
	opts := microdata.Options{Options: syntax.Options{Base: "http://e.org/d/page"}}
	return rdftest.All(microdata.Read(strings.NewReader(page), opts))
}

// thing wraps markup in an item of schema.org.
func thing(markup string) string {
	return `<div itemscope itemtype="http://schema.org/Thing">` + markup + `</div>`
}

func TestValues(t *testing.T) {
	for _, tc := range []struct{ name, markup, want string }{
		{"text, space and all", `<b itemprop=p> a <i>b</i></b>`, `" a b"`},
		{"without scripts and styles", `<p itemprop=p>a<script>b</script><style>c</style><template>d</template>e</p>`, `"ae"`},
		{"of a language", `<p lang=de><b itemprop=p>a</b></p>`, `"a"@de`},
		{"the nearest language counts", `<p lang=de><b lang="" itemprop=p>a</b></p>`, `"a"`},
		{"what is no language", `<p lang=en_US><b itemprop=p>a</b></p>`, `"a"`},
		{"the page's language", `<meta http-equiv=Content-Language content=fr><b itemprop=p>a</b>`, `"a"@fr`},
		{"content of a <meta>", `<meta itemprop=p content=" a">`, `" a"`},
		{"content of anything", `<b itemprop=p content=9.99>€ 9,99</b>`, `"9.99"`},
		{"href", `<a itemprop=p href="../x y?q=[1]&r={}">z</a>`, `<http://e.org/x%20y?q=[1]&r=%7B%7D>`},
		{"space around a URL", "<a itemprop=p href='\n a\tb '>z</a>", `<ab>`},
		{"an IRI stays one", `<a itemprop=p href="/ü">z</a>`, `<http://e.org/ü>`},
		{"src before content", `<img itemprop=p src=a content=b>`, `<a>`},
		{"content where there is no src", `<img itemprop=p content=b>`, `"b"`},
		{"text where there is no href", `<a itemprop=p>b</a>`, `"b"`},
		{"nothing", `<img itemprop=p><a itemprop=p> </a><link itemprop=p>`, ``},
		{"data of an object", `<object itemprop=p data=a></object>`, `<a>`},
		{"<base> changes URLs", `<base href="/b/"><a itemprop=p href=a>z</a>`, `<http://e.org/b/a>`},
		{"the first <base> alone", `<base href="/b/"><base href="/c/"><a itemprop=p href=a>z</a>`, `<http://e.org/b/a>`},
		{"an integer", `<data itemprop=p value=-7>x</data>`, `-7`},
		{"a double", `<meter itemprop=p value=7.50>x</meter>`, `"7.50"^^xsd:double`},
		{"no number", `<data itemprop=p value=7a>x</data>`, `"7a"`},
		{"data without a value", `<data itemprop=p>x</data>`, `"x"`},
		{"a date", `<time itemprop=p datetime=2012-02-29>x</time>`, `"2012-02-29"^^xsd:date`},
		{"no such month", `<time itemprop=p datetime=2012-13-01>x</time>`, `"2012-13-01"`},
		{"a time in the text", `<time itemprop=p>12:30:00.5</time>`, `"12:30:00.5"^^xsd:time`},
		{"a time that XML Schema does not know", `<time itemprop=p>12:30</time>`, `"12:30"`},
		{"a moment", `<time itemprop=p datetime="2012-01-02T03:04:05+01:00">x</time>`, `"2012-01-02T03:04:05+01:00"^^xsd:dateTime`},
		{"a month", `<time itemprop=p datetime=2012-01>x</time>`, `"2012-01"^^xsd:gYearMonth`},
		{"a year", `<time itemprop=p datetime=2012>x</time>`, `"2012"^^xsd:gYear`},
		{"a duration", `<time itemprop=p datetime=PT1H30M>x</time>`, `"PT1H30M"^^xsd:duration`},
		{"no duration", `<time itemprop=p datetime=P1DT>x</time>`, `"P1DT"`},
		{"content of a <time>", `<time itemprop=p content=2012>x</time>`, `"2012"^^xsd:gYear`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			want := prefixes + "[] a s:Thing"
			if tc.want != "" {
				want += "; s:p " + tc.want
			}
			same(t, thing(tc.markup), want+" .")
		})
	}
}

// same fails unless a page has the triples of a Turtle document.
func same(t *testing.T, page, want string) {
	t.Helper()
	got, err := read(page)
	if err != nil {
		t.Fatal(err)
	}
	if wanted := rdftest.Collect(t, turtle.Read(strings.NewReader(want), syntax.Options{})); !rdftest.Isomorphic(got, wanted) {
		t.Errorf("got\n%v\nwant\n%v", got, wanted)
	}
}

func TestItems(t *testing.T) {
	for _, tc := range []struct{ name, page, want string }{
		{"several names", thing(`<b itemprop="p q p">a</b>`), `[] a s:Thing; s:p "a"; s:q "a" .`},
		{"a name that is an IRI", thing(`<b itemprop="http://x.org/p">a</b>`), `[] a s:Thing; <http://x.org/p> "a" .`},
		{"a name with what no IRI has", thing(`<b itemprop="a#b%c/d">a</b>`), `[] a s:Thing; <http://schema.org/a%23b%25c/d> "a" .`},
		{"no type at all", `<p itemscope><b itemprop=p>a</b></p>`, `[] <#p> "a" .`},
		{"a type that is not absolute", `<p itemscope itemtype=T><b itemprop=p>a</b></p>`, `[] <#p> "a" .`},
		{"a type without a path", `<p itemscope itemtype="http://x.org"><b itemprop=p>a</b></p>`, `[] a <http://x.org>; <http://x.org#p> "a" .`},
		{"a type of a URN", `<p itemscope itemtype="urn:x:T"><b itemprop=p>a</b></p>`, `[] a <urn:x:T>; <urn:x:T#p> "a" .`},
		{"a type with a query", `<p itemscope itemtype="http://x.org/a/T?b=/c"><b itemprop=p>a</b></p>`, `[] a <http://x.org/a/T?b=/c>; <http://x.org/a/p> "a" .`},
		{"a registered prefix without an end", `<p itemscope itemtype="http://microformats.org/profile/hcard#x"><b itemprop=fn>a</b></p>`,
			`[] a <http://microformats.org/profile/hcard#x>; <http://microformats.org/profile/hcard#fn> "a" .`},
		{"schema.org by https has its rules", `<p itemscope itemtype="https://schema.org/T"><link itemprop=additionalType href="http://x.org/U">`,
			`[] a <https://schema.org/T>, <http://x.org/U>; <https://schema.org/additionalType> <http://x.org/U> .`},
		{"an itemid", `<p itemscope itemid=" x"><b itemprop=p>a</b></p>`, `<x> <#p> "a" .`},
		{"an itemid that is empty", `<p itemscope itemid=" "><b itemprop=p>a</b></p>`, `[] <#p> "a" .`},
		{"a value", thing(`<p itemprop=p itemscope><b itemprop=q>a</b></p>`), `[] a s:Thing; s:p [ s:q "a" ] .`},
		{"a property of nothing", `<b itemprop=p>a</b><p itemprop=q itemscope itemtype="http://schema.org/Thing"></p>`, ``},
		{"an item in an item that is no value", thing(`<p itemscope><b itemprop=p>a</b></p>`), `[] a s:Thing. [] <#p> "a" .`},
		{"a template is not there", `<template>` + thing(`<b itemprop=p>a</b>`) + `</template>`, ``},
		{"one value of two items, named by each", `<p itemscope itemtype="http://x.org/A" itemref=i></p><p itemscope itemtype="http://y.org/B" itemref=i></p>` +
			`<p id=i itemprop=p itemscope><b itemprop=q>a</b></p>`,
			`[] a <http://x.org/A>; <http://x.org/p> _:v . [] a <http://y.org/B>; <http://y.org/p> _:v . _:v <http://x.org/q> "a"; <http://y.org/q> "a" .`},
		{"the second of an ID is not meant", thing(``) + `<p itemscope itemref="i j i"></p><b id=i itemprop=p>a</b><b id=i itemprop=p>b</b>`,
			`[] a s:Thing. [] <#p> "a" .`},
		{"reverse", thing(`<a itemprop-reverse=p href=x></a>`), `<x> s:p [ a s:Thing ] .`},
		{"a literal in reverse is ignored", thing(`<b itemprop-reverse=p>a</b>`), `[] a s:Thing .`},
	} {
		t.Run(tc.name, func(t *testing.T) { same(t, tc.page, prefixes+tc.want) })
	}
}

func TestPlain(t *testing.T) {
	opts := microdata.Options{Options: syntax.Options{Base: "http://e.org/"}, Plain: true}
	page := thing(`<link itemprop=additionalType href=/x>`)
	if got := rdftest.Collect(t, microdata.Read(strings.NewReader(page), opts)); len(got) != 2 {
		t.Errorf("got %v", got)
	}
}

func TestMistakes(t *testing.T) {
	deep := `<div itemscope>` + strings.Repeat(`<div itemprop=p itemscope>`, 300)
	for _, tc := range []struct {
		name, page, base, want string
		triples                int // in lenient mode
	}{
		{"a circle", `<p itemscope itemref=a></p><p id=a itemprop=p itemscope itemref=b></p><p id=b itemprop=q itemscope itemref=a></p>`,
			"http://e.org/", `<p id="a" itemprop="p" itemscope itemref="b">: an item is a value of itself`, 3},
		{"itemref into the item", `<p itemscope itemref=a><b id=a itemprop=p>x</b></p>`, "http://e.org/", "itemref leads twice", 1},
		{"too deep", deep, "http://e.org/", "items nested too deep", 255},
		{"a URL without a base", thing(`<a itemprop=p href=a>b</a>`), "", "relative IRI without a base", 1},
		{"a name without a base", `<p itemscope><b itemprop=p>a</b></p>`, "", "relative IRI without a base", 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			opts := microdata.Options{Options: syntax.Options{Base: tc.base, Name: "page"}}
			_, err := rdftest.All(microdata.Read(strings.NewReader(tc.page), opts))
			var wrong *syntax.Error
			if !errors.As(err, &wrong) || !strings.Contains(err.Error(), "page:1:1: <") {
				t.Errorf("error is %v", err)
			}
			var reported []string
			opts.Lenient, opts.OnError = true, func(err error) { reported = append(reported, err.Error()) }
			got := rdftest.Collect(t, microdata.Read(strings.NewReader(tc.page), opts))
			if len(got) != tc.triples || len(reported) == 0 || !strings.Contains(reported[0], tc.want) {
				t.Errorf("%d triples, want %d; reported %q", len(got), tc.triples, reported)
			}
		})
	}
}

func TestLimits(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	for _, tc := range []struct{ name, page, want string }{
		{"itemref to many elements from many items", strings.Repeat(`<p itemscope itemref=a></p>`, 2500) + `<div id=a>` + strings.Repeat("<br>", 2500), "itemref leads to more than"},
		{"one text for many items", strings.Repeat(`<p itemscope itemref=a></p>`, 100) + `<p id=a itemprop=p>` + long, "items say more than"},
		{"elements too deep", `<p itemscope>` + strings.Repeat("<div>", 1000), "512"},
		{"tags", `<p itemscope>` + strings.Repeat("<p>", 1<<18), "tags"},
		{"bytes", `<p itemscope>` + strings.Repeat(long, 17), "bytes"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			opts := microdata.Options{Options: syntax.Options{Base: "http://e.org/", Lenient: true}}
			_, err := rdftest.All(microdata.Read(strings.NewReader(tc.page), opts))
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("error is %v", err)
			}
		})
	}
}

func TestStopsWhenAsked(t *testing.T) {
	opts := microdata.Options{Options: syntax.Options{Base: "http://e.org/"}}
	for range microdata.Read(strings.NewReader(thing(strings.Repeat(`<b itemprop=p>a</b>`, 9))), opts) {
		break
	}
}

func TestReadingFails(t *testing.T) {
	failure := errors.New("line is cut")
	_, err := rdftest.All(microdata.Read(broken{failure}, microdata.Options{}))
	if !errors.Is(err, failure) {
		t.Errorf("error is %v", err)
	}
}

type broken struct{ err error }

func (b broken) Read([]byte) (int, error) { return 0, b.err }

func TestMentions(t *testing.T) {
	for page, want := range map[string]bool{
		"<p itemscope>": true, "<p ITEMSCOPE=''>": true, "<P itemScoPe": true,
		"": false, "p": false, "itemscop": false, "temscope": false, "pppitemscopitem": false,
	} {
		if microdata.Mentions([]byte(page)) != want {
			t.Errorf("Mentions(%q) is %v", page, !want)
		}
	}
}

// FuzzRead: no page causes a panic, the triples survive a round trip, and reading is deterministic.
func FuzzRead(f *testing.F) {
	f.Add(thing(`<a itemprop="p q" href="x y">b</a><time itemprop=r>2012-01-01</time><b itemprop-reverse=u itemscope itemid=z></b>`))
	f.Add(`<base href="//x/"><p itemscope itemref="a b"></p><table id=a><td itemprop=p itemscope itemref=b lang=en><b id=b itemprop=q>x`)
	f.Add(`<body itemscope><svg itemprop=a><title><b itemprop=b><a><a><template><i itemprop=c></svg><meta itemprop=d content=&#1;>`)
	f.Fuzz(func(t *testing.T, page string) {
		opts := microdata.Options{Options: syntax.Options{Base: "http://e.org/d/page", Lenient: true}}
		got, err := rdftest.All(microdata.Read(strings.NewReader(page), opts))
		again, _ := rdftest.All(microdata.Read(strings.NewReader(page), opts))
		if !slices.Equal(got, again) {
			t.Fatalf("first\n%v\nthen\n%v", got, again)
		}
		var lines []byte
		for _, triple := range got {
			lines = ntriples.AppendTriple(lines, triple)
		}
		back, err2 := rdftest.All(ntriples.Read(strings.NewReader(string(lines)), syntax.Options{}))
		if err2 != nil || len(back) != len(got) {
			t.Fatalf("%v (%v)\n%s", err2, err, lines)
		}
	})
}

// recipe returns a page of about 20 kB, optionally with the data of a recipe.
func recipe(data bool) string {
	var page strings.Builder
	page.WriteString(`<!DOCTYPE html><html lang=en><head><title>Soup</title></head><body>`)
	scope, prop := "class", "class"
	if data {
		scope, prop = `itemscope itemtype="http://schema.org/Recipe" class`, "itemprop"
	}
	fmt.Fprintf(&page, `<div %s="recipe"><h1 %s="name">Soup</h1>`, scope, prop)
	for i := range 20 {
		fmt.Fprintf(&page, `<li %s="recipeIngredient">%d g of carrots</li>`, prop, i)
	}
	fmt.Fprintf(&page, `<time %s="totalTime" datetime="PT1H">an hour</time><img %s="image" src="/soup.jpg">`, prop, prop)
	for i := 0; page.Len() < 20_000; i++ {
		fmt.Fprintf(&page, `<div class="row"><p>Paragraph %d with <a href="/page/%d">a <b>link</b></a> and some more words.</p></div>`, i, i)
	}
	return page.String() + `</div></body></html>`
}

func BenchmarkRead(b *testing.B) {
	for _, bc := range []struct {
		name string
		data bool
	}{{"with", true}, {"without", false}} {
		page := recipe(bc.data)
		opts := microdata.Options{Options: syntax.Options{Base: "http://e.org/"}}
		b.Run(bc.name, func(b *testing.B) {
			b.SetBytes(int64(len(page)))
			b.ReportAllocs()
			for b.Loop() {
				for _, err := range microdata.Read(strings.NewReader(page), opts) {
					if err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}
