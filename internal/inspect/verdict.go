package inspect

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"orbweaver"
	"orbweaver/internal/judge"
	"orbweaver/internal/teach"
)

// A PageVerdict is a person's verdict on a page, or its withdrawal.
type PageVerdict struct {
	URL       string `json:"url"`
	Said      string `json:"verdict,omitempty"`   // teach.SaidAbout, SaidPart or SaidNot; empty: by Relevant
	Relevant  bool   `json:"relevant"`            // counts where Said is empty: SaidAbout or SaidNot
	Withdrawn bool   `json:"withdrawn,omitempty"` // the verdict given before holds no more; Said and Relevant do not count
}

// decision is what the verdict decides after a number of outcomes.
func (v PageVerdict) decision(after int64) orbweaver.Decision {
	d := orbweaver.Decision{Page: v.URL, Withdrawn: v.Withdrawn, After: after}
	if !v.Withdrawn {
		d.Part = v.Said == teach.SaidPart
		d.Accepted = d.Part || v.Said == teach.SaidAbout || v.Said == "" && v.Relevant
	}
	return d
}

// checked returns the verdict with its URL in canonical form.
func (v PageVerdict) checked() (_ PageVerdict, err error) {
	if v.URL, err = judge.AddressOf(v.URL); err != nil {
		return v, err
	}
	switch v.Said {
	case "", teach.SaidAbout, teach.SaidPart:
		return v, nil
	case teach.SaidNot:
		if !v.Relevant {
			return v, nil
		}
		return v, fmt.Errorf("verdict on %s: %q and relevant contradict each other (%w)", v.URL, v.Said, orbweaver.ErrInput)
	}
	return v, fmt.Errorf("verdict on %s: %.40q is none of %s, %s and %s (%w)", v.URL, v.Said, teach.SaidAbout, teach.SaidPart, teach.SaidNot, orbweaver.ErrInput)
}

// Verdicts passes a person's verdicts on pages to the crawl, and commits each; it returns those that were taken. A focus
// that does not learn from verdicts by itself is corrected by them: see package verdicts. The error wraps ErrInput if the
// crawl has not judged a page, or has no archive to read it from, or no verdict on a page is there to withdraw; the verdicts before
// it stand.
func (h *Handle) Verdicts(ctx context.Context, all []PageVerdict) ([]orbweaver.Decision, error) {
	checked := make([]PageVerdict, len(all))
	for i, v := range all {
		var err error
		if checked[i], err = v.checked(); err != nil {
			return nil, err
		}
	}
	return verdictCall.ask(ctx, h, checked)
}

var verdictCall = call[[]PageVerdict, []orbweaver.Decision]{name: "verdict", focus: true, do: func(ctx context.Context, p *spot, all []PageVerdict) (taken []orbweaver.Decision, err error) {
	ended := p.between(ctx, func() {
		for _, v := range all {
			d := v.decision(p.bench.session.Progress().Requests)
			if err = p.bench.session.Decide(ctx, d); err != nil {
				break
			}
			taken = append(taken, d)
		}
		if len(taken) > 0 {
			err = errors.Join(err, p.bench.c.WriteDecisions())
		}
	})
	return taken, cmp.Or(ended, err)
}}
