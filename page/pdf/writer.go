package pdf

import (
	"bytes"
	"math"
	"unicode"
	"unicode/utf8"
)

// A writer joins pieces of text by their position on the page. It collects the pieces of a page, and writes them in
// reading order at its end.
type writer struct {
	limit int
	text  []byte
	last  matrix // where the last piece ended
	begun bool   // there is a last piece on this page

	pieces []piece // of the page, in drawing order
	shown  []byte  // their text
}

// A piece is text on one line without a gap.
type piece struct {
	at, end  matrix  // where it begins and where the next glyph would
	size     float64 // of the font
	from, to int     // in writer.shown
}

// maxPieces of a page are put into reading order; further ones are as if on another page.
const maxPieces = 1 << 15

// full reports whether the text limit is reached.
func (w *writer) full() bool { return len(w.text)+len(w.shown) >= w.limit }

// begin begins a piece, or continues the last one if joined and without a gap.
func (w *writer) begin(at matrix, size float64, joined bool) {
	if n := len(w.pieces); n > 0 && joined {
		if p := &w.pieces[n-1]; p.size == size && separation(p.end, at, size) == same {
			return
		}
	}
	if len(w.pieces) == maxPieces {
		w.flush()
	}
	w.pieces = append(w.pieces, piece{at: at, end: at, size: size, from: len(w.shown), to: len(w.shown)})
}

// add adds text to the last piece.
func (w *writer) add(s string) { w.shown = append(w.shown, s...) }

// ended says where the last piece ends.
func (w *writer) ended(at matrix) {
	p := &w.pieces[len(w.pieces)-1]
	p.end, p.to = at, len(w.shown)
}

// textOf is the text of a piece.
func (w *writer) textOf(p *piece) []byte { return w.shown[p.from:p.to] }

// flush writes the pieces of a page.
func (w *writer) flush() {
	w.dropDoubles()
	w.order(w.pieces, 0)
	w.pieces, w.shown = w.pieces[:0], w.shown[:0]
}

// put writes pieces one after the other.
func (w *writer) put(pieces []piece) {
	for i := range pieces {
		p := &pieces[i]
		w.place(p.at, p.size)
		w.write(w.textOf(p))
		w.last = p.end
	}
}

// What lies between two pieces.
type gap int

const (
	same gap = iota // nothing: they are parts of one word
	word
	line
	paragraph
)

// separation tells it by the end of one piece, and by start and font size of the next: another line if it is higher or
// lower, another paragraph if that is more than a line, another word for a gap.
func separation(last, at matrix, size float64) gap {
	length := math.Hypot(at.a, at.b)
	height := size * math.Hypot(at.c, at.d)
	if length == 0 || height == 0 {
		return same
	}
	dx, dy := at.e-last.e, at.f-last.f
	along := (dx*at.a + dy*at.b) / length
	across := (dx*at.b - dy*at.a) / length // positive down the page
	switch {
	case across > 1.9*height || across < -1.2*height:
		return paragraph
	case math.Abs(across) > 0.5*height:
		return line
	case along > 0.15*height || along < -0.6*height:
		return word
	}
	return same
}

// place separates the next piece from the previous text.
func (w *writer) place(at matrix, size float64) {
	if !w.begun {
		w.begun = true
		return
	}
	switch separation(w.last, at, size) {
	case paragraph:
		w.paragraph()
		w.begun = true
	case line:
		w.newLine()
	case word:
		w.blank()
	}
}

// blank writes a blank, unless the text ends with one.
func (w *writer) blank() {
	if n := len(w.text); n > 0 && w.text[n-1] != ' ' && w.text[n-1] != '\n' {
		w.text = append(w.text, ' ')
	}
}

// newLine ends a line.
func (w *writer) newLine() {
	w.text = bytes.TrimRight(w.text, " ")
	if n := len(w.text); n > 0 && w.text[n-1] != '\n' {
		w.text = append(w.text, '\n')
	}
}

// paragraph ends a paragraph and resets the position.
func (w *writer) paragraph() {
	w.begun = false
	w.newLine()
	if n := len(w.text); n > 1 && w.text[n-2] != '\n' {
		w.text = append(w.text, '\n')
	}
}

// write appends the text of a piece. It joins a word hyphenated at the end of a line.
func (w *writer) write(s []byte) {
	for len(s) > 0 {
		n := 1
		switch {
		case s[0] == ' ':
			w.blank()
		case bytes.HasPrefix(s, []byte("\u00a0")):
			n = 2
			w.blank()
		default:
			n = bytes.IndexAny(s, " \u00a0")
			if n < 0 {
				n = len(s)
			}
			w.unhyphen(s)
			w.text = append(w.text, s[:n]...)
		}
		s = s[n:]
	}
}

// unhyphen removes the hyphen at the end of the last line if the word goes on.
func (w *writer) unhyphen(next []byte) {
	n := len(w.text)
	if n < 3 || w.text[n-1] != '\n' {
		return
	}
	rest, hyphen := bytes.CutSuffix(w.text[:n-1], []byte("-"))
	if !hyphen {
		rest, hyphen = bytes.CutSuffix(w.text[:n-1], []byte("\u00ad"))
	}
	before, _ := utf8.DecodeLastRune(rest)
	if first, _ := utf8.DecodeRune(next); hyphen && unicode.IsLower(first) && unicode.IsLower(before) {
		w.text = rest
	}
}
