package inspect

import (
	"cmp"
	"context"
	"errors"

	"orbweaver/internal/teach"
	"orbweaver/ledger"
)

// teaching is the crawl as package teach looks at it.
func (p *spot) teaching() teach.Crawl {
	return teach.Crawl{Ledger: p.ledger, Session: p.bench.session, Between: p.between}
}

// unsureIn asks for the pages of which a crawl is unsure.
type unsureIn struct {
	N int `json:"n"`
}

// Unsure returns up to n pages without a person's verdict, those first of which the crawl is least sure: see teach.Crawl.
func (h *Handle) Unsure(ctx context.Context, n int) ([]ledger.Line, error) {
	return unsureCall.ask(ctx, h, unsureIn{n})
}

var unsureCall = call[unsureIn, []ledger.Line]{name: "unsure", focus: true, judge: true, do: func(ctx context.Context, p *spot, in unsureIn) ([]ledger.Line, error) {
	return p.teaching().Unsure(ctx, in.N)
}}

// Teaching tells what a person's verdicts on pages changed. Pages are read again from the archive, and nothing changes.
func (h *Handle) Teaching(ctx context.Context, q teach.TeachingQuery) (teach.Teaching, error) {
	return teachingCall.ask(ctx, h, q)
}

var teachingCall = call[teach.TeachingQuery, teach.Teaching]{name: "teaching", focus: true, judge: true, do: func(ctx context.Context, p *spot, q teach.TeachingQuery) (teach.Teaching, error) {
	return p.teaching().Changed(ctx, q)
}}

// Given lists verdicts of persons that hold.
func (h *Handle) Given(ctx context.Context, q teach.GivenQuery) (teach.GivenList, error) {
	list, err := givenCall.ask(ctx, h, q)
	if errors.Is(err, errNotBegun) {
		return teach.GivenList{Verdicts: []teach.Given{}}, nil
	}
	return list, err
}

var givenCall = call[teach.GivenQuery, teach.GivenList]{name: "given", do: func(ctx context.Context, p *spot, q teach.GivenQuery) (list teach.GivenList, err error) {
	ended := p.between(ctx, func() { list, err = teach.GivenIn(p.ledger, q) })
	return list, cmp.Or(ended, err)
}}
