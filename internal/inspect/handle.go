package inspect

import (
	"context"
	"errors"
	"fmt"

	"orbweaver"
	"orbweaver/internal/assembly"
	"orbweaver/server"
)

// Status returns the status of the crawl.
func (h *Handle) Status(ctx context.Context) (server.Status, error) {
	if t := h.here(); t != nil {
		if s, err := t.Status(ctx); !errors.Is(err, server.ErrNoCrawl) {
			return s, err
		}
	}
	return statusOf(ctx, h.Dir)
}

// Pause stops the running crawl from starting new requests until Resume. The error of Pause, Resume, Stop and Add wraps
// ErrInput if no process runs the crawl.
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

// Add offers a URL to the running crawl as a seed. The error wraps ErrBadURL if the URL is invalid.
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

// Summary rewrites report.html from the committed state and returns the summary of the crawl.
func (h *Handle) Summary(ctx context.Context) (*assembly.Summary, error) {
	if t := h.here(); t != nil {
		if s, err := report(ctx, t); !errors.Is(err, server.ErrNoCrawl) {
			return s, err
		}
	}
	return SummaryOf(ctx, h.Job, h.Dir)
}

// here returns the crawl if this process runs it, otherwise nil.
func (h *Handle) here() *assembly.Control {
	if h.Here == nil {
		return nil
	}
	return h.Here()
}

// steer calls do with the running crawl. If none runs, the error message ends with hint.
func (h *Handle) steer(ctx context.Context, hint string, do func(server.Crawl) error) error {
	if t := h.here(); t != nil {
		if err := do(t); !errors.Is(err, server.ErrNoCrawl) {
			return err
		}
	}
	c, err := reach(h.Dir)
	if err == nil {
		defer c.Close()
		err = do(c)
	}
	return notRunning(h.Dir, hint, err)
}
