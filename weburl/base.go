package weburl

import (
	"strings"

	"github.com/nlnwa/whatwg-url/url"
	"golang.org/x/text/encoding"
)

// A Base resolves references against one absolute URL. It is immutable and safe for concurrent use.
type Base struct {
	url    string // canonical
	scheme string // with its colon
	origin string // scheme, host and port
	dir    string // url up to the last slash of its path
	path   string // url up to its query

	encoding encoding.Encoding // of queries; nil: UTF-8
}

// NewBase returns the base for an absolute http(s) URL, canonical or not. Errors are those of Bare.
func NewBase(absolute string) (*Base, error) {
	canonical, err := Bare(absolute)
	if err != nil {
		return nil, err
	}
	b := &Base{url: canonical, path: canonical}
	b.scheme = canonical[:strings.IndexByte(canonical, ':')+1]
	b.origin = canonical[:originEnd(canonical)]
	if i := strings.IndexByte(canonical, '?'); i >= 0 {
		b.path = canonical[:i]
	}
	b.dir = b.path[:strings.LastIndexByte(b.path, '/')+1]
	return b, nil
}

// String returns the base itself, in canonical form.
func (b *Base) String() string { return b.url }

// Resolve returns a reference as a canonical absolute URL, without a user name and password. An error names the
// reference; it means that the reference is malformed, is not http(s) or is longer than MaxLength.
func (b *Base) Resolve(ref string) (string, error) {
	s := trim(ref)
	if len(s) > MaxLength {
		return "", &invalid{ref, "longer than 8192 bytes"}
	}
	if len(s) == 0 || s[0] == '#' {
		return b.url, nil
	}
	if b.encoding != nil && !isASCII(s) {
		s = inEncoding(s, b.encoding)
	}
	switch schemeOf(s) {
	case otherScheme:
		return "", &invalid{ref, "neither http nor https"}
	case unclear:
		return b.resolveStandard(s)
	}
	var buf [256]byte
	if joined, ok := b.join(buf[:0], s); ok && len(joined) <= MaxLength {
		return string(joined), nil
	}
	return b.resolveStandard(s)
}

// join appends the canonical form of a reference if concatenation suffices.
func (b *Base) join(buf []byte, s string) ([]byte, bool) {
	if schemeOf(s) == webScheme {
		return appendAbsolute(buf, s)
	}
	switch {
	case strings.HasPrefix(s, "//"):
		port := "80"
		if b.scheme == "https:" {
			port = "443"
		}
		return appendAuthority(append(append(buf, b.scheme...), "//"...), s[2:], port)
	case s[0] == '/':
		return appendPath(append(append(buf, b.origin...), '/'), len(b.origin), s[1:])
	case s[0] == '?':
		return appendQuery(append(buf, b.path...), s)
	}
	return appendPath(append(buf, b.dir...), len(b.origin), s)
}

// Target returns the canonical target of a Location header; "" if it is invalid or not http(s).
func Target(url, location string) string {
	if location == "" {
		return ""
	}
	base, err := NewBase(url)
	if err != nil {
		return ""
	}
	target, err := base.Resolve(location)
	if err != nil {
		return ""
	}
	return target
}

// resolveStandard resolves with the standard's full state machine.
func (b *Base) resolveStandard(s string) (string, error) {
	base, err := url.Parse(b.url) // parsed anew each time: the library may modify it
	if err != nil {
		return "", &invalid{s, err.Error()}
	}
	return standard(s, base, true)
}

// A schemeKind classifies the start of a reference.
type schemeKind uint8

const (
	noScheme    schemeKind = iota // relative
	webScheme                     // "http:" or "https:", lower case, and slashes
	otherScheme                   // certainly neither http nor https
	unclear                       // only the standard's state machine can decide
)

// schemeOf looks at the start of a trimmed reference.
func schemeOf(s string) schemeKind {
	if strings.HasPrefix(s, "http://") || strings.HasPrefix(s, "https://") {
		return webScheme
	}
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z':
		case i > 0 && ('0' <= c && c <= '9' || c == '+' || c == '-' || c == '.'):
		case c == ':' && i > 0:
			if strings.EqualFold(s[:i], "http") || strings.EqualFold(s[:i], "https") {
				return unclear
			}
			return otherScheme
		case c == '\t' || c == '\n' || c == '\r': // the standard removes these anywhere
			return unclear
		default:
			return noScheme
		}
	}
	return noScheme
}
