package archive

import (
	"archive/zip"
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"orbweaver"
	"orbweaver/internal/step"
)

func FuzzHead(f *testing.F) {
	for _, seed := range []string{
		"HTTP/1.1 200 OK\r\nA: b\r\n\r\nbody", "HTTP/2 404\n\n", "HTTP/1.0 100 Continue\r\n\r\nHTTP/1.0 200\r\nA:b\r\n c\r\n\r\n",
		"HTTP 999", "HTTP/1.1 200 OK\r\nodd line\r\n: x\r\n\tfold\r\nContent-Type: TEXT/html;x\r\n\r\n",
	} {
		f.Add([]byte(seed), true)
	}
	f.Fuzz(func(t *testing.T, block []byte, whole bool) {
		h, err := splitHead(block, whole)
		if err != nil {
			if orbweaver.FailureOf(err) != orbweaver.ErrMalformed {
				t.Fatal(err)
			}
			return
		}
		if h.size > len(block) || h.status < 100 || h.status > 999 {
			t.Fatalf("%+v of %d bytes", h, len(block))
		}
		header := h.header()
		if got, want := h.mediaType(), plainMedia(header.Get("Content-Type")); got != want {
			t.Fatalf("media type %q, want %q", got, want)
		}
		if h.status < 200 {
			return
		}
		// what is written of it reads the same
		resp := &step.Response{Status: h.status, Header: header}
		written := appendHead(nil, resp, nil)
		again, err := splitHead(written, true)
		if err != nil || again.size != len(written) || again.status != h.status {
			t.Fatalf("written %q: %v", written, err)
		}
		if twice := appendHead(nil, &step.Response{Status: h.status, Header: again.header()}, nil); !bytes.Equal(twice, written) {
			t.Fatalf("%q and then %q", written, twice)
		}
	})
}

func FuzzWARC(f *testing.F) {
	f.Add([]byte(arcFile(arcRecord("http://a.test/", " 200 - - 0 a.arc", "HTTP/1.1 200 OK\r\n\r\none"))))
	f.Add(zipped(arcFile(), arcRecord("http://a.test/", "", "HTTP/1.1 200 OK\r\n\r\none")))
	f.Add(waczOf(f, zip.Store, "archive/a.warc", plainRecord("response", "http://a.test/", "2020-01-01T00:00:00Z", "", "HTTP/1.1 200 OK\n\none")))
	record := plainRecord("response", "http://a.test/", "2020-01-01T00:00:00Z", "WARC-Record-ID: <x>\r\n",
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n")
	revisit := plainRecord("revisit", "http://b.test/", "2020-01-01T00:00:00Z", "WARC-Refers-To: <x>\r\n", "HTTP/1.1 200 OK\n\n")
	request := plainRecord("request", "http://a.test/", "2020-01-01T00:00:00Z", "WARC-Concurrent-To: <x>\r\n", "GET / HTTP/1.1\r\nAccept: a/b\r\n\r\n")
	see := plainRecord("response", "http://a.test/", "2020-01-01T00:00:00Z", "WARC-Record-ID: <x>\r\n", "HTTP/1.1 303\r\nLocation: /b\r\n\r\n")
	f.Add([]byte(see + request + see + record))
	f.Add([]byte(record + revisit))
	f.Add(zipped(record, revisit))
	f.Add(zipped(record + revisit))
	f.Add(zipped(record, revisit)[:150])
	dir := f.TempDir()
	path := filepath.Join(dir, "f.warc")
	f.Fuzz(func(t *testing.T, content []byte) {
		if err := os.WriteFile(path, content, 0o666); err != nil {
			t.Fatal(err)
		}
		w, err := OpenWeb([]string{path}, WebOptions{TempDir: dir, MaxBody: 1 << 20, MaxSpill: 1 << 20})
		if err != nil {
			if orbweaver.FailureOf(err) == "error" {
				t.Fatal(err)
			}
			return
		}
		for e := range w.All() {
			for _, accept := range []string{"", "a/b", e.MediaType} {
				resp, err := w.Fetch(context.Background(), orbweaver.Request{URL: e.URL, Accept: accept})
				if err == nil {
					_, err = io.Copy(io.Discard, resp.Body)
					resp.Body.Close()
				}
				if orbweaver.FailureOf(err) == "error" || orbweaver.FailureOf(err) == orbweaver.ErrAbsent {
					t.Fatal(err)
				}
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	})
}

func FuzzRoundTrip(f *testing.F) {
	f.Add([]byte("body"), "text/html", "gzip", "a\r\nb", uint16(200))
	f.Fuzz(func(t *testing.T, payload []byte, contentType, coding, odd string, status uint16) {
		dir := t.TempDir()
		w := openWriter(t, dir, Mark{}, WriterOptions{})
		resp := answerOf("http://a.test/", http.Header{
			"Content-Type": {contentType}, "Content-Encoding": {coding}, odd: {odd, odd}, "Transfer-Encoding": {coding}})
		resp.Status = int(status)
		p, err := w.Pack(resp, payload)
		if err != nil {
			if status >= 200 && status <= 999 {
				t.Fatal(err)
			}
			closeWriter(t, w)
			return
		}
		ref, err := w.Append(p)
		if err != nil {
			t.Fatal(err)
		}
		got, err := w.Read(ref)
		if err != nil {
			t.Fatal(err)
		}
		if body := readBody(t, got); !bytes.Equal(body, payload) || got.Status != int(status) {
			t.Fatalf("%d, %q", got.Status, body)
		}
		closeWriter(t, w)
		validate(t, dir)
	})
}
