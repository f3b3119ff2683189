package page

import (
	"bytes"
	"encoding/binary"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Text is shown and kept in NFC (Unicode Standard Annex 15), so that it has one spelling whatever the page's author
// typed; addresses stay as they are.

// isASCII reports whether bytes are all ASCII.
func isASCII(b []byte) bool {
	for ; len(b) >= 8; b = b[8:] {
		if binary.LittleEndian.Uint64(b)&topBits != 0 {
			return false
		}
	}
	for _, c := range b {
		if c >= 0x80 {
			return false
		}
	}
	return true
}

// composed returns text in NFC.
func composed(b []byte) []byte {
	if isASCII(b) {
		return b
	}
	return norm.NFC.Bytes(b)
}

// maxMarked is the length in bytes of a letter with its marks, up to which more marks join it.
const maxMarked = 64

// compose puts the text from an offset on into NFC. A mark at its start joins the letter before it, unless a block or
// a link starts between the two.
func (d *document) compose(from int) {
	least := max(int(d.open.start), d.counted, from-maxMarked)
	for least < from && !utf8.RuneStart(d.text[least]) {
		least++
	}
	if from > least && !norm.NFC.Properties(d.text[from:]).BoundaryBefore() {
		if n := norm.NFC.LastBoundary(d.text[least:from]); n >= 0 {
			from = least + n
		}
	}
	if added := d.text[from:]; !norm.NFC.IsNormal(added) {
		d.text = append(d.text[:from], norm.NFC.Bytes(bytes.Clone(added))...)
	}
}
