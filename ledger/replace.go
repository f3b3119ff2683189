package ledger

import (
	"context"
	"iter"

	"orbweaver/rdf"
	"orbweaver/rdf/quads"
)

// Replace makes some statements the whole content of a named graph, atomically: readers, and a process that opens the
// ledger after a crash, see the graph before or after. Statements of other graphs are skipped. The caller must have
// the ledger to itself.
func (l *Ledger) Replace(ctx context.Context, graph rdf.Term, all iter.Seq[rdf.Quad], scope string) (quads.Loaded, error) {
	if err := l.renameLater(); err != nil {
		return quads.Loaded{}, err
	}
	done, err := l.quads.writer.Replace(ctx, graph, func(yield func(rdf.Quad, error) bool) {
		for q := range all {
			if q.G == graph && !yield(q, nil) {
				return
			}
		}
	}, scope)
	if failed := l.disk.Err(); failed != nil {
		l.group.err = failed
		return done, failed
	}
	return done, err
}
