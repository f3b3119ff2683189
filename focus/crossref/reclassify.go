package crossref

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"

	"orbweaver"
	"orbweaver/internal/order"
)

// Reclassify judges all kept pages by the labels, rules and layers of now: the paper classifies at query time, "because
// items must be re-classified as the knowledge base evolves" (section 3.3). It yields the judgement of each URL, and
// changes neither the items nor the state. like, if not nil, takes the place of the target items; one without text is
// the kept page of its URL. theta, if not nil, takes the place of Theta. The error wraps orbweaver.ErrInput.
func (f *Focus) Reclassify(_ context.Context, like *orbweaver.Page, theta *float64) (iter.Seq2[string, orbweaver.Judgement], error) {
	alone, err := f.targets(like)
	if err != nil {
		return nil, err
	}
	has := make([]classified, len(f.known.items))
	for i := range f.known.items {
		has[i] = f.classify(f.known.items[i].main)
	}
	inner, member := f.innerNow(alone, has, cmp.Or(theta, &f.opts.Theta))
	return func(yield func(string, orbweaver.Judgement) bool) {
		for i := range f.known.items {
			k := &f.known.items[i]
			r, cosine := inner.relevance(k.terms, 0, has[i].vector, f.extraLabel())
			j := f.judgement(&inner, k.terms, &has[i], r, cosine)
			switch {
			case member[i]:
				j.Class = className(0)
			case like == nil && k.member > 0:
				j.Class = className(int(k.member))
			}
			if !yield(k.url, j) {
				return
			}
		}
	}, nil
}

// targets returns the target items by the model of now, or what takes their place.
func (f *Focus) targets(like *orbweaver.Page) ([]query, error) {
	if like == nil {
		queries := slices.Clone(f.query)
		for i := range queries {
			f.weigh(&queries[i])
		}
		return queries, nil
	}
	if k := f.known.find(keyOf(like.URL)); like.Text == "" && like.Title == "" {
		if k == nil {
			return nil, fmt.Errorf("%s is none of the pages that the crawl keeps: name one that it fetched, a file, or an entity (%w)", like.URL, orbweaver.ErrInput)
		}
		return []query{{url: like.URL, terms: k.terms, labels: f.classify(k.main).vector}}, nil
	}
	q := query{url: like.URL, draft: f.reader.Read(like.Text, like.Title, like.Lang)}
	f.weigh(&q)
	if len(q.terms) == 0 {
		return nil, fmt.Errorf("%s has no word that the crawl met: name another item (%w)", like.URL, orbweaver.ErrInput)
	}
	return []query{q}, nil
}

// innerNow returns layer 0 by the labels of now, and which of the kept items are its members.
func (f *Focus) innerNow(alone []query, has []classified, theta *float64) (inner layer, member []bool) {
	type candidate struct {
		at        int
		relevance float64
	}
	var all []candidate
	against := f.layerWith(alone, nil)
	if f.opts.ThetaLayer && len(alone) > 0 && alone[0].url == f.query[0].url {
		against = f.layers[0]
	}
	for i := range f.known.items {
		k := &f.known.items[i]
		r, _ := against.relevance(k.terms, 0, has[i].vector, f.extraLabel())
		if r > *theta && !slices.ContainsFunc(alone, func(q query) bool { return q.url == k.url }) {
			all = append(all, candidate{i, r})
		}
	}
	order.Stably(all, func(a, b candidate) int { return cmp.Compare(b.relevance, a.relevance) })
	member = make([]bool, len(f.known.items))
	var items []*kept
	for _, c := range all[:min(len(all), maxMembers)] {
		member[c.at] = true
		k := f.known.items[c.at]
		k.labels = has[c.at].vector
		items = append(items, &k)
	}
	return f.layerWith(alone, items), member
}
