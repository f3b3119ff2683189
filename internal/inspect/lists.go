package inspect

import (
	"cmp"
	"context"
	"slices"

	"orbweaver"
	"orbweaver/internal/step"
	"orbweaver/ledger"
	"orbweaver/weburl"
)

// MostRows is how many rows one answer has at most; a cursor leads on.
const MostRows = 1000

// listedAtOnce is how many outcomes come into the index of pages between two steps of a running crawl.
const listedAtOnce = 500

// A PageList is a part of the pages of a crawl.
type PageList struct {
	Pages []ledger.Line `json:"pages"`
	Total int64         `json:"total"`          // that the query matches
	Next  string        `json:"next,omitempty"` // cursor of the part that follows; empty: there is none
}

// Pages lists pages by an index. Query.Limit is bounded by MostRows.
func (h *Handle) Pages(ctx context.Context, q ledger.PageQuery) (PageList, error) {
	return pagesCall.ask(ctx, h, q)
}

var pagesCall = call[ledger.PageQuery, PageList]{name: "pages", do: listPages}

func listPages(ctx context.Context, p *spot, q ledger.PageQuery) (list PageList, err error) {
	if q.Limit <= 0 || q.Limit > MostRows {
		q.Limit = MostRows
	}
	if err := q.Check(); err != nil {
		return list, err
	}
	for left := int64(1); left > 0 && err == nil; {
		var failed error
		err = cmp.Or(p.between(ctx, func() {
			if left = p.ledger.Unlisted(); left > 0 {
				failed = p.ledger.List(listedAtOnce)
			}
		}), failed, ctx.Err())
	}
	if err != nil {
		return list, err
	}
	list.Pages = []ledger.Line{}
	err = cmp.Or(p.between(ctx, func() { err = readPages(p.ledger, q, &list) }), err)
	return list, err
}

func readPages(l *ledger.Ledger, q ledger.PageQuery, list *PageList) (err error) {
	for line, err := range l.Pages(q) {
		if err != nil {
			return err
		}
		list.Pages = append(list.Pages, line)
	}
	if n := len(list.Pages); n == q.Limit {
		list.Next = q.Cursor(list.Pages[n-1])
	}
	list.Total, err = l.Count(q)
	return err
}

// A HostQuery says which hosts are listed.
type HostQuery struct {
	Host  string `json:"host,omitempty"`  // this host alone, as in https://example.org; empty: all
	Limit int    `json:"limit,omitempty"` // 0: MostRows
}

// Hosts lists the hosts of the live Web that were asked, those asked most first.
func (h *Handle) Hosts(ctx context.Context, q HostQuery) ([]step.Account, error) {
	return hostsCall.ask(ctx, h, q)
}

var hostsCall = call[HostQuery, []step.Account]{name: "hosts", do: func(ctx context.Context, p *spot, q HostQuery) (all []step.Account, err error) {
	all = []step.Account{}
	add := func(a step.Account) {
		if q.Host == "" || a.Host == q.Host {
			all = append(all, a)
		}
	}
	ended := p.between(ctx, func() {
		if p.run != nil {
			for a := range p.run.Turns.Accounts() {
				add(a)
			}
			return
		}
		for a, failed := range p.ledger.Accounts() {
			if err = failed; err != nil {
				return
			}
			add(a)
		}
	})
	slices.SortFunc(all, func(a, b step.Account) int {
		return cmp.Or(cmp.Compare(b.Asked, a.Asked), cmp.Compare(a.Host, b.Host))
	})
	return all[:min(len(all), rows(q.Limit))], cmp.Or(ended, err)
}}

// A FailureQuery says which failures are listed.
type FailureQuery struct {
	Failure orbweaver.Failure `json:"failure,omitempty"` // of this reason alone; empty: all
	After   int64             `json:"after,omitempty"`   // outcomes after this one
	Limit   int               `json:"limit,omitempty"`   // 0: MostRows
}

// A Failed is a request that gave no page.
type Failed struct {
	N       int64             `json:"n"` // of its outcome
	URL     string            `json:"url"`
	Failure orbweaver.Failure `json:"failure"`
	Message string            `json:"message"`
	Status  int               `json:"status,omitempty"`
}

// Failures lists requests that gave no page, in the order in which they were decided.
func (h *Handle) Failures(ctx context.Context, q FailureQuery) ([]Failed, error) {
	return failuresCall.ask(ctx, h, q)
}

// failuresAtOnce is how many outcomes are read between two steps of a running crawl.
const failuresAtOnce = 2000

var failuresCall = call[FailureQuery, []Failed]{name: "failures", do: func(ctx context.Context, p *spot, q FailureQuery) ([]Failed, error) {
	all, at, more := []Failed{}, q.After, true
	for more && len(all) < rows(q.Limit) {
		var failed error
		err := p.between(ctx, func() {
			more, failed = false, nil
			read := 0
			for o, err := range p.ledger.Outcomes(at) {
				if failed = cmp.Or(err, ctx.Err()); failed != nil {
					return
				}
				if at = o.N; o.Err != nil && (q.Failure == "" || orbweaver.FailureOf(o.Err) == q.Failure) && len(all) < rows(q.Limit) {
					all = append(all, Failed{o.N, o.Request.URL, orbweaver.FailureOf(o.Err), o.Err.Error(), o.Status})
				}
				if read++; read == failuresAtOnce {
					more = true
					return
				}
			}
		})
		if err = cmp.Or(err, failed); err != nil {
			return nil, err
		}
	}
	return all, nil
}}

// A WaitingQuery says which waiting requests are listed.
type WaitingQuery struct {
	Host  string `json:"host,omitempty"`  // of this host alone; empty: all
	Limit int    `json:"limit,omitempty"` // 0: MostRows
}

// A WaitingURL is a request that waits.
type WaitingURL struct {
	URL     string             `json:"url"`
	Score   float64            `json:"score"`
	Depth   int                `json:"depth"`
	Parent  string             `json:"parent,omitempty"`
	Ahead   bool               `json:"ahead,omitempty"` // it goes before all else of its host
	Reasons []orbweaver.Reason `json:"reasons,omitempty"`
}

// Waiting lists waiting requests, the best first.
func (h *Handle) Waiting(ctx context.Context, q WaitingQuery) ([]WaitingURL, error) {
	return waitingCall.ask(ctx, h, q)
}

var waitingCall = call[WaitingQuery, []WaitingURL]{name: "waiting", do: func(ctx context.Context, p *spot, q WaitingQuery) (list []WaitingURL, err error) {
	var best []step.Waiting
	most := rows(q.Limit)
	ended := p.between(ctx, func() {
		for w, failed := range p.ledger.AllWaiting() {
			if err = cmp.Or(failed, ctx.Err()); err != nil {
				return
			}
			if q.Host != "" && weburl.Host(w.URL) != q.Host {
				continue
			}
			if best = append(best, w); len(best) == 2*most {
				best = bestWaiting(best, most)
			}
		}
	})
	list = []WaitingURL{}
	for _, w := range bestWaiting(best, most) {
		list = append(list, WaitingURL{w.URL, w.Score, w.Depth, w.Parent, w.Ahead, w.Reasons})
	}
	return list, cmp.Or(ended, err)
}}

// bestWaiting puts requests in the order of their turns, and keeps the first.
func bestWaiting(all []step.Waiting, most int) []step.Waiting {
	slices.SortFunc(all, func(a, b step.Waiting) int {
		if goesBefore(a, b) {
			return -1
		}
		return 1
	})
	return all[:min(len(all), most)]
}

// rows bounds the number of rows that a caller wants.
func rows(wanted int) int {
	if wanted <= 0 {
		return MostRows
	}
	return min(wanted, MostRows)
}
