//go:build e2e

package crawls_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/fetch/archive"
	"orbweaver/internal/apptest"
	"orbweaver/internal/realdata"
)

// rotten writes an archive like another one, in which each link of a page has four more beside it with the same text, to
// files that the archive lacks: 80 % of the links are dead, and their extensions tell.
func rotten(t *testing.T, from string) string {
	t.Helper()
	web, err := archive.OpenWeb([]string{from}, archive.WebOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer web.Close()
	anchor := regexp.MustCompile(`(?is)<a\s[^>]*href="([^"#]+)"[^>]*>(.{1,200}?)</a>`)
	extensions := []string{"ps", "pdf", "c", "dvi", "tar.gz", "Z", "ppt", "h"}
	var b bytes.Buffer
	n := 0
	for e := range web.All() {
		r, err := web.Fetch(t.Context(), orbweaver.Request{URL: e.URL})
		if err != nil {
			continue
		}
		body, err := io.ReadAll(r.Body)
		if r.Body.Close(); err != nil || r.Header.Get("Content-Encoding") != "" {
			continue
		}
		if r.Status == 200 && strings.Contains(e.MediaType, "html") {
			body = anchor.ReplaceAllFunc(body, func(link []byte) []byte {
				m := anchor.FindSubmatch(link)
				out := append([]byte{}, link...)
				to, _, _ := strings.Cut(string(m[1]), "?")
				if strings.HasPrefix(to, "http") && strings.Count(strings.TrimRight(to, "/"), "/") < 3 {
					to += "/index" // of a host
				}
				for range 4 {
					n++
					out = fmt.Appendf(out, ` <a href="%s-%d.%s">%s</a>`, strings.TrimRight(strings.TrimSuffix(to, path.Ext(to)), "/"), n, extensions[n%len(extensions)], m[2])
				}
				return out
			})
		}
		message := fmt.Sprintf("HTTP/1.1 %d X\r\nContent-Type: %s\r\nLocation: %s\r\nContent-Length: %d\r\n\r\n%s", r.Status, r.Header.Get("Content-Type"), r.Header.Get("Location"), len(body), body)
		if r.Header.Get("Location") == "" {
			message = strings.Replace(message, "Location: \r\n", "", 1)
		}
		fmt.Fprintf(&b, "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: %s\r\nWARC-Date: 2026-01-01T00:00:00Z\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-%012x>\r\n"+
			"Content-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", e.URL, b.Len(), len(message), message)
	}
	path := filepath.Join(t.TempDir(), "rotten.warc")
	if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestFailing: on webs of which four of five links are dead, requests that go to kinds of URLs that never answer are a
// twentieth of all at most. docs/explanation/measurements.md has the figures.
func TestFailing(t *testing.T) {
	examples := filepath.Join(realdata.Root(t), "examples")
	webs := map[string]string{"demo web": fmt.Sprintf(`seeds: ["http://tidings.example/", "http://signpost.example/", "http://wayfarer.example/"]
web: {archive: %q}
focus: {ontology: {files: %q, target: "http://orbweaver.example/aircraft#Airplane"}}
limits: {requests: 500}
`, rotten(t, filepath.Join(examples, "demo.warc.gz")), filepath.Join(examples, "aircraft.ttl"))}
	if os.Getenv("ORBWEAVER_EFFECT") == "all" {
		webs["linked-data sites"] = fmt.Sprintf(`seeds: ["https://w3id.org/dpv/", "https://schema.org/docs/documents.html", "https://schema.org/docs/developers.html", "https://json-ld.org/primer/latest/", "https://json-ld.org/test-suite/", "https://json-ld.org/playground/"]
web: {archive: %q, robots: ignore}
scope: {hosts: [w3id.org, json-ld.org, schema.org]}
focus: {keyword: {terms: [privacy, "data protection", "personal data"]}}
limits: {requests: 500}
`, rotten(t, filepath.Join(realdata.Folder(t, "linked-data-sites.warc.gz"), "linked-data-sites.warc.gz")))
	}
	for name, head := range webs {
		var pages, wasted [2]int
		for i, key := range []string{"failing: ranked\n", "failing: last\n"} {
			_, journal := apptest.CrawlIn(t, t.TempDir(), head+"explore: 0\n"+key)
			pages[i], wasted[i] = wastedIn(t, journal)
		}
		t.Logf("%s: pages %v, requests for files that never answer %v", name, pages, wasted)
		if all := pages[1] + wasted[1]; wasted[1]*20 > all || pages[1] <= pages[0] {
			t.Errorf("%s: %d of %d requests were wasted; pages %v", name, wasted[1], all, pages)
		}
	}
}

// wastedIn counts the pages of a crawl, and the requests for what a rotten web lacks.
func wastedIn(t *testing.T, journal []byte) (pages, wasted int) {
	t.Helper()
	dead := regexp.MustCompile(`-[0-9]+\.(ps|pdf|c|dvi|tar\.gz|Z|ppt|h)$`)
	for line := range bytes.Lines(journal) {
		var p struct {
			URL, Error string
		}
		if err := json.Unmarshal(line, &p); err != nil {
			t.Fatal(err)
		}
		if p.Error == "" {
			pages++
		} else if dead.MatchString(p.URL) {
			wasted++
		}
	}
	return pages, wasted
}
