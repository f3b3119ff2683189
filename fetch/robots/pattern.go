package robots

import "strings"

// wildcard is the * of a compiled pattern. Normalized text never has this octet.
const wildcard = 0

// A rule is one Allow or Disallow, its pattern compiled.
type rule struct {
	line    string // as written, for reports
	pattern string // normalized, a wildcard for each run of asterisks, none at the end; without $
	letters uint64 // after the first wildcard: see lettersOf
	octets  int32  // of the pattern as RFC 9309 compares it: the more, the more specific
	literal int32  // bytes of pattern before the first wildcard
	allow   bool
	ends    bool // with $: the pattern must match to the end
}

// compile compiles a pattern: * matches anything; a $ at the end anchors it, elsewhere it is literal.
func compile(allow bool, written string) rule {
	name := "Disallow: "
	if allow {
		name = "Allow: "
	}
	r := rule{allow: allow, line: name + written}
	return r.of(spelling{pattern: true})
}

// inQuery returns the rule in the second spelling, for rules with reserved characters in a query: see
// normalizeQuery.
func (r rule) inQuery() (second rule, ok bool) {
	at := strings.IndexByte(r.pattern, '?')
	if at < 0 || !strings.ContainsAny(r.pattern[at+1:], ":/?@[]%") {
		return rule{}, false
	}
	second = r.of(spelling{pattern: true, query: true})
	at = strings.IndexByte(second.pattern, '?')
	return second, strings.ContainsAny(second.pattern[at+1:], ":/?@[]")
}

// of compiles the line in one spelling.
func (r rule) of(s spelling) rule {
	_, written, _ := strings.Cut(r.line, ": ")
	written, r.ends = strings.CutSuffix(written, "$")
	var octets int
	r.pattern, octets = s.normalize(written)
	if r.ends {
		octets++
	}
	r.octets = int32(octets)
	if pattern, loose := strings.CutSuffix(r.pattern, string(rune(wildcard))); loose {
		r.pattern, r.ends = pattern, false
	}
	r.literal = int32(len(r.pattern))
	if at := strings.IndexByte(r.pattern, wildcard); at >= 0 {
		r.literal, r.letters = int32(at), lettersOf(r.pattern[at+1:])
	}
	return r
}

// possible reports whether any path can match the rule: all paths begin with a slash.
func (r *rule) possible() bool {
	if r.pattern == "" {
		return !r.ends
	}
	return r.pattern[0] == '/' || r.pattern[0] == wildcard
}

// beats reports whether r takes precedence over other, which may be nil.
func (r *rule) beats(other *rule) bool {
	if other == nil || r.octets != other.octets {
		return other == nil || r.octets > other.octets
	}
	return r.allow && !other.allow
}

// matches reports whether the rule matches a path that begins with its literal. It matches each part at its
// first place after the previous part: since a wildcard is between them, no other choice matches more. So it
// never backtracks.
func (r *rule) matches(path string) bool {
	rest, pattern := path[r.literal:], r.pattern[r.literal:]
	for pattern != "" {
		part, after := pattern[1:], ""
		if at := strings.IndexByte(part, wildcard); at >= 0 {
			part, after = part[:at], part[at:]
		}
		if after == "" && r.ends {
			return strings.HasSuffix(rest, part)
		}
		at := strings.Index(rest, part)
		if at < 0 {
			return false
		}
		rest, pattern = rest[at+len(part):], after
	}
	return !r.ends || rest == ""
}

// lettersOf is the set of octets in s, modulo 64. A pattern whose set is not a subset of the path's cannot
// match.
func lettersOf(s string) (set uint64) {
	for i := range len(s) {
		if s[i] != wildcard {
			set |= 1 << (s[i] & 63)
		}
	}
	return set
}

// normalize writes a path in the canonical form of RFC 9309, section 2.2.2: octets beyond ASCII, and those that
// are invalid in a URL, encoded; unreserved ones decoded; hexadecimal digits in upper case. An encoded * or $
// is decoded: section 2.2.3 lets patterns encode them as literals.
func normalize(path string) string {
	path, _ = spelling{}.normalize(path)
	return path
}

// normalizeQuery is normalize which also decodes, behind the first question mark, the reserved characters that
// are no delimiters there: in the RFC's example "?baz=https://foo.bar" equals "?baz=https%3A%2F%2Ffoo.bar".
// Both spellings are needed because an asterisk may match the question mark: "/*%2Fx" must match "/?a=%2Fx".
func normalizeQuery(path string) string {
	path, _ = spelling{query: true}.normalize(path)
	return path
}

// A spelling configures normalization.
type spelling struct {
	pattern bool // asterisks are wildcards
	query   bool // reserved characters of a query are decoded
}

// normalize returns s in the spelling, and its length in octets for precedence. It returns s itself if nothing
// changes.
func (sp spelling) normalize(s string) (normal string, octets int) {
	if sp.keeps(s) {
		return s, len(s)
	}
	w := writer{spelling: sp}
	w.text.Grow(len(s) + 8)
	for i := 0; i < len(s); i++ {
		if c, ok := encoded(s[i:]); ok {
			w.encoded(c)
			i += 2
			continue
		}
		w.plain(s[i])
	}
	return w.text.String(), w.octets
}

// keeps reports whether s is already in the spelling.
func (sp spelling) keeps(s string) bool {
	for i := range len(s) {
		if !isLegal(s[i]) || s[i] == '*' && sp.pattern {
			return false
		}
	}
	return true
}

// A writer builds a normalized text.
type writer struct {
	spelling
	text    strings.Builder
	octets  int
	inQuery bool
	inStars bool
}

// plain writes an unencoded octet.
func (w *writer) plain(c byte) {
	w.octets++
	switch {
	case c == '*' && w.pattern:
		if !w.inStars {
			w.text.WriteByte(wildcard)
		}
		w.inStars = true
		return
	case isLegal(c) || c == '%':
		w.text.WriteByte(c)
	default:
		w.hex(c)
		w.octets += 2
	}
	w.inStars = false
	w.inQuery = w.inQuery || c == '?'
}

// encoded writes an encoded octet.
func (w *writer) encoded(c byte) {
	w.inStars = false
	parts := w.inQuery && isGeneral(c)
	if isUnreserved(c) || c == '*' || c == '$' || parts && w.query {
		w.text.WriteByte(c)
	} else {
		w.hex(c)
	}
	w.octets++
	if !isUnreserved(c) && !parts {
		w.octets += 2
	}
}

func (w *writer) hex(c byte) {
	const digits = "0123456789ABCDEF"
	w.text.WriteByte('%')
	w.text.WriteByte(digits[c>>4])
	w.text.WriteByte(digits[c&15])
}

// encoded reads a percent-encoded octet at the start of s, if there is one.
func encoded(s string) (c byte, ok bool) {
	if len(s) < 3 || s[0] != '%' {
		return 0, false
	}
	high, ok1 := unhex(s[1])
	low, ok2 := unhex(s[2])
	return high<<4 | low, ok1 && ok2
}

func unhex(c byte) (value byte, ok bool) {
	switch {
	case c >= '0' && c <= '9':
		return c - '0', true
	case c >= 'a' && c <= 'f':
		return c - 'a' + 10, true
	case c >= 'A' && c <= 'F':
		return c - 'A' + 10, true
	}
	return 0, false
}

// isLegal reports whether an octet is valid unencoded in a URL: RFC 3986, section 2, reserved or unreserved.
func isLegal(c byte) bool {
	switch c {
	case '"', '%', '<', '>', '\\', '^', '`', '{', '|', '}':
		return false
	}
	return c > ' ' && c < 0x7f
}

// isUnreserved is RFC 3986, section 2.3.
func isUnreserved(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' ||
		c == '-' || c == '.' || c == '_' || c == '~'
}

// isGeneral reports whether c is a general delimiter of RFC 3986, section 2.2, that is valid in a query.
// Delimiters of a query's parts, such as & and =, are excluded.
func isGeneral(c byte) bool {
	switch c {
	case ':', '/', '?', '@', '[', ']':
		return true
	}
	return false
}
