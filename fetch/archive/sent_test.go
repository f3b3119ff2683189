package archive_test

import (
	"bytes"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"

	"orbweaver"
	"orbweaver/fetch/archive"
	"orbweaver/internal/step"
)

// TestWhatWasSentIsArchived: the request as it was sent, and which server answered how.
func TestWhatWasSentIsArchived(t *testing.T) {
	dir := t.TempDir()
	w, err := archive.OpenWriter(dir, archive.Mark{}, archive.WriterOptions{Prefix: "x"})
	if err != nil {
		t.Fatal(err)
	}
	packed, err := w.Pack(&step.Response{
		Request: orbweaver.Request{URL: "https://a.test/b?c"}, Status: 200, Header: http.Header{"Content-Type": {"text/plain"}},
		Asked:   http.Header{"Host": {"a.test"}, "User-Agent": {"me/1 (+mailto:me@a.test)"}, "Accept-Encoding": {"gzip\r\nX: y"}},
		Address: "[2001:db8::7]:443", Protocol: "h2", At: time.Unix(1e9, 0),
	}, []byte("text"))
	if err == nil {
		_, err = w.Append(packed)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	compressed, err := os.ReadFile(filepath.Join(dir, "x-00000.warc.gz"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := gzip.NewReader(bytes.NewReader(compressed))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	for want, times := range map[string]int{
		"GET /b?c HTTP/1.1\r\nHost: a.test\r\nAccept-Encoding: gzip  X: y\r\nUser-Agent: me/1 (+mailto:me@a.test)\r\n\r\n": 1,
		"\r\nWARC-IP-Address: 2001:db8::7\r\nWARC-Protocol: h2\r\n":                                                        2,
	} {
		if n := strings.Count(string(text), want); n != times {
			t.Errorf("%q stands there %d times, want %d\n%s", want, n, times, text)
		}
	}
}
