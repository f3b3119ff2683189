package worker

import (
	"context"
	"errors"
	"testing"

	"orbweaver"
	"orbweaver/internal/cluster/bus"
	"orbweaver/internal/step"
)

// counted counts requests.
type counted int

func (n *counted) Fetch(context.Context, orbweaver.Request) (*step.Response, error) {
	*n++
	return &step.Response{}, nil
}

// TestNoRequestWithoutALease: a worker whose lease is over asks nothing, and its session ends.
func TestNoRequestWithoutALease(t *testing.T) {
	ctx, fail := context.WithCancelCause(t.Context())
	asked, lapsed := counted(0), false
	web := leased{&asked, func() bool { return lapsed }, fail}
	if _, err := web.Fetch(ctx, orbweaver.Request{}); err != nil || asked != 1 {
		t.Fatalf("%v, %d requests", err, asked)
	}
	lapsed = true
	if _, err := web.Fetch(ctx, orbweaver.Request{}); !errors.Is(err, context.Canceled) || asked != 1 {
		t.Errorf("%v, %d requests", err, asked)
	}
	if err := context.Cause(ctx); !errors.Is(err, bus.ErrSession) {
		t.Errorf("the session ends by %v", err)
	}
}
