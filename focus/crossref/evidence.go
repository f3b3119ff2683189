package crossref

import (
	"context"

	"orbweaver"
	"orbweaver/focus/spans"
)

// Evidence returns the occurrences of the terms named by Judge's reason. Labels are inferred from all terms
// together and have no occurrence.
func (f *Focus) Evidence(_ context.Context, p *orbweaver.Page) ([]orbweaver.Span, error) {
	found := f.judge(p)
	if found.cosine <= 0 {
		return nil, nil
	}
	var ids []uint32
	for _, d := range f.shared(found.terms, 0, namedTerms) {
		ids = append(ids, d.id)
	}
	var list spans.List
	for _, at := range f.model.Terms.Places(f.findings(p).draft, ids) {
		span := orbweaver.Span{Field: orbweaver.InText, Start: at.Start, End: at.End, Rule: RuleTerms}
		if at.Title {
			span.Field = orbweaver.InTitle
		}
		span.Name, _ = f.model.Terms.Text(at.ID)
		list.Add(span)
	}
	return list.Sorted(), nil
}
