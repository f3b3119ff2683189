// Package iri checks IRIs (RFC 3987) and resolves relative references against a base (RFC 3986,
// section 5.2, strict).
//
// But for Encode, which makes IRIs of addresses on the Web, it never rewrites what it does not have to:
// no case folding, no percent-decoding, since RDF compares IRIs character by character.
package iri

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// ErrRelative means that there is no base to resolve a relative reference.
var ErrRelative = errors.New("relative IRI without a base")

// Allowed reports whether a byte is valid in an IRI by the grammars of RDF (IRIREF): no control, no space, none
// of <>"{}|^`\. Bytes of non-ASCII characters are valid.
func Allowed(c byte) bool { return kinds[c]&forbidden == 0 }

// Plain reports whether all bytes of s are valid in an IRI.
func Plain(s string) bool { return kindsOf(s)&forbidden == 0 }

// Encode percent-encodes the characters of a URL that are invalid in an IRI. It does not correct other errors.
func Encode(s string) string {
	if Plain(s) {
		return s
	}
	var b strings.Builder
	for i := range len(s) {
		if c := s[i]; Allowed(c) {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

// The kinds of bytes that are examined again.
const (
	forbidden = 1 << iota
	high      // of a character that is not ASCII
)

// kinds is never written.
var kinds = func() (t [256]uint8) {
	for c := range 0x21 {
		t[c] = forbidden
	}
	for _, c := range []byte("<>\"{}|^`\\") {
		t[c] = forbidden
	}
	for c := utf8.RuneSelf; c < len(t); c++ {
		t[c] = high
	}
	return t
}()

// kindsOf returns the kinds of all bytes, without a branch for any.
func kindsOf(s string) (all uint8) {
	for i := range len(s) {
		all |= kinds[s[i]]
	}
	return all
}

// Check returns nil for an absolute IRI, with or without fragment, and otherwise the error. It accepts
// malformed percent-encoding, which is frequent on the Web and harmless.
func Check(s string) error {
	if !IsAbsolute(s) {
		return fmt.Errorf("<%s> has no scheme", s)
	}
	return CheckRef(s)
}

// CheckRef returns nil for a string whose characters are valid in an IRI reference, absolute or relative.
func CheckRef(s string) error {
	all := kindsOf(s)
	if all&forbidden != 0 {
		i := strings.IndexFunc(s, func(c rune) bool { return c < utf8.RuneSelf && !Allowed(byte(c)) })
		return fmt.Errorf("character %q is not allowed in an IRI", s[i])
	}
	if all&high != 0 && !utf8.ValidString(s) {
		return errors.New("IRI is not valid UTF-8")
	}
	return nil
}

// IsAbsolute reports whether s starts with a scheme and a colon.
func IsAbsolute(s string) bool { return schemeEnd(s) > 0 }

// schemeEnd returns the index of the colon after a scheme, or 0 when s does not start with one.
func schemeEnd[T string | []byte](s T) int {
	for i := range len(s) {
		c := s[i]
		switch {
		case c|0x20 >= 'a' && c|0x20 <= 'z':
		case i > 0 && (c >= '0' && c <= '9' || c == '+' || c == '-' || c == '.'):
		case c == ':':
			return i
		default:
			return 0
		}
	}
	return 0
}

// A Base is an absolute IRI cut into its parts, ready to resolve references. The zero Base resolves
// only references that are absolute.
type Base struct {
	iri       string // without fragment
	colon     int    // end of the scheme
	authority int    // end of the authority: where the path starts
	path      int    // end of the path: where "?" stands, if it does
}

// ParseBase splits an absolute IRI and drops its fragment. The error says that s is relative or has invalid
// characters.
func ParseBase(s string) (Base, error) {
	if err := Check(s); err != nil {
		return Base{}, err
	}
	s, _, _ = strings.Cut(s, "#")
	b := Base{iri: s, colon: schemeEnd(s)}
	b.authority = b.colon + 1 + authorityEnd(s[b.colon+1:])
	b.path = b.authority + pathEnd(s[b.authority:])
	return b, nil
}

// String returns the base, without fragment; empty for the zero Base.
func (b Base) String() string { return b.iri }

// IsZero reports whether there is no base.
func (b Base) IsZero() bool { return b.iri == "" }

// Resolve returns the absolute IRI of a reference. Characters are not checked. The error is ErrRelative if
// there is no base.
func (b Base) Resolve(ref string) (string, error) {
	if colon := schemeEnd(ref); colon > 0 {
		if !strings.Contains(ref, "/.") {
			return ref, nil // nothing to remove: the common case
		}
		return removeDotsAfter(ref, colon+1), nil
	}
	if b.iri == "" {
		return "", fmt.Errorf("%w: <%s>", ErrRelative, ref)
	}
	switch {
	case ref == "":
		return b.iri, nil
	case ref[0] == '#':
		return b.iri + ref, nil
	case ref[0] == '?':
		return b.iri[:b.path] + ref, nil
	case strings.HasPrefix(ref, "//"):
		return removeDotsAfter(b.iri[:b.colon+1]+ref, b.colon+1), nil
	}
	end := pathEnd(ref)
	path := removeDots(b.merge(ref[:end]))
	if b.authority == b.colon+1 && strings.HasPrefix(path, "//") {
		path = "/." + path // else the path would read as an authority (RFC 3986 erratum 4547)
	}
	return b.iri[:b.authority] + path + ref[end:], nil
}

// merge replaces the last segment of the base's path by a reference's path (section 5.2.3).
func (b Base) merge(path string) string {
	if strings.HasPrefix(path, "/") {
		return path
	}
	own := b.iri[b.authority:b.path]
	if own == "" && b.authority > b.colon+1 {
		return "/" + path
	}
	return own[:strings.LastIndexByte(own, '/')+1] + path
}

// removeDotsAfter removes dot segments from the path of an absolute IRI whose scheme and colon
// end at start.
func removeDotsAfter(s string, start int) string {
	authority := authorityEnd(s[start:])
	start += authority
	end := start + pathEnd(s[start:])
	path := removeDots(s[start:end])
	if authority == 0 && strings.HasPrefix(path, "//") {
		path = "/." + path
	}
	return s[:start] + path + s[end:]
}

// authorityEnd returns the length of "//authority" at the start of s, 0 when there is none.
func authorityEnd(s string) int {
	if !strings.HasPrefix(s, "//") {
		return 0
	}
	if i := strings.IndexAny(s[2:], "/?#"); i >= 0 {
		return 2 + i
	}
	return len(s)
}

// pathEnd returns where a path ends and a query or fragment starts.
func pathEnd(s string) int {
	if i := strings.IndexAny(s, "?#"); i >= 0 {
		return i
	}
	return len(s)
}

// removeDots is remove_dot_segments of section 5.2.4, linear in the path's length.
func removeDots(path string) string {
	if !strings.Contains(path, ".") {
		return path
	}
	in, out := path, make([]byte, 0, len(path))
	for in != "" {
		switch {
		case strings.HasPrefix(in, "../"):
			in = in[3:]
		case strings.HasPrefix(in, "./"):
			in = in[2:]
		case strings.HasPrefix(in, "/./"):
			in = in[2:]
		case in == "/.":
			in = "/"
		case strings.HasPrefix(in, "/../"):
			in, out = in[3:], dropSegment(out)
		case in == "/..":
			in, out = "/", dropSegment(out)
		case in == "." || in == "..":
			in = ""
		default:
			n := strings.IndexByte(in[1:], '/') + 1
			if n == 0 {
				n = len(in)
			}
			out, in = append(out, in[:n]...), in[n:]
		}
	}
	return string(out)
}

// dropSegment cuts the last segment with its slash.
func dropSegment(out []byte) []byte {
	for i := len(out) - 1; i >= 0; i-- {
		if out[i] == '/' {
			return out[:i]
		}
	}
	return out[:0]
}
