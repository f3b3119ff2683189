package page

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"orbweaver"
)

// brief writes links as "path rel", one after the other: all lead to http://a.test.
func brief(links []orbweaver.Link) string {
	var all []string
	for _, l := range links {
		all = append(all, strings.TrimSpace(strings.TrimPrefix(l.To, "http://a.test")+" "+l.Rel))
	}
	return strings.Join(all, ", ")
}

func TestSitemaps(t *testing.T) {
	const ns = ` xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"`
	for _, tc := range []struct{ name, body, want string }{
		{"newest first, undated last", `<?xml version="1.0"?><urlset` + ns + `><url><loc>http://a.test/none</loc></url>` +
			`<url><loc>http://a.test/2020</loc><lastmod>2020</lastmod></url>` +
			`<url><lastmod>2021-03-04T05:06+01:00</lastmod><loc> http://a.test/zone </loc></url>` +
			`<url><loc>http://a.test/day</loc><lastmod>2021-03-04</lastmod></url>` +
			`<url><loc>http://a.test/second</loc><lastmod>2021-03-04T04:06:01.5Z</lastmod></url>` +
			`<url><loc>http://a.test/last</loc><lastmod>yesterday</lastmod></url></urlset>`,
			"/second, /zone, /day, /2020, /none, /last"},
		{"an index", `<sitemapindex` + ns + `><sitemap><loc>http://a.test/a.xml</loc></sitemap><sitemap><loc>/b.xml.gz</loc><lastmod>2021-03</lastmod></sitemap></sitemapindex>`,
			"/b.xml.gz sitemap, /a.xml sitemap"},
		{"with a prefix", `<s:urlset xmlns:s="x"><s:url><s:loc>http://a.test/x</s:loc></s:url></s:urlset>`, "/x"},
		{"without a namespace", `<urlset><url><loc>http://a.test/x</loc></url></urlset>`, "/x"},
		{"character data and references", `<urlset><url><loc><![CDATA[http://a.test/x?a=1&b=2]]></loc></url><url><loc>http://a.test/y?a=1&amp;b=2</loc></url><url><loc>http://a.test/z?a&b</loc></url></urlset>`,
			"/x?a=1&b=2, /y?a=1&b=2, /z?a&b"},
		{"images and videos are no pages", `<urlset><url><loc>http://a.test/x</loc><image:image><image:loc>http://a.test/i.png</image:loc></image:image></url></urlset>`, "/x"},
		{"other languages", `<urlset><url><loc>http://a.test/en</loc><xhtml:link rel="alternate" hreflang="de" href="http://a.test/de"/><xhtml:link rel="alternate" hreflang="fr" href="http://a.test/fr"/></url>` +
			`<url><loc>http://a.test/de</loc><xhtml:link rel="alternate" href="http://a.test/fr"/><xhtml:link rel="amphtml" href="http://a.test/amp"/></url></urlset>`,
			"/en, /fr alternate, /de"},
		{"twice is once", `<urlset><url><loc>http://a.test/x</loc></url><url><loc>http://a.test/x</loc><lastmod>2020</lastmod></url></urlset>`, "/x"},
		{"broken off", `<urlset><url><loc>http://a.test/x</loc></url><url><loc>http://a.test/y</loc><lastm`, "/x, /y"},
		{"broken off within an address", `<urlset><url><loc>http://a.test/x</loc></url><url><loc>http://a.test/lon`, "/x"},
		{"what is no address", `<urlset><url><loc>ftp://a.test/x</loc></url><url><loc></loc></url><url/><url><loc>http://a.test/y</loc></url></urlset>`, "/y"},
		{"comments and instructions before", `<?xml version="1.0"?><?xml-stylesheet href="x"?><!-- c --><urlset><url><loc>http://a.test/x</loc></url></urlset>`, "/x"},
		{"other XML", `<?xml version="1.0"?><other><url><loc>http://a.test/x</loc></url></other>`, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			for _, contentType := range []string{"application/xml", "text/xml; charset=utf-8", "text/html", ""} {
				page := read(t, tc.body, "Content-Type", contentType)
				if got := brief(page.Links); got != tc.want && !(tc.want == "" && contentType == "text/html") {
					t.Errorf("%s: got %s, want %s", contentType, got, tc.want)
				}
				if tc.want != "" && (page.MediaType != "application/xml" || page.Text != "" || page.Title != "" || page.Links[0].Origin != orbweaver.FromSitemap) {
					t.Errorf("%s: %+v", contentType, page)
				}
			}
		})
	}
}

func TestSitemapsInOtherEncodings(t *testing.T) {
	page := read(t, "<?xml version='1.0' encoding='iso-8859-1'?><urlset><url><loc>http://a.test/caf\xe9</loc></url></urlset>", "Content-Type", "text/xml")
	if got := brief(page.Links); got != "/caf%C3%A9" {
		t.Error(got)
	}
}

func TestSitemapsMayBeLong(t *testing.T) {
	var b strings.Builder
	b.WriteString("<urlset>")
	for i := range sitemapEntries + 100 {
		fmt.Fprintf(&b, "<url><loc>http://a.test/%d</loc><lastmod>2020-01-01T00:%02d:%02dZ</lastmod></url>", i, i/60%60, i%60)
	}
	resp := response("http://a.test/sitemap.xml")
	page, err := NewReader(Options{MaxLinks: 10}).Read(context.Background(), resp, []byte(b.String()))
	if err != nil || len(page.Links) != sitemapEntries || page.Links[0].To != "http://a.test/3599" {
		t.Errorf("%v, %d links", err, len(page.Links))
	}
}

func TestSitemapsOfLines(t *testing.T) {
	for _, tc := range []struct {
		name, body, links, text string
		purpose                 orbweaver.Purpose
	}{
		{"lines of URLs", "\ufeffhttp://a.test/x\r\n\r\nhttps://b.test/y\n", "/x, https://b.test/y", "", orbweaver.ForSitemap},
		{"packed with a mark", string(packed(t, "gzip", "\ufeffhttp://a.test/x\nhttp://a.test/y")), "/x, /y", "", orbweaver.ForSitemap},
		{"packed in UTF-16", string(packed(t, "gzip", utf16Text("http://a.test/x\n"))), "/x", "", orbweaver.ForSitemap},
		{"one that is none", "http://a.test/x\nhello\n", "/x", "http://a.test/x\nhello", orbweaver.ForSitemap},
		{"asked for as a page", "http://a.test/x\n", "/x", "http://a.test/x", orbweaver.ForPage},
	} {
		resp := response("http://a.test/sitemap.txt", "Content-Type", "text/plain")
		resp.Request.Purpose = tc.purpose
		page, err := NewReader(Options{}).Read(context.Background(), resp, []byte(tc.body))
		if err != nil || brief(page.Links) != tc.links || page.Text != tc.text {
			t.Errorf("%s: %v, %s, %q", tc.name, err, brief(page.Links), page.Text)
		}
	}
}

// utf16Text is ASCII in UTF-16 with its mark.
func utf16Text(s string) string {
	out := []byte{0xff, 0xfe}
	for i := range len(s) {
		out = append(out, s[i], 0)
	}
	return string(out)
}

func TestPackedFiles(t *testing.T) {
	const sitemap = "<urlset><url><loc>http://a.test/x</loc></url></urlset>"
	whole := packed(t, "gzip", sitemap)
	long := packed(t, "gzip", "<urlset>"+strings.Repeat(" ", 1<<20))
	for _, tc := range []struct {
		name, contentType string
		body              []byte
		links, mediaType  string
		want              orbweaver.Failure
	}{
		{"a sitemap", "application/gzip", whole, "/x", "application/xml", ""},
		{"as no type at all", "", whole, "/x", "application/xml", ""},
		{"as XML", "text/xml", whole, "/x", "application/xml", ""},
		{"broken off", "application/x-gzip", whole[:len(whole)-8], "/x", "application/xml", ""},
		{"a byte order mark", "application/gzip", packed(t, "gzip", "\ufeff"+sitemap), "/x", "application/xml", ""},
		{"a feed", "application/gzip", packed(t, "gzip", "<rss><channel><item><link>http://a.test/y</link></item></channel></rss>"), "/y", "application/rss+xml", ""},
		{"a sitemap with a mark", "application/gzip", packed(t, "gzip", "\ufeff"+sitemap), "/x", "application/xml", ""},
		{"a feed with a mark", "application/gzip", packed(t, "gzip", "\ufeff<rss><channel><item><link>http://a.test/y</link></item></channel></rss>"), "/y", "application/rss+xml", ""},
		{"something else", "application/gzip", packed(t, "gzip", "<html><a href=/x>x</a>"), "", "application/gzip", ""},
		{"too large", "application/gzip", long, "", "", orbweaver.ErrTooLarge},
	} {
		page, err := NewReader(Options{MaxBody: 1 << 19}).Read(context.Background(), response("http://a.test/s.xml.gz", "Content-Type", tc.contentType), tc.body)
		if tc.want != "" {
			if !errors.Is(err, tc.want) {
				t.Errorf("%s: %v", tc.name, err)
			}
			continue
		}
		if err != nil || brief(page.Links) != tc.links || page.MediaType != tc.mediaType {
			t.Errorf("%s: %v, %s, %s", tc.name, err, brief(page.Links), page.MediaType)
		}
	}
}

const rss = `<?xml version="1.0"?><!DOCTYPE rss><rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:content="http://purl.org/rss/1.0/modules/content/">
<channel><title>Tides &amp;amp; moons</title><link>http://a.test/</link><language>en-gb</language>
<item><title>Old</title><link>http://a.test/old</link><pubDate>Mon, 06 Sep 2010 00:01:00 +0000</pubDate><description>It was.</description></item>
<item><title><![CDATA[New <b>one</b>]]></title><link>/new</link><dc:date>2021-01-02T00:00:00Z</dc:date>
<description>&lt;p&gt;Short.&lt;/p&gt;</description><content:encoded><![CDATA[<p>A longer &amp; better one.</p><p>Of two.</p><script>x</script>]]></content:encoded></item>
<item><title>Undated</title><guid>http://a.test/guid</guid></item></channel></rss>`

const atom = `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="de" xml:base="http://a.test/base/"><title type="html">A &lt;i&gt;feed&lt;/i&gt;</title>
<link rel="self" href="http://a.test/self"/><link href="http://a.test/site"/>
<entry><title>One</title><link rel="enclosure" href="x.mp3"/><link href="one"/><updated>2020-01-01T00:00:00Z</updated><summary>Sum.</summary></entry>
<entry><title>Two</title><link href="two"/><updated>2021-01-01T00:00:00Z</updated><content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>Said <b>so</b>.</p></div></content></entry></feed>`

const jsonFeed = `{"version": "https://jsonfeed.org/version/1.1", "title": "J", "home_page_url": "http://a.test/", "language": "fr",
"items": [{"id": "1", "url": "http://a.test/1", "title": "Un", "content_html": "<p>Le <em>texte</em>.</p>", "date_published": "2020-01-01T00:00:00Z"},
{"id": "2", "url": "http://a.test/2", "content_text": "Deux.", "date_published": "2021-01-01T00:00:00Z"}]}`

func TestFeeds(t *testing.T) {
	for _, tc := range []struct{ name, body, contentType, mediaType, title, lang, text, links string }{
		{"RSS", rss, "text/xml", "application/rss+xml", "Tides & moons", "en",
			"New one\n\nA longer & better one.\n\nOf two.\n\nOld\n\nIt was.\n\nUndated",
			"http://a.test/new|New one|A longer & better one. Of two.||feed\nhttp://a.test/old|Old|It was.||feed\nhttp://a.test/guid|Undated|||feed\nhttp://a.test/|Tides & moons|||feed"},
		{"Atom", atom, "application/xml", "application/atom+xml", "A feed", "de",
			"Two\n\nSaid so.\n\nOne\n\nSum.",
			"http://a.test/base/two|Two|Said so.||feed\nhttp://a.test/base/one|One|Sum.||feed\nhttp://a.test/site|A feed|||feed"},
		{"JSON", jsonFeed, "application/json", "application/feed+json", "J", "fr", "Deux.\n\nUn\n\nLe texte.",
			"http://a.test/2||Deux.||feed\nhttp://a.test/1|Un|Le texte.||feed\nhttp://a.test/|J|||feed"},
		{"broken off", rss[:strings.Index(rss, "<item><title>Und")+10], "application/rss+xml", "application/rss+xml", "Tides & moons", "en",
			"New one\n\nA longer & better one.\n\nOf two.\n\nOld\n\nIt was.",
			"http://a.test/new|New one|A longer & better one. Of two.||feed\nhttp://a.test/old|Old|It was.||feed\nhttp://a.test/|Tides & moons|||feed"},
		{"no feed inside", "<rss>", "", "application/rss+xml", "", "", "", ""},
		{"RSS 0.91", `<rss version="0.91"><channel><title>T</title><item><title>a</title><link>http://a.test/a</link></item></channel></rss>`, "text/html", "application/rss+xml", "T", "", "a", "http://a.test/a|a|||feed"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			page := read(t, tc.body, "Content-Type", tc.contentType)
			if page.MediaType != tc.mediaType || page.Title != tc.title || page.Lang != tc.lang || page.Text != tc.text {
				t.Errorf("type %s, title %q, lang %q, text %q", page.MediaType, page.Title, page.Lang, page.Text)
			}
			if got := shown(page.Links); got != tc.links {
				t.Errorf("got\n%s\nwant\n%s", got, tc.links)
			}
		})
	}
}

func TestFeedsThatAreRDFStayRDF(t *testing.T) {
	page := read(t, `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"><item rdf:about="http://a.test/x"><title>X</title></item></rdf:RDF>`, "Content-Type", "application/rss+xml")
	if page.MediaType != "application/rdf+xml" || page.Quads == nil || brief(page.Links) != "/x" {
		t.Errorf("%s %s", page.MediaType, brief(page.Links))
	}
}

func TestGuardWritesWellFormedFeeds(t *testing.T) {
	deep := strings.Repeat("<a>", feedDepth+5)
	for _, tc := range []struct{ name, feed, want string }{
		{"comments, instructions, declarations go", `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "b">]><a><!-- c --><?p i?>b</a>`, "<a>b</a>"},
		{"what is open is closed", "<a><b>c", "<a><b>c</b></a>"},
		{"in the wrong order", "<a><b>c</a></b>d", "<a><b>c</b></a>"},
		{"ends of nothing", "<a></c>b</a>", "<a>b</a>"},
		{"CDATA is text", "<a>b<![CDATA[<c>&]]>d</a>", "<a>b&lt;c&gt;&amp;d</a>"},
		{"attributes", `<a x=1 b='"' xml:base="/c"/>`, `<a x="1" b="&#34;"></a>`},
		{"depth", deep + "x", strings.Repeat("<a>", feedDepth) + "x" + strings.Repeat("</a>", feedDepth)},
		{"controls", "<a>\x01b</a>", "<a></a>"},
	} {
		if got, _, _ := guarded([]byte(tc.feed)); string(got) != tc.want {
			t.Errorf("%s: got %s", tc.name, got)
		}
	}
}

func TestRefresh(t *testing.T) {
	for _, tc := range []struct{ content, want string }{
		{"0; url=x", "x"}, {"0;URL='x'", "x"}, {`5 ; Url = "x" y`, "x"}, {"0,x", "x"}, {"0 x", "x"}, {"0;x", "x"},
		{".5; url=x", "x"}, {"3.5;url=x", "x"}, {" 0 ;  url=  x  ", "x"}, {"0; urlx", "urlx"}, {"0;url", "url"}, {"0;url='x", "x"},
		{"5", ""}, {"", ""}, {"x", ""}, {"url=x", ""}, {"0x", ""}, {"0;", ""}, {"0; url=", ""}, {"-1;url=x", ""},
	} {
		if got := refreshTarget(tc.content); got != tc.want {
			t.Errorf("%q: got %q, want %q", tc.content, got, tc.want)
		}
	}
}

func TestLinksOfHeadAndHeader(t *testing.T) {
	for _, tc := range []struct{ name, body, header, value, want string }{
		{"refresh", `<meta http-equiv=Refresh content="0; url=/x?a=1&amp;b=2">`, "", "", "/x?a=1&b=2 refresh"},
		{"refresh of the page itself", `<meta http-equiv=refresh content="30">`, "", "", ""},
		{"refresh in the header", "", "Refresh", "0; url=/x", "/x refresh"},
		{"refresh for those without scripts", `<noscript><meta http-equiv=refresh content="0;url=/x"></noscript>`, "", "", "/x refresh"},
		{"feeds and other types", `<link rel=alternate type=application/rss+xml href=/f title=T><link rel="alternate" type="text/turtle" href=/t>`, "", "", "/f alternate, /t alternate"},
		{"sitemaps", `<link rel=sitemap type=application/xml href=/s.xml>`, "", "", "/s.xml sitemap"},
		{"languages, parts and neighbours", `<link rel=alternate hreflang=de href=/de><link rel=stylesheet href=/s><link rel="next" href=/2><link rel=author href=/me>`, "", "", "/de alternate, /2 next, /me author"},
		{"several of a header", "", "Link", `</a,b>; rel=next, </c>; rel="Alternate"; type="text/turtle"; title="x, y", <//b.test/d>;rel=describedby`, "/a,b next, /c alternate, http://b.test/d describedby"},
		{"bytes that are no UTF-8", "", "Link", "<caf\xe9?\xb7\xc9>; rel=next; title=caf\xe9, </café>; rel=prev", "/d/caf%E9?%B7%C9 next, /caf%C3%A9 prev"},
		{"bytes of a refresh", "", "Refresh", "0; url=/caf\xe9", "/caf%E9 refresh"},
		{"the page of a header", "", "Link", `</canon>; rel="canonical"`, ""},
		{"a header that is none", "", "Link", `</x, rel=next`, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			page := read(t, "<html>"+tc.body, "Content-Type", "text/html", tc.header, tc.value)
			if got := brief(page.Links); got != tc.want {
				t.Errorf("got %s, want %s", got, tc.want)
			}
			if strings.Contains(tc.value, "canonical") && page.Canonical != "http://a.test/canon" {
				t.Errorf("canonical %q", page.Canonical)
			}
			for _, l := range page.Links {
				if typ := map[string]string{"/f": "application/rss+xml", "/t": "text/turtle", "/c": "text/turtle"}[strings.TrimPrefix(l.To, "http://a.test")]; typ != "" && l.Type != typ {
					t.Errorf("%s has type %q", l.To, l.Type)
				}
			}
		})
	}
}

func TestRobotsForNamedCrawlers(t *testing.T) {
	for _, tc := range []struct {
		header            string
		noFollow, noIndex bool
	}{
		{"otherbot: noindex, nofollow", false, false}, {"Orbweaver: noindex, nofollow", true, true},
		{"noindex, otherbot: nofollow", false, true}, {"otherbot: noindex, orbweaver: nofollow", true, false},
		{"orbweaver: unavailable_after: Wed, 03 Dec 2025 13:09:53 GMT, nofollow", true, false},
		{"otherbot: unavailable_after: Wed, 03 Dec 2025 13:09:53 GMT, nofollow", false, false},
		{"otherbot: noindex, *: nofollow", true, false}, {"* : none", true, true},
		{"otherbot: none, orbweaver: unavailable_after: Wed, 03 Dec 2025 13:09:53 GMT, noindex", false, true},
	} {
		page := read(t, "x", "X-Robots-Tag", tc.header)
		if page.NoFollow != tc.noFollow || page.NoIndex != tc.noIndex {
			t.Errorf("%q: nofollow %v, noindex %v", tc.header, page.NoFollow, page.NoIndex)
		}
	}
	page := read(t, "x", "X-Robots-Tag", "otherbot: none", "X-Robots-Tag", "unavailable_after: Wed, 03 Dec 2025 13:09:53 GMT", "X-Robots-Tag", "nofollow")
	if !page.NoFollow || page.NoIndex {
		t.Errorf("of three headers: nofollow %v, noindex %v", page.NoFollow, page.NoIndex)
	}
	page = read(t, "<meta name=robots content='unavailable_after: Wed, 03 Dec 2025 13:09:53 GMT, nofollow'>", "Content-Type", "text/html")
	if !page.NoFollow {
		t.Error("a page's own nofollow behind a date is lost")
	}
	page = read(t, "<meta name=OrbWeaver content=nofollow><meta name=otherbot content=noindex>", "Content-Type", "text/html")
	if !page.NoFollow || page.NoIndex {
		t.Errorf("nofollow %v, noindex %v", page.NoFollow, page.NoIndex)
	}
}

func TestLinksOfPlainText(t *testing.T) {
	for _, tc := range []struct{ name, contentType, body, want string }{
		{"in a sentence", "text/plain", "See http://a.test/x, please.", "http://a.test/x||See , please.||anchor"},
		{"brackets around and inside", "text/plain", "(http://a.test/x) http://a.test/y_(z)", "http://a.test/x||( ) http://a.test/y_(z)||anchor\nhttp://a.test/y_(z)||(http://a.test/x)||anchor"},
		{"in angle brackets", "text/plain", "at <HTTPS://b.test/>", "https://b.test/||at < >||anchor"},
		{"within the block", "text/plain", "one\n\ntwo\nthree http://a.test/x\nfour\n\nfive", "http://a.test/x||two three four||anchor"},
		{"other schemes", "text/plain", "ftp://a.test/ xhttp://a.test/ http:// ://", ""},
		{"no Markdown", "text/plain", "[b](http://a.test/x)", "http://a.test/x||[b]( )||anchor"},
		{"Markdown", "text/markdown", "See [the *tide*](../x 'T') and ![i](i.png) or [r][1] here.\n\n[1]: http://a.test/r", "http://a.test/x|the *tide*|See and ![i](i.png) or [r][1] here.||anchor\nhttp://a.test/r|r|See [the *tide*](../x 'T') and ![i](i.png) or here.||anchor"},
		{"Markdown's address is no bare one, too", "text/markdown", "[http://a.test/x](http://a.test/y)", "http://a.test/y|http://a.test/x|||anchor"},
		{"brackets in brackets", "text/markdown", "[a [b] c](<x y>) [d](p#e)", "http://a.test/d/x%20y|a [b] c|[d](p#e)||anchor"},
		{"what is not closed", "text/markdown", "[a](x [b](y\n) ](z) [](w)", "http://a.test/d/w||[a](x [b](y ) ](z)||anchor"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := shown(read(t, tc.body, "Content-Type", tc.contentType).Links); got != tc.want {
				t.Errorf("got\n%s\nwant\n%s", got, tc.want)
			}
		})
	}
	resp := response("http://a.test/README.md", "Content-Type", "text/plain")
	page, err := NewReader(Options{}).Read(context.Background(), resp, []byte("[b](x)"))
	if err != nil || shown(page.Links) != "http://a.test/x|b|||anchor" {
		t.Errorf("%v: %s", err, shown(page.Links))
	}
}

func TestScripted(t *testing.T) {
	inline := "<script>" + strings.Repeat("render(); ", 11) + "</script>"
	for _, tc := range []struct {
		name, body string
		want       bool
	}{
		{"an application", "<div id=root></div><script src=/app.js></script>", true},
		{"a module", "<script type=module src=/app.js></script>", true},
		{"a script of its own", inline, true},
		{"a small one", "<script>x=1</script>", false},
		{"with a plea", "<noscript>You need to enable JavaScript to run this app, so that there is something to be seen at all here.</noscript><script src=a.js></script>", true},
		{"with few words", "<p>Loading, please wait.</p><script src=a.js></script>", true},
		{"with text", "<p>" + prose + "</p><script src=a.js></script>" + inline, false},
		{"data", "<script type='application/ld+json'>" + strings.Repeat("{}", 100) + "</script>", false},
		{"a template", "<script type='text/x-handlebars' src=x></script>", false},
		{"nothing", "", false},
		{"no scripts", "<p>Hello</p>", false},
		{"a short page", "<h1>Colophon</h1><p>Set in Bembo.</p><script src=stat.js></script>", false},
		{"a short page that asks to be counted", "<p>Set in Bembo.</p><noscript><img src=/stat.gif></noscript><script src=stat.js></script>", false},
		{"words in its navigation alone", "<nav><ul><li><a href=a>One part of it</a><li><a href=b>Another part of it</a><li><a href=c>The rest of it</a></ul></nav><p>Contents</p><script src=theme.js></script>", false},
		{"navigation beside an application", "<nav><ul><li><a href=a>One part of it</a><li><a href=b>Another part of it</a><li><a href=c>The rest of it</a></ul></nav><div id=root></div><script src=app.js></script>", true},
		{"a place to fill", "<h2>Result:</h2><div id=out>\n\n</div><script src=demo.js></script>", true},
		{"a plea beside text", "<p>" + prose + "</p><noscript>Enable JavaScript to see comments.</noscript><script src=a.js></script>", false},
		{"a picture", "<img src=plan.png><script src=stat.js></script>", false},
		{"frames", "<iframe src=body.html></iframe><script src=stat.js></script>", false},
		{"moved", "<meta http-equiv=refresh content='0; url=/new'><script>location = '/new'" + strings.Repeat(" ", 100) + "</script>", false},
		{"words without blanks", "<p>" + strings.Repeat("這一頁說的是潮汐。", 20) + "</p><div id=app></div><script src=a.js></script>", false},
		{"a word that asks", "<p>This needs JavaScript.</p><script src=a.js></script>", true},
	} {
		page := read(t, "<html><body>"+tc.body, "Content-Type", "text/html")
		if page.Scripted != tc.want {
			t.Errorf("%s: %v, text %q", tc.name, page.Scripted, page.Text)
		}
		if strings.Contains(page.Text, "JavaScript") && !strings.Contains(tc.body, "<p>This needs") {
			t.Errorf("%s: text %q", tc.name, page.Text)
		}
	}
}

func TestPDF(t *testing.T) {
	body := "%PDF-1.4\n1 0 obj<</Pages 2 0 R/Lang(en)>>endobj 2 0 obj<</Kids[3 0 R]>>endobj\n" +
		"3 0 obj<</Contents 4 0 R/Resources<</Font<</F<</Subtype/Type1>>>>>>/Annots[<</A<</URI(/x)>>>><</A<</URI(mailto:x)>>>>]>>endobj\n" +
		"4 0 obj<</Length 37>>stream\nBT /F 9 Tf (Tides   and) Tj T* (moons) '\nendstream endobj 5 0 obj<</Title(A  title)>>endobj\n" +
		"trailer<</Root 1 0 R/Info 5 0 R>>"
	page := read(t, body, "Content-Type", "application/octet-stream")
	if page.MediaType != "application/pdf" || page.Title != "A title" || page.Lang != "en" || page.Text != "Tides and moons" && page.Text != "Tides andmoons" || shown(page.Links) != "http://a.test/x||||anchor" {
		t.Errorf("%+v", page)
	}
	page = read(t, "%PDF-1.4\nnothing", "Content-Type", "application/pdf")
	if page.MediaType != "application/pdf" || page.Text != "" || page.Textless != "it is damaged: no page of it can be read" {
		t.Errorf("%+v", page)
	}
}

// hostileDocuments are of the syntaxes that have readers beside HTML and RDF.
func hostileDocuments() []hostile {
	const html, plain, md, xml, feed, json = "text/html", "text/plain", "text/markdown", "application/xml", "application/rss+xml", "application/feed+json"
	return []hostile{
		{"sitemap entries", xml, numbered("<urlset><url><loc>http://a.test/%d</loc></url>")},
		{"a sitemap's depth", xml, again("<urlset>", "<url>", "")},
		{"elements in an entry", xml, again("<urlset><url>", "<a>", "")},
		{"addresses that are none", xml, again("<urlset>", "<url><loc>http://[/</loc></url>", "")},
		{"one address", xml, again("<urlset><url><loc>http://a.test/", "a", "")},
		{"alternates", xml, numbered("<urlset><url><loc>http://a.test/</loc><link rel='alternate' href='%d'/>")},
		{"attributes", xml, numbered("<urlset><url a%d='x'")},
		{"feed items", feed, again("<rss><channel>", "<item><title>a</title><link>x</link></item>", "")},
		{"a feed's depth", feed, again("<rss><channel><item>", "<x:a>", "")},
		{"pieces of text", feed, again("<rss><channel><x:a>", "a<![CDATA[b]]><!-- c -->", "")},
		{"namespaces", feed, func(n int) string {
			return "<rss " + numbered("xmlns:a%d='b' ")(n/2) + "><channel>" + strings.Repeat("<x/>", n/8)
		}},
		{"bases", "application/atom+xml", again("<feed xml:base='http://a.test/'>", "<entry xml:base='aaaa/'>", "")},
		{"entities", feed, again("<!DOCTYPE rss [<!ENTITY a 'aaaaaaaaaa'>", "<!ENTITY b '&a;&a;&a;&a;'>", "]><rss><channel><title>&b;&b;</title>")},
		{"HTML in a feed", feed, again("<rss><channel><item><description>", "&lt;div&gt;&lt;p&gt;a", "")},
		{"JSON items", json, again(`{"version":"https://jsonfeed.org/version/1","items":[`, `{"url":"x"},`, `{}]}`)},
		{"JSON in JSON", json, again(`{"version":"https://jsonfeed.org/version/1","a":`, "[", "")},
		{"bare URLs", plain, again("", "http://a.test/ ", "")},
		{"brackets at the end of URLs", plain, again("", "http://a"+strings.Repeat(")", 8000)+" ", "")},
		{"starts of URLs", plain, again("", "://", "")},
		{"URLs that are none", plain, again("", "http://[/ ", "")},
		{"one URL", plain, again("http://a.test/", "http://", "")},
		{"links in Markdown", md, again("", "[a](b) ", "")},
		{"open brackets", md, again("", "[", "](x)")},
		{"middles of links", md, again("", "](", "")},
		{"links that do not end", md, again("", "[](", "")},
		{"definitions in one line", md, again("[a]: b\n", "]: [a]: ", "")},
		{"definitions that nothing refers to", md, numbered("[%d]: http://a.test/%[1]d\n")},
		{"open and closed brackets", md, again("[a]: b\n", strings.Repeat("[", 600)+strings.Repeat("]", 600), "")},
		{"angle brackets that do not end", plain, again("", "<http://a.test/\n", "")},
		{"links of SVG", html, again("<svg>", "<a href=x>", "</svg>")},
		{"SVG that does not end", html, again("", "<svg><a href=x>", "")},
		{"noscript in noscript", html, again("", "<noscript>javascript<p>", "")},
		{"many noscript", html, again("", "<noscript>a</noscript>", "")},
		{"a late base", html, again("<a href=x>x</a><base href=/b/>", "<a href=y>y</a><base href=/c/>", "")},
		{"deep lists", html, again("", "<ul class='a b c d e f'><li><a href=x>x</a>", "")},
		{"a long class", html, again("<div class='", "a ", "'><a href=x>x</a><a href=y>y</a>")},
		{"PDF objects", "application/pdf", again("%PDF-1.4 ", "1 0 obj<</Type/ObjStm>>stream\n", "")},
	}
}

func TestHostileDocumentsKeepToLimits(t *testing.T) {
	opts := Options{MaxBody: 4 << 20, MaxLinks: 5000, MaxText: 1 << 19}
	for _, tc := range hostileDocuments() {
		t.Run(tc.name, func(t *testing.T) {
			page, err := NewReader(opts).Read(context.Background(), response("http://a.test/d/p", "Content-Type", tc.contentType), []byte(tc.body(1<<20)))
			if err != nil {
				t.Fatal(err)
			}
			limits := opts
			if page.MediaType == typeXML {
				limits.MaxLinks = sitemapEntries
			}
			checkSizes(t, page, limits)
		})
	}
}

func BenchmarkHostileDocuments(b *testing.B) {
	for _, tc := range hostileDocuments() {
		b.Run(tc.name, func(b *testing.B) { benchmarkRead(b, tc.contentType, tc.body(9<<20)) })
	}
}

func BenchmarkSitemap(b *testing.B) {
	benchmarkRead(b, "application/xml", numbered("<urlset>\n  <url>\n    <loc>https://www.a.test/articles/%d/the-tide-and-the-moon</loc>\n"+
		"    <lastmod>2024-05-06T07:08:09+00:00</lastmod>\n    <changefreq>weekly</changefreq>\n    <priority>0.5</priority>\n  </url>\n")(9<<20))
}

func BenchmarkFeed(b *testing.B) {
	item := "<item><title>The tide and the moon</title><link>http://a.test/x</link><pubDate>Mon, 06 Sep 2010 00:01:00 +0000</pubDate>" +
		"<description><![CDATA[<p>" + long + "</p><p>" + long + "</p>]]></description></item>"
	benchmarkRead(b, "application/rss+xml", "<rss version='2.0'><channel><title>T</title>"+strings.Repeat(item, 40)+"</channel></rss>")
}

// benchmarkRead reads one document again and again.
func benchmarkRead(b *testing.B, contentType, body string) {
	reader, resp := NewReader(Options{}), response("http://a.test/d/p", "Content-Type", contentType)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := reader.Read(context.Background(), resp, []byte(body)); err != nil {
			b.Fatal(err)
		}
	}
}

// FuzzDiscovery reads any bytes as each of the documents that lead to others.
func FuzzDiscovery(f *testing.F) {
	for _, seed := range []string{" ", rss, atom, jsonFeed, "<urlset><url><loc>http://a.test/x</loc><xhtml:link rel='alternate' href='y'/></url></urlset>",
		"See [a](b 'c') http://a.test/x.\n\n<http://b.test>", "http://a.test/x\nhttp://a.test/y", "<meta http-equiv=refresh content='0;url=x'><script src=y></script>"} {
		f.Add([]byte(seed))
	}
	reader := NewReader(Options{MaxBody: 1 << 16, MaxLinks: 100, MaxText: 1 << 16})
	f.Fuzz(func(t *testing.T, body []byte) {
		for i, contentType := range []string{"text/markdown", "text/plain", "application/xml", "application/feed+json", "application/gzip"} {
			resp := response("http://a.test/d/p", "Content-Type", contentType)
			if i%2 == 1 {
				resp.Request.Purpose = orbweaver.ForSitemap
			}
			page, err := reader.Read(context.Background(), resp, body)
			if errors.Is(err, orbweaver.ErrUnreadable) {
				t.Fatal(err) // a panic inside
			}
			if err != nil {
				continue
			}
			if page.MediaType == typeXML || resp.Request.Purpose == orbweaver.ForSitemap {
				page.Links = page.Links[:min(len(page.Links), 100)]
			}
			checkPage(t, page)
		}
	})
}
