package page

import (
	"bytes"
	"html"
	"strings"
	"unicode/utf8"
)

// attributes are those of one tag that mean something here, as written but without their quotes. Of
// two of one name the first counts.
type attributes struct {
	href, src, rel, typ, title, alt, name, content, class, id, style, role, lang []byte
	httpEquiv, property                                                          []byte
	hidden, ariaHidden                                                           bool
	any                                                                          bool // one of these is set
}

// clear forgets all attributes. Most tags have none: then it writes nothing.
func (a *attributes) clear() {
	if a.any {
		*a = attributes{}
	}
}

// set keeps an attribute.
func (a *attributes) set(key, value []byte) {
	value = unquote(value)
	a.any = true
	switch string(key) {
	case "hidden":
		a.hidden = true
	case "aria-hidden":
		a.ariaHidden = string(value) == "true"
	default:
		if place := a.place(key); place != nil && *place == nil {
			*place = value
		}
	}
}

// place returns where an attribute is kept; nil: nowhere.
func (a *attributes) place(key []byte) *[]byte {
	switch string(key) {
	case "href":
		return &a.href
	case "class":
		return &a.class
	case "id":
		return &a.id
	case "src":
		return &a.src
	case "rel":
		return &a.rel
	case "type":
		return &a.typ
	case "title":
		return &a.title
	case "alt":
		return &a.alt
	case "name":
		return &a.name
	case "content":
		return &a.content
	case "style":
		return &a.style
	case "role":
		return &a.role
	case "lang", "xml:lang":
		return &a.lang
	case "http-equiv":
		return &a.httpEquiv
	case "property":
		return &a.property
	}
	return nil
}

// unquote takes quotes off; an empty value is not nil.
func unquote(value []byte) []byte {
	if len(value) == 0 {
		return []byte{}
	}
	if q := value[0]; q == '"' || q == '\'' {
		value = value[1:]
		if n := len(value); n > 0 && value[n-1] == q {
			value = value[:n-1]
		}
	}
	return value
}

// isHidden says whether the element is not shown.
func (a *attributes) isHidden() bool {
	return a.hidden || a.ariaHidden || a.style != nil && hidesByStyle(a.style)
}

// hidesByStyle looks for display:none and visibility:hidden in a style attribute.
func hidesByStyle(style []byte) bool {
	for declaration := range bytes.SplitSeq(style, []byte(";")) {
		property, value, _ := bytes.Cut(declaration, []byte(":"))
		property, value = bytes.TrimSpace(property), bytes.TrimSpace(value)
		if bytes.EqualFold(property, []byte("display")) && hasPrefixFold(value, "none") ||
			bytes.EqualFold(property, []byte("visibility")) && hasPrefixFold(value, "hidden") {
			return true
		}
	}
	return false
}

// maxReference is the length of the longest character reference.
const maxReference = 34

// reference decodes the character reference that text starts with, and returns its length; what is
// none is a "&" of length 1. The names without semicolon that HTML knows are read as in text.
func reference(s []byte) (decoded string, length int) {
	name, closed := referenceName(s)
	switch string(s[:name]) {
	case "&amp":
		return "&", name + closed
	case "&nbsp":
		return "\u00a0", name + closed
	case "&quot":
		return "\"", name + closed
	}
	if name < 2 || s[1] == '#' && !hasDigits(s[2:name]) {
		return "&", 1
	}
	whole := string(s[:name+closed])
	decoded = html.UnescapeString(whole)
	if decoded == whole {
		return "&", 1
	}
	return decoded, name + closed
}

// hasDigits says whether a numeric reference, of which this stands after "#", has any digits.
func hasDigits(s []byte) bool {
	if len(s) > 0 && s[0]|0x20 == 'x' {
		s = s[1:]
		return len(s) > 0 && (s[0] <= '9' || s[0]|0x20 <= 'f')
	}
	return len(s) > 0 && s[0] <= '9'
}

// referenceName returns the length of what could be a reference without its semicolon, and 1 if the
// semicolon is there.
func referenceName(s []byte) (name, closed int) {
	i := 1
	for i < len(s) && i < maxReference && (s[i]|0x20 >= 'a' && s[i]|0x20 <= 'z' || s[i] >= '0' && s[i] <= '9' || s[i] == '#' && i == 1) {
		i++
	}
	if i < len(s) && s[i] == ';' {
		return i, 1
	}
	return i, 0
}

// unescape decodes the references of an attribute's value, where "&copy=1" is no reference.
func unescape(raw []byte) string {
	if bytes.IndexByte(raw, '&') < 0 {
		return string(raw)
	}
	var out strings.Builder
	for len(raw) > 0 {
		i := bytes.IndexByte(raw, '&')
		if i < 0 {
			break
		}
		out.Write(raw[:i])
		raw = raw[i:]
		decoded, n := reference(raw)
		if !wholeReference(raw[:n], decoded, raw[n:]) {
			decoded, n = "&", 1
		}
		out.WriteString(decoded)
		raw = raw[n:]
	}
	out.Write(raw)
	return out.String()
}

// wholeReference says whether a reference in an attribute counts: all of it was understood, and one
// without semicolon is not followed by "=".
func wholeReference(source []byte, decoded string, after []byte) bool {
	if source[len(source)-1] == ';' {
		return decoded == ";" || !strings.HasSuffix(decoded, ";")
	}
	return utf8.RuneCountInString(decoded) == 1 && (len(after) == 0 || after[0] != '=')
}

// appendValue appends a value decoded, with white space collapsed.
func appendValue(dst, raw []byte) []byte {
	start, space := len(dst), false
	text := raw
	if bytes.IndexByte(raw, '&') >= 0 {
		text = []byte(unescape(raw))
	}
	for i := 0; i < len(text); i++ {
		c := text[i]
		if isSpace(c) {
			space = true
			continue
		}
		if space && len(dst) > start {
			dst = append(dst, ' ')
		}
		space = false
		dst = append(dst, c)
	}
	return dst
}
