// Package segment cuts running text into sentences and tokens, the first step of a text pipeline.
//
// Tokens are those of the Penn Treebank as Universal Dependencies have them for English: clitics stand
// alone (do|n't, we|'ll, can|not), so do punctuation, currencies, units and the parts of most
// hyphenated words; URLs, addresses, numbers, dates, times, and abbreviations with their dot stay whole.
// An abbreviation that ends a sentence lends its dot to the sentence.
//
// Where sentences end is said by a Model that was learned from a treebank, or else by rules. The end of
// a block always ends one.
//
// All of it takes time linear in the text, on any input, and allocates nothing but what the slices that
// it appends to need. The same text gives the same answer always. What a token means is not its business.
package segment

import "math"

// A Token is a stretch of the text: bytes Start up to End, at least one, no white space in it. Invalid
// UTF-8 is covered by tokens as well.
type Token struct{ Start, End int32 }

// Of returns what the token covers of the text that it was found in.
func (t Token) Of(text string) string { return text[t.Start:t.End] }

// A Sentence is a run of tokens: indices First up to End in the slice of tokens, at least one.
type Sentence struct{ First, End int32 }

// A Segmenter cuts texts of one language. It never changes: any number of goroutines may share one.
type Segmenter struct {
	rules   *rules
	judge   judge
	lexicon *lexicon // nil when nothing was learned
}

// For returns the segmenter for a language (a BCP 47 tag; "" and "und" are taken for English) that knows
// the rules for it and was taught nothing. Other languages than English have no contractions, and only
// the abbreviations that many languages share.
func For(language string) *Segmenter {
	r := newRules(language)
	return &Segmenter{rules: r, judge: habit{}}
}

// Append appends the tokens of text in their order, and the sentences they make, and returns both
// slices, as append does. Tokens do not overlap and cover all that is not white space; sentences cover
// all tokens that were appended. Of text beyond 2 GiB nothing is seen.
//
// A blank line ends a block, and with it a sentence. A line feed within a block ends a sentence too, as
// lines of lists, tables and verse do, unless the block is a paragraph that was wrapped.
func (s *Segmenter) Append(text string, tokens []Token, sentences []Sentence) ([]Token, []Sentence) {
	w := worker{rules: s.rules, judge: s.judge, lexicon: s.lexicon, text: text[:min(len(text), math.MaxInt32)], tokens: tokens, sentences: sentences}
	w.run()
	return w.tokens, w.sentences
}

// A worker cuts one text.
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

// block appends the tokens of a block, the dots of its abbreviations apart and marked.
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

// chunk appends the tokens of what stands between white space, and returns where that ends.
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

// letters appends the tokens of a core that is letters of ASCII, as most are.
func (w *worker) letters(p, q int) {
	if _, known := w.cutsOf(w.text[p:q]); known || w.watch != nil {
		w.core(p, q)
		return
	}
	w.emit(p, q)
}

// after appends the one mark that follows a word: the dot of an abbreviation is marked as such.
func (w *worker) after(p, q int) {
	if w.text[p] == '.' && w.isAbbreviation(w.tokens[len(w.tokens)-1]) {
		w.tokens = append(w.tokens, marked(Token{int32(p), int32(q)}))
		return
	}
	w.emit(p, q)
}

func (w *worker) emit(p, q int) { w.tokens = append(w.tokens, Token{int32(p), int32(q)}) }
