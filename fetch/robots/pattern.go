package robots

import "strings"

// wildcard stands in a compiled pattern for *. No normalized text has it.
const wildcard = 0

// A rule is one Allow or Disallow, its pattern compiled.
type rule struct {
	line    string // as written, for people
	pattern string // normalized, a wildcard for each run of asterisks, none at the end; without $
	letters uint64 // those behind the first wildcard: see lettersOf
	octets  int32  // of the pattern as RFC 9309 compares it: the more, the more specific
	literal int32  // bytes of pattern before the first wildcard
	allow   bool
	ends    bool // with $: the pattern must match to the end
}

// compile makes a rule of a pattern: * is anything, a $ at the end is the end, elsewhere itself.
func compile(allow bool, written string) rule {
	name := "Disallow: "
	if allow {
		name = "Allow: "
	}
	r := rule{allow: allow, line: name + written}
	return r.of(spelling{pattern: true})
}

// inQuery returns the rule in the second spelling, for rules that name reserved characters in a
// query: see normalizeQuery.
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

// possible reports whether there is a path that the rule matches: all begin with a slash.
func (r *rule) possible() bool {
	if r.pattern == "" {
		return !r.ends
	}
	return r.pattern[0] == '/' || r.pattern[0] == wildcard
}

// beats reports whether r decides where other, which may be nil, would as well.
func (r *rule) beats(other *rule) bool {
	if other == nil || r.octets != other.octets {
		return other == nil || r.octets > other.octets
	}
	return r.allow && !other.allow
}

// matches reports whether the rule matches a path that is known to begin with its literal. It takes each part at its
// first place after the one before: with a wildcard between them no other choice matches more. So nothing is examined
// twice, whatever the pattern.
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

// lettersOf is the set of octets in s, modulo 64. A pattern whose set is no part of the path's
// matches nowhere in it.
func lettersOf(s string) (set uint64) {
	for i := range len(s) {
		if s[i] != wildcard {
			set |= 1 << (s[i] & 63)
		}
	}
	return set
}

// normalize writes a path in the one way in which RFC 9309, section 2.2.2, compares them: octets
// beyond ASCII, and those that no URL may have, encoded; unreserved ones decoded; hexadecimal digits
// in upper case. An encoded * or $ is the character itself: section 2.2.3 has patterns encode them
// to mean just that.
func normalize(path string) string {
	path, _ = spelling{}.normalize(path)
	return path
}

// normalizeQuery is normalize with those reserved characters decoded, behind the first question
// mark, that part nothing there: the RFC's own example has "?baz=https://foo.bar" and
// "?baz=https%3A%2F%2Ffoo.bar" be the same. It is a second spelling and not the only one because an
// asterisk may stand for the question mark: "/*%2Fx" is to match "/?a=%2Fx".
func normalizeQuery(path string) string {
	path, _ = spelling{query: true}.normalize(path)
	return path
}

// A spelling says how text is to be normalized.
type spelling struct {
	pattern bool // asterisks are wildcards
	query   bool // reserved characters of a query are decoded
}

// normalize returns s in the spelling, and the octets it counts as a rule. It returns s itself where
// nothing is to be changed.
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

// keeps reports whether s is in the spelling already.
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

// plain writes an octet that is not encoded.
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

// encoded writes an octet that is encoded.
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

// encoded reads the percent-encoded octet that s begins with, if it does.
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

// isLegal reports whether an octet stands for itself in a URL: RFC 3986, section 2, reserved or
// unreserved.
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

// isGeneral reports whether c is one of the general delimiters of RFC 3986, section 2.2, that a
// query may hold. Those that part a query's own pieces, such as & and =, are not among them.
func isGeneral(c byte) bool {
	switch c {
	case ':', '/', '?', '@', '[', ']':
		return true
	}
	return false
}
