package pipeline

import (
	"orbweaver/text"
	"orbweaver/text/link"
	"orbweaver/text/segment"
	"orbweaver/text/tag"
)

// A Document is a text as it was read. The caller owns it.
type Document struct {
	Text      string // in the form in which words are compared; see Start and End
	Lang      string // primary subtag of the language that it was read in
	Tokens    []Token
	Sentences []segment.Sentence // runs of tokens
	Mentions  []link.Mention     // entity mentions, in order, not overlapping
	Phrases   []Phrase           // noun phrases, in order, not overlapping
	Degraded  string             // what could not be analysed, and why; empty: all was

	typeOf func(iri string) string
	form   text.Form
}

// Start returns where a token starts in the text as it was given.
func (d *Document) Start(token int) int { return d.form.Start(int(d.Tokens[token].Start)) }

// End returns where a token ends in the text as it was given.
func (d *Document) End(token int) int { return d.form.End(int(d.Tokens[token].End)) }

// A Token is a word or a sign: bytes Start up to End of the text.
type Token struct {
	Start, End int32
	Lemma      string  // in lower case; the stem in a language without a model
	Tag        tag.Tag // Unknown in a language without a model
	Stop       bool    // stop word
}

// A Phrase is a noun phrase without its determiner: adjectives, then nouns, at least one. Both ends are inclusive.
type Phrase struct{ First, Last int }

// Of returns token i as written in the text.
func (d *Document) Of(i int) string { return d.Text[d.Tokens[i].Start:d.Tokens[i].End] }

// Between returns the text from one token to another, both inclusive.
func (d *Document) Between(first, last int) string {
	return d.Text[d.Tokens[first].Start:d.Tokens[last].End]
}

// chunk finds the noun phrases: JJ* NN+.
func (d *Document) chunk() {
	for _, s := range d.Sentences {
		for i := int(s.First); i < int(s.End); {
			first := i
			for i < int(s.End) && d.Tokens[i].Tag.Class() == tag.Adjective {
				i++
			}
			nouns := i
			for i < int(s.End) && isNoun(d.Tokens[i].Tag) && hasSound(d.Of(i)) {
				i++
			}
			if i > nouns {
				d.Phrases = append(d.Phrases, Phrase{first, i - 1})
			} else if i == first {
				i++
			}
		}
	}
}

func isNoun(t tag.Tag) bool { return t.Class()&(tag.Noun|tag.Name) != 0 }
