package archive

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"mime"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"orbweaver"
)

// lengths are of the files of an archive.
func lengths(t *testing.T, w *Writer) (warc, part int64) {
	t.Helper()
	for name, length := range map[string]*int64{w.Mark().File: &warc, partName: &part} {
		stat, err := os.Stat(filepath.Join(w.dir, name))
		if err != nil {
			t.Fatal(err)
		}
		*length = stat.Size()
	}
	return warc, part
}

// TestAppendGathers: bytes reach the operating system by Flush, or when they are many, or when they
// are read.
func TestAppendGathers(t *testing.T) {
	w := openWriter(t, t.TempDir(), Mark{}, WriterOptions{})
	defer closeWriter(t, w)
	ref := appendTo(t, w, answerOf("http://a.test/1", nil), "one")
	if warc, part := lengths(t, w); warc >= ref.Offset || part != 0 {
		t.Errorf("%d and %d bytes before Flush", warc, part)
	}
	flushed := func() bool {
		warc, part := lengths(t, w)
		return warc == w.Mark().Length && part == w.Mark().Index
	}
	if err := w.Flush(); err != nil || !flushed() {
		t.Errorf("after Flush: %v, %+v", err, w.Mark())
	}
	ref = appendTo(t, w, answerOf("http://a.test/2", nil), "two")
	if resp, err := w.Read(ref); err != nil || string(readBody(t, resp)) != "two" || !flushed() {
		t.Errorf("what was gathered cannot be read: %v", err)
	}
	random := make([]byte, 100_000)
	rng := rand.NewChaCha8([32]byte{2})
	for i := range 40 {
		rng.Read(random)
		appendTo(t, w, answerOf(fmt.Sprint("http://a.test/random/", i), nil), string(random))
		if warc, _ := lengths(t, w); w.Mark().Length-warc > maxGathered {
			t.Fatalf("%d bytes are gathered", w.Mark().Length-warc)
		}
	}
}

// TestReadWhileAppending: readers of any place, gathered or not, disturb nothing.
func TestReadWhileAppending(t *testing.T) {
	w := openWriter(t, t.TempDir(), Mark{}, WriterOptions{MaxFile: 20_000})
	refs := make(chan orbweaver.Ref, 100)
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for ref := range refs {
				resp, err := w.Read(ref)
				if err != nil {
					t.Error(err)
					continue
				}
				body, err := io.ReadAll(resp.Body)
				resp.Body.Close()
				if err != nil || string(body) != strings.TrimPrefix(resp.Request.URL, "http://a.test/")[:1] {
					t.Errorf("%s: %q, %v", resp.Request.URL, body, err)
				}
			}
		})
	}
	for i := range 100 {
		refs <- appendTo(t, w, answerOf(fmt.Sprintf("http://a.test/%d/%d", i%7, i), nil), fmt.Sprint(i%7))
	}
	close(refs)
	wg.Wait()
	closeWriter(t, w)
}

func TestAppendedOnce(t *testing.T) {
	w := openWriter(t, t.TempDir(), Mark{}, WriterOptions{})
	defer closeWriter(t, w)
	p, err := w.Pack(answerOf("http://a.test/", nil), []byte("x"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Append(p); err != nil {
		t.Fatal(err)
	}
	mark := w.Mark()
	if _, err := w.Append(p); err == nil || w.Mark() != mark {
		t.Errorf("%v, %+v", err, w.Mark())
	}
}

// TestStored: members that compress nothing are read by everybody, whatever blocks their parts fall in.
func TestStored(t *testing.T) {
	content := make([]byte, 3*maxStored)
	rng := rand.NewChaCha8([32]byte{3})
	rng.Read(content)
	for _, n := range []int{1, 2, 700, maxStored - 1, maxStored, maxStored + 1, 2 * maxStored, len(content)} {
		for _, first := range []int{0, 1, n / 2, n} {
			out := bytes.NewBuffer([]byte("before"))
			store(out, content[:first], nil, content[first:n])
			z, err := gzip.NewReader(bytes.NewReader(out.Bytes()[6:]))
			if err != nil {
				t.Fatal(err)
			}
			if got, err := io.ReadAll(z); err != nil || !bytes.Equal(got, content[:n]) || out.Len() > 6+n+18+5*(n/maxStored+1) {
				t.Errorf("%d bytes of %d: %v, %d", n, first, err, out.Len())
			}
		}
	}
}

// FuzzLine: an index line is JSON as anybody writes it, and its key is as a parser of URLs has it.
func FuzzLine(f *testing.F) {
	for _, seed := range []string{
		"http://www.example.org/a?b=c", "https://a.test:8080/", "http://A.test/", "http://a.test", "http://192.0.2.1:80/x?y?z",
		"http://a.test/%41%zz?%zz", "http://a.test/ä\"\\<>&\u2028\x7f", "http://a..test/", "http://:1/", "http://a.test:/", "http:///",
		"http://a.test:x/", "http://1.2/?#", "https://u:p@a.test/x;y=(z)!*'",
	} {
		f.Add(seed, "text/html", int64(7))
	}
	f.Fuzz(func(t *testing.T, target, media string, n int64) {
		if plain, ok := plainSURT(target); ok {
			u, err := url.Parse(target)
			if err != nil {
				t.Fatalf("%q has the key %q: %v", target, plain, err)
			}
			path := u.EscapedPath()
			if u.RawQuery != "" || u.ForceQuery {
				path += "?" + u.RawQuery
			}
			if want := surtOf(strings.ToLower(u.Hostname()), u.Port(), path); plain != want {
				t.Errorf("%q has the key %q, want %q", target, plain, want)
			}
		}
		if kind, params, err := mime.ParseMediaType(media); err == nil && len(params) == 0 && strings.Contains(media, "/") && len(media) <= maxMedia && plainMedia(media) != kind {
			t.Errorf("%q is %q, want %q", media, plainMedia(media), kind)
		}
		line := cdxLine{URL: target, Mime: media, Status: "200", Digest: media}
		ref := orbweaver.Ref{File: target, Offset: n, Length: n}
		line.Filename, line.Offset, line.Length = target, fmt.Sprint(n), fmt.Sprint(n)
		var want bytes.Buffer
		enc := json.NewEncoder(&want)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(line); err != nil {
			t.Fatal(err)
		}
		if got := line.append(nil, ref); string(got) != "  "+want.String() {
			t.Errorf("%s, want %s", got, &want)
		}
	})
}
