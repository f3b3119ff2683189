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

// settle keeps what failed last at a host that is down. If a look-up says that there is no such host, or none that may be
// reached, or if the request was a query, whose focus waits for the answer, it is told at once.
func (l *live) settle(host string, failed uint64, r reading) error {
	account, _ := l.hosts.Account(host)
	if account.Down == "" || l.ctx.Err() != nil {
		return nil
	}
	l.release(host)
	l.last[host] = fall{failed, r}
	if l.c.cfg.Live.Requisites != nil && l.final(account.Down) {
		if err := l.forfeit(host); err != nil {
			return err
		}
	}
	if l.c.watches() {
		return l.forsake(host, account.Down)
	}
	waiting, ok, err := l.fallen(host)
	if err != nil || !ok || !l.final(account.Down) && waiting.Query == "" {
		return err
	}
	_, err = l.report(host)
	return err
}

// final reports whether a host is down for a reason that does not pass.
func (l *live) final(why orbweaver.Failure) bool {
	return why == orbweaver.ErrPrivate || why == orbweaver.ErrBadURL || why == orbweaver.ErrNoHost && !l.network.suspected()
}

// A fall is the failure that put a host down: the request, 0 if it was none that waits, and its reading.
type fall struct {
	id uint64
	reading
}

// fallen returns the request that tells of a host that is down: the one that failed last, if it was due for a retry, and
// else the best; false if none waits.
func (l *live) fallen(host string) (w step.Waiting, ok bool, err error) {
	id := l.last[host].id
	if id != 0 {
		_, ok = l.c.cfg.Frontier.Rank(id)
	}
	if !ok {
		if id, ok = l.best(host); !ok {
			return w, false, nil
		}
	}
	w, err = l.waiting(id)
	return w, err == nil, err
}

// report makes one request of a host that is down an outcome with the reason, once a session, so that the crawl reports the
// host; the others wait for the next session. told is false if there is none, or the host was reported.
func (l *live) report(host string) (told bool, err error) {
	if l.reported[host] || !l.spare() {
		return false, nil
	}
	waiting, ok, err := l.fallen(host)
	if !ok || err != nil {
		return false, err
	}
	l.reported[host] = true
	account, _ := l.hosts.Account(host)
	last := l.last[host]
	r := last.reading
	if r.err == nil || waiting.ID != last.id && (last.id != 0 || orbweaver.FailureOf(r.err) != account.Down) {
		r = reading{err: fmt.Errorf("fetch %s: %w: %w", waiting.URL, orbweaver.ErrGaveUp, account.Down)}
	}
	delete(l.tries, waiting.ID)
	l.hosts.Drop(waiting.ID)
	r.accounts = l.accounts()
	if waiting, err = l.c.predict(waiting); err != nil {
		return false, err
	}
	return true, l.c.decide(l.ctx, waiting, r)
}

// reportAll reports every host that is down; false if none was left to report.
func (l *live) reportAll() (told bool, err error) {
	for _, host := range l.hosts.Down() {
		one, err := l.report(host)
		if told = told || one; err != nil {
			return told, err
		}
	}
	return told, nil
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
