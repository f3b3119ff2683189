package inspect

import (
	"cmp"
	"context"
	"errors"

	"orbweaver/internal/order"
	"orbweaver/ledger"
	"orbweaver/weburl"
)

// Facets tell what the first pages of a list have in common.
type Facets struct {
	Of       int     `json:"of"` // pages that were counted, at most 1 000
	Hosts    []Facet `json:"hosts"`
	Classes  []Facet `json:"classes"`
	Types    []Facet `json:"types"`
	Langs    []Facet `json:"langs"`
	Entities []Facet `json:"entities"` // that the reasons of the pages name
}

// A Facet is a value with its number of pages.
type Facet struct {
	Value string `json:"value"`
	Pages int    `json:"pages"`
}

// facetPages is the number of pages that are counted.
const facetPages = 1000

// shownFacets is the number of values of each kind.
const shownFacets = 12

// Facets counts what the first pages that match a query have in common, the most frequent values first.
func (h *Handle) Facets(ctx context.Context, q ledger.PageQuery) (Facets, error) {
	f, err := facetsCall.ask(ctx, h, q)
	if errors.Is(err, errNotBegun) {
		return tallies{}.facets(0), nil
	}
	return f, err
}

var facetsCall = call[ledger.PageQuery, Facets]{name: "facets", do: func(ctx context.Context, p *spot, q ledger.PageQuery) (f Facets, err error) {
	q.After, q.Offset, q.Limit = "", 0, facetPages
	if err := q.Check(); err != nil {
		return f, err
	}
	if err := p.bringUp(ctx); err != nil {
		return f, err
	}
	counts, n := tallies{}, 0
	for more := true; more && n < facetPages; {
		var list PageList
		var failed error
		err := p.between(ctx, func() { failed = readPages(p.Knowledge, uncounted(q), &list) })
		if err = cmp.Or(err, failed, ctx.Err()); err != nil {
			return f, err
		}
		for _, line := range list.Pages {
			counts.add(line)
		}
		n += len(list.Pages)
		q.After, more = list.Next, list.Next != "" && len(list.Pages) > 0
	}
	return counts.facets(n), nil
}}

func uncounted(q ledger.PageQuery) ledger.PageQuery {
	q.Uncounted = true
	return q
}

// tallies count values by kind.
type tallies [5]map[string]int

func (t *tallies) add(l ledger.Line) {
	count := func(kind int, value string) {
		if value == "" {
			return
		}
		if t[kind] == nil {
			t[kind] = map[string]int{}
		}
		t[kind][value]++
	}
	count(0, weburl.Hostname(l.URL))
	count(1, l.Class)
	count(2, l.Type)
	count(3, l.Lang)
	for _, name := range ledger.EntitiesOf(l) {
		count(4, name)
	}
}

func (t tallies) facets(n int) Facets {
	return Facets{Of: n, Hosts: most(t[0]), Classes: most(t[1]), Types: most(t[2]), Langs: most(t[3]), Entities: most(t[4])}
}

// most returns the most frequent values.
func most(counts map[string]int) []Facet {
	all := make([]Facet, 0, len(counts))
	for value, n := range counts {
		all = append(all, Facet{value, n})
	}
	order.By(all, func(a, b Facet) int { return cmp.Or(cmp.Compare(b.Pages, a.Pages), cmp.Compare(a.Value, b.Value)) })
	return all[:min(len(all), shownFacets)]
}
