package baseline

import (
	"orbweaver"
	"orbweaver/text"
)

// wordings collects the words in which a page names terms.
type wordings struct {
	text.Wordings
	counts map[int32]int
}

// wordingsOf reads a page's title and text. The text is read first: its evidence about capitalization serves
// the title.
func wordingsOf(m *text.Matcher, p *orbweaver.Page) *wordings {
	w := &wordings{counts: map[int32]int{}}
	w.read(m, p.Text, m.Match(p.Text))
	w.read(m, p.Title, m.MatchHeading(p.Title))
	w.Settle()
	return w
}

func (w *wordings) read(m *text.Matcher, s string, matches []text.Match) {
	for _, match := range matches {
		for _, id := range m.IDs(match.Form) {
			w.counts[id]++
			w.Add(id, s[match.Start:match.End])
		}
	}
}

// times returns how often each of the terms is named.
func (w *wordings) times(terms int) []int {
	times := make([]int, terms)
	for id, n := range w.counts {
		times[id] = n
	}
	return times
}
