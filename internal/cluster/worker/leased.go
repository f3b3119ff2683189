package worker

import (
	"context"
	"fmt"

	"orbweaver"
	"orbweaver/internal/cluster/bus"
	"orbweaver/internal/step"
)

// A fetcher sends requests.
type fetcher interface {
	Fetch(context.Context, orbweaver.Request) (*step.Response, error)
}

// leased sends requests as long as the lease lasts. A process may be stopped for longer, and go on before it learns that others have its partitions.
type leased struct {
	fetcher
	lapsed func() bool
	fail   context.CancelCauseFunc // ends the session
}

// Fetch sends a request, unless the lease is over: then it ends the session, and the request waits for its next owner.
func (l leased) Fetch(ctx context.Context, r orbweaver.Request) (*step.Response, error) {
	if l.lapsed() {
		l.fail(fmt.Errorf("the lease is lost: %w", bus.ErrSession))
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return l.fetcher.Fetch(ctx, r)
}
