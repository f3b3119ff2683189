package item

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"orbweaver/text"
	"orbweaver/text/spell"
)

// Bounds on what is read of a document.
const (
	maxTokens = 100_000 // words read; the rest is ignored
	maxWords  = 5_000   // distinct words; others are no terms
	maxGrams  = 20_000  // distinct pairs and triples
	maxWord   = 64      // bytes of a word
	maxForm   = 200     // bytes of a displayed term
)

// A Draft holds the candidate terms of one document. It retains the document's text and is immutable.
type Draft struct {
	lang   string // primary subtag
	length int    // words
	letter bool   // it has a word with letters, a possible term or stop word
	words  []word
	grams  []gram
	parts  [2]string // text, title
}

// A word is a lower-case form with its occurrences.
type word struct {
	form, stem string
	surface    string // surface form, in lower case if it ever occurred so
	count      int32
	ordinary   int32 // occurrences that may be misspelt
	odd        int32 // other occurrences, except in the title
	stop       bool
}

// A gram is two or three adjacent words, with no sign between them and no stop word but "of".
type gram struct {
	words      [3]int32 // places of words; -1 for none
	count      int32
	part       int8
	start, end int32 // first occurrence
}

// A Reader makes drafts of documents. The zero Reader is ready and safe for concurrent use.
type Reader struct {
	stemmers text.Stemmers
	pool     sync.Pool // of *reading
}

// A reading holds the buffers for making a draft.
type reading struct {
	Draft
	scanner text.Scanner
	stemmer *text.Stemmer
	at      map[string]int32
	gramAt  map[[3]int32]int32
	before  [2]place // the previous word and the one before it
	of      bool     // "of" follows before[0]
}

// A place is the position of a word of a run; word is -1 if there is no run.
type place struct{ word, start int32 }

// Read counts the words of a document: text in blocks separated by blank lines, and title, both in the language of a
// BCP 47 tag; "" is unknown.
func (r *Reader) Read(body, title, lang string) Draft {
	w, _ := r.pool.Get().(*reading)
	if w == nil {
		w = &reading{at: map[string]int32{}, gramAt: map[[3]int32]int32{}}
	}
	w.stemmer = r.stemmers.Get(lang)
	w.Draft = Draft{lang: text.Primary(lang), parts: [2]string{body, title}}
	w.read(0)
	w.read(1)
	d := w.Draft
	r.stemmers.Put(lang, w.stemmer)
	clear(w.at)
	clear(w.gramAt)
	w.Draft, w.stemmer = Draft{}, nil
	w.scanner.Reset("")
	r.pool.Put(w)
	return d
}

// read reads a part.
func (w *reading) read(part int8) {
	src := w.parts[part]
	w.scanner.Reset(src)
	w.stop()
	end := 0
	for w.length < maxTokens && w.scanner.Next() {
		w.length++
		if !joined(src[end:w.scanner.Start()]) {
			w.stop()
		}
		end = w.scanner.End()
		form := w.scanner.Word()
		if !usable(form) {
			w.stop()
			continue
		}
		w.letter = true
		at, ok := w.meet(form)
		if !ok {
			w.stop()
			continue
		}
		w.note(at, part, src)
		w.extend(at, part, src)
	}
}

// usable reports whether a word may be a term by its letters.
func usable(form []byte) bool {
	if len(form) < 2 || len(form) > maxWord {
		return false
	}
	for _, c := range form {
		if c >= utf8.RuneSelf || 'a' <= c && c <= 'z' {
			return true
		}
	}
	return false
}

// joined reports whether the words on both sides of a gap may belong to one phrase.
func joined(gap string) bool {
	lines := 0
	for i := range len(gap) {
		switch gap[i] {
		case ' ', '\t', '\r', '-':
		case '\n':
			if lines++; lines > 1 {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// stop ends a run of words.
func (w *reading) stop() {
	w.before, w.of = [2]place{{word: -1}, {word: -1}}, false
}

// meet returns the index of a form; false if there are too many.
func (w *reading) meet(form []byte) (int32, bool) {
	if at, ok := w.at[string(form)]; ok {
		return at, true
	}
	if len(w.words) == maxWords {
		return 0, false
	}
	at := int32(len(w.words))
	met := word{form: string(form), stop: text.StopWord(w.lang, form)}
	if !met.stop {
		met.stem = w.stemmer.Stem(form)
	}
	w.at[met.form] = at
	w.words = append(w.words, met)
	return at, true
}

// note counts the scanner's current word.
func (w *reading) note(at int32, part int8, src string) {
	met := &w.words[at]
	met.count++
	start, end := w.scanner.Start(), w.scanner.End()
	if spell.Ordinary(src, start, end) {
		met.ordinary++
	} else if part == 0 {
		met.odd++
	}
	if met.surface != met.form {
		surface := text.FormOf(src[start:bare(src, start, end, met.form)]).Text
		if met.surface == "" || surface == met.form {
			met.surface = surface
		}
	}
}

// bare returns the end of a word without a suffix that the scanner drops.
func bare(src string, start, end int, form string) int {
	if n := start + len(form); n < end && strings.EqualFold(src[start:n], form) {
		return n
	}
	return end
}

// extend appends the scanner's word to the current run.
func (w *reading) extend(at int32, part int8, src string) {
	met := &w.words[at]
	if met.stop {
		if met.form == "of" && w.before[0].word >= 0 && !w.of {
			w.of = true
		} else {
			w.stop()
		}
		return
	}
	start := w.scanner.Start()
	end := int32(bare(src, start, w.scanner.End(), met.form))
	if one := w.before[0]; one.word >= 0 {
		w.gram(gram{words: [3]int32{one.word, at, -1}, part: part, start: one.start, end: end})
		if two := w.before[1]; two.word >= 0 {
			w.gram(gram{words: [3]int32{two.word, one.word, at}, part: part, start: two.start, end: end})
		}
	}
	w.before[1], w.before[0], w.of = w.before[0], place{at, int32(start)}, false
}

// gram counts two or three words.
func (w *reading) gram(g gram) {
	at, ok := w.gramAt[g.words]
	if !ok {
		if len(w.grams) == maxGrams || g.end < g.start {
			return
		}
		at = int32(len(w.grams))
		w.gramAt[g.words] = at
		w.grams = append(w.grams, g)
	}
	w.grams[at].count++
}

// shown returns a gram in its first surface form, its words separated by single spaces.
func (d *Draft) shown(g *gram) string {
	written := text.FormOf(d.parts[g.part][g.start:g.end]).Text
	return shorten(strings.Join(strings.FieldsFunc(written, unicode.IsSpace), " "))
}

// shorten truncates a string too long to display, between characters.
func shorten(s string) string {
	if len(s) <= maxForm {
		return s
	}
	n := maxForm
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
