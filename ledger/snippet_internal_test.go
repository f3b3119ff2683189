package ledger

import (
	"math/bits"
	"testing"
)

// TestWordBytes: every byte at every place is told as isWordByte tells it, and what is not ASCII is said.
func TestWordBytes(t *testing.T) {
	for c := range 256 {
		for at := range 8 {
			text := []byte("a B0~ z-")
			text[at] = byte(c)
			words, ascii := wordBytes(string(text))
			if ascii != (c < 0x80) {
				t.Fatalf("%q is ASCII: %v", text, ascii)
			}
			for i, b := range text {
				if got := bits.RotateLeft64(words, -8*i)&0x80 != 0; ascii && got != isWordByte(b) {
					t.Fatalf("%q: byte %d is of a word: %v", text, i, got)
				}
			}
		}
	}
}

// TestFindPhrases: phrases are found at the starts of words alone, wherever these lie in the text.
func TestFindPhrases(t *testing.T) {
	phrases := make([]phrase, 0, 4)
	for _, text := range []string{"wing", "lift off", "VTOL", "flügel"} {
		p, ok := phraseOf(nil, text, 1)
		if !ok {
			t.Fatal(text)
		}
		phrases = append(phrases, p)
	}
	for _, c := range []struct {
		text string
		n    int
	}{
		{"Wing", 1}, {"wings", 1}, {"swing wing", 1}, {"ünwing wing", 1}, {"lift-off, lift  off liftoff", 2}, {"VTOL vtol Vtol", 1}, {"Flügel flügel xflügel", 2}, {"wing\u4e00wing", 2}, {"7wing wing7", 1}, {"wing_wing", 2},
	} {
		for before := range 19 {
			text := "0123456789 abcdefg "[19-before:] + c.text + " and more of it"
			if before > 0 && text[before-1] != ' ' {
				text = text[:before-1] + " " + text[before:]
			}
			if got := findPhrases(text, phrases); len(got) != c.n {
				t.Errorf("%q: %+v, want %d", text, got, c.n)
			}
		}
	}
}
