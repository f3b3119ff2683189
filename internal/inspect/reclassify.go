package inspect

import (
	"cmp"
	"context"
	"fmt"
	"iter"

	"orbweaver"
	"orbweaver/internal/kind"
	"orbweaver/internal/offline/labelmodel"
)

// A Question asks how pages stand to the item of a crawl, or to another.
type Question struct {
	Like  *labelmodel.Text `json:"like,omitempty"`  // in place of the item; one without text is a page of the crawl
	Theta *float64         `json:"theta,omitempty"` // in place of that of the crawl file
}

// Reclassified returns the judgements of the pages that a focus keeps, by URL, as it makes them now. The error wraps
// ErrInput if the focus keeps none.
func (h *Handle) Reclassified(ctx context.Context, q Question) (map[string]orbweaver.Judgement, error) {
	return reclassifiedCall.ask(ctx, h, q)
}

var reclassifiedCall = call[Question, map[string]orbweaver.Judgement]{name: "reclassified", focus: true, do: func(ctx context.Context, p *spot, q Question) (now map[string]orbweaver.Judgement, err error) {
	f, ok := kind.Reclassifies(p.bench.c.Focus.Focus())
	if !ok {
		return nil, fmt.Errorf("%s: the %s focus keeps no pages to judge again: only crossref does (%w)", p.file.Name(), p.file.Focus.Key(), orbweaver.ErrInput)
	}
	var like *orbweaver.Page
	if t := q.Like; t != nil {
		like = &orbweaver.Page{URL: t.ID, Title: t.Title, Text: t.Text, Lang: t.Lang}
	}
	now = map[string]orbweaver.Judgement{}
	ended := p.between(ctx, func() {
		var all iter.Seq2[string, orbweaver.Judgement]
		if all, err = f.Reclassify(ctx, like, q.Theta); err != nil {
			return
		}
		for url, j := range all {
			now[url] = j
		}
	})
	return now, cmp.Or(ended, err)
}}
