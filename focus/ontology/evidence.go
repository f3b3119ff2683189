package ontology

import (
	"context"

	"orbweaver"
	"orbweaver/focus/spans"
	"orbweaver/text"
)

// Evidence returns the occurrences of the entities named by Judge's reasons. It matches the page as Prepare
// does; a form of several entities has a span for each.
func (f *Focus) Evidence(_ context.Context, p *orbweaver.Page) ([]orbweaver.Span, error) {
	found := f.findings(p)
	reported := f.reported(found)
	k := found.by
	m := k.lexicon.Matcher(p.Lang)
	defer m.Release()
	var list spans.List
	add := func(field string, matches []text.Match) {
		for _, match := range matches {
			for _, entity := range m.IDs(match.Form) {
				if reported[entity] {
					e := k.ontology.Entity(int(entity))
					list.Add(orbweaver.Span{
						Field: field, Start: match.Start, End: match.End, Rule: RuleEntity, Name: e.Name, IRI: e.IRI,
					})
				}
			}
		}
	}
	add(orbweaver.InText, m.Match(p.Text)) // before the title, as in Prepare: its evidence about capitals serves the title
	add(orbweaver.InTitle, m.MatchHeading(p.Title))
	return list.Sorted(), nil
}

// reported returns the entities named in reasons.
func (f *Focus) reported(found *findings) map[int32]bool {
	r, target := f.relevance(found)
	if r <= 0 {
		return nil
	}
	reasons := map[string]bool{}
	for _, reason := range f.reasons(found, r, target) {
		reasons[reason.Evidence] = reason.Rule == RuleEntity
	}
	reported := map[int32]bool{}
	for i, h := range found.hits {
		if reasons[found.evidence[i]] {
			reported[h.entity] = true
		}
	}
	return reported
}
