package ledger

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"math"
	"sync"

	"github.com/cockroachdb/pebble/v2"

	"orbweaver"
	"orbweaver/internal/step"
	"orbweaver/weburl"
)

// Figures are counts over all that a crawl knows, as a running crawl has them in memory. The state keeps them from one count to the
// next commit; failures are counted as they are committed.
type Figures struct {
	Waiting  int            `json:"waiting"` // requests
	Hosts    int            `json:"hosts"`   // asked, or with a request that waits
	Busiest  []step.Account `json:"busiest,omitempty"`
	Failures step.Failures  `json:"-"` // of outcomes
}

// Figures returns the figures of a crawl that no step changes meanwhile. After a session that was killed it counts them, from a few bytes of
// each waiting request, and the state keeps them.
func (l *Ledger) Figures(ctx context.Context) (Figures, error) {
	if err := l.apply(false); err != nil {
		return Figures{}, err
	}
	if l.state.Failures[orbweaver.ErrStatus] > 0 && l.state.Statuses == nil { // an earlier version counted no statuses
		l.state.Failures, l.state.Counted = nil, 0
	}
	if l.state.Figures == nil || l.state.Counted < l.state.N {
		f, err := l.count(ctx)
		if err == nil {
			err = l.countFailures(ctx)
		}
		if err != nil {
			return Figures{}, err
		}
		l.state.Figures, l.group.begun = &f, true
		if err := l.apply(false); err != nil {
			return Figures{}, err
		}
	}
	f := *l.state.Figures
	f.Failures = step.Failures{Reasons: l.state.Failures, Statuses: l.state.Statuses}
	return f, nil
}

// Rest gets a crawl ready for looks, once its session has ended: opinions in their table, so that no look reads their log, figures, and the
// index behind Pages. When the context is done it leaves the index to the next look. As for Close, the archive must be closed before; no commit may follow.
func (l *Ledger) Rest(ctx context.Context) error {
	l.before = nil
	l.db.Before(nil)
	err := l.tidy()
	if err == nil {
		_, err = l.Figures(context.WithoutCancel(ctx))
	}
	for err == nil && ctx.Err() == nil && l.Unlisted() > 0 {
		err = l.List(maxListed)
	}
	return err
}

// count counts what waits, and hosts.
func (l *Ledger) count(ctx context.Context) (f Figures, err error) {
	hosts := map[string]bool{}
	for account, err := range l.Accounts() {
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return f, err
		}
		hosts[account.Host] = true
		f.Busiest = step.Busiest(f.Busiest, account)
	}
	seen := []byte("\x00")
	err = l.eachWaiting(ctx, 1, l.state.Next, func(_ uint64, record []byte) error {
		f.Waiting++
		url := (&fieldsOf{record}).next()
		if rest, same := cutOrigin(url, seen); same && (len(rest) == 0 || rest[0] == '/') {
			return nil
		}
		host := weburl.Host(string(url))
		hosts[host], seen = true, []byte(host)
		return nil
	})
	f.Hosts = len(hosts)
	return f, err
}

// cutOrigin cuts the host of the last URL off.
func cutOrigin(url, host []byte) (rest []byte, same bool) {
	if len(url) < len(host) || len(host) == 0 || string(url[:len(host)]) != string(host) {
		return nil, false
	}
	return url[len(host):], true
}

// countFailures counts the failures of outcomes that an earlier version committed.
func (l *Ledger) countFailures(ctx context.Context) error {
	for o, err := range l.Outcomes(l.state.Counted) {
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return err
		}
		l.fail(o)
	}
	return nil
}

// Failed returns the number of outcomes that failed for a reason. It must be called from the goroutine that offers.
func (l *Ledger) Failed(why orbweaver.Failure) int64 { return l.state.Failures[why] }

// fail counts the failure of an outcome, the next one. A source of links is none.
func (l *Ledger) fail(o orbweaver.Outcome) {
	if l.state.Counted = o.N; !step.Failed(&o) {
		return
	}
	f := step.Failures{Reasons: l.state.Failures, Statuses: l.state.Statuses}
	f.Add(orbweaver.FailureOf(o.Err), o.Status)
	l.state.Failures, l.state.Statuses = f.Reasons, f.Statuses
}

// eachWaiting calls do with the first part of the waiting requests from one number to below another. The part is valid during the call.
func (l *Ledger) eachWaiting(ctx context.Context, from, to uint64, do func(id uint64, record []byte) error) error {
	it, err := l.db.NewIter(&pebble.IterOptions{LowerBound: number(tableWaiting, from), UpperBound: number(tableWaiting, to)})
	if err != nil {
		return err
	}
	n := 0
	for ok := it.First(); ok && err == nil; ok = it.Next() {
		if n++; n%1024 == 0 && ctx.Err() != nil {
			err = ctx.Err()
			break
		}
		err = do(binary.BigEndian.Uint64(it.Key()[1:]), it.Value())
	}
	return l.damage(errors.Join(err, it.Close()))
}

// A Queued is what orders a waiting request among others.
type Queued struct {
	ID    uint64
	Score float64
	Ahead bool
}

// Place counts the waiting requests, those that go before one, and those of its host that do. It reads a few bytes of each, on all cores, of
// a crawl that no step changes meanwhile.
func (l *Ledger) Place(ctx context.Context, host string, before func(Queued) bool) (of, first, here int, err error) {
	if err := l.apply(false); err != nil {
		return 0, 0, 0, err
	}
	var mu sync.Mutex
	err = inParts(1, l.state.Next, func(_ int, from, to uint64) error {
		opinions, err := l.db.NewIter(&pebble.IterOptions{LowerBound: number(tableOpinion, from), UpperBound: number(tableOpinion, to)})
		if err != nil {
			return err
		}
		opinions.First()
		c := [3]int{}
		err = l.eachWaiting(ctx, from, to, func(id uint64, record []byte) error {
			q := Queued{ID: id, Ahead: len(record) > 0 && record[len(record)-1] != 0}
			ok := false
			opinion, known := l.opinions.get(id)
			if !known {
				opinion = at(opinions, id)
			}
			if len(opinion) >= 8 {
				d := decoder{s: opinion}
				q.Score, ok = d.float(), true
			} else {
				q.Score, ok = scoreOf(record)
			}
			if !ok {
				return orbweaver.ErrDamaged
			}
			if c[0]++; before(q) {
				c[1]++
				if weburl.Host(string((&fieldsOf{record}).next())) == host {
					c[2]++
				}
			}
			return nil
		})
		mu.Lock()
		of, first, here = of+c[0], first+c[1], here+c[2]
		mu.Unlock()
		return errors.Join(err, opinions.Close())
	})
	return of, first, here, err
}

// scoreOf returns the score in the first part of a waiting request: see appendWaiting.
func scoreOf(record []byte) (float64, bool) {
	f := fieldsOf{record}
	skip := func(strings int) {
		for range strings {
			f.next()
		}
	}
	skip(5)
	if len(f.b) < 2 {
		return 0, false
	}
	via := f.b[1] != 0
	if f.b = f.b[2:]; via {
		f.varint()
		skip(7)
	}
	f.varint()
	skip(int(min(f.varint(), uint64(len(f.b)))))
	if skip(1); len(f.b) < 8 {
		return 0, false
	}
	return math.Float64frombits(binary.LittleEndian.Uint64(f.b)), true
}
