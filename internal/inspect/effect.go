package inspect

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"orbweaver"
	"orbweaver/fetch/archive"
	"orbweaver/internal/assembly"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/judge"
	"orbweaver/internal/kind"
	"orbweaver/internal/step"
	"orbweaver/internal/whatif"
	"orbweaver/ledger"
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
			in.Decision, err = p.bench.wouldDecide(ctx, *in.Choice)
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
	return whatif.EffectOf(ctx, p.bench.c, sides, whatif.Pages{All: p.candidates, Outcomes: p.outcomesOf, Again: p.again()}, 0)
}}

// learned returns what the crawl has learned so far.
func (b *Bench) learned() (whatif.Learned, error) {
	l, err := whatif.LearnedBy(b.c.Focus.Focus(), b.c.Ledger.Decisions(), b.session.Progress().Requests)
	l.Correct = b.session.Correction()
	return l, err
}

// wouldDecide returns the decision that a choice would make; it changes nothing.
func (b *Bench) wouldDecide(ctx context.Context, v kind.Verdict) (*orbweaver.Decision, error) {
	grower, ok := b.c.Focus.(kind.Grower)
	if !ok || !v.Accepted || v.Later || v.Withdrawn {
		return nil, fmt.Errorf("%s: only what is accepted has an effect on pages (%w)", v.ID, orbweaver.ErrInput)
	}
	s, err := b.suggested(ctx, v.ID)
	if err != nil {
		return nil, err
	}
	d, err := grower.Accepting(v, s.Suggestion)
	return &d, err
}

// candidates lists the pages that the crawl has judged itself, the newest first, until a time.
func (p *spot) candidates(ctx context.Context, until time.Time) (all []whatif.Candidate, complete bool, err error) {
	var to int64
	if ended := p.between(ctx, func() { to = p.ledger.Progress().Requests }); ended != nil {
		return nil, false, ended
	}
	for to > 0 && time.Now().Before(until) {
		from := max(0, to-weighedAtOnce)
		var part []whatif.Candidate
		ended := p.between(ctx, func() { part, err = p.candidatesIn(from, to) })
		if err = errors.Join(ended, err, ctx.Err()); err != nil {
			return nil, false, err
		}
		slices.Reverse(part)
		all, to = append(all, part...), from
	}
	return all, to == 0, nil
}

// candidatesIn lists those of the outcomes after from, up to to.
func (p *spot) candidatesIn(from, to int64) (part []whatif.Candidate, err error) {
	for o, err := range p.ledger.Outcomes(from) {
		if err != nil {
			return nil, err
		}
		if o.N > to {
			break
		}
		if current, err := p.judged(o); err != nil {
			return nil, err
		} else if current {
			line := ledger.Line{Score: o.Actual.Score, Threshold: step.ThresholdOf(o)}
			part = append(part, whatif.Candidate{N: o.N, Distance: undecided(line), Accepted: o.Actual.Accepted})
		}
	}
	return part, nil
}

// outcomesOf returns outcomes by their numbers.
func (p *spot) outcomesOf(ctx context.Context, ns []int64) (all []orbweaver.Outcome, err error) {
	ended := p.between(ctx, func() {
		for _, n := range ns {
			for o, failed := range p.ledger.Outcomes(n - 1) {
				if err = errors.Join(err, failed); failed == nil {
					all = append(all, o)
				}
				break
			}
		}
	})
	return all, errors.Join(ended, err)
}

// again returns a function that fetches pages and what belongs to them from the archive, for several goroutines.
func (p *spot) again() func(context.Context, orbweaver.Outcome) (*step.Response, error) {
	if p.bench.c.Web != nil {
		web := p.bench.c.Env.Fetch()
		return func(ctx context.Context, o orbweaver.Outcome) (*step.Response, error) {
			return web.Fetch(ctx, o.Request)
		}
	}
	var one sync.Mutex
	folder := crawlfolder.Archive(p.bench.c.File.Output)
	return func(ctx context.Context, o orbweaver.Outcome) (*step.Response, error) {
		if o.Record != (orbweaver.Ref{}) {
			response, err := archive.ReadAt(folder, o.Record)
			if err == nil {
				response.Request = o.Request
				return response, nil
			}
			if !errors.Is(err, archive.ErrRevisit) {
				return nil, err
			}
		}
		one.Lock()
		defer one.Unlock()
		response, payload, err := p.Web.fetch(ctx, o.Request)
		if err == nil {
			response.Body = io.NopCloser(bytes.NewReader(payload))
		}
		return response, err
	}
}

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
	dir, err := filepath.Abs(h.Dir)
	if err != nil {
		return nil, nil, err
	}
	run := assembly.FromFile(h.Job, filepath.Join(dir, crawlfolder.RunFile))
	asOf := fmt.Sprintf("judged by what the crawl had learned after %d requests", learned.Requests)
	known := judge.Known{Folder: dir, AsOf: asOf, Teach: func(ctx context.Context, f orbweaver.Focus) error { return learned.Teach(ctx, f, false) }}
	if file, err := run.Load(); err != nil {
		return nil, nil, err
	} else if file.Web == nil {
		archived, err := h.Archive()
		if err != nil {
			return nil, nil, err
		}
		known.Fetch = archived.Fetch // its own: closing it closes nothing
	}
	if now, err = judge.TryKnowing(ctx, h.Job, run, s, &known); err != nil {
		return now, nil, err
	}
	known.Forget, known.Teach = true, func(ctx context.Context, f orbweaver.Focus) error { return learned.Teach(ctx, f, order.Files) }
	if order.Files {
		known.Folder = ""
	}
	run.Load = func() (*crawlfile.Crawl, error) { return whatif.Read(h.Job.Schema(), dir, order.Text) }
	then, err = judge.TryKnowing(ctx, h.Job, run, s, &known)
	return now, then, err
}

var learnedCall = call[struct{}, whatif.Learned]{name: "learned", focus: true, judge: true, do: func(ctx context.Context, p *spot, _ struct{}) (l whatif.Learned, err error) {
	ended := p.between(ctx, func() { l, err = p.bench.learned() })
	return l, errors.Join(ended, err)
}}
