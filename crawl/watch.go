package crawl

import (
	"context"
	"io"

	"orbweaver/internal/changes"
	"orbweaver/internal/inspect"
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
