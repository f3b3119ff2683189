package blend

import (
	"cmp"
	"context"
	"fmt"

	"orbweaver"
	"orbweaver/internal/kind"
	"orbweaver/internal/order"
	"orbweaver/kb/offer"
)

// Borrow returns what the knowledge of the parts lacks and a source has, best first. The ID of a suggestion leads to its
// part. The error wraps orbweaver.ErrInput if no part takes anything.
func (in *instance) Borrow(ctx context.Context, src *offer.Source) (all []orbweaver.Suggestion, err error) {
	router, ok := in.focus.(interface {
		Routed(part int, id string) string
	})
	takes := false
	for i, p := range in.parts {
		borrower, lends := p.(kind.Borrower)
		if !lends || !ok {
			continue
		}
		takes = true
		own, err := borrower.Borrow(ctx, src)
		if err != nil {
			return nil, fmt.Errorf("part %s: %w", in.section.Parts[i].Name, err)
		}
		for _, s := range own {
			s.ID = router.Routed(i, s.ID)
			all = append(all, s)
		}
	}
	if !takes {
		return nil, fmt.Errorf("no part of the blend takes anything from other knowledge: only an ontology does (%w)", orbweaver.ErrInput)
	}
	order.Stably(all, func(a, b orbweaver.Suggestion) int { return cmp.Compare(b.Score, a.Score) })
	return all, nil
}
