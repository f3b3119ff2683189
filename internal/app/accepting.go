package app

import (
	"context"

	"orbweaver"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/kind"
	"orbweaver/internal/pipeline"
	"orbweaver/internal/step"
)

// accepting is a web of which pages are asked for in the forms that a focus would have them in.
type accepting struct {
	pipeline.Fetcher
	accept string
}

// Fetch asks for a page by the focus's wish, unless the request has one of its own.
func (w accepting) Fetch(ctx context.Context, r orbweaver.Request) (*step.Response, error) {
	if r.Accept == "" && r.Purpose == orbweaver.ForPage {
		r.Accept = w.accept
	}
	return w.Fetcher.Fetch(ctx, r)
}

// acceptedBy puts the wish of a focus before a web, where it has one.
func acceptedBy(f crawlfile.Focus, web pipeline.Fetcher) pipeline.Fetcher {
	if forms := kind.AbilitiesOf(f).Forms; forms != "" {
		return accepting{web, forms}
	}
	return web
}
