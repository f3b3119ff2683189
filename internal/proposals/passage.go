package proposals

import (
	"slices"

	"orbweaver/text"
	"orbweaver/text/segment"
)

// A Passage is a sentence of an archived page.
type Passage struct {
	URL   string   `json:"url"`
	Title string   `json:"title"` // of the page
	Text  string   `json:"text"`
	Spans [][2]int `json:"spans"` // of the words, as offsets of bytes in Text, in order
}

// The bounds of passages.
const (
	MaxSentences = 3   // of a suggestion
	maxSentence  = 600 // bytes of a sentence; a longer one is cut around the words
	maxRead      = 1e6 // bytes of a page's text
	maxSpans     = 50  // of a sentence
	around       = 200 // bytes left of the first word, where a sentence is cut
)

// A Finder finds the sentences that speak of something: of one thing by any of its names or, of a pair, of both things.
type Finder struct {
	lexicon *text.Lexicon
	things  int
}

// FinderOf returns a finder of things, each with its names.
func FinderOf(things [][]string) *Finder {
	var phrases []text.Phrase
	for i, names := range things {
		for _, name := range names {
			phrases = append(phrases, text.Phrase{Text: name, ID: int32(i)})
		}
	}
	return &Finder{text.NewFoldedLexicon(phrases), len(things)}
}

// Find returns the first sentences of a text, at most n, that speak of all things.
func (f *Finder) Find(url, title, content, lang string, n int) (all []Passage) {
	content = content[:min(len(content), maxRead)]
	m := f.lexicon.Matcher(lang)
	defer m.Release()
	matches := m.Match(content)
	if len(matches) == 0 || n <= 0 {
		return nil
	}
	tokens, sentences := segment.For(lang).Append(content, nil, nil)
	for _, s := range sentences {
		start, end := int(tokens[s.First].Start), int(tokens[s.End-1].End)
		var spans [][2]int
		said := make([]bool, f.things)
		for len(matches) > 0 && matches[0].Start < end {
			if match := matches[0]; match.Start >= start && match.End <= end && len(spans) < maxSpans {
				spans = append(spans, [2]int{match.Start - start, match.End - start})
				for _, id := range m.IDs(match.Form) {
					said[id] = true
				}
			}
			matches = matches[1:]
		}
		if len(spans) > 0 && !slices.Contains(said, false) {
			if all = append(all, cut(Passage{url, title, content[start:end], spans})); len(all) == n {
				break
			}
		}
	}
	return all
}

// cut shortens a long sentence to what is around its first word.
func cut(p Passage) Passage {
	if len(p.Text) <= maxSentence {
		return p
	}
	from := max(0, p.Spans[0][0]-around)
	to := min(len(p.Text), max(from+maxSentence, p.Spans[0][1]))
	for from > 0 && !startsRune(p.Text[from]) {
		from--
	}
	for to < len(p.Text) && !startsRune(p.Text[to]) {
		to++
	}
	p.Text = p.Text[from:to]
	kept := p.Spans[:0]
	for _, s := range p.Spans {
		if s[1] <= to {
			kept = append(kept, [2]int{s[0] - from, s[1] - from})
		}
	}
	p.Spans = kept
	return p
}

// startsRune reports whether a byte begins a character.
func startsRune(b byte) bool { return b&0xC0 != 0x80 }
