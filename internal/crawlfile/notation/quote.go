package notation

import (
	"net/url"
	"strconv"
	"strings"

	"orbweaver/weburl"
)

// Quoted formats a text as a YAML scalar: plain if that is unambiguous, otherwise in double quotes.
func Quoted(text string) string {
	if isPlain(text) {
		return text
	}
	return strconv.Quote(text)
}

// isPlain reports whether a text needs no quotes. It is stricter than YAML: the text must be an ASCII word, path or URL
// that starts with a letter or, for a path, with a slash or dots and a slash. Words that some YAML parser reads as a bool
// or null are not plain.
func isPlain(text string) bool {
	switch strings.ToLower(text) {
	case "", "true", "false", "yes", "no", "on", "off", "null", "y", "n":
		return false
	}
	start := strings.TrimLeft(text, "./")
	if start == "" || !letter(rune(start[0])) || start != text && !strings.Contains(text[:len(text)-len(start)], "/") {
		return false
	}
	return !strings.HasSuffix(text, ":") && !strings.ContainsFunc(text, func(r rune) bool {
		return !letter(r) && (r < '0' || r > '9') && !strings.ContainsRune("./:_-+~", r)
	})
}

// letter reports whether a rune is a letter of ASCII.
func letter(r rune) bool { return 'a' <= r|0x20 && r|0x20 <= 'z' }

// WithoutUser returns the URL of a proxy without user name, password and query, because crawl folders are shared.
func WithoutUser(proxy string) string {
	u, err := url.Parse(proxy)
	if err != nil {
		return weburl.Redacted(proxy)
	}
	u.User, u.RawQuery, u.ForceQuery, u.Fragment = nil, "", false, ""
	return u.String()
}

// Bracketed formats an IRI so that it cannot be read as a prefixed name.
func Bracketed(iri string) string {
	if _, rest, _ := strings.Cut(iri, ":"); strings.HasPrefix(rest, "//") {
		return iri
	}
	return "<" + iri + ">"
}
