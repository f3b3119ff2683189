package weburl

import "strings"

// The functions here read plain ASCII http(s) URLs as the standard does, appending the canonical form to a
// buffer. They return ok=false for every input they do not handle, valid or not: the standard's state machine
// decides then.

// appendAbsolute appends the canonical form of an absolute URL.
func appendAbsolute(b []byte, s string) ([]byte, bool) {
	switch {
	case strings.HasPrefix(s, "https://"):
		return appendAuthority(append(b, "https://"...), s[len("https://"):], "443")
	case strings.HasPrefix(s, "http://"):
		return appendAuthority(append(b, "http://"...), s[len("http://"):], "80")
	}
	return b, false
}

// appendAuthority appends host, port and the rest; standardPort is the scheme's default.
func appendAuthority(b []byte, s, standardPort string) ([]byte, bool) {
	b, n, ok := appendHost(b, s)
	if !ok {
		return b, false
	}
	s = s[n:]
	if len(s) > 0 && s[0] == ':' {
		port := s[1:digits(s, 1)]
		s = s[1+len(port):]
		if !plainPort(port) {
			return b, false
		}
		if port != standardPort {
			b = append(append(b, ':'), port...)
		}
	}
	root := len(b)
	b = append(b, '/')
	switch {
	case len(s) == 0 || s[0] == '#':
		return b, true
	case s[0] == '/':
		return appendPath(b, root, s[1:])
	case s[0] == '?':
		return appendQuery(b, s)
	}
	return b, false
}

// appendHost appends a host name in lower case and returns its length. It does not handle non-canonical IP
// addresses, internationalised names and invalid ones.
func appendHost(b []byte, s string) ([]byte, int, bool) {
	start, label := len(b), len(b)
	i := 0
	for ; i < len(s); i++ {
		c := s[i]
		switch {
		case 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '-':
		case 'A' <= c && c <= 'Z':
			c += 'a' - 'A'
		case c == '.':
			if !plainLabel(b[label:]) {
				return b, 0, false
			}
			label = len(b) + 1
		case c == ':' || c == '/' || c == '?' || c == '#':
			return b, i, plainHost(b[start:], b[label:])
		default:
			return b, 0, false
		}
		b = append(b, c)
	}
	return b, i, plainHost(b[start:], b[label:])
}

// plainLabel reports whether a label needs none of the rules for internationalised names.
func plainLabel(label []byte) bool {
	return len(label) > 0 && len(label) < 64 && label[0] != '-' && label[len(label)-1] != '-' &&
		(len(label) < 4 || label[2] != '-' || label[3] != '-')
}

// plainHost reports whether a host, whose labels but the last are plain, is a name that is certainly no IP
// address, or an IPv4 address in canonical form.
func plainHost(host, last []byte) bool {
	return len(host) < 254 && plainLabel(last) && (last[0] > '9' || dottedQuad(host))
}

// dottedQuad reports whether a host is four decimal bytes without leading zeros.
func dottedQuad(host []byte) bool {
	parts, value, length := 1, 0, 0
	for _, c := range host {
		switch {
		case c == '.':
			if length == 0 {
				return false
			}
			parts, value, length = parts+1, 0, 0
		case c < '0' || c > '9' || length > 0 && value == 0:
			return false
		default:
			value, length = 10*value+int(c-'0'), length+1
			if value > 255 {
				return false
			}
		}
	}
	return parts == 4 && length > 0
}

// digits returns the index after the run of digits that starts at i.
func digits(s string, i int) int {
	for i < len(s) && '0' <= s[i] && s[i] <= '9' {
		i++
	}
	return i
}

// plainPort reports whether a port is canonical and certainly in range.
func plainPort(port string) bool {
	return 0 < len(port) && len(port) < 5 && port[0] != '0'
}

// appendPath appends a path and the query after it. The path's leading slash is the last byte of b or of the
// directory in b that begins at root. It resolves dot segments.
func appendPath(b []byte, root int, s string) ([]byte, bool) {
	segment := len(b)
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch pathClass(c) {
		case plain:
			b = append(b, c)
			continue
		case doubtful:
			return b, false
		}
		ended, ok := endSegment(b, root, segment)
		if !ok {
			return b, false
		}
		switch c {
		case '#':
			return ended, true
		case '?':
			return appendQuery(ended, s[i:])
		}
		if len(ended) == len(b) { // no dot segment: append the slash that ends it
			ended = append(ended, '/')
		}
		b, segment = ended, len(ended)
	}
	return endSegment(b, root, segment)
}

// endSegment resolves the segment that starts at the given index if it is a dot segment.
func endSegment(b []byte, root, segment int) ([]byte, bool) {
	s := b[segment:]
	switch {
	case len(s) == 0 || len(s) > 6 || s[0] != '.' && s[0] != '%':
		return b, true
	case len(s) == 1 && s[0] == '.':
		return b[:segment], true
	case len(s) == 2 && s[0] == '.' && s[1] == '.':
		return b[:parent(b, root, segment)], true
	}
	for i := range s[:len(s)-1] {
		if s[i] == '%' && s[i+1] == '2' { // perhaps an encoded dot
			return b, false
		}
	}
	return b, true
}

// parent returns the end of the parent of the directory that ends at the index segment.
func parent(b []byte, root, segment int) int {
	end := segment - 1
	for end > root && b[end-1] != '/' {
		end--
	}
	return max(end, root+1)
}

// appendQuery appends a query with its question mark, up to the fragment.
func appendQuery(b []byte, s string) ([]byte, bool) {
	for i := 0; i < len(s); i++ {
		switch queryClass(s[i]) {
		case ends:
			return append(b, s[:i]...), true
		case doubtful:
			return b, false
		}
	}
	return append(b, s...), true
}

// A class classifies a byte.
type class uint8

const (
	doubtful class = iota // to be encoded, removed or reported: not handled here
	plain                 // unchanged
	ends                  // ends the segment or the query
)

// pathClass returns the class of a byte in a path.
func pathClass(c byte) class {
	switch {
	case 'a' <= c && c <= 'z':
		return plain
	case c == '/' || c == '?' || c == '#':
		return ends
	case c <= ' ' || c >= 0x7f:
		return doubtful
	}
	switch c {
	case '"', '<', '>', '\\', '^', '`', '{', '|', '}':
		return doubtful
	}
	return plain
}

// queryClass returns the class of a byte in a query.
func queryClass(c byte) class {
	switch {
	case c <= ' ' || c >= 0x7f:
		return doubtful
	case c == '#':
		return ends
	}
	switch c {
	case '"', '<', '>', '\'', '\\', '^', '`', '{', '|', '}':
		return doubtful
	}
	return plain
}
