package page

import (
	"bytes"
	"strings"

	"orbweaver"
	"orbweaver/weburl"
)

// typeMarkdown is the media type of Markdown, declared or detected.
const typeMarkdown = "text/markdown"

// isMarkdown reports whether plain text is to be read as Markdown.
func isMarkdown(page *orbweaver.Page) bool {
	switch page.MediaType {
	case typeMarkdown, "text/x-markdown":
		return true
	}
	path, _, _ := strings.Cut(page.URL, "?")
	return page.MediaType == typePlain && (strings.HasSuffix(path, ".md") || strings.HasSuffix(path, ".markdown"))
}

// A textLinks finds the links of plain text: bare http URLs, and in Markdown also [text](address) and [text][name].
type textLinks struct {
	page     *orbweaver.Page
	base     *weburl.Base
	limit    int
	failed   int
	markdown bool
	read     int // end of the text that is already part of links
	skip     int // end of the text whose URLs are none of links: images, definitions

	definitions map[string]*definition
	known       map[string]int // links by target that need no second; nil: each is one of its own
}

// readLinks takes the links of the page's text, in order; then those of definitions that nothing refers to.
func (t *textLinks) readLinks() {
	text := t.page.Text
	bare, bracket, mark := nextIndex(text, "://", 0), -1, "]("
	if t.markdown {
		if t.define(); len(t.definitions) > 0 {
			mark = "]"
		}
		bracket = nextIndex(text, mark, 0)
	}
	for (bare >= 0 || bracket >= 0) && len(t.page.Links) < t.limit && t.failed < t.limit {
		if bracket >= 0 && (bare < 0 || bracket < bare || t.encloses(bracket, bare)) {
			if strings.HasPrefix(text[bracket:], "](") {
				t.inline(bracket)
			} else {
				t.reference(bracket)
			}
			bracket = nextIndex(text, mark, bracket+len(mark))
			continue
		}
		t.bare(bare)
		bare = nextIndex(text, "://", bare+3)
	}
	t.unreferred()
}

// encloses reports whether a URL is part of the text of a Markdown link whose "](" is at a later offset.
func (t *textLinks) encloses(inline, bare int) bool {
	if inline-bare > maxContext {
		return false
	}
	open := openBracket(t.page.Text, max(t.read, inline-maxContext), inline)
	return open >= 0 && open < bare
}

// nextIndex is the index of the first occurrence from an offset on; -1: none.
func nextIndex(s, substr string, from int) int {
	i := strings.Index(s[from:], substr)
	if i < 0 {
		return -1
	}
	return from + i
}

// bare reads the URL around the "://" at an offset, if it is http or https and not part of an earlier link.
func (t *textLinks) bare(at int) {
	text, start := t.page.Text, at
	if at < t.skip {
		return
	}
	for start > t.read && at-start < len("https") && isLetter(text[start-1]) {
		start--
	}
	scheme := text[start:at]
	if !strings.EqualFold(scheme, "http") && !strings.EqualFold(scheme, "https") ||
		start > t.read && (isLetter(text[start-1]) || isDigit(text[start-1])) {
		return
	}
	end := at + 3
	for end < len(text) && end-start <= weburl.MaxLength && !endsURL(text[end]) {
		end++
	}
	if end = at + 3 + len(trimURL(text[at+3:end])); end == at+3 {
		return
	}
	if more := t.angled(start, end); more > end {
		t.add(strings.ReplaceAll(text[start:more], "\n", ""), "", start, more)
		return
	}
	t.add(text[start:end], "", start, end)
}

// angled returns the end of a URL that starts in angle brackets and goes on in further lines (RFC 3986, appendix C);
// the given end if it does not.
func (t *textLinks) angled(start, end int) int {
	before := strings.TrimSuffix(t.page.Text[max(0, start-len("<URL:")):start], "URL:")
	if !strings.HasSuffix(before, "<") {
		return end
	}
	rest := t.page.Text[end:]
	rest = rest[:min(len(rest), maxContext)]
	i := strings.IndexByte(rest, '>')
	if i < 0 || rest[0] != '\n' || strings.ContainsAny(rest[:i], " <\"") || strings.Contains(rest[:i], "\n\n") {
		return end
	}
	return end + i
}

// isLetter reports whether a byte is an ASCII letter, and isDigit whether it is a digit.
func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
func isDigit(c byte) bool  { return c >= '0' && c <= '9' }

// endsURL reports whether a byte ends a URL in running text.
func endsURL(c byte) bool {
	return c <= ' ' || c == 0x7f || strings.IndexByte("<>\"`{}|\\^", c) >= 0
}

// trimURL returns a URL without the punctuation of the sentence around it, including unmatched closing
// brackets.
func trimURL(s string) string {
	round := strings.Count(s, ")") - strings.Count(s, "(") // surplus of closing brackets
	square := strings.Count(s, "]") - strings.Count(s, "[")
	for s != "" {
		switch s[len(s)-1] {
		case '.', ',', ';', ':', '!', '?', '\'', '*', '_', '~':
		case ')':
			if round--; round < 0 {
				return s
			}
		case ']':
			if square--; square < 0 {
				return s
			}
		default:
			return s
		}
		s = s[:len(s)-1]
	}
	return s
}

// inline reads the Markdown link whose "](" is at an offset. Images are ignored.
func (t *textLinks) inline(at int) {
	text := t.page.Text
	open := openBracket(text, max(t.read, at-maxContext), at)
	if open < 0 {
		t.read = at
		return
	}
	ref, end := destination(text[at+2 : min(len(text), at+2+weburl.MaxLength)])
	if ref == "" {
		t.failed++
		t.read = at
		return
	}
	end += at + 2
	if open > 0 && text[open-1] == '!' {
		t.skip = end
		return
	}
	t.add(ref, withoutImages(text[open+1:at]), open, end)
}

// openBracket returns the offset of the "[" that matches the "]" at an offset; -1: none after first.
func openBracket(text string, first, at int) int {
	depth := 0
	for i := at - 1; i >= first; i-- {
		switch text[i] {
		case ']':
			depth++
		case '[':
			if depth == 0 {
				return i
			}
			depth--
		}
	}
	return -1
}

// destination returns the URL at the start of text, without a title, and the offset behind its closing bracket;
// the URL is empty if the bracket is missing.
func destination(s string) (ref string, end int) {
	if strings.HasPrefix(s, "<") {
		i := strings.IndexAny(s, ">\n")
		if i < 0 || s[i] == '\n' {
			return "", 0
		}
		ref, end = s[1:i], i+1
	} else {
		depth := 0
		for end < len(s) && s[end] > ' ' && (s[end] != ')' || depth > 0) {
			switch s[end] {
			case '(':
				depth++
			case ')':
				depth--
			}
			end++
		}
		ref = s[:end]
	}
	i := strings.IndexAny(s[end:], ")\n")
	if i < 0 || s[end+i] == '\n' {
		return "", 0
	}
	return ref, end + i + 1
}

// add keeps a link between two offsets of the text.
func (t *textLinks) add(ref, anchor string, start, end int) {
	t.read = end
	if strings.HasPrefix(ref, "#") {
		return
	}
	to, err := t.base.Resolve(ref)
	if err != nil {
		t.failed++
		return
	}
	if to == t.page.URL || t.isKnown(to, start, end) {
		return
	}
	t.page.Links = append(t.page.Links, orbweaver.Link{
		To: to, Anchor: oneLine(anchor), Context: t.context(start, end), Origin: orbweaver.FromAnchor,
	})
}

// context returns the words before and after a link within its block.
func (t *textLinks) context(start, end int) string {
	text := t.page.Text
	before := max(0, start-2*maxContext)
	if i := strings.LastIndex(text[before:start], "\n\n"); i >= 0 {
		before += i + 2
	}
	after := min(len(text), end+2*maxContext)
	if i := strings.Index(text[end:after], "\n\n"); i >= 0 {
		after = end + i
	}
	head := []byte(strings.ToValidUTF8(text[before:start], ""))
	tail := []byte(strings.ToValidUTF8(text[end:after], ""))
	words := append([]byte(nil), lastWords(linesJoined(composed(head)))...)
	if tail = firstWords(linesJoined(composed(tail))); len(words) > 0 && len(tail) > 0 {
		words = append(words, ' ')
	}
	return string(append(words, tail...))
}

// linesJoined replaces every line end by a blank.
func linesJoined(b []byte) []byte {
	for i := bytes.IndexByte(b, '\n'); i >= 0; i = bytes.IndexByte(b, '\n') {
		b[i] = ' '
	}
	return b
}

// oneLine returns text with white space collapsed, at most maxValue bytes of it.
func oneLine(s string) string {
	if len(s) > 4*maxValue {
		s = s[:4*maxValue]
	}
	return string(cut(composed(bytes.ToValidUTF8(appendFields(nil, s), nil)), maxValue))
}
