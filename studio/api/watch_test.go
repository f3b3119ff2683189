package api_test

import (
	"os"
	"path/filepath"
	"strings"
)

// watched asks for what a watch found, of a crawl that is not watched now.
func (d *desk) watched(want func(code int, method, path, kind, body string) []byte) {
	d.t.Helper()
	const line = `{"id":"8c5f","time":"2026-11-27T23:55:08Z","url":"http://tidings.example/","kind":"changed","title":"Tidings","before":{"accepted":true,"score":0.9},` +
		`"after":{"accepted":false,"score":0.1},"diff":"-Old.\n+New.\n"}` + "\n"
	if err := os.WriteFile(filepath.Join(d.dir, "crawls", "linked", "changes.jsonl"), []byte(line), 0o644); err != nil {
		d.t.Fatal(err)
	}
	if text := string(want(200, "GET", "/crawls/linked/visits", "", "")); !strings.Contains(text, `"upcoming":[]`) {
		d.t.Error(text)
	}
	if text := string(want(200, "GET", "/crawls/linked/changes", "", "")); !strings.Contains(text, `"kind":"changed"`) || !strings.Contains(text, "+New.") {
		d.t.Error(text)
	}
	if text := string(want(200, "GET", "/crawls/linked/changes.atom", "", "")); !strings.Contains(text, "http://tidings.example/") || !strings.Contains(text, "New.") {
		d.t.Error(text)
	}
	want(404, "GET", "/crawls/nobody/changes", "", "")
	if text := string(want(200, "GET", "/crawls/linked/logins", "", "")); !strings.Contains(text, `"logins":[]`) {
		d.t.Error(text)
	}
	if text := string(want(200, "GET", "/crawls/linked/stopping", "", "")); !strings.Contains(text, `"name":"requests"`) || !strings.Contains(text, `"bands":[`) {
		d.t.Error(text)
	}
}
