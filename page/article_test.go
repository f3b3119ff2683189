package page

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"orbweaver/text"
)

// paragraphs returns n different paragraphs.
func paragraphs(n int, about string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "<p>%s %d: %s</p>\n", about, i, prose)
	}
	return b.String()
}

// TestArticle: what of a page's text is its article. Each page has an article about the harbour; "beside" stands for what
// is in the page's text, but not in its article.
func TestArticle(t *testing.T) {
	const beside = "Beside the harbour, sails are mended by three families who know the trade well enough."
	story := paragraphs(6, "Harbour")
	for _, c := range []struct {
		name, body string
		in         bool
	}{
		{"a caption", "<article>" + story + "<figure><img><figcaption>" + beside + "</figcaption></figure>" + story + "</article>", false},
		{"an address", "<article>" + story + "<address>" + beside + "</address></article>", false},
		{"an author's box by class", "<article>" + story + "<div class='author-box bio'><p>" + beside + "</p></div></article>", false},
		{"another class", "<article>" + story + "<div class='boat'><p>" + beside + "</p></div></article>", true},
		{"behind the body by class", "<article><div class='entry-content'>" + story + "</div><div><p>" + beside + "</p></div></article>", false},
		{"behind the body by itemprop", "<article><div itemprop=articleBody>" + story + "</div><div><p>" + beside + "</p></div></article>", false},
		{"within the body", "<article><div class='entry-content'>" + story + "<p>" + beside + "</p></div></article>", true},
		{"behind the container with most text", "<div><div>" + story + "</div><div><p>" + beside + "</p></div></div>", false},
		{"another half of the page", "<div><div>" + paragraphs(2, "Harbour") + "</div><div><p>" + beside + "</p>" + paragraphs(2, "Quay") + "</div></div>", true},
		{"the lead of an article", "<h1>Tides</h1><p class=teaser-text>" + beside + "</p><div class='entry-content'>" + story + "</div>", true},
		{"a heading as its lead", "<h1>Tides</h1><h2>" + beside + "</h2><div class='entry-content'>" + story + "</div>", true},
		{"before the heading", "<div><p>" + beside + "</p></div><h1>Tides</h1><div class='entry-content'>" + story + "</div>", false},
		{"a teaser behind the lead", "<article>" + story + "<div class=teaser><p>" + beside + "</p></div></article>", false},
		{"a teaser within", "<article>" + story + "<div class=teaser><p>" + beside + "</p></div>" + story + "</article>", false},
		{"behind a run of links", "<div>" + story + strings.Repeat("<p><a href=/x>"+prose+prose+"</a></p>", 3) + "<p>" + beside + "</p></div>", false},
		{"behind one link", "<div>" + story + "<p><a href=/x>A link.</a></p><p>" + beside + "</p></div>", true},
		{"a short last line", "<div>" + story + "<p>beside</p></div>", true},
		{"a short line elsewhere", "<div><div>" + story + "</div><p>beside</p></div>", false},
	} {
		p := read(t, "<html><body>"+c.body+"</body></html>")
		if !strings.Contains(strings.ToLower(p.Text), "beside") {
			t.Errorf("%s: it is not in the page's text: %q", c.name, p.Text)
		}
		if got := strings.Contains(strings.ToLower(text.Parts(p.Text, p.Article)), "beside"); got != c.in {
			t.Errorf("%s: in the article: %v, want %v: %v", c.name, got, c.in, p.Article)
		}
		if !strings.Contains(text.Parts(p.Text, p.Article), "Harbour 0:") || strings.Contains(c.body, "Harbour 5:") && !strings.Contains(text.Parts(p.Text, p.Article), "Harbour 5:") {
			t.Errorf("%s: the article lacks its own text: %q", c.name, text.Parts(p.Text, p.Article))
		}
	}
}

// TestArticleOfListing: a listing, a forum and a short page keep all their text.
func TestArticleOfListing(t *testing.T) {
	var listing, forum strings.Builder
	for i := range 12 {
		fmt.Fprintf(&listing, "<div class=teaser><h3><a href=/%d>Tides %d</a></h3><p>%s</p></div>", i, i, prose)
		fmt.Fprintf(&forum, "<div class=post><div class=author>Reader %d</div><div class=content><p>%s %d</p></div></div>", i, prose, i)
	}
	for name, body := range map[string]string{"listing": listing.String(), "forum": forum.String(), "short": "<p>Hello</p>"} {
		p := read(t, body)
		n := strings.Count(p.Text, prose)
		if got := strings.Count(text.Parts(p.Text, p.Article), prose); got != n || name != "short" && n != 12 {
			t.Errorf("%s: %d of %d texts are in the article", name, got, n)
		}
	}
}

// FuzzArticle: the article is whole characters of the text, in order, whatever the page and the limit on its text.
func FuzzArticle(f *testing.F) {
	f.Add("<article><p>"+long+"</p><figcaption>"+prose+"</figcaption><p>"+long+"</p></article><p>"+prose+"</p>", 0)
	f.Add("<div class=entry-content><p>"+long+"</p></div><ul><li>a<li>b</ul><address>ä</address>", 300)
	f.Add(strings.Repeat("<div>", 300)+long, 100)
	f.Fuzz(func(t *testing.T, body string, limit int) {
		limit = max(0, min(limit, 1<<20))
		p, err := NewReader(Options{MaxText: limit}).Read(t.Context(), response("http://a.test/", "Content-Type", "text/html; charset=utf-8"), []byte(body))
		if err != nil {
			return
		}
		at := 0
		for i, r := range p.Article {
			if r[0] < at || r[1] < r[0] || r[1] > len(p.Text) {
				t.Fatalf("range %d of %v, in a text of %d bytes", i, p.Article, len(p.Text))
			}
			if utf8.ValidString(p.Text) && !utf8.ValidString(p.Text[r[0]:r[1]]) {
				t.Fatalf("range %d of %v cuts a character of %q", i, p.Article, p.Text)
			}
			at = r[1]
		}
		if len(text.Parts(p.Text, p.Article)) > len(p.Text) || strings.TrimSpace(p.Text) != "" && text.Parts(p.Text, p.Article) == "" {
			t.Fatalf("article %q of text %q", text.Parts(p.Text, p.Article), p.Text)
		}
	})
}

// TestStatedArticle: the body that a page's JSON-LD states ends the article, and only if the page has most of it.
func TestStatedArticle(t *testing.T) {
	paragraph := func(s string) string { return strings.Repeat(s+" flies over the hills and the sea. ", 30) }
	one, two, after := paragraph("The glider"), paragraph("Its wing"), paragraph("Another story")
	page := func(stated string) string {
		return `<html><head><script type="application/ld+json">{"@type": "Article", "articleBody": ` + stated + `}</script></head><body><h1>Gliders</h1><div><p>` +
			one + `<p>` + two + `<p>` + after + `</div></body></html>`
	}
	for _, tc := range []struct {
		name, stated string
		ends         bool
	}{
		{"stated", `"` + one + `\n\n` + two + `"`, true},
		{"in HTML, with references", `"<p>` + strings.ReplaceAll(one, "hills", "hi&#108;ls") + `</p><p>` + two + `</p>"`, true},
		{"with raw line ends", "\"" + one + "\n" + two + "\"", true},
		{"of another page", `"` + paragraph("A harbour") + paragraph("A crane") + `"`, false},
		{"no string", `["` + one + `"]`, false},
		{"cut off", `"` + one, false},
		{"short", `"The glider flies."`, false},
	} {
		p := read(t, page(tc.stated), "Content-Type", "text/html")
		got := text.Parts(p.Text, p.Article)
		if !strings.Contains(got, "Its wing") || strings.Contains(got, "Another story") == tc.ends || !strings.Contains(p.Text, "Another story") {
			t.Errorf("%s: the article is %q", tc.name, got)
		}
	}
}
