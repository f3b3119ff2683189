package segment

// A Sample is a text with its segmentation by a treebank, as training data.
type Sample struct {
	Text      string
	Tokens    []Token
	Sentences []Sentence
}

// A Builder makes a Sample of the words of a treebank, in order. The zero Builder is empty.
type Builder struct {
	text      []byte
	tokens    []Token
	sentences []Sentence
	first     int    // index of the open sentence's first token
	gap       string // white space before the next word
}

// Add adds a word, and whether a blank follows it. Words that a treebank splits within a token (do and n't) are
// added separately. An empty word or one with white space is ignored.
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

// EndSentence ends a sentence, unless it is empty.
func (b *Builder) EndSentence() {
	if b.first < len(b.tokens) {
		b.sentences = append(b.sentences, Sentence{int32(b.first), int32(len(b.tokens))})
		b.first = len(b.tokens)
	}
}

// EndBlock ends a paragraph or document: a blank line precedes the next word.
func (b *Builder) EndBlock() {
	b.EndSentence()
	if len(b.text) > 0 {
		b.gap = "\n\n"
	}
}

// Sample returns the sample.
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
