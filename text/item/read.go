package item

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"orbweaver/text"
	"orbweaver/text/spell"
)

// What of a document is looked at.
const (
	maxTokens = 100_000 // words read, the rest is left out
	maxWords  = 5_000   // different ones; others are no terms
	maxGrams  = 20_000  // different pairs and triples
	maxWord   = 64      // bytes of a word
	maxForm   = 200     // bytes of a term as it is shown
)

// A Draft is what a document alone says of its terms. It keeps the document's text from being freed; it never changes.
type Draft struct {
	lang   string // primary subtag
	length int    // words
	letter bool   // there is a word with letters that may be a term or a stop word
	words  []word
	grams  []gram
	parts  [2]string // text, title
}

// A word is a form in lower case with what was seen of it.
type word struct {
	form, stem string
	surface    string // as it stood, in lower case if it ever did
	count      int32
	ordinary   int32 // how often it stood as one that may be misspelt
	odd        int32 // how often not, the title left out
	stop       bool
}

// A gram is two or three words that stand together, with no sign between them and no stop word but "of".
type gram struct {
	words      [3]int32 // places of words; -1 for none
	count      int32
	part       int8
	start, end int32 // where it first stood
}

// A Reader makes drafts of documents. The zero Reader is ready; it may be used by any number of goroutines.
type Reader struct {
	stemmers text.Stemmers
	pool     sync.Pool // of *reading
}

// A reading is what a draft is made with.
type reading struct {
	Draft
	scanner text.Scanner
	stemmer *text.Stemmer
	at      map[string]int32
	gramAt  map[[3]int32]int32
	before  [2]place // the word before, and the one before that
	of      bool     // "of" stood behind before[0]
}

// A place is where a word of a run stood; word is -1 where no run goes on.
type place struct{ word, start int32 }

// Read counts the words of a document: text as blocks separated by blank lines, title on its own, both in the language
// of a BCP 47 tag; "" is unknown.
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

// joined reports whether the words before and behind a gap may be of one phrase.
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

// meet returns the place of a form; false where there are too many.
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

// note counts the scanner's word.
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
		surface := src[start:bare(src, start, end, met.form)]
		if met.surface == "" || surface == met.form {
			met.surface = surface
		}
	}
}

// bare returns where a word ends without what the scanner leaves out behind it.
func bare(src string, start, end int, form string) int {
	if n := start + len(form); n < end && strings.EqualFold(src[start:n], form) {
		return n
	}
	return end
}

// extend takes the scanner's word into the run of those before it.
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

// shown returns a gram as it first stood, its words separated by single spaces.
func (d *Draft) shown(g *gram) string {
	return shorten(strings.Join(strings.FieldsFunc(d.parts[g.part][g.start:g.end], unicode.IsSpace), " "))
}

// shorten cuts what is too long to be shown, between characters.
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
