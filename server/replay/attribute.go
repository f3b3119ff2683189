package replay

import (
	"html"
	"strings"
	"unicode/utf8"
)

// A span is a part of a tag's bytes.
type span struct{ start, end int }

// An attribute is the position of an attribute in its tag.
type attribute struct {
	name   span
	value  span // without quotes
	quoted span // with quotes; empty, at the attribute's end, if there is no value
}

// attributes finds the attributes of a start tag as a tokenizer returns it, from "<" to ">": HTML, section
// 13.2.5.32 and following. at is the end of the tag's name.
func attributes(tag []byte, at int, found []attribute) []attribute {
	for {
		for at < len(tag) && (isSpace(tag[at]) || tag[at] == '/') {
			at++
		}
		if at >= len(tag) || tag[at] == '>' {
			return found
		}
		a := attribute{name: span{at, nameEnd(tag, at)}}
		at = skipSpace(tag, a.name.end)
		if at < len(tag) && tag[at] == '=' {
			at = a.findValue(tag, skipSpace(tag, at+1))
		} else {
			at = a.name.end
			a.value, a.quoted = span{at, at}, span{at, at}
		}
		found = append(found, a)
	}
}

// nameEnd is the end of the name that starts at start; an equals sign may start one.
func nameEnd(tag []byte, start int) int {
	at := start + 1
	for at < len(tag) && !isSpace(tag[at]) && tag[at] != '/' && tag[at] != '>' && tag[at] != '=' {
		at++
	}
	return at
}

func skipSpace(tag []byte, at int) int {
	for at < len(tag) && isSpace(tag[at]) {
		at++
	}
	return at
}

// findValue finds the value that starts at start, and returns its end, quotes included.
func (a *attribute) findValue(tag []byte, start int) (end int) {
	if start < len(tag) && (tag[start] == '"' || tag[start] == '\'') {
		end = start + 1
		for end < len(tag) && tag[end] != tag[start] {
			end++
		}
		a.value = span{start + 1, end}
		end = min(end+1, len(tag))
	} else {
		end = start
		for end < len(tag) && !isSpace(tag[end]) && tag[end] != '>' {
			end++
		}
		a.value = span{start, end}
	}
	a.quoted = span{start, end}
	return end
}

// unescape decodes the character references of an attribute's value; "&copy=1" has none.
func unescape(value []byte) string {
	s := string(value)
	at := strings.IndexByte(s, '&')
	if at < 0 {
		return s
	}
	var out strings.Builder
	for at >= 0 {
		out.WriteString(s[:at])
		s = s[at:]
		end := 1
		for end < len(s) && (s[end]|0x20 >= 'a' && s[end]|0x20 <= 'z' || s[end] >= '0' && s[end] <= '9' || s[end] == '#') {
			end++
		}
		if end < len(s) && s[end] == ';' {
			end++
		}
		out.WriteString(reference(s[:end], s[end:]))
		s = s[end:]
		at = strings.IndexByte(s, '&')
	}
	out.WriteString(s)
	return out.String()
}

// reference decodes a possible character reference, or returns it unchanged: a partial match, or one without
// semicolon before an equals sign, is not a reference.
func reference(source, after string) string {
	if source == "&" {
		return source
	}
	decoded := html.UnescapeString(source)
	whole := !strings.HasSuffix(decoded, ";") || source == "&semi;"
	if source[len(source)-1] != ';' {
		whole = utf8.RuneCountInString(decoded) == 1 && !strings.HasPrefix(after, "=")
	}
	if !whole {
		return source
	}
	return decoded
}
