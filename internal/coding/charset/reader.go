package charset

import (
	"bufio"
	"bytes"
	"io"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/transform"
)

// maxPeeked is the number of bytes that decide the encoding of a stream.
const maxPeeked = 16 << 10

// NewReader returns the text of a file that a user gives, a list or a table, as UTF-8 without byte order
// mark. Its first 16 KiB decide the encoding: a file that begins as UTF-8 passes unchanged.
func NewReader(r io.Reader) io.Reader {
	in := bufio.NewReaderSize(r, maxPeeked)
	start, _ := in.Peek(maxPeeked) // an error comes again
	if bytes.HasPrefix(start, []byte("\xef\xbb\xbf")) {
		_, _ = in.Discard(3) // it was peeked
		return in
	}
	name := wideName(start)
	if name == "" && !utf8.Valid(wholeRunes(start)) {
		name = Find(start, "").Name
	}
	if byMark(start) != "" {
		_, _ = in.Discard(2)
	}
	if e := lookup(name); e != nil && name != "utf-8" {
		return transform.NewReader(in, e.NewDecoder())
	}
	return in
}

// wholeRunes is a text without a last character that is cut.
func wholeRunes(b []byte) []byte {
	for i := 1; i < utf8.UTFMax && i <= len(b); i++ {
		if last := b[len(b)-i:]; utf8.RuneStart(last[0]) && !utf8.FullRune(last) {
			return b[:len(b)-i]
		}
	}
	return b
}

// Narrow returns a text in UTF-16, which has a mark or an ASCII character in eight, as UTF-8 without mark,
// and everything else unchanged, whatever it is.
func Narrow(body []byte) []byte {
	name := wideName(body)
	if name == "" {
		return body
	}
	return decoded(body, name)
}

// wideName returns the name of UTF-16 if the start of a document is text in it.
func wideName(body []byte) string {
	name := byMark(body)
	if name == "" || name == "utf-8" {
		if bytes.IndexByte(body[:min(len(body), head)], 0) < 0 {
			return ""
		}
		name = withControls(body)
	}
	if name != "utf-16le" && name != "utf-16be" {
		return ""
	}
	text := decodedSample(name, body[:min(len(body), head)&^1])
	if bytes.ContainsFunc(text, isUnwritten) {
		return ""
	}
	return name
}

// isUnwritten reports whether a character is in no text.
func isUnwritten(r rune) bool {
	return r < ' ' && r != '\t' && r != '\n' && r != '\r' && r != '\f' || r == utf8.RuneError || unicode.Is(unicode.Co, r)
}
