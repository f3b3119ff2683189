// Package charset turns the bytes of documents into text: it decides the character encoding of a page or file
// from its byte order mark, its bytes, and what its header, <meta> or XML declaration say, in that order of
// trust. Valid UTF-8 is UTF-8 whatever is declared, since text in other encodings is hardly ever valid UTF-8.
// A declaration of another encoding is believed unless the bytes make far better sense in a third one;
// without one the encoding is that in which the text is likeliest (see model). The package doesn't remove
// content codings.
package charset

import (
	"bytes"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
)

// A Source says how an encoding was found.
type Source string

const (
	Valid    Source = "utf-8"    // the bytes are UTF-8
	Mark     Source = "mark"     // byte order mark
	Header   Source = "header"   // Content-Type
	Meta     Source = "meta"     // <meta> of HTML
	Prolog   Source = "prolog"   // XML declaration
	Detected Source = "detected" // from the bytes
)

// An Encoding is the encoding of a document by its WHATWG name, such as "windows-1251".
type Encoding struct {
	Name string
	By   Source
}

// head is the number of bytes in which NUL is looked for.
const head = 1024

// Text returns a document as valid UTF-8 and its encoding. The text has no byte order mark and no NUL. It
// shares memory with the body if that is UTF-8.
func Text(body []byte, contentType string) ([]byte, Encoding) {
	rest, marked := bytes.CutPrefix(body, []byte("\xef\xbb\xbf"))
	wide := bytes.IndexByte(rest[:min(len(rest), head)], 0) >= 0
	odd := wide || bytes.IndexByte(rest, 0x1b) >= 0 // UTF-16, ISO-2022-JP
	if !odd && utf8.Valid(rest) {
		by := Valid
		if marked {
			by = Mark
		}
		return withoutNUL(rest), Encoding{"utf-8", by}
	}
	if marked {
		return withoutNUL(repaired(rest)), Encoding{"utf-8", Mark}
	}
	found := Find(body, contentType)
	return withoutNUL(decoded(body, found.Name)), found
}

// Find returns the encoding of a document of which the body is the start, or all.
func Find(body []byte, contentType string) Encoding {
	if name := byMark(body); name != "" {
		return Encoding{name, Mark}
	}
	if name := withControls(body); name != "" {
		return Encoding{name, Detected}
	}
	said := declared(body, contentType)
	if isMostlyUTF8(body, said.Name) {
		if said.Name != "utf-8" {
			said = Encoding{"utf-8", Valid}
		}
		return said
	}
	return judged(body, said)
}

// byMark returns the encoding of a byte order mark; empty: there is none.
func byMark(body []byte) string {
	switch {
	case bytes.HasPrefix(body, []byte("\xef\xbb\xbf")):
		return "utf-8"
	case bytes.HasPrefix(body, []byte("\xff\xfe")):
		return "utf-16le"
	case bytes.HasPrefix(body, []byte("\xfe\xff")):
		return "utf-16be"
	}
	return ""
}

// withControls recognizes encodings that need NUL or ESC: UTF-16 without a mark, in which one of two bytes is
// often NUL, and ISO-2022-JP.
func withControls(body []byte) string {
	start := body[:min(len(body), head)&^1]
	var zeros [2]int
	for i, c := range start {
		if c == 0 {
			zeros[i&1]++
		}
	}
	few := len(start) / 8 // a quarter of all characters
	if bytes.ContainsFunc(start, isUnprinted) {
		few /= 16
	}
	switch few = max(few, 1); {
	case zeros[1] > few && zeros[1] > 8*zeros[0]:
		return "utf-16le"
	case zeros[0] > few && zeros[0] > 8*zeros[1]:
		return "utf-16be"
	case zeros[0]+zeros[1] > 0 || bytes.IndexByte(body, 0x1b) < 0:
		return ""
	}
	for _, escape := range []string{"\x1b$B", "\x1b$@", "\x1b(J", "\x1b(I"} {
		if bytes.Contains(body, []byte(escape)) && bytes.IndexFunc(body, notASCII) < 0 {
			return "iso-2022-jp"
		}
	}
	return ""
}

// isUnprinted reports whether a byte other than NUL is none of a text in ASCII.
func isUnprinted(r rune) bool {
	return r >= 0x7f || r < ' ' && r != 0 && r != '\t' && r != '\n' && r != '\r' && r != '\f'
}

func notASCII(r rune) bool { return r >= utf8.RuneSelf }

// isMostlyUTF8 reports whether bytes, which are not all UTF-8, are so but for a few: a truncated character, a
// quotation in another encoding. What is said to be UTF-8 may have as many wrong bytes as characters beyond
// ASCII.
func isMostlyUTF8(b []byte, said string) bool {
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
	switch said {
	case "utf-8":
		return wrong <= right
	case "":
		return wrong*3 <= right
	}
	return wrong*10 <= right
}

// decoded decodes a body from an encoding.
func decoded(body []byte, name string) []byte {
	if e := lookup(name); e != nil && name != "utf-8" {
		if text, err := e.NewDecoder().Bytes(body); err == nil {
			body = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
		}
	}
	return repaired(body)
}

// lookup returns an encoding by its name or label; nil: it is not known, or it can't be decoded.
func lookup(label string) encoding.Encoding {
	e, err := htmlindex.Get(label)
	if err != nil || e == encoding.Replacement {
		return nil
	}
	return e
}

// repaired copies text with one U+FFFD for each run of invalid bytes.
func repaired(b []byte) []byte {
	dst := make([]byte, 0, len(b))
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

// withoutNUL returns text with blanks in the place of NULs, a copy if it has any.
func withoutNUL(b []byte) []byte {
	if bytes.IndexByte(b, 0) < 0 {
		return b
	}
	return bytes.ReplaceAll(b, []byte{0}, []byte{' '})
}
