package page

import (
	"bytes"
	"html"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// An attribute is the name of an attribute that this package uses.
type attribute uint8

const (
	attrHref attribute = iota
	attrSrc
	attrRel
	attrType
	attrTitle
	attrAlt
	attrName
	attrContent
	attrClass
	attrID
	attrStyle
	attrRole
	attrLang // xml:lang too
	attrHTTPEquiv
	attrHidden
	attrAriaHidden
	attrXlink // xlink:href: of SVG
	// of data in the page
	attrProperty
	attrTypeof
	attrVocab
	attrItemscope
	attrItemprop
	attrOther // any other
)

// attributes are the used attributes of one tag, raw but without quotes. Of two with one name the first counts.
type attributes struct {
	present uint32 // a bit for each attribute that the tag has
	values  [attrOther][]byte
}

// clear forgets all attributes.
func (a *attributes) clear() { a.present = 0 }

// has reports whether the tag has an attribute.
func (a *attributes) has(name attribute) bool { return a.present&(1<<name) != 0 }

// get returns the value of an attribute; nil: none.
func (a *attributes) get(name attribute) []byte {
	if !a.has(name) {
		return nil
	}
	return a.values[name]
}

// set keeps an attribute, whose value is not nil.
func (a *attributes) set(key, value []byte) {
	name := attributeOf(key)
	switch {
	case name == attrOther:
	case name == attrAriaHidden: // here the last counts
		a.present &^= 1 << attrAriaHidden
		if string(value) == "true" {
			a.present |= 1 << attrAriaHidden
		}
	case !a.has(name):
		a.present |= 1 << name
		a.values[name] = value
	}
}

// attributeOf returns the attribute of a name in any case.
func attributeOf(key []byte) attribute {
	var buf [maxName]byte
	switch string(lower(&buf, key)) {
	case "href":
		return attrHref
	case "class":
		return attrClass
	case "id":
		return attrID
	case "src":
		return attrSrc
	case "rel":
		return attrRel
	case "type":
		return attrType
	case "title":
		return attrTitle
	case "alt":
		return attrAlt
	case "name":
		return attrName
	case "content":
		return attrContent
	case "style":
		return attrStyle
	case "role":
		return attrRole
	case "lang", "xml:lang":
		return attrLang
	case "http-equiv":
		return attrHTTPEquiv
	case "hidden":
		return attrHidden
	case "aria-hidden":
		return attrAriaHidden
	case "xlink:href":
		return attrXlink
	case "property":
		return attrProperty
	case "typeof":
		return attrTypeof
	case "vocab":
		return attrVocab
	case "itemscope":
		return attrItemscope
	case "itemprop":
		return attrItemprop
	}
	return attrOther
}

// isHidden reports whether the element is not displayed.
func (a *attributes) isHidden() bool {
	return a.present&(1<<attrHidden|1<<attrAriaHidden) != 0 || a.has(attrStyle) && hidesByStyle(a.values[attrStyle])
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

// reference decodes the character reference at the start of text, and returns its length; otherwise it is a "&"
// of length 1. Names without semicolon that HTML permits are decoded as in text.
func reference(s []byte) (decoded string, length int) {
	name, closed := referenceName(s)
	if common := commonReference(s[:name+closed]); common != "" {
		return common, name + closed
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

// commonReference decodes the most frequent references; "": another.
func commonReference(s []byte) string {
	switch string(s) {
	case "&amp;", "&amp", "&#38;":
		return "&"
	case "&nbsp;", "&nbsp", "&#160;":
		return "\u00a0"
	case "&quot;", "&quot", "&#34;":
		return "\""
	case "&lt;", "&lt":
		return "<"
	case "&gt;", "&gt":
		return ">"
	case "&#39;", "&#039;", "&apos;", "&#x27;":
		return "'"
	case "&mdash;", "&#8212;":
		return "—"
	case "&ndash;", "&#8211;":
		return "–"
	case "&lsquo;", "&#8216;":
		return "‘"
	case "&rsquo;", "&#8217;":
		return "’"
	case "&ldquo;", "&#8220;":
		return "“"
	case "&rdquo;", "&#8221;":
		return "”"
	case "&hellip;", "&#8230;":
		return "…"
	case "&bull;", "&#8226;":
		return "•"
	case "&middot;":
		return "·"
	case "&raquo;":
		return "»"
	case "&laquo;":
		return "«"
	case "&copy;":
		return "©"
	}
	return ""
}

// hasDigits reports whether a numeric reference, given after its "#", has digits.
func hasDigits(s []byte) bool {
	if len(s) > 0 && s[0]|0x20 == 'x' {
		s = s[1:]
		return len(s) > 0 && (s[0] <= '9' || s[0]|0x20 <= 'f')
	}
	return len(s) > 0 && s[0] <= '9'
}

// referenceName returns the length of a possible reference without its semicolon, and 1 if there is a
// semicolon.
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

// unescape decodes the references of an attribute's value, in which "&copy=1" is no reference.
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

// wholeReference reports whether a reference in an attribute is valid: it was decoded completely, and has a
// semicolon or is not followed by "=".
func wholeReference(source []byte, decoded string, after []byte) bool {
	if source[len(source)-1] == ';' {
		return decoded == ";" || !strings.HasSuffix(decoded, ";")
	}
	return utf8.RuneCountInString(decoded) == 1 && (len(after) == 0 || after[0] != '=')
}

// unescapeText decodes the references of text, where "R&ampD" has one.
func unescapeText(raw []byte) []byte {
	var out []byte
	for {
		i := bytes.IndexByte(raw, '&')
		if i < 0 {
			return append(out, raw...)
		}
		decoded, n := reference(raw[i:])
		out = append(append(out, raw[:i]...), decoded...)
		raw = raw[i+n:]
	}
}

// appendValue appends a decoded value of an attribute with collapsed white space.
func appendValue(dst, raw []byte) []byte {
	if bytes.IndexByte(raw, '&') >= 0 {
		raw = []byte(unescape(raw))
	}
	return appendCollapsed(dst, raw)
}

// appendCollapsed appends text with collapsed white space.
func appendCollapsed(dst, text []byte) []byte {
	start, space := len(dst), false
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
	if added := dst[start:]; !isASCII(added) && !norm.NFC.IsNormal(added) {
		dst = append(dst[:start], norm.NFC.Bytes(bytes.Clone(added))...)
	}
	return dst
}
