package inspect

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"

	"orbweaver"
	"orbweaver/internal/order"
	"orbweaver/internal/step"
	"orbweaver/internal/store"
	"orbweaver/ledger"
	"orbweaver/server"
	"orbweaver/weburl"
)

// MostRows is the maximum number of rows of an answer. A cursor continues the list.
const MostRows = 1000

// listedAtOnce is the number of outcomes added to the index of pages between two steps of a running crawl, and between two looks at whether
// the call is to stop.
func (k *Knowledge) listedAtOnce() int64 {
	if k.run == nil {
		return store.ListedAtRest
	}
	return 500
}

// A PageList is a part of the pages of a crawl.
type PageList struct {
	Pages []ledger.Line `json:"pages"`
	Total int64         `json:"total"`          // pages that match the query; counted for the first part only, unless PageQuery.Uncounted or Reads
	Next  string        `json:"next,omitempty"` // cursor of the next part; empty: none
}

// Pages lists the pages that match a query. At most MostRows are returned.
func (h *Handle) Pages(ctx context.Context, q ledger.PageQuery) (PageList, error) {
	list, err := pagesCall.ask(ctx, h, q)
	if errors.Is(err, errNotBegun) {
		return PageList{Pages: []ledger.Line{}}, nil
	}
	return list, err
}

// AllPages yields all pages that match a query. From a running crawl it reads them in parts, so pages fetched meanwhile
// may be among them.
func (h *Handle) AllPages(ctx context.Context, q ledger.PageQuery) iter.Seq2[ledger.Line, error] {
	return func(yield func(ledger.Line, error) bool) {
		left := q.Limit // 0: all
		for {
			q.Limit = rows(left)
			list, err := pagesCall.running(ctx, h, q)
			if errors.Is(err, server.ErrNoCrawl) {
				q.Limit = left
				h.restingPages(ctx, q, yield)
				return
			}
			if err != nil {
				yield(ledger.Line{}, err)
				return
			}
			for _, line := range list.Pages {
				if !yield(line, nil) {
					return
				}
			}
			if q.After, q.Offset = list.Next, 0; q.After == "" || left > 0 && len(list.Pages) == left {
				return
			}
			left = max(left-len(list.Pages), 0)
		}
	}
}

// restingPages yields the pages of a crawl that no process runs.
func (h *Handle) restingPages(ctx context.Context, q ledger.PageQuery, yield func(ledger.Line, error) bool) {
	k, err := OpenKnowledge(h.Job.Schema(), h.Dir)
	if errors.Is(err, errNotBegun) {
		return
	}
	if err == nil {
		if err = q.Check(); err == nil {
			err = k.bringUp(ctx)
		}
		if err == nil {
			for line, failed := range k.ledger.Pages(q) {
				if err = cmp.Or(failed, ctx.Err()); err != nil {
					break
				}
				if !yield(line, nil) {
					yield = func(ledger.Line, error) bool { return false }
					break
				}
			}
		}
		err = errors.Join(err, k.Close())
	}
	if err != nil {
		yield(ledger.Line{}, err)
	}
}

var pagesCall = call[ledger.PageQuery, PageList]{name: "pages", do: listPages}

func listPages(ctx context.Context, p *spot, q ledger.PageQuery) (list PageList, err error) {
	q.Limit = rows(q.Limit)
	if err := q.Check(); err != nil {
		return list, err
	}
	if err := p.bringUp(ctx); err != nil {
		return list, err
	}
	list.Pages = []ledger.Line{}
	ended := p.between(ctx, func() { err = readPages(p.Knowledge, q, &list) })
	return list, cmp.Or(ended, err)
}

// bringUp updates the index of pages.
func (k *Knowledge) bringUp(ctx context.Context) (err error) {
	for left := int64(1); left > 0 && err == nil; {
		var failed error
		ended := k.between(ctx, func() {
			if left = k.ledger.Unlisted(); left > 0 {
				failed = k.ledger.List(k.listedAtOnce())
			}
		})
		err = cmp.Or(ended, failed, ctx.Err())
	}
	return err
}

// readAtOnce is the number of pages that are looked at for one part of a list of what pages say.
const readAtOnce = 2000

func readPages(k *Knowledge, q ledger.PageQuery, list *PageList) (err error) {
	l := k.ledger
	if q.Reads() && k.run != nil {
		return readSaying(l, q, list)
	}
	for line, err := range l.Pages(q) {
		if err != nil {
			return err
		}
		list.Pages = append(list.Pages, line)
	}
	if n := len(list.Pages); n == q.Limit {
		list.Next = q.Cursor(list.Pages[n-1])
	}
	if q.After == "" && !q.Uncounted {
		list.Total, err = l.Count(q)
	}
	return err
}

// readSaying reads a part of a list of what pages say, for a crawl that goes on meanwhile: it may be short, or empty, and yet not the last.
// It is not counted.
func readSaying(l *ledger.Ledger, q ledger.PageQuery, list *PageList) error {
	all := q
	all.Type, all.Lang, all.Entity, all.Text, all.Limit, all.Distinct = "", "", "", "", readAtOnce, false
	n := 0
	for line, err := range l.Pages(all) {
		if err != nil {
			return err
		}
		if n++; q.Holds(line) && !(q.Distinct && l.Repeats(q, line)) {
			list.Pages = append(list.Pages, line)
		}
		if len(list.Pages) == q.Limit || n == readAtOnce {
			list.Next = q.Cursor(line)
			return nil
		}
	}
	return nil
}

// A HostQuery selects hosts.
type HostQuery struct {
	Host  string `json:"host,omitempty"`  // only this host, for example https://example.org; empty: all
	Limit int    `json:"limit,omitempty"` // 0: MostRows
}

// Hosts lists the hosts of the live Web by decreasing number of requests.
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
	order.By(all, func(a, b step.Account) int {
		return cmp.Or(cmp.Compare(b.Asked, a.Asked), cmp.Compare(a.Host, b.Host))
	})
	return all[:min(len(all), rows(q.Limit))], cmp.Or(ended, err)
}}

// A FailureQuery selects failures.
type FailureQuery struct {
	Failure orbweaver.Failure `json:"failure,omitempty"` // only this reason; empty: all
	After   int64             `json:"after,omitempty"`   // outcomes after this one
	Limit   int               `json:"limit,omitempty"`   // 0: MostRows
}

// A Failed is a request that gave no page.
type Failed struct {
	N       int64             `json:"n"` // number of its outcome
	URL     string            `json:"url"`
	Failure orbweaver.Failure `json:"failure"`
	Message string            `json:"message"`
	Status  int               `json:"status,omitempty"`
}

// Failures lists the requests that gave no page, in the order of their outcomes.
func (h *Handle) Failures(ctx context.Context, q FailureQuery) ([]Failed, error) {
	return failuresCall.ask(ctx, h, q)
}

// has reports whether an outcome is one of those asked for. Sources of links are no failures, and are told by their name alone.
func (q FailureQuery) has(o *orbweaver.Outcome) bool {
	if q.Failure == "" {
		return step.Failed(o)
	}
	return o.Err != nil && orbweaver.FailureOf(o.Err) == q.Failure
}

// failuresAtOnce is the number of outcomes read between two steps of a running crawl.
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
				if at = o.N; q.has(&o) && len(all) < rows(q.Limit) {
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

// A WaitingQuery selects waiting requests.
type WaitingQuery struct {
	Host  string `json:"host,omitempty"`  // only this host; empty: all
	Limit int    `json:"limit,omitempty"` // 0: MostRows
}

// A WaitingURL is a waiting request.
type WaitingURL struct {
	URL     string             `json:"url"`
	Score   float64            `json:"score"`
	Depth   int                `json:"depth"`
	Parent  string             `json:"parent,omitempty"`
	Ahead   bool               `json:"ahead,omitempty"` // a redirect target, requested before others of its host
	Last    bool               `json:"last,omitempty"`  // its kind of URL did not answer so far: requested after all others
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
		list = append(list, WaitingURL{w.URL, step.Plain(w.Score), w.Depth, w.Parent, w.Ahead, step.IsLast(w.Score), w.Reasons})
	}
	return list, cmp.Or(ended, err)
}}

// bestWaiting sorts requests in the order of the frontier and returns the first most of them.
func bestWaiting(all []step.Waiting, most int) []step.Waiting {
	order.By(all, func(a, b step.Waiting) int {
		if goesBefore(queued(a), queued(b)) {
			return -1
		}
		return 1
	})
	return all[:min(len(all), most)]
}

// rows bounds a requested number of rows by MostRows.
func rows(wanted int) int {
	if wanted <= 0 {
		return MostRows
	}
	return min(wanted, MostRows)
}

// errNotBegun is the error for the folder of a crawl that was interrupted before it began.
var errNotBegun = errors.New("the crawl was interrupted before it began: it has no data")

// checkLedger checks that a crawl has begun.
func checkLedger(dir string) error {
	if _, err := os.Stat(filepath.Join(dir, "ledger")); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: %w (%w)", dir, errNotBegun, orbweaver.ErrInput)
	}
	return nil
}
