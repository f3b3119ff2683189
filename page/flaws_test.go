package page

import (
	"context"
	"strings"
	"testing"

	"orbweaver"
)

// TestFlawsInSitemaps: a flaw in the middle of a sitemap loses no entry before or after it.
func TestFlawsInSitemaps(t *testing.T) {
	for _, tc := range []struct{ name, flaw string }{
		{"a bare ampersand", `<url><loc>http://a.test/?a&b</loc></url>`},
		{"an entity of HTML", `<url><loc>http://a.test/m</loc>&nbsp;&eacute;</url>`},
		{"a reference without a semicolon", `<url><loc>http://a.test/&#65</loc></url>`},
		{"a tag that does not end", `<url><loc>http://a.test/m</loc><lastmod </url>`},
		{"a bracket", `<url><loc>http://a.test/a<b</loc></url>`},
		{"an end tag that closes nothing", `</loc></p><url><loc>http://a.test/m</loc></url>`},
		{"an element that is not closed", `<url><loc>http://a.test/m</url>`},
		{"an entry that is not closed", `<url><loc>http://a.test/m</loc>`},
		{"an empty tag name", `< ><url><loc>http://a.test/m</loc></url>`},
		{"an attribute without quotes", `<url id=5><loc>http://a.test/m</loc></url>`},
		{"an attribute without a value", `<url x><loc>http://a.test/m</loc></url>`},
		{"an attribute twice", `<url x="1" x="2"><loc>http://a.test/m</loc></url>`},
		{"an attribute that does not end", `<url><loc x="1>http://a.test/m</loc></url>`},
		{"a prefix that is not declared", `<url><image:image><image:loc>/i.png</image:loc></image:image></url>`},
		{"dashes in a comment", `<!-- a -- b --><url><loc>http://a.test/m</loc></url>`},
		{"a control character", "<url><loc>http://a.test/m\x02</loc></url>"},
		{"bytes of another encoding", "<url><loc>http://a.test/\xe9</loc></url>"},
		{"the end of CDATA", `]]><url><loc>http://a.test/m</loc></url>`},
		{"a declaration in the middle", `<?xml version="1.0"?><!DOCTYPE x><url><loc>http://a.test/m</loc></url>`},
		{"no address", `<url><loc>http://[a.test/</loc></url>`},
		{"an address with words", `<url><loc>see below</loc><lastmod>x</lastmod></url>`},
		{"a whole page", `<!DOCTYPE html><html><p>Error<br>&copy;</html>`},
	} {
		body := `<?xml version="1.0"?><urlset><url><loc>http://a.test/before</loc></url>` + tc.flaw +
			`<url><loc>http://a.test/after</loc></url><url><loc>http://a.test/last</loc></url></urlset>`
		page := read(t, body, "Content-Type", "application/xml")
		got := brief(page.Links)
		for _, want := range []string{"/before", "/after", "/last"} {
			if !strings.Contains(got, want) {
				t.Errorf("%s: %s", tc.name, got)
				break
			}
		}
	}
}

// TestFlawsInLinesOfURLs is TestFlawsInSitemaps for plain text.
func TestFlawsInLinesOfURLs(t *testing.T) {
	for _, flaw := range []string{
		"# a comment", "hello", "http://a.test/x 2024-01-01", "ftp://a.test/x", "http://[a.test/", "\x1b[0m", "\xff\xfe",
		"<url>", "/relative", "http://", "\ufeff", "\u00a0", "\t", "--", "http://a.test/" + strings.Repeat("x", 9000),
		"www.a.test/x", "mailto:x@a.test", `"http://a.test/x"`, "http://a.test/x,http://a.test/y", "\x0c",
	} {
		for _, end := range []string{"\n", "\r\n"} {
			lines := []string{"http://a.test/before", "http://a.test/second", flaw, "http://a.test/after", "http://a.test/last"}
			resp := response("http://a.test/sitemap.txt", "Content-Type", "text/plain")
			resp.Request.Purpose = orbweaver.ForSitemap
			page, err := NewReader(Options{}).Read(context.Background(), resp, []byte(strings.Join(lines, end)))
			if got := brief(page.Links); err != nil || !strings.HasPrefix(got, "/before, /second, ") || !strings.HasSuffix(got, "/after, /last") {
				t.Errorf("%.40q: %.99s, %v", flaw, got, err)
			}
		}
	}
}

// TestFlawsInFeeds is TestFlawsInSitemaps for RSS and Atom.
func TestFlawsInFeeds(t *testing.T) {
	for _, tc := range []struct{ name, flaw string }{
		{"a bare ampersand", `<ITEM><title>R&D at M&S</title></ITEM>`},
		{"an entity of HTML", `<ITEM><title>a&nbsp;b&eacute;</title></ITEM>`},
		{"an entity twice escaped", `<ITEM><title>R&amp;amp;D</title></ITEM>`},
		{"a reference without a semicolon", `<ITEM><title>&#65 a</title></ITEM>`},
		{"a tag of HTML", `<ITEM><title>a <br> b</title></ITEM>`},
		{"a tag that does not end", `<ITEM><title>a</title><guid </ITEM>`},
		{"a bracket", `<ITEM><title>a < b, a<b</title></ITEM>`},
		{"an end tag that closes nothing", `</p></guid><ITEM><title>a</title></ITEM>`},
		{"an element that is not closed", `<ITEM><title>a</ITEM>`},
		{"an item that is not closed", `<ITEM><title>a</title>`},
		{"an attribute without quotes", `<ITEM id=5><title>a</title></ITEM>`},
		{"an attribute without a value", `<ITEM x><title>a</title></ITEM>`},
		{"an attribute that does not end", `<ITEM><title x="1>a</title></ITEM>`},
		{"a prefix that is not declared", `<ITEM><u:creator>x</u:creator></ITEM>`},
		{"dashes in a comment", `<!-- a -- b --><ITEM><title>a</title></ITEM>`},
		{"a control character", "<ITEM><title>a\x02b\x0b</title></ITEM>"},
		{"bytes of another encoding", "<ITEM><title>\xe9</title></ITEM>"},
		{"the end of CDATA", `<ITEM><title>a ]]> b</title></ITEM>`},
		{"CDATA within CDATA", `<ITEM><title><![CDATA[a <![CDATA[b]]> c]]></title></ITEM>`},
		{"no date", `<ITEM><title>a</title><pubDate>soon</pubDate><updated>2024-99-99</updated></ITEM>`},
		{"no address", `<ITEM><title>a</title><link>http://[a</link><link href="http://[a"/></ITEM>`},
	} {
		for _, feed := range []struct{ item, start, link, end string }{
			{"item", `<rss version="2.0"><channel><title>T</title>`, "<link>http://a.test/%</link>", "</channel></rss>"},
			{"entry", `<feed xmlns="http://www.w3.org/2005/Atom"><title>T</title>`, `<link href="http://a.test/%"/>`, "</feed>"},
		} {
			item := func(to string) string {
				return "<" + feed.item + "><title>" + to + "</title>" + strings.ReplaceAll(feed.link, "%", to) + "</" + feed.item + ">"
			}
			body := feed.start + item("before") + strings.ReplaceAll(tc.flaw, "ITEM", feed.item) + item("after") + item("last") + feed.end
			got := brief(read(t, body, "Content-Type", "application/xml").Links)
			for _, want := range []string{"/before", "/after", "/last"} {
				if !strings.Contains(got, want) {
					t.Errorf("%s of %s: %s", tc.name, feed.item, got)
					break
				}
			}
		}
	}
}
