package inspect

import (
	"context"
	"fmt"

	"orbweaver"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/takedown"
)

// A RemovalQuery is an order to remove pages.
type RemovalQuery struct {
	takedown.Order
	Preview bool `json:"preview,omitempty"` // change nothing
	// Progress is called with what is done, of all, of a step: "archive" or "ledger". It may be nil.
	Progress func(step string, done, all int64) `json:"-"`
}

// A Removed is a removal, or what it would remove.
type Removed struct {
	takedown.Removal
	Examples []string `json:"examples,omitempty"` // of a preview: URLs, ten at most
}

// Remove removes pages from the crawl for good, wherever its folder has them: see package takedown. The crawl must rest. Its report is
// written again. The error wraps ErrInput for patterns that cannot be read, and ErrBusy while a process uses the folder.
func (h *Handle) Remove(ctx context.Context, q RemovalQuery) (Removed, error) {
	if c, err := reach(h.Dir); err == nil {
		c.Close()
		return Removed{}, fmt.Errorf("%s: the crawl runs: stop it, then remove (%w)", h.Dir, orbweaver.ErrBusy)
	}
	if crawlfolder.Workers(h.Dir) > 0 {
		return Removed{}, fmt.Errorf("%s: workers have these pages too, in folders of their own: pages are removed from crawls by one process alone (%w)", h.Dir, orbweaver.ErrInput)
	}
	if q.Preview {
		r, examples, err := takedown.Preview(ctx, h.Dir, q.Order)
		return Removed{r, examples}, err
	}
	r, err := takedown.Remove(ctx, h.Dir, q.Order, q.Progress, func() error {
		_, err := SummaryOf(ctx, h.Job, h.Dir)
		return err
	})
	return Removed{Removal: r}, err
}

// Removals returns what was removed from the crawl, oldest first.
func (h *Handle) Removals() ([]takedown.Removal, error) { return takedown.Read(h.Dir) }
