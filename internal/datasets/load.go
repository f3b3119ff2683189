package datasets

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"time"

	"github.com/cockroachdb/pebble/v2"

	"orbweaver"
	"orbweaver/rdf"
	"orbweaver/rdf/quads"
	"orbweaver/rdf/syntax"
	"orbweaver/weburl"
)

// maxRemoved is how many quads are removed in one batch.
const maxRemoved = 20_000

// Load loads a dataset from a dump and replaces an earlier dataset of that name. It skips the dump if the
// dataset came from the same one, judging by size and times or by the version that a server states; fresh
// reports that the dump was read. All statements go into the dataset's graph, whichever graph of the dump
// they are in.
//
// The error for a mistake in the dump names file and line and wraps ErrInput. The dataset is then removed,
// and the store stays consistent; the same holds if ctx ends. A source that cannot be opened changes
// nothing.
func (s *Store) Load(ctx context.Context, name string, from Source) (r Record, fresh bool, err error) {
	url, err := weburl.Dataset(name)
	if err != nil {
		return r, false, fmt.Errorf("%w (%w)", err, orbweaver.ErrInput)
	}
	s.loading.Lock()
	defer s.loading.Unlock()
	d, err := from.open(ctx, s.limits.Dump)
	if err != nil {
		return r, false, wrapped(name, err)
	}
	defer d.Close()
	before, there, err := s.Record(name)
	if err != nil {
		return r, false, err
	}
	if r = d.record(name); there && r.same(before) {
		return before, false, nil
	}
	if err := s.clear(ctx, name, url); err != nil {
		return r, false, err
	}
	done, err := s.writer.Load(ctx, s.statements(ctx, d, rdf.NewIRI(url)), "dataset "+name)
	if err != nil {
		return r, false, wrapped(name, err)
	}
	r.Triples, r.Loaded = done.Added, time.Now().UTC().Truncate(time.Second)
	value, err := json.Marshal(r)
	if err == nil {
		err = s.db.Put(recordKey(name), value)
	}
	if err = cmp.Or(s.db.Err(), err); err != nil {
		return r, false, fmt.Errorf("dataset %s: %w", name, err)
	}
	return r, true, nil
}

// wrapped adds the dataset's name to an error of its dump. A mistake in the dump wraps ErrInput.
func wrapped(name string, err error) error {
	var mistake *syntax.Error
	if errors.As(err, &mistake) && !errors.Is(err, orbweaver.ErrInput) {
		err = fmt.Errorf("%w (%w)", err, orbweaver.ErrInput)
	}
	return fmt.Errorf("dataset %s: %w", name, err)
}

// same reports whether a dump is certainly the one of an older record.
func (r Record) same(before Record) bool {
	return r.Source == before.Source && r.Size == before.Size && r.Modified.Equal(before.Modified) && r.Version == before.Version &&
		(!r.Modified.IsZero() || r.Version != orbweaver.Version{})
}

// statements yields the statements of a dump in a graph, up to the limit. It opens the dump again if it is
// ranged over again.
func (s *Store) statements(ctx context.Context, d *dump, graph rdf.Term) iter.Seq2[rdf.Quad, error] {
	read := false
	return func(yield func(rdf.Quad, error) bool) {
		if read {
			again, err := d.open(ctx, s.limits.Dump)
			if err != nil {
				yield(rdf.Quad{}, err)
				return
			}
			defer again.Close()
			d = again
		}
		read = true
		n := int64(0)
		for q, err := range d.quads() {
			if n++; err == nil && n > s.limits.Triples {
				err = fmt.Errorf("more than %d triples: %w", s.limits.Triples, orbweaver.ErrTooLarge)
			}
			q.G = graph
			if !yield(q, err) || err != nil {
				return
			}
		}
	}
}

// clear removes a dataset, its record first so that no query sees a partial dataset.
func (s *Store) clear(ctx context.Context, name, url string) error {
	if err := s.db.Put(recordKey(name), nil); err != nil {
		return fmt.Errorf("dataset %s: %w", name, err)
	}
	for {
		n, err := s.clearSome(rdf.NewIRI(url))
		switch {
		case err != nil:
			return fmt.Errorf("dataset %s: %w", name, err)
		case n == 0:
			return nil
		case ctx.Err() != nil:
			return fmt.Errorf("dataset %s: %w", name, ctx.Err())
		}
	}
}

// clearSome removes up to maxRemoved quads of a graph as one batch, and returns how many.
func (s *Store) clearSome(graph rdf.Term) (removed int, err error) {
	snapshot := s.quads.Snapshot()
	defer snapshot.Close()
	g, ok, err := snapshot.Lookup(graph)
	if err != nil || !ok {
		return 0, err
	}
	b := s.db.NewBatch()
	defer b.Close()
	s.writer.Begin(b)
	c := snapshot.Cursor()
	for c.Seek(quads.Pattern{S: quads.Any, P: quads.Any, O: quads.Any, G: g}); err == nil && removed < maxRemoved && c.Next(); removed++ {
		_, err = s.writer.RemoveIDs(c.Quad())
	}
	if err = errors.Join(err, c.Close()); err == nil {
		err = s.writer.Finish()
	}
	if err == nil {
		err = b.Commit(pebble.Sync)
	}
	if err == nil {
		err = s.db.Err()
	}
	if err != nil {
		return 0, errors.Join(err, s.writer.Discard())
	}
	s.writer.Committed()
	return removed, nil
}
