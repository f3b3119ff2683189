package text

import (
	"cmp"
	"hash/maphash"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Wordings count the surface forms of things in texts; the caller numbers the things. The zero Wordings are ready,
// and reusable after Reset without allocation. They are not safe for concurrent use.
type Wordings struct {
	seed  maphash.Seed
	met   []wording // distinct ones, in order of first occurrence
	slots []int32   // hash table of met, from 1; a power of two, at most half in use
	most  []wording // per thing, by its number, once settled
}

type wording struct {
	hash  uint64
	of    int32
	times int32
	word  string
}

// Reset drops all counts.
func (w *Wordings) Reset() {
	if len(w.met)*8 > len(w.slots) {
		clear(w.slots)
	} else {
		for i := range w.met {
			w.empty(w.met[i].hash)
		}
	}
	clear(w.met) // which retain texts
	clear(w.most)
	w.met, w.most = w.met[:0], w.most[:0]
}

// empty empties the run of slots that starts where a hash belongs.
func (w *Wordings) empty(hash uint64) {
	mask := uint64(len(w.slots) - 1)
	for i := hash & mask; w.slots[i] != 0; i = (i + 1) & mask {
		w.slots[i] = 0
	}
}

// Add counts one occurrence of a thing: its surface form without a possessive 's.
func (w *Wordings) Add(of int32, word string) {
	if 2*len(w.met) >= len(w.slots) {
		w.grow()
	}
	word = bare(word)
	hash := maphash.String(w.seed, word) ^ uint64(of)*0x9e3779b97f4a7c15
	mask := uint64(len(w.slots) - 1)
	for i := hash & mask; ; i = (i + 1) & mask {
		at := w.slots[i]
		if at == 0 {
			w.met = append(w.met, wording{hash, of, 1, word})
			w.slots[i] = int32(len(w.met))
			return
		}
		if m := &w.met[at-1]; m.hash == hash && m.of == of && m.word == word {
			m.times++
			return
		}
	}
}

func (w *Wordings) grow() {
	if w.slots == nil {
		w.seed = maphash.MakeSeed()
	}
	w.slots = make([]int32, max(64, 4*len(w.slots)))
	mask := uint64(len(w.slots) - 1)
	for n, m := range w.met {
		i := m.hash & mask
		for w.slots[i] != 0 {
			i = (i + 1) & mask
		}
		w.slots[i] = int32(n + 1)
	}
}

// Settle ends the counting; call it before Most.
func (w *Wordings) Settle() {
	w.most = append(w.most[:0], w.met...)
	slices.SortStableFunc(w.most, func(a, b wording) int { // as first met where they are alike
		return cmp.Or(cmp.Compare(a.of, b.of), cmp.Compare(b.times, a.times))
	})
	w.most = slices.CompactFunc(w.most, func(a, b wording) bool { return a.of == b.of })
}

// Most returns the most frequent surface form of a thing and its count, the first met of equally frequent ones; ""
// for a thing not met. Settle comes before.
func (w *Wordings) Most(of int32) string {
	i, ok := slices.BinarySearchFunc(w.most, of, func(m wording, of int32) int { return cmp.Compare(m.of, of) })
	if !ok {
		return ""
	}
	return w.most[i].word
}

// maxWording is the maximum length in bytes of a surface form shown.
const maxWording = 100

// AppendWording appends the surface form of a label in a text, its count if times is above 0, and the label if it
// differs: "planes ×3 (plane)".
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

// AsWritten returns the word text[start:end] if its capitals matter, as in AIDS, MySQL and B52 but not in a line that
// is all capitals; for a plain plural, URLs, it returns the singular.
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
	case c < capitalised, c == capitalised && !strings.ContainsAny(word, "0123456789"), c == upperCase && scene{s, start, end}.loud():
		return "", false
	}
	if last := len(word) - 1; last > 0 && word[last] == 's' && (class(word[last-1]) == upper || class(word[last-1]) == digit) {
		word = word[:last]
	}
	return word, true
}
