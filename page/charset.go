package page

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"orbweaver/internal/coding/charset"
)

// unicodeText returns a document as valid UTF-8, without byte order mark and without NUL; it may share memory
// with the body.
func unicodeText(body []byte, contentType string) []byte {
	text, _ := charset.Text(body, contentType)
	return text
}

// plainText returns text in blocks: lines are kept, trimmed, and runs of blank lines reduced to one; at most
// limit bytes of it.
func plainText(b []byte, limit int) string {
	out := make([]byte, 0, min(len(b), limit)+1)
	blank := false
	for line := range bytes.Lines(b) {
		if line = bytes.TrimSpace(line); len(line) == 0 {
			blank = true
			continue
		}
		if len(out) >= limit {
			break
		}
		if len(out) > 0 {
			out = append(out, '\n')
			if blank {
				out = append(out, '\n')
			}
		}
		blank = false
		out = appendFields(out, cut(line, limit-min(limit, len(out))))
	}
	return string(bytes.TrimRight(cut(out, limit), " \n"))
}

// appendFields appends the words of text, one blank between them.
func appendFields[T string | []byte](dst []byte, s T) []byte {
	start, blank := len(dst), false
	for i := 0; i < len(s); {
		n := 1
		switch c := s[i]; {
		case c <= ' ':
			if c == ' ' || c >= '\t' && c <= '\r' {
				blank = true
				i++
				continue
			}
		case c == 0xC2 || c >= 0xE1 && c <= 0xE3: // what white space beyond ASCII starts with
			r, size := utf8.DecodeRuneInString(string(s[i:min(i+3, len(s))]))
			if unicode.IsSpace(r) {
				blank = true
				i += size
				continue
			}
			n = size
		}
		if blank && len(dst) > start {
			dst = append(dst, ' ')
		}
		blank = false
		dst = append(dst, s[i:i+n]...)
		i += n
	}
	return dst
}
