package opengraph_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"orbweaver/rdf"
	"orbweaver/rdf/rdftest"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/ntriples"
	"orbweaver/rdf/syntax/opengraph"
	"orbweaver/rdf/syntax/turtle"
)

const prefixes = `@base <http://e.org/d/page> . @prefix og: <http://ogp.me/ns#> . @prefix article: <http://ogp.me/ns/article#> .
@prefix book: <http://ogp.me/ns/book#> . @prefix tw: <https://dev.twitter.com/cards#> .
`

func TestRead(t *testing.T) {
	for _, tc := range []struct{ name, page, want string }{
		{"a title", `<meta property="og:title" content=" A &amp; B ">`, `<> og:title "A & B" .`},
		{"name is as good as property", `<meta name="og:title" content="A">`, `<> og:title "A" .`},
		{"property comes first", `<meta name="description" property="og:title" content="A">`, `<> og:title "A" .`},
		{"several", `<meta property="og:title tw:x  twitter:title" content="A">`, `<> og:title "A"; tw:title "A" .`},
		{"a prefix in capitals", `<META PROPERTY="OG:title" CONTENT="A">`, `<> og:title "A" .`},
		{"structured ones are flat", `<meta property="og:image" content="/a.png"><meta property="og:image:width" content="7">`,
			`<> og:image </a.png>; <http://ogp.me/ns#image:width> "7" .`},
		{"a URL with a space", `<meta property="og:url" content="a b">`, `<> og:url <a%20b> .`},
		{"what no IRI can be", `<meta property="og:url" content="a{b}">`, `<> og:url "a{b}" .`},
		{"a <base>, the first", `<base target=x><base href="/b/"><base href="/c/"><meta property="og:url" content="a">`, `<> og:url </b/a> .`},
		{"an author's page", `<meta property="article:author" content="https://x.org/a">`, `<> article:author <https://x.org/a> .`},
		{"an author's name", `<meta property="article:author" content="Ann">`, `<> article:author "Ann" .`},
		{"a card", `<meta name="twitter:card" content="summary"><meta name="twitter:image:src" content="a.png">`,
			`<> tw:card "summary"; <https://dev.twitter.com/cards#image:src> <a.png> .`},
		{"anywhere in the page", `<body><p><meta property="og:title" content="A"></p>`, `<> og:title "A" .`},
		{"not in a comment or script", `<!-- <meta property="og:title" content="A"> --><script>'<meta property="og:title" content="A">'</script>`, ``},
		{"nothing said", `<meta property="og:title" content=" "><meta property="og:title"><meta content=A><meta property="og:" content=A><meta>`, ``},
		{"other prefixes", `<meta property="x:title" content="A"><meta name=title content=A>`, ``},
		{"a name that no IRI has", `<meta property="og:{" content="A">`, ``},
		{"no more names than a tag may have", `<meta property="` + strings.Repeat("x:y ", 16) + ` og:title" content="A">`, ``},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := rdftest.Collect(t, opengraph.Read(strings.NewReader(tc.page), syntax.Options{Base: "http://e.org/d/page"}))
			want := rdftest.Collect(t, turtle.Read(strings.NewReader(prefixes+tc.want), syntax.Options{}))
			if !rdftest.Isomorphic(got, want) {
				t.Errorf("got\n%v\nwant\n%v", got, want)
			}
		})
	}
}

func TestErrors(t *testing.T) {
	failure := errors.New("line is cut")
	for _, tc := range []struct {
		name string
		opts syntax.Options
		want string
	}{
		{"no base", syntax.Options{Name: "page"}, "page:1:1: base: <> has no scheme"},
		{"a tag that is too long", syntax.Options{Base: "http://e.org/", MaxToken: 5000}, "http://e.org/:2:4: a tag or text is too long"},
		{"reading fails", syntax.Options{Base: "http://e.org/"}, "http://e.org/:2:4: reading: line is cut"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			page := "<p>\n<b><a href='" + strings.Repeat("x", 20_000)
			_, err := rdftest.All(opengraph.Read(&broken{strings.NewReader(page), failure}, tc.opts))
			if err == nil || err.Error() != tc.want {
				t.Errorf("error is %v, want %s", err, tc.want)
			}
		})
	}
}

// broken is a reader that fails at its end.
type broken struct {
	*strings.Reader
	err error
}

func (b *broken) Read(p []byte) (int, error) {
	if n, err := b.Reader.Read(p); err == nil {
		return n, nil
	}
	return 0, b.err
}

func TestStopsWhenAsked(t *testing.T) {
	page := strings.Repeat(`<meta property="og:title" content="A">`, 9)
	for range opengraph.Read(strings.NewReader(page), syntax.Options{Base: "http://e.org/"}) {
		break
	}
}

// TestSamples: the properties of the samples' expected output are found, in order. The output lacks those of
// Facebook and Twitter.
func TestSamples(t *testing.T) {
	files := map[string][]byte{}
	for _, f := range rdftest.Archive(t, "extruct-samples.tar.gz", "extruct/tests/samples/misc/opengraph") {
		files[strings.TrimPrefix(f.Name, "extruct/tests/samples/misc/")] = f.Data
	}
	for _, name := range []string{"opengraph_test", "opengraph_ns_product_test"} {
		t.Run(name, func(t *testing.T) {
			var expected []struct{ Properties [][2]string }
			if err := json.Unmarshal(files[name+".json"], &expected); err != nil {
				t.Fatal(err)
			}
			var got [][2]string
			for _, triple := range rdftest.Collect(t, opengraph.Read(bytes.NewReader(files[name+".html"]), syntax.Options{Base: "http://e.org/"})) {
				name := strings.TrimPrefix(triple.P.Value, "http://ogp.me/ns")
				name = strings.Replace(strings.TrimPrefix(name, "/"), "#", ":", 1)
				if strings.HasPrefix(name, ":") {
					name = "og" + name
				}
				if !strings.HasPrefix(name, "fb:") && !strings.HasPrefix(name, "http") {
					got = append(got, [2]string{name, triple.O.Value})
				}
			}
			if !slices.Equal(got, expected[0].Properties) {
				t.Errorf("got\n%q\nwant\n%q", got, expected[0].Properties)
			}
		})
	}
}

// TestPages: all recipe pages can be read, and nearly all of them have a title.
func TestPages(t *testing.T) {
	pages, titles, triples := 0, 0, 0
	for _, f := range rdftest.Archive(t, "recipe-pages.tar.gz", "") {
		if !strings.HasSuffix(f.Name, "html") {
			continue
		}
		pages++
		got := rdftest.Collect(t, opengraph.Read(bytes.NewReader(f.Data), syntax.Options{Base: "http://e.org/"}))
		triples += len(got)
		if slices.ContainsFunc(got, func(t rdf.Triple) bool { return t.P.Value == "http://ogp.me/ns#title" }) {
			titles++
		}
		if written := bytes.Contains(f.Data, []byte(`"og:title"`)); written && len(got) == 0 {
			t.Errorf("%s: nothing found", f.Name)
		}
	}
	if pages < 100 || titles < 80 {
		t.Errorf("%d titles on %d pages", titles, pages)
	}
	t.Logf("%d triples, %d titles on %d pages", triples, titles, pages)
}

// FuzzRead: no page causes a panic, and the triples survive a round trip.
func FuzzRead(f *testing.F) {
	f.Add(`<base href=a><meta property="og:image og:url" content="x y"><meta name=twitter:card content=b>`)
	f.Add("<script><meta property=og:url content='//[x'></script><svg><meta name=article:author content='http://\x01'>")
	f.Fuzz(func(t *testing.T, page string) {
		got, err := rdftest.All(opengraph.Read(strings.NewReader(page), syntax.Options{Base: "http://e.org/d/page"}))
		if err != nil {
			t.Fatal(err)
		}
		var lines []byte
		for _, triple := range got {
			lines = ntriples.AppendTriple(lines, triple)
		}
		back, err := rdftest.All(ntriples.Read(strings.NewReader(string(lines)), syntax.Options{}))
		if err != nil || len(back) != len(got) {
			t.Fatalf("%v\n%s", err, lines)
		}
	})
}

func BenchmarkRead(b *testing.B) {
	var page strings.Builder
	page.WriteString(`<!DOCTYPE html><html><head><meta charset=utf-8>`)
	for _, name := range []string{"title", "type", "url", "image", "image:width", "image:height", "site_name", "description"} {
		fmt.Fprintf(&page, `<meta property="og:%s" content="/value/of/%s">`, name, name)
	}
	for i := 0; page.Len() < 20_000; i++ {
		fmt.Fprintf(&page, `<div class="row"><p>Paragraph with <a href="/page/%d">a <b>link</b></a> and some more words.</p></div>`, i)
	}
	b.SetBytes(int64(page.Len()))
	b.ReportAllocs()
	for b.Loop() {
		for _, err := range opengraph.Read(strings.NewReader(page.String()), syntax.Options{Base: "http://e.org/"}) {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
}
