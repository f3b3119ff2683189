package krs

import (
	"context"

	"orbweaver"
	"orbweaver/focus/spans"
	kb "orbweaver/kb/krs"
)

// Evidence returns the spans of the nouns named in Judge's reasons. It annotates the page again for their positions,
// which a crawl does not need. A noun without a position from the Annotator has no span.
func (f *Focus) Evidence(ctx context.Context, p *orbweaver.Page) ([]orbweaver.Span, error) {
	byKey, err := f.reported(ctx, p)
	if err != nil || len(byKey) == 0 {
		return nil, err
	}
	d, err := f.opts.Annotator.Annotate(ctx, p)
	if err != nil {
		return nil, err
	}
	var list spans.List
	for _, n := range d.Nouns {
		key, ok := f.opts.Snapshot.Key(n)
		span, named := byKey[key]
		if ok && named && place(&span, p, n) {
			list.Add(span)
		}
	}
	return list.Sorted(), nil
}

// reported returns the nouns named in reasons, as spans without a position.
func (f *Focus) reported(ctx context.Context, p *orbweaver.Page) (map[kb.Key]orbweaver.Span, error) {
	j, err := f.Judge(ctx, p)
	if err != nil {
		return nil, err
	}
	rules := map[string]string{}
	for _, r := range j.Reasons {
		rules[r.Evidence] = r.Rule
	}
	mentions, v, err := f.Verdict(ctx, p)
	byKey := map[kb.Key]orbweaver.Span{}
	for i := range mentions {
		e := evidence(&mentions[i], &v.Judged[i])
		if n, ok := NounOf(orbweaver.Reason{Rule: rules[e], Evidence: e}); ok {
			byKey[mentions[i].Key] = orbweaver.Span{Rule: rules[e], Name: n.Words, IRI: n.IRI}
		}
	}
	return byKey, err
}

// place sets the position of a noun's span; false if its words are not there.
func place(span *orbweaver.Span, p *orbweaver.Page, n kb.Noun) bool {
	const gap = len("\n\n")
	span.Field, span.Start = orbweaver.InTitle, int(n.Start)
	in := p.Title
	if span.Start >= len(p.Title)+gap {
		span.Field, span.Start = orbweaver.InText, span.Start-len(p.Title)-gap
		in = p.Text
	}
	span.End = span.Start + len(n.Words)
	return n.Words != "" && 0 <= span.Start && span.End <= len(in) && in[span.Start:span.End] == n.Words
}
