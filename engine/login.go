package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"orbweaver"
	"orbweaver/internal/pipeline"
	"orbweaver/internal/step"
)

// Logins are the logins that hosts want. While the crawl is not logged in, the hosts of a login are held: what waits there
// waits, and nothing of it fails. Of and At may be called by any goroutine.
type Logins interface {
	// Of returns the number of the login that a URL needs, from 0; false: none.
	Of(url string) (n int, ok bool)
	// Sign returns why an answer looks like one for somebody who is not logged in; empty: it does not.
	Sign(n int, response *step.Response, payload []byte) string
	// Enter logs in, by exchanges that visit makes when their hosts' turns come. was: the crawl was logged in already.
	Enter(ctx context.Context, n int, visit Exchange) (was bool, err error)
	// Tries returns the tries in a row after which a person is waited for, and the wait after the first, doubled after each.
	Tries(n int) (tries int, wait time.Duration)
	// Tell is called when a login is lost, when a try failed, and when it is there again. The goroutine that decides calls it.
	Tell(step.Login)
	// TellLogout is called when a URL has ended the session too often, and is not requested any more. Likewise.
	TellLogout(url string)
}

// An Exchange makes an exchange with a host, as weburl.Host writes it, when its turn comes.
type Exchange func(ctx context.Context, host string, exchange func(context.Context) (*step.Response, []byte, error)) (*step.Response, []byte, error)

// Parameters of logins.
const (
	firstQuiet   = time.Second // after a sign that meant nothing; doubled after each in a row
	longestQuiet = time.Minute
	visitWait    = 100 * time.Millisecond // polling interval for a turn that only the end of another brings
	longestEntry = 10 * time.Minute       // of one try
	maxLoginWait = 24 * time.Hour
)

// A login is the state of one login.
type login struct {
	step.Login
	in       bool     // the crawl is logged in, as far as it knows
	entering bool     // a try is in progress
	hosts    []string // held
	suspects suspicions
	vouched  map[uint64]bool
	falses   int // signs in a row that meant nothing
	quiet    time.Time
	entered  time.Time // zero: never in this session
}

// loginOf returns the login that a URL needs; nil: none.
func (l *live) loginOf(url string) *login {
	if l.c.cfg.Live.Logins == nil {
		return nil
	}
	n, ok := l.c.cfg.Live.Logins.Of(url)
	if !ok {
		return nil
	}
	for len(l.logins) <= n {
		l.logins = append(l.logins, &login{Login: step.Login{Number: len(l.logins)}, vouched: map[uint64]bool{}, suspects: suspicions{ends: map[uint64]int{}}})
	}
	return l.logins[n]
}

// shutOut gives the turn of a request back whose host wants a login that the crawl does not have; false if it has it, or needs none.
func (l *live) shutOut(turn step.Turn, url string) bool {
	s := l.loginOf(url)
	if s == nil || s.in || turn.Host == "" {
		return false
	}
	l.hosts.Done(turn.ID, step.Reply{})
	l.hold(s, turn.Host)
	return true
}

// hold holds a host until the crawl is logged in.
func (l *live) hold(s *login, host string) {
	if !slices.Contains(s.hosts, host) {
		s.hosts = append(s.hosts, host)
		l.hosts.Hold(host, true)
	}
}

// lost handles the answer to a request that looks as if the login were lost: the request waits until it is known to be there. False if
// the answer stands.
func (l *live) lost(turn step.Turn, w step.Waiting, r reading) bool {
	s := l.loginOf(w.URL)
	switch {
	case s == nil:
		return false
	case r.sign == "":
		s.served(w, r)
		return false
	case s.in && s.vouched[w.ID]:
		delete(s.vouched, w.ID)
		return false
	case s.in && l.c.now().Before(s.quiet):
		return false
	}
	if s.in {
		s.in, s.Why = false, r.sign
	}
	if r.data != nil {
		r.data.Release()
	}
	s.suspect(w, r)
	l.c.progress.LoginCosts.Again++
	l.hold(s, turn.Host)
	return true
}

// watchLogins starts the tries that are due. It returns the time until the next one; 0 if none is due by time alone.
func (l *live) watchLogins() (wait time.Duration) {
	now, again := l.c.now(), l.c.retry
	l.c.retry = false
	for _, s := range l.logins {
		if s.in || len(s.hosts) == 0 {
			continue
		}
		if again && !s.entering {
			s.Tries, s.Next, s.Stuck = 0, time.Time{}, false
		}
		switch {
		case s.entering, s.Stuck:
		case s.Next.After(now):
			if next := s.Next.Sub(now); wait == 0 || next < wait {
				wait = next
			}
		default:
			l.enter(s)
		}
	}
	return wait
}

// enter begins a try.
func (l *live) enter(s *login) {
	s.entering = true
	l.c.progress.LoginCosts.Tries++
	l.begin(func() func() error {
		was, err := l.tryLogin(s.Number)
		return func() error { return l.entered(s, was, err) }
	})
}

// tryLogin logs in. A panic fails this try alone.
func (l *live) tryLogin(n int) (was bool, err error) {
	defer pipeline.Catch(&err, "log in", fmt.Sprint(n+1))
	ctx, cancel := context.WithTimeout(l.ctx, longestEntry)
	defer cancel()
	return l.c.cfg.Live.Logins.Enter(ctx, n, l.visit)
}

// entered handles the end of a try.
func (l *live) entered(s *login, was bool, err error) error {
	s.entering = false
	if l.ctx.Err() != nil {
		return nil
	}
	now := l.c.now()
	if err == nil {
		l.admitted(s, was, now)
		return l.c.commit(step.Batch{Accounts: l.accounts()})
	}
	if s.Since.IsZero() {
		s.Since = now
	}
	most, wait := l.c.cfg.Live.Logins.Tries(s.Number)
	s.Why = err.Error()
	s.Next = now.Add(min(wait<<min(s.Tries, 20), maxLoginWait))
	if s.Tries++; s.Tries >= most {
		s.Stuck, s.Next = true, time.Time{}
	}
	l.c.cfg.Live.Logins.Tell(s.told())
	return l.c.commit(step.Batch{Accounts: l.accounts()})
}

// admitted ends the waiting for a login.
func (l *live) admitted(s *login, was bool, now time.Time) {
	s.quiet = time.Time{}
	if !was || s.entered.IsZero() {
		s.entered = now
	}
	if was && len(s.suspects.now) > 0 {
		s.falses++
		s.quiet = now.Add(min(firstQuiet<<min(s.falses-1, 10), longestQuiet))
		l.dismiss(s)
	} else {
		s.falses = 0
		l.countLosses(s)
		if s.fruitless(now) {
			l.c.cfg.Live.Logins.Tell(s.told())
			return
		}
	}
	over := s.Since
	s.in, s.Tries, s.Next, s.Stuck, s.Why, s.Since = true, 0, time.Time{}, false, "", time.Time{}
	for _, host := range s.hosts {
		l.hosts.Hold(host, false)
	}
	s.hosts = nil
	if !over.IsZero() {
		l.c.cfg.Live.Logins.Tell(s.told())
	}
}

// told returns a copy for others.
func (s *login) told() step.Login {
	told := s.Login
	told.Hosts = slices.Clone(s.hosts)
	return told
}

// LostLogins returns the logins that the crawl tries in vain, and the hosts that wait for them.
func (c *Crawl) LostLogins() (lost []step.Login) {
	if c.session == nil {
		return nil
	}
	for _, s := range c.session.logins {
		if !s.in && !s.Since.IsZero() {
			lost = append(lost, s.told())
		}
	}
	return lost
}

// Logins returns the logins that requests of the session wanted, as they are.
func (c *Crawl) Logins() (all []step.LoginState) {
	if c.session == nil {
		return nil
	}
	for _, s := range c.session.logins {
		now := step.LoginState{Login: s.told(), Entered: s.entered, State: step.LoginEntering}
		switch {
		case s.in:
			now.State = step.LoginIn
		case s.Stuck:
			now.State = step.LoginStuck
		case s.Next.After(c.now()):
			now.State = step.LoginLost
		case !s.entering && len(s.hosts) == 0:
			now.State = step.LoginUnused
		}
		all = append(all, now)
	}
	return all
}

// waitsForLogin reports, when nothing else can be done, whether requests wait for a login. wait is the time until the next try; if
// there is none, the crawl pauses until a person resumes it.
func (l *live) waitsForLogin() (wait time.Duration, waits bool) {
	for _, s := range l.logins {
		x := &s.suspects
		waits = waits || !s.in && len(x.now)+len(x.aside)+len(x.sure) > 0
		waits = waits || !s.in && slices.ContainsFunc(s.hosts, func(host string) bool { return len(l.hosts.Waits(host)) > 0 })
	}
	if !waits {
		return 0, false
	}
	if wait = l.watchLogins(); wait == 0 && l.c.inFlight == 0 {
		l.c.Pause()
		return -1, true
	}
	return sooner(-1, wait), true
}

// visit makes an exchange of a login in a turn of its own.
func (l *live) visit(ctx context.Context, host string, exchange func(context.Context) (*step.Response, []byte, error)) (*step.Response, []byte, error) {
	turn, err := l.visiting(ctx, host)
	if err != nil {
		return nil, nil, fmt.Errorf("turn at %s: %w", host, err)
	}
	response, payload, err := exchange(ctx)
	reply := l.c.replyTo(response, int64(len(payload)), err)
	l.deliver(func() error {
		l.c.progress.LoginCosts.Exchanges++
		return l.done(turn, reply)
	})
	return response, payload, err
}

// visiting waits for a turn at a host.
func (l *live) visiting(ctx context.Context, host string) (turn step.Turn, err error) {
	for {
		got := make(chan time.Duration, 1) // negative: the turn is there
		ask := func() error {
			l.hosts.Know(host)
			next, wait, ok := l.hosts.Probe(host, l.c.now())
			switch {
			case ok:
				turn, wait = next, -1
			case wait <= 0:
				wait = visitWait
			}
			got <- wait
			return nil
		}
		if host == "" || !l.do(ask) {
			return turn, errors.Join(orbweaver.ErrBadURL, l.ctx.Err())
		}
		wait := <-got
		if wait < 0 {
			return turn, nil
		}
		pause := time.NewTimer(wait)
		select {
		case <-pause.C:
		case <-ctx.Done():
			pause.Stop()
			return turn, ctx.Err()
		}
	}
}
