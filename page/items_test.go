package page_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/internal/step"
	"orbweaver/page"
)

// TestItems: a page that only lists links has items, its menu left out; one with a text has none, however many links stand beside it.
func TestItems(t *testing.T) {
	var links strings.Builder
	for i := range 23 {
		fmt.Fprintf(&links, `<li><a href="/p/%d">Page number %d</a></li>`, i, i)
	}
	list := "<ul>" + links.String() + "</ul>"
	menu := `<nav><a href="/">Home</a> <a href="/shop">Shop</a></nav>`
	sentence := "<p>The lighthouse was built of granite, on a rock that the sea covers twice a day.</p>"
	for _, tc := range []struct {
		name, body string
		want       int
	}{
		{"a list", menu + "<h1>Lighthouses</h1><p>All of them.</p>" + list, 23},
		{"an article", menu + strings.Repeat(sentence, 10), 0},
		{"an article above a list", menu + strings.Repeat(sentence, 10) + list, 0},
		{"a few words", menu + "<p>Nothing here.</p>", 0},
		{"a list of teasers", strings.ReplaceAll(list, "</a>", "</a><p>"+sentence), 0},
	} {
		response := &step.Response{Request: orbweaver.Request{URL: "http://p.test/"}, Status: 200, Header: http.Header{"Content-Type": {"text/html"}}}
		p, err := page.NewReader(page.Options{}).Read(t.Context(), response, []byte("<html><body>"+tc.body+"</body></html>"))
		if err != nil || p.Items != tc.want {
			t.Errorf("%s: %d items, %v; want %d", tc.name, p.Items, err, tc.want)
		}
	}
}
