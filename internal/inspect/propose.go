package inspect

import (
	"cmp"
	"context"

	"orbweaver"
	"orbweaver/internal/kind"
	"orbweaver/internal/pipeline"
	"orbweaver/internal/proposals"
	"orbweaver/ledger"
	"orbweaver/page"
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
	finders := map[string]*proposals.Finder{}
	ended := p.between(ctx, func() {
		if list, err = p.bench.queue(ctx, q); err == nil {
			err = p.support(list.Proposals, finders)
		}
	})
	if err = cmp.Or(ended, err); err != nil {
		return list, err
	}
	read := map[string]*orbweaver.Page{}
	for i := range list.Proposals {
		if err := p.quote(ctx, &list.Proposals[i], finders[list.Proposals[i].ID], read); err != nil {
			return list, err
		}
	}
	return list, nil
}}

// queue returns a part of the queue, without pages and sentences.
func (b *Bench) queue(ctx context.Context, q proposals.Query) (list proposals.List, err error) {
	own, err := b.Suggestions(ctx)
	if err != nil {
		return list, err
	}
	kept, err := proposals.ReadKept(b.c.File.Output)
	if err != nil {
		return list, err
	}
	all, err := proposals.Queue(own, kept, b.c.Ledger.Decisions())
	if err != nil {
		return list, err
	}
	return q.Part(all), nil
}

// support sets the pages of proposals and the names of their entities, and makes a finder of what each speaks of.
func (p *spot) support(all []proposals.Proposal, finders map[string]*proposals.Finder) error {
	grower, grows := p.bench.c.Focus.(kind.Grower)
	for i := range all {
		one, things := &all[i], [][]string{{all[i].Text}}
		if grows {
			one.Name, one.OtherName, things = grower.Speaking(one.Suggestion)
		}
		finders[one.ID] = proposals.FinderOf(things)
		for _, url := range one.Examples {
			o, err := p.ledger.Outcome(url)
			if orbweaver.FailureOf(err) == orbweaver.ErrUnknown {
				continue // of another crawl
			}
			if err != nil {
				return err
			}
			line := ledger.LineOf(o)
			line.Reasons = nil
			one.Pages = append(one.Pages, line)
		}
	}
	return nil
}

// quote sets the sentences of a proposal: those of pages that the archive has. read are the pages read so far.
func (p *spot) quote(ctx context.Context, one *proposals.Proposal, finder *proposals.Finder, read map[string]*orbweaver.Page) error {
	var found [][]proposals.Passage
	for _, line := range one.Pages {
		text, known := read[line.URL]
		if !known {
			var err error
			if text, err = p.readText(ctx, line.URL); err != nil {
				return err
			}
			read[line.URL] = text
		}
		if text != nil {
			found = append(found, finder.Find(text, proposals.MaxSentences))
		}
	}
	one.Sentences = proposals.Choose(found)
	return nil
}

// readText reads a fetched page again; nil: the archive has none that can be read.
func (p *spot) readText(ctx context.Context, url string) (*orbweaver.Page, error) {
	response, payload, err := p.Web.fetch(ctx, orbweaver.Request{URL: url})
	if err == nil {
		reread := pipeline.Pipeline{Read: page.NewReader(page.Options{MaxBody: p.file.Limits.Body, MaxDump: kind.DumpOf(p.file)})}
		var text *orbweaver.Page
		if text, _, err = reread.Page(ctx, response, payload, pipeline.Direct(nil)); err == nil {
			return text, nil
		}
	}
	if orbweaver.FailureOf(err) == "" {
		return nil, err // the archive cannot be read
	}
	return nil, ctx.Err()
}
