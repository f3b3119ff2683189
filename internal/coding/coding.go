// Package coding removes the content codings of HTTP bodies: gzip, deflate, Brotli and zstd (RFC 9110,
// section 8.4.1), bounded in number and size. Some servers declare codings that they did not apply; a body
// whose first bytes show that passes unchanged.
package coding

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"unicode/utf8"

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
// coding is left on. Of a damaged coding, what comes before the damage counts, as it does for browsers: see
// Salvage. The error wraps ErrTooLarge where the body, decoded or not, passes the limit in bytes, and
// ErrMalformed where a coding is so damaged that nothing can be decoded.
func Decode(values []string, body []byte, limit int64) ([]byte, error) {
	body, _, err := Salvage(values, body, limit)
	return body, err
}

// Salvage is Decode that says what was wrong with a body that was decoded in spite of it: an end that is
// missing, a wrong checksum, bytes behind the end. Empty: nothing.
func Salvage(values []string, body []byte, limit int64) (out []byte, flaw string, err error) {
	codings, err := List(values)
	if err != nil {
		return nil, "", err
	}
	for i := len(codings) - 1; i >= 0; i-- {
		decoded, err := decode(codings[i], body, limit)
		switch {
		case err == nil:
		case len(decoded) > 0:
			flaw = cmp.Or(flaw, codings[i]+": "+err.Error())
		case errors.Is(err, orbweaver.ErrTooLarge):
			return nil, "", err
		default:
			return nil, "", fmt.Errorf("%s: %v: %w", codings[i], err, orbweaver.ErrMalformed)
		}
		body = decoded
	}
	if int64(len(body)) > limit {
		return nil, "", TooLarge(limit)
	}
	return body, flaw, nil
}

// TooLarge returns the error for a body that passes a limit.
func TooLarge(limit int64) error {
	return fmt.Errorf("body above %d bytes: %w", limit, orbweaver.ErrTooLarge)
}

// decode removes one coding. Brotli and raw deflate have no magic number, so it tries to decode them. With an
// error other than ErrTooLarge it returns what was decoded before.
func decode(coding string, b []byte, limit int64) ([]byte, error) {
	switch coding {
	case "gzip", "x-gzip":
		if !isGzip(b) {
			return b, nil
		}
		return gunzip(b, limit)
	case "zstd":
		if !isZstd(b) {
			return b, nil
		}
		r, err := zstd.NewReader(bytes.NewReader(b), zstd.WithDecoderConcurrency(1),
			zstd.WithDecoderMaxMemory(uint64(max(limit, zstdWindow))), zstd.WithDecoderMaxWindow(32<<20))
		if err == nil {
			defer r.Close()
		}
		return expand(r, err, limit)
	case "deflate":
		if isZlib(b) {
			r, err := zlib.NewReader(bytes.NewReader(b))
			return expand(r, err, limit)
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
func gunzip(b []byte, limit int64) ([]byte, error) {
	r := unzippers.Get().(*gzip.Reader)
	defer unzippers.Put(r)
	err := r.Reset(bytes.NewReader(b))
	defer r.Reset(bytes.NewReader(nil)) // it keeps nothing of the page
	var out bytes.Buffer
	if err == nil && len(b) > 4 {
		told := int64(binary.LittleEndian.Uint32(b[len(b)-4:]))
		out.Grow(int(min(told, limit, int64(len(b))*plausible)) + bytes.MinRead) // bytes.Buffer wants that much room to find the end
	}
	return expandInto(&out, r, err, limit)
}

// plausible is how many times a page is larger than what it is compressed to.
const plausible = 32

// expand reads all of a decoder, or returns the error of creating it.
func expand(r io.Reader, err error, limit int64) ([]byte, error) {
	return expandInto(&bytes.Buffer{}, r, err, limit)
}

// expandInto is expand into an empty buffer.
func expandInto(out *bytes.Buffer, r io.Reader, err error, limit int64) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	n, err := out.ReadFrom(io.LimitReader(r, limit+1))
	if n > limit || errors.Is(err, zstd.ErrDecoderSizeExceeded) {
		return nil, TooLarge(limit)
	}
	return out.Bytes(), err
}

// tryExpand is like expand, but returns bytes unchanged if they do not have the coding: none of them can be
// decoded, or they are text, which coded bytes never are.
func tryExpand(r io.Reader, b []byte, limit int64) ([]byte, error) {
	out, err := expand(r, nil, limit)
	if err != nil && !errors.Is(err, orbweaver.ErrTooLarge) && (len(out) == 0 || isText(b)) {
		return b, nil
	}
	return out, err
}

// isText reports whether bytes are text in UTF-8, but for a character cut at the end of what is looked at.
func isText(b []byte) bool {
	b = b[:min(len(b), 512)]
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		if r == utf8.RuneError && n == 1 && len(b) >= utf8.UTFMax || r < ' ' && r != '\t' && r != '\n' && r != '\r' {
			return false
		}
		b = b[n:]
	}
	return true
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
