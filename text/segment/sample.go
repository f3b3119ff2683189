package segment

// A Sample is a text and how it is to be segmented, as a treebank says: what a model learns from.
type Sample struct {
	Text      string
	Tokens    []Token
	Sentences []Sentence
}

// A Builder makes a Sample of the words of a treebank, which it is given in their order. The zero
// Builder is empty.
type Builder struct {
	text      []byte
	tokens    []Token
	sentences []Sentence
	first     int    // index of the open sentence's first token
	gap       string // what is written before the next word
}

// Add adds a word, and says whether a blank follows it. Words that a treebank parts within a token
// (do and n't) are added one by one. A word with white space in it, or an empty one, is left out.
func (b *Builder) Add(form string, blank bool) {
	if form == "" || hasSpace(form) {
		return
	}
	b.text = append(b.text, b.gap...)
	start := len(b.text)
	b.text = append(b.text, form...)
	b.tokens = append(b.tokens, Token{int32(start), int32(len(b.text))})
	b.gap = ""
	if blank {
		b.gap = " "
	}
}

// EndSentence ends a sentence; one without words is none.
func (b *Builder) EndSentence() {
	if b.first < len(b.tokens) {
		b.sentences = append(b.sentences, Sentence{int32(b.first), int32(len(b.tokens))})
		b.first = len(b.tokens)
	}
}

// EndBlock ends a paragraph or document: a blank line is put before what follows.
func (b *Builder) EndBlock() {
	b.EndSentence()
	if len(b.text) > 0 {
		b.gap = "\n\n"
	}
}

// Sample returns what was added.
func (b *Builder) Sample() Sample {
	b.EndSentence()
	return Sample{Text: string(b.text), Tokens: b.tokens, Sentences: b.sentences}
}

func hasSpace(s string) bool {
	w := worker{text: s}
	for i := 0; i < len(s); {
		c, size := w.at(i)
		if c == space {
			return true
		}
		i += size
	}
	return false
}
