package microformats_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"orbweaver/rdf/rdftest"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/microformats"
	"orbweaver/rdf/syntax/ntriples"
	"orbweaver/rdf/syntax/turtle"
)

const prefixes = "@base <http://e.org/d/page> . @prefix : <http://microformats.org/profile/> .\n"

func TestRead(t *testing.T) {
	for _, tc := range []struct{ name, page, want string }{
		{"a card by itself", `<a class="h-card" href="/me">Ann</a>`, `[] a :h-card; :name "Ann"; :url </me> .`},
		{"properties of each kind", `<div class=h-entry><b class=p-name>N</b><a class=u-url href=x>x</a>` +
			`<time class=dt-published datetime=2013-06-13>x</time><p class=e-content>a <i>b</i></p></div>`,
			`[] a :h-entry; :name "N"; :url <x>; :published "2013-06-13"; :content "a b" .`},
		{"a URL by its u- alone", `<div class=h-entry><b class="p-name">N</b><a class="u-like-of" href=x>x</a><b class=p-note>http://e.org/x</b></div>`,
			`[] a :h-entry; :name "N"; :like-of <x>; :note "http://e.org/x" .`},
		{"an image has its URL", `<div class=h-card><b class=p-name>N</b><img class=u-photo src=p.png alt=Ann></div>`,
			`[] a :h-card; :name "N"; :photo <p.png> .`},
		{"an item as a value", `<div class=h-entry><b class=p-name>N</b><a class="p-author h-card" href=/a>Ann</a></div>`,
			`[] a :h-entry; :name "N"; :author [ a :h-card; :name "Ann"; :url </a> ] .`},
		{"one value of two properties", `<div class=h-entry><b class=p-name>N</b><a class="p-author p-editor h-card" href=/a>Ann</a></div>`,
			`[] a :h-entry; :name "N"; :author _:a; :editor _:a . _:a a :h-card; :name "Ann"; :url </a> .`},
		{"an item that is no value", `<div class=h-feed><b class=p-name>F</b><p class=h-entry>E</p></div>`,
			`[] a :h-feed; :name "F"; :children [ a :h-entry; :name "E" ] .`},
		{"several types", `<p class="h-card h-adr">A</p>`, `[] a :h-adr, :h-card; :name "A" .`},
		{"an experiment's type", `<p class="h-x-test">A</p>`, `[] a :h-x-test; :name "A" .`},
		{"the height of a box is no type", `<div class="h-full"><p class="h-card h-auto">A</p></div>`, `[] a :h-card; :name "A" .`},
		{"hCard", `<div class=vcard><b class=fn>Ann</b><a class="url photo" href=x>y</a><a class=email href="mailto:a@e.org">z</a></div>`,
			`[] a :h-card; :name "Ann"; :url <x>; :photo <x>; :email <mailto:a@e.org> .`},
		{"a tag by its rel", `<div class=hentry><b class=entry-title>E</b><a rel="tag nofollow" href="/tag/x">y</a></div>`,
			`[] a :h-entry; :name "E"; :category "x" .`},
		{"a <base>", `<base href="/b/"><a class=h-card href=me>Ann</a>`, `[] a :h-card; :name "Ann"; :url </b/me> .`},
		{"a template is not there", `<template><p class=h-card>A</p></template>`, ``},
		{"includes are not followed", `<div class=vcard><b class=fn>Ann</b><p id=x itemref=y><i></i></p><p id=y><i itemref=x></i></p>` +
			`<a class=include href="#x">z</a></div>`, `[] a :h-card; :name "Ann" .`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			opts := syntax.Options{Base: "http://e.org/d/page"}
			got := rdftest.Collect(t, microformats.Read(strings.NewReader(tc.page), opts))
			want := rdftest.Collect(t, turtle.Read(strings.NewReader(prefixes+tc.want), syntax.Options{}))
			if !rdftest.Isomorphic(got, want) {
				t.Errorf("got\n%v\nwant\n%v", got, want)
			}
		})
	}
}

func TestWithoutBase(t *testing.T) {
	page := `<p class=h-card><a class=u-url href="http://x.org/">A</a><a class=u-uid href=b>B</a></p>`
	var lines []byte
	for _, triple := range rdftest.Collect(t, microformats.Read(strings.NewReader(page), syntax.Options{})) {
		lines = ntriples.AppendTriple(lines, triple)
	}
	for _, want := range []string{"<http://x.org/>", `"/b"`} {
		if !strings.Contains(string(lines), want) {
			t.Errorf("no %s in\n%s", want, lines)
		}
	}
}

func TestLimits(t *testing.T) {
	nested := strings.Repeat(`<div class="h-card p-a">`, 300)
	long := strings.Repeat("x", 1<<20)
	for _, tc := range []struct {
		name, page, want string
		lenient          bool
	}{
		{"items too deep", nested, "items nested more than 256 deep", false},
		{"items too deep, of which the rest is read", nested, "", true},
		{"texts copied too often", `<p class=h-card>` + strings.Repeat("<span class=e-a>", 300) + long, "texts of properties within", true},
		{"properties of one element", `<p class=h-card><b class="` + many("e-x", 250) + `">` + long, "texts of properties within", true},
		{"classes without end", `<p class="vcard ` + many("h-x-y", 100_000) + `">` + strings.Repeat(`<b class="fn url">a</b>`, 1000), "", true},
		{"rels without end", `<p class=vcard>` + strings.Repeat("<a rel=tag href=x></a>", 50_000), "", true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			opts := syntax.Options{Base: "http://e.org/", Lenient: tc.lenient}
			got, err := rdftest.All(microformats.Read(strings.NewReader(tc.page), opts))
			if tc.want == "" && (err != nil || len(got) == 0) || tc.want != "" && (err == nil || !strings.Contains(err.Error(), tc.want)) {
				t.Errorf("%d triples, error is %v", len(got), err)
			}
		})
	}
}

// many returns distinct classes.
func many(prefix string, n int) string {
	var s strings.Builder
	for i := range n {
		s.WriteString(" " + prefix + string(rune('a'+i%26)) + string(rune('a'+i/26%26)) + string(rune('a'+i/676%26)) + string(rune('a'+i/17576%26)))
	}
	return s.String()
}

func TestMentions(t *testing.T) {
	for page, want := range map[string]bool{
		"<p class=h-card>": true, "<p class='x vcard'>": true, "<p class=hreview-aggregate>": true, "<p class='geo'>": true, "h-x-a": true,
		"": false, "<p class=h-full>": false, "h-": false, "a vcards geology hentry2 xh-card": false,
	} {
		if microformats.Mentions([]byte(page)) != want {
			t.Errorf("Mentions(%q) is %v", page, !want)
		}
	}
}

// TestSample: on a page with microformats and similar classes of a style sheet, exactly the microformats are
// read.
func TestSample(t *testing.T) {
	files := rdftest.Archive(t, "extruct-samples.tar.gz", "extruct/tests/samples/misc/microformat_test.html")
	if len(files) != 1 {
		t.Fatalf("%d files", len(files))
	}
	got := rdftest.Collect(t, microformats.Read(strings.NewReader(string(files[0].Data)), syntax.Options{Base: "http://e.org/"}))
	want := rdftest.Collect(t, turtle.Read(strings.NewReader(prefixes+`[] a :h-entry; :name "Microformats are amazing";
		:author [ a :h-card; :name "W. Developer"; :url <http://example.com> ]; :content "Blah blah blah";
		:published "2013-06-13 12:00:00"; :summary "In which I extoll the virtues of using microformats." .`), syntax.Options{}))
	if !rdftest.Isomorphic(got, want) {
		t.Errorf("got\n%v\nwant\n%v", got, want)
	}
}

// TestPages: no page of the samples and recipes is rejected.
func TestPages(t *testing.T) {
	files := rdftest.Archive(t, "extruct-samples.tar.gz", "extruct/")
	files = append(files, rdftest.Archive(t, "recipe-pages.tar.gz", "")...)
	pages, triples := 0, 0
	for _, f := range files {
		if !strings.HasSuffix(f.Name, "html") {
			continue
		}
		got, err := rdftest.All(microformats.Read(strings.NewReader(string(f.Data)), syntax.Options{Base: "http://e.org/"}))
		if err != nil {
			t.Errorf("%s: %v", f.Name, err)
		}
		pages += min(1, len(got))
		triples += len(got)
	}
	if pages < 20 {
		t.Errorf("%d triples from %d pages of %d files", triples, pages, len(files))
	}
	t.Logf("%d triples from %d pages of %d files", triples, pages, len(files))
}

// FuzzRead: no page causes a panic, the triples survive a round trip, and reading is deterministic.
func FuzzRead(f *testing.F) {
	f.Add(`<div class="h-entry"><a class="p-author u-x h-card" href="/a">A<img src=b alt=c></a><time class=dt-published>2012-01-01</time><p class=e-content>a<b>c`)
	f.Add(`<div class=vevent><b class=summary>a</b><abbr class=dtstart title=2012-01-01>b</abbr><i class=dtend><b class=value>12:30pm</b></i><td headers=x><p id=x class="hreview item">`)
	f.Add(`<p class="vcard include"><object class=include data="#x"></object><b id=x class="fn org url category" itemref=x rel=tag>`)
	f.Fuzz(func(t *testing.T, page string) {
		opts := syntax.Options{Base: "http://e.org/d/page", Lenient: true}
		got, err := rdftest.All(microformats.Read(strings.NewReader(page), opts))
		again, _ := rdftest.All(microformats.Read(strings.NewReader(page), opts))
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

func BenchmarkRead(b *testing.B) {
	for _, bc := range []struct{ name, entry, title string }{{"with", "h-entry", "p-name"}, {"without", "post", "title"}} {
		var page strings.Builder
		page.WriteString(`<!DOCTYPE html><html><body>`)
		for i := 0; page.Len() < 20_000; i++ {
			fmt.Fprintf(&page, `<div class="%s row"><h2 class="%s">Title %d</h2><p>Paragraph with <a href="/page/%d">a <b>link</b></a> and some more words.</p></div>`,
				bc.entry, bc.title, i, i)
		}
		b.Run(bc.name, func(b *testing.B) {
			b.SetBytes(int64(page.Len()))
			b.ReportAllocs()
			for b.Loop() {
				for _, err := range microformats.Read(strings.NewReader(page.String()), syntax.Options{Base: "http://e.org/"}) {
					if err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}
