package store

import (
	"context"
	"errors"
	"io"
	"iter"
	"time"

	"orbweaver/internal/console"
	"orbweaver/internal/offline/export"
	"orbweaver/rdf"
	"orbweaver/rdf/quads"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/nquads"
)

// pages loads what the pages of a crawl say, as an export has it.
func (in *intake) pages(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	before := in.ledger.Committed()
	defer before.Close()
	r, w := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		exporter := *in.Job
		exporter.Out = w
		err := export.Write(ctx, &exporter.Console, in.job.Dir, export.Options{Format: export.NQuads})
		w.CloseWithError(err)
		ended <- err
	}()
	in.began = time.Now()
	in.told = in.began
	done, err := in.ledger.Load(ctx, in.watched("pages", unknownGraphs(before, nquads.Read(r, syntax.Options{Name: in.job.Dir}))), "pages")
	interrupted := ctx.Err() != nil
	cancel()
	_ = r.Close() // an export that is not read to its end ends now
	exported := <-ended
	switch {
	case interrupted:
		return console.ErrInterrupted
	case exported != nil && errors.Is(err, exported):
		return exported // without the place in N-Quads that nobody sees
	case err != nil:
		return err
	}
	in.clear()
	in.done("pages", done)
	return nil
}

// unknownGraphs are the statements of graphs that a store does not have. Those of one graph stand together.
func unknownGraphs(r quads.Reader, all iter.Seq2[rdf.Quad, error]) iter.Seq2[rdf.Quad, error] {
	return func(yield func(rdf.Quad, error) bool) {
		var graph rdf.Term
		there := true // the default graph says where graphs are from, which the ledger knows itself
		for q, err := range all {
			if err == nil && q.G != graph {
				graph = q.G
				there, err = hasGraph(r, graph)
			}
			if (err != nil || !there) && !yield(q, err) {
				return
			}
		}
	}
}

// hasGraph reports whether a store has statements in a graph; it has the default one.
func hasGraph(r quads.Reader, graph rdf.Term) (bool, error) {
	if graph.IsZero() {
		return true, nil
	}
	g, known, err := r.Lookup(graph)
	if err != nil || !known {
		return false, err
	}
	n, err := r.Count(quads.Pattern{S: quads.Any, P: quads.Any, O: quads.Any, G: g})
	return n > 0, err
}
