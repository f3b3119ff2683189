package crawl

import (
	"context"
	"errors"
	"io"

	"orbweaver"
	"orbweaver/internal/changes"
	"orbweaver/internal/inspect"
	"orbweaver/internal/ongoing"
	"orbweaver/internal/saturation"
	"orbweaver/internal/step"
	"orbweaver/server"
)

// What a watch of a crawl says.
type (
	Visits        = inspect.Visits  // state of a watch, and its next visits
	Watching      = server.Watch    // how up to date a crawl is
	Upcoming      = server.Upcoming // a page with its next visit
	PageChange    = changes.Change  // what became of a page
	ChangeVerdict = changes.Verdict // what the focus said of a version of a page
)

// What a crawl says of its logins, and of its end.
type (
	LoginState   = ongoing.Login    // a login of the crawl file, and how it stands
	Stopping     = ongoing.Stopping // what is left to accept, and when the crawl ends
	StopLimit    = ongoing.Limit
	LeftEstimate = saturation.Estimate // what a crawl may still accept
	LeftRange    = saturation.Range
)

// States of a LoginState.
const (
	LoginUnused   = step.LoginUnused   // no request wanted it yet, or no session runs
	LoginEntering = step.LoginEntering // the crawl is logging in, or looks whether it still is
	LoginIn       = step.LoginIn
	LoginLost     = step.LoginLost  // a try failed; the next one comes by itself
	LoginStuck    = step.LoginStuck // all tries failed: a person mends what is wrong, and resumes the crawl
)

// Ways of a LoginState.
const (
	LoginByForm    = ongoing.WayForm
	LoginBySteps   = ongoing.WaySteps
	LoginByCookies = ongoing.WayCookies
)

// States of a Stopping.
const (
	StopEstimated = ongoing.Estimated
	StopTooFew    = ongoing.TooFew
	StopReading   = ongoing.Reading
	StopRevisits  = ongoing.Revisits
	StopNoPages   = ongoing.NoPages
)

// Logins returns the logins of the crawl file, in its order, and how they stand if the crawl runs. Nothing of them is a secret.
func (c *Crawl) Logins(ctx context.Context) ([]LoginState, error) {
	all, err := c.at.Logins(ctx)
	if errors.Is(err, orbweaver.ErrInput) { // it has not begun
		if file, bad := c.load(); bad == nil {
			return ongoing.Logins(file, nil), nil
		}
	}
	return all, err
}

// Stopping returns what is left to accept, as estimated, what stop.saturation of the crawl file says of that, and the limits. Of a crawl at rest
// it reads pages.jsonl, at the first call.
func (c *Crawl) Stopping(ctx context.Context) (Stopping, error) {
	s, err := c.at.Stopping(ctx)
	if errors.Is(err, orbweaver.ErrInput) { // it has not begun
		if file, bad := c.load(); bad == nil {
			s = ongoing.Without(ongoing.TooFew)
			s.Saturation = file.Stop.Saturation
			return s, nil
		}
	}
	return s, err
}

// Scheduled reports whether the crawl file has a schedule, by which Watch visits pages.
func (c *Crawl) Scheduled() bool {
	file, err := c.load()
	return err == nil && file.Schedule.On()
}

// Watched reports whether a watch of the crawl has begun, in this or an earlier session.
func (c *Crawl) Watched() bool { return changes.Begun(c.at.Dir) }

// Visits returns the state of the watch that runs, and its next visits, at most so many and at most 1000. Visits.Watch is nil if none
// runs.
func (c *Crawl) Visits(ctx context.Context, most int) (Visits, error) { return c.at.Visits(ctx, most) }

// Changed returns the latest changes that watches found, the latest first, at most so many and at most 1000.
func (c *Crawl) Changed(most int) ([]PageChange, error) { return c.at.Changes(most) }

// WriteChanges writes the latest 100 changes as an Atom feed.
func (c *Crawl) WriteChanges(w io.Writer, name string) error {
	list, err := c.at.Changes(changes.InFeed)
	if err != nil {
		return err
	}
	return changes.WriteAtom(w, name, list)
}
