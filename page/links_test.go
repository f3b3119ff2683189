package page

import (
	"context"
	"strings"
	"testing"
)

// TestWordBreaks: <wbr> is an opportunity for a line break, and no white space (HTML, 4.5.28).
func TestWordBreaks(t *testing.T) {
	for _, tc := range []struct{ name, body, want string }{
		{"between letters", "<p>hippo<wbr>potomon<wbr/>strosity</p>", "hippopotomonstrosity"},
		{"in Japanese", "<p>航空機の<wbr>エンジン</p>", "航空機のエンジン"},
		{"many are no paragraph", "<p>a<wbr><wbr><wbr>b <wbr> c</p>", "ab c"},
		{"with an end tag, and in a link", "<p>x<a href=y>un<wbr></wbr>cut</a></p>", "xuncut"},
		{"hyphens and zero-width characters as they were", "<p>a&shy;b c\u200bd</p>", "ab c\u200bd"},
	} {
		if got := read(t, tc.body, "Content-Type", "text/html").Text; got != tc.want {
			t.Errorf("%s: got %q, want %q", tc.name, got, tc.want)
		}
	}
}

// TestBaseCountsForTheWholeDocument: the first with an href, wherever it stands (HTML, 4.2.3).
func TestBaseCountsForTheWholeDocument(t *testing.T) {
	for _, tc := range []struct{ name, body, want string }{
		{"after links", "<a href=x>x</a><base href=/b/><a href=y>y</a>", "/b/x, /b/y"},
		{"at the end, of frames and the head", "<link rel=next href=x><iframe src=y></iframe><p>z</p><base href=//b.test/>", "http://b.test/x next, http://b.test/y"},
		{"the first alone", "<a href=x>x</a><base target=t><base href=/b/><base href=/c/>", "/b/x"},
		{"an invalid one counts as the page's", "<base href='http://[/'><base href=/c/><a href=x>x</a>", "/d/x"},
		{"none of a template", "<template><base href=/c/></template><a href=x>x</a>", "/d/x"},
		{"a fragment of another page", "<a href=#f>f</a><base href=/b/>", "/b/"},
	} {
		if got := brief(read(t, tc.body, "Content-Type", "text/html").Links); got != tc.want {
			t.Errorf("%s: got %s, want %s", tc.name, got, tc.want)
		}
	}
	page := read(t, "<link rel=canonical href=x><form action=s><input type=search name=q></form><base href=/b/>", "Content-Type", "text/html")
	if page.Canonical != "http://a.test/b/x" || strings.Join(page.Searches, " ") != "http://a.test/b/s?q={searchTerms}" {
		t.Errorf("canonical %s, searches %v", page.Canonical, page.Searches)
	}
}

// TestNoscript: where no scripts run, noscript represents its children (HTML, 4.12.2).
func TestNoscript(t *testing.T) {
	for _, tc := range []struct{ name, body, text, links string }{
		{"words and links", "<p>One.</p><noscript><p>Two. <a href=/2>on</a></p></noscript>", "One.\n\nTwo. on", "/2"},
		{"within a paragraph", "<p>One <noscript>two <a href=/2>three</a></noscript> four.</p>", "One two three four.", "/2"},
		{"a plea has links alone", "<p>One.</p><noscript><p>Please enable JavaScript, or use the <a href=/plain>plain page</a>.</p></noscript>", "One.", "/plain"},
		{"a plea among others", "<noscript><p>" + prose + "</p><p>Bitte JavaScript einschalten.</p><p>" + long + "</p></noscript>", prose + "\n\n" + long, ""},
		{"a text about it", "<noscript><p>" + long + " JavaScript is a language.</p></noscript>", long + " JavaScript is a language.", ""},
		{"of the head", "<head><noscript><link rel=stylesheet href=s><link rel=alternate href=/a></noscript></head><p>One.</p>", "One.", "/a alternate"},
		{"counters", "<p>One.</p><noscript><iframe src=//c.test/ns style='display:none;visibility:hidden'></iframe><img src=//c.test/p alt=p></noscript>", "One.", ""},
		{"images that scripts load", "<a href=/x><img data-src=i alt=Tide><noscript><img src=i alt=Tide></noscript></a>", "Tide", "/x"},
		{"JSON-LD is none of its text", `<p>One.</p><noscript><script type="application/ld+json">{}</script></noscript>`, "One.", ""},
	} {
		page := read(t, tc.body, "Content-Type", "text/html")
		if got := brief(page.Links); page.Text != tc.text || got != tc.links {
			t.Errorf("%s: %q, %s", tc.name, page.Text, got)
		}
	}
}

// TestNoscriptOfRenderedPages: where scripts ran, noscript represents nothing.
func TestNoscriptOfRenderedPages(t *testing.T) {
	resp := response("http://a.test/d/p", "Content-Type", "text/html")
	resp.Ran = true
	page, err := NewReader(Options{}).Read(context.Background(), resp, []byte("<p>One.</p><noscript><p>Two. <a href=/2>on</a></p></noscript>"))
	if err != nil || page.Text != "One." || len(page.Links) > 0 || !page.Rendered {
		t.Errorf("%v, %q, %s", err, page.Text, brief(page.Links))
	}
}

// TestScriptedPagesWithNoscript: words for those without scripts do not make a page that scripts fill a full one.
func TestScriptedPagesWithNoscript(t *testing.T) {
	const shell = "<div id=app></div><script src=a.js></script>"
	for _, tc := range []struct {
		name, body string
		want       bool
	}{
		{"a shell", shell + "<noscript><p>" + long + "</p></noscript>", true},
		{"a page", "<p>" + long + "</p>" + shell + "<noscript><p>" + long + "</p></noscript>", false},
		{"a line", "<noscript><p>" + long + "</p></noscript><script src=a.js></script><p>Tides.</p>", false},
	} {
		if got := read(t, tc.body, "Content-Type", "text/html").Scripted; got != tc.want {
			t.Errorf("%s: %v", tc.name, got)
		}
	}
}

func TestQueriesAreInTheEncodingOfThePage(t *testing.T) {
	for _, tc := range []struct{ name, header, body, want string }{
		{"declared by the page", "text/html", "<meta charset=windows-1251><a href='/\xee?q=\xee'>a</a>", "/%D0%BE?q=%EE"},
		{"declared by the header", "text/html; charset=euc-jp", "<a href='?q=\xc8\xf4'>a</a>", "/d/p?q=%C8%F4"},
		{"with a base, a frame and a reference", "text/html; charset=iso-8859-1", "<iframe src='x?\xe9&amp;&#1078;'></iframe><base href=/b/>", "/b/x?%E9&%26%231078%3B"},
		{"UTF-8", "text/html", "<meta charset=utf-8><a href='?q=é'>a</a>", "/d/p?q=%C3%A9"},
	} {
		if got := brief(read(t, tc.body, "Content-Type", tc.header).Links); got != tc.want {
			t.Errorf("%s: got %s, want %s", tc.name, got, tc.want)
		}
	}
	form := "<meta charset=windows-1251><form action=/\xee><input type=hidden name=l value=\xee><input type=search name=q>"
	for _, tc := range []struct{ body, want string }{
		{form, "http://a.test/%D0%BE?l=%EE&q={searchTerms:windows-1251}"},
		{strings.Replace(form, "<form", "<form accept-charset='UTF-8'", 1), "http://a.test/%D0%BE?l=%D0%BE&q={searchTerms}"},
		{strings.Replace(form, "name=l value=\xee", "name=_charset_", 1), "http://a.test/%D0%BE?_charset_=windows-1251&q={searchTerms:windows-1251}"},
	} {
		if got := strings.Join(read(t, tc.body, "Content-Type", "text/html").Searches, " "); got != tc.want {
			t.Errorf("got %s, want %s", got, tc.want)
		}
	}
}

func TestLinksOfForeignContent(t *testing.T) {
	const xlink = `<svg xmlns:xlink="http://www.w3.org/1999/xlink">`
	for _, tc := range []struct{ name, contentType, body, want string }{
		{"SVG 1.1", "text/html", "<p>a</p>" + xlink + `<a xlink:href="x"><text>North <tspan>end</tspan></text></a></svg>`, "http://a.test/d/x|North end|||anchor"},
		{"SVG 2 before 1.1", "text/html", xlink + `<a xlink:href="x" href="y"/></svg><a href=z>z</a>`, "http://a.test/d/y||||anchor\nhttp://a.test/d/z|z|||anchor"},
		{"with a title, in upper case", "text/html", "<SVG><A HREF='x'><title>A &amp; B</title><path d='M0'/></A><animate href='#n'/></SVG>", "http://a.test/d/x|A & B|||anchor"},
		{"not of comments and resources", "text/html", "<svg><!-- <a href=n> --><use href=n /><image href=m></svg>", ""},
		{"MathML", "text/html", "<math><mrow href=x><mi>E</mi></mrow></math>", "http://a.test/d/x|E|||anchor"},
		{"not twice where it is never closed", "text/html", "<svg><path><p><a href=x>y</a></p>", "http://a.test/d/x|y|||anchor"},
		{"a file", "image/svg+xml", `<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><title>Map</title><a href="x?a=1&amp;b=2"><text>One</text></a></svg>`, "http://a.test/d/x?a=1&b=2|One|||anchor"},
		{"a file with a prefix, of XML", "application/xml", `<s:svg xmlns:s="http://www.w3.org/2000/svg"><s:title>Map</s:title><s:a href="x"><s:text>One</s:text></s:a></s:svg>`, "http://a.test/d/x|One|||anchor"},
	} {
		page := read(t, tc.body, "Content-Type", tc.contentType)
		if got := shown(page.Links); got != tc.want {
			t.Errorf("%s: got\n%s\nwant\n%s", tc.name, got, tc.want)
		}
		if strings.HasPrefix(tc.name, "a file") && page.Title != "Map" {
			t.Errorf("%s: title %q", tc.name, page.Title)
		}
	}
}

func TestReferenceLinksOfMarkdown(t *testing.T) {
	for _, tc := range []struct{ name, body, want string }{
		{"full, collapsed, alone", "[a b][One] [one][] [ONE]\n\n[one]: /x 'T'", "/x, /x, /x"},
		{"defined before, in angle brackets, relative", "[one]: <../y>\n\nSee [this][one].", "/y"},
		{"the first definition counts", "[a]\n\n[a]: /x\n[a]: /y", "/x"},
		{"defined and not used", "[a]: /x\n\n[b]: http://a.test/y\n\n[b]", "/y, /x"},
		{"footnotes, tasks, comments and images are none", "[^1] [x] ![i][p]\n\n[^1]: See it.\n[//]: # (comment)\n[p]: i.png", ""},
		{"images within links", "[![CI](http://a.test/ci.svg)](/ci) [![d][p]][doc]\n\n[p]: d.svg\n[doc]: /doc", "/ci, /doc"},
		{"beside URLs", "http://a.test/u [a] <http://a.test/v> [w](/w)\n\n[a]: http://a.test/a", "/u, /a, /v, /w"},
	} {
		if got := brief(read(t, tc.body, "Content-Type", "text/markdown").Links); got != tc.want {
			t.Errorf("%s: got %s, want %s", tc.name, got, tc.want)
		}
	}
	page := read(t, "[![A *tide*](i.png) table](/x)", "Content-Type", "text/markdown")
	if got := page.Links[0].Anchor; got != "A *tide* table" {
		t.Errorf("anchor %q", got)
	}
}

// TestURLsOfRunningText: RFC 3986, appendix C.
func TestURLsOfRunningText(t *testing.T) {
	for _, tc := range []struct{ name, body, want string }{
		{"in sentences", "See http://a.test/x, (http://a.test/y(z)) and https://b.test/.", "/x, /y(z), https://b.test/"},
		{"over lines in angle brackets", "<http://a.test/long-\n  way/to> <URL:http://a.test/\nx> <http://a.test/y\nnot this> z>", "/long-way/to, /x, /y"},
	} {
		if got := brief(read(t, tc.body, "Content-Type", "text/plain").Links); got != tc.want {
			t.Errorf("%s: got %s, want %s", tc.name, got, tc.want)
		}
	}
}

// TestURLsOfTheTextOfPDF: a link that the file has is not taken twice, nor by its first line alone.
func TestURLsOfTheTextOfPDF(t *testing.T) {
	body := "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n" +
		"3 0 obj<</Type/Page/Parent 2 0 R/Resources<</Font<</F 6 0 R>>>>/Contents 4 0 R/Annots[5 0 R]>>endobj\n" +
		"4 0 obj<</Length 171>>stream\nBT /F 12 Tf 12 TL 0 700 Td (Tides: http://a.test/long/) Tj T* (way and http://a.test/x.) Tj T* (Or www: http://b.test/y) Tj ET\nendstream endobj\n" +
		"5 0 obj<</Type/Annot/Subtype/Link/A<</S/URI/URI(http://a.test/long/way)>>>>endobj\n6 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj\ntrailer<</Root 1 0 R>>"
	page := read(t, body, "Content-Type", "application/pdf")
	if got := brief(page.Links); got != "/long/way, /x, http://b.test/y" {
		t.Errorf("%s of %q", got, page.Text)
	}
}

// TestPagesOfFeeds: RFC 5005's links, and next_url, lead to the other pages of a feed.
func TestPagesOfFeeds(t *testing.T) {
	const entry = `<entry><title>One</title><link rel="next" href="/no"/><link href="/1"/></entry>`
	for _, tc := range []struct{ name, body, mediaType, want string }{
		{"Atom", `<feed xmlns="http://www.w3.org/2005/Atom"><title>T</title><link rel="self" href="/x"/><link rel="next" href="?page=2"/>` +
			entry + `<link rel="prev-archive" href="/2019"/></feed>`, "application/atom+xml",
			"http://a.test/d/p?page=2|T||next|feed\nhttp://a.test/2019|T||prev-archive|feed\nhttp://a.test/1|One|||feed"},
		{"a prefix", `<a:feed xmlns:a="http://www.w3.org/2005/Atom"><a:title>T</a:title><a:link href="/2" rel="NEXT"/></a:feed>`,
			"application/atom+xml", "http://a.test/2|T||next|feed"},
		{"RSS", `<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>T</title><atom:link rel="previous" href="/p/1"/>` +
			`<link>http://a.test/</link><item><title>One</title><link>http://a.test/1</link></item></channel></rss>`,
			"application/rss+xml", "http://a.test/p/1|T||previous|feed\nhttp://a.test/1|One|||feed\nhttp://a.test/|T|||feed"},
		{"JSON", `{"version": "https://jsonfeed.org/version/1.1", "title": "T", "next_url": "/f?page=2", "items": [{"id": "1", "url": "/1"}]}`,
			"application/feed+json", "http://a.test/f?page=2|T||next|feed\nhttp://a.test/1||||feed"},
		{"endless", `<feed xmlns="http://www.w3.org/2005/Atom"><title>T</title>` + strings.Repeat(`<link rel="next" href="/2"/>`, 100) +
			`</feed>`, "application/atom+xml", strings.TrimSuffix(strings.Repeat("http://a.test/2|T||next|feed\n", maxFeedPages), "\n")},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := shown(read(t, tc.body, "Content-Type", tc.mediaType).Links); got != tc.want {
				t.Errorf("got\n%s\nwant\n%s", got, tc.want)
			}
		})
	}
}

func TestExternalURLsOfJSONFeeds(t *testing.T) {
	page := read(t, `{"version": "https://jsonfeed.org/version/1.1", "items": [{"id": "1", "url": "/1", "external_url": "http://b.test/1", "title": "One"},
{"id": "2", "external_url": "http://b.test/2", "title": "Two"}, {"id": "3", "url": "/3", "external_url": "/3"}]}`, "Content-Type", "application/feed+json")
	if got := shown(page.Links); got != "http://a.test/1|One|||feed\nhttp://b.test/1|One|||feed\nhttp://b.test/2|Two|||feed\nhttp://a.test/3||||feed" {
		t.Error(got)
	}
}
