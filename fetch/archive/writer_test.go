package archive

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"orbweaver"
	"orbweaver/internal/step"
	"orbweaver/internal/tier"
)

var day = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC) // never written

func answerOf(url string, header http.Header) *step.Response {
	return &step.Response{Request: orbweaver.Request{URL: url}, Status: 200, Header: header, At: day}
}

func openWriter(tb testing.TB, dir string, mark Mark, opts WriterOptions) *Writer {
	tb.Helper()
	w, err := OpenWriter(dir, mark, opts)
	if err != nil {
		tb.Fatal(err)
	}
	return w
}

func appendTo(tb testing.TB, w *Writer, resp *step.Response, payload string) orbweaver.Ref {
	tb.Helper()
	p, err := w.Pack(resp, []byte(payload))
	if err != nil {
		tb.Fatal(err)
	}
	ref, err := w.Append(p)
	if err != nil {
		tb.Fatal(err)
	}
	return ref
}

func closeWriter(tb testing.TB, w *Writer) {
	tb.Helper()
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
}

// oddPayloads are bodies that a careless writer or reader would change.
func oddPayloads() map[string]string {
	random := make([]byte, 200_000)
	rng := rand.NewChaCha8([32]byte{1})
	rng.Read(random)
	return map[string]string{
		"empty": "", "line ends": "\r\n\r\n", "a record": plainRecord("response", "http://x.test/", "2020-01-01T00:00:00Z", "", "HTTP/1.1 200 OK\n\n"),
		"a head": "HTTP/1.1 200 OK\r\n\r\n", "zeros": strings.Repeat("\x00", 100_000), "random": string(random),
		"gzip": string(zipped("x")), "a chunk": "3\r\nabc\r\n0\r\n\r\n", "one byte": "\n",
	}
}

func TestRoundTrip(t *testing.T) {
	dir := t.TempDir()
	w := openWriter(t, dir, Mark{}, WriterOptions{MaxFile: 250_000})
	refs := map[string]orbweaver.Ref{}
	payloads := oddPayloads()
	header := http.Header{"Content-Type": {"Text/X; a=b"}, "Set-Cookie": {"a=1", "b=2"}, "Transfer-Encoding": {"chunked"}, "Content-Length": {"-1"}, "X-Odd": {"a\r\nWARC-Type: b"}}
	for name, payload := range payloads {
		refs[name] = appendTo(t, w, answerOf("http://a.test/?"+strings.ReplaceAll(name, " ", "+"), header), payload)
	}
	check := func(name string, resp *step.Response) {
		t.Helper()
		body := readBody(t, resp)
		if string(body) != payloads[name] || resp.Status != 200 || !resp.At.Equal(day) {
			t.Errorf("%s: status %d, %d bytes, at %v", name, resp.Status, len(body), resp.At)
		}
		want := http.Header{"Content-Type": {"Text/X; a=b"}, "Set-Cookie": {"a=1", "b=2"}, "Content-Length": {fmt.Sprint(len(body))}, "X-Odd": {"a  WARC-Type: b"}}
		if !reflect.DeepEqual(resp.Header, want) {
			t.Errorf("%s: %v", name, resp.Header)
		}
	}
	for name, ref := range refs {
		resp, err := w.Read(ref)
		if err != nil {
			t.Fatal(err)
		}
		if resp.Record != ref {
			t.Errorf("%s: record %v, want %v", name, resp.Record, ref)
		}
		check(name, resp)
	}
	closeWriter(t, w)
	web := openWeb(t, dir)
	for name := range payloads {
		resp, err := web.Fetch(context.Background(), orbweaver.Request{URL: "http://a.test/?" + strings.ReplaceAll(name, " ", "+")})
		if err != nil {
			t.Fatal(err)
		}
		if resp.Record != refs[name] {
			t.Errorf("%s: the web has it at %v, not %v", name, resp.Record, refs[name])
		}
		check(name, resp)
	}
	validate(t, dir)
}

// validate reads all files of an archive by the standard library and checks what the standard asks
// of each record, and that the index tells of each response.
func validate(t *testing.T, dir string) (records []string) {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(dir, "*.warc.gz"))
	ids := map[string]bool{}
	for _, path := range files {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		in := bytes.NewReader(data)
		for n := 0; in.Len() > 0; n++ {
			z, err := gzip.NewReader(in)
			if err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			z.Multistream(false)
			record, err := io.ReadAll(z)
			if err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			kind := validateRecord(t, path, string(record), ids)
			if (n == 0) != (kind == "warcinfo") {
				t.Errorf("%s: record %d is %s", path, n, kind)
			}
			records = append(records, kind)
		}
	}
	return records
}

func validateRecord(t *testing.T, path, record string, ids map[string]bool) string {
	t.Helper()
	head, block, ok := strings.Cut(record, "\r\n\r\n")
	block, ended := strings.CutSuffix(block, "\r\n\r\n")
	lines := strings.Split(head, "\r\n")
	field := map[string]string{}
	for _, line := range lines[1:] {
		k, v, colon := strings.Cut(line, ": ")
		if _, twice := field[k]; twice || !colon {
			t.Errorf("%s: odd line %q", path, line)
		}
		field[k] = v
	}
	kind := field["WARC-Type"]
	want := []string{"WARC-Record-ID", "WARC-Date", "Content-Type"}
	switch kind {
	case "response":
		want = append(want, "WARC-Target-URI", "WARC-Payload-Digest")
		if _, twice := field["WARC-Block-Digest"]; !twice {
			field["WARC-Block-Digest"] = digestOf(sha1Sum([]byte(block)))
		}
		_, payload, _ := strings.Cut(block, "\r\n\r\n")
		if field["WARC-Payload-Digest"] != digestOf(sha1Sum([]byte(payload))) {
			t.Errorf("%s: payload digest of %s", path, field["WARC-Target-URI"])
		}
	case "revisit":
		want = append(want, "WARC-Target-URI", "WARC-Payload-Digest", "WARC-Profile", "WARC-Refers-To-Target-URI", "WARC-Refers-To-Date")
		if !ids[field["WARC-Refers-To"]] && field["Orbweaver-Elsewhere"] == "" {
			t.Errorf("%s: refers to %s, which was not before it", path, field["WARC-Refers-To"])
		}
	}
	for _, name := range want {
		if field[name] == "" {
			t.Errorf("%s: %s without %s", path, kind, name)
		}
	}
	if !ok || !ended || lines[0] != "WARC/1.1" || field["Content-Length"] != fmt.Sprint(len(block)) ||
		field["WARC-Block-Digest"] != digestOf(sha1Sum([]byte(block))) || ids[field["WARC-Record-ID"]] {
		t.Errorf("%s: not a valid record: %q", path, head)
	}
	ids[field["WARC-Record-ID"]] = true
	return kind
}

func TestDuplicatesBecomeRevisits(t *testing.T) {
	dir := t.TempDir()
	w := openWriter(t, dir, Mark{}, WriterOptions{})
	appendTo(t, w, answerOf("http://a.test/1", nil), "the same")
	mark := w.Mark()
	closeWriter(t, w)
	w = openWriter(t, dir, mark, WriterOptions{}) // the table is made again from the index
	again := appendTo(t, w, answerOf("http://a.test/2", http.Header{"X": {"2"}, "Content-Length": {"8"}}), "the same")
	appendTo(t, w, answerOf("http://a.test/3", nil), "")
	appendTo(t, w, answerOf("http://a.test/4", nil), "")
	resp, err := w.Read(again)
	if err != nil {
		t.Fatal(err)
	}
	if body := readBody(t, resp); string(body) != "the same" || resp.Header.Get("X") != "2" || resp.Header.Get("Content-Length") != "8" || resp.Request.URL != "http://a.test/2" {
		t.Errorf("%q with %v", body, resp.Header)
	}
	closeWriter(t, w)
	want := []string{"warcinfo", "request", "response", "request", "revisit", "request", "response", "request", "response"}
	if got := validate(t, dir); !slices.Equal(got, want) {
		t.Errorf("records %v", got)
	}
	if _, body := fetch(t, openWeb(t, dir), "http://a.test/2"); string(body) != "the same" {
		t.Errorf("from the web: %q", body)
	}
	index, _ := os.ReadFile(filepath.Join(dir, indexName))
	if n := strings.Count(string(index), `"mime":"warc/revisit"`); n != 1 {
		t.Errorf("%d revisits in\n%s", n, index)
	}
}

func TestRotation(t *testing.T) {
	dir := t.TempDir()
	w := openWriter(t, dir, Mark{}, WriterOptions{MaxFile: 4000, Prefix: "x"})
	for i := range 20 {
		appendTo(t, w, answerOf(fmt.Sprintf("http://a.test/%d", i), nil), fmt.Sprint("payload ", i))
	}
	mark := w.Mark()
	closeWriter(t, w)
	files, _ := filepath.Glob(filepath.Join(dir, "*.warc.gz"))
	if len(files) < 3 || mark.Seq != len(files)-1 || mark.File != filepath.Base(files[mark.Seq]) || filepath.Base(files[0]) != "x-00000.warc.gz" {
		t.Errorf("%v, mark %+v", files, mark)
	}
	for _, file := range files {
		if stat, _ := os.Stat(file); stat.Size() > 4000 {
			t.Errorf("%s has %d bytes", file, stat.Size())
		}
	}
	validate(t, dir)
	if n := len(slices.Collect(openWeb(t, dir).All())); n != 20 {
		t.Errorf("%d URLs", n)
	}
}

// Whatever a kill leaves behind the mark, going on from it gives the bytes of a crawl never killed.
func TestKilledAtAnyByte(t *testing.T) {
	const steps = 3
	opts := WriterOptions{MaxFile: 2400}
	step := func(w *Writer, i int) {
		appendTo(t, w, answerOf(fmt.Sprintf("http://a.test/%d", i), nil), fmt.Sprint("payload ", i/2))
	}
	quiet := t.TempDir()
	w := openWriter(t, quiet, Mark{}, opts)
	marks := []Mark{w.Mark()}
	for i := range steps {
		step(w, i)
		marks = append(marks, w.Mark())
	}
	closeWriter(t, w)
	validate(t, quiet)
	want := contents(t, quiet)
	if marks[steps].Seq == 0 {
		t.Fatal("no rotation: nothing is tested of it")
	}
	dir := t.TempDir()
	for at, mark := range marks[:steps] {
		for cut := int64(0); ; cut += int64(tier.Of(7, 1)) {
			if !leaveKilled(t, dir, want, mark, marks[at+1], cut) {
				break
			}
			w := openWriter(t, dir, mark, opts)
			got := contents(t, dir)
			if got[mark.File] != want[mark.File][:mark.Length] || got[partName] != want[partName][:mark.Index] {
				t.Fatalf("killed %d bytes after mark %d: not cut back to %+v", cut, at, mark)
			}
			if cut%97 != 0 { // to continue is slow: files are put on disk
				if err := w.closeFiles(); err != nil {
					t.Fatal(err)
				}
				continue
			}
			for i := at; i < steps; i++ {
				step(w, i)
			}
			closeWriter(t, w)
			if !reflect.DeepEqual(contents(t, dir), want) {
				t.Fatalf("killed %d bytes after mark %d: the archive differs", cut, at)
			}
		}
	}
}

// leaveKilled makes a directory what a kill leaves that wrote n bytes from one mark on towards the
// next; false when that is more than there is between them.
func leaveKilled(t *testing.T, dir string, want map[string]string, from, to Mark, n int64) bool {
	t.Helper()
	start := from.Length
	if to.File != from.File {
		start = 0
	}
	if start+n > to.Length {
		return false
	}
	for name, content := range want {
		switch {
		case name == to.File:
			content = content[:start+n]
		case name == partName:
			content = content[:from.Index+(to.Index-from.Index)*(n%5)/5]
		case name > to.File && strings.HasSuffix(name, ".gz"), name == indexName:
			os.Remove(filepath.Join(dir, name))
			continue
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return true
}

func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		all[e.Name()] = string(data)
	}
	return all
}

func TestLostBytesAreDamage(t *testing.T) {
	for _, tc := range []struct {
		name string
		harm func(dir string, mark *Mark) error
		want orbweaver.Failure
	}{
		{"a shorter file", func(dir string, m *Mark) error { return os.Truncate(filepath.Join(dir, m.File), m.Length-1) }, orbweaver.ErrDamaged},
		{"no file", func(dir string, m *Mark) error { return os.Remove(filepath.Join(dir, m.File)) }, orbweaver.ErrDamaged},
		{"no first file", func(dir string, m *Mark) error { return os.Remove(filepath.Join(dir, "crawl-00000.warc.gz")) }, orbweaver.ErrDamaged},
		{"a shorter index", func(dir string, m *Mark) error { return os.Truncate(filepath.Join(dir, partName), m.Index-1) }, orbweaver.ErrDamaged},
		{"no index", func(dir string, m *Mark) error { return os.Remove(filepath.Join(dir, partName)) }, orbweaver.ErrDamaged},
		{"a mark within a line", func(_ string, m *Mark) error { m.Index--; return nil }, orbweaver.ErrDamaged},
		{"another crawl's mark", func(_ string, m *Mark) error { m.File = "x-00001.warc.gz"; return nil }, orbweaver.ErrForeign},
		{"a mark of nowhere", func(_ string, m *Mark) error { m.File = ""; return nil }, orbweaver.ErrInput},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := t.TempDir()
			w := openWriter(t, dir, Mark{}, WriterOptions{MaxFile: 1500})
			for i := range 3 {
				appendTo(t, w, answerOf(fmt.Sprintf("http://a.test/%d", i), nil), fmt.Sprint(i))
			}
			mark := w.Mark()
			closeWriter(t, w)
			if err := tc.harm(dir, &mark); err != nil {
				t.Fatal(err)
			}
			before := contents(t, dir)
			_, err := OpenWriter(dir, mark, WriterOptions{MaxFile: 1500})
			if !errors.Is(err, tc.want) {
				t.Errorf("got %v, want %v", err, tc.want)
			}
			if tc.name != "a mark within a line" && !reflect.DeepEqual(contents(t, dir), before) {
				t.Error("the archive was changed all the same")
			}
		})
	}
}

func TestPackRefuses(t *testing.T) {
	w := openWriter(t, t.TempDir(), Mark{}, WriterOptions{})
	defer w.Close()
	for _, tc := range []struct {
		url    string
		status int
		want   orbweaver.Failure
	}{
		{"", 200, orbweaver.ErrBadURL},
		{"http://a.test/ b", 200, orbweaver.ErrBadURL},
		{"http://a.test/\r\nWARC-Type: x", 200, orbweaver.ErrBadURL},
		{"http://a.test/", 0, orbweaver.ErrMalformed},
		{"http://a.test/", 100, orbweaver.ErrMalformed},
	} {
		resp := answerOf(tc.url, nil)
		resp.Status = tc.status
		if _, err := w.Pack(resp, nil); !errors.Is(err, tc.want) {
			t.Errorf("%q, %d: %v, want %v", tc.url, tc.status, err, tc.want)
		}
	}
	for _, ref := range []orbweaver.Ref{{}, {File: "../x", Length: 1}, {File: "crawl-00000.warc.gz", Offset: -1, Length: 1}} {
		if _, err := w.Read(ref); !errors.Is(err, orbweaver.ErrInput) {
			t.Errorf("%v: %v", ref, err)
		}
	}
}

func TestHeadIsMadeTrue(t *testing.T) {
	for _, tc := range []struct {
		name    string
		header  http.Header
		payload string
		want    http.Header
	}{
		{"a true coding stays", http.Header{"Content-Encoding": {"gzip"}}, "\x1f\x8bxx", http.Header{"Content-Encoding": {"gzip"}}},
		{"a coding taken off goes", http.Header{"Content-Encoding": {"br, gzip"}}, "text", http.Header{}},
		{"a coding nobody can tell stays", http.Header{"Content-Encoding": {"br"}}, "text", http.Header{"Content-Encoding": {"br"}}},
		{"no length stays none", http.Header{"Transfer-Encoding": {"chunked"}}, "text", http.Header{}},
		{"names that are none go", http.Header{"A B": {"x"}, "": {"y"}, "C": {"z"}}, "", http.Header{"C": {"z"}}},
		{"too much of a head goes", http.Header{"A": {strings.Repeat("x", 70_000)}, "B": {"y"}}, "", http.Header{"B": {"y"}}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			head, err := splitHead(appendHead(nil, answerOf("http://a.test/", tc.header), []byte(tc.payload)), true)
			if got := head.header(); err != nil || !reflect.DeepEqual(got, tc.want) {
				t.Errorf("%v, %v", got, err)
			}
		})
	}
}

func TestQueriesAreArchivedUnderTheirText(t *testing.T) {
	dir := t.TempDir()
	w := openWriter(t, dir, Mark{}, WriterOptions{})
	long := "SELECT * { VALUES ?x { " + strings.Repeat("<http://example.org/> ", 1000) + "} }"
	for i, query := range []string{"ASK { ?s ?p 'a b' }", "SELECT ?x {}", long} {
		resp := answerOf("http://a.test/sparql", nil)
		resp.Request.Query = query
		appendTo(t, w, resp, fmt.Sprint("answer ", i))
	}
	closeWriter(t, w)
	web := openWeb(t, dir)
	for i, query := range []string{"ASK { ?s ?p 'a b' }", "SELECT ?x {}", long} {
		resp, err := web.Fetch(context.Background(), orbweaver.Request{URL: "http://a.test/sparql", Query: query})
		if err != nil {
			t.Fatal(err)
		}
		if body := readBody(t, resp); string(body) != fmt.Sprint("answer ", i) {
			t.Errorf("%.30s: %q", query, body)
		}
	}
	if _, err := web.Fetch(context.Background(), orbweaver.Request{URL: "http://a.test/sparql"}); !errors.Is(err, orbweaver.ErrAbsent) {
		t.Errorf("no query: %v", err)
	}
}

// Packing in parallel, in whatever order, and appending in one order gives the same bytes.
func TestPackInParallel(t *testing.T) {
	write := func(workers int) map[string]string {
		dir := t.TempDir()
		w := openWriter(t, dir, Mark{}, WriterOptions{MaxFile: 100_000})
		packed := make([]*Packed, 200)
		var wg sync.WaitGroup
		for worker := range workers {
			wg.Go(func() {
				for i := worker; i < len(packed); i += workers {
					p, err := w.Pack(answerOf(fmt.Sprintf("http://a.test/%d", i), nil), bytes.Repeat([]byte{byte(i)}, i*50))
					if err != nil {
						t.Error(err)
					}
					packed[i] = p
				}
			})
		}
		wg.Wait()
		for _, p := range packed {
			if _, err := w.Append(p); err != nil {
				t.Fatal(err)
			}
		}
		closeWriter(t, w)
		return contents(t, dir)
	}
	if !reflect.DeepEqual(write(1), write(7)) {
		t.Error("the archives differ")
	}
}

func TestIndexIsSorted(t *testing.T) {
	dir := t.TempDir()
	from, to := filepath.Join(dir, "from"), filepath.Join(dir, "to")
	rng := rand.New(rand.NewPCG(1, 2))
	var lines []string
	for range 1000 {
		lines = append(lines, fmt.Sprintf("com,example)/%d %s", rng.IntN(700), strings.Repeat("x", rng.IntN(50))))
	}
	if err := os.WriteFile(from, []byte(strings.Join(lines, "\n")+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	slices.Sort(lines)
	want := strings.Join(lines, "\n") + "\n"
	for _, run := range []int{400, 5000, 1 << 20} {
		if err := sortIndex(disk{}, from, to, run); err != nil {
			t.Fatal(err)
		}
		if got, _ := os.ReadFile(to); string(got) != want {
			t.Errorf("in runs of %d bytes the order is another", run)
		}
		if left, _ := os.ReadDir(dir); len(left) != 2 {
			t.Errorf("left behind: %v", left)
		}
	}
}

func TestSURT(t *testing.T) {
	for _, tc := range []struct{ url, want string }{
		{"http://www.example.org/a?b=c", "org,example,www)/a?b=c"},
		{"https://Example.org:8080", "org,example:8080)/"},
		{"http://192.0.2.1/x", "192.0.2.1)/x"},
		{"http://[2001:db8::1]/", "2001:db8::1)/"},
		{"no url", "no%20url"},
	} {
		if got := SURT(tc.url); got != tc.want {
			t.Errorf("%s: %s, want %s", tc.url, got, tc.want)
		}
	}
}
