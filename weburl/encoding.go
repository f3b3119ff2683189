package weburl

import (
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
)

// In returns the base for references of a document in an encoding, given by its WHATWG name: their queries are
// written in it, paths and hosts in UTF-8 (URL standard, 4.4, "query state").
func (b *Base) In(name string) *Base {
	output := outputEncoding(name)
	if output == nil {
		return b
	}
	in := *b
	in.encoding = output
	return &in
}

// outputEncoding returns the encoding that queries of a document are written in; nil: UTF-8, which is also that
// of documents in UTF-16 (Encoding standard, 4.3, "get an output encoding").
func outputEncoding(name string) encoding.Encoding {
	if name == "" {
		return nil
	}
	switch e, name := charset.Lookup(name); name {
	case "", "utf-8", "utf-16le", "utf-16be", "replacement":
		return nil
	default:
		return e
	}
}

// FormValue returns a name or value of a form for a query, in the encoding of a WHATWG name.
func FormValue(text, name string) string {
	if output := outputEncoding(name); output != nil {
		text = string(written(text, output))
	}
	return url.QueryEscape(text)
}

// Place is the place of the words in the template of a search, for Filled: {searchTerms}, as OpenSearch 1.1 has
// it, or with the encoding that the search wants, {searchTerms:koi8-r}.
func Place(encoding string) string {
	if outputEncoding(encoding) == nil {
		return "{searchTerms}"
	}
	return "{searchTerms:" + encoding + "}"
}

// Filled returns a template with words in its place; ok is false if it has none.
func Filled(template, words string) (to string, ok bool) {
	before, rest, ok := strings.Cut(template, "{searchTerms")
	encoding, after, closed := strings.Cut(rest, "}")
	if !ok || !closed || encoding != "" && encoding[0] != ':' {
		return "", false
	}
	return before + FormValue(words, strings.TrimPrefix(encoding, ":")) + after, true
}

// inEncoding returns a reference without its fragment whose query is ASCII: other characters are
// percent-encoded bytes of an encoding. Bytes of them that are ASCII are encoded too, unless they are unreserved:
// the standard leaves some as they are, for a server they are the same.
func inEncoding(ref string, output encoding.Encoding) string {
	ref, _, _ = strings.Cut(ref, "#")
	path, query, ok := strings.Cut(ref, "?")
	if !ok || isASCII(query) {
		return ref
	}
	var b strings.Builder
	b.WriteString(path + "?")
	for query != "" {
		n := strings.IndexFunc(query, func(r rune) bool { return r >= utf8.RuneSelf })
		if n < 0 {
			n = len(query)
		}
		b.WriteString(query[:n])
		query = query[n:]
		if n = strings.IndexFunc(query, func(r rune) bool { return r < utf8.RuneSelf }); n < 0 {
			n = len(query)
		}
		for _, c := range written(query[:n], output) {
			appendByte(&b, c)
		}
		query = query[n:]
	}
	return b.String()
}

// written returns text in an encoding. A character that it lacks becomes a numeric character reference.
func written(text string, output encoding.Encoding) []byte {
	if all, err := output.NewEncoder().Bytes([]byte(text)); err == nil {
		return all
	}
	var out []byte
	for _, r := range text {
		if one, err := output.NewEncoder().Bytes([]byte(string(r))); err == nil {
			out = append(out, one...)
		} else {
			out = append(strconv.AppendInt(append(out, "&#"...), int64(r), 10), ';')
		}
	}
	return out
}

// appendByte writes a byte percent-encoded, unless it is unreserved.
func appendByte(b *strings.Builder, c byte) {
	switch {
	case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '-', c == '.', c == '_', c == '~':
		b.WriteByte(c)
	default:
		const hex = "0123456789ABCDEF"
		b.Write([]byte{'%', hex[c>>4], hex[c&15]})
	}
}

// isASCII reports whether text is ASCII.
func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// bytesEncoded returns a reference that is no UTF-8, as headers have them, with each byte beyond ASCII
// percent-encoded: it is a byte of the URL, whatever its encoding.
func bytesEncoded(s string) string {
	var b strings.Builder
	for i := range len(s) {
		if s[i] < utf8.RuneSelf {
			b.WriteByte(s[i])
		} else {
			appendByte(&b, s[i])
		}
	}
	return b.String()
}
