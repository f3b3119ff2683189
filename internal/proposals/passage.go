package proposals

import (
	"slices"

	"orbweaver"
	"orbweaver/internal/order"
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
	candidates   = 12  // passages of a page that are looked at
	leastTold    = 20  // bytes beside the words, of a passage that says something
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

// Find returns passages of a page, at most n, that speak of all things: sentences of its main text or, of two things, what stands from
// a sentence with one to the next with the other; then what stands around its links; then any of these that says no more than the
// words, as a heading does; then its title.
func (f *Finder) Find(p *orbweaver.Page, n int) []Passage {
	if n <= 0 {
		return nil
	}
	m := f.lexicon.Matcher(p.Lang)
	defer m.Release()
	all := f.inText(m, p)
	if !slices.ContainsFunc(all, telling) {
		all = append(f.atLinks(m, p), all...)
	}
	if len(all) == 0 {
		all = f.in(m, []string{p.Title})
	}
	order.Stably(all, func(a, b Passage) int {
		switch {
		case telling(a) == telling(b):
			return 0
		case telling(a):
			return -1
		}
		return 1
	})
	all = all[:min(len(all), n)]
	for i := range all {
		all[i].URL, all[i].Title = p.URL, p.Title
	}
	return all
}

// Choose chooses passages, at most MaxSentences, from those of some pages: first one of each page, then further ones; and none that only repeats
// the words where there is another.
func Choose(found [][]Passage) []Passage {
	chosen, rest := []Passage{}, []Passage{}
	for i := range MaxSentences {
		for _, of := range found {
			switch {
			case i >= len(of):
			case telling(of[i]):
				chosen = append(chosen, of[i])
			default:
				rest = append(rest, of[i])
			}
		}
	}
	if len(chosen) == 0 {
		chosen = rest
	}
	return chosen[:min(len(chosen), MaxSentences)]
}

// telling reports whether a passage says more than the words.
func telling(p Passage) bool {
	rest := len(p.Text)
	for _, s := range p.Spans {
		rest -= s[1] - s[0]
	}
	return rest >= leastTold
}

// inText returns the first passages of a page's main text.
func (f *Finder) inText(m *text.Matcher, p *orbweaver.Page) (all []Passage) {
	content := p.Text[:min(len(p.Text), maxRead)]
	matches := m.Match(content)
	if len(matches) == 0 {
		return nil
	}
	tokens, sentences := segment.For(p.Lang).Append(content, nil, nil)
	var bounds [][2]int
	for _, s := range sentences {
		bounds = append(bounds, [2]int{int(tokens[s.First].Start), int(tokens[s.End-1].End)})
	}
	for joined := 1; joined <= f.things && len(all) == 0; joined++ {
		all = f.among(m, matches, content, bounds, joined, candidates)
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

// atLinks returns what stands around the links of a page: the first passages.
func (f *Finder) atLinks(m *text.Matcher, p *orbweaver.Page) []Passage {
	var texts []string
	for i := range p.Links[:min(len(p.Links), maxLinks)] {
		texts = append(texts, p.Links[i].Context, p.Links[i].Anchor)
	}
	return f.in(m, texts)
}

// in returns the first of some texts that speak of all things.
func (f *Finder) in(m *text.Matcher, texts []string) (all []Passage) {
	for _, s := range texts {
		if spans, ok := f.within(m, m.MatchHeading(s), 0, len(s)); ok {
			all = append(all, cut(Passage{Text: s, Spans: spans}))
		}
		if len(all) == candidates {
			break
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
