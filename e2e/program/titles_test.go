//go:build e2e

package program_test

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// hostileTitles are titles that would steer a terminal, a browser, or a spreadsheet.
func hostileTitles() []string {
	return []string{
		"\x1b]0;taken over\x07\x1b[31mAirplane <script>alert(1)</script>\u202egnp.exe\u2066 \u009b31m <img src=x onerror=alert(2)> " + strings.Repeat("W", 5000),
		"=HYPERLINK(\"http://x\")\u202e\x1b[2J\r\nout: nothing waits after 0 requests",
		"</title></bdi></table><svg onload=alert(3)>\x00\b\b\b",
	}
}

// hostileArchive writes an archive of a page for each title, which links to the next with that title and to an address with
// escapes in it.
func hostileArchive(t *testing.T, path string) {
	t.Helper()
	var out strings.Builder
	for i, title := range hostileTitles() {
		plain := strings.ReplaceAll(title, "<", "&lt;")
		html := fmt.Sprintf("<html><head><meta charset=utf-8><title>%s</title></head><body><h1>%s</h1><p>airplane aircraft airplane <a href='/%d'>airplane %s</a> <a href='/gone\x1b[31m\u202e'>airplane</a></body></html>", plain, plain, i+1, plain)
		answer := fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: %d\r\n\r\n%s", len(html), html)
		fmt.Fprintf(&out, "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-00000000000%d>\r\nWARC-Target-URI: http://evil.test/%d\r\nWARC-Date: 2020-01-01T00:00:00Z\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", i, i, len(answer), answer)
	}
	write(t, path, out.String())
}

// controls reports whether a text has what a terminal obeys or what turns the direction of text around.
func controls(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool {
		return r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
	})
}

// TestHostileTitles: no verb prints to a terminal, and no report contains, what titles and addresses of pages try to do.
func TestHostileTitles(t *testing.T) {
	t.Parallel()
	folder := withExamples(t)
	hostileArchive(t, filepath.Join(folder, "evil.warc"))
	const head = "seeds: [http://evil.test/0]\nweb: {archive: evil.warc}\narchive: on\n"
	write(t, filepath.Join(folder, "k.yaml"), head+"focus: {keyword: {terms: [airplane, aircraft]}}\noutput: k\n")
	write(t, filepath.Join(folder, "o.yaml"), head+"focus: {ontology: {files: examples/aircraft.ttl, target: 'http://orbweaver.example/aircraft#Airplane'}}\noutput: o\n")
	write(t, filepath.Join(folder, "cmp.yaml"), "seeds: [http://evil.test/0]\nweb: {archive: evil.warc}\ntruth: {keywords: [airplane]}\nruns:\n  - {name: first, focus: {breadth_first: {}}}\n  - {name: words, focus: {keyword: {terms: [airplane]}}}\noutput: cmp\n")
	for _, line := range [][]string{
		{"crawl", "k.yaml"}, {"crawl", "o.yaml"}, {"compare", "cmp.yaml"}, {"status", "k"}, {"pages", "k"}, {"pages", "o"}, {"search", "k", "airplane"}, {"search", "k", "a\x1b[31m"},
		{"explain", "k", "http://evil.test/0"}, {"explain", "o", "http://evil.test/1"}, {"explain", "k", "http://evil.test/gone\x1b[31m"}, {"report", "k"},
		{"judge", "k.yaml", "http://evil.test/2"}, {"judge", "o.yaml", "http://evil.test/0"}, {"suggestions", "o"}, {"query", "k", "SELECT * {?s ?p ?o}"},
		{"rate", "sample", "k", "-o", "sheet"}, {"krs", "build", "evil.warc", "--topic", "airplane", "-o", "krs"}, {"krs", "show", "krs"},
		{"lab", "labels", "train", "--stream", "evil.warc", "-o", "model"}, {"lab", "labels", "show", "model"}, {"add", "k", "http://evil.test/\x1b[31m"}, {"check", "k"},
		{"export", "k", "--format", "csv", "-o", "k.csv"},
	} {
		out, err := program(t, folder, line...).CombinedOutput()
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) || strings.Contains(string(out), "goroutine ") {
			t.Fatalf("%q: %v: %s", line, err, out)
		}
		long := line[0] != "query" && strings.Contains(string(out), strings.Repeat("W", 1000)) // a query has whole values
		if controls(string(out)) || long {
			t.Errorf("%q prints %.3000q", line, out)
		}
	}
	reports := 0
	err := filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
		if err == nil && (strings.HasSuffix(path, ".html") || strings.HasSuffix(path, ".svg")) && !strings.Contains(path, "examples") {
			text := string(read(t, path))
			reports++
			for _, bad := range []string{"<script>alert", "<img src=x", "<svg onload", "onerror=alert(2)>", strings.Repeat("W", 1000)} {
				if strings.Contains(text, bad) {
					t.Errorf("%s contains %q", path, bad)
				}
			}
			if controls(text) {
				t.Errorf("%s has control characters", path)
			}
		}
		return err
	})
	if err != nil || reports < 3 {
		t.Errorf("%d reports, %v", reports, err)
	}
	rows, err := csv.NewReader(strings.NewReader(string(read(t, filepath.Join(folder, "k.csv"))))).ReadAll()
	if err != nil || len(rows) < 3 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for _, row := range rows {
		for _, cell := range row {
			if strings.HasPrefix(cell, "=") || strings.ContainsAny(cell, "\x1b\a\r\n") {
				t.Errorf("a cell begins %.40q", cell)
			}
		}
	}
}
