package archive

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"orbweaver"
)

// arcRecord is a record of an ARC file; more are the fields of version 2 before the length.
func arcRecord(url, more, block string) string {
	return fmt.Sprintf("%s 192.0.2.1 20200102030405 text/html%s %d\n%s\n", url, more, len(block), block)
}

// arcFile is an ARC file with records.
func arcFile(records ...string) string {
	return arcRecord("filedesc://a.arc", "", "1 0 Test\nURL IP-address Archive-date Content-type Archive-length\n") + strings.Join(records, "")
}

func TestARC(t *testing.T) {
	const answer = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\none"
	one, two := arcRecord("http://a.test/1", "", answer), arcRecord("https://a.test/2", " 200 - - 77 a.arc", answer)
	dns := arcRecord("dns:a.test", "", "20200102030405\n192.0.2.1\n")
	for _, tc := range []struct {
		name    string
		content []byte
		urls    string
		warns   string
	}{
		{"version 1", []byte(arcFile(dns, one)), "http://a.test/1", ""},
		{"version 2", []byte(arcFile(two)), "https://a.test/2", ""},
		{"compressed by record", zipped(arcFile(), dns, one, two), "http://a.test/1 https://a.test/2", ""},
		{"compressed as a whole", zipped(arcFile(dns, one, two)), "http://a.test/1 https://a.test/2", ""},
		{"a URL with a space, a media type with one", []byte(strings.ReplaceAll(arcFile(strings.ReplaceAll(one, "test/1", "test/a b")), "text/html 4", "text/html; charset=x 4")), "http://a.test/a%20b", ""},
		{"an address of version 6", []byte(strings.ReplaceAll(arcFile(one), "192.0.2.1", "2001:db8::1")), "http://a.test/1", ""},
		{"a record in ruins", []byte(arcFile(one, "http://a.test/x no record\n", two)), "http://a.test/1 https://a.test/2", "cannot be read"},
		{"a member in ruins", append(append(zipped(arcFile(), one), "\x1f\x8b\x08 ruins"...), zipped(two)...), "http://a.test/1 https://a.test/2", "cannot be read"},
		{"cut off", []byte(arcFile(one, two)[:len(arcFile(one, two))-4]), "http://a.test/1", "cut off"},
		{"a length that no file has", []byte(arcFile(one, "http://a.test/x 192.0.2.1 20200102030405 text/html 9000000000000000000\n")), "http://a.test/1", "cut off"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := openWeb(t, writeFile(t, tc.content))
			var urls []string
			for e := range w.All() {
				urls = append(urls, e.URL)
				resp, body := fetch(t, w, e.URL)
				if string(body) != "one" || resp.At.Format("20060102150405") != "20200102030405" {
					t.Errorf("%s: %q of %s", e.URL, body, resp.At)
				}
			}
			if strings.Join(urls, " ") != tc.urls || strings.Contains(strings.Join(w.Warnings(), "\n"), "byte") != (tc.warns != "") || !strings.Contains(strings.Join(w.Warnings(), "\n"), tc.warns) {
				t.Errorf("%q, warnings %q", urls, w.Warnings())
			}
		})
	}
}

// TestARCAsWARC copies records of an ARC file: what is written is a WARC file, the same each time.
func TestARCAsWARC(t *testing.T) {
	path := writeFile(t, []byte(arcFile(arcRecord("http://a.test/1", "", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\none"))))
	var first []byte
	for range 2 {
		stock := openWeb(t, path).Stock()
		var out bytes.Buffer
		c := NewCopier(stock, &out, "out.warc.gz", "test", 1<<20)
		for l, err := range stock.All() {
			if err != nil {
				t.Fatal(err)
			}
			if _, err := c.Copy(l.Holding); err != nil {
				t.Fatal(err)
			}
		}
		if first == nil {
			first = bytes.Clone(out.Bytes())
		}
		if !bytes.Equal(first, out.Bytes()) {
			t.Error("the second copy is another")
		}
	}
	w := openWeb(t, writeFile(t, first))
	if _, body := fetch(t, w, "http://a.test/1"); string(body) != "one" || len(w.Warnings()) > 0 {
		t.Errorf("%q, warnings %q", body, w.Warnings())
	}
}

// waczOf returns a ZIP file of parts: name, content.
func waczOf(t testing.TB, method uint16, parts ...string) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(parts); i += 2 {
		w, err := z.CreateHeader(&zip.FileHeader{Name: parts[i], Method: method})
		if err == nil {
			_, err = w.Write([]byte(parts[i+1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestWACZ(t *testing.T) {
	record := func(url, text string) string {
		return plainRecord("response", url, "2020-01-01T00:00:00Z", "WARC-Record-ID: <"+url+">\r\n", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"+text)
	}
	revisit := plainRecord("revisit", "http://a.test/3", "2020-01-01T00:00:00Z", "WARC-Refers-To: <http://a.test/1>\r\n", "HTTP/1.1 200 OK\r\n\r\n")
	content := waczOf(t, zip.Store, "datapackage.json", "{}",
		"archive/a.warc.gz", string(zipped(record("http://a.test/1", "one"))), "indexes/index.cdx", "",
		"archive/b.warc", record("http://a.test/2", "two")+revisit, "archive/c.warc", "", "archive/d.arc", arcFile(arcRecord("http://a.test/4", "", "HTTP/1.1 200 OK\r\n\r\nfour")))
	dir := t.TempDir()
	path := filepath.Join(dir, "crawl.wacz")
	if err := os.WriteFile(path, content, 0o666); err != nil {
		t.Fatal(err)
	}
	for name, place := range map[string]string{"as a file": path, "in a folder": dir} {
		w := openWeb(t, place)
		if got := len(slices.Collect(w.All())); got != 4 || len(w.Warnings()) > 0 {
			t.Errorf("%s: %d answers, warnings %q", name, got, w.Warnings())
		}
		for url, want := range map[string]string{"http://a.test/1": "one", "http://a.test/2": "two", "http://a.test/3": "one", "http://a.test/4": "four"} {
			resp, body := fetch(t, w, url)
			if string(body) != want || resp.Record.File != "crawl.wacz" {
				t.Errorf("%s, %s: %q, %+v", name, url, body, resp.Record)
			}
			start := content[resp.Record.Offset:][:4]
			if s := string(start); s != "WARC" && s != "http" && !strings.HasPrefix(s, "\x1f\x8b") {
				t.Errorf("%s: no record at the place %+v", url, resp.Record)
			}
		}
	}
	for name, content := range map[string][]byte{
		"compressed in the ZIP file": waczOf(t, zip.Deflate, "archive/a.warc", record("http://a.test/1", "one")),
		"no WARC file":               waczOf(t, zip.Store, "a.txt", "a"),
	} {
		if _, err := OpenWeb([]string{writeFile(t, content)}, WebOptions{}); !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzARCLine(f *testing.F) {
	f.Add("http://a.test/ 192.0.2.1 20200102030405 text/html 12")
	f.Add("http://a.test/a b ::1 20200102030405 text/html; a=b 200 - - 1 a.arc 12")
	f.Fuzz(func(t *testing.T, line string) {
		if h, ok := parseARC([]byte(line)); ok && (h.length < 0 || h.target == "" && !strings.HasPrefix(line, " ")) {
			t.Errorf("%+v", h)
		}
	})
}
