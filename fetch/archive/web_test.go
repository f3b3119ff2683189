package archive

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha1"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"orbweaver"
	"orbweaver/internal/realdata"
	"orbweaver/internal/step"
)

func openWeb(tb testing.TB, paths ...string) *Web {
	tb.Helper()
	w, err := OpenWeb(paths, WebOptions{TempDir: tb.TempDir()})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { w.Close() })
	return w
}

func fetch(tb testing.TB, w *Web, url string) (*step.Response, []byte) {
	tb.Helper()
	resp, err := w.Fetch(context.Background(), orbweaver.Request{URL: url})
	if err != nil {
		tb.Fatal(err)
	}
	return resp, readBody(tb, resp)
}

func readBody(tb testing.TB, resp *step.Response) []byte {
	tb.Helper()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		tb.Fatal(err)
	}
	if err := resp.Body.Close(); err != nil {
		tb.Fatal(err)
	}
	return body
}

// plainRecord writes a record the shortest way.
func plainRecord(kind, url, date, more, block string) string {
	return fmt.Sprintf("WARC/1.1\r\nWARC-Type: %s\r\nWARC-Target-URI: %s\r\nWARC-Date: %s\r\n%sContent-Length: %d\r\n\r\n%s\r\n\r\n",
		kind, url, date, more, len(block), block)
}

// zipped compresses each part as a member of its own.
func zipped(parts ...string) []byte {
	var b bytes.Buffer
	for _, part := range parts {
		z := gzip.NewWriter(&b)
		z.Write([]byte(part))
		z.Close()
	}
	return b.Bytes()
}

func writeFile(tb testing.TB, content []byte) string {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "test.warc")
	if err := os.WriteFile(path, content, 0o666); err != nil {
		tb.Fatal(err)
	}
	return path
}

func sha1Sum(b []byte) [sha1.Size]byte { return sha1.Sum(b) }

func TestRealWebs(t *testing.T) {
	for _, tc := range []struct {
		file                     string
		urls, ok, redirects, odd int
	}{
		{"wikispeedia.warc.gz", 4598, 4598, 0, 0},
		{"linked-data-sites.warc.gz", 6451, 4004, 2447, 0},
		{"iana.warc.gz", 43, 39, 4, 0},
	} {
		t.Run(tc.file, func(t *testing.T) {
			w := openWeb(t, realdata.File(t, tc.file))
			urls, ok, redirects, last := 0, 0, 0, ""
			for e := range w.All() {
				urls++
				if e.Status/100 == 2 {
					ok++
				}
				if e.Status/100 == 3 {
					redirects++
					if resp, _ := fetch(t, w, e.URL); resp.Header.Get("Location") == "" {
						t.Errorf("%s: a redirect without Location", e.URL)
					}
				}
				if e.URL <= last {
					t.Errorf("%s after %s", e.URL, last)
				}
				last = e.URL
			}
			if urls != tc.urls || ok != tc.ok || redirects != tc.redirects {
				t.Errorf("%d URLs, %d ok, %d redirects; want %d, %d, %d", urls, ok, redirects, tc.urls, tc.ok, tc.redirects)
			}
			if len(w.Warnings()) != tc.odd {
				t.Errorf("warnings: %q", w.Warnings())
			}
		})
	}
}

func TestEveryBodyHasTheDigestItWasArchivedWith(t *testing.T) {
	for _, file := range []string{"linked-data-sites.warc.gz", "iana.warc.gz"} {
		w := openWeb(t, realdata.File(t, file))
		for e := range w.All() {
			c, _ := w.index.find(e.URL, "")
			a, err := w.open(c)
			if err != nil {
				t.Fatal(err)
			}
			want := a.record.header.digest
			a.close()
			resp, body := fetch(t, w, e.URL)
			if got := digestOf(sha1Sum(body)); got != want {
				t.Errorf("%s: digest %s, want %s", e.URL, got, want)
			}
			if l := resp.Header.Get("Content-Length"); l != "" && l != fmt.Sprint(len(body)) {
				t.Errorf("%s: Content-Length %s of %d bytes", e.URL, l, len(body))
			}
			if resp.Header.Get("Transfer-Encoding") != "" {
				t.Errorf("%s: Transfer-Encoding left", e.URL)
			}
		}
	}
}

func TestRevisitsResolve(t *testing.T) {
	x := newIndexer()
	s, err := openSource(realdata.File(t, "iana.warc.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	if _, _, err := x.add(s, newRecord(), WebOptions{}); err != nil {
		t.Fatal(err)
	}
	revisits := 0
	for _, c := range x.captures {
		if c.revisit {
			revisits++
		}
	}
	if lost := x.resolve(); revisits != 123 || lost != 0 {
		t.Errorf("%d revisits, %d lost; want 123, 0", revisits, lost)
	}
}

// A web in which every way to say "as that one" occurs.
func TestRevisitReferences(t *testing.T) {
	const day1, day2 = "2020-01-01T00:00:00Z", "2020-01-02T00:00:00Z"
	original := plainRecord("response", "http://a.test/", day1,
		"WARC-Record-ID: <urn:x:1>\r\nWARC-Payload-Digest: sha1:ABC\r\n", "HTTP/1.1 200 OK\r\nX: old\r\nContent-Length: 4\r\n\r\nbody")
	for _, tc := range []struct{ name, url, refer, block, wantX string }{
		{"by record id", "http://b.test/", "WARC-Refers-To: <urn:x:1>\r\n", "HTTP/1.1 200 OK\r\nX: new\r\nContent-Length: 9\r\n\r\n", "new"},
		{"by address and date", "http://b.test/", "WARC-Refers-To-Target-URI: <http://a.test>\r\nWARC-Refers-To-Date: " + day1 + "\r\n", "HTTP/1.1 203\nX: new\n\n", "new"},
		{"by date alone, of the same address", "http://a.test/", "WARC-Refers-To-Date: " + day1 + "\r\n", "HTTP/1.1 200 OK\r\nX: new\r\n\r\n", "new"},
		{"by digest", "http://b.test/", "WARC-Payload-Digest: sha1:ABC\r\n", "HTTP/1.1 200 OK\r\nX: new\r\n\r\n", "new"},
		{"not modified: the old head", "http://a.test/", "WARC-Refers-To: <urn:x:1>\r\n", "HTTP/1.1 304 Not Modified\r\nX: new\r\n\r\n", "old"},
		{"no head: the old head", "http://b.test/", "WARC-Refers-To: <urn:x:1>\r\n", "", "old"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			again := plainRecord("revisit", tc.url, day2, tc.refer, tc.block)
			for _, content := range []string{original + again, again + original} {
				w := openWeb(t, writeFile(t, []byte(content)))
				resp, body := fetch(t, w, tc.url)
				if string(body) != "body" || resp.Header.Get("X") != tc.wantX || resp.Status/100 != 2 {
					t.Errorf("status %d, X %q, body %q", resp.Status, resp.Header.Get("X"), body)
				}
				if l := resp.Header.Get("Content-Length"); l != "" && l != "4" {
					t.Errorf("Content-Length %s", l)
				}
				if got := resp.At.Format("2006-01-02"); got != "2020-01-02" {
					t.Errorf("at %s", got)
				}
			}
		})
	}
	t.Run("of nothing", func(t *testing.T) {
		w := openWeb(t, writeFile(t, []byte(plainRecord("revisit", "http://b.test/", day2, "WARC-Refers-To: <urn:x:2>\r\n", ""))))
		_, err := w.Fetch(context.Background(), orbweaver.Request{URL: "http://b.test/"})
		if !errors.Is(err, orbweaver.ErrAbsent) || len(w.Warnings()) != 1 {
			t.Errorf("%v; warnings %q", err, w.Warnings())
		}
	})
}

func TestWhichCaptureWins(t *testing.T) {
	at := func(day int, status string) string {
		return plainRecord("response", "http://a.test/", fmt.Sprintf("2020-01-%02dT00:00:00Z", day), "",
			fmt.Sprintf("HTTP/1.1 %s\r\n\r\n%d", status, day))
	}
	for _, tc := range []struct {
		name    string
		records []string
		want    string
	}{
		{"the latest", []string{at(1, "200"), at(3, "200"), at(2, "200")}, "3"},
		{"an old success before a new failure", []string{at(1, "200 OK"), at(2, "404 Not Found")}, "1"},
		{"an old success before a new redirect", []string{at(2, "302 Found"), at(1, "200")}, "1"},
		{"the latest failure", []string{at(2, "500"), at(1, "404")}, "2"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := openWeb(t, writeFile(t, zipped(tc.records...)))
			if _, body := fetch(t, w, "http://a.test/"); string(body) != tc.want {
				t.Errorf("day %s, want %s", body, tc.want)
			}
		})
	}
}

func TestWaysToPackAFile(t *testing.T) {
	records := []string{
		plainRecord("warcinfo", "", "2020-01-01T00:00:00Z", "", "software: x\r\n"),
		plainRecord("response", "http://a.test/1", "2020-01-01T00:00:00Z", "", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"+strings.Repeat("one ", 50_000)),
		plainRecord("resource", "http://a.test/2", "2020-01-01T00:00:00Z", "Content-Type: text/turtle\r\n", "<a> <b> <c> ."),
		plainRecord("metadata", "http://a.test/1", "2020-01-01T00:00:00Z", "", "fetchTimeMs: 1"),
		plainRecord("response", "dns:a.test", "2020-01-01T00:00:00Z", "Content-Type: text/dns\r\n", "a.test. IN A 127.0.0.1"),
		plainRecord("response", "http://a.test/3", "2020-01-01T00:00:00Z", "", "HTTP/1.1 200 OK\n\nthree"),
	}
	all := strings.Join(records, "")
	for _, tc := range []struct {
		name    string
		content []byte
		exact   bool // refs can be read as they stand
	}{
		{"a member a record", zipped(records...), true},
		{"not compressed", []byte(all), true},
		{"compressed as a whole", zipped(all), false},
		{"compressed in pieces of several", zipped(strings.Join(records[:2], ""), strings.Join(records[2:], "")), false},
		{"with members of nothing", zipped(slices.Insert(slices.Clone(records), 2, "", "\r\n")...), true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := openWeb(t, writeFile(t, tc.content))
			for url, want := range map[string]string{
				"http://a.test/1": strings.Repeat("one ", 50_000), "http://a.test/2": "<a> <b> <c> .", "http://a.test/3": "three",
			} {
				resp, body := fetch(t, w, url)
				if string(body) != want || resp.Status != 200 {
					t.Errorf("%s: %d, %d bytes, want %d", url, resp.Status, len(body), len(want))
				}
			}
			got := slices.Collect(w.All())
			want := []Entry{{"http://a.test/1", 200, "text/html"}, {"http://a.test/2", 200, "text/turtle"}, {"http://a.test/3", 200, ""}}
			if !slices.Equal(got, want) {
				t.Errorf("entries %v", got)
			}
			if len(w.Warnings()) != 0 {
				t.Errorf("warnings %q", w.Warnings())
			}
		})
	}
}

func TestTheCopyIsRemoved(t *testing.T) {
	temp := t.TempDir()
	record := plainRecord("response", "http://a.test/", "2020-01-01T00:00:00Z", "", "HTTP/1.1 200 OK\n\n")
	path := writeFile(t, zipped(record+record))
	w, err := OpenWeb([]string{path}, WebOptions{TempDir: temp})
	if err != nil {
		t.Fatal(err)
	}
	if left, _ := os.ReadDir(temp); len(left) != 1 {
		t.Errorf("%d copies while open", len(left))
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	if left, _ := os.ReadDir(temp); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
	_, err = OpenWeb([]string{path}, WebOptions{TempDir: temp, MaxSpill: 200})
	if !errors.Is(err, orbweaver.ErrTooLarge) {
		t.Errorf("a copy over the limit: %v", err)
	}
	if left, _ := os.ReadDir(temp); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestCutAnywhereIsAWarning(t *testing.T) {
	first := plainRecord("response", "http://a.test/1", "2020-01-01T00:00:00Z", "", "HTTP/1.1 200 OK\n\none")
	second := plainRecord("response", "http://a.test/2", "2020-01-01T00:00:00Z", "", "HTTP/1.1 200 OK\n\ntwo")
	for name, pack := range map[string]func(...string) []byte{
		"zipped": zipped, "plain": func(s ...string) []byte { return []byte(strings.Join(s, "")) },
	} {
		t.Run(name, func(t *testing.T) {
			start, whole := len(pack(first)), pack(first, second)
			ends := 0
			if name == "plain" {
				ends = 4 // without its last line ends the record is whole
			}
			for n := start + 1; n < len(whole)-ends; n++ {
				w := openWeb(t, writeFile(t, whole[:n]))
				_, body := fetch(t, w, "http://a.test/1")
				if got := len(slices.Collect(w.All())); got != 1 || len(w.Warnings()) != 1 || string(body) != "one" {
					t.Fatalf("cut at %d of %d: %d entries, warnings %q", n, len(whole), got, w.Warnings())
				}
			}
		})
	}
}

func TestNoWARC(t *testing.T) {
	for _, tc := range []struct {
		name    string
		content []byte
		says    string
	}{
		{"nothing", nil, "no WARC"},
		{"a page", []byte("<!doctype html><title>x</title>"), "at byte 0"},
		{"a zipped page", zipped("<!doctype html><title>x</title>"), "at byte 0"},
		{"line ends", []byte("\r\n\r\n"), "at byte 0"},
		{"an ARC file of nothing", []byte("filedesc://a.arc and more\n"), "not an ARC record"},
		{"a ZIP file without archives", []byte("PK\x05\x06" + strings.Repeat("\x00", 18)), "at byte 0"},
		{"a ZIP file that breaks off", []byte("PK\x03\x04 and so on"), "zip"},
		{"a negative length", []byte("WARC/1.0\r\nContent-Length: -1\r\n\r\n"), "Content-Length"},
		{"no length", []byte("WARC/1.0\r\n\r\n"), "Content-Length"},
		{"an endless header", []byte("WARC/1.0\r\nX: " + strings.Repeat("x", 2<<20)), "header over"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := OpenWeb([]string{writeFile(t, tc.content)}, WebOptions{})
			if !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), tc.says) || !strings.Contains(err.Error(), "test.warc") {
				t.Errorf("got %v, which should say %q", err, tc.says)
			}
		})
	}
	for _, path := range []string{filepath.Join(t.TempDir(), "none"), t.TempDir()} {
		if _, err := OpenWeb([]string{path}, WebOptions{}); !errors.Is(err, orbweaver.ErrInput) {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func TestTransferCodingAndLength(t *testing.T) {
	for _, tc := range []struct{ name, head, block, want, length string }{
		{"chunks", "Transfer-Encoding: chunked", "3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n", "abcde", ""},
		{"chunked said of plain bytes", "Transfer-Encoding: chunked\r\nContent-Length: -1", "<html>", "<html>", "6"},
		{"chunked said of text like a chunk", "Transfer-Encoding: chunked", "10\r\nshort", "10\r\nshort", ""},
		{"chunked said of text with a number", "Transfer-Encoding: chunked", "3\r\nabcd and so on", "3\r\nabcd and so on", ""},
		{"chunks that nobody announced", "X: y", "3\r\nabc\r\n0\r\n\r\n", "3\r\nabc\r\n0\r\n\r\n", ""},
		{"a length that is too long", "Content-Length: 100", "abc", "abc", "3"},
		{"a length that is too short", "Content-Length: 1", "abc", "abc", "3"},
		{"a content coding stays", "Content-Encoding: gzip", "\x1f\x8b", "\x1f\x8b", ""},
		{"no body", "Transfer-Encoding: chunked", "", "", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := openWeb(t, writeFile(t, zipped(plainRecord("response", "http://a.test/", "2020-01-01T00:00:00Z", "",
				"HTTP/1.1 200 OK\r\n"+tc.head+"\r\n\r\n"+tc.block))))
			resp, body := fetch(t, w, "http://a.test/")
			if string(body) != tc.want || resp.Header.Get("Content-Length") != tc.length {
				t.Errorf("body %q, Content-Length %q", body, resp.Header.Get("Content-Length"))
			}
		})
	}
}

func TestBodyLimit(t *testing.T) {
	chunks := strings.Repeat("4\r\nabcd\r\n", 5) + "0\r\n\r\n"
	path := writeFile(t, zipped(
		plainRecord("response", "http://a.test/fits", "2020-01-01T00:00:00Z", "", "HTTP/1.1 200 OK\n\n0123456789"),
		plainRecord("response", "http://a.test/over", "2020-01-01T00:00:00Z", "", "HTTP/1.1 200 OK\n\n0123456789a"),
		plainRecord("response", "http://a.test/chunks", "2020-01-01T00:00:00Z", "", "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n"+chunks)))
	w, err := OpenWeb([]string{path}, WebOptions{MaxBody: 10})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if _, body := fetch(t, w, "http://a.test/fits"); len(body) != 10 {
		t.Errorf("%d bytes", len(body))
	}
	if _, err := w.Fetch(context.Background(), orbweaver.Request{URL: "http://a.test/over"}); !errors.Is(err, orbweaver.ErrTooLarge) {
		t.Errorf("over: %v", err)
	}
	resp, err := w.Fetch(context.Background(), orbweaver.Request{URL: "http://a.test/chunks"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadAll(resp.Body); !errors.Is(err, orbweaver.ErrTooLarge) {
		t.Errorf("chunks: %v", err)
	}
	resp.Body.Close()
}

func TestManyFetchAtOnce(t *testing.T) {
	w := openWeb(t, realdata.File(t, "iana.warc.gz"))
	want := map[string]string{}
	for e := range w.All() {
		_, body := fetch(t, w, e.URL)
		want[e.URL] = digestOf(sha1Sum(body))
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for e := range w.All() {
				if _, body := fetch(t, w, e.URL); digestOf(sha1Sum(body)) != want[e.URL] {
					t.Errorf("%s differs", e.URL)
				}
			}
		})
	}
	wg.Wait()
}

func BenchmarkScan(b *testing.B) {
	path := realdata.File(b, "wikispeedia.warc.gz")
	for b.Loop() {
		w := openWeb(b, path)
		b.SetBytes(w.sources[0].size)
		w.Close()
	}
}

func BenchmarkFetch(b *testing.B) {
	w := openWeb(b, realdata.File(b, "wikispeedia.warc.gz"))
	urls := slices.Collect(w.All())
	buf, n := make([]byte, 1<<20), 0
	for b.Loop() {
		resp, err := w.Fetch(context.Background(), orbweaver.Request{URL: urls[n*7919%len(urls)].URL})
		if err != nil {
			b.Fatal(err)
		}
		got, _ := io.ReadFull(resp.Body, buf)
		resp.Body.Close()
		b.SetBytes(int64(got))
		n++
	}
}
