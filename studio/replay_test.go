package studio_test

import (
	htmltext "html"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"orbweaver/studio"
)

// TestArchivedPages: a page of a crawl is shown as it was archived, in a frame of another origin, to who was shown its address alone;
// there it has no rights, and only pages of its crawl.
func TestArchivedPages(t *testing.T) {
	c := newClient(t, serve(t, studio.Options{}))
	_, _, page := c.send("GET", "/", "", "Accept: text/html")
	token := regexp.MustCompile(`name="csrf" content="([^"]+)"`).FindStringSubmatch(page)
	if token == nil {
		t.Fatal("no token")
	}
	form := "csrf=" + token[1]
	if status, _, text := c.send("POST", "/demo", form, "Content-Type: application/x-www-form-urlencoded", "Origin: http://"+c.addr); status != http.StatusSeeOther {
		t.Fatalf("%d: %s", status, text)
	}
	const url = "http://skylines.example/types/a320.html"
	var frame []string
	for frame == nil { // until the crawl has it
		_, _, page = c.send("GET", "/crawls/aircraft/page?url="+url, "", "Accept: text/html")
		frame = regexp.MustCompile(`<iframe class="replay" src="(http://127\.0\.0\.1:\d+)(/web/(\d{14})/[^"]+)" sandbox=""`).FindStringSubmatch(page)
	}
	_, header, _ := c.send("GET", "/", "", "Accept: text/html")
	if policy := header.Get("Content-Security-Policy"); !strings.Contains(policy, "frame-src "+frame[1]+";") || frame[1] == "http://"+c.addr {
		t.Errorf("frames of %s by the policy %s", frame[1], policy)
	}
	other := &client{t, strings.TrimPrefix(frame[1], "http://"), c.http}
	status, header, text := other.send("GET", htmltext.UnescapeString(frame[2]), "", "Sec-Fetch-Site: same-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: iframe")
	if status != http.StatusOK || !strings.Contains(text, "Airbus A320") || !strings.HasPrefix(header.Get("Content-Security-Policy"), "sandbox ") {
		t.Errorf("the page: %d, %v: %.200s", status, header, text)
	}
	if !strings.Contains(text, "/web/"+frame[3]+"/http://skylines.example/") {
		t.Error("its links lead elsewhere")
	}
	for path, want := range map[string]int{
		"/web/12345678901234/" + url: http.StatusNotFound, "/web/" + url: http.StatusNotFound, "/": http.StatusNotFound, "/api/v1/crawls": http.StatusNotFound,
		"/web/" + frame[3] + "/http://nowhere.example/": http.StatusNotFound, "/web/" + frame[3] + "/http://file/etc/passwd": http.StatusNotFound,
	} {
		if status, _, text := other.send("GET", path, ""); status != want || strings.Contains(text, "root:") {
			t.Errorf("%s: %d, want %d: %.100s", path, status, want, text)
		}
	}
}
