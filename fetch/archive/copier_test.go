package archive

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"orbweaver/internal/realdata"

	"orbweaver"
)

func openStock(tb testing.TB, dir string) *Stock {
	tb.Helper()
	s, err := OpenStock(dir, WebOptions{TempDir: tb.TempDir()})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { s.Close() })
	return s
}

// listed are all listings of a stock.
func listed(tb testing.TB, s *Stock) (all []Listing) {
	tb.Helper()
	for l, err := range s.All() {
		if err != nil {
			tb.Fatal(err)
		}
		all = append(all, l)
	}
	return all
}

// copyAll copies what keep says into a file of a new folder.
func copyAll(tb testing.TB, s *Stock, keep func(Listing) bool) (dir string, told []Copied) {
	tb.Helper()
	dir = tb.TempDir()
	file, err := os.Create(filepath.Join(dir, "copy.warc.gz"))
	if err != nil {
		tb.Fatal(err)
	}
	c := NewCopier(s, file, "copy.warc.gz", "test", 0)
	all := listed(tb, s)
	slices.SortFunc(all, func(a, b Listing) int { return a.Holding.Compare(b.Holding) })
	for _, l := range all {
		if keep(l) {
			one, err := c.Copy(l.Holding)
			if err != nil {
				tb.Fatalf("%s: %v", l.URL, err)
			}
			told = append(told, one)
		}
	}
	if err := errors.Join(c.Close(), file.Close()); err != nil {
		tb.Fatal(err)
	}
	return dir, told
}

func everything(Listing) bool { return true }

// oddArchive is an archive of odd payloads in several files, each twice under another URL, so that
// every second answer is a revisit.
func oddArchive(t *testing.T) (dir string, payloads map[string]string) {
	dir, payloads = t.TempDir(), map[string]string{}
	w := openWriter(t, dir, Mark{}, WriterOptions{MaxFile: 100_000})
	odd := oddPayloads()
	names := []string{}
	for name := range odd {
		names = append(names, name)
	}
	slices.Sort(names)
	for i, base := range []string{"http://a.test/?", "https://b.test/again?"} {
		for _, name := range names {
			url := base + strings.ReplaceAll(name, " ", "+")
			appendTo(t, w, answerOf(url, http.Header{"X-Which": {strings.Repeat("i", i)}, "Content-Type": {"text/x"}}), odd[name])
			payloads[url] = odd[name]
		}
	}
	closeWriter(t, w)
	return dir, payloads
}

// TestCopyOfAll: the bytes are the same, warcinfo aside, and say the same.
func TestCopyOfAll(t *testing.T) {
	from, payloads := oddArchive(t)
	dir, told := copyAll(t, openStock(t, from), everything)
	var want, got []string
	for _, kind := range validate(t, from) {
		if kind != "warcinfo" {
			want = append(want, kind)
		}
	}
	got = validate(t, dir)
	if got[0] != "warcinfo" || !slices.Equal(got[1:], want) {
		t.Errorf("records %v, want warcinfo and %v", got, want)
	}
	web := openWeb(t, dir)
	for url, payload := range payloads {
		if resp, body := fetch(t, web, url); string(body) != payload || len(resp.Header["X-Which"]) != 1 {
			t.Errorf("%s: %d bytes, want %d; %v", url, len(body), len(payload), resp.Header)
		}
	}
	content, err := os.ReadFile(filepath.Join(dir, "copy.warc.gz"))
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range told {
		r := newRecord()
		s := &source{file: openFile(t, filepath.Join(dir, "copy.warc.gz")), size: int64(len(content)), compressed: true}
		if err := r.open(s, one.Ref.Offset, one.Ref.Length); err != nil || r.header.target != one.URL || r.header.digest != one.Digest {
			t.Errorf("%s is not where it was told to be: %v", one.URL, err)
		}
	}
	for _, name := range []string{"crawl-00000.warc.gz", "crawl-00001.warc.gz"} {
		original, err := os.ReadFile(filepath.Join(from, name))
		if err != nil {
			t.Fatal(err)
		}
		if first := bytes.Index(original[1:], []byte("\x1f\x8b\x08")) + 1; !bytes.Contains(content, original[first:]) {
			t.Errorf("%s was not copied byte for byte", name)
		}
	}
}

func openFile(tb testing.TB, path string) *os.File {
	tb.Helper()
	f, err := os.Open(path)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { f.Close() })
	return f
}

// TestRevisitWithoutItsOriginal: it is written as the response that it stands for.
func TestRevisitWithoutItsOriginal(t *testing.T) {
	from, payloads := oddArchive(t)
	revisits := func(l Listing) bool { return strings.HasPrefix(l.URL, "https://b.test/") }
	dir, told := copyAll(t, openStock(t, from), revisits)
	kinds := validate(t, dir)
	if slices.Contains(kinds, "revisit") || !slices.Contains(kinds, "request") || len(told) != len(payloads)/2 {
		t.Errorf("%d answers as %v", len(told), kinds)
	}
	web := openWeb(t, dir)
	if w := web.Warnings(); len(w) > 0 {
		t.Error(w)
	}
	for _, one := range told {
		resp, body := fetch(t, web, one.URL)
		if string(body) != payloads[one.URL] || resp.Header.Get("X-Which") != "i" || !resp.At.Equal(day) {
			t.Errorf("%s: %d bytes, %v, %v", one.URL, len(body), resp.Header, resp.At)
		}
		if one.MediaType != "text/x" || one.Status != 200 || one.Digest != digestOf(sha1Sum(body)) {
			t.Errorf("told %+v", one)
		}
	}
}

// TestCopyOfForeignArchives: of records compressed one by one, not at all, and all together, in whose
// revisits there is no original before them.
func TestCopyOfForeignArchives(t *testing.T) {
	records := []string{
		plainRecord("revisit", "http://a.test/late", "2020-01-02T00:00:00Z", "WARC-Record-ID: <urn:x:1>\r\nWARC-Refers-To: <urn:x:2>\r\n", ""),
		plainRecord("response", "http://a.test/", "2020-01-01T00:00:00Z", "WARC-Record-ID: <urn:x:2>\r\n", "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"),
		plainRecord("resource", "http://a.test/r", "2020-01-01T00:00:00Z", "WARC-Record-ID: <urn:x:3>\r\nContent-Type: text/css\r\n", "body{}"),
		plainRecord("metadata", "http://a.test/", "2020-01-01T00:00:00Z", "", "x: y"),
		strings.TrimSuffix(plainRecord("response", "http://a.test/cut", "2020-01-01T00:00:00Z", "", "HTTP/1.0 404 No\n\nnone"), "\r\n\r\n"),
	}
	for name, content := range map[string][]byte{
		"by record": zipped(records...), "plain": []byte(strings.Join(records, "")), "as a whole": zipped(strings.Join(records, "")),
	} {
		t.Run(name, func(t *testing.T) {
			web := openWeb(t, writeFile(t, content))
			dir, told := copyAll(t, web.Stock(), everything)
			if len(told) != 4 {
				t.Errorf("copied %+v", told)
			}
			copied := openWeb(t, dir)
			for e := range web.All() {
				want, wantBody := fetch(t, web, e.URL)
				got, body := fetch(t, copied, e.URL)
				if !bytes.Equal(body, wantBody) || got.Status != want.Status || !got.At.Equal(want.At) || got.Header.Get("Content-Type") != want.Header.Get("Content-Type") {
					t.Errorf("%s: %d %q %v, want %d %q %v", e.URL, got.Status, body, got.Header, want.Status, wantBody, want.Header)
				}
			}
			for _, kind := range kindsOf(t, filepath.Join(dir, "copy.warc.gz")) {
				if kind == "metadata" || kind == "revisit" {
					t.Errorf("a %s record was copied", kind)
				}
			}
		})
	}
}

// kindsOf scans a file.
func kindsOf(t *testing.T, path string) []string {
	t.Helper()
	s, err := openSource(path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	var kinds visited
	if found, err := scan(s, newRecord(), &kinds); err != nil || found.truncated >= 0 || found.damaged > 0 {
		t.Fatal(found.truncated, err)
	}
	return kinds
}

type visited []string

func (v *visited) begin(r *record, _ int64) error { *v = append(*v, r.header.kind); return nil }
func (v *visited) end(int64)                      {}

// TestCopyOfWhatIsWritten: an archive being written is listed up to its last whole line, and what was
// written behind the mark by a crawl that was killed does no harm.
func TestCopyOfWhatIsWritten(t *testing.T) {
	dir := t.TempDir()
	w := openWriter(t, dir, Mark{}, WriterOptions{})
	appendTo(t, w, answerOf("http://a.test/1", nil), "one")
	appendTo(t, w, answerOf("http://a.test/2", nil), "two")
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	part := filepath.Join(dir, partName)
	lines, err := os.ReadFile(part)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(part, append(lines, lines[:40]...), 0o666); err != nil {
		t.Fatal(err)
	}
	if all := listed(t, openStock(t, dir)); len(all) != 2 || all[1].URL != "http://a.test/2" || all[1].Digest != digestOf(sha1Sum([]byte("two"))) {
		t.Errorf("%+v", all)
	}
	copied, _ := copyAll(t, openStock(t, dir), everything)
	if kinds := validate(t, copied); !slices.Equal(kinds, []string{"warcinfo", "request", "response", "request", "response"}) {
		t.Error(kinds)
	}
	closeWriter(t, w)
}

// TestCopyOfDamage: a record that is not what the index says is an error that names the place, writes
// nothing and lets the others be copied.
func TestCopyOfDamage(t *testing.T) {
	good := plainRecord("response", "http://a.test/", "2020-01-01T00:00:00Z", "", "HTTP/1.1 200 OK\r\n\r\ngood")
	members := [][]byte{zipped(good), zipped(good), zipped("WARC/1.1\r\nWARC-Type: request\r\nContent-Length: 0\r\n\r\n\r\n\r\n"), zipped(good, good), []byte("nothing at all"), zipped("WARC/1.1\r\nWARC-Type: response\r\nContent-Length: 3\r\n\r\nabc\r\n\r\n"), zipped(good)}
	members[1][len(members[1])-6] ^= 1 // its checksum
	dir := t.TempDir()
	var content []byte
	var part bytes.Buffer
	for _, m := range members {
		line := cdxLine{URL: "http://a.test/", Status: "200"}
		part.Write(line.append(nil, orbweaver.Ref{File: "x.warc.gz", Offset: int64(len(content)), Length: int64(len(m))}))
		content = append(content, m...)
	}
	for name, b := range map[string][]byte{"x.warc.gz": content, partName: part.Bytes()} {
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	s := openStock(t, dir)
	var out bytes.Buffer
	c := NewCopier(s, &out, "n", "", 0)
	for i, l := range listed(t, s) {
		before := out.Len()
		_, err := c.Copy(l.Holding)
		if whole := i == 0 || i == len(members)-1; whole != (err == nil) || !whole && (out.Len() != before || !errors.As(err, new(orbweaver.Failure)) || !strings.Contains(err.Error(), "x.warc.gz at byte ")) {
			t.Errorf("record %d: %v, %d bytes written", i, err, out.Len()-before)
		}
	}
	for _, line := range []string{`{"filename":"../x.warc.gz","offset":"0","length":"9"}`, `{"filename":"x.warc.gz","offset":"-1","length":"9"}`,
		`{"filename":"x.warc.gz","offset":"9223372036854775807","length":"9"}`, `{"filename":"x.warc.gz","offset":"0","length":"0"}`, "x", strings.Repeat("x", maxIndexLine+1)} {
		if err := os.WriteFile(filepath.Join(dir, partName), []byte(line+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := OpenStock(dir, WebOptions{}); !errors.Is(err, orbweaver.ErrDamaged) || !strings.Contains(err.Error(), partName+":1") {
			t.Errorf("%.60s: %v", line, err)
		}
	}
	if _, err := OpenStock(t.TempDir(), WebOptions{}); !errors.Is(err, orbweaver.ErrAbsent) {
		t.Error(err)
	}
}

// TestCopyFails: an error of the output is none of the archive.
func TestCopyFails(t *testing.T) {
	from, _ := oddArchive(t)
	s := openStock(t, from)
	c := NewCopier(s, failing{}, "n", "", 0)
	if _, err := c.Copy(listed(t, s)[0].Holding); !errors.Is(err, io.ErrClosedPipe) || errors.As(err, new(orbweaver.Failure)) {
		t.Error(err)
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// FuzzStock: whatever index and archive are, reading and copying end, and what was copied is whole.
func FuzzStock(f *testing.F) {
	good := zipped(plainRecord("request", "http://a.test/", "2020-01-01T00:00:00Z", "", "GET / HTTP/1.1\r\n\r\n"),
		plainRecord("response", "http://a.test/", "2020-01-01T00:00:00Z", "", "HTTP/1.1 200 OK\r\n\r\ngood"))
	f.Add([]byte(`k 2020 {"url":"http://a.test/","mime":"x","status":"200","digest":"","length":"150","offset":"100","filename":"x.warc.gz"}`+"\n"), good)
	f.Add([]byte(`{"url":"u","mime":"warc/revisit","digest":"sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ","length":"9","offset":"0","filename":"x.warc.gz"}`+"\n"), good)
	f.Fuzz(func(t *testing.T, index, content []byte) {
		dir := t.TempDir()
		if os.WriteFile(filepath.Join(dir, partName), index, 0o666) != nil || os.WriteFile(filepath.Join(dir, "x.warc.gz"), content, 0o666) != nil {
			t.Skip()
		}
		s, err := OpenStock(dir, WebOptions{})
		if err != nil {
			return
		}
		defer s.Close()
		var out bytes.Buffer
		c := NewCopier(s, &out, "copy", "fuzz", 1<<20)
		for l, err := range s.All() {
			if err != nil {
				break
			}
			if _, err := c.Copy(l.Holding); err != nil && !errors.As(err, new(orbweaver.Failure)) {
				t.Fatal(err)
			}
			if resp, err := s.Response(l.Holding, 1<<20); err == nil {
				io.Copy(io.Discard, resp.Body)
				resp.Body.Close()
			}
		}
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
		kindsOf(t, writeFile(t, out.Bytes()))
	})
}

// BenchmarkCopy copies the records of a real archive; a round is a record.
func BenchmarkCopy(b *testing.B) {
	web := openWeb(b, realdata.File(b, "wikispeedia.warc.gz"))
	s := web.Stock()
	all := listed(b, s)
	slices.SortFunc(all, func(a, b Listing) int { return a.Holding.Compare(b.Holding) })
	c := NewCopier(s, io.Discard, "n", "", 0)
	for i := 0; b.Loop(); i++ {
		if _, err := c.Copy(all[i%len(all)].Holding); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "records/s")
}
