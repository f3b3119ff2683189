package store

import (
	"context"
	"fmt"

	"orbweaver/internal/console"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/job"
	"orbweaver/internal/krsdb"
	"orbweaver/internal/offline/rdffile"
	"orbweaver/internal/services/contexts"
	"orbweaver/rdf/quads"
	"orbweaver/rdf/sparql/algebra"
	"orbweaver/rdf/sparql/eval"
	sparql "orbweaver/rdf/sparql/syntax"
	protocol "orbweaver/server/sparql"
)

// update updates the quad store of a folder; or it reads files, updates their data in memory and writes
// the result to Out, without changing the files.
func update(ctx context.Context, a *job.Job, name, text string, opts QueryOptions) error {
	tree, err := sparql.ParseUpdate(text, sparql.Options{Name: name, Base: folderURL()})
	if err != nil {
		return pointed(text, err)
	}
	u, err := algebra.TranslateUpdate(tree)
	if err != nil {
		return pointed(text, err)
	}
	switch {
	case krsdb.Is(opts.Data.Crawl):
		return unchangeable(opts.Data.Crawl)
	case opts.Data.Crawl != "":
		return updateBase(ctx, a, u, opts)
	}
	loaded, err := loadData(ctx, a, opts.Data)
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
		return evalUpdate(limited, a, s, u, opts)
	})
	switch {
	case err != nil && ctx.Err() != nil:
		return console.ErrInterrupted
	case err != nil:
		return fmt.Errorf("update: %w", err)
	}
	r, release, err := store.Snapshot()
	if err != nil {
		return err
	}
	defer release()
	return writeQuads(ctx, a, r, rdffile.Notation(opts.Format))
}

// evalUpdate evaluates an update. SERVICE and LOAD reach the Web, and LOAD the files in the working
// directory.
func evalUpdate(ctx context.Context, a *job.Job, s eval.Store, u *algebra.Update, opts QueryOptions) error {
	web := federationOf(a, opts.Private)
	defer web.Close()
	remote, err := contexts.NewRemote(ctx, opts.Data.Contexts)
	if err != nil {
		return err
	}
	files, err := newFolderLoader(".", remote, web)
	if err != nil {
		return err
	}
	defer files.Close()
	return eval.Update(ctx, s, u, eval.UpdateOptions{
		Options: eval.Options{Union: opts.Union, MaxBytes: queryBytes, Service: web}, Loader: files,
	})
}

// federationOf returns how queries reach the Web.
func federationOf(a *job.Job, private bool) *Federation {
	return NewFederation(FederationOptions{AllowPrivate: crawlfile.Private{All: private}, Wire: a.Wire})
}

// writeQuads writes all quads, as N-Quads unless a notation is given.
func writeQuads(ctx context.Context, a *job.Job, r quads.Reader, to rdffile.Notation) error {
	if to == "" {
		to = rdffile.InNQuads
	}
	out, n := to.Writer(a.Out), 0
	for q, err := range protocol.Quads(r, quads.Any) {
		if n++; n%1024 == 0 && ctx.Err() != nil {
			return console.ErrInterrupted
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
