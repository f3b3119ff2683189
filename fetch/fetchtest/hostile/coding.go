package hostile

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"io"
	"strings"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
)

// codings are hosts that send small bodies that decompress to large ones.
func codings() []Host {
	coded := func(coding string, body func() string) func(*visit) {
		return func(v *visit) { v.reply("200 OK", "text/html", body(), "Content-Encoding: "+coding) }
	}
	return []Host{
		{Name: "gzip-bomb", Does: "1 MB of gzip that is 1 GB", answer: coded("gzip", func() string { return gzipBomb(1024) })},
		{Name: "gzip-nested", Does: "some kB of gzip over gzip, 600 MB in the end", answer: coded("gzip, gzip", func() string { return gzipped(gzipBomb(600)) })},
		{Name: "zstd-bomb", Does: "100 kB of zstd that are 1 GB", answer: coded("zstd", zstdBomb)},
		{Name: "zstd-window", Does: "zstd that asks for a window of terabytes", answer: coded("zstd", func() string {
			return "\x28\xb5\x2f\xfd\x00\xff" + "\x01\x00\x00" // RFC 8878, section 3.1.1.1.2
		})},
		{Name: "brotli-bomb", Does: "some bytes of brotli that are 32 MB", answer: coded("br", brotliBomb)},
		{Name: "deflate-bomb", Does: "32 kB of deflate that are 32 MB", answer: coded("deflate", func() string {
			return pressed(32, zlibWriter)
		})},
		{Name: "codings-many", Does: "twenty codings over each other", answer: coded("gzip"+strings.Repeat(", gzip", 19), func() string { return gzipped("a") })},
		{Name: "gzip-cut", Does: "gzip that breaks off", answer: coded("gzip", func() string {
			whole := gzipped(strings.Repeat("a page of words ", 1000))
			return whole[:len(whole)/2]
		})},
		{Name: "gzip-false", Does: "a page that is said to be gzip", answer: coded("gzip", func() string { return "<p>A page." })},
		{Name: "gzip-endless", Does: "gzip members without end", answer: func(v *visit) {
			v.head("200 OK", "Content-Type: text/html", "Content-Encoding: gzip")
			v.forever(strings.Repeat(gzipped("a"), 100), 0)
		}},
	}
}

const megabyte = 1 << 20

// pressed is a body of many megabytes of one character in a coding.
func pressed(megabytes int, coder func(io.Writer) io.WriteCloser) string {
	var b bytes.Buffer
	w := coder(&b)
	piece := bytes.Repeat([]byte("a"), megabyte)
	for range megabytes {
		w.Write(piece)
	}
	w.Close()
	return b.String()
}

func gzipped(s string) string {
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, flate.BestCompression)
	io.WriteString(w, s)
	w.Close()
	return b.String()
}

// gzipBomb has the given number of members of a megabyte each, about 1 kB compressed.
func gzipBomb(members int) string {
	return strings.Repeat(pressed(1, func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) }), members)
}

// zstdBomb is a thousand frames of a megabyte each.
func zstdBomb() string {
	return strings.Repeat(pressed(1, func(w io.Writer) io.WriteCloser {
		z, _ := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
		return z
	}), 1024)
}

func brotliBomb() string {
	return pressed(32, func(w io.Writer) io.WriteCloser { return brotli.NewWriterLevel(w, brotli.BestSpeed) })
}

func zlibWriter(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) }
