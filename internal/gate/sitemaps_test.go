package gate

import (
	"strings"
	"testing"

	"orbweaver/fetch/robots"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/step"
)

// TestSitemapsOfRobotsFiles: they may be relative, lack the scheme, or be bytes that are no UTF-8.
func TestSitemapsOfRobotsFiles(t *testing.T) {
	g, err := New(crawlfile.Scope{}, nil, true, "orbweaver")
	if err != nil {
		t.Fatal(err)
	}
	g.wanted = nil
	file := "Sitemap: /a.xml\nSitemap: b.xml\nSitemap: //c.test/c.xml\nSitemap: a.test:81/d.xml\n" +
		"Sitemap: HTTPS://E.test/e.xml\nSitemap: /\xe9.xml\nSitemap: ftp://a.test/f.xml\nSitemap: /a.xml\nSitemap: not one\nSitemap:"
	g.Answer("http://a.test:81", robots.MaxHops, &step.Response{Status: 200}, []byte(file), nil)
	want := "http://a.test:81/a.xml http://a.test:81/b.xml http://c.test/c.xml http://a.test:81/d.xml https://e.test/e.xml http://a.test:81/%E9.xml"
	if got := strings.Join(g.Sitemaps(), " "); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
