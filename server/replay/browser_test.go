package replay

import (
	"maps"
	"net/http"
	"slices"
	"testing"

	"orbweaver/page"
	"orbweaver/server/door/doortest"
)

// TestNoPageReadsReplay: in Chromium no page of another site reads the list of an archive or its pages, DNS rebinding included.
func TestNoPageReadsReplay(t *testing.T) {
	html := http.Header{"Content-Type": {"text/html"}}
	web := forged{"http://secret.test/": {html, "<p>secret"}, "http://secret.test/s.js": {http.Header{"Content-Type": {"text/javascript"}}, "1"}}
	s, err := New(web, Options{URLs: slices.Values(slices.Sorted(maps.Keys(web))), Decode: page.Decode})
	if err != nil {
		t.Fatal(err)
	}
	doortest.Browsed(t, listening(t, s), "/", "/web/http://secret.test/", "/web/http://secret.test/s.js")
}
