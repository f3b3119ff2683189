package page

import (
	"bytes"
	"compress/flate"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"

	"orbweaver"
)

// maxCodings is how many content codings may lie over each other.
const maxCodings = 4

// zstdWindow is the window that a sender may ask for however small the document is: RFC 9659.
const zstdWindow = 8 << 20

// Decode takes the codings off a payload that the header tells of and that are really there.
func Decode(header http.Header, payload []byte, limit int64) ([]byte, error) {
	if strings.EqualFold(header.Get("Transfer-Encoding"), "chunked") {
		if joined, ok := dechunk(payload); ok {
			payload = joined
		}
	}
	var codings []string
	if coded := header["Content-Encoding"]; len(coded) > 0 {
		codings = strings.Split(strings.Join(coded, ","), ",")
	}
	if len(codings) > maxCodings {
		return nil, fmt.Errorf("%d content codings: %w", len(codings), orbweaver.ErrMalformed)
	}
	for i := len(codings) - 1; i >= 0; i-- {
		decoded, err := decodeOne(strings.ToLower(strings.TrimSpace(codings[i])), payload, limit)
		if err != nil {
			return nil, err
		}
		payload = decoded
	}
	if int64(len(payload)) > limit {
		return nil, tooLarge(limit)
	}
	return payload, nil
}

// tooLarge says that a body passes the limit.
func tooLarge(limit int64) error {
	return fmt.Errorf("body above %d bytes: %w", limit, orbweaver.ErrTooLarge)
}

// decodeOne takes one coding off. A payload without the coding's magic number is left as it is; Brotli
// and raw deflate have none, so there a trial decides.
func decodeOne(coding string, b []byte, limit int64) ([]byte, error) {
	switch coding {
	case "gzip", "x-gzip":
		if !bytes.HasPrefix(b, []byte{0x1f, 0x8b}) {
			return b, nil
		}
		r, err := gzip.NewReader(bytes.NewReader(b))
		return expand(coding, r, err, limit)
	case "zstd":
		if !bytes.HasPrefix(b, []byte{0x28, 0xb5, 0x2f, 0xfd}) {
			return b, nil
		}
		r, err := zstd.NewReader(bytes.NewReader(b), zstd.WithDecoderConcurrency(1),
			zstd.WithDecoderMaxMemory(uint64(max(limit, zstdWindow))), zstd.WithDecoderMaxWindow(32<<20))
		if err == nil {
			defer r.Close()
		}
		return expand(coding, r, err, limit)
	case "deflate":
		if len(b) > 1 && b[0]&0x0f == 8 && (uint(b[0])<<8|uint(b[1]))%31 == 0 {
			r, err := zlib.NewReader(bytes.NewReader(b))
			return expand(coding, r, err, limit)
		}
		return tryExpand(flate.NewReader(bytes.NewReader(b)), b, limit)
	case "br":
		return tryExpand(brotli.NewReader(bytes.NewReader(b)), b, limit)
	}
	return b, nil
}

// expand reads all of a decoder that could be opened.
func expand(coding string, r io.Reader, err error, limit int64) ([]byte, error) {
	if err != nil {
		return nil, fmt.Errorf("%s: %v: %w", coding, err, orbweaver.ErrMalformed)
	}
	var out bytes.Buffer
	n, err := io.Copy(&out, io.LimitReader(r, limit+1))
	switch {
	case n > limit || errors.Is(err, zstd.ErrDecoderSizeExceeded):
		return nil, tooLarge(limit)
	case err != nil:
		return nil, fmt.Errorf("%s: %v: %w", coding, err, orbweaver.ErrMalformed)
	}
	return out.Bytes(), nil
}

// tryExpand is expand for bytes that may not be coded at all: they are returned as they are then.
func tryExpand(r io.Reader, b []byte, limit int64) ([]byte, error) {
	out, err := expand("", r, nil, limit)
	if errors.Is(err, orbweaver.ErrMalformed) {
		return b, nil
	}
	return out, err
}

// dechunk joins the chunks of a payload that is chunked from its first byte to its last chunk.
func dechunk(b []byte) ([]byte, bool) {
	var out []byte
	for {
		line, rest, ok := bytes.Cut(b, []byte("\n"))
		if !ok || len(line) > 256 {
			return nil, false
		}
		digits, _, _ := bytes.Cut(bytes.TrimSpace(line), []byte(";"))
		size, err := strconv.ParseUint(string(bytes.TrimSpace(digits)), 16, 31)
		if err != nil || size > uint64(len(rest)) {
			return nil, false
		}
		if size == 0 {
			return out, true
		}
		out = append(out, rest[:size]...)
		b = rest[size:]
		if b, ok = bytes.CutPrefix(b, []byte("\r\n")); !ok {
			if b, ok = bytes.CutPrefix(b, []byte("\n")); !ok {
				return nil, false
			}
		}
	}
}
