package hostile

import (
	"bytes"
	"fmt"
	"strings"

	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/unicode"
)

// documents are hosts with valid responses and bad documents.
func documents() []Host {
	answer := func(kind string, body func() string) func(*visit) {
		return func(v *visit) {
			if v.path != "/" { // targets of links
				v.html("<p>A page.")
				return
			}
			v.reply("200 OK", kind, body())
		}
	}
	doc := func(name, does, kind string, body func() string) Host {
		return Host{Name: name, Does: does, answer: answer(kind, body)}
	}
	const html, utf8 = "text/html", "text/html; charset=utf-8"
	return append(encodings(doc),
		doc("html-deep", "elements 100 000 deep", html, func() string { return strings.Repeat("<div>", 100_000) + "a" }),
		doc("html-tables", "tables in each other, and links", html, func() string { return strings.Repeat("<table><tr><td><a href=/a>a", 10_000) }),
		Host{Name: "links-million", Does: "a million links", answer: func(v *visit) {
			v.head("200 OK", "Content-Type: text/html")
			for i := range 1_000_000 {
				if !v.say(fmt.Sprintf("<a href=/%d>a</a>", i)) {
					return
				}
			}
			v.hangUp()
		}},
		doc("links-many", "as many links as fit", html, func() string {
			var b strings.Builder
			for i := 0; b.Len() < 900_000; i++ {
				fmt.Fprintf(&b, "<a href=/%d>a</a>", i)
			}
			return b.String()
		}),
		doc("links-bad", "links that are long, no links, or odd", utf8, badLinks),
		doc("line-long", "one line of 900 kB", "text/plain", func() string { return strings.Repeat("word", 225_000) }),
		doc("line-longer", "one line of 10 MB", utf8, func() string { return strings.Repeat("word", 2_500_000) }),
		doc("nuls", "NULs everywhere", html, func() string {
			return "<p>a\x00page\x00<a\x00href='/\x00a'>of\x00it</a>" + strings.Repeat("\x00", 500_000)
		}),
		doc("html-as-png", "HTML that is said to be an image", "image/png", func() string { return "<!doctype html><title>A</title><p>A page of words." }),
		doc("png-as-html", "an image that is said to be HTML", html, func() string {
			return "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + strings.Repeat("\x00\xff<a href=/a>\x80", 10_000)
		}),
		doc("type-long", "a media type of 100 kB", "text/html; charset="+strings.Repeat("x", 100_000), func() string { return "<p>A page." }),
		doc("pdf-bomb", "a PDF of some kB that is 32 MB", "application/pdf", pdfBomb),
		doc("pdf-cycle", "a PDF whose pages hold each other", "application/pdf", func() string {
			return "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[2 0 R 2 0 R]/Count 99999999>>endobj\ntrailer<</Root 1 0 R>>"
		}),
		doc("zip-bomb", "a zip that is 1 GB", "application/zip", func() string { return "PK\x03\x04" + gzipBomb(100) }),
		doc("xml-bomb", "RDF/XML of a billion laughs", "application/rdf+xml", func() string {
			return laughs("rdf:RDF") + `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="/a"><rdf:value>&lol9;</rdf:value></rdf:Description></rdf:RDF>`
		}),
		doc("feed-bomb", "a feed of a billion laughs", "application/rss+xml", func() string {
			return laughs("rss") + "<rss><channel><title>&lol9;</title><item><link>/&lol9;</link></item></channel></rss>"
		}),
		doc("turtle-deep", "Turtle 100 000 deep", "text/turtle", func() string { return "<a> <b> " + strings.Repeat("[<b> ", 100_000) }),
		doc("json-deep", "JSON 400 000 deep", "application/json", func() string { return strings.Repeat("[", 400_000) }),
	)
}

// encodings are documents that declare a wrong charset.
func encodings(doc func(name, does, kind string, body func() string) Host) []Host {
	utf16 := func(s string) string {
		b, _ := unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM).NewEncoder().String(s)
		return b
	}
	iso2022 := func() string {
		s, _ := japanese.ISO2022JP.NewEncoder().String("<p>日本語のページ <a href=/a>リンク</a>")
		return s
	}
	return []Host{
		doc("utf16-bare", "UTF-16 without a mark, and nobody says so", "text/html", func() string { return utf16("<p>A page of words <a href=/a>a</a>") }),
		doc("utf16-said", "UTF-16 that is said to be UTF-8", "text/html; charset=utf-8", func() string { return utf16("\ufeff<p>A page of words <a href=/a>a</a>") }),
		doc("iso-2022-jp", "ISO-2022-JP, and nobody says so", "text/html", iso2022),
		doc("three-charsets", "header, meta and bytes of three minds", "text/html; charset=iso-8859-1", func() string {
			return "<meta charset=shift_jis><p>Ünïcode"
		}),
		doc("charset-cut", "a character that breaks off", "text/html; charset=utf-8", func() string { return "<p>A page <a href='/\xe6\x97'>\xe6\x97" }),
		doc("replacement", "an encoding that must not be decoded", "text/html; charset=iso-2022-kr", func() string { return "<p>A page \x1b$)C\x0e!!" }),
	}
}

// badLinks is a page of links that are unusable, except the last.
func badLinks() string {
	var b strings.Builder
	for _, ref := range []string{
		"/" + strings.Repeat("a", 100_000), "javascript:void(0)", "data:text/html," + strings.Repeat("b", 500_000),
		"/a\x01b\tc\nd", "http://[::1", "http://[fe80::1%25eth0]/", "http://user:secret@/", "http://%00/", "//:0", "http://a..b/",
		"http://" + strings.Repeat("a.", 200) + "test/", "ht\ntp://x", "\\\\server\\share", "/%zz%", "/\u202eevil", "mailto:a@b", "?",
	} {
		b.WriteString("<a href='" + ref + "'>link</a> ")
	}
	return b.String()
}

// pdfBomb is a PDF of one page whose content is 32 MB of blanks in deflate over deflate.
func pdfBomb() string {
	content := pressed(32, zlibWriter)
	var b bytes.Buffer
	b.WriteString("%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n")
	b.WriteString("3 0 obj<</Type/Page/Parent 2 0 R/Contents 4 0 R>>endobj\n")
	fmt.Fprintf(&b, "4 0 obj<</Filter/FlateDecode/Length %d>>stream\n%s\nendstream endobj\ntrailer<</Root 1 0 R>>", len(content), content)
	return b.String()
}
