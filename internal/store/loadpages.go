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

// pages loads the data of a crawl's pages, as an export writes it.
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
	in.reported = in.began
	done, err := in.ledger.Load(ctx, in.watched("pages", unknownGraphs(before, nquads.Read(r, syntax.Options{Name: in.job.Dir}))), "pages")
	interrupted := ctx.Err() != nil
	cancel()
	_ = r.Close() // closing ends an export that is not read to its end
	exported := <-ended
	switch {
	case interrupted:
		return console.ErrInterrupted
	case exported != nil && errors.Is(err, exported):
		return exported // without its position in the intermediate N-Quads, which the user never sees
	case err != nil:
		return err
	}
	in.clear()
	in.done("pages", done)
	return nil
}

// unknownGraphs yields the statements of graphs that a store lacks. The statements of one graph must be
// adjacent.
func unknownGraphs(r quads.Reader, all iter.Seq2[rdf.Quad, error]) iter.Seq2[rdf.Quad, error] {
	return func(yield func(rdf.Quad, error) bool) {
		var graph rdf.Term
		there := true // the default graph describes where graphs come from, which the ledger states itself
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

// hasGraph reports whether a store has statements in a graph. It always has the default graph.
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
