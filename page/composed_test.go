package page

import (
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Text, titles and anchors are in NFC, wherever the marks of a letter stand; addresses are as written.
func TestTextIsComposed(t *testing.T) {
	const html = "<title>Cafe\u0301 &amp; Re&#x301;gion</title><p>A cafe\u0301, a cafe&#x301;, " +
		"a caf<b>e</b>\u0301 and <a href='/cafe\u0301' title='The cafe\u0301'>the <i>cafe</i>\u0301</a>\u0301s in " +
		"\u1112\u1161\u11ab\u1100\u116e\u11a8 <a href=/b>e</a>\u0301 <a href=/c>\u0301x</a>."
	for name, tc := range map[string]struct{ mediaType, body, title, text, anchor string }{
		"HTML":       {"text/html; charset=utf-8", html, "Café & Région", "A café, a café, a café and the café\u0301s in 한국 e\u0301 \u0301x.", "the café"},
		"plain text": {"text/plain; charset=utf-8", "A cafe\u0301 at http://a.test/x", "", "A café at http://a.test/x", ""},
		"Markdown":   {"text/markdown; charset=utf-8", "See [the cafe\u0301](/x), u\u0308ber", "", "See [the café](/x), über", "the café"},
		"feed": {"application/rss+xml; charset=utf-8",
			"<rss version='2.0'><channel><title>Cafe\u0301</title><item><title>The cafe\u0301</title><link>http://a.test/x</link><description>u\u0308ber</description></item></channel></rss>",
			"Café", "The café\n\nüber", "The café"},
		"Turtle": {"text/turtle", "<> <http://purl.org/dc/terms/title> \"Cafe\u0301\" ; <http://purl.org/dc/terms/relation> <http://a.test/x> . <http://a.test/x> <http://www.w3.org/2000/01/rdf-schema#label> \"The cafe\u0301\" .",
			"Café", "Café\n\nThe café", "The café"},
	} {
		p := read(t, tc.body, "Content-Type", tc.mediaType)
		if p.Title != tc.title || p.Text != tc.text {
			t.Errorf("%s: title %q, text %q", name, p.Title, p.Text)
		}
		anchor := ""
		for _, l := range p.Links {
			if anchor == "" {
				anchor = l.Anchor
			}
			if !utf8.ValidString(l.Anchor+l.Context+l.Title) || !norm.NFC.IsNormalString(l.Context) && !strings.Contains(l.Context, " ") {
				t.Errorf("%s: %q, %q", name, l.Anchor, l.Context)
			}
		}
		if anchor != tc.anchor {
			t.Errorf("%s: anchor %q", name, anchor)
		}
	}
}

func TestAddressesAreNotComposed(t *testing.T) {
	p := read(t, "<a href='/cafe\u0301'>x</a>", "Content-Type", "text/html; charset=utf-8")
	q := read(t, "at http://a.test/cafe\u0301 now", "Content-Type", "text/plain; charset=utf-8")
	for _, l := range append(p.Links, q.Links...) {
		if !strings.HasSuffix(l.To, "/cafe%CC%81") {
			t.Errorf("%s", l.To)
		}
	}
}

// A text of marks alone costs time in proportion to its length.
func TestMarksWithoutEnd(t *testing.T) {
	p := read(t, "<p>a"+strings.Repeat("&#x301;", 100_000)+strings.Repeat("<b>\u0323</b>", 50_000), "Content-Type", "text/html; charset=utf-8")
	if !utf8.ValidString(p.Text) {
		t.Error("the text is no UTF-8")
	}
}
