package reread

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"orbweaver"
	"orbweaver/fetch/archive"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/kind"
	"orbweaver/internal/kind/kindtest"
	"orbweaver/internal/step"
	"orbweaver/internal/takedown"
)

// TestLines: a line that is being written is left out; a line has any length, and is told whole.
func TestLines(t *testing.T) {
	long := strings.Repeat("x", 1<<20) // that of the buffer, so that with its line feed it does not fit
	for name, tc := range map[string]struct {
		in   string
		want []string
	}{
		"nothing":               {"", nil},
		"no line feed":          {"a", nil},
		"one":                   {"a\n", []string{"a\n"}},
		"the last is written":   {"a\nb\nc", []string{"a\n", "b\n"}},
		"empty lines":           {"\n\na\n", []string{"\n", "\n", "a\n"}},
		"a long one":            {"a\n" + long + "\nb\n", []string{"a\n", long + "\n", "b\n"}},
		"a long one is written": {"a\n" + long + "y", []string{"a\n"}},
		"two long ones":         {long + long + "\n" + long + "z\nb\n", []string{long + long + "\n", long + "z\n", "b\n"}},
	} {
		var got []string
		for line, err := range Lines(strings.NewReader(tc.in)) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, string(line))
		}
		if !slices.Equal(got, tc.want) {
			t.Errorf("%s: %d lines, want %d", name, len(got), len(tc.want))
		}
	}
	for range Lines(strings.NewReader("a\nb\n")) {
		break
	}
	failed := errors.New("the disk")
	var got []string
	for line, err := range Lines(io.MultiReader(strings.NewReader("a\nb"), failing{failed})) {
		if got = append(got, fmt.Sprint(string(line), err)); err == nil {
			continue
		}
		if !errors.Is(err, failed) || line != nil {
			t.Errorf("%q, %v", line, err)
		}
	}
	if len(got) != 2 {
		t.Errorf("of a file that can't be read on: %q", got)
	}
}

// A failing reader has an error.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// TestTooLongALine: a line beyond the bound is an error, and not taken for two.
func TestTooLongALine(t *testing.T) {
	n := 0
	for line, err := range Lines(io.MultiReader(bytes.NewReader(make([]byte, MaxLine+2<<20)), strings.NewReader("\nb\n"))) {
		if n++; err == nil || line != nil {
			t.Errorf("%d bytes, %v", len(line), err)
		}
	}
	if n != 1 {
		t.Errorf("told %d times", n)
	}
}

// TestPlainJSON: an index has <, > and & as they are.
func TestPlainJSON(t *testing.T) {
	if got := string(PlainJSON([]byte(`"a\u003cb\u003ec\u0026d\u0026\n"`))); got != `"a<b>c&d&\n"` {
		t.Error(got)
	}
}

// aCrawl is a crawl of the live Web with an archive of some answers, as url, body.
func aCrawl(t *testing.T, answers ...string) (*crawlfile.Crawl, []orbweaver.Ref) {
	t.Helper()
	schema := kind.Registry{kindtest.Kind{}}.Schema()
	path := filepath.Join(t.TempDir(), "f.yaml")
	text := "seeds: [http://a.test/]\nfocus: {sightings: {things: {glider: urn:glider}}}\noutput: crawl\n"
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	c, err := schema.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	w, err := archive.OpenWriter(crawlfolder.Archive(c.Output), archive.Mark{}, archive.WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var refs []orbweaver.Ref
	for i := 0; i < len(answers); i += 2 {
		packed, err := w.Pack(&step.Response{
			Request: orbweaver.Request{URL: answers[i]}, Status: 200, Header: http.Header{"Content-Type": {"text/html"}}, At: time.Unix(1e9+int64(i), 0),
		}, []byte(answers[i+1]))
		if err != nil {
			t.Fatal(err)
		}
		ref, err := w.Append(packed)
		if err != nil {
			t.Fatal(err)
		}
		refs = append(refs, ref)
	}
	if err := w.Flush(); err != nil { // it stays open: the archive grows
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	return c, refs
}

// told is what a web has of a URL: its body, or the name of a failure.
func told(t *testing.T, w *Web, r orbweaver.Request) string {
	t.Helper()
	response, payload, err := w.Fetch(t.Context(), r)
	if err != nil {
		return string(orbweaver.FailureOf(err))
	}
	if response.Request.URL != r.URL {
		t.Errorf("asked for %s, told %s", r.URL, response.Request.URL)
	}
	return string(payload)
}

// TestKept: the latest answer of a URL, by an archive that grows: by the place that the crawl knows, or by the index.
func TestKept(t *testing.T) {
	const query = "http://a.test/?x=<1>&y"
	c, refs := aCrawl(t, "http://a.test/1", "one", "http://a.test/2", "one", query, "asked", "http://a.test/1", "one again",
		"http://a.test/12", "twelve", "http://a.test/2", "one")
	known := map[string]orbweaver.Ref{"http://a.test/1": refs[0], "http://a.test/2": refs[1], "http://a.test/12": {File: "gone.warc.gz", Length: 9}}
	byPlace := &Web{File: c, Outcome: func(_ context.Context, url string) (o orbweaver.Outcome, err error) {
		ref, ok := known[url]
		if !ok {
			return o, orbweaver.ErrUnknown
		}
		return orbweaver.Outcome{Record: ref}, nil
	}}
	byIndex := &Web{File: c}
	for _, tc := range []struct{ url, place, index string }{
		{"http://a.test/1", "one", "one again"},
		{"http://a.test/2", "one", "one"}, // a revisit of /1
		{query, "asked", "asked"},
		{"http://a.test/12", "twelve", "twelve"}, // its place is wrong
		{"http://a.test/", "absent", "absent"},
	} {
		r := orbweaver.Request{URL: tc.url}
		if got := told(t, byPlace, r); got != tc.place {
			t.Errorf("%s by its place: %s, want %s", tc.url, got, tc.place)
		}
		if got := told(t, byIndex, r); got != tc.index {
			t.Errorf("%s by the index: %s, want %s", tc.url, got, tc.index)
		}
	}
	for name, r := range map[string]orbweaver.Request{
		"another purpose": {URL: "http://a.test/1", Purpose: orbweaver.ForContext},
		"a query":         {URL: "http://a.test/1", Query: "ASK {}"},
		"a media type":    {URL: "http://a.test/1", Accept: "text/turtle"},
	} {
		if _, _, err := byPlace.placed(t.Context(), crawlfolder.Archive(c.Output), r); !errors.Is(err, orbweaver.ErrAbsent) {
			t.Errorf("%s: answered by the place of the page, %v", name, err)
		}
	}
	if err := errors.Join(byPlace.Close(), byIndex.Close()); err != nil {
		t.Error(err)
	}
}

// TestRecordsOf: the latest records of a URL, a repetition after what it repeats, and never more than the bound.
func TestRecordsOf(t *testing.T) {
	folder := t.TempDir()
	var index strings.Builder
	line := func(url, mime, digest string, offset int) {
		fmt.Fprintf(&index, `key 2026 {"url":"%s","mime":"%s","digest":"%s","length":"1","offset":"%d","filename":"f"}`+"\n", url, mime, digest, offset)
	}
	line("http://a/1", "text/html", "d1", 0)
	line("http://a/2", "warc/revisit", "d1", 1)
	line("http://a/10", "text/html", "d2", 2)
	index.WriteString("key 2026 {\"url\":\"http://a/1\",\"mime\":\n")
	index.WriteString("\"url\":\"http://a/1\" without an entry\n")
	for i := range maxRecords + 2 {
		line("http://a/3", "text/html", fmt.Sprint("e", i), 10+i)
	}
	line("http://a/4", "warc/revisit", "nowhere", 3)
	index.WriteString(`key 2026 {"url":"http://a/1","mime":"text/html","digest":"d9","offset":"99"}`) // is being written
	if err := os.WriteFile(filepath.Join(folder, "index.cdxj.part"), []byte(index.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	for url, want := range map[string]string{
		"http://a/1": "0", "http://a/2": "0 1", "http://a/3": "12 13 14 15", "http://a/4": "3", "http://a/": "", "http://a/100": "",
	} {
		all, err := recordsOf(folder, url)
		var got []string
		for _, p := range all {
			got = append(got, p.Offset)
		}
		if s := strings.Join(got, " "); err != nil || s != want {
			t.Errorf("%s: at %s, %v; want %s", url, s, err, want)
		}
	}
	if all, err := recordsOf(t.TempDir(), "http://a/1"); err != nil || len(all) > 0 {
		t.Errorf("of an archive that has nothing yet: %v, %v", all, err)
	}
}

// TestExcerptOf: an index that is damaged reads no file beyond the archive, and leaves none behind.
func TestExcerptOf(t *testing.T) {
	folder, temp := t.TempDir(), t.TempDir()
	t.Setenv("TMPDIR", temp)
	if err := os.WriteFile(filepath.Join(folder, "f"), []byte("0123456789"), 0o666); err != nil {
		t.Fatal(err)
	}
	path, err := excerptOf(folder, []place{{Offset: "2", Length: "3", Filename: "f"}, {Offset: "0", Length: "1", Filename: "f"}})
	if text, bad := os.ReadFile(path); err != nil || bad != nil || string(text) != "2340" {
		t.Errorf("%q, %v, %v", text, err, bad)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	for name, p := range map[string]place{
		"no offset":       {Offset: "", Length: "1", Filename: "f"},
		"no length":       {Offset: "1", Length: "x", Filename: "f"},
		"another folder":  {Offset: "1", Length: "1", Filename: "../f"},
		"a whole path":    {Offset: "1", Length: "1", Filename: filepath.Join(folder, "f")},
		"a file too many": {Offset: "1", Length: "1", Filename: "g"},
	} {
		_, err := excerptOf(folder, []place{{Offset: "2", Length: "3", Filename: "f"}, p})
		if err == nil || name != "a file too many" && !errors.Is(err, orbweaver.ErrDamaged) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// TestRemoved: what was removed from the crawl is absent, though an archive may still have it.
func TestRemoved(t *testing.T) {
	c, _ := aCrawl(t, "http://a.test/1", "one", "http://a.test/2", "two")
	line := `{"at":"2026-01-01T00:00:00Z","patterns":["http://a.test/1"],"done":"2026-01-01T00:00:01Z"}` + "\n"
	if err := os.WriteFile(filepath.Join(c.Output, takedown.File), []byte(line), 0o666); err != nil {
		t.Fatal(err)
	}
	w := &Web{File: c}
	if got := told(t, w, orbweaver.Request{URL: "http://a.test/1"}); got != "absent" {
		t.Errorf("a removed page: %s", got)
	}
	if got := told(t, w, orbweaver.Request{URL: "http://a.test/2"}); got != "two" {
		t.Errorf("another: %s", got)
	}
	if err := os.WriteFile(filepath.Join(c.Output, takedown.File), []byte("{\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, _, err := (&Web{File: c}).Fetch(t.Context(), orbweaver.Request{URL: "http://a.test/2"}); err == nil {
		t.Error("a list of what was removed that can't be read counts as none")
	}
}

// TestOverAnArchive: the archive that a crawl was over answers, and one that can't be opened is no failure of the page.
func TestOverAnArchive(t *testing.T) {
	crawled, _ := aCrawl(t, "http://a.test/1", "one")
	c := *crawled
	c.Output = t.TempDir()
	c.Web = &crawlfile.Web{Archive: []string{crawlfolder.Archive(crawled.Output)}}
	w := &Web{File: &c}
	if got := told(t, w, orbweaver.Request{URL: "http://a.test/1"}); got != "one" {
		t.Error(got)
	}
	if got := told(t, w, orbweaver.Request{URL: "http://a.test/2"}); got != "absent" {
		t.Error(got)
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	c.Web = &crawlfile.Web{Archive: []string{filepath.Join(c.Output, "gone")}}
	_, _, err := (&Web{File: &c}).Fetch(t.Context(), orbweaver.Request{URL: "http://a.test/1"})
	if err == nil || orbweaver.FailureOf(err) != "error" {
		t.Errorf("an archive that is gone: %v (%s)", err, orbweaver.FailureOf(err))
	}
}
