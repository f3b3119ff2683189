package engine

import (
	"cmp"
	"fmt"
	"slices"

	"orbweaver"
	"orbweaver/internal/step"
)

// giveUp fails the requests outside the queue that wait for a host that is down: subresources, and
// redirects of robots.txt files that lead there.
func (l *live) giveUp() error {
	for turns := l.hosts.Failed(); len(turns) > 0; turns = l.hosts.Failed() {
		for _, turn := range turns {
			err := fmt.Errorf("fetch %s: %w", turn.URL, orbweaver.ErrGaveUp)
			if turn.Task == step.TakeSubresource {
				l.answer(turn, err)
				continue
			}
			if err := l.robotsAnswered(turn, nil, nil, nil, err); err != nil {
				return err
			}
		}
	}
	return nil
}

// settle checks whether a host is down. If so, one of its requests becomes an outcome with the reason, once a
// session, so that the crawl reports the host; the others wait for the next session. That request is the
// one that failed last, with its reading, if it was due for a retry, and else the best.
func (l *live) settle(host string, failed uint64, r reading) error {
	account, _ := l.hosts.Account(host)
	if account.Down == "" || l.reported[host] || l.ctx.Err() != nil || !l.spare() {
		return nil
	}
	id, ok := failed, failed != 0
	if ok {
		_, ok = l.c.cfg.Frontier.Rank(failed)
	}
	if !ok {
		if id, ok = l.best(host); !ok {
			return nil
		}
	}
	l.reported[host] = true
	waiting, err := l.waiting(id)
	if err != nil {
		return err
	}
	if id != failed && (failed != 0 || orbweaver.FailureOf(r.err) != account.Down) {
		r = reading{err: fmt.Errorf("fetch %s: %w: %w", waiting.URL, orbweaver.ErrGaveUp, account.Down)}
	}
	delete(l.tries, id)
	l.hosts.Drop(id)
	r.accounts = l.accounts()
	if waiting, err = l.c.predict(waiting); err != nil {
		return err
	}
	return l.c.decide(l.ctx, waiting, r)
}

// best is the best waiting request of a host.
func (l *live) best(host string) (id uint64, ok bool) {
	ids := l.hosts.Waits(host)
	if len(ids) == 0 {
		return 0, false
	}
	rank := func(id uint64) float64 { r, _ := l.c.cfg.Frontier.Rank(id); return r }
	return slices.MaxFunc(ids, func(a, b uint64) int { // of equals the first, which has the lowest number
		return cmp.Compare(rank(a), rank(b))
	}), true
}
