package weburl

import "strings"

// hidden replaces a user name and password.
const hidden = "***"

// Redacted returns a text with the user names and passwords of its http(s) URLs hidden, also those of malformed
// URLs, where it may hide more. A text that is a URL without its scheme, as in user:password@host, is treated
// as one.
func Redacted(text string) string {
	if strings.IndexByte(text, '@') < 0 {
		return text
	}
	var b strings.Builder
	rest := text
	for {
		start, after := nextScheme(rest)
		if start < 0 {
			break
		}
		end := after
		for end < len(rest) && !endsURL(rest[end]) {
			end++
		}
		b.WriteString(rest[:after])
		b.WriteString(withoutUser(rest[after:end]))
		rest = rest[end:]
	}
	if b.Len() == 0 && !strings.HasPrefix(rest, "mailto:") && !strings.ContainsAny(rest, " \t\n") && strings.IndexByte(rest, ':') >= 0 {
		if at := strings.LastIndexByte(rest, '@'); at > strings.IndexByte(rest, ':') {
			return hidden + rest[at:]
		}
	}
	b.WriteString(rest)
	return b.String()
}

// nextScheme finds "http:" or "https:" in any case and the slashes behind it: start is its index, after is the
// index of the rest; -1: none.
func nextScheme(s string) (start, after int) {
	for at := 0; ; {
		colon := strings.IndexByte(s[at:], ':')
		if colon < 0 {
			return -1, -1
		}
		colon += at
		for _, scheme := range []string{"https", "http"} {
			if from := colon - len(scheme); from >= 0 && strings.EqualFold(s[from:colon], scheme) {
				for colon++; colon < len(s) && (s[colon] == '/' || s[colon] == '\\'); colon++ {
				}
				return from, colon
			}
		}
		at = colon + 1
	}
}

// endsURL reports whether a character ends a URL within a text.
func endsURL(c byte) bool { return c <= ' ' || c == '"' || c == '<' || c == '>' || c == '`' }

// withoutUser hides the user name and password at the start of the text after a scheme.
func withoutUser(s string) string {
	authority := s
	if end := strings.IndexAny(s, "/\\?#"); end >= 0 {
		authority = s[:end]
	}
	if at := strings.LastIndexByte(authority, '@'); at >= 0 {
		return hidden + s[at:]
	}
	// A slash in a password ends the host for any parser: an invalid port reveals it.
	colon := strings.LastIndexByte(authority, ':')
	if colon < 0 || strings.HasSuffix(authority, "]") || digits(authority, colon+1) == len(authority) {
		return s
	}
	if at := strings.LastIndexByte(s, '@'); at >= 0 {
		return hidden + s[at:]
	}
	return s
}
