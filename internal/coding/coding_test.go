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
}

// TestDamage: what comes before a damage is the body, and the damage is told.
func TestDamage(t *testing.T) {
	var long strings.Builder
	for i := range 25_000 {
		fmt.Fprintf(&long, "%x ", i*i*7919)
	}
	text := []byte(long.String())
	cut := func(n int) func([]byte) []byte { return func(b []byte) []byte { return b[:len(b)-n] } }
	half := func(b []byte) []byte { return b[:len(b)/2] }
	with := func(more string) func([]byte) []byte { return func(b []byte) []byte { return append(b, more...) } }
	flip := func(n int) func([]byte) []byte {
		return func(b []byte) []byte { b[len(b)-n] ^= 1; return b }
	}
	for _, tc := range []struct {
		name, declared, as string
		damage             func([]byte) []byte
		least              int  // bytes that come out
		told               bool // a flaw
	}{
		{"gzip without a trailer", "gzip", "gzip", cut(8), len(text), true},
		{"gzip with half a trailer", "gzip", "gzip", cut(3), len(text), true},
		{"gzip with a wrong sum", "gzip", "gzip", flip(8), len(text), true},
		{"gzip with a wrong length", "gzip", "gzip", flip(1), len(text), true},
		{"gzip with bytes behind it", "gzip", "gzip", with("junk"), len(text), true},
		{"gzip with zeros behind it", "gzip", "gzip", with(strings.Repeat("\x00", 600)), len(text), true},
		{"gzip with a line end behind it", "gzip", "gzip", with("\r\n"), len(text), true},
		{"gzip with a page behind it", "gzip", "gzip", with(strings.Repeat("<p>more</p>", 99)), len(text), true},
		{"gzip cut in the middle", "gzip", "gzip", half, len(text) / 3, true},
		{"zlib without a sum", "deflate", "zlib", cut(4), len(text), true},
		{"zlib with a wrong sum", "deflate", "zlib", flip(1), len(text), true},
		{"zlib with bytes behind it", "deflate", "zlib", with("junk"), len(text), false},
		{"zlib cut in the middle", "deflate", "zlib", half, len(text) / 3, true},
		{"raw deflate cut in the middle", "deflate", "flate", half, len(text) / 3, true},
		{"raw deflate with bytes behind it", "deflate", "flate", with("junk"), len(text), false},
		{"Brotli cut in the middle", "br", "br", half, len(text) / 3, true},
		{"Brotli with bytes behind it", "br", "br", with("junk"), len(text), true},
		{"zstd without a sum", "zstd", "zstd", cut(4), 100_000, true},
		{"zstd cut in the middle", "zstd", "zstd", half, 100_000, true},
		{"zstd with bytes behind it", "zstd", "zstd", with("junk"), len(text), true},
	} {
		got, flaw, err := coding.Salvage([]string{tc.declared}, tc.damage(coded(t, tc.as, text)), 1<<20)
		if err != nil || len(got) < tc.least || !bytes.HasPrefix(text, got) || tc.told != (flaw != "") {
			t.Errorf("%s: %d of %d bytes, flaw %q, %v", tc.name, len(got), len(text), flaw, err)
		}
	}
	for _, as := range []string{"gzip", "zstd"} {
		head := coded(t, as, text)[:5]
		if _, err := coding.Decode([]string{as}, head, 1<<20); !errors.Is(err, orbweaver.ErrMalformed) {
			t.Errorf("%s that ends in its head: %v", as, err)
		}
	}
	for _, plain := range []string{"<html><p>Plain words of a page</html>", "{\"a\":1}", "Größe", "id,name\n1,x\n"} {
		for _, declared := range []string{"br", "deflate", "gzip", "zstd"} {
			got, flaw, err := coding.Salvage([]string{declared}, []byte(plain), 1<<20)
			if err != nil || flaw != "" || string(got) != plain {
				t.Errorf("%s declared of %q: %q, flaw %q, %v", declared, plain, got, flaw, err)
			}
		}
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
