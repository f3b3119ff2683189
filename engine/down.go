package engine

import (
	"cmp"
	"fmt"
	"slices"

	"orbweaver"
	"orbweaver/internal/step"
)

// giveUp ends what waits for a turn at a host that was given up: subresources, and redirects of
// robots.txt files that led there.
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

// settle looks whether a host was given up. Then one of its requests becomes an outcome with the
// reason, once a session, so that the crawl tells of it; the others wait for another session. It is
// the request that failed last, if there is one and it was to be tried again, with what came of it;
// or else the best.
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

// best is the best request that waits at a host.
func (l *live) best(host string) (id uint64, ok bool) {
	ids := l.hosts.Waits(host)
	if len(ids) == 0 {
		return 0, false
	}
	rank := func(id uint64) float64 { r, _ := l.c.cfg.Frontier.Rank(id); return r }
	return slices.MaxFunc(ids, func(a, b uint64) int { // of equals the first, that of the lower number
		return cmp.Compare(rank(a), rank(b))
	}), true
}
