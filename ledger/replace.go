package ledger

import (
	"context"
	"iter"

	"orbweaver/rdf"
	"orbweaver/rdf/quads"
)

// Replace has a named graph hold some statements and nothing else, in one step: whoever reads, and who opens the ledger after a
// crash, sees the graph as it was or as it became. Statements of other graphs are passed over. It is for who has the
// ledger alone.
func (l *Ledger) Replace(ctx context.Context, graph rdf.Term, all iter.Seq[rdf.Quad], scope string) (quads.Loaded, error) {
	if err := l.renameLater(); err != nil {
		return quads.Loaded{}, err
	}
	done, err := l.said.writer.Replace(ctx, graph, func(yield func(rdf.Quad, error) bool) {
		for q := range all {
			if q.G == graph && !yield(q, nil) {
				return
			}
		}
	}, scope)
	if failed := l.db.Err(); failed != nil {
		l.group.err = failed
		return done, failed
	}
	return done, err
}
