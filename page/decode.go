package page

import (
	"bytes"
	"net/http"
	"strconv"
	"strings"

	"orbweaver/internal/coding"
)

// Decode removes the chunks and content codings that the header declares from a payload, if they are present. Of a
// damaged coding it returns what can be decoded.
func Decode(header http.Header, payload []byte, limit int64) ([]byte, error) {
	body, _, err := salvaged(header, payload, limit)
	return body, err
}

// salvaged is Decode that says what was damaged; empty: nothing.
func salvaged(header http.Header, payload []byte, limit int64) (body []byte, flaw string, err error) {
	if strings.EqualFold(header.Get("Transfer-Encoding"), "chunked") {
		if joined, ok := dechunk(payload); ok {
			payload = joined
		}
	}
	return coding.Salvage(header["Content-Encoding"], payload, limit)
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
