// Package segment splits running text into sentences and tokens, the first step of a text pipeline.
//
// Tokens are those of the Penn Treebank as in Universal Dependencies of English: clitics (do|n't, we|'ll,
// can|not), punctuation, currencies, units and the parts of most hyphenated words are separate; URLs,
// addresses, numbers, dates, times, and abbreviations with their dot are single tokens. The dot of an
// abbreviation at the end of a sentence also ends the sentence.
//
// A Model learned from a treebank finds sentence boundaries; without one, rules do. The end of a block always
// ends a sentence.
//
// The time is linear in the text, on any input, and only the growth of the caller's slices allocates. The
// result is deterministic.
package segment

import "math"

// A Token is a range of the text: bytes Start up to End, not empty, without white space. Tokens also cover
// invalid UTF-8.
type Token struct{ Start, End int32 }

// Of returns the token's part of its text.
func (t Token) Of(text string) string { return text[t.Start:t.End] }

// A Sentence is a range of tokens: indices First up to End in the slice of tokens, not empty.
type Sentence struct{ First, End int32 }

// A Segmenter splits texts of one language. It is immutable and safe for concurrent use.
type Segmenter struct {
	rules   *rules
	judge   judge
	lexicon *lexicon // nil without a model
}

// For returns the rule-based segmenter for a language (a BCP 47 tag; "" and "und" mean English). Languages
// other than English have no contractions, and other than English and German only the abbreviations that many
// languages share.
func For(language string) *Segmenter {
	r := newRules(language)
	return &Segmenter{rules: r, judge: habit{}}
}

// Append appends the tokens of text in their order, and their sentences, and returns both slices, as append
// does. Tokens do not overlap and cover everything except white space; sentences cover all appended tokens.
// Text beyond 2 GiB is ignored.
//
// A blank line ends a block, and with it a sentence. A line feed within a block ends a sentence too, as in
// lists, tables and verse, unless the block is a wrapped paragraph.
func (s *Segmenter) Append(text string, tokens []Token, sentences []Sentence) ([]Token, []Sentence) {
	w := worker{rules: s.rules, judge: s.judge, lexicon: s.lexicon, text: text[:min(len(text), math.MaxInt32)], tokens: tokens, sentences: sentences}
	w.run()
	return w.tokens, w.sentences
}

// A worker segments one text.
type worker struct {
	*rules
	judge     judge
	lexicon   *lexicon
	text      string
	tokens    []Token
	sentences []Sentence
	past      past
	key       [maxWord]byte // a word in lower case, to look it up

	watch func(start, end int) // receives every core while a model is trained
}

func (w *worker) run() {
	g, width := new(gap), 0
	for start := 0; start < len(w.text); {
		end, next := blockEnd(w.text, start)
		first := len(w.tokens)
		w.block(start, end)
		if len(w.tokens) > first {
			to := wrappedTo(w.text[start:end], width)
			width = max(width, to)
			w.cut(g, first, to > 0)
		}
		start = next
	}
}

// block appends the tokens of a block, with the dots of its abbreviations separate and marked.
func (w *worker) block(i, end int) {
	for i < end {
		c := classes[w.text[i]]
		if c == space {
			i++
			continue
		}
		if c == high {
			if class, size := w.at(i); class == space {
				i += size
				continue
			}
		}
		i = w.chunk(i, end)
	}
}

// chunk appends the tokens of text without white space, and returns its end.
func (w *worker) chunk(start, end int) int {
	var seen uint8 // classes, but for the last byte's
	var last uint8
	i := start
	for i < end {
		c := classes[w.text[i]]
		size := 1
		if c == high {
			c, size = w.at(i)
			if c == letter {
				c = high
			}
		}
		if c == space {
			break
		}
		seen |= last
		last = c
		i += size
	}
	switch {
	case seen|last == letter:
		w.letters(start, i)
	case seen == letter && last&(mark|dot) != 0 && w.text[i-1] < 0x80 && w.text[i-1] != '$':
		w.letters(start, i-1)
		w.after(i-1, i)
	default:
		for p := start; p < i; {
			p = w.piece(start, p, i, seen)
		}
	}
	return i
}

// letters appends the tokens of a core of ASCII letters, the most frequent case.
func (w *worker) letters(p, q int) {
	if _, known := w.cutsOf(w.text[p:q]); known || w.watch != nil {
		w.core(p, q)
		return
	}
	w.emit(p, q)
}

// after appends the single mark after a word: the dot of an abbreviation is marked as such.
func (w *worker) after(p, q int) {
	if w.text[p] == '.' && w.isAbbreviation(w.tokens[len(w.tokens)-1]) {
		w.tokens = append(w.tokens, marked(Token{int32(p), int32(q)}))
		return
	}
	w.emit(p, q)
}

func (w *worker) emit(p, q int) { w.tokens = append(w.tokens, Token{int32(p), int32(q)}) }
