package render

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"

	"orbweaver"
)

// coded codes a body, one coding over another.
func coded(t testing.TB, body string, codings ...string) []byte {
	t.Helper()
	for _, coding := range codings {
		var out bytes.Buffer
		var w io.WriteCloser
		var err error
		switch coding {
		case "gzip":
			w = gzip.NewWriter(&out)
		case "deflate":
			w = zlib.NewWriter(&out)
		case "raw deflate":
			w, err = flate.NewWriter(&out, 6)
		case "br":
			w = brotli.NewWriter(&out)
		case "zstd":
			w, err = zstd.NewWriter(&out)
		}
		if err == nil {
			_, err = io.WriteString(w, body)
		}
		if err = errors.Join(err, w.Close()); err != nil {
			t.Fatal(err)
		}
		body = out.String()
	}
	return []byte(body)
}

func TestAnswer(t *testing.T) {
	long := strings.Repeat("long ", 1000) // 5000 bytes
	for _, tc := range []struct {
		name    string
		status  int
		codings string
		body    []byte
		limit   int64
		want    string
		err     error
	}{
		{name: "plain", body: []byte("plain"), want: "plain"},
		{name: "nothing", want: ""},
		{name: "gzip", codings: "gzip", body: coded(t, long, "gzip"), want: long},
		{name: "gzip, as old servers call it", codings: "X-GZIP", body: coded(t, long, "gzip"), want: long},
		{name: "deflate", codings: "deflate", body: coded(t, long, "deflate"), want: long},
		{name: "deflate without its head", codings: "deflate", body: coded(t, long, "raw deflate"), want: long},
		{name: "Brotli", codings: "br", body: coded(t, long, "br"), want: long},
		{name: "Zstandard", codings: "zstd", body: coded(t, long, "zstd"), want: long},
		{name: "two codings, the last one outside", codings: "br, gzip", body: coded(t, long, "br", "gzip"), want: long},
		{name: "a coding that is none", codings: "identity, none", body: []byte("plain"), want: "plain"},
		{name: "gzip that is none", codings: "gzip", body: []byte("plain"), want: "plain"},
		{name: "Brotli that is none", codings: "br", body: []byte("plain"), want: "plain"},
		{name: "gzip cut short", codings: "gzip", body: coded(t, long, "gzip")[:20], err: orbweaver.ErrMalformed},
		{name: "too many codings", codings: "gzip,gzip,gzip,gzip,gzip", body: []byte("x"), err: orbweaver.ErrMalformed},
		{name: "as large as may be", body: []byte(long), limit: 5000, want: long},
		{name: "one byte more", body: []byte(long), limit: 4999, err: orbweaver.ErrTooLarge},
		{name: "as large as may be, coded", codings: "gzip", body: coded(t, long, "gzip"), limit: 5000, want: long},
		{name: "one byte more, gzip", codings: "gzip", body: coded(t, long, "gzip"), limit: 4999, err: orbweaver.ErrTooLarge},
		{name: "one byte more, Brotli", codings: "br", body: coded(t, long, "br"), limit: 4999, err: orbweaver.ErrTooLarge},
		{name: "one byte more, Zstandard", codings: "zstd", body: coded(t, long, "zstd"), limit: 4999, err: orbweaver.ErrTooLarge},
		{name: "a status below all", status: 199, err: orbweaver.ErrMalformed},
		{name: "a status above all", status: 600, err: orbweaver.ErrMalformed},
		{name: "the last status", status: 599, want: ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if tc.status == 0 {
				tc.status = http.StatusOK
			}
			if tc.limit == 0 {
				tc.limit = 1e6
			}
			a, err := newAnswer(tc.status, http.Header{"Content-Encoding": {tc.codings}}, tc.body, tc.limit)
			if !errors.Is(err, tc.err) {
				t.Fatalf("%v, want %v", err, tc.err)
			}
			if err == nil && (string(a.body) != tc.want || a.status != tc.status || len(a.header) != 0) {
				t.Errorf("%d %v %.100q", a.status, a.header, a.body)
			}
		})
	}
}

func TestForPage(t *testing.T) {
	var got []string
	for _, e := range forPage(http.Header{
		"X-Total": {"7"}, "Content-Type": {"text/html"}, "Link": {"<a>", "<b>"}, "Set-Cookie": {"a=b"}, "Content-Encoding": {"br"},
		"Content-Length": {"5"}, "Refresh": {"0; url=/x"}, "Content-Disposition": {"attachment"}, "Alt-Svc": {"h3"}, "Critical-Ch": {"x"},
		"Content-Security-Policy": {"default-src *"}, "Access-Control-Allow-Origin": {"*"}, "critical-ch": {"y"},
	}) {
		got = append(got, e.Name+": "+e.Value)
	}
	want := `["Access-Control-Allow-Origin: *" "Content-Security-Policy: default-src *" "Content-Type: text/html" "Link: <a>" "Link: <b>" "X-Total: 7"]`
	if s := fmt.Sprintf("%q", got); s != want {
		t.Errorf("%s\nwant %s", s, want)
	}
}

// FuzzAnswer: whatever a server says, an answer is within its limit, or an error that says why not.
func FuzzAnswer(f *testing.F) {
	for _, coding := range []string{"gzip", "deflate", "br", "zstd"} {
		f.Add(coding, coded(f, "some text, some text", coding))
	}
	f.Add("br, gzip", coded(f, "some text, some text", "br", "gzip"))
	f.Fuzz(func(t *testing.T, codings string, body []byte) {
		a, err := newAnswer(http.StatusOK, http.Header{"Content-Encoding": {codings}}, body, 10_000)
		switch failure := orbweaver.FailureOf(err); {
		case err == nil && len(a.body) > 10_000:
			t.Errorf("%d bytes", len(a.body))
		case err != nil && failure != orbweaver.ErrMalformed && failure != orbweaver.ErrTooLarge:
			t.Error(err)
		}
	})
}
