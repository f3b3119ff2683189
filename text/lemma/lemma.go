// Package lemma finds the base form of an English word, given its part of speech: "went" as a verb is "go",
// "leaves" as a noun is "leaf" and as a verb "leave".
//
// A word is looked up first, with its tag, in the lemmas learned from a treebank; then among the irregular
// forms; then the rules of its inflection are undone (WordNet's morphy), and a dictionary, if given, selects
// among the possible bases. Without model and dictionary the common irregular forms and the rules remain. The
// same word and tag always give the same lemma, and a lemma that is known, or part of the word, costs no
// allocation.
package lemma

import (
	"unicode"
	"unicode/utf8"

	"orbweaver/text/tag"
)

// maxWord bounds the bytes of a word that has a base form other than itself.
const maxWord = 64

// A Lemmatizer finds lemmas. It is immutable and safe for concurrent use.
type Lemmatizer struct {
	words map[string]*word // by form in lower case
}

// A word is the entry of a form.
type word struct {
	form    string      // in lower case
	classes tag.Classes // the classes of which it is a base form
	cases   []reading   // the first that matches the tag has the lemma
}

// A reading is the lemma of a form for some tags.
type reading struct {
	tags  uint64 // bits
	lemma string
}

// lemma returns the known lemma for a tag.
func (w *word) lemma(t tag.Tag) (string, bool) {
	for _, c := range w.cases {
		if c.tags>>t&1 != 0 {
			return c.lemma, true
		}
	}
	return "", false
}

// Lemma returns the base form of a word in lower case, with plain apostrophes. A word whose tag has no
// inflection is its own lemma.
func (l *Lemmatizer) Lemma(form string, t tag.Tag) string {
	if len(form) > maxWord {
		if lower, same := fold(nil, form); !same {
			return string(lower)
		}
		return form
	}
	var room [maxWord * 3 / 2]byte // lower case may lengthen two bytes to three
	lower, same := fold(room[:0], form)
	if w := l.words[string(lower)]; w != nil {
		if lemma, ok := w.lemma(t); ok {
			return lemma
		}
	}
	if t == tag.CD {
		if digits, ok := number(lower); ok {
			return digits
		}
	}
	s := search{l.words, lower}
	c := s.base(t)
	if same && c.add == "" {
		return form[:len(form)-c.cut]
	}
	var base [2 * maxWord]byte
	b := s.append(base[:0], c)
	if w := l.words[string(b)]; w != nil {
		return w.form
	}
	return string(b)
}

// fold appends a word in lower case with plain apostrophes to b; same means that it is unchanged.
func fold(b []byte, form string) (lower []byte, same bool) {
	same = true
	for i := 0; i < len(form); {
		c := form[i]
		if c < utf8.RuneSelf {
			if 'A' <= c && c <= 'Z' {
				c |= 0x20
				same = false
			}
			b = append(b, c)
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(form[i:])
		to := unicode.ToLower(r)
		if r == '\u2019' || r == '\u2018' {
			to = '\''
		}
		if to == r {
			b = append(b, form[i:i+n]...)
		} else {
			b = utf8.AppendRune(b, to)
			same = false
		}
		i += n
	}
	return b, same
}
