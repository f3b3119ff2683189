package archive

import (
	"bytes"
	"fmt"
	"mime"
	"net/http"
	"net/textproto"
	"strings"

	"orbweaver"
)

// A head is an HTTP answer's status and fields, which are not parsed yet.
type head struct {
	status int
	fields []byte // lines, without the empty one that ends them
	size   int    // bytes of the head in the block, empty line and interim answers included
}

// splitHead finds the head at the start of a block. It accepts bare line feeds, missing reason phrases and a
// missing end; whole means that b is the complete block. The error wraps ErrMalformed.
func splitHead(block []byte, whole bool) (head, error) {
	at := 0
	for range maxInterim {
		h, err := splitOne(block[at:], whole)
		if err != nil {
			return head{}, err
		}
		at += h.size
		h.size = at
		interim := h.status < 200 && h.status != http.StatusSwitchingProtocols
		if !interim || !bytes.HasPrefix(block[at:], []byte("HTTP/")) {
			return h, nil
		}
	}
	return head{}, fmt.Errorf("%w: more than %d interim answers", orbweaver.ErrMalformed, maxInterim)
}

func splitOne(block []byte, whole bool) (head, error) {
	line, rest := nextLine(block)
	status, ok := parseStatus(line)
	if !ok {
		return head{}, fmt.Errorf("%w: no HTTP status line: %.40q", orbweaver.ErrMalformed, line)
	}
	fields := rest
	for len(rest) > 0 {
		line, after := nextLine(rest)
		if len(line) == 0 {
			return head{status, fields[:len(fields)-len(rest)], len(block) - len(after)}, nil
		}
		rest = after
	}
	if !whole {
		return head{}, fmt.Errorf("%w: HTTP head over %d bytes", orbweaver.ErrMalformed, maxHead)
	}
	return head{status, fields, len(block)}, nil
}

// parseStatus reads "HTTP/1.1 200 OK"; it ignores the version and the phrase.
func parseStatus(line []byte) (status int, ok bool) {
	rest, ok := bytes.CutPrefix(line, []byte("HTTP"))
	if !ok {
		return 0, false
	}
	_, rest, _ = bytes.Cut(rest, []byte(" "))
	rest = bytes.TrimLeft(rest, " \t")
	if len(rest) < 3 || len(rest) > 3 && isDigit(rest[3]) {
		return 0, false
	}
	for _, c := range rest[:3] {
		if !isDigit(c) {
			return 0, false
		}
		status = status*10 + int(c-'0')
	}
	return status, status >= 100
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// nextLine cuts off the first line, without LF or CRLF.
func nextLine(b []byte) (line, rest []byte) {
	i := bytes.IndexByte(b, '\n')
	if i < 0 {
		return bytes.TrimSuffix(b, []byte("\r")), nil
	}
	return bytes.TrimSuffix(b[:i], []byte("\r")), b[i+1:]
}

// nextField cuts off the first field, folded lines joined by a space. It skips lines that are not fields. A nil
// name means that no field is left.
func nextField(fields []byte) (name, value, rest []byte) {
	for len(fields) > 0 {
		var line []byte
		line, fields = nextLine(fields)
		k, v, ok := bytes.Cut(line, []byte(":"))
		name, value = bytes.TrimRight(k, " \t"), bytes.TrimSpace(v)
		folded := false
		for len(fields) > 0 && (fields[0] == ' ' || fields[0] == '\t') {
			line, fields = nextLine(fields)
			if !folded {
				value, folded = bytes.Clone(value), true
			}
			value = append(append(value, ' '), bytes.TrimSpace(line)...)
		}
		if ok && isToken(name) {
			return name, value, fields
		}
	}
	return nil, nil, nil
}

// isToken reports whether a field name is a token (RFC 9110, section 5.6.2).
func isToken(name []byte) bool {
	for _, c := range name {
		if c <= ' ' || c >= 0x7f || strings.IndexByte(`"(),/:;<=>?@[\]{}`, c) >= 0 {
			return false
		}
	}
	return len(name) > 0
}

// header returns at most maxFields fields under canonical keys.
func (h head) header() http.Header {
	header := make(http.Header, 16)
	name, value, rest := nextField(h.fields)
	for n := 0; name != nil && n < maxFields; n++ {
		key := textproto.CanonicalMIMEHeaderKey(string(name))
		header[key] = append(header[key], string(value))
		name, value, rest = nextField(rest)
	}
	return header
}

// mediaType returns the media type of the field Content-Type: see plainMedia.
func (h head) mediaType() string {
	name, value, rest := nextField(h.fields)
	for n := 0; name != nil && n < maxFields; n++ {
		if len(name) == len("Content-Type") && bytes.EqualFold(name, []byte("Content-Type")) {
			return plainMedia(string(value))
		}
		name, value, rest = nextField(rest)
	}
	return ""
}

// plainMedia returns a Content-Type's media type in lower case, without parameters, or "" if it is invalid.
func plainMedia(contentType string) string {
	media, _, _ := strings.Cut(contentType, ";")
	media = strings.ToLower(strings.TrimSpace(media))
	kind, subtype, ok := strings.Cut(media, "/")
	if len(media) > maxMedia || !ok {
		return ""
	}
	if isToken([]byte(kind)) && isToken([]byte(subtype)) {
		return media
	}
	if _, _, err := mime.ParseMediaType(media); err != nil {
		return ""
	}
	return media
}
