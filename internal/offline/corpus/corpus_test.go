package corpus

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/internal/console"
	"orbweaver/internal/realdata"
)

// folderOf writes files into a new folder.
func folderOf(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// corpusRead reads a corpus to its end.
func corpusRead(paths ...string) (all []Document, tally Tally, messages string, err error) {
	var log bytes.Buffer
	c, err := Of(&console.Console{Err: &log}, paths)
	if err != nil {
		return nil, tally, log.String(), err
	}
	for d, e := range c.Documents(context.Background()) {
		if err = e; err == nil {
			all = append(all, d)
		}
	}
	return all, c.Tally, log.String(), err
}

func idsOf(all []Document) (ids []string) {
	for _, d := range all {
		ids = append(ids, d.ID)
	}
	return ids
}

const somePage = `<!DOCTYPE html><html lang=de-CH><title>A &amp; B</title><body><nav><a href=/>home</a></nav>
<p>Insulin is a hormone that the pancreas makes, and it lowers the sugar of the blood.</p></body></html>`

// TestCorpusOfFolder: documents come in order of names, by kind, with title and language.
func TestCorpusOfFolder(t *testing.T) {
	dir := folderOf(t, map[string]string{
		"b.html":         somePage,
		"a/z.txt":        "Diabetes insipidus\n\nA disease.\r\nIt is rare.\n",
		"a/c.md":         "## Heart ##\nbeats [on](http://x.test/)\n",
		"c.TXT":          "{\"looks\": \"like data\"}",
		"d.txt":          "\n \n",
		"e.txt":          "---\ntitle: \"T \\u00e9\"\nlang: fr\n---\n\nLe texte.\n",
		"f.txt":          "\xff\xfeh\x00i\x00",
		"g.pdf":          "no PDF",
		"g2.pdf":         "%PDF-1.4\nbroken",
		"h.jpeg":         "x",
		"corpus.jsonl":   "{}",
		".hidden":        "x",
		".git/x.txt":     "x",
		"i.txt":          "A first line that goes on\nand on.",
		"sub/crawl.yaml": "not a crawl: it has no lines",
	})
	if err := os.Symlink(filepath.Join(dir, "b.html"), filepath.Join(dir, "l.html")); err != nil {
		t.Fatal(err)
	}
	all, tally, messages, err := corpusRead(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, d := range all {
		got = append(got, fmt.Sprintf("%s|%s|%s|%s", d.ID, d.Title, d.Lang, strings.ReplaceAll(d.Text, "\n", "/")))
	}
	want := []string{
		"a/c.md|Heart||## Heart ##/beats [on](http://x.test/)",
		"a/z.txt|Diabetes insipidus||Diabetes insipidus//A disease./It is rare.",
		"b.html|A & B|en|Insulin is a hormone that the pancreas makes, and it lowers the sugar of the blood.",
		`c.TXT|{"looks": "like data"}||{"looks": "like data"}`,
		"e.txt|T é|fr|Le texte.",
		"f.txt|hi||hi",
		"g.pdf|g||no PDF",
		"i.txt|i||A first line that goes on/and on.",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if want := (Tally{Documents: 8, Silent: 1, Failed: 1, Others: 4}); tally != want {
		t.Errorf("%+v, want %+v", tally, want)
	}
	if strings.Count(messages, "\n") != 1 || !strings.Contains(messages, "g2.pdf: unreadable") {
		t.Errorf("messages %q", messages)
	}
}

// TestCorpusOfMany: folders, files and archives in one list. Files of the same name in two folders get
// different IDs; a page in two archives comes once.
func TestCorpusOfMany(t *testing.T) {
	one := folderOf(t, map[string]string{"x.txt": "first"})
	two := folderOf(t, map[string]string{"x.txt": "second", "y": "by its bytes"})
	demo := filepath.Join(realdata.Root(t), "examples/demo.warc.gz")
	all, tally, messages, err := corpusRead(one, one+"/", two, filepath.Join(two, "y"), demo, filepath.Join(filepath.Dir(demo), ".", "demo.warc.gz"))
	if err != nil || messages != "" {
		t.Fatal(err, messages)
	}
	ids := idsOf(all)
	if want := []string{"x.txt", filepath.ToSlash(two) + "/x.txt", "y"}; !slices.Equal(ids[:3], want) {
		t.Errorf("%q", ids[:3])
	}
	if len(ids) < 100 || !slices.IsSorted(ids[3:]) || !strings.HasPrefix(ids[3], "http://") || tally.Twice != 0 || tally.Others != 1 {
		t.Errorf("%d documents, %+v", len(ids), tally)
	}
	copied := folderOf(t, map[string]string{"a.warc.gz": string(must(os.ReadFile(demo)))})
	if again, tally, _, err := corpusRead(demo, copied); err != nil || len(again) != len(ids)-3 || tally.Twice != len(again) {
		t.Errorf("%d documents, %+v, %v", len(again), tally, err)
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// record is a response in a WARC file.
func record(url, head, body string) string {
	block := head + "\r\n\r\n" + body
	return fmt.Sprintf("WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: %s\r\nWARC-Date: 2020-01-01T00:00:00Z\r\n"+
		"Content-Type: application/http;msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", url, len(block), block)
}

// TestCorpusOfAnswers: of an archive's responses only pages become documents.
func TestCorpusOfAnswers(t *testing.T) {
	dir := folderOf(t, map[string]string{"x.warc": record("http://a.test/page", "HTTP/1.1 200 OK\r\nContent-Type: text/html", somePage) +
		record("http://a.test/gone", "HTTP/1.1 404 Not Found\r\nContent-Type: text/html", somePage) +
		record("http://a.test/moved", "HTTP/1.1 301 Moved\r\nLocation: /page\r\nContent-Type: text/html", somePage) +
		record("http://a.test/image", "HTTP/1.1 200 OK\r\nContent-Type: image/png", "words") +
		record("http://a.test/text", "HTTP/1.1 200 OK\r\nContent-Type: text/plain", "words") +
		record("http://a.test/bad", "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Encoding: gzip", "\x1f\x8bno")})
	all, tally, messages, err := corpusRead(dir)
	if err != nil || !slices.Equal(idsOf(all), []string{"http://a.test/page", "http://a.test/text"}) {
		t.Errorf("%q, %v", idsOf(all), err)
	}
	if tally != (Tally{Documents: 2, Failed: 1, Others: 1}) || !strings.Contains(messages, "http://a.test/bad: ") {
		t.Errorf("%+v, messages %q", tally, messages)
	}
}

// TestCorpusOfDamagedArchives: the undamaged archives of a folder are read.
func TestCorpusOfDamagedArchives(t *testing.T) {
	demo := must(os.ReadFile(filepath.Join(realdata.Root(t), "examples/demo.warc.gz")))
	dir := folderOf(t, map[string]string{
		"a.warc.gz": "nothing of the kind", "b.warc.gz": string(demo), "c.warc": "", "d.txt": "text", "a.txt": "text",
	})
	all, tally, messages, err := corpusRead(dir)
	if err != nil || tally.Failed != 2 || !strings.Contains(messages, "a.warc.gz") || !strings.Contains(messages, "c.warc:") {
		t.Fatal(err, tally, messages)
	}
	ids := idsOf(all)
	if ids[0] != "a.txt" || !strings.HasPrefix(ids[1], "http://") || ids[len(ids)-1] != "d.txt" {
		t.Errorf("%q", ids)
	}
	if _, _, messages, err := corpusRead(filepath.Join(dir, "a.warc.gz")); !errors.Is(err, orbweaver.ErrInput) || messages == "" {
		t.Errorf("%v, messages %q", err, messages)
	}
}

// TestCorpusBounds: documents too large or too deep are skipped, and only the first ones are reported by
// name.
func TestCorpusBounds(t *testing.T) {
	files := map[string]string{"ok.txt": "ok", strings.Repeat("d/", maxCorpusDepth+2) + "x.txt": "deep"}
	for i := range maxCorpusReports + 5 {
		files[fmt.Sprintf("big%d.txt", i)] = strings.Repeat("x", maxCorpusBody/1000+1)
	}
	dir := folderOf(t, files)
	var log bytes.Buffer
	c := must(Of(&console.Console{Err: &log}, []string{dir}))
	c.limit = maxCorpusBody / 1000
	all := maps.Collect(c.Documents(t.Context()))
	if len(all) != 1 || c.Tally.Failed != maxCorpusReports+6 || strings.Count(log.String(), "\n") != maxCorpusReports+1 ||
		!strings.Contains(log.String(), "too-large") || !strings.Contains(log.String(), "6 more") {
		t.Errorf("%v, %+v\n%s", all, c.Tally, log.String())
	}
}

// TestCorpusErrors: no documents, missing paths, and cancellation.
func TestCorpusErrors(t *testing.T) {
	if _, _, _, err := corpusRead(t.TempDir()); !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), "no document") {
		t.Error(err)
	}
	if _, _, _, err := corpusRead(); !errors.Is(err, orbweaver.ErrInput) {
		t.Error(err)
	}
	_, _, _, err := corpusRead("/nowhere/a", "/nowhere/b")
	if !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), "nowhere/a") || !strings.Contains(err.Error(), "nowhere/b") {
		t.Error(err)
	}
	dir := folderOf(t, map[string]string{"a.txt": "a", "b.txt": "b", "c.txt": "c"})
	c := must(Of(&console.Console{Err: &bytes.Buffer{}}, []string{dir}))
	for range c.Documents(t.Context()) {
		break
	}
	if c.Tally.Documents != 1 {
		t.Errorf("%+v", c.Tally)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	n := 0
	for _, err := range c.Documents(ctx) {
		if cancel(); n > 0 && !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		n++
	}
	if n != 2 {
		t.Errorf("%d steps", n)
	}
}
