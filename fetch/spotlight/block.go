package spotlight

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxBlock is how many bytes are asked about in one call at most.
const maxBlock = 10_000

// A block is a part of a text that one call is about: bytes from start to end, without space around.
type block struct{ start, end int }

// blocks returns the blocks of a text in order: what stands between blank lines, cut where it is longer
// than maxBlock, but for what has neither letter nor digit.
func blocks(text string) iter.Seq[block] {
	return func(yield func(block) bool) {
		for at := 0; at < len(text); {
			end := at + paragraph(text[at:])
			for at < end {
				length := cut(text[at:end])
				b := trimmed(text, at, at+length)
				at += length
				if strings.IndexFunc(text[b.start:b.end], isWord) >= 0 && !yield(b) {
					return
				}
			}
		}
	}
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }

// trimmed returns a block without the space around it.
func trimmed(text string, start, end int) block {
	s := strings.TrimLeftFunc(text[start:end], unicode.IsSpace)
	start = end - len(s)
	return block{start, start + len(strings.TrimRightFunc(s, unicode.IsSpace))}
}

// paragraph is the length of a text up to its first blank line, that included; more than 0.
func paragraph(text string) int {
	at := 0
	for at < len(text) {
		end := len(text)
		if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
			end = at + i + 1
		}
		blank := strings.TrimSpace(text[at:end]) == ""
		if at = end; blank {
			break
		}
	}
	return at
}

// cut is how much of a paragraph goes into one block: all of it, or up to the last end of a sentence in
// the later half of what fits, or else up to the last space, or else as many characters as fit.
func cut(s string) int {
	if len(s) <= maxBlock {
		return len(s)
	}
	most := maxBlock
	for back := 0; back < utf8.UTFMax-1 && !utf8.RuneStart(s[most]); back++ {
		most--
	}
	sentence, space := 0, 0
	var before rune
	for i, r := range s[:most] {
		end := i + utf8.RuneLen(r)
		switch {
		case r == '\n' || strings.ContainsRune("。！？", r):
			sentence = end
		case unicode.IsSpace(r):
			space = end
			if strings.ContainsRune(".!?…", before) {
				sentence = end
			}
		}
		if !strings.ContainsRune(`"')]”’»`, r) { // they close after the sign
			before = r
		}
	}
	switch {
	case sentence > most/2:
		return sentence
	case space > 0:
		return space
	}
	return most
}

// A place is a block as it is sent, and where in the text its UTF-16 units stand.
type place struct {
	text      string // the whole
	sent      string
	units     []int32 // unit → byte of the text; -1: within a character; as many as units, and one
	namespace string
}

func newPlace(text string, b block, namespace string) place {
	p := place{text: text, sent: clean(text[b.start:b.end]), namespace: namespace}
	for i, r := range text[b.start:b.end] {
		p.units = append(p.units, int32(b.start+i))
		if r > 0xffff {
			p.units = append(p.units, -1)
		}
	}
	p.units = append(p.units, int32(b.end))
	return p
}

// clean returns a text as it is sent: each control character is a space, for the server makes XML of
// the text, and each byte that is no UTF-8 one replacement character. None takes another number of
// UTF-16 units thereby.
func clean(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return ' '
		}
		return r
	}, text)
}

// find returns the bytes of the text at which a surface stands that begins at a unit of the block; false
// when it does not stand there. Of spaces any will do.
func (p place) find(unit int, surface string) (start, end int, ok bool) {
	length := 0
	for _, r := range surface {
		length++
		if r > 0xffff {
			length++
		}
	}
	if unit < 0 || length == 0 || unit >= len(p.units) || length >= len(p.units)-unit {
		return 0, 0, false
	}
	start, end = int(p.units[unit]), int(p.units[unit+length])
	if start < 0 || end < 0 || !sameWords(clean(p.text[start:end]), surface) {
		return 0, 0, false
	}
	return start, end, true
}

// sameWords reports whether two texts are the same but for their space, and are not space alone.
func sameWords(a, b string) bool {
	words := strings.Join(strings.Fields(a), " ")
	return words != "" && words == strings.Join(strings.Fields(clean(b)), " ")
}
