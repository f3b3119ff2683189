package quads

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/cockroachdb/pebble/v2"

	"orbweaver/internal/database/kv"
	"orbweaver/rdf"
)

// Replace is Load that also removes, in the same step, the quads of a named graph that are not loaded again.
// Readers, and a process that opens the store after a crash, see the graph before or after. A quad that stays
// costs as much as one loaded twice; each removed one takes 32 bytes of memory, 160 while tables are made.
func (w *Writer) Replace(ctx context.Context, graph rdf.Term, quads iter.Seq2[rdf.Quad, error], scope string) (Loaded, error) {
	w.naming.scope = ""
	g, known, err := lookUp(w.naming, graph, w.content)
	switch {
	case err != nil:
		return Loaded{}, fmt.Errorf("load: %w", err)
	case !known:
		g = Default // nothing to remove
	}
	return w.loadInto(ctx, g, quads, scope)
}

// findStale finds the quads of the graph that is replaced which were not read, in the order GSPO.
func (l *load) findStale(ctx context.Context) (err error) {
	if l.replaced == Default {
		return nil
	}
	before, err := newScan(l.db, l.replaced)
	if err != nil {
		return err
	}
	n := 0
	err = merged(l.store.opts.FS, l.quadFiles[namedGSPO], keyReader(namedGSPO), compareKeys, func(k *key) error {
		if n++; n%1024 == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return before.upTo(k, func(old key) { l.stale = append(l.stale, GSPO.quad(&old)) })
	})
	if err == nil {
		err = before.upTo(nil, func(old key) { l.stale = append(l.stale, GSPO.quad(&old)) })
	}
	return errors.Join(err, before.iter.Close())
}

// A graphScan goes through the quads of a graph, as the database has them.
type graphScan struct {
	iter  kv.Iterator
	skip  int // bytes of a key before its IDs
	valid bool
}

func newScan(db *stored, graph ID) (*graphScan, error) {
	start := db.key(tableLetter + byte(namedGSPO))
	from := binary.BigEndian.AppendUint64(slices.Clone(start), uint64(graph))
	to := binary.BigEndian.AppendUint64(slices.Clone(start), uint64(graph)+1)
	iter, err := db.reader.NewIter(&pebble.IterOptions{LowerBound: from, UpperBound: to})
	if err != nil {
		return nil, err
	}
	return &graphScan{iter: iter, skip: len(start), valid: iter.First()}, nil
}

// upTo calls f with all keys before a key, and moves past it; nil: with all remaining keys.
func (s *graphScan) upTo(next *key, f func(key)) error {
	for ; s.valid; s.valid = s.iter.Next() {
		var k key
		if !namedGSPO.readKey(s.iter.Key()[s.skip:], &k) {
			return fmt.Errorf("quad store: key %x: %w", s.iter.Key(), ErrDamaged)
		}
		order := -1
		if next != nil {
			order = k.compare(next)
		}
		switch {
		case order > 0:
			return nil
		case order < 0:
			f(k)
		}
	}
	return s.iter.Error()
}

// gone returns the keys to be removed from a table, in order.
func (l *load) gone(t table) []key {
	if t.side() != sideNamed || len(l.stale) == 0 {
		return nil
	}
	keys := make([]key, len(l.stale))
	for i, q := range l.stale {
		keys[i] = t.order().key(q)
	}
	slices.SortFunc(keys, func(a, b key) int { return a.compare(&b) })
	return keys
}
