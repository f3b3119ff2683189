package inspect

import (
	"bytes"
	"context"
	"errors"
	"io"

	"orbweaver"
	"orbweaver/internal/judge"
	"orbweaver/internal/kind"
	"orbweaver/internal/step"
	"orbweaver/internal/whatif"
)

// Effect returns what a revision does to the pages of the crawl.
func (h *Handle) Effect(ctx context.Context, r whatif.Revision) (e whatif.Effect, err error) {
	order, clean, err := whatif.Lay(h.Job.Schema(), h.Dir, r)
	defer func() { err = errors.Join(err, clean()) }()
	if err != nil {
		return e, err
	}
	return effectCall.ask(ctx, h, effectIn{Order: order})
}

// ChoiceEffect returns what a decision about a suggestion does to the pages of the crawl.
func (h *Handle) ChoiceEffect(ctx context.Context, v kind.Verdict) (whatif.Effect, error) {
	return effectCall.ask(ctx, h, effectIn{Choice: &v})
}

type effectIn struct {
	whatif.Order
	Choice *kind.Verdict `json:"choice,omitempty"` // in place of a decision
}

var effectCall = call[effectIn, whatif.Effect]{name: "effect", focus: true, judge: true, do: func(ctx context.Context, p *spot, in effectIn) (e whatif.Effect, err error) {
	var learned whatif.Learned
	ended := p.between(ctx, func() {
		if learned, err = p.bench.learned(); err == nil && in.Choice != nil {
			in.Decision, err = p.bench.desk().WouldDecide(ctx, *in.Choice)
		}
	})
	if err = errors.Join(ended, err); err != nil {
		return e, err
	}
	sides, err := whatif.SidesOf(ctx, p.bench.c, learned, in.Order)
	if err != nil {
		return e, err
	}
	defer func() { err = errors.Join(err, sides.Close()) }()
	rest := func(ctx context.Context, r orbweaver.Request) (*step.Response, error) {
		response, payload, err := p.Web.Fetch(ctx, r)
		if err == nil {
			response.Body = io.NopCloser(bytes.NewReader(payload))
		}
		return response, err
	}
	return whatif.EffectOf(ctx, p.bench.c, sides, p.between, rest, 0)
}}

// learned returns what the crawl has learned so far.
func (b *Bench) learned() (whatif.Learned, error) {
	l, err := whatif.LearnedBy(b.c.Focus.Focus(), b.c.Ledger.Decisions(), b.session.Progress().Requests)
	l.Correct = b.session.Correction()
	return l, err
}

var learnedCall = call[struct{}, whatif.Learned]{name: "learned", focus: true, judge: true, do: func(ctx context.Context, p *spot, _ struct{}) (l whatif.Learned, err error) {
	ended := p.between(ctx, func() { l, err = p.bench.learned() })
	return l, errors.Join(ended, err)
}}

// TryBoth judges a sample as the crawl does now, and under a revision.
func (h *Handle) TryBoth(ctx context.Context, s judge.Sample, r whatif.Revision) (now, then *judge.Trial, err error) {
	order, clean, err := whatif.Lay(h.Job.Schema(), h.Dir, r)
	defer func() { err = errors.Join(err, clean()) }()
	if err != nil {
		return nil, nil, err
	}
	learned, err := learnedCall.ask(ctx, h, struct{}{})
	if err != nil {
		return nil, nil, err
	}
	return whatif.TryBoth(ctx, h.Job, h.Dir, learned, order, s, func() (whatif.Fetch, error) {
		archived, err := h.Archive() // its own: closing it closes nothing
		if err != nil {
			return nil, err
		}
		return archived.Fetch, nil
	})
}
