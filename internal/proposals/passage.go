package proposals

import (
	"slices"

	"orbweaver"
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
	maxLinks     = 2000
	around       = 200 // bytes left of the first word, where a sentence is cut
)

// A Finder finds the passages that speak of something: of one thing by any of its names or, of a pair, of both things.
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

// Find returns the first passages of a page, at most n, that speak of all things: sentences of its main text; without any, of two
// things what stands from a sentence with one to the next with the other; else its title, and the texts of its links.
func (f *Finder) Find(p *orbweaver.Page, n int) (all []Passage) {
	m := f.lexicon.Matcher(p.Lang)
	defer m.Release()
	content := p.Text[:min(len(p.Text), maxRead)]
	matches := m.Match(content)
	if len(matches) > 0 && n > 0 {
		tokens, sentences := segment.For(p.Lang).Append(content, nil, nil)
		var bounds [][2]int
		for _, s := range sentences {
			bounds = append(bounds, [2]int{int(tokens[s.First].Start), int(tokens[s.End-1].End)})
		}
		for joined := 1; joined <= f.things && len(all) == 0; joined++ {
			all = f.among(m, matches, content, bounds, joined, n)
		}
	}
	if len(all) == 0 && n > 0 {
		all = f.named(m, p)
	}
	for i := range all {
		all[i].URL, all[i].Title = p.URL, p.Title
	}
	return all
}

// among returns the first passages of so many sentences in a row, at most n.
func (f *Finder) among(m *text.Matcher, matches []text.Match, content string, bounds [][2]int, joined, n int) (all []Passage) {
	next := 0
	for i := 0; i+joined <= len(bounds) && len(all) < n; i++ {
		start, end := bounds[i][0], bounds[i+joined-1][1]
		for next < len(matches) && matches[next].Start < start {
			next++
		}
		if spans, ok := f.within(m, matches[next:], start, end); ok {
			all = append(all, cut(Passage{Text: content[start:end], Spans: spans}))
			i += joined - 1
		}
	}
	return all
}

// within returns the spans of matches in a part of a text, and whether all things are among them.
func (f *Finder) within(m *text.Matcher, matches []text.Match, start, end int) (spans [][2]int, ok bool) {
	said := make([]bool, f.things)
	for _, match := range matches {
		if match.End > end || len(spans) == maxSpans {
			break
		}
		spans = append(spans, [2]int{match.Start - start, match.End - start})
		for _, id := range m.IDs(match.Form) {
			said[id] = true
		}
	}
	return spans, len(spans) > 0 && !slices.Contains(said, false)
}

// named returns the title of a page or the text of a link that speaks of all things; none if no such text does.
func (f *Finder) named(m *text.Matcher, p *orbweaver.Page) []Passage {
	texts := []string{p.Title}
	for i := range p.Links[:min(len(p.Links), maxLinks)] {
		texts = append(texts, p.Links[i].Anchor)
	}
	for _, s := range texts {
		if spans, ok := f.within(m, m.MatchHeading(s), 0, len(s)); ok {
			return []Passage{cut(Passage{Text: s, Spans: spans})}
		}
	}
	return nil
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
