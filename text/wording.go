package text

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Wordings count, by numbers that the caller gives to things, the words as which these stand in texts. The
// zero Wordings are ready, and may be used again after Reset without allocating. They are for one
// goroutine at a time.
type Wordings struct {
	met  []wording
	most []wording // of each thing, by its number, once settled
}

type wording struct {
	of    int32
	times int32
	at    int32 // in which order it was met
	word  string
}

// Reset forgets all.
func (w *Wordings) Reset() { w.met, w.most = w.met[:0], w.most[:0] }

// Add counts the words as which a thing stands at one place, without a possessive 's.
func (w *Wordings) Add(of int32, word string) {
	w.met = append(w.met, wording{of, 1, int32(len(w.met)), bare(word)})
}

// Settle ends the counting.
func (w *Wordings) Settle() {
	slices.SortFunc(w.met, func(a, b wording) int {
		return cmp.Or(cmp.Compare(a.of, b.of), strings.Compare(a.word, b.word), cmp.Compare(a.at, b.at))
	})
	w.most = w.most[:0]
	for i := 0; i < len(w.met); {
		run := w.met[i]
		for i++; i < len(w.met) && w.met[i].of == run.of && w.met[i].word == run.word; i++ {
			run.times++
		}
		last := len(w.most) - 1
		switch {
		case last < 0 || w.most[last].of != run.of:
			w.most = append(w.most, run)
		case run.times > w.most[last].times || run.times == w.most[last].times && run.at < w.most[last].at:
			w.most[last] = run
		}
	}
}

// Most returns the words as which a thing stands most often, of equally frequent ones the first; "" for one
// that was not met. Settle comes before.
func (w *Wordings) Most(of int32) string {
	i, ok := slices.BinarySearchFunc(w.most, of, func(m wording, of int32) int { return cmp.Compare(m.of, of) })
	if !ok {
		return ""
	}
	return w.most[i].word
}

// maxWording is how many bytes of the words in a text are shown.
const maxWording = 100

// AppendWording appends the words as which a label stands in a text, how often if times is above 0,
// and the label if it is written otherwise: "planes ×3 (plane)".
func AppendWording(dst []byte, word string, times int, label string) []byte {
	if word == "" {
		word = label
	}
	from := len(dst)
	for field := range strings.FieldsSeq(word) {
		if len(dst) > from {
			dst = append(dst, ' ')
		}
		dst = append(dst, field...)
	}
	if n := from + maxWording; len(dst) > n {
		for n > from && !utf8.RuneStart(dst[n]) {
			n--
		}
		dst = append(dst[:n], "…"...)
	}
	same := string(dst[from:]) == label
	if times > 0 {
		dst = strconv.AppendInt(append(dst, " ×"...), int64(times), 10)
	}
	if !same {
		dst = append(append(append(dst, " ("...), label...), ')')
	}
	return dst
}

// AsWritten returns the word at start to end of a text if it stands in capitals that matter, as those of AIDS,
// MySQL and B52 do, not those of a line that is all in capitals; of a plain plural, URLs, the singular.
func AsWritten(s string, start, end int) (word string, ok bool) {
	plain := true
	for i := start; i < end && plain; i++ {
		plain = class(s[i]) == lower
	}
	if plain {
		return "", false
	}
	word = bare(s[start:end])
	c, _ := casingOf(word)
	switch {
	case c == upperCase && sceneOf(s, start, end).loud, c < capitalised, c == capitalised && !strings.ContainsAny(word, "0123456789"):
		return "", false
	}
	if last := len(word) - 1; last > 0 && word[last] == 's' && (class(word[last-1]) == upper || class(word[last-1]) == digit) {
		word = word[:last]
	}
	return word, true
}
