package services

import (
	"context"

	"orbweaver"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/kind"
	"orbweaver/internal/pipeline"
	"orbweaver/internal/step"
)

// Accepting is a web of which pages are asked for in the forms that a focus would have them in.
type Accepting struct {
	pipeline.Fetcher
	Accept string
}

// Fetch asks for a page by the focus's wish, unless the request has one of its own.
func (w Accepting) Fetch(ctx context.Context, r orbweaver.Request) (*step.Response, error) {
	if r.Accept == "" && r.Purpose == orbweaver.ForPage {
		r.Accept = w.Accept
	}
	return w.Fetcher.Fetch(ctx, r)
}

// AcceptedBy puts the wish of a focus before a web, where it has one.
func AcceptedBy(f crawlfile.Focus, web pipeline.Fetcher) pipeline.Fetcher {
	if forms := kind.AbilitiesOf(f).Forms; forms != "" {
		return Accepting{web, forms}
	}
	return web
}
