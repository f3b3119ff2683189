package urllist

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/weburl"
)

// write writes a file into a folder of the test.
func write(t testing.TB, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// packed returns content as gzip in two members.
func packed(t testing.TB, content string) string {
	t.Helper()
	var b bytes.Buffer
	for _, half := range []string{content[:len(content)/2], content[len(content)/2:]} {
		w := gzip.NewWriter(&b)
		io.WriteString(w, half)
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

// zipped returns a zip of files.
func zipped(t testing.TB, files ...[2]string) string {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, f := range files {
		in, err := w.Create(f[0])
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(in, f[1])
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

const (
	plainList = "\ufeff# pages\r\nhttp://a.test/x\r\n\r\nHTTP://A.test/x\nhttp://a.test/y#part\n"
	siteList  = `<?xml version="1.0"?><s:urlset xmlns:s="http://www.sitemaps.org/schemas/sitemap/0.9"><s:url>
<s:loc> http://a.test/x?a=1&amp;b=2 </s:loc><i:image xmlns:i="urn:i"><i:loc>http://a.test/i.png</i:loc></i:image></s:url>
<s:url><s:loc>mailto:a@a.test</s:loc></s:url><s:url><s:loc><![CDATA[http://a.test/y]]></s:loc></s:url></s:urlset>`
	indexList = `<sitemapindex><sitemap><loc>http://a.test/1.xml</loc></sitemap></sitemapindex>`
	cdxList   = " CDX N b a m s k r M S V g\n" +
		"test,a)/x 20200101000000 http://a.test/x text/html 200 SHA - - 10 0 a.warc.gz\n" +
		"test,a)/x 20200102000000 http://a.test/x text/html 200 SHA - - 10 0 a.warc.gz\n" +
		"test,a)/y 20200102000000 http://a.test/y text/html 404 SHA - - 10 0 a.warc.gz\n" +
		"test,a)/robots.txt 20200102000000 http://a.test/robots.txt text/plain 200 SHA - - 10 0 a.warc.gz\n" +
		"test,a)/z 20200102000000 http://a.test/z warc/revisit - SHA - - 10 0 a.warc.gz\n"
	cdxjList = "!meta {}\ntest,a)/x 20200101000000 {\"url\": \"http://a.test/x\", \"status\": \"200\"}\n" +
		"test,a)/y 20200101000000 {\"url\": \"http://a.test/y\", \"status\": \"301\"}\n" +
		"test,a)/z 20200101000000 {\"url\": \"http://a.test/z\"}\n"
	pageList = "{\"format\": \"json-pages-1.0\", \"id\": \"pages\"}\n{\"url\": \"http://a.test/x\", \"title\": \"X\"}\n{\"url\": \"\"}\n{\"url\": \"http://a.test/y\", \"status\": 404}\n"
)

func TestOpen(t *testing.T) {
	for _, tc := range []struct {
		name, content, form string
		want                []string
		leftOut             int64
	}{
		{"plain", plainList, formURLs, []string{"/x", "/y"}, 0},
		{"plain.gz", packed(t, plainList), formURLs, []string{"/x", "/y"}, 0},
		{"sitemap.xml", siteList, formSitemap, []string{"/x?a=1&b=2", "/y"}, 1},
		{"sitemap.xml.gz", packed(t, siteList), formSitemap, []string{"/x?a=1&b=2", "/y"}, 1},
		{"index.xml", indexList, formIndex, []string{"/1.xml"}, 0},
		{"cdx", cdxList, formCDX, []string{"/x", "/z"}, 2},
		{"cdx without a header", strings.Join(strings.SplitAfter(cdxList, "\n")[1:], ""), formCDX, []string{"/x", "/z"}, 2},
		{"cdxj", cdxjList, formCDXJ, []string{"/x", "/z"}, 1},
		{"pages.jsonl", pageList, formPages, []string{"/x"}, 2},
		{"a.wacz", zipped(t, [2]string{"datapackage.json", "{}"}, [2]string{"pages/pages.jsonl", pageList}, [2]string{"pages/extraPages.jsonl", `{"url": "http://a.test/more"}`}), formPages, []string{"/x", "/more"}, 2},
	} {
		l, err := Open(write(t, tc.name, tc.content))
		if err != nil {
			t.Errorf("%s: %v", tc.name, err)
			continue
		}
		part, err := l.Part(0)
		for i := range tc.want {
			tc.want[i] = "http://a.test" + tc.want[i]
		}
		if err != nil || !slices.Equal(part, tc.want) || l.Form != tc.form || l.LeftOut != tc.leftOut || l.Parts != 1 || l.URLs != int64(len(part)) {
			t.Errorf("%s: %q, %v; %s, %d URLs in %d parts, %d left out", tc.name, part, err, l.Form, l.URLs, l.Parts, l.LeftOut)
		}
		l.Close()
	}
}

// TestErrors: an error names the file, the line and the reason.
func TestErrors(t *testing.T) {
	full := packed(t, strings.Repeat("http://a.test/x\nhttp://a.test/y\n", 1000))
	for name, tc := range map[string]struct{ content, want string }{
		"empty":     {"", "empty: holds no URL of a page"},
		"comments":  {"# none\n", "comments: holds no URL of a page"},
		"bad":       {"http://a.test/x\nfoo bar\n", "bad:2: bad URL"},
		"array":     {`[["urlkey"]]`, "array:1: is an array in JSON"},
		"feed":      {"<rss></rss>", "feed:1: its root is <rss>: no sitemap"},
		"cut.xml":   {"<urlset>\n<url><loc>http://a.test/x</loc>", "cut.xml:2: the file ends in the middle"},
		"closed":    {"<urlset>\n</urlset></urlset>", "closed:2: closes a tag that is not open"},
		"json":      {"{\"url\": \"http://a.test/x\"}\n{", "json:2: is no JSON object"},
		"cdxj":      {"a 2020 {\"url\": \"http://a.test/x\"}\na 2020 x\n", "cdxj:2: has no JSON object"},
		"cdx":       {" CDX N b a m s\na 2020 http://a.test/x - 200\na 2020\n", "cdx:3: has 2 of 5 columns"},
		"nocolumn":  {" CDX N b m s\na 2020 - 200\n", "nocolumn:1: the header of the CDX index has no column a"},
		"cut.gz":    {full[:len(full)-10], "cut.gz:2001: the file ends in the middle"},
		"zip":       {zipped(t, [2]string{"x", "y"}), "zip: is a zip without pages/pages.jsonl"},
		"inner.zip": {zipped(t, [2]string{"pages/pages.jsonl", "{\"url\": \"http://a.test/x\"}\nx"}), "inner.zip!pages/pages.jsonl:2: is no JSON object"},
		"long":      {strings.Repeat("x", maxLine+1), "long:1: is longer than"},
		"long.xml":  {"<urlset " + strings.Repeat("x", maxToken+1), "long.xml:1: a tag or a text is longer"},
	} {
		path := write(t, name, tc.content)
		_, err := Open(path)
		var problem *Error
		if !errors.As(err, &problem) || !errors.Is(err, orbweaver.ErrInput) || !strings.HasPrefix(err.Error(), filepath.Dir(path)+"/"+tc.want) {
			t.Errorf("%s: %v, want %s", name, err, tc.want)
		}
	}
	if _, err := Open(filepath.Join(t.TempDir(), "none")); err == nil || !strings.Contains(err.Error(), "none: no such file") {
		t.Error(err)
	}
}

// TestParts: parts are those of one pass, in whatever order they are asked for, and a document is one sitemap.
func TestParts(t *testing.T) {
	var b strings.Builder
	const n = 2*partURLs + 7
	for i := range n {
		fmt.Fprintf(&b, "http://a.test/%d\n", i)
	}
	path := write(t, "list", b.String())
	l, err := Open(path)
	if err != nil || l.Parts != 3 || l.URLs != n {
		t.Fatalf("%v: %d URLs in %d parts", err, l.URLs, l.Parts)
	}
	for _, i := range []int{2, 0, 1, 2, 1} {
		part, err := l.Part(i)
		if err != nil || part[0] != fmt.Sprintf("http://a.test/%d", i*partURLs) {
			t.Fatalf("part %d: %v, %.40q", i, err, part)
		}
	}
	media, body, err := l.Document(2)
	if err != nil || media != "text/plain; charset=utf-8" || bytes.Count(body, []byte("\n")) != 7 {
		t.Errorf("%s %q %v", media, body, err)
	}
	if err := os.WriteFile(path, []byte("http://a.test/0\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Part(1); err == nil || !strings.Contains(err.Error(), "has become shorter") {
		t.Error(err)
	}
}

// TestLongURLs: a part is smaller than PartBytes.
func TestLongURLs(t *testing.T) {
	var b strings.Builder
	for i := range 4000 {
		fmt.Fprintf(&b, "http://a.test/%d%s\n", i, strings.Repeat("x", 2000))
	}
	l, err := Open(write(t, "list", b.String()))
	if err != nil || l.Parts != 2 {
		t.Fatalf("%v, %d parts", err, l.Parts)
	}
	if _, body, err := l.Document(0); err != nil || len(body) > PartBytes {
		t.Errorf("%d bytes, %v", len(body), err)
	}
}

// TestMemory: memory does not grow with a list. The sitemap is of 60 MB, of which gzip makes some 100 kB.
func TestMemory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sitemap.xml.gz")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := gzip.NewWriter(file)
	io.WriteString(w, "<urlset>")
	const n = 600_000
	for i := range n {
		fmt.Fprintf(w, "<url><loc>http://a.test/%d</loc><note>%s</note></url>\n", i, strings.Repeat("x", 50))
	}
	io.WriteString(w, "</urlset>")
	if err := errors.Join(w.Close(), file.Close()); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	l, err := Open(path)
	if err != nil || l.URLs != n {
		t.Fatal(l, err)
	}
	runtime.ReadMemStats(&after)
	if grown := int64(after.HeapSys) - int64(before.HeapSys); grown > 48<<20 {
		t.Errorf("reading a list took %d bytes", grown)
	}
}

func FuzzScan(f *testing.F) {
	for _, content := range []string{plainList, siteList, indexList, cdxList, cdxjList, pageList, packed(f, siteList), zipped(f, [2]string{"pages/pages.jsonl", pageList})} {
		f.Add([]byte(content))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		l, err := Open(write(t, "list", string(content)))
		if err != nil {
			var problem *Error
			if !errors.As(err, &problem) {
				t.Fatal(err)
			}
			return
		}
		for n := range l.Parts {
			part, err := l.Part(n)
			if err != nil || len(part) == 0 || len(part) > partURLs {
				t.Fatalf("%d URLs, %v", len(part), err)
			}
			for _, url := range part {
				if again, err := weburl.Canonical(url); err != nil || again != url {
					t.Fatalf("%q is not canonical: %v", url, err)
				}
			}
		}
	})
}
