package page

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
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
		{"", "", tides(f)},
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

// FuzzRobots: whatever stands before, behind or beside it, a directive for our crawler holds.
func FuzzRobots(f *testing.F) {
	for _, seed := range []string{
		"", "otherbot: none", "unavailable_after: Wed, 03 Dec 2025 13:09:53 GMT", "Wednesday, 03-Dec-25 13:09:53 GMT",
		"otherbot: unavailable_after: 2025-12-03T13:09:53Z, noindex", "max-image-preview: none, max-snippet:-1", "a:b:c,*:", ",, : ,",
	} {
		f.Add(seed)
	}
	const agent = "orbweaver"
	read := func(values ...string) (noFollow, noIndex bool) {
		var page orbweaver.Page
		for _, value := range values {
			robots(&page, value, agent)
		}
		return page.NoFollow, page.NoIndex
	}
	f.Fuzz(func(t *testing.T, other string) {
		follow, index := read(other)
		for _, values := range [][]string{
			{other + ", OrbWeaver: nofollow"}, {"nofollow," + other}, {other + ",*:nofollow"}, {other, "nofollow"}, {"nofollow", other},
		} {
			noFollow, noIndex := read(values...)
			if !noFollow {
				t.Errorf("%q: nofollow is lost", values)
			}
			if noIndex != index {
				t.Errorf("%q: noindex %v, without nofollow %v", values, noIndex, index)
			}
		}
		if again, _ := read(strings.ToLower(other)); again != follow {
			t.Errorf("%q: case changes it", other)
		}
	})
}

// TestRobotsBehindDates: a date with commas, colons and words, in whatever form, ends at the next
// directive and names no crawler.
func TestRobotsBehindDates(t *testing.T) {
	at := time.Date(2025, 12, 3, 13, 9, 53, 0, time.UTC)
	for _, layout := range []string{
		time.ANSIC, time.UnixDate, time.RFC822, time.RFC822Z, time.RFC850, time.RFC1123, time.RFC1123Z, time.RFC3339, http.TimeFormat,
		"Monday, January 2, 2006 15:04:05 MST", "2 Jan 2006 15:04:05 MST",
	} {
		for _, form := range []string{"unavailable_after: %s, nofollow", "noarchive, unavailable_after:%s,nofollow", "orbweaver: unavailable_after: %s, nofollow"} {
			value := fmt.Sprintf(form, at.Format(layout))
			var page orbweaver.Page
			if robots(&page, value, "orbweaver"); !page.NoFollow || page.NoIndex {
				t.Errorf("%q: nofollow %v, noindex %v", value, page.NoFollow, page.NoIndex)
			}
		}
	}
}
