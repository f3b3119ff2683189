package page

import (
	"context"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"orbweaver"
	"orbweaver/weburl"
)

func FuzzRead(f *testing.F) {
	for _, seed := range []struct{ contentType, coding, body string }{
		{"text/html", "", "<html lang=en><title>a</title><base href=/b/><p>c <a href=d rel=x>e</a><svg><path></svg><table><td>f"},
		{"application/xhtml+xml", "", "<?xml version='1.0'?><html><script/><title/><p>a<![CDATA[b]]></p><a href='c'/></html>"},
		{"text/html; charset=utf-16", "", "<p>a"},
		{"text/html", "deflate", "<p hidden>a<br><br>&amp;&#x41;&notit;"},
		{"text/html", "br", "<li>a<li><iframe src=x>"},
		{"text/plain", "", "a\n\nb"},
		{"text/turtle", "", "@prefix a: <http://a.test/>. a:b a:c \"d\"@en, a:e ."},
		{"application/rdf+xml", "", "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><rdf:Description rdf:about='x'/></rdf:RDF>"},
		{"application/n-triples", "gzip", "<http://a.test/> <http://b.test/> <http://c.test/> ."},
		{"", "", "{\"@context\": {}}"},
	} {
		f.Add(seed.contentType, seed.coding, []byte(seed.body))
	}
	reader := NewReader(Options{MaxBody: 1 << 16, MaxLinks: 100, MaxText: 1 << 16})
	f.Fuzz(func(t *testing.T, contentType, coding string, body []byte) {
		before := string(body)
		page, err := reader.Read(context.Background(), response("http://a.test/d/p", "Content-Type", contentType, "Content-Encoding", coding), body)
		if string(body) != before {
			t.Fatal("the payload was changed")
		}
		if errors.Is(err, orbweaver.ErrUnreadable) {
			t.Fatal(err) // a panic inside
		}
		if err == nil {
			checkPage(t, page)
		}
	})
}

// checkPage holds a page against what its fields promise.
func checkPage(t *testing.T, page *orbweaver.Page) {
	t.Helper()
	if page.Quads == nil && !utf8.ValidString(page.Text+page.Title) {
		t.Errorf("text is not UTF-8: %q, %q", page.Title, page.Text)
	}
	if strings.HasPrefix(page.Text, "\n") || strings.HasSuffix(page.Text, "\n") || strings.Contains(page.Text, "\n\n\n") {
		t.Errorf("blocks are not parted by one blank line: %q", page.Text)
	}
	if len(page.Links) > 100 {
		t.Errorf("%d links", len(page.Links))
	}
	for _, l := range page.Links {
		if to, err := weburl.Canonical(l.To); err != nil || to != l.To || to == page.URL || l.Origin == "" {
			t.Errorf("link %+v", l)
		}
		if strings.ContainsAny(l.Anchor+l.Context, "\n\t") {
			t.Errorf("anchor %q, context %q", l.Anchor, l.Context)
		}
	}
}
