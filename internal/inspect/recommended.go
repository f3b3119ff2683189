package inspect

import (
	"context"
	"fmt"

	"orbweaver/internal/console"
	"orbweaver/internal/findings"
	"orbweaver/internal/vocabulary"
)

// Recommended makes an ontology of a vocabulary that a metadata crawl recommends: the first, or the one of a namespace. file is the
// name under which the crawl file is to find the ontology; empty: Name with .ttl. The error wraps ErrInput if the folder is not that
// of a metadata crawl, it recommends no such vocabulary, or no document declares its classes; ErrBusy if a process runs the crawl.
func (h *Handle) Recommended(ctx context.Context, namespace, file string) (r *vocabulary.Recommended, err error) {
	found, err := findings.Read(h.Dir)
	if err != nil {
		return nil, err
	}
	if namespace, err = vocabulary.Choose(found, namespace); err != nil {
		return nil, fmt.Errorf("%s: %w", console.Relative(h.Dir), err)
	}
	err = AtRest(ctx, h.Job, h.Dir, func(b *Bench) error {
		r, err = vocabulary.Collect(ctx, b.c, found, namespace, file)
		return err
	})
	return r, err
}
