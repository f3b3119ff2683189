package inspect

import (
	"context"
	"errors"
	"fmt"

	"orbweaver"
	"orbweaver/internal/assembly"
	"orbweaver/server"
)

// Status says how far the crawl has come.
func (h *Handle) Status(ctx context.Context) (server.Status, error) {
	if t := h.here(); t != nil {
		if s, err := t.Status(ctx); !errors.Is(err, server.ErrNoCrawl) {
			return s, err
		}
	}
	return statusOf(ctx, h.Dir)
}

// Pause lets the running crawl start no new request until Resume. The error of Pause, Resume, Stop and Add wraps ErrInput
// when no process runs the crawl.
func (h *Handle) Pause(ctx context.Context) error {
	return h.steer(ctx, "", func(c server.Crawl) error { return c.Pause(ctx) })
}

// Resume ends a pause.
func (h *Handle) Resume(ctx context.Context) error {
	return h.steer(ctx, "", func(c server.Crawl) error { return c.Resume(ctx) })
}

// Stop ends the session after the requests in flight.
func (h *Handle) Stop(ctx context.Context) error {
	return h.steer(ctx, "", func(c server.Crawl) error { return c.Stop(ctx) })
}

// Add offers a URL to the running crawl as a seed. The error wraps ErrBadURL for what is no URL.
func (h *Handle) Add(ctx context.Context, url string) (added server.Added, err error) {
	err = h.steer(ctx, ": start it (orbweaver crawl FILE), then add", func(c server.Crawl) (err error) {
		added, err = c.Add(ctx, url)
		return err
	})
	if errors.Is(err, orbweaver.ErrBadURL) {
		err = fmt.Errorf("%w (%w)", err, orbweaver.ErrInput)
	}
	return added, err
}

// Summary writes report.html anew, from what is committed, and sums the crawl up.
func (h *Handle) Summary(ctx context.Context) (*assembly.Summary, error) {
	if t := h.here(); t != nil {
		if s, err := report(ctx, t); !errors.Is(err, server.ErrNoCrawl) {
			return s, err
		}
	}
	return SummaryOf(ctx, h.Job, h.Dir)
}

// here is the crawl if this process runs it now, else nil.
func (h *Handle) here() *assembly.Control {
	if h.Here == nil {
		return nil
	}
	return h.Here()
}

// steer tells a running crawl something. hint follows the message that none runs.
func (h *Handle) steer(ctx context.Context, hint string, tell func(server.Crawl) error) error {
	if t := h.here(); t != nil {
		if err := tell(t); !errors.Is(err, server.ErrNoCrawl) {
			return err
		}
	}
	c, err := reach(h.Dir)
	if err == nil {
		defer c.Close()
		err = tell(c)
	}
	return notRunning(h.Dir, hint, err)
}
