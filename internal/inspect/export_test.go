package inspect

import (
	"context"

	"orbweaver/ledger"
)

// UnsureOfAll is Unsure by judging all pages again.
func (h *Handle) UnsureOfAll(ctx context.Context, n int) ([]ledger.Line, error) {
	return h.unsureOfAll(ctx, n)
}

// Steady reports whether Unsure reads only the pages that it returns.
func (h *Handle) Steady(ctx context.Context) (bool, error) {
	u, err := unsureCall.ask(ctx, h, unsureIn{1})
	return u.Steady, err
}
