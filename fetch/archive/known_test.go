package archive

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/internal/step"
)

func openKnown(t *testing.T, paths ...string) *Known {
	t.Helper()
	k, err := OpenKnown(t.Context(), paths, t.TempDir(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// long returns a payload that is worth a revisit.
func long(word string) string { return strings.Repeat(word+" ", 2000) }

// firstOf archives some pages in the folder of a crawl.
func firstOf(t *testing.T, crawl string, words ...string) {
	t.Helper()
	w := openWriter(t, filepath.Join(crawl, "archive"), Mark{}, WriterOptions{Prefix: "first"})
	for _, word := range words {
		appendTo(t, w, answerOf("http://a.test/"+word, nil), long(word))
	}
	closeWriter(t, w)
}

// secondOf archives pages in the folder of another crawl that knows of others, and returns their places.
func secondOf(t *testing.T, crawl string, k *Known, words ...string) map[string]orbweaver.Ref {
	t.Helper()
	w := openWriter(t, filepath.Join(crawl, "archive"), Mark{}, WriterOptions{Prefix: "second"})
	w.Know(k)
	places := map[string]orbweaver.Ref{}
	for _, word := range words {
		places[word] = appendTo(t, w, answerOf("http://b.test/"+word, nil), long(word))
	}
	for word, at := range places {
		resp, err := w.Read(at)
		if err != nil {
			t.Fatalf("%s: %v", word, err)
		}
		if body := readBody(t, resp); string(body) != long(word) {
			t.Errorf("%s: %.40q", word, body)
		}
	}
	closeWriter(t, w)
	if err := k.Close(); err != nil {
		t.Error(err)
	}
	return places
}

// sparedOf counts the answers that were not stored again.
func sparedOf(dir string) (n int64) {
	for _, s := range SparedIn(dir) {
		n += s.Pages
	}
	return n
}

// readers are the ways to read a page of a crawl's own archive.
func readers(t *testing.T, dir string, url string, at orbweaver.Ref) map[string]func() (*step.Response, error) {
	return map[string]func() (*step.Response, error){
		"at its place": func() (*step.Response, error) { return ReadAt(dir, at) },
		"of a web": func() (*step.Response, error) {
			return openWeb(t, dir).Fetch(context.Background(), orbweaver.Request{URL: url})
		},
		"of a stock": func() (*step.Response, error) {
			stock := openStock(t, dir)
			for l := range stock.All() {
				if l.URL == url {
					return stock.Response(l.Holding, 1<<20)
				}
			}
			return nil, errors.New("not listed")
		},
	}
}

func bodyOf(resp *step.Response, err error) (string, error) {
	if err != nil {
		return "", err
	}
	body, err := io.ReadAll(resp.Body)
	return string(body), errors.Join(err, resp.Body.Close())
}

// TestKnown: what another crawl has is not stored again, is read from there in every way, is copied whole, and is missed by its name and that of the
// archive when it is gone.
func TestKnown(t *testing.T) {
	space := t.TempDir()
	first, second := filepath.Join(space, "first"), filepath.Join(space, "second")
	firstOf(t, first, "one", "two")
	words := []string{"one", "three", "two"}
	places := secondOf(t, second, openKnown(t, first), words...)
	dir := filepath.Join(second, "archive")
	records := validate(t, dir)
	if want := []string{"warcinfo", "request", "revisit", "request", "response", "request", "revisit"}; !slices.Equal(records, want) {
		t.Errorf("records %v, want %v", records, want)
	}
	if got, want := fmt.Sprint(SparedIn(dir)), fmt.Sprint([]step.Spared{{Of: "../first", Pages: 2, Bytes: int64(len(long("one")) + len(long("two")))}}); got != want {
		t.Errorf("spared %s, want %s", got, want)
	}
	info, err := os.Stat(filepath.Join(dir, partName))
	if err != nil {
		t.Fatal(err)
	}
	if v, err := Verify(t.Context(), dir, Mark{Index: info.Size()}); err != nil || len(v.Faults) > 0 {
		t.Errorf("%+v, %v", v, err)
	}
	for _, word := range words {
		for way, read := range readers(t, dir, "http://b.test/"+word, places[word]) {
			if body, err := bodyOf(read()); body != long(word) || err != nil {
				t.Errorf("%s, read %s: %.40q, %v", word, way, body, err)
			}
		}
	}
	copied, _ := copyAll(t, openStock(t, dir), everything)
	if records := validate(t, copied); slices.Contains(records[:6], "revisit") {
		t.Errorf("copied %v", records)
	}
	if _, body := fetch(t, openWeb(t, copied), "http://b.test/one"); string(body) != long("one") {
		t.Errorf("copied %.40q", body)
	}

	if err := os.Rename(first, first+"-moved"); err != nil {
		t.Fatal(err)
	}
	for way, read := range readers(t, dir, "http://b.test/one", places["one"]) {
		_, err := bodyOf(read())
		if !errors.Is(err, ErrElsewhere) || !errors.Is(err, orbweaver.ErrAbsent) || !strings.Contains(fmt.Sprint(err), "http://b.test/one") ||
			!strings.Contains(fmt.Sprint(err), filepath.Join(first, "archive", "first-00000.warc.gz")) {
			t.Errorf("read %s: %v", way, err)
		}
	}
	for way, read := range readers(t, dir, "http://b.test/three", places["three"]) {
		if body, err := bodyOf(read()); body != long("three") || err != nil {
			t.Errorf("read %s: %.40q, %v", way, body, err)
		}
	}
}

// TestKnownResumed: an archive that is opened again at a mark is that of one session, and counts on.
func TestKnownResumed(t *testing.T) {
	space := t.TempDir()
	first := filepath.Join(space, "first")
	firstOf(t, first, "one", "two")
	archived := func(name string, stops bool) string {
		dir := filepath.Join(space, name, "archive")
		w, k := openWriter(t, dir, Mark{}, WriterOptions{}), openKnown(t, first)
		w.Know(k)
		appendTo(t, w, answerOf("http://b.test/one", nil), long("one"))
		if stops {
			mark := w.Mark()
			appendTo(t, w, answerOf("http://b.test/lost", nil), long("two"))
			if err := errors.Join(w.Flush(), w.closeFiles(), k.Close()); err != nil {
				t.Fatal(err)
			}
			k = openKnown(t, first)
			w = openWriter(t, dir, mark, WriterOptions{})
			w.Know(k)
		}
		appendTo(t, w, answerOf("http://b.test/two", nil), long("two"))
		if got := w.Spared(); len(got) != 1 || got[0].Pages != 2 {
			t.Errorf("spared %v", got)
		}
		closeWriter(t, w)
		k.Close()
		var all []byte
		for _, file := range []string{"crawl-00000.warc.gz", partName, indexName, elsewhereName} {
			b, err := os.ReadFile(filepath.Join(dir, file))
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, b...)
		}
		return string(all)
	}
	if archived("a", false) != archived("b", true) {
		t.Error("a resumed archive is another")
	}
}

// TestKnownSources: archives of all kinds are known, whatever digests they state; what is not there, is under way or cannot be read is left out.
func TestKnownSources(t *testing.T) {
	space := t.TempDir()
	record := func(word, digest string) string {
		block := "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + long(word)
		return fmt.Sprintf("WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:0197f2a0-0000-4000-8000-%012d>\r\nWARC-Date: 2020-01-01T00:00:00Z\r\n"+
			"WARC-Target-URI: http://o.test/%s\r\n%sContent-Type: application/http;msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n",
			len(word), word, digest, len(block), block)
	}
	zipped := func(parts ...string) string {
		var out bytes.Buffer
		for _, part := range parts {
			store(&out, []byte(part))
		}
		return out.String()
	}
	write := func(name, text string) string {
		path := filepath.Join(space, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
		return path
	}
	one := record("one", "WARC-Payload-Digest: "+digestOf(sha1Sum([]byte(long("one"))))+"\r\n")
	lies := record("other", "WARC-Payload-Digest: "+digestOf(sha1Sum([]byte(long("one"))))+"\r\n")
	sha256 := record("one", "WARC-Payload-Digest: sha256:4f2a\r\n")
	plain := write("plain/a.warc.gz", zipped(one))
	b32 := strings.TrimPrefix(digestOf(sha1Sum([]byte(long("one")))), "sha1:")
	write("lying/a.warc.gz", zipped(lies))
	packed := filepath.Join(space, "a.wacz")
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for name, method := range map[string]uint16{"archive/data.warc.gz": zip.Store, "indexes/index.cdx": zip.Deflate} {
		to, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: method})
		if err == nil {
			_, err = to.Write([]byte(zipped(one, lies)))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(z.Close(), os.WriteFile(packed, out.Bytes(), 0o666)); err != nil {
		t.Fatal(err)
	}
	firstOf(t, filepath.Join(space, "killed"), "one")
	if err := os.Remove(filepath.Join(space, "killed", "archive", indexName)); err != nil {
		t.Fatal(err)
	}
	firstOf(t, filepath.Join(space, "crawl"), "one")
	length := len(zipped(one))
	cdxj := func(digest, file string) string {
		return fmt.Sprintf("test,o)/one 20200101000000 {\"digest\":%q,\"filename\":%q,\"offset\":0,\"length\":\"%d\"}\n", digest, file, length)
	}
	for _, tc := range []struct {
		name, path string
		spared     int64
		warning    string
	}{
		{"a WARC", plain, 1, ""},
		{"a folder", filepath.Dir(write("folder/a.warc.gz", zipped(one))), 1, ""},
		{"a WARC with SHA-256", write("sha256/a.warc.gz", zipped(sha256)), 1, ""},
		{"a WARC that is not compressed", write("bare/a.warc", lies+one), 1, ""},
		{"a WARC compressed as a whole", write("whole/a.warc.gz", zipped(one+lies)), 0, "compressed as a whole"},
		{"a WARC that is cut off", write("cut/a.warc.gz", zipped(one)+zipped(lies)[:100]), 1, ""},
		{"a WACZ", packed, 1, ""},
		{"a crawl folder", filepath.Join(space, "crawl"), 1, ""},
		{"its archive", filepath.Join(space, "crawl", "archive"), 1, ""},
		{"a killed crawl", filepath.Join(space, "killed"), 0, "under way"},
		{"a CDXJ", write("plain/a.cdxj", cdxj("sha1:"+b32, "a.warc.gz")), 1, ""},
		{"a packed CDXJ", write("plain/b.cdxj.gz", zipped(cdxj(b32, "a.warc.gz"))), 1, ""},
		{"a CDX", write("plain/a.cdx", " CDX N b a m s k r M S V g\ntest,o)/one 20200101000000 http://o.test/one text/html 200 "+b32+" - - - 0 a.warc.gz\n"), 1, ""},
		{"a CDX of nine columns", write("plain/b.cdx", "test,o)/one 20200101000000 http://o.test/one text/html 200 "+b32+" - 0 a.warc.gz\n"), 1, ""},
		{"a CDXJ that lies", write("lying/a.cdxj", cdxj(b32, "a.warc.gz")), 0, ""},
		{"a CDXJ that leads elsewhere", write("lying/b.cdxj", cdxj(b32, "../plain/a.warc.gz")), 0, "not in the folder"},
		{"a CDXJ of SHA-256", write("plain/c.cdxj", cdxj("sha-256:abc", "a.warc.gz")), 0, "no SHA-1"},
		{"a CDXJ of a long line", write("plain/d.cdxj", "x {"+strings.Repeat("y", 10<<20)+"\n"+cdxj(b32, "a.warc.gz")), 1, "longer than"},
		{"what is gone", filepath.Join(space, "gone"), 0, "left out"},
		{"no archive", write("text", "no archive\n"), 0, "neither a WARC"},
	} {
		k := openKnown(t, tc.path)
		if warnings := strings.Join(k.Warnings(), "\n"); !strings.Contains(warnings, tc.warning) || tc.warning == "" && warnings != "" {
			t.Errorf("%s: warnings %q", tc.name, warnings)
		}
		second := filepath.Join(t.TempDir(), "second")
		secondOf(t, second, k, "one", "new")
		if n := sparedOf(filepath.Join(second, "archive")); n != tc.spared {
			t.Errorf("%s: %d spared, want %d", tc.name, n, tc.spared)
		}
		validate(t, filepath.Join(second, "archive"))
	}
}

// TestKnownSmall: a small answer is stored if a revisit would be larger.
func TestKnownSmall(t *testing.T) {
	space := t.TempDir()
	for i, known := range []*Known{nil, nil} {
		crawl := filepath.Join(space, fmt.Sprint(i))
		if i > 0 {
			known = openKnown(t, filepath.Join(space, "0"))
		}
		w := openWriter(t, filepath.Join(crawl, "archive"), Mark{}, WriterOptions{})
		w.Know(known)
		appendTo(t, w, answerOf("http://a.test/", nil), "<p>small")
		closeWriter(t, w)
	}
	if n := sparedOf(filepath.Join(space, "1", "archive")); n != 0 {
		t.Errorf("%d spared", n)
	}
}

// TestKnownChanged: a record that is another now, or was removed, is not read for the page.
func TestKnownChanged(t *testing.T) {
	space := t.TempDir()
	first, second := filepath.Join(space, "first"), filepath.Join(space, "second")
	w := openWriter(t, filepath.Join(first, "archive"), Mark{}, WriterOptions{})
	appendTo(t, w, answerOf("http://a.test/one", nil), long("one"))
	mark := w.Mark()
	closeWriter(t, w)
	at := secondOf(t, second, openKnown(t, first), "one")["one"]
	if _, err := Remove(t.Context(), filepath.Join(first, "archive"), mark, func(string) bool { return true }, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := bodyOf(ReadAt(filepath.Join(second, "archive"), at)); !errors.Is(err, ErrElsewhere) {
		t.Errorf("removed: %v", err)
	}
	if err := os.Remove(filepath.Join(second, "archive", elsewhereName)); err != nil {
		t.Fatal(err)
	}
	if _, err := bodyOf(ReadAt(filepath.Join(second, "archive"), at)); !errors.Is(err, ErrElsewhere) {
		t.Errorf("no table: %v", err)
	}
}

// FuzzKnownIndex: no index makes its reader fail, or know what is not there.
func FuzzKnownIndex(f *testing.F) {
	f.Add([]byte("test,o)/ 2020 {\"digest\":\"sha1:AAAA\",\"filename\":\"a\",\"offset\":1e9}\n"))
	f.Add([]byte(" CDX N b a m s k r M S V g\na b c d e f g h i j k\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		path := filepath.Join(t.TempDir(), "a.cdxj")
		if err := os.WriteFile(path, text, 0o666); err != nil {
			t.Fatal(err)
		}
		k := openKnown(t, path)
		defer k.Close()
		if found, err := k.find(sha1Sum([]byte(long("one"))), 8000); found != nil || err != nil {
			t.Error(found, err)
		}
	})
}
