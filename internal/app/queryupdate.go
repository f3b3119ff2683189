package app

import (
	"context"
	"fmt"

	"orbweaver/rdf/quads"
	"orbweaver/rdf/sparql/algebra"
	"orbweaver/rdf/sparql/eval"
	sparql "orbweaver/rdf/sparql/syntax"
	protocol "orbweaver/server/sparql"
)

// update changes the quad store of a folder; or reads files, changes what they say and writes that to Out,
// while they stay as they are.
func (a *App) update(ctx context.Context, name, text string, opts QueryOptions) error {
	tree, err := sparql.ParseUpdate(text, sparql.Options{Name: name, Base: folderURL()})
	if err != nil {
		return pointed(text, err)
	}
	u, err := algebra.TranslateUpdate(tree)
	if err != nil {
		return pointed(text, err)
	}
	if opts.Data.Crawl != "" {
		return a.updateBase(ctx, u, opts)
	}
	loaded, err := a.loadData(ctx, opts.Data)
	if err != nil {
		return err
	}
	limited, cancel := ctx, func() {}
	if opts.Time > 0 {
		limited, cancel = context.WithTimeout(ctx, opts.Time)
	}
	defer cancel()
	store := protocol.NewMemory(loaded)
	err = store.Update(limited, func(s eval.Store) error {
		return eval.Update(limited, s, u, eval.UpdateOptions{Options: eval.Options{Union: opts.Union, MaxBytes: queryBytes}})
	})
	switch {
	case err != nil && ctx.Err() != nil:
		return ErrInterrupted
	case err != nil:
		return fmt.Errorf("update: %w", err)
	}
	r, release, err := store.Snapshot()
	if err != nil {
		return err
	}
	defer release()
	return a.writeQuads(ctx, r, notation(opts.Format))
}

// writeQuads writes all there is, as N-Quads unless a notation is given.
func (a *App) writeQuads(ctx context.Context, r quads.Reader, to notation) error {
	if to == "" {
		to = inNQuads
	}
	out, n := to.writer(a.Out), 0
	for q, err := range protocol.Quads(r, quads.Any) {
		if n++; n%1024 == 0 && ctx.Err() != nil {
			return ErrInterrupted
		}
		if err == nil {
			err = out.Write(q)
		}
		if err != nil {
			return err
		}
	}
	return out.Close()
}
