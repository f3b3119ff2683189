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
	"slices"
	"strings"

	"github.com/andybalholm/brotli"
	"github.com/chromedp/cdproto/fetch"
	"github.com/klauspost/compress/zstd"

	"orbweaver"
)

// An answer is a response as a page gets it: whole, and with its content coding off, which the
// browser takes off only of what it fetched itself.
type answer struct {
	status int
	header []*fetch.HeaderEntry
	body   []byte
}

// newAnswer makes an answer of a response as received. A body of more than limit bytes, coded or not,
// is ErrTooLarge; one that cannot be decoded, or a status that is none, ErrMalformed.
func newAnswer(status int, header http.Header, body []byte, limit int64) (*answer, error) {
	if status < 200 || status > 599 {
		return nil, fmt.Errorf("%w: status %d", orbweaver.ErrMalformed, status)
	}
	codings := strings.FieldsFunc(strings.ToLower(strings.Join(header["Content-Encoding"], ",")), func(r rune) bool {
		return r == ',' || r == ' ' || r == '\t'
	})
	if len(codings) > maxCodings {
		return nil, fmt.Errorf("%w: %d content codings", orbweaver.ErrMalformed, len(codings))
	}
	for _, coding := range slices.Backward(codings) {
		var err error
		if body, err = decode(coding, body, limit); err != nil {
			return nil, err
		}
	}
	if int64(len(body)) > limit {
		return nil, fmt.Errorf("%w: more than %d bytes", orbweaver.ErrTooLarge, limit)
	}
	return &answer{status: status, header: forPage(header), body: body}, nil
}

// maxCodings is how often a body may be coded, one coding over another.
const maxCodings = 3

// forPage returns what a page may know of a header, by name, so that it is the same each time.
func forPage(header http.Header) []*fetch.HeaderEntry {
	var names []string
	for name := range header {
		if !isKept(name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	var entries []*fetch.HeaderEntry
	for _, name := range names {
		for _, value := range header[name] {
			entries = append(entries, &fetch.HeaderEntry{Name: name, Value: value})
		}
	}
	return entries
}

// isKept reports whether a header is kept from the page: it tells of a connection or coding that the
// page does not see, or would make the browser remember, report, fetch again, save or go elsewhere.
func isKept(name string) bool {
	switch http.CanonicalHeaderKey(name) {
	case "Content-Encoding", "Content-Length", "Transfer-Encoding", "Connection", "Keep-Alive", "Trailer", "Upgrade",
		"Proxy-Authenticate", "Proxy-Connection", "Www-Authenticate", "Te",
		"Set-Cookie", "Set-Cookie2", "Strict-Transport-Security", "Public-Key-Pins", "Alt-Svc", "Clear-Site-Data",
		"Accept-Ch", "Critical-Ch", "Nel", "Report-To", "Reporting-Endpoints", "Expect-Ct",
		"Content-Security-Policy-Report-Only", "Speculation-Rules", "No-Vary-Search", "Service-Worker-Allowed",
		"Content-Disposition", "Refresh", "Use-As-Dictionary", "Available-Dictionary":
		return true
	}
	return false
}

// decode takes one coding off. A coding that is not known, and a body that is not coded as said, are
// left as they are: servers say such things of plain text.
func decode(coding string, body []byte, limit int64) ([]byte, error) {
	switch coding {
	case "gzip", "x-gzip":
		if !bytes.HasPrefix(body, []byte{0x1f, 0x8b}) {
			return body, nil
		}
		r, err := gzip.NewReader(bytes.NewReader(body))
		return expand(coding, r, err, limit)
	case "zstd":
		if !bytes.HasPrefix(body, []byte{0x28, 0xb5, 0x2f, 0xfd}) {
			return body, nil
		}
		r, err := zstd.NewReader(bytes.NewReader(body), zstd.WithDecoderConcurrency(1),
			zstd.WithDecoderMaxMemory(uint64(max(limit, 1<<20))), zstd.WithDecoderMaxWindow(32<<20))
		if err != nil {
			return expand(coding, nil, err, limit)
		}
		defer r.Close()
		return expand(coding, r, nil, limit)
	case "deflate":
		if len(body) > 1 && body[0]&0x0f == 8 && (uint(body[0])<<8|uint(body[1]))%31 == 0 {
			r, err := zlib.NewReader(bytes.NewReader(body))
			return expand(coding, r, err, limit)
		}
		return expandOr(flate.NewReader(bytes.NewReader(body)), body, limit)
	case "br":
		return expandOr(brotli.NewReader(bytes.NewReader(body)), body, limit)
	}
	return body, nil
}

// expand reads all of a decoder that could be opened.
func expand(coding string, r io.Reader, err error, limit int64) ([]byte, error) {
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", orbweaver.ErrMalformed, coding, err)
	}
	var out bytes.Buffer
	n, err := io.Copy(&out, io.LimitReader(r, limit+1))
	switch {
	case n > limit || errors.Is(err, zstd.ErrDecoderSizeExceeded):
		return nil, fmt.Errorf("%w: more than %d bytes", orbweaver.ErrTooLarge, limit)
	case err != nil:
		return nil, fmt.Errorf("%w: %s: %w", orbweaver.ErrMalformed, coding, err)
	}
	return out.Bytes(), nil
}

// expandOr is expand for codings that no first bytes tell: a body not coded so is left as it is.
func expandOr(r io.Reader, body []byte, limit int64) ([]byte, error) {
	out, err := expand("", r, nil, limit)
	if errors.Is(err, orbweaver.ErrMalformed) {
		return body, nil
	}
	return out, err
}
