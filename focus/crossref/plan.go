package crossref

import (
	"context"

	"orbweaver"
	"orbweaver/text/item"
)

// Plan proposes every distinct target of the page's links once, ranked by the page's standing and the words
// of its links. It leaves out nofollow links and links to the item itself.
func (f *Focus) Plan(_ context.Context, p *orbweaver.Page, _ orbweaver.Judgement) ([]orbweaver.Proposal, error) {
	targets := f.findings(p).targets
	if len(targets) == 0 {
		return nil, nil
	}
	here := f.judge(p).standing
	return f.propose(p, targets, parent{page: keyOf(p.URL), relevance: float64(here[0]), here: &here}), nil
}

// propose ranks targets by the page that links to them.
func (f *Focus) propose(p *orbweaver.Page, targets []target, from parent) []orbweaver.Proposal {
	plan := make([]orbweaver.Proposal, 0, len(targets))
	for i := range targets {
		t := &targets[i]
		via := &p.Links[t.at]
		if f.opts.isItem(via.To) {
			continue
		}
		e := evidence{links: 1, parents: []parent{from}}
		if !f.opts.NoLinkText {
			e.anchor, e.context = f.words(t.anchor, maxAnchor), f.words(t.context, maxContext)
		}
		r := f.rank(&e)
		plan = append(plan, orbweaver.Proposal{
			Request:   orbweaver.Request{URL: via.To, Via: via, Note: e.note()},
			Judgement: orbweaver.Judgement{Score: f.priority(r), Class: className(r.layer), Reasons: f.reasons(&e, r)},
		})
	}
	return plan
}

// words returns the known terms of a link.
func (f *Focus) words(d item.Draft, most int) vector {
	return compact(f.model.Terms.Weigh(d).Vector).heaviest(most)
}

// Seeds returns the items' links, ranked by their words, if the crawl starts with them.
func (f *Focus) Seeds(context.Context, orbweaver.Known) ([]orbweaver.Proposal, error) {
	if !f.opts.Start {
		return nil, nil
	}
	var seeds []orbweaver.Proposal
	for i, p := range f.opts.items() {
		here := f.stand(f.query[i].terms, 0, f.query[i].labels)
		seeds = append(seeds, f.propose(p, f.prepare(p).targets, parent{page: keyOf(p.URL), relevance: float64(here[0]), here: &here})...)
	}
	return seeds, nil
}
