package archive

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestFlaws: a flaw in the middle of a file loses no record before or after it. See TestBadRecord for what is told.
func TestFlaws(t *testing.T) {
	const date = "2020-01-01T00:00:00Z"
	record := func(n int) string {
		return plainRecord("response", fmt.Sprintf("http://a.test/%d", n), date, "", fmt.Sprintf("HTTP/1.1 200 OK\n\nbody %d", n))
	}
	as := func(old, as string) string { return strings.Replace(record(2), old, as, 1) }
	block := func(block string) string { return plainRecord("response", "http://a.test/2", date, "", block) }
	for _, tc := range []struct{ name, flaw string }{
		{"no date", as("WARC-Date: "+date+"\r\n", "")},
		{"a date that is none", as(date, "yesterday")},
		{"no URL", as("WARC-Target-URI: http://a.test/2\r\n", "")},
		{"a URL that is none", as("http://a.test/2", "http://[a")},
		{"a URL in brackets", as("http://a.test/2", "<http://a.test/2>")},
		{"a URL with a blank", as("http://a.test/2", "http://a.test/2 3")},
		{"no type", as("WARC-Type: response\r\n", "")},
		{"an unknown type", as("response", "answer")},
		{"no length", as("Content-Length: ", "X-Length: ")},
		{"a length that is too short", as("Content-Length: 2", "Content-Length: ")},
		{"a length that is too long", as("Content-Length: 2", "Content-Length: 4")},
		{"a length below zero", as("Content-Length: ", "Content-Length: -")},
		{"a field without a colon", as("WARC-Date", "hello\r\nWARC-Date")},
		{"a field twice", as("WARC-Date: ", "WARC-Date: "+date+"\r\nWARC-Date: ")},
		{"an unknown version", as("WARC/1.1", "WARC/9.9")},
		{"no line ends behind", strings.TrimRight(record(2), "\r\n")},
		{"one line end behind", strings.TrimRight(record(2), "\r\n") + "\r\n"},
		{"line ends too many", record(2) + "\r\n\r\n\r\n"},
		{"line ends of Unix", strings.ReplaceAll(record(2), "\r\n", "\n")},
		{"junk", record(2) + "junk"},
		{"zeros", record(2) + strings.Repeat("\x00", 600)},
		{"an empty block", block("")},
		{"a head that does not end", block("HTTP/1.1 200 OK\r\nA: b")},
		{"a head line without a colon", block("HTTP/1.1 200 OK\r\nhello\r\nA: b\r\n\r\nx")},
		{"a status that is none", block("HTTP/1.1 OK\r\n\r\nx")},
		{"a block that is no HTTP", block("<html>x")},
		{"a damaged coding", block("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n\x1f\x8bx")},
		{"the end of the record", record(2)[:60]},
		{"a record in a record", block("HTTP/1.1 200 OK\r\n\r\n" + record(4))},
	} {
		for form, content := range map[string][]byte{
			"plain":  []byte(record(1) + tc.flaw + record(3) + record(5)),
			"zipped": bytes.Join([][]byte{zipped(record(1)), zipped(tc.flaw), zipped(record(3)), zipped(record(5))}, nil),
		} {
			w := openWeb(t, writeFile(t, content))
			var got []string
			for e := range w.All() {
				if _, body := fetch(t, w, e.URL); string(body) == "body "+e.URL[len("http://a.test/"):] {
					got = append(got, e.URL[len("http://a.test/"):])
				}
			}
			slices.Sort(got)
			if all := strings.Join(got, " "); all != "1 3 5" && all != "1 2 3 5" {
				t.Errorf("%s, %s: %v, %d damaged: %q", tc.name, form, got, w.Damaged(), w.Warnings())
			}
		}
	}
}
