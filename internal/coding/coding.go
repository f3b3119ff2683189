// Package coding removes the content codings of HTTP bodies: gzip, deflate, Brotli and zstd (RFC 9110,
// section 8.4.1), bounded in number and size. Some servers declare codings that they did not apply; a body
// whose first bytes show that passes unchanged.
package coding

import (
	"bufio"
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"

	"orbweaver"
	"orbweaver/internal/coding/brotli"
)

const (
	maxCodings = 4       // applied one after the other
	zstdWindow = 8 << 20 // limit of a sender's window, whatever the document size: RFC 9659
)

// List splits the values of Content-Encoding headers into codings, the first applied first. The error wraps
// ErrMalformed for more than four.
func List(values []string) ([]string, error) {
	if len(values) == 0 {
		return nil, nil
	}
	codings := strings.Split(strings.ToLower(strings.Join(values, ",")), ",")
	for i, c := range codings {
		codings[i] = strings.TrimSpace(c)
	}
	if len(codings) > maxCodings {
		return nil, fmt.Errorf("%d content codings: %w", len(codings), orbweaver.ErrMalformed)
	}
	return codings, nil
}

// Decode removes the codings that the values of Content-Encoding headers declare from a whole body. An unknown
// coding is left on. The error wraps ErrTooLarge where the body, decoded or not, passes the limit in bytes, and
// ErrMalformed where a coding is damaged.
func Decode(values []string, body []byte, limit int64) ([]byte, error) {
	codings, err := List(values)
	if err != nil {
		return nil, err
	}
	for i := len(codings) - 1; i >= 0; i-- {
		if body, err = decode(codings[i], body, limit); err != nil {
			return nil, err
		}
	}
	if int64(len(body)) > limit {
		return nil, TooLarge(limit)
	}
	return body, nil
}

// TooLarge returns the error for a body that passes a limit.
func TooLarge(limit int64) error {
	return fmt.Errorf("body above %d bytes: %w", limit, orbweaver.ErrTooLarge)
}

// decode removes one coding. Brotli and raw deflate have no magic number, so it tries to decode them.
func decode(coding string, b []byte, limit int64) ([]byte, error) {
	switch coding {
	case "gzip", "x-gzip":
		if !isGzip(b) {
			return b, nil
		}
		return gunzip(coding, b, limit)
	case "zstd":
		if !isZstd(b) {
			return b, nil
		}
		r, err := zstd.NewReader(bytes.NewReader(b), zstd.WithDecoderConcurrency(1),
			zstd.WithDecoderMaxMemory(uint64(max(limit, zstdWindow))), zstd.WithDecoderMaxWindow(32<<20))
		if err == nil {
			defer r.Close()
		}
		return expand(coding, r, err, limit)
	case "deflate":
		if isZlib(b) {
			r, err := zlib.NewReader(bytes.NewReader(b))
			return expand(coding, r, err, limit)
		}
		return tryExpand(flate.NewReader(bytes.NewReader(b)), b, limit)
	case "br":
		return tryExpand(brotli.NewReader(bytes.NewReader(b)), b, limit)
	}
	return b, nil
}

func isGzip(b []byte) bool { return bytes.HasPrefix(b, []byte{0x1f, 0x8b}) }

func isZstd(b []byte) bool { return bytes.HasPrefix(b, []byte{0x28, 0xb5, 0x2f, 0xfd}) }

func isZlib(b []byte) bool {
	return len(b) > 1 && b[0]&0x0f == 8 && (uint(b[0])<<8|uint(b[1]))%31 == 0
}

// unzippers are used again: each has a window, and tables, larger than most pages.
var unzippers = sync.Pool{New: func() any { return new(gzip.Reader) }}

// gunzip decodes gzip into a buffer of the size that its last bytes tell, if that is plausible.
func gunzip(coding string, b []byte, limit int64) ([]byte, error) {
	r := unzippers.Get().(*gzip.Reader)
	defer unzippers.Put(r)
	err := r.Reset(bytes.NewReader(b))
	defer r.Reset(bytes.NewReader(nil)) // it keeps nothing of the page
	var out bytes.Buffer
	if err == nil && len(b) > 4 {
		told := int64(binary.LittleEndian.Uint32(b[len(b)-4:]))
		out.Grow(int(min(told, limit, int64(len(b))*plausible)) + bytes.MinRead) // bytes.Buffer wants that much room to find the end
	}
	return expandInto(&out, coding, r, err, limit)
}

// plausible is how many times a page is larger than what it is compressed to.
const plausible = 32

// expand reads all of a decoder, or wraps the error of creating it.
func expand(coding string, r io.Reader, err error, limit int64) ([]byte, error) {
	return expandInto(&bytes.Buffer{}, coding, r, err, limit)
}

// expandInto is expand into an empty buffer.
func expandInto(out *bytes.Buffer, coding string, r io.Reader, err error, limit int64) ([]byte, error) {
	if err != nil {
		return nil, fmt.Errorf("%s: %v: %w", coding, err, orbweaver.ErrMalformed)
	}
	n, err := out.ReadFrom(io.LimitReader(r, limit+1))
	switch {
	case n > limit || errors.Is(err, zstd.ErrDecoderSizeExceeded):
		return nil, TooLarge(limit)
	case err != nil:
		return nil, fmt.Errorf("%s: %v: %w", coding, err, orbweaver.ErrMalformed)
	}
	return out.Bytes(), nil
}

// tryExpand is like expand, but returns bytes unchanged if they do not have the coding.
func tryExpand(r io.Reader, b []byte, limit int64) ([]byte, error) {
	out, err := expand("", r, nil, limit)
	if errors.Is(err, orbweaver.ErrMalformed) {
		return b, nil
	}
	return out, err
}

// NewReader removes one coding from a stream. The stream passes unchanged if the coding is unknown, or if
// its first bytes are not the coding's. The caller must call end after reading.
func NewReader(coding string, coded io.Reader) (in io.Reader, end func(), err error) {
	b, end := bufio.NewReader(coded), func() {}
	start, _ := b.Peek(4) // may be shorter
	switch {
	case (coding == "gzip" || coding == "x-gzip") && isGzip(start):
		in, err = gzip.NewReader(b)
	case coding == "deflate" && isZlib(start):
		in, err = zlib.NewReader(b)
	case coding == "deflate":
		in = flate.NewReader(b)
	case coding == "br":
		in = brotli.NewReader(b)
	case coding == "zstd" && isZstd(start):
		z, err := zstd.NewReader(b, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(zstdWindow))
		if err != nil {
			return nil, end, err
		}
		return z, z.Close, nil
	default:
		in = b
	}
	return in, end, err
}
