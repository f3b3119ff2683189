package archive

import (
	"bytes"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"orbweaver/internal/step"
)

// appendHead writes the status line and the fields, sorted by name, at most maxHead bytes.
func appendHead(b []byte, resp *step.Response, payload []byte) []byte {
	start := len(b)
	b = strconv.AppendInt(append(b, "HTTP/1.1 "...), int64(resp.Status), 10)
	b = append(append(b, ' '), http.StatusText(resp.Status)...)
	b = append(b, "\r\n"...)
	names := make([]string, 0, 32)
	for name := range resp.Header {
		names = append(names, name)
	}
	slices.Sort(names)
	left := maxFields
	for _, name := range names {
		for _, value := range trueValues(resp.Header, name, payload) {
			value = oneLine(value)
			if len(b)-start+len(name)+len(value)+6 <= maxHead && isToken([]byte(name)) && left > 0 {
				b = appendField(b, name, value)
				left--
			}
		}
	}
	return append(b, "\r\n"...)
}

// trueValues returns the values of a field, corrected by the payload.
func trueValues(fields http.Header, name string, payload []byte) []string {
	values := fields[name]
	switch http.CanonicalHeaderKey(name) {
	case "Transfer-Encoding":
		return nil
	case "Content-Length":
		return []string{strconv.Itoa(len(payload))}
	case "Content-Encoding":
		if lacksCoding(fields, payload) {
			return nil
		}
	}
	return values
}

// isDense reports whether a payload is compressed already.
func isDense(fields http.Header, payload []byte) bool {
	if len(payload) < 1024 {
		return false
	}
	media := plainMedia(fields.Get("Content-Type"))
	image := strings.HasPrefix(media, "image/") && media != "image/svg+xml" && media != "image/bmp"
	return image || fields.Get("Content-Encoding") != "" && !lacksCoding(fields, payload) ||
		strings.HasPrefix(media, "video/") || strings.HasPrefix(media, "audio/") || hasMagic(payload)
}

func hasMagic(b []byte) bool {
	return bytes.HasPrefix(b, []byte{0x1f, 0x8b}) || bytes.HasPrefix(b, []byte("PK\x03\x04")) ||
		bytes.HasPrefix(b, []byte{0x28, 0xb5, 0x2f, 0xfd})
}

// lacksCoding reports whether a payload clearly lacks the content coding that its head claims.
func lacksCoding(fields http.Header, payload []byte) bool {
	codings := fields["Content-Encoding"]
	if len(payload) == 0 || len(codings) == 0 {
		return false
	}
	list := strings.Split(codings[len(codings)-1], ",") // the last one is the outermost
	switch strings.ToLower(strings.TrimSpace(list[len(list)-1])) {
	case "gzip", "x-gzip":
		return !bytes.HasPrefix(payload, []byte{0x1f, 0x8b})
	case "zstd":
		return !bytes.HasPrefix(payload, []byte{0x28, 0xb5, 0x2f, 0xfd}) &&
			!(len(payload) > 3 && payload[0]&0xf0 == 0x50 && bytes.Equal(payload[1:4], []byte{0x2a, 0x4d, 0x18}))
	}
	return false
}

// oneLine makes text a valid field value: controls, line ends included, become spaces.
func oneLine(s string) string {
	control := func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }
	if strings.IndexFunc(s, control) < 0 {
		return strings.TrimSpace(s)
	}
	b := []byte(s)
	for i, c := range b {
		if control(rune(c)) {
			b[i] = ' '
		}
	}
	return strings.TrimSpace(string(b))
}
