package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"orbweaver"
	"orbweaver/engine"
	"orbweaver/frontier"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfile"
	"orbweaver/server"
	"orbweaver/weburl"
)

// A control is a running crawl as its control socket shows it. Whatever it is asked is done between
// two steps of the crawl.
type control struct {
	c        *crawl
	session  *engine.Crawl
	turns    *frontier.Frontier
	began    time.Time
	failures map[orbweaver.Failure]int64
}

// listen serves the control socket of a crawl. Without one the crawl goes on: its folder may be on a
// file system that has no sockets.
func (a *App) listen(c *crawl, session *engine.Crawl, turns *frontier.Frontier, failures map[orbweaver.Failure]int64) func() error {
	if a.Alone {
		return func() error { return nil }
	}
	t := &control{c: c, session: session, turns: turns, began: time.Now(), failures: failures}
	s, err := server.Serve(c.file.Output, t, append(t.suggestionRoutes(), t.explaining(), t.reporting(), queryRoute(t), searchRoute(c.file.Output, t))...)
	if err != nil {
		console.Say(a.Err, "warning: the crawl cannot be asked or told anything while it runs: %v", err)
		return func() error { return nil }
	}
	return s.Close
}

// call runs f between two steps.
func (t *control) call(ctx context.Context, f func()) error {
	err := t.session.Call(ctx, f)
	if errors.Is(err, engine.ErrOver) {
		return fmt.Errorf("%w: %w", server.ErrNoCrawl, err)
	}
	return err
}

// Status says how far the crawl has come.
func (t *control) Status(ctx context.Context) (server.Status, error) {
	s := server.Status{Name: t.c.file.Name(), Folder: t.c.file.Output, PID: os.Getpid(), Started: t.began}
	err := t.call(ctx, func() {
		s.Paused, s.Progress, s.InFlight = t.session.Paused(), t.session.Progress(), t.session.InFlight()
		s.Waiting, s.Hosts = t.turns.Len(), t.turns.Hosts()
		s.Ready, s.Resting, s.Down = t.turns.Resting(time.Now())
		for account := range t.turns.Accounts() {
			s.Busiest = busiest(s.Busiest, account)
		}
		s.Refused = t.c.ledger.Refused()
		s.Failures = map[orbweaver.Failure]int64{}
		for f, n := range t.failures {
			s.Failures[f] = n
		}
	})
	return s, err
}

// Pause lets nothing new start.
func (t *control) Pause(ctx context.Context) error { return t.call(ctx, t.session.Pause) }

// Resume ends a pause.
func (t *control) Resume(ctx context.Context) error { return t.call(ctx, t.session.Resume) }

// Stop ends the session.
func (t *control) Stop(ctx context.Context) error { return t.call(ctx, t.session.Stop) }

// Add offers a URL as a seed.
func (t *control) Add(ctx context.Context, url string) (server.Added, error) {
	canonical, err := weburl.Canonical(url)
	if errors.Is(err, weburl.ErrCredentials) {
		err = fmt.Errorf("%w: %s", err, crawlfile.NoCredentials)
	}
	if err != nil {
		return server.Added{}, fmt.Errorf("%s: %w: %w", weburl.Redacted(url), orbweaver.ErrBadURL, err)
	}
	added := server.Added{URL: canonical}
	var failed error
	err = t.call(ctx, func() { added.Result, failed = t.offer(canonical) })
	return added, errors.Join(err, failed)
}

// offer offers a URL and says in the socket's words what became of it.
func (t *control) offer(url string) (string, error) {
	result, rule, err := t.session.Offer(url)
	switch result {
	case engine.OfferAdded:
		return server.ResultAdded, err
	case engine.OfferRefused:
		if ok, _ := t.c.gate.Scope.Allows(url); ok {
			return server.ResultRobots + rule, err
		}
		return server.ResultScope + rule, err
	}
	return server.ResultKnown + strings.TrimSuffix(result, " already"), err
}
