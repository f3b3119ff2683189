package crawl

import (
	"context"

	"orbweaver/internal/inspect"
	"orbweaver/internal/takedown"
)

// Removal of pages.
type (
	RemovalQuery = inspect.RemovalQuery // an order to remove pages
	Removed      = inspect.Removed      // what was removed, or would be
	Removal      = takedown.Removal     // a removal as recorded
)

// Remove removes pages from the crawl for good, by patterns as in scope.exclude: their outcomes, archived records, statements, words,
// verdicts, links and log lines, and requests that wait. A line without a URL stays in pages.jsonl for each, so that all others keep
// their numbers; what other pages say of a URL stays, and so does what the focus learned. Later sessions do not ask for such URLs. A
// preview changes nothing, and counts. The record is in takedowns.jsonl. An interrupted removal is finished by the next session, or
// by the next Remove. The error wraps orbweaver.ErrInput for patterns that cannot be read, and orbweaver.ErrBusy while the crawl runs.
func (c *Crawl) Remove(ctx context.Context, q RemovalQuery) (Removed, error) {
	return c.at.Remove(ctx, q)
}

// Removals returns what was removed from the crawl, oldest first.
func (c *Crawl) Removals() ([]Removal, error) { return c.at.Removals() }
