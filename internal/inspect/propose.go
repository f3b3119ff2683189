package inspect

import (
	"cmp"
	"context"

	"orbweaver"
	"orbweaver/internal/pipeline"
	"orbweaver/internal/proposals"
	"orbweaver/internal/services"
)

// Proposals returns a part of the queue of suggestions, with sentences and pages. The error wraps ErrInput if the focus makes
// none, or if the query cannot be answered.
func (h *Handle) Proposals(ctx context.Context, q proposals.Query) (proposals.List, error) {
	if err := q.Check(); err != nil {
		return proposals.List{}, err
	}
	return proposalsCall.ask(ctx, h, q)
}

var proposalsCall = call[proposals.Query, proposals.List]{name: "proposals", focus: true, judge: true, do: func(ctx context.Context, p *spot, q proposals.Query) (list proposals.List, err error) {
	var finders map[string]*proposals.Finder
	ended := p.between(ctx, func() { list, finders, err = p.bench.desk().Queue(ctx, q) })
	if err = cmp.Or(ended, err); err != nil {
		return list, err
	}
	known := map[string]*orbweaver.Page{}
	read := func(url string) (*orbweaver.Page, error) {
		text, ok := known[url]
		if !ok {
			if text, err = p.readText(ctx, url); err != nil {
				return nil, err
			}
			known[url] = text
		}
		return text, nil
	}
	for i := range list.Proposals {
		if err := list.Proposals[i].Quote(finders[list.Proposals[i].ID], read); err != nil {
			return list, err
		}
	}
	return list, nil
}}

// desk is where suggestions are made and decided.
func (b *Bench) desk() *proposals.Desk { return &proposals.Desk{Crawl: b.c, Session: b.session} }

// readText reads a fetched page again; nil: the archive has none that can be read.
func (p *spot) readText(ctx context.Context, url string) (*orbweaver.Page, error) {
	response, payload, err := p.Web.Fetch(ctx, orbweaver.Request{URL: url})
	if err == nil {
		var text *orbweaver.Page
		if text, _, err = services.Rereading(p.file).Page(ctx, response, payload, pipeline.Direct(nil)); err == nil {
			return text, nil
		}
	}
	if orbweaver.FailureOf(err) == "" {
		return nil, err // the archive cannot be read
	}
	return nil, ctx.Err()
}
