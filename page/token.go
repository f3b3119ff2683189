package page

import "bytes"

// maxName exceeds the length of all used names of elements and attributes.
const maxName = 16

// lower writes a name to a buffer in lower case; a name that is too long becomes empty.
func lower(buf *[maxName]byte, name []byte) []byte {
	if len(name) > maxName {
		return nil
	}
	for i, c := range name {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		buf[i] = c
	}
	return buf[:len(name)]
}

// run reads all tokens: text, tags with their attributes, raw text, and skipped markup. It copies bytes only
// into text and values, and examines each at most a few times, on any input: if an end is not found, it is the
// end of the page.
func (d *document) run() {
	for d.at < len(d.source) {
		rest := d.source[d.at:]
		n := indexOrEnd(rest, '<')
		if n > 0 {
			d.addText(rest[:n], true)
			d.at += n
		}
		if n < len(rest) {
			d.markup(rest[n:])
		}
	}
	d.closeBlock()
}

// markup reads the markup at the current "<".
func (d *document) markup(rest []byte) {
	if !isMarkup(rest) {
		n := 1
		for n < len(rest) && !isMarkup(rest[n:]) {
			n += 1 + indexOrEnd(rest[n+1:], '<')
		}
		d.addText(rest[:n], true)
		d.at += n
		return
	}
	switch c := rest[1]; {
	case c == '!':
		d.declaration(rest)
	case c == '/' && isLetter(rest[2]):
		d.closing(rest)
	case c == '?' || c == '/':
		d.skip(rest, ">")
	default:
		d.opening(rest)
	}
}

// isMarkup reports whether the first byte starts markup.
func isMarkup(s []byte) bool {
	if len(s) < 2 || s[0] != '<' {
		return false
	}
	c := s[1]
	return isLetter(c) || c == '!' || c == '?' || c == '/' && len(s) > 2 && s[2] != '>'
}

// indexOrEnd returns the index of a byte, or the length if it is missing.
func indexOrEnd(s []byte, c byte) int {
	if i := bytes.IndexByte(s, c); i >= 0 {
		return i
	}
	return len(s)
}

// skip moves behind the first occurrence of an end, or to the end of the page.
func (d *document) skip(rest []byte, end string) (skipped []byte) {
	n := len(rest)
	if i := bytes.Index(rest, []byte(end)); i >= 0 {
		rest, n = rest[:i], i+len(end)
	}
	d.at += n
	return rest
}

// declaration reads a comment, CDATA, or other markup that starts with "<!". CDATA is text only in XHTML.
func (d *document) declaration(rest []byte) {
	switch {
	case bytes.HasPrefix(rest, []byte("<!--")):
		d.at += commentEnd(rest)
	case bytes.HasPrefix(rest, []byte(cdata)):
		if inside := d.skip(rest, "]]>"); d.xhtml {
			d.addText(inside[len(cdata):], false)
		}
	default:
		d.skip(rest, ">")
	}
}

const cdata = "<![CDATA["

// commentEnd returns the length of a comment, which "-->" or "--!>" ends.
func commentEnd(s []byte) int {
	const start = len("<!--")
	for i := start; ; {
		n := bytes.IndexByte(s[i:], '>')
		if n < 0 {
			return len(s)
		}
		i += n + 1
		if inside := s[start : i-1]; bytes.HasSuffix(inside, []byte("--")) || bytes.HasSuffix(inside, []byte("--!")) {
			return i
		}
	}
}

// closing reads an end tag.
func (d *document) closing(rest []byte) {
	n := indexOrEnd(rest, '>')
	end := n
	for end > 2 && isSpace(rest[end-1]) && rest[end-1] != '\f' {
		end--
	}
	var buf [maxName]byte
	t := tagOf(lower(&buf, rest[2:end]))
	d.at += min(n+1, len(rest))
	d.endTag(t)
}

// opening reads a start tag, and the raw text behind it. It ignores a truncated tag.
func (d *document) opening(rest []byte) {
	n := 1 + nameEnd(rest[1:], '>')
	var buf [maxName]byte
	name := lower(&buf, rest[1:n])
	switch string(name) {
	case "svg", "math", "xml":
		d.foreign(rest, n, name)
		return
	}
	n, closed := d.attrs.read(rest, n)
	if n < 0 {
		d.at = len(d.source)
		return
	}
	t := tagOf(name)
	d.search(t, name, rest[:n])
	d.tagAt = d.at
	d.at += n
	d.caption, d.named = isCaption(name), formOf(name)
	closed = closed && d.xhtml
	d.startTag(t, closed)
	if t.isRaw() && !closed {
		d.rawText(t, name)
	}
}

// nameEnd returns the length of the name at the start of text: of an element, or of an attribute, which "="
// also ends.
func nameEnd(s []byte, end byte) int {
	for i, c := range s {
		if c <= '>' && (c == '>' || c == end || isSpace(c) || c == '/' && i+1 < len(s) && s[i+1] == '>') {
			return i
		}
	}
	return len(s)
}

// read reads the attributes from an offset of a start tag on. It returns the offset behind the tag, -1 if it has
// no end, and whether it ends in "/>".
func (a *attributes) read(s []byte, i int) (end int, closed bool) {
	a.clear()
	for {
		i = skipSpace(s, i)
		switch {
		case i == len(s):
			return -1, false
		case s[i] == '>':
			return i + 1, false
		case s[i] == '/' && i+1 < len(s) && s[i+1] == '>':
			return i + 2, true
		}
		n := i + nameEnd(s[i:], '=')
		value, next := []byte{}, n
		if equals := skipSpace(s, n); equals < len(s) && s[equals] == '=' {
			if value, next = attributeValue(s, skipSpace(s, equals+1)); next < 0 {
				return -1, false
			}
		}
		a.set(s[i:n], value)
		i = next
	}
}

// skipSpace returns the offset of what follows white space.
func skipSpace(s []byte, i int) int {
	for i < len(s) && isSpace(s[i]) {
		i++
	}
	return i
}

// attributeValue returns the value at an offset without its quotes, and the offset behind it; -1: the closing
// quote is missing.
func attributeValue(s []byte, i int) (value []byte, end int) {
	if i < len(s) && (s[i] == '"' || s[i] == '\'') {
		value = s[i+1:]
		n := indexOrEnd(value, s[i])
		if n == len(value) {
			return nil, -1
		}
		return value[:n], i + n + 2
	}
	end = i
	for end < len(s) && s[end] != '>' && !isSpace(s[end]) {
		end++
	}
	return s[i:end], end
}

// rawText reads the content of an element that is not markup. The text of a data block, such as JSON-LD, is
// available only here.
func (d *document) rawText(t tag, name []byte) {
	text := d.source[d.at:]
	text = text[:rawEnd(text, name)]
	d.at += len(text)
	switch t {
	case tagTitle:
		if d.title.end == 0 && len(text) > 0 {
			d.title = d.titled(text)
		}
	case tagScript:
		d.scripts = d.scripts || d.runs && len(text) > inlined
	case tagXmp:
		switch {
		case !bytes.HasPrefix(text, []byte(cdata)):
			d.addText(text, true)
		case d.xhtml:
			d.addText(text, false)
		}
	}
}

// rawEnd returns the length of the raw text of an element.
func rawEnd(s, name []byte) int {
	if string(name) == "plaintext" {
		return len(s)
	}
	for i := indexOrEnd(s, '<'); i < len(s); i += indexOrEnd(s[i:], '<') {
		switch rest := s[i:]; {
		case isEnd(rest, name):
			return i
		case string(name) == "script" && bytes.HasPrefix(rest, []byte("<!--")):
			n, ends := scriptComment(rest)
			if i += n; ends {
				return i
			}
		default:
			i++
		}
	}
	return len(s)
}

// isEnd reports whether text starts with an end tag of a name.
func isEnd(s, name []byte) bool {
	return len(s) > 2 && s[1] == '/' && isWord(s[2:], name)
}

// isWord says whether the letters that text starts with are a name.
func isWord(s, name []byte) bool {
	n := len(name)
	return len(s) >= n && bytes.EqualFold(s[:n], name) && (len(s) == n || !isLetter(s[n]))
}

// scriptComment returns the length of the comment at the start of a piece of script. A script within it does
// not end the outer one; an end tag outside of an inner one does, and its offset is returned.
func scriptComment(s []byte) (n int, ends bool) {
	script := []byte("script")
	inside := false
	for i := len("<!--"); i < len(s); i++ {
		switch rest := s[i:]; {
		case s[i] == '-' && bytes.HasPrefix(rest, []byte("-->")):
			return i + len("-->"), false
		case s[i] != '<':
		case isEnd(rest, script):
			if !inside {
				return i, true
			}
			inside = false
		case isWord(rest[1:], script):
			inside = true
		}
	}
	return len(s), false
}

// foreign skips a foreign element whose name was read up to an offset.
func (d *document) foreign(s []byte, i int, name []byte) {
	n := foreignEnd(s, i, name)
	d.at += n
	if n == len(s) && d.swaps < maxSwaps && !isClosed(s) {
		// The rest of the page is not inside it: an end tag is missing.
		if end := bytes.IndexByte(s, '>'); end >= 0 {
			d.swaps++
			d.at += end + 1 - n
			return
		}
	}
	d.foreignLinks(s[:n], name)
}

// maxSwaps is the number of unclosed <svg> or <math> elements after which the rest of a page is ignored.
const maxSwaps = 3

// isClosed reports whether an element that was read as a whole ends with its own end tag.
func isClosed(s []byte) bool {
	i := bytes.LastIndex(s, []byte("</"))
	return i > 0 && bytes.HasSuffix(s, []byte(">")) && len(s) > i+4 && bytes.EqualFold(s[i+2:i+4], s[1:3])
}

// foreignEnd returns the offset behind the end tag of a foreign element.
func foreignEnd(s []byte, i int, name []byte) int {
	depth, quoted := 0, false
	for ; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"':
			quoted = !quoted
		case c != '<' || quoted:
		case isEnd(s[i:], name):
			if depth == 0 {
				return i + min(len(s)-i, 1+indexOrEnd(s[i:], '>'))
			}
			depth--
		case isForeignStart(s[i+1:], name):
			depth++
		}
	}
	return len(s)
}

// isForeignStart reports whether the "<" of a start tag is followed by a name and the tag is not self-closing.
func isForeignStart(s, name []byte) bool {
	return isWord(s, name) && (len(s) == len(name) || s[len(name)] != '/')
}
