// Package spell corrects the spelling of words by the words that were seen before, and would rather leave
// a wrong word than touch a right one.
//
// A Dictionary is learned as texts come: Add counts a word, Correct asks for what a word was meant to be.
// Candidates are found by symmetric deletes (Garbe's SymSpell): all that is left of a frequent word when
// up to two letters are taken out is kept in an index, and the same is done to the word asked for. How far
// two words are apart is counted in insertions, deletions, substitutions and transpositions of neighbours
// (Damerau's distance, in its restricted form: no letters are changed twice).
//
// SymSpell as it is takes each word that it does not know for a slip: names, rare words, inflections. Here a word
// is replaced only if all of these hold:
//   - it stands as an ordinary word does: see Ordinary;
//   - it is not known: neither taught nor counted Known times;
//   - it has at least MinLetters letters, and more for changes that lead from word to word more often: those
//     of MinLettersOther where a letter is replaced, those of MinLettersTwo for two changes;
//   - a frequent word is near it, with the same first letter, counted at least Ratio times as often, twice that
//     for a word of six letters and four times for one of five: short words have more neighbours;
//   - no other frequent word is as near, unless it is counted a tenth as often at most;
//   - the two are no forms of one word: see inflected.
//
// Words are in lower case, as a text.Scanner gives them. No word costs an allocation once it is known, and
// no input makes a Dictionary hold more than Words words beside those it was taught.
package spell

import (
	"errors"
	"unicode"
	"unicode/utf8"
)

// ErrDamaged says that a snapshot is not one of this package, or not whole.
var ErrDamaged = errors.New("the snapshot of a spelling dictionary is damaged")

// Bounds of what is looked at.
const (
	maxLetters  = 32 // of a word that is corrected, or to which another is
	maxWord     = 64 // bytes of a word that is counted
	maxDistance = 2
)

// sparse is how many letters a word has whose neighbours are few.
const sparse = 7

// dominance is how many times as often as any other the best of candidates equally near is counted.
const dominance = 10

// Options are the guards of a Dictionary. A zero field has its default.
type Options struct {
	Ratio           uint32 // how many times as often as the word corrected that is counted which it is corrected to; 50
	Known           uint32 // how often a word is counted that is never corrected; 3
	MinLetters      int    // of a word that is corrected; 5
	MinLettersOther int    // of a word in which a letter is replaced by another; 8
	MinLettersTwo   int    // of a word that is corrected by two changes; 12
	Words           int    // how many words are remembered, those taught not counted; 200 000
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

// A Dictionary is the words seen, with their counts. It is for one goroutine at a time, but any number may
// ask while none adds. The same calls in the same order make the same Dictionary.
type Dictionary struct {
	opts    Options
	at      map[string]int32 // place of a word
	words   []entry          // in the order they were met
	learned int              // words that may be forgotten
	index   deletes
}

// An entry is a word with what was counted. A name is known, but nothing is corrected to it.
type entry struct {
	word     string
	count    uint32 // all
	ordinary uint32 // as an ordinary word
	taught   bool
}

// New returns a Dictionary that has seen nothing.
func New(opts Options) *Dictionary {
	return &Dictionary{opts: opts.withDefaults(), at: map[string]int32{}, index: newDeletes()}
}

// Len returns how many words are known or remembered.
func (d *Dictionary) Len() int { return len(d.words) }

// Teach makes a word known for good, as those of a printed dictionary are. It counts as never seen. What is no
// word by its length is not taught.
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

// Add counts a word once. Ordinary says that it stood as an ordinary word (see Ordinary), so that others may
// be corrected to it. Words of more than 64 bytes and empty ones are not counted.
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

// Count returns how often a word was counted, as far as it is remembered.
func (d *Dictionary) Count(word []byte) int {
	if at, ok := d.at[string(word)]; ok {
		return int(d.words[at].count)
	}
	return 0
}

// Ordinary reports whether the word at src[start:end] stands as one that may be misspelt: it has lower-case
// letters alone, and about it are spaces, brackets, quotes or the signs that end a phrase. So are left out
// names, capitals, mixed words, numbers, and the parts of addresses, of paths and of words with hyphens.
func Ordinary(src string, start, end int) bool {
	for _, r := range src[start:end] {
		if !unicode.IsLower(r) {
			return false
		}
	}
	return opens(src[:start]) && closes(src[end:])
}

// opens reports whether a word may begin behind what stands before it.
func opens(before string) bool {
	r, _ := utf8.DecodeLastRuneInString(before)
	return before == "" || unicode.IsSpace(r) || unicode.In(r, unicode.Ps, unicode.Pi) || r == '"' || r == '\''
}

// closes reports whether a word may end before what stands behind it.
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
