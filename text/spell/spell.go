// Package spell corrects the spelling of words by the words seen before. It favours precision: it would rather miss
// an error than change a right word.
//
// A Dictionary learns online: Add counts a word, Correct returns the correction of a word. Candidates are found by
// symmetric deletes (Garbe's SymSpell): an index holds all strings left when up to two letters are deleted from a
// frequent word; the queried word is treated alike. Distance counts insertions, deletions, substitutions and
// transpositions of neighbours (Damerau's distance, in its restricted form: no letters are changed twice).
//
// Plain SymSpell takes every unknown word for an error: names, rare words, inflections. Here a word is replaced only
// if all of these hold:
//   - it is an ordinary word in its context: see Ordinary;
//   - it is unknown: neither taught nor counted Known times;
//   - it has at least MinLetters letters, and more for the edits that more often turn one word into another:
//     MinLettersOther for a substitution, MinLettersTwo for two edits;
//   - a frequent word is near it, with the same first letter, counted at least Ratio times as often, twice that
//     for a word of six letters and four times for one of five: short words have more neighbours;
//   - no other frequent word is as near, unless its count is at most a tenth;
//   - the two are not forms of one word: see inflected.
//
// Words are in lower case, as a text.Scanner gives them. A known word costs no allocation, and a Dictionary never
// holds more than Words words beside the taught ones.
package spell

import (
	"errors"
	"unicode"
	"unicode/utf8"
)

// ErrDamaged means that a snapshot is incomplete or of another format.
var ErrDamaged = errors.New("the snapshot of a spelling dictionary is damaged")

// Bounds on words.
const (
	maxLetters  = 32 // letters of a corrected word and of a correction
	maxWord     = 64 // bytes of a counted word
	maxDistance = 2
)

// sparse is the length in letters from which a word has few neighbours.
const sparse = 7

// dominance is the least ratio of the best candidate's count to that of any other at the same distance.
const dominance = 10

// Options are the guards of a Dictionary. A zero field means its default.
type Options struct {
	Ratio           uint32 // least ratio of the correction's count to the word's; 50
	Known           uint32 // a word counted this often is never corrected; 3
	MinLetters      int    // least letters of a corrected word; 5
	MinLettersOther int    // the same for a substitution; 8
	MinLettersTwo   int    // the same for two edits; 12
	Words           int    // capacity in words, not counting taught ones; 200 000
}

func (o Options) withDefaults() Options {
	if o.Ratio == 0 {
		o.Ratio = 50
	}
	if o.Known == 0 {
		o.Known = 3
	}
	if o.MinLetters == 0 {
		o.MinLetters = 5
	}
	if o.MinLettersOther == 0 {
		o.MinLettersOther = 8
	}
	if o.MinLettersTwo == 0 {
		o.MinLettersTwo = 12
	}
	if o.Words == 0 {
		o.Words = 200_000
	}
	return o
}

// A Dictionary is the words seen, with their counts. Concurrent reads are safe while nothing is added. The same calls
// in the same order make the same Dictionary.
type Dictionary struct {
	opts    Options
	at      map[string]int32 // index of a word
	words   []entry          // in order of first occurrence
	learned int              // words that may be dropped
	index   deletes
}

// An entry is a word with its counts. A name is known, but nothing is corrected to it.
type entry struct {
	word     string
	count    uint32 // all occurrences
	ordinary uint32 // as an ordinary word
	taught   bool
}

// New returns a Dictionary without words.
func New(opts Options) *Dictionary {
	return &Dictionary{opts: opts.withDefaults(), at: map[string]int32{}, index: newDeletes()}
}

// Len returns the number of words, taught ones included.
func (d *Dictionary) Len() int { return len(d.words) }

// Teach makes a word known for good, as those of a printed dictionary are. Its count stays 0. Words of unsuitable
// length are ignored.
func (d *Dictionary) Teach(word string) {
	if word == "" || len(word) > maxWord {
		return
	}
	at, ok := d.at[word]
	if !ok {
		at = d.meet(word)
		d.learned--
	}
	if e := &d.words[at]; !e.taught {
		if ok {
			d.learned--
		}
		e.taught = true
	}
}

// Add counts a word once. ordinary: it occurred as an ordinary word (see Ordinary), so that others may be corrected
// to it. Words of more than 64 bytes and empty ones are ignored.
func (d *Dictionary) Add(word []byte, ordinary bool) {
	if len(word) == 0 || len(word) > maxWord {
		return
	}
	at, ok := d.at[string(word)]
	if !ok {
		if d.learned >= d.opts.Words {
			d.forget()
		}
		at = d.meet(string(word))
	}
	e := &d.words[at]
	if e.count < 1<<31 {
		e.count++
	}
	if ordinary && e.ordinary < 1<<31 {
		if e.ordinary++; e.ordinary == d.opts.Ratio {
			d.index.add(e.word, at)
		}
	}
}

// meet puts a word in.
func (d *Dictionary) meet(word string) int32 {
	at := int32(len(d.words))
	d.at[word] = at
	d.words = append(d.words, entry{word: word})
	d.learned++
	return at
}

// Count returns the count of a word, 0 if it was dropped.
func (d *Dictionary) Count(word []byte) int {
	if at, ok := d.at[string(word)]; ok {
		return int(d.words[at].count)
	}
	return 0
}

// Ordinary reports whether the word at src[start:end] may be misspelt: it has lower-case letters only, surrounded by
// spaces, brackets, quotes or the signs that end a phrase. This excludes names, capitals, mixed words, numbers, and
// parts of addresses, paths and hyphenated words.
func Ordinary(src string, start, end int) bool {
	for _, r := range src[start:end] {
		if !unicode.IsLower(r) {
			return false
		}
	}
	return opens(src[:start]) && closes(src[end:])
}

// opens reports whether a word may begin after the preceding text.
func opens(before string) bool {
	r, _ := utf8.DecodeLastRuneInString(before)
	return before == "" || unicode.IsSpace(r) || unicode.In(r, unicode.Ps, unicode.Pi) || r == '"' || r == '\''
}

// closes reports whether a word may end before the following text.
func closes(behind string) bool {
	for i, r := range behind {
		if unicode.IsSpace(r) {
			return true
		}
		if i > 8 || !unicode.In(r, unicode.Pe, unicode.Pf) && !ends(r) {
			return false
		}
	}
	return true
}

func ends(r rune) bool {
	switch r {
	case '.', ',', ';', ':', '!', '?', '"', '\'':
		return true
	}
	return false
}
