package teach

import (
	"cmp"
	"errors"

	"orbweaver"
	"orbweaver/internal/order"
	"orbweaver/ledger"
)

// mostGiven bounds a part of the list of verdicts.
const mostGiven = 1000

// A GivenQuery asks for verdicts on pages.
type GivenQuery struct {
	After int64 `json:"after"` // GivenList.Next of the part before; 0: the first part
	Limit int   `json:"limit"` // 1 to 1 000
}

// A GivenList is a part of the verdicts of persons that hold, the latest first.
type GivenList struct {
	Verdicts []Given `json:"verdicts"`
	Total    Said    `json:"total"`
	Next     int64   `json:"next,omitempty"` // 0: that was all
}

// A Given is a verdict on a page that holds.
type Given struct {
	URL   string `json:"url"`
	Title string `json:"title,omitempty"`
	Said  string `json:"verdict"` // SaidAbout, SaidPart or SaidNot
	After int64  `json:"after"`   // outcomes of the crawl before it
}

// GivenIn lists verdicts of persons that hold in a ledger.
func GivenIn(l *ledger.Ledger, q GivenQuery) (list GivenList, err error) {
	list.Verdicts = []Given{}
	type numbered struct {
		n int64
		d orbweaver.Decision
	}
	holds, n := map[string]numbered{}, int64(0)
	for d, err := range l.Decisions() {
		if n++; err != nil {
			return list, err
		}
		if d.Withdrawn {
			delete(holds, d.Page)
		} else if d.Page != "" {
			holds[d.Page] = numbered{n, d}
		}
	}
	all := make([]numbered, 0, len(holds))
	for _, one := range holds {
		list.Total.add(SaidOf(one.d))
		if q.After == 0 || one.n < q.After {
			all = append(all, one)
		}
	}
	order.By(all, func(a, b numbered) int { return cmp.Compare(b.n, a.n) })
	if limit := min(max(1, q.Limit), mostGiven); len(all) > limit {
		all = all[:limit]
		list.Next = all[limit-1].n
	}
	for _, one := range all {
		g := Given{URL: one.d.Page, Said: SaidOf(one.d), After: one.d.After}
		o, err := l.Outcome(one.d.Page)
		if err != nil && !errors.Is(err, orbweaver.ErrUnknown) {
			return list, err
		}
		if o.Page != nil {
			g.Title = o.Page.Title
		}
		list.Verdicts = append(list.Verdicts, g)
	}
	return list, nil
}
