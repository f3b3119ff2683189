package pdf

import (
	"bytes"
	"math"
	"unicode"
	"unicode/utf8"
)

// A writer joins pieces of text by their position on the page.
type writer struct {
	limit int
	text  []byte
	last  matrix // where the last piece ended
	begun bool   // there is a last piece on this page
}

// full reports whether the text limit is reached.
func (w *writer) full() bool { return len(w.text) >= w.limit }

// place separates the next piece, by its position and font size, from the previous text: by a new line if it is
// higher or lower, by a new paragraph if that is more than a line, and by a blank for a gap.
func (w *writer) place(at matrix, size float64) {
	if !w.begun {
		w.begun = true
		return
	}
	length := math.Hypot(at.a, at.b)
	height := size * math.Hypot(at.c, at.d)
	if length == 0 || height == 0 {
		return
	}
	dx, dy := at.e-w.last.e, at.f-w.last.f
	along := (dx*at.a + dy*at.b) / length
	across := (dx*at.b - dy*at.a) / length // positive down the page
	switch {
	case across > 1.9*height || across < -1.2*height:
		w.paragraph()
		w.begun = true
	case math.Abs(across) > 0.5*height:
		w.newLine()
	case along > 0.15*height || along < -0.6*height:
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

// write appends text of one or a few characters. It joins a word hyphenated at the end of a line.
func (w *writer) write(s string) {
	if s == "" {
		return
	}
	if s == " " || s == "\u00a0" {
		w.blank()
		return
	}
	if n := len(w.text); n > 2 && w.text[n-1] == '\n' && w.text[n-2] == '-' {
		before, _ := utf8.DecodeLastRune(w.text[:n-2])
		if first, _ := utf8.DecodeRuneInString(s); unicode.IsLower(first) && unicode.IsLower(before) {
			w.text = w.text[:n-2]
		}
	}
	w.text = append(w.text, s...)
}
