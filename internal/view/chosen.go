package view

import (
	"cmp"
	"iter"
	"net/url"
	"strings"

	"orbweaver/internal/order"
	"orbweaver/ledger"
)

// Chosen returns the pages that a query is for, in its order. It keeps them in memory, and has no use for the query's
// place in a listing (After, Offset).
func Chosen(pages iter.Seq2[ledger.Line, error], q ledger.PageQuery) (iter.Seq2[ledger.Line, error], error) {
	var all []ledger.Line
	for l, err := range pages {
		if err != nil {
			return nil, err
		}
		if (l.Accepted || !q.Accepted) && l.Score >= q.MinScore && (q.Host == "" || onHost(l.URL, q.Host)) && (q.Class == "" || l.Class == q.Class) && q.Holds(l) {
			all = append(all, l)
		}
	}
	order.Stably(all, func(a, b ledger.Line) int {
		switch q.Sort {
		case ledger.SortScore:
			return cmp.Compare(b.Score, a.Score)
		case ledger.SortURL:
			return cmp.Compare(a.URL, b.URL)
		case ledger.SortBytes:
			return cmp.Compare(b.Bytes, a.Bytes)
		case ledger.SortDepth:
			return cmp.Compare(a.Depth, b.Depth)
		}
		return 0
	})
	if q.Limit > 0 {
		all = all[:min(q.Limit, len(all))]
	}
	return func(yield func(ledger.Line, error) bool) {
		for _, l := range all {
			if !yield(l, nil) {
				return
			}
		}
	}, nil
}

// onHost reports whether a URL is on a host or a subdomain of it.
func onHost(address, host string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	name := u.Hostname()
	return name == host || strings.HasSuffix(name, "."+host)
}
