package studio_test

import (
	"crypto/tls"
	"encoding/json"
	htmltext "html"
	"io"
	"net/http"
	"net/http/httptest"
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

// TestArchivedPagesSecure: a studio with TLS, and a token, shows archived pages in frames with TLS, too.
func TestArchivedPagesSecure(t *testing.T) {
	other := httptest.NewTLSServer(http.NotFoundHandler()) // its certificate is for 127.0.0.1
	defer other.Close()
	const token = "a token of sixteen"
	addr := "https://" + serve(t, studio.Options{Token: token, TLS: &tls.Config{Certificates: other.TLS.Certificates, MinVersion: tls.VersionTLS12}})
	ask := func(method, url string) (int, string) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), method, url, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(url, addr) {
			r.Header.Set("Authorization", "Bearer "+token)
		}
		response, err := other.Client().Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		text, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		return response.StatusCode, string(text)
	}
	if status, text := ask("POST", addr+"/api/v1/demo"); status != http.StatusAccepted {
		t.Fatalf("%d %s", status, text)
	}
	var frame []string
	for frame == nil { // until the crawl has it
		_, page := ask("GET", addr+"/crawls/aircraft/page?url=http://skylines.example/types/a320.html")
		frame = regexp.MustCompile(`<iframe class="replay" src="(https://127\.0\.0\.1:\d+/web/\d{14}/[^"]+)" sandbox=""`).FindStringSubmatch(page)
	}
	if status, text := ask("GET", htmltext.UnescapeString(frame[1])); status != http.StatusOK || !strings.Contains(text, "Airbus A320") {
		t.Errorf("%d: %.200s", status, text)
	}
	var all struct{ Crawls []struct{ ID string } }
	if status, text := ask("GET", addr+"/api/v1/crawls"); status != http.StatusOK || json.Unmarshal([]byte(text), &all) != nil || len(all.Crawls) != 1 {
		t.Errorf("%d %s", status, text)
	}
}
