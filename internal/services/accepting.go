package services

import (
	"context"

	"orbweaver"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/kind"
	"orbweaver/internal/pipeline"
	"orbweaver/internal/step"
)

// Accepting is a web that requests pages in the media types that a focus prefers.
type Accepting struct {
	pipeline.Fetcher
	Accept string
}

// Fetch requests a page in the focus's media types, unless the request names its own.
func (w Accepting) Fetch(ctx context.Context, r orbweaver.Request) (*step.Response, error) {
	if r.Accept == "" && r.Purpose == orbweaver.ForPage {
		r.Accept = w.Accept
	}
	return w.Fetcher.Fetch(ctx, r)
}

// AcceptedBy wraps a web in Accepting if the focus prefers media types.
func AcceptedBy(f crawlfile.Focus, web pipeline.Fetcher) pipeline.Fetcher {
	if forms := kind.AbilitiesOf(f).Forms; forms != "" {
		return Accepting{web, forms}
	}
	return web
}
