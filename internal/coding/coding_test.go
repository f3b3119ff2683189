package coding_test

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"

	"orbweaver"
	"orbweaver/internal/coding"
)

// coded returns text under a coding; "zlib" and "flate" are the two forms of deflate.
func coded(t *testing.T, as string, text []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	var w io.WriteCloser
	switch as {
	case "gzip":
		w = gzip.NewWriter(&b)
	case "zlib":
		w = zlib.NewWriter(&b)
	case "flate":
		w, _ = flate.NewWriter(&b, 6)
	case "br":
		w = brotli.NewWriter(&b)
	case "zstd":
		w, _ = zstd.NewWriter(&b)
	default:
		return text
	}
	if _, err := w.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestDecoding: whole bodies and streams are decoded, and bodies without the declared coding pass
// unchanged.
func TestDecoding(t *testing.T) {
	text := []byte(strings.Repeat("Plain words, and enough of them. ", 99))
	for _, tc := range []struct {
		name, declared, as string
		decoded            bool // only decoding shows that the coding is missing
	}{
		{"none", "", "", false},
		{"gzip", "gzip", "gzip", false},
		{"gzip by its old name", "X-GZip", "gzip", false},
		{"deflate as zlib", "deflate", "zlib", false},
		{"deflate as some servers send it", "deflate", "flate", false},
		{"Brotli", "br", "br", false},
		{"zstd", "zstd", "zstd", false},
		{"identity", "identity", "", false},
		{"one of which nothing is known", "words", "", false},
		{"gzip declared, not applied", "gzip", "", false},
		{"zstd declared, not applied", "zstd", "", false},
		{"Brotli that is not there", "br", "", true},
		{"deflate declared, not applied", "deflate", "", true},
	} {
		body := coded(t, tc.as, text)
		if got, err := coding.Decode([]string{tc.declared}, body, 1<<20); err != nil || !bytes.Equal(got, text) {
			t.Errorf("%s: %.40q, %v", tc.name, got, err)
		}
		if tc.decoded {
			continue
		}
		in, end, err := coding.NewReader(strings.ToLower(tc.declared), bytes.NewReader(body))
		if err != nil {
			t.Errorf("%s: %v", tc.name, err)
			continue
		}
		if got, err := io.ReadAll(in); err != nil || !bytes.Equal(got, text) {
			t.Errorf("%s as a stream: %.40q, %v", tc.name, got, err)
		}
		end()
	}
	twice := coded(t, "br", coded(t, "gzip", text))
	for _, values := range [][]string{{"gzip, br"}, {"gzip", "br"}} {
		if got, err := coding.Decode(values, twice, 1<<20); err != nil || !bytes.Equal(got, text) {
			t.Errorf("%q: %.40q, %v", values, got, err)
		}
	}
}

func TestBounds(t *testing.T) {
	text := bytes.Repeat([]byte{'a'}, 1<<20)
	for _, tc := range []struct {
		name, declared, as string
		limit              int64
		want               error
	}{
		{"as large as allowed", "gzip", "gzip", 1 << 20, nil},
		{"larger", "gzip", "gzip", 1<<20 - 1, orbweaver.ErrTooLarge},
		{"larger by Brotli", "br", "br", 1<<20 - 1, orbweaver.ErrTooLarge},
		{"larger by zstd", "zstd", "zstd", 1<<20 - 1, orbweaver.ErrTooLarge},
		{"larger by deflate", "deflate", "flate", 1<<20 - 1, orbweaver.ErrTooLarge},
		{"larger without a coding", "", "", 1<<20 - 1, orbweaver.ErrTooLarge},
		{"five codings", "gzip, gzip, gzip, gzip, gzip", "gzip", 1 << 20, orbweaver.ErrMalformed},
	} {
		if _, err := coding.Decode([]string{tc.declared}, coded(t, tc.as, text), tc.limit); !errors.Is(err, tc.want) {
			t.Errorf("%s: %v", tc.name, err)
		}
	}
	cut := coded(t, "gzip", text)
	if _, err := coding.Decode([]string{"gzip"}, cut[:len(cut)-9], 1<<30); !errors.Is(err, orbweaver.ErrMalformed) {
		t.Errorf("cut: %v", err)
	}
}

// BenchmarkDecode removes gzip from a page of 20 kB.
func BenchmarkDecode(b *testing.B) {
	var text strings.Builder
	for i := 0; text.Len() < 20_000; i++ {
		fmt.Fprintf(&text, "<li><a href=\"/a/%d.html\">%x</a></li>\n<p>%x of the %x and %x</p>\n", i%97, i*i*7919, i*104729, i%13, i*i)
	}
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	if _, err := io.WriteString(w, text.String()); err != nil || w.Close() != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(text.Len()))
	b.ReportAllocs()
	for b.Loop() {
		if out, err := coding.Decode([]string{"gzip"}, z.Bytes(), 1<<20); err != nil || len(out) != text.Len() {
			b.Fatal(len(out), err)
		}
	}
}
