package page

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
)

// unicodeText returns a document as decodedText does.
func unicodeText(body []byte, contentType string) []byte {
	text, _ := decodedText(body, contentType)
	return text
}

// decodedText returns a document as valid UTF-8, without byte order mark and without NUL, and the WHATWG name of
// its encoding, "" for UTF-8; the text may share memory with the body. Valid UTF-8 is treated as UTF-8, whatever
// header and meta say: text in other encodings is hardly ever valid UTF-8.
func decodedText(body []byte, contentType string) (text []byte, encoding string) {
	rest, marked := bytes.CutPrefix(body, []byte("\xef\xbb\xbf"))
	head := rest[:min(len(rest), 1024)]
	odd := bytes.IndexByte(head, 0) >= 0 || bytes.IndexByte(head, 0x1b) >= 0 // UTF-16, ISO-2022-JP
	switch {
	case !odd && utf8.Valid(rest):
		if bytes.IndexByte(rest, 0) < 0 {
			return rest, ""
		}
		text = bytes.Clone(rest)
	case marked:
		text = appendValid(make([]byte, 0, len(rest)), rest)
	default:
		text, encoding = decoded(body, rest, contentType, odd)
	}
	blankNULs(text)
	return text, encoding
}

// decoded returns a document converted to UTF-8 from the encoding given by mark, header, meta or its bytes, and
// the encoding's name; rest is the body without a UTF-8 mark.
func decoded(body, rest []byte, contentType string, odd bool) (text []byte, label string) {
	encoding, name, _ := charset.DetermineEncoding(body, contentType)
	if name == "utf-8" && !odd && mostlyLatin(rest) {
		encoding, name = charset.Lookup("windows-1252")
	}
	if name != "utf-8" {
		if text, err := encoding.NewDecoder().Bytes(body); err == nil {
			rest, label = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")), name
		}
	}
	return appendValid(make([]byte, 0, len(rest)), rest), label
}

// mostlyLatin reports whether bytes declared as UTF-8 have more bytes of an eight-bit encoding than UTF-8
// characters.
func mostlyLatin(b []byte) bool {
	wrong, right := 0, 0
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		switch {
		case r == utf8.RuneError && n == 1:
			wrong++
		case n > 1:
			right++
		}
		b = b[n:]
	}
	return wrong > right
}

// appendValid appends text and replaces each run of invalid bytes by one U+FFFD.
func appendValid(dst, b []byte) []byte {
	start, invalid := 0, false
	for i := 0; i < len(b); {
		if b[i] < utf8.RuneSelf {
			i, invalid = i+1, false
			continue
		}
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n == 1 {
			dst = append(dst, b[start:i]...)
			if !invalid {
				dst = append(dst, "\uFFFD"...)
			}
			start, invalid = i+1, true
			i++
			continue
		}
		i, invalid = i+n, false
	}
	return append(dst, b[start:]...)
}

// blankNULs replaces every NUL by a blank.
func blankNULs(b []byte) {
	for i := bytes.IndexByte(b, 0); i >= 0; i = bytes.IndexByte(b, 0) {
		b[i] = ' '
		b = b[i+1:]
	}
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
