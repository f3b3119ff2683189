package sparql

import (
	"context"
	"errors"
	"net/http"

	"orbweaver/rdf"
	"orbweaver/rdf/quads"
	"orbweaver/rdf/sparql/eval"
)

// updating lets a function change the store, which may grow to MaxQuads.
func (h *Handler) updating(ctx context.Context, change func(eval.Store) error) error {
	return h.opts.Updates.Update(ctx, func(s eval.Store) error {
		return change(&bounded{Store: s, most: h.opts.MaxQuads})
	})
}

// A bounded store accepts a limited number of quads.
type bounded struct {
	eval.Store
	most int64
	left int64 // quads that fit for certain; at 0 the store is counted
}

// Add adds a quad. A quad that exceeds the limit is an error, unless the store had it already.
func (b *bounded) Add(q rdf.Quad) error {
	if err := b.Store.Add(q); err != nil {
		return err
	}
	if b.left--; b.left >= 0 {
		return nil
	}
	r, release, err := b.View()
	if err != nil {
		return err
	}
	n, err := r.Count(quads.Pattern{S: quads.Any, P: quads.Any, O: quads.Any, G: quads.Any})
	if err := errors.Join(err, release()); err != nil {
		return err
	}
	if b.left = b.most - n; b.left < 0 {
		return faulty(http.StatusInsufficientStorage, "the store is full: it takes at most %d statements", b.most)
	}
	return nil
}
