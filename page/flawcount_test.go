package page

import (
	"context"
	"fmt"
	"testing"

	"orbweaver/internal/step"
)

// TestFlawsAreCounted: what was wrong with a response is named and counted, and of one without flaws nothing is.
func TestFlawsAreCounted(t *testing.T) {
	const feed = `<rss version="2.0"><channel><title>T</title>%s<item><title>b</title><link>http://a.test/b</link></item></channel></rss>`
	const data = `<html><head><script type="application/ld+json">{"@context":{"name":"http://v.org/name"},%s}</script></head><p>a</p></html>`
	for _, tc := range []struct{ name, body, sound, mediaType, want string }{
		{"bytes that are no UTF-8", "<p>Grüße, größer, süßer \xe9 <p>und mehr", "<p>Grüße und mehr", "text/html; charset=utf-8", "map[bytes that are no text:1]"},
		{"half a pair in UTF-16", "\xff\xfea\x00\x00\xd8b\x00", "\xff\xfea\x00b\x00", "text/plain", "map[bytes that are no text:1]"},
		{"a sitemap with a break and no address", "<urlset><url><loc>http://[a/</loc></url><url <<loc/></url><url><loc>http://a.test/x</loc></url></urlset>",
			"<urlset><url><loc>http://a.test/x</loc></url></urlset>", "application/xml",
			"map[entries without a valid address:1 markup that is no XML:1]"},
		{"lines of a sitemap", "", "http://a.test/x\n", "text/plain", "map[]"},
		{"a feed with a break", fmt.Sprintf(feed, "<item><title>a</title><link <<</item>"), fmt.Sprintf(feed, ""), "application/rss+xml", "map[markup that is no XML:1]"},
		{"a feed without an address", fmt.Sprintf(feed, "<item><title>a</title><link>http://[a</link></item>"), fmt.Sprintf(feed, ""),
			"application/rss+xml", "map[entries without a valid address:1]"},
		{"a feed of JSON", `{"version":"https://jsonfeed.org/version/1.1","title":"a	b","items":[{"id":"1","title":"x","url":"/x"},]}`,
			`{"version":"https://jsonfeed.org/version/1.1","title":"a","items":[]}`, "application/feed+json", "map[JSON that is none:2]"},
		{"Turtle", "<http://a> <http://b> <http://c> .\n<http://a> <http://b .\nx:y x:y x:y .\n<http://a> <http://b> 1 .\n", "<http://a> <http://b> 1 .\n",
			"text/turtle", "map[mistakes in RDF:2]"},
		{"N-Triples", "<http://a> <http://b> <http://c> .\n<http://a> <b> .\n", "<http://a> <http://b> <http://c> .\n", "application/n-triples", "map[mistakes in RDF:1]"},
		{"a script", fmt.Sprintf(data, `"name":"a",`), fmt.Sprintf(data, `"name":"a"`), "text/html", "map[mistakes in embedded data:1]"},
	} {
		for body, want := range map[string]string{tc.body: tc.want, tc.sound: "map[]"} {
			page := read(t, body, "Content-Type", tc.mediaType)
			if err := NewReader(Options{}).Data(context.Background(), page, DataOptions{}); err != nil {
				t.Fatal(err)
			}
			if got := fmt.Sprint(page.Flaws); got != want {
				t.Errorf("%s: %s, not %s", tc.name, got, want)
			}
		}
	}
}

// TestFlawsOfDumps: mistakes in a packed dump count once, however often its statements are read.
func TestFlawsOfDumps(t *testing.T) {
	resp := response("http://a.test/d.nt.gz", "Content-Type", "application/gzip")
	sent := packed(t, "gzip", "<http://a> <http://b> <http://c> .\n<http://a> <b> .\n<http://a> <http://b> <http://d> .\n")
	page, err := NewReader(Options{MaxDump: 1 << 20}).Read(context.Background(), resp, sent)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for range page.Quads {
		n++
	}
	if got := fmt.Sprint(page.Flaws); got != "map[mistakes in RDF:1]" || n != 2 {
		t.Errorf("%s, %d statements", got, n)
	}
}

// TestFlawsOfAnswers: a damaged coding and lines of the head count too.
func TestFlawsOfAnswers(t *testing.T) {
	sent := packed(t, "gzip", "<p>some words in a row, and some more of them</p>")
	for _, tc := range []struct {
		body   []byte
		flawed int
		want   string
	}{
		{sent, 0, "map[]"},
		{sent[:len(sent)-6], 2, "map[content coding damaged:1 header lines that are none:2]"},
		{append(sent[:len(sent):len(sent)], "junk behind"...), 0, "map[content coding damaged:1]"},
	} {
		resp := response("http://a.test/", "Content-Type", "text/html", "Content-Encoding", "gzip")
		resp.Flawed = tc.flawed
		page, err := NewReader(Options{}).Read(context.Background(), resp, tc.body)
		if err != nil || fmt.Sprint(page.Flaws) != tc.want || step.FlawWords(page.Flaws) == "" != (tc.want == "map[]") {
			t.Errorf("%v (%s), not %s; %v", page.Flaws, step.FlawWords(page.Flaws), tc.want, err)
		}
	}
}
