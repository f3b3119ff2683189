package inspect

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"orbweaver"
	"orbweaver/ledger"
)

// mostBins bounds the bins of scores.
const mostBins = 1000

// Scores counts the pages by their score, in n bins of equal width from 0 to 1, at most 1 000.
func (h *Handle) Scores(ctx context.Context, n int) (ledger.Scores, error) {
	if n < 1 || n > mostBins {
		return ledger.Scores{}, fmt.Errorf("%d bins of scores: 1 to %d are possible (%w)", n, mostBins, orbweaver.ErrInput)
	}
	s, err := scoresCall.ask(ctx, h, n)
	if errors.Is(err, errNotBegun) {
		return ledger.Scores{Accepted: make([]int64, n), Rejected: make([]int64, n)}, nil
	}
	return s, err
}

var scoresCall = call[int, ledger.Scores]{name: "scores", do: func(ctx context.Context, p *spot, n int) (s ledger.Scores, err error) {
	if n < 1 || n > mostBins {
		return s, fmt.Errorf("%d bins (%w)", n, orbweaver.ErrInput)
	}
	if err = p.bringUp(ctx); err != nil {
		return s, err
	}
	ended := p.between(ctx, func() { s, err = p.ledger.Scores(n) })
	return s, cmp.Or(ended, err)
}}
