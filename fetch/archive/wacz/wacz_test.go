package wacz

import (
	"archive/zip"
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"orbweaver"
	"orbweaver/fetch/archive"
)

var day = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC) // never written

func TestSURT(t *testing.T) {
	for _, tc := range []struct{ url, want string }{
		{"http://example.org/", "org,example)/"},
		{"https://www.Example.org/A/b", "org,example)/a/b"},
		{"http://www2.example.org/", "org,example)/"},
		{"http://wwww.example.org/", "org,example,wwww)/"},
		{"http://www/", "www)/"},
		{"http://example.org:8080/a?c=1&b&a=2", "org,example:8080)/a?a=2&b&c=1"},
		{"http://example.org/?", "org,example)/"},
		{"http://example.org?q", "org,example)/?q"},
		{"http://user:pw@example.org/", "org,example)/"},
		{"http://[2001:db8::1]:81/x", "[2001:db8::1]:81)/x"},
		{"http://127.0.0.1/x#part", "1,0,0,127)/x"},
		{"urn:x:a b\t", "urn:x:a%20b%09"},
		{"", ""},
	} {
		if got := SURT(tc.url); got != tc.want {
			t.Errorf("%s: %s, want %s", tc.url, got, tc.want)
		}
	}
}

// FuzzSURT: a key has no space, so that a line of an index can be taken apart.
func FuzzSURT(f *testing.F) {
	for _, url := range []string{"http://www1.a.test:/?&", "https://@:", "http://]", "http://a b/"} {
		f.Add(url)
	}
	f.Fuzz(func(t *testing.T, url string) {
		if strings.ContainsAny(SURT(url), " \t\n\r\x00") {
			t.Errorf("%q: %q", url, SURT(url))
		}
	})
}

// records is more than two blocks of an index.
const records = 2*blockLines + 100

// made is a WACZ of so many records, in the order of their numbers.
func made(t *testing.T, temp string) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := Create(&out, temp)
	if err != nil {
		t.Fatal(err)
	}
	for i := range records {
		text := fmt.Sprintf("record %d\n", i)
		c := archive.Copied{
			URL: urlOf(i), At: day.Add(time.Duration(i) * time.Second), Status: 200, MediaType: "text/html", Digest: "sha1:X",
			Ref: orbweaver.Ref{Offset: int64(i * 100), Length: 100},
		}
		_, err1 := io.WriteString(w.WARC(), text)
		err2 := w.Index(c)
		var err3 error
		if i%2 == 0 {
			err3 = w.AddPage(Page{URL: c.URL, Title: fmt.Sprintf("<Title> & \"%d\"\u2028\n", i), At: c.At})
		}
		if err := errors.Join(err1, err2, err3); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(Info{Title: "t", Software: "test", Main: Page{URL: urlOf(0), At: day}}); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func urlOf(i int) string { return fmt.Sprintf("http://h%d.test/p?i=%d", i%7, records-i) }

// unpacked is what a WACZ holds; all of it is described truly.
func unpacked(t *testing.T, content []byte) map[string][]byte {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		if files[f.Name], err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(f.Name, ".gz") && f.Method != zip.Store {
			t.Errorf("%s is compressed twice", f.Name)
		}
	}
	var description struct {
		Profile   string
		Version   string `json:"wacz_version"`
		Created   time.Time
		Main      string `json:"mainPageUrl"`
		Resources []resource
	}
	var digest struct{ Path, Hash string }
	if err := errors.Join(json.Unmarshal(files["datapackage.json"], &description), json.Unmarshal(files["datapackage-digest.json"], &digest)); err != nil {
		t.Fatal(err)
	}
	if description.Profile != "data-package" || description.Version != "1.1.1" || description.Created.Before(day) {
		t.Errorf("described as %+v", description)
	}
	if digest.Path != "datapackage.json" || digest.Hash != hashOf(files[digest.Path]) {
		t.Errorf("digest %+v", digest)
	}
	var described []string
	for _, r := range description.Resources {
		described = append(described, r.Path)
		if r.Hash != hashOf(files[r.Path]) || r.Bytes != int64(len(files[r.Path])) || !strings.HasSuffix(r.Path, "/"+r.Name) {
			t.Errorf("%+v is %d bytes, %s", r, len(files[r.Path]), hashOf(files[r.Path]))
		}
	}
	if want := []string{"archive/data.warc.gz", "indexes/index.cdx.gz", "indexes/index.idx", "pages/pages.jsonl"}; !slices.Equal(described, want) {
		t.Errorf("described are %v, want %v", described, want)
	}
	return files
}

func hashOf(b []byte) string {
	sum := sha256.Sum256(b)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// TestWACZ: each record is found by the index of the blocks, in the block it names.
func TestWACZ(t *testing.T) {
	files := unpacked(t, made(t, t.TempDir()))
	blocks := strings.Split(strings.TrimSpace(string(files["indexes/index.idx"])), "\n")
	if len(blocks) != 4 || !strings.HasPrefix(blocks[0], `!meta 0 {"format": "cdxj-gzip-1.0", "filename": "index.cdx.gz"}`) {
		t.Fatal(blocks)
	}
	var all []string
	for _, line := range blocks[1:] {
		prefix, text, _ := strings.Cut(line, " {")
		var at struct {
			Offset, Length int
			Digest         string
		}
		if err := json.Unmarshal([]byte("{"+text), &at); err != nil {
			t.Fatal(err)
		}
		block := files["indexes/index.cdx.gz"][at.Offset:][:at.Length]
		r, err := gzip.NewReader(bytes.NewReader(block))
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(r)
		if err != nil || hashOf(block) != at.Digest || !strings.HasPrefix(string(content), prefix+" {") {
			t.Errorf("block %s: %v, %s, starts with %.60s", line, err, hashOf(block), content)
		}
		all = append(all, strings.Split(strings.TrimSpace(string(content)), "\n")...)
	}
	if len(all) != records || !slices.IsSorted(all) {
		t.Errorf("%d lines, sorted: %v", len(all), slices.IsSorted(all))
	}
	if want := fmt.Sprintf(`test,h5)/p?i=%d 20261120120005 {"url":"%s","mime":"text/html","status":"200","digest":"sha1:X","length":"100","offset":"500","filename":"data.warc.gz"}`, records-5, urlOf(5)); !slices.Contains(all, want) {
		t.Errorf("no line %s", want)
	}
}

func TestPages(t *testing.T) {
	files := unpacked(t, made(t, t.TempDir()))
	lines := bufio.NewScanner(bytes.NewReader(files["pages/pages.jsonl"]))
	ids := map[string]bool{}
	for i := -2; lines.Scan(); i += 2 {
		if i < 0 {
			if lines.Text() != `{"format":"json-pages-1.0","id":"pages","title":"All Pages"}` {
				t.Error(lines.Text())
			}
			continue
		}
		var p struct{ ID, URL, TS, Title string }
		if err := json.Unmarshal(lines.Bytes(), &p); err != nil {
			t.Fatal(err)
		}
		if p.URL != urlOf(i) || p.TS != day.Add(time.Duration(i)*time.Second).Format(time.RFC3339) || p.Title != fmt.Sprintf("<Title> & \"%d\"\u2028\n", i) || ids[p.ID] {
			t.Errorf("page %d: %+v", i, p)
		}
		ids[p.ID] = true
	}
	if len(ids) != records/2 {
		t.Errorf("%d pages", len(ids))
	}
}

// TestSameBytes: nothing of the clock or of names of temporary files is in it, and these are gone.
func TestSameBytes(t *testing.T) {
	temp := t.TempDir()
	if !bytes.Equal(made(t, temp), made(t, temp)) {
		t.Error("the same records gave two files")
	}
	w, err := Create(io.Discard, temp)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Abort(), w.Abort()); err != nil {
		t.Error(err)
	}
	if left, _ := os.ReadDir(temp); len(left) > 0 {
		t.Errorf("%v are left", left)
	}
}

// TestOutputFails: the error comes back, and nothing is left.
func TestOutputFails(t *testing.T) {
	temp := t.TempDir()
	w, err := Create(failing{}, temp)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Index(archive.Copied{URL: "http://a.test/"}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(Info{}); !errors.Is(err, io.ErrClosedPipe) {
		t.Error(err)
	}
	if left, _ := os.ReadDir(temp); len(left) > 0 {
		t.Errorf("%v are left", left)
	}
	if _, err := Create(io.Discard, temp+"/none"); err == nil {
		t.Error("temporary files in a folder that is not there")
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }
