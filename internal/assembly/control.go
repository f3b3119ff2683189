package assembly

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"orbweaver"
	"orbweaver/engine"
	"orbweaver/frontier"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/job"
	"orbweaver/internal/linked"
	"orbweaver/internal/step"
	"orbweaver/internal/store"
	"orbweaver/ledger/describe"
	"orbweaver/rdf/quads"
	"orbweaver/server"
	"orbweaver/weburl"
)

// Statements returns a snapshot of the quad store of a running crawl. It first materializes pending pages, a few per
// call between two steps: all, or about most if that is not zero. The caller closes the snapshot.
func (t *Control) Statements(ctx context.Context, most int64) (*quads.Snapshot, error) {
	l, began := t.C.Ledger, int64(-1)
	var activity describe.Activity
	for {
		var snapshot *quads.Snapshot
		var failed error
		err := t.Call(ctx, func() {
			if began < 0 { // on the first call
				if began = l.Pending(); most > 0 {
					began = min(began, most)
				}
				l.Statements().Close()
				activity, failed = store.ActivityOf(t.C.File.Output)
			}
			n := min(store.MaterializeAtOnce, began)
			if failed == nil {
				failed = l.Materialize(activity, n)
			}
			if began -= n; failed == nil && began == 0 {
				snapshot = l.Committed()
			}
		})
		if err = errors.Join(err, failed); err != nil || snapshot != nil {
			return snapshot, err
		}
	}
}

// Index returns the full-text index of a running crawl. It updates the index in small batches between steps, for about most outcomes if
// that is not zero.
func (t *Control) Index(ctx context.Context, most int64) (*store.Index, error) {
	return store.IndexBase(ctx, &job.Job{Console: console.Console{Out: io.Discard, Err: io.Discard}}, t.C.File.Output, t.C.Ledger, func(ctx context.Context, f func() error) (err error) {
		if ended := t.Call(ctx, func() { err = f() }); ended != nil {
			return ended
		}
		return err
	}, most)
}

// IndexPart describes so many requests of a running crawl and indexes the words of their pages, if there are as many that are not indexed;
// more: there are as many again.
func (t *Control) IndexPart(ctx context.Context, requests int64) (more bool, err error) {
	var left int64
	if err := t.Look(ctx, func() { left = t.C.Ledger.Wordless() }); err != nil || left < requests {
		return false, err
	}
	described, err := t.Statements(ctx, requests)
	if err != nil {
		return false, err
	}
	if err := described.Close(); err != nil {
		return false, err
	}
	index, err := t.Index(ctx, requests)
	if err != nil {
		return false, err
	}
	return left >= 2*requests, index.Close()
}

// Outcomes returns the outcomes of URLs; those that have none are left out.
func (t *Control) Outcomes(ctx context.Context, urls []string) (found map[string]orbweaver.Outcome, err error) {
	ended := t.Call(ctx, func() { found, err = store.OutcomesIn(t.C.Ledger, urls) })
	return found, cmp.Or(ended, err)
}

// A Control serves a running crawl on its control socket. All its methods run between two steps of the crawl.
type Control struct {
	C        *Crawl
	Session  *engine.Crawl
	Turns    *frontier.Frontier
	Began    time.Time
	Failures *step.Failures
	Linked   linked.Look // what was counted for looks at its linked data

	pace pace
}

// Call runs f between two steps of the crawl. It fails with server.ErrNoCrawl if the crawl has ended.
func (t *Control) Call(ctx context.Context, f func()) error {
	return over(t.Session.Call(ctx, f))
}

// Look is Call for an f that changes nothing but by Pause, Resume and Stop. It need not wait for the end of a long step.
func (t *Control) Look(ctx context.Context, f func()) error {
	err := t.Session.Look(ctx, f)
	if errors.Is(err, engine.ErrOver) {
		err = t.C.Sinks.Between(f)
	}
	return over(err)
}

// over tells the end of a session in the words of the control protocol.
func over(err error) error {
	if errors.Is(err, engine.ErrOver) {
		return fmt.Errorf("%w: %w", server.ErrNoCrawl, err)
	}
	return err
}

// Status returns the progress of the crawl and the state of its frontier.
func (t *Control) Status(ctx context.Context) (server.Status, error) {
	s := server.Status{Name: t.C.File.Name(), Folder: t.C.File.Output, PID: os.Getpid(), Started: t.Began, Memory: memory()}
	err := t.Look(ctx, func() {
		s.Paused, s.Progress, s.InFlight = t.Session.Paused(), t.Session.Progress(), t.Session.InFlight()
		s.Rate = t.pace.of(s.Progress.Pages, time.Now())
		s.Waiting, s.Hosts = t.Turns.Len(), t.Turns.Hosts()
		s.Ready, s.Resting, s.Down = t.Turns.Resting(time.Now())
		s.Floods, s.Absence = t.C.floods(), t.Session.Absences().Longest
		if o, down := t.C.Outage(); down {
			o.Requests = nil
			s.Outage = &o
		}
		s.Spared = t.C.spared()
		s.Logins = t.C.LostLogins(t.Session)
		for account := range t.Turns.Accounts() {
			s.Busiest = step.Busiest(s.Busiest, account)
		}
		s.Refused = t.C.Ledger.Refused()
		s.Watch = t.C.watch.standing(time.Now())
		failed := t.Failures.Clone()
		s.Failures, s.Statuses = failed.Reasons, failed.Statuses
	})
	s.Sinks = t.C.Sinks.States()
	s.Left = t.C.Left.Estimate(ctx, int64(s.Waiting))
	return s, err
}

// Logins returns the logins that requests of the session wanted.
func (t *Control) Logins(ctx context.Context) (all []step.LoginState, err error) {
	err = t.Look(ctx, func() { all = t.Session.Logins() })
	return all, err
}

// Pause starts no further requests until Resume.
func (t *Control) Pause(ctx context.Context) error { return t.Look(ctx, t.Session.Pause) }

// Resume ends a pause.
func (t *Control) Resume(ctx context.Context) error { return t.Look(ctx, t.Session.Resume) }

// Stop ends the session.
func (t *Control) Stop(ctx context.Context) error {
	err := t.Look(ctx, t.Session.Stop)
	t.C.Sinks.Stop()
	return err
}

// Add offers a URL as a seed.
func (t *Control) Add(ctx context.Context, url string) (server.Added, error) {
	canonical, err := weburl.Canonical(url)
	if errors.Is(err, weburl.ErrCredentials) {
		err = fmt.Errorf("%w: %s", err, crawlfile.NoCredentials)
	}
	if err != nil {
		return server.Added{}, fmt.Errorf("%s: %w: %w", weburl.Redacted(url), orbweaver.ErrBadURL, err)
	}
	added := server.Added{URL: canonical}
	var failed error
	err = t.Call(ctx, func() { added.Result, failed = t.offer(canonical) })
	return added, errors.Join(err, failed)
}

// offer offers a URL and returns the result in the words of the control protocol.
func (t *Control) offer(url string) (string, error) {
	result, rule, err := t.Session.Offer(url)
	switch result {
	case engine.OfferAdded:
		return server.ResultAdded, err
	case engine.OfferElsewhere:
		return server.ResultElsewhere, err
	case engine.OfferRefused:
		if ok, _ := t.C.Gate.Scope.Allows(url); ok {
			return server.ResultRobots + rule, err
		}
		return server.ResultScope + rule, err
	}
	return server.ResultKnown + strings.TrimSuffix(result, " already"), err
}
