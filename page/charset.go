package page

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
)

// unicodeText appends a document to dst as valid UTF-8, without byte order mark and without NUL. What
// is valid UTF-8 is taken for UTF-8, whatever header and meta say: other encodings hardly ever are.
func unicodeText(dst, body []byte, contentType string) []byte {
	rest, marked := bytes.CutPrefix(body, []byte("\xef\xbb\xbf"))
	head := rest[:min(len(rest), 1024)]
	odd := bytes.IndexByte(head, 0) >= 0 || bytes.IndexByte(head, 0x1b) >= 0 // UTF-16, ISO-2022-JP
	if marked || !odd && utf8.Valid(rest) {
		return clean(dst, rest)
	}
	encoding, name, _ := charset.DetermineEncoding(body, contentType)
	if name == "utf-8" && !odd && mostlyLatin(rest) {
		encoding, name = charset.Lookup("windows-1252")
	}
	if name != "utf-8" {
		if decoded, err := encoding.NewDecoder().Bytes(body); err == nil {
			rest = bytes.TrimPrefix(decoded, []byte("\xef\xbb\xbf"))
		}
	}
	return clean(dst, rest)
}

// mostlyLatin says whether bytes said to be UTF-8 hold more bytes of an eight-bit encoding than
// characters of UTF-8.
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

// clean appends text, NUL made a space and invalid bytes made U+FFFD.
func clean(dst, b []byte) []byte {
	start := len(dst)
	if utf8.Valid(b) {
		dst = append(dst, b...)
	} else {
		dst = append(dst, bytes.ToValidUTF8(b, []byte("\uFFFD"))...)
	}
	for i := bytes.IndexByte(dst[start:], 0); i >= 0; i = bytes.IndexByte(dst[start:], 0) {
		dst[start+i] = ' '
		start += i
	}
	return dst
}

// plainText returns text in blocks: lines kept, white space around them dropped, runs of blank lines
// made one.
func plainText(b []byte, limit int) string {
	var out strings.Builder
	blank := false
	for line := range bytes.Lines(b) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			blank = true
			continue
		}
		if out.Len()+len(line) > limit {
			break
		}
		if out.Len() > 0 {
			out.WriteByte('\n')
			if blank {
				out.WriteByte('\n')
			}
		}
		blank = false
		out.Write(bytes.Join(bytes.Fields(line), []byte(" ")))
	}
	return out.String()
}
