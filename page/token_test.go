package page

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/weburl"
)

func TestTokensAreCutAsBrowsersDo(t *testing.T) {
	for _, tc := range []struct{ name, html, text string }{
		{"a less-than sign is text", "<p>1 < 2 <3 <<p>b", "1 < 2 <3 <\n\nb"},
		{"an end tag without a name is text", "<p>a</>b", "a</>b"},
		{"an end tag of no letter is a comment", "<p>a</ b>c", "ac"},
		{"a comment ends at two dashes", "<p>a<!-- > -> --!>b<!-- -->c", "abc"},
		{"a comment may not be shorter than its marks", "<p>a<!-->b-->c", "ac"},
		{"a processing instruction is a comment", "<p>a<?php x ?>b", "ab"},
		{"CDATA is none in HTML", "<p>a<![CDATA[b>c]]>d", "ad"},
		{"names have no case", "<P>a<SCRIPT>b</ScRiPt>c<DiV HIDDEN>d", "ac"},
		{"an end tag of another name is raw text", "<p>a<script></div></scripts></script >b", "ab"},
		{"a script in a comment in a script does not end it", "<p>a<script><!--<script></script>--></script>b", "ab"},
		{"a comment in a script need not end", "<p>a<script><!--</script>b", "ab"},
		{"raw text is raw to the end of the page", "<p>a<style>b<p>c", "a"},
		{"plaintext never ends", "<plaintext>a</plaintext>", "a</plaintext>"},
		{"a quoted attribute may hold tags", "<p>a<b title='<p>'>b", "ab"},
		{"a tag that the page ends in is none", "<p>a<p hidden", "a"},
		{"an attribute that the page ends in is none", "<p>a<p title='>b", "a"},
		{"a slash in a tag is nothing", "<p/ /hidden / class=x/>a", "a"},
		{"an attribute may have no name", "<p ='hidden'>a", "a"},
		{"the first of two attributes counts", "<p style=display:inline style=display:none>a", "a"},
		{"drawings are passed over", "<p>a<svg><text>b</text><svg></svg>\"</svg>\"</svg>c", "ac"},
		{"a drawing that is not closed is none", "<p>a<svg/>b<p>c", "ab\n\nc"},
		{"NUL is white space", "<p>a\x00b<p\x00hidden>c", "a b"},
	} {
		if page := read(t, tc.html, "Content-Type", "text/html"); page.Text != tc.text {
			t.Errorf("%s: %q, want %q", tc.name, page.Text, tc.text)
		}
	}
}

func TestPlainRunsEndWhereTextMustBeLookedAt(t *testing.T) {
	for _, end := range []string{"\n", "&", "\u00a0", "  ", "\x1f", "\t", "\u00a9"} {
		for _, filler := range []string{"a", "a b", "\u00fc", "a\u6771 ", "~\x7f"} {
			for n := range 70 {
				before := strings.TrimRight(strings.Repeat(filler, n+1)[:n], " ")
				before = strings.ToValidUTF8(before, "")
				if before == "" {
					continue
				}
				if got := plainRun([]byte(before + end + "xxxxxxxxxxxxxxxxx")); got != len(before) {
					t.Fatalf("%q before %q: %d bytes, want %d", before, end, got, len(before))
				}
			}
		}
	}
}

func TestDataInPagesIsNoticed(t *testing.T) {
	for _, tc := range []struct {
		html string
		want bool
	}{
		{"<p class=about id=typeof title=itemscope>property", false},
		{"<script>{}</script><script type=application/json>{}</script>", false},
		{"<script type=application/ld+json>{}</script>", true},
		{"<script type=' Application/LD+JSON; charset=utf-8'>{}</script>", true},
		{"<script type=application/ld&#43;json>{}</script>", true},
		{"<p about=x resource=y itemprop=z>", false}, // of nothing
		{"<link rel='schema:about' href=x>", true},
		{"<a rel=license href=x>a</a>", true},
		{"<a rel='nofollow noopener' href=x>a</a><link rel=stylesheet href=y>", false},
		{"<p TypeOf='a:b'>", true},
		{"<span property=a>b</span>", true},
		{"<meta property=og:title content=a>", true},
		{"<div vocab='http://a.test/' resource=x>", true},
		{"<div itemscope>", true},
		{"<div itemscope itemtype=a><b itemprop=c>", true},
		{"<div itemscope property=a><script type=application/ld+json></script>", true},
		{"<!-- <p typeof=x> --><style><p typeof=x></style>", false},
		{"<p typeof=x", false},
	} {
		d := testDocument(t, []byte(tc.html))
		if d.run(); d.data != tc.want {
			t.Errorf("%s: %v, want %v", tc.html, d.data, tc.want)
		}
		if d.reset(); d.data {
			t.Errorf("%s: kept for the next page", tc.html)
		}
	}
}

// testDocument returns a document that is ready to be run.
func testDocument(t testing.TB, source []byte) *document {
	t.Helper()
	base, err := weburl.NewBase("http://a.test/d/p")
	if err != nil {
		t.Fatal(err)
	}
	d := NewReader(Options{}).document()
	d.page, d.base, d.opts, d.source = &orbweaver.Page{URL: base.String()}, base, DefaultOptions(), source
	return d
}

// articlePage returns a page of 20 kB such as weblogs have: a menu, paragraphs with a link each, a list
// of other pages.
func articlePage(n int) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>Page %d</title>\n", n)
	b.WriteString("<style>\nbody{margin:0;color:#222}nav a{color:#9cf}\n</style>\n<script>\n(function(){var q=1;if(q<2){q++}})();\n</script>\n" +
		"<script type=\"application/ld+json\">{\"@type\":\"Article\"}</script>\n</head>\n<body class=\"page\">\n<header><nav><ul>\n")
	for i := range 6 {
		fmt.Fprintf(&b, "<li><a class=\"nav-link\" href=\"/a/%d.html\">topic %d</a></li>\n", n+i, i)
	}
	b.WriteString("</ul></nav></header>\n<main>\n<article>\n<h1>On tides &amp; currents</h1>\n")
	for i := range 18 {
		fmt.Fprintf(&b, "<p>%sSee <a href=\"http://b.test:8080/a/%d.html#s\" title=\"more\">more of it</a> &mdash; %s</p>\n",
			strings.Repeat("The height of the sea at a port is a sum of cosines, of which the moon has most. ", 10), n*20+i,
			"it needs no history, and weather is not its business.")
	}
	b.WriteString("</article>\n<aside><h3>Related</h3><ul class=\"related\">\n")
	for i := range 10 {
		fmt.Fprintf(&b, "<li><a href=\"../a/./%d.html\"><span>Of ports and harbours</span></a></li>\n", n+i)
	}
	b.WriteString("</ul></aside>\n</main>\n<footer><p>&copy; 2026 <a href=\"/\">Home</a></p></footer>\n</body>\n</html>\n")
	return []byte(b.String())
}

// BenchmarkStages reads articles, whole and in stages; those from blocks on include the tokens.
func BenchmarkStages(b *testing.B) {
	const header = "text/html; charset=utf-8"
	pages := make([][]byte, 50)
	for i := range pages {
		pages[i] = articlePage(i)
	}
	reader, resp := NewReader(Options{}), response("http://a.test/d/p", "Content-Type", header)
	d := testDocument(b, nil)
	page, base := d.page, d.base
	whole := func(source []byte, stages ...func()) {
		*page = orbweaver.Page{URL: base.String()}
		d.page, d.base, d.opts, d.source = page, base, reader.opts, source
		for _, stage := range stages {
			stage()
		}
		d.reset()
	}
	text := []byte(read(b, string(pages[0]), "Content-Type", header).Text)
	sample := string(text)
	for _, bench := range []struct {
		name  string
		stage func(body []byte)
	}{
		{"Read", func(body []byte) {
			if _, err := reader.Read(context.Background(), resp, body); err != nil {
				b.Fatal(err)
			}
		}},
		{"digest", func(body []byte) { Digest(body) }},
		{"type", func(body []byte) { mediaType(body, header) }},
		{"charset", func(body []byte) { unicodeText(body, header) }},
		{"tokens", func(body []byte) { whole(body, d.run) }},
		{"text", func([]byte) { whole(text, func() { d.addText(text, true) }) }},
		{"blocks", func(body []byte) { whole(body, d.run, func() { d.main() }) }},
		{"links", func(body []byte) { whole(body, d.run, func() { d.measureLinks() }) }},
		{"page", func(body []byte) { whole(body, d.run, d.finish) }},
		{"language", func([]byte) { language("", sample) }},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.SetBytes(int64(len(pages[0])))
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				bench.stage(pages[i%len(pages)])
			}
		})
	}
}
