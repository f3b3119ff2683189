package pages

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// TestRemoved: pages are removed for good after a preview that changes nothing, and the record says so.
func TestRemoved(t *testing.T) {
	_, h := studio(t)
	const best = "/crawls/demo/page?url=http://skylines.example/types/a320.html"
	if _, _, page := answer(t, h, "GET", best, nil, nil); !strings.Contains(page, "Remove this page for good") {
		t.Fatalf("no way to remove it: %s", page)
	}
	asked := url.Values{"patterns": {"skylines.example"}, "reason": {"<script>alert(1)</script> asked"}}
	code, _, page := answer(t, h, "GET", "/crawls/demo/removed?"+asked.Encode(), nil, nil)
	if sound(t, page); code != http.StatusOK || !strings.Contains(page, "Remove for good") || !strings.Contains(page, "skylines.example/types/a320.html") {
		t.Fatalf("%d %s", code, page)
	}
	if _, _, page := answer(t, h, "GET", best, nil, nil); !strings.Contains(page, "It was fetched") {
		t.Fatal("a preview removes")
	}
	if _, _, page := answer(t, h, "GET", "/crawls/demo/removed?"+asked.Encode(), nil, func(r *http.Request) { r.Header.Set("Reader", "1") }); strings.Contains(page, "Remove for good") {
		t.Fatal("who may read alone is offered a removal")
	}
	if code, _, page := answer(t, h, "POST", "/crawls/demo/removed", asked, nil); code != http.StatusSeeOther {
		t.Fatalf("%d %s", code, page)
	}
	_, _, page = answer(t, h, "GET", "/crawls/demo/removed", nil, nil)
	if sound(t, page); strings.Contains(page, "<script>alert") || !strings.Contains(page, "asked") || strings.Contains(page, "not finished") {
		t.Fatalf("the record: %s", page)
	}
	if _, _, page := answer(t, h, "GET", best, nil, nil); !strings.Contains(page, "A person had it removed") || strings.Contains(page, "Airbus A320 - Skylines") {
		t.Fatalf("it is still there: %s", page)
	}
	for _, path := range []string{"/crawls/demo/results", "/crawls/demo/results?words=airbus", "/crawls/demo/map", "/crawls/demo"} {
		if code, _, page := answer(t, h, "GET", path, nil, nil); code != http.StatusOK || strings.Contains(page, "skylines.example/types") && !strings.Contains(path, "map") {
			t.Errorf("%s: %d, and the page is still there", path, code)
		}
	}
	child := "/crawls/demo/page?url=http://cockpit.example/"
	if _, _, page := answer(t, h, "GET", child, nil, nil); !strings.Contains(page, "a page that a person had removed from the crawl") || strings.Contains(page, "about:removed") {
		t.Errorf("how a page was reached from one that is removed: %s", page)
	}
	if code, head, _ := answer(t, h, "POST", "/crawls/demo/removed", url.Values{"patterns": {" "}}, nil); code != http.StatusSeeOther || head.Get("Set-Cookie") == "" {
		t.Fatal("no pattern is no error:", code)
	}
	if _, _, page := answer(t, h, "GET", "/crawls/demo/removed?patterns=/(/", nil, nil); !strings.Contains(page, "remove:") {
		t.Fatalf("a bad pattern: %s", page)
	}
}
