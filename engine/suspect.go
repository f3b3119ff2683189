package engine

import (
	"errors"
	"fmt"
	"time"

	"orbweaver"
	"orbweaver/internal/step"
)

// How often a session must be gone after a request until the request is not made again. A request that is
// suspected alone is the likely cause; others were perhaps in flight when it ended.
const (
	endedAlone    = 2
	endedTogether = 3
)

// maxFruitless is the number of logins in a row after which, if no page came in between, a person is waited
// for.
const maxFruitless = 10

// A suspect is a request whose answer looked as if the login were lost.
type suspect struct {
	step.Waiting
	answer reading // without its page
}

// suspicions are what a login knows of requests that may end its session. A request is made again after the
// crawl has logged in again, which is of no use if the request itself logs the crawl out: how often that happens
// is bounded here.
type suspicions struct {
	now       []suspect      // since the login was lost
	ends      map[uint64]int // by request: how often the session was gone after it
	aside     []suspect      // to be made again one by one, before all others of their hosts
	trial     uint64         // the latest of these, which waits or is in flight
	sure      []suspect      // end the session, if it does not end after all requests alike
	fruitless int            // logins in a row without a page in between
}

// suspect keeps a request from being made until the crawl is logged in.
func (s *login) suspect(w step.Waiting, r reading) {
	answer := reading{status: r.status, redirect: r.redirect, at: r.at}
	s.suspects.now = append(s.suspects.now, suspect{w, answer})
}

// dismiss takes the suspects of a login that was there all the time: the requests are made again, and their
// answers stand.
func (l *live) dismiss(s *login) {
	for _, one := range s.suspects.now {
		s.vouched[one.ID] = true
		l.comeBack(one.Waiting)
	}
	s.suspects.now = nil
}

// countLosses takes the suspects of a login that was lost and is there again.
func (l *live) countLosses(s *login) {
	x := &s.suspects
	x.fruitless++
	alone := len(x.now) == 1
	for _, one := range x.now {
		x.ends[one.ID]++
		if n := x.ends[one.ID]; n >= endedTogether || n >= endedAlone && alone {
			x.sure = append(x.sure, one)
		} else {
			x.aside = append(x.aside, one)
		}
	}
	x.now = nil
}

// watchSuspects makes the next request that was set aside if the one before has been decided, and decides those
// that end the session once a page came after them.
func (l *live) watchSuspects() error {
	for _, s := range l.logins {
		x := &s.suspects
		for s.in && len(x.aside) > 0 {
			_, waits := l.c.cfg.Frontier.Rank(x.trial)
			if _, flies := l.c.flying[x.trial]; waits || flies {
				break
			}
			next := x.aside[0].Waiting
			x.aside, x.trial, next.Ahead = x.aside[1:], next.ID, true
			l.comeBack(next)
		}
		if s.in && x.fruitless == 0 && len(x.sure) > 0 {
			if err := l.refuseSure(s); err != nil {
				return err
			}
		}
	}
	return nil
}

// refuseSure gives the requests that end a session an outcome that says so.
func (l *live) refuseSure(s *login) error {
	all := s.suspects.sure
	s.suspects.sure = nil
	for _, one := range all {
		times := s.suspects.ends[one.ID]
		delete(s.suspects.ends, one.ID)
		one.answer.err = fmt.Errorf("%w: the session was gone after it %d times, and it is not made again",
			step.ErrLogsOut, times)
		l.c.progress.LoginCosts.Again-- // its outcome counts
		l.c.progress.LoginCosts.Refused++
		l.c.cfg.Live.Logins.TellLogout(one.URL)
		if err := l.c.decide(l.ctx, one.Waiting, one.answer); err != nil {
			return err
		}
	}
	return nil
}

// releaseSuspects has all requests that were set aside made, or else decides those that end the session, when
// nothing else can be done.
func (l *live) releaseSuspects() (some bool, err error) {
	for _, s := range l.logins {
		if !s.in {
			continue
		}
		for _, one := range s.suspects.aside {
			l.comeBack(one.Waiting)
			some = true
		}
		s.suspects.aside = nil
	}
	if some {
		return true, nil
	}
	for _, s := range l.logins {
		if s.in && len(s.suspects.sure) > 0 {
			some, err = true, errors.Join(err, l.refuseSure(s))
		}
	}
	return some, err
}

// fruitless reports whether logging in has led to nothing too often. Then a person is waited for.
func (s *login) fruitless(now time.Time) bool {
	if s.suspects.fruitless <= maxFruitless {
		return false
	}
	x := &s.suspects // all requests alike seem to end it: none of them does
	x.aside, x.sure, x.ends, x.fruitless = append(x.aside, x.sure...), nil, map[uint64]int{}, 0
	s.Why = fmt.Sprintf("logged in %d times in a row, and no page came in between", maxFruitless)
	s.Stuck, s.Next = true, time.Time{}
	if s.Since.IsZero() {
		s.Since = now
	}
	return true
}

// served notes an answer to a request of a login that does not look as if the login were lost.
func (s *login) served(w step.Waiting, r reading) {
	if r.page != nil && r.err == nil {
		s.suspects.fruitless = 0
		delete(s.suspects.ends, w.ID)
	}
}

// logsOut reports whether a request is likely to end the session of its site, and by which word of its URL or
// link. A seed is meant.
func (c *Crawl) logsOut(r orbweaver.Request) (word string, is bool) {
	seed := r.Parent == "" && r.Depth == 0 && len(r.Redirects) == 0
	if c.cfg.Live == nil || c.cfg.Live.LogsOut == nil || seed {
		return "", false
	}
	text := ""
	if r.Via != nil {
		text = r.Via.Anchor
	}
	return c.cfg.Live.LogsOut(r.URL, text)
}
