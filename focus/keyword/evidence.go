package keyword

import (
	"context"

	"orbweaver"
	"orbweaver/focus/spans"
	"orbweaver/text"
)

// Evidence returns the occurrences of the terms named by Judge's reasons. It matches the page as Prepare
// does.
func (f *Focus) Evidence(_ context.Context, p *orbweaver.Page) ([]orbweaver.Span, error) {
	m := f.lexicon.Matcher(p.Lang)
	defer m.Release()
	var list spans.List
	add := func(field string, matches []text.Match) {
		for _, match := range matches {
			list.Add(orbweaver.Span{
				Field: field, Start: match.Start, End: match.End, Rule: RuleTerm, Name: f.terms[m.IDs(match.Form)[0]],
			})
		}
	}
	add(orbweaver.InText, m.Match(p.Text)) // before the title, as in Prepare: it provides evidence about capitalization
	add(orbweaver.InTitle, m.MatchHeading(p.Title))
	return list.Sorted(), nil
}
