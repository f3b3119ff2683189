package quads

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/cockroachdb/pebble/v2"

	"orbweaver/internal/database/kv"
	"orbweaver/rdf"
)

const (
	sweepBatch = 1 << 20 // bytes of a commit of Sweep
	sweepLook  = 1 << 12 // terms between two looks at the context
)

// Sweep removes the terms that no quad has any more from the dictionary, in batches of its own: interrupted and made again it does
// the rest. It must be called between batches, while nobody else has the store open: a reader may have kept what goes. It reads
// the dictionary once, and looks each term up in the tables, in their order. Blank nodes of triple terms that quads have stay; they take
// 8 bytes of memory each. The result is how many terms are gone.
func (w *Writer) Sweep(ctx context.Context) (removed int64, err error) {
	if w.batch != nil {
		return 0, errors.New("quad store: Sweep within a batch")
	}
	snapshot := w.store.db.NewSnapshot()
	s := &sweeper{store: w.store, used: newUsage(w.store.over(snapshot)), out: w.store.db.NewBatch()}
	if err = s.quoted(snapshot); err == nil {
		err = s.terms(ctx, snapshot)
	}
	if err == nil {
		err = s.commit()
	}
	w.fresh.committed()
	return s.removed, errors.Join(err, s.used.close(), s.out.Close(), snapshot.Close())
}

// A sweeper removes terms.
type sweeper struct {
	store   *Store
	used    *usage
	out     kv.Batch
	within  []ID    // blank nodes of the triple terms that are used, in order
	run     []swept // terms with IDs one after the other
	removed int64
}

type swept struct {
	id   ID
	used bool
}

// terms goes through the dictionary.
func (s *sweeper) terms(ctx context.Context, r kv.Reader) error {
	lower := s.store.key(termLetter)
	it, err := r.NewIter(&pebble.IterOptions{LowerBound: lower, UpperBound: s.store.key(termLetter + 1)})
	if err != nil {
		return fmt.Errorf("quad store: %w", err)
	}
	n := 0
	for ok := it.First(); ok && err == nil; ok = it.Next() {
		if n++; n%sweepLook == 0 {
			err = ctx.Err()
		}
		if b := it.Key()[len(lower):]; len(b) != 8 {
			err = fmt.Errorf("quad store: key %x: %w", it.Key(), ErrDamaged)
		} else if err == nil {
			err = s.term(ID(binary.BigEndian.Uint64(b)))
		}
	}
	if err = errors.Join(err, it.Error(), it.Close()); err != nil {
		return err
	}
	return s.decide()
}

// quoted finds the blank nodes within the triple terms that quads have.
func (s *sweeper) quoted(r kv.Reader) error {
	lower := s.store.key(termLetter)
	it, err := r.NewIter(&pebble.IterOptions{
		LowerBound: s.store.idKey(termLetter, newID(KindTriple, 0)), UpperBound: s.store.idKey(termLetter, newID(KindTriple+1, 0)),
	})
	if err != nil {
		return fmt.Errorf("quad store: %w", err)
	}
	used := newUsage(s.store.over(r))
	for ok := it.First(); ok && err == nil; ok = it.Next() {
		b := it.Key()[len(lower):]
		if len(b) != 8 {
			continue // terms says so
		}
		var is bool
		if is, err = used.of(ID(binary.BigEndian.Uint64(b))); is {
			t := rdf.Term{Kind: rdf.TripleTerm, Value: string(it.Value())}
			t.Each(func(part rdf.Term) {
				if id, ok := labelled(part.Value); ok && part.Kind == rdf.Blank {
					s.within = append(s.within, id)
				}
			})
		}
	}
	slices.Sort(s.within)
	s.within = slices.Compact(s.within)
	return errors.Join(err, it.Error(), it.Close(), used.close())
}

func (s *sweeper) term(id ID) error {
	if n := len(s.run); n > 0 && after(s.run[n-1].id) != id {
		if err := s.decide(); err != nil {
			return err
		}
	}
	used, err := s.used.of(id)
	if _, within := slices.BinarySearch(s.within, id); within {
		used = true
	}
	s.run = append(s.run, swept{id, used})
	return err
}

// decide removes the unused terms at the end of a run. One before a term that stays may have been in its way when that was named: its place
// must stay taken.
func (s *sweeper) decide() error {
	last := len(s.run)
	if last > 0 && s.run[last-1].id.value() == valueMask { // what follows is at the beginning
		s.run = s.run[:0]
	}
	for last = len(s.run); last > 0 && !s.run[last-1].used; last-- {
		id := s.run[last-1].id
		if err := s.out.Delete(s.store.idKey(termLetter, id), nil); err != nil {
			return err
		}
		s.store.cache.forget(id)
		s.removed++
	}
	s.run = s.run[:0]
	if s.out.Len() < sweepBatch {
		return nil
	}
	return s.commit()
}

func (s *sweeper) commit() error {
	if err := s.store.db.Apply(s.out, pebble.NoSync); err != nil {
		return fmt.Errorf("quad store: %w", err)
	}
	err := s.out.Close()
	s.out = s.store.db.NewBatch()
	return err
}

// A usage tells whether quads have a term. IDs must ascend.
type usage struct{ places []place }

// A place is a table whose keys begin with the terms of one position.
type place struct {
	scan  scan
	at    key
	begun bool
	over  bool
}

func newUsage(s *stored) *usage {
	u := &usage{}
	for _, t := range []table{defaultOSP, namedOSP, defaultSPO, namedSPO, defaultPOS, namedPOS, namedGSPO} {
		u.places = append(u.places, place{scan: s.scan(t)})
	}
	return u
}

// of reports whether a quad has a term.
func (u *usage) of(id ID) (bool, error) {
	for i := range u.places {
		p := &u.places[i]
		if !p.over && (!p.begun || p.at[0] < id) {
			p.begun, p.over = true, !p.scan.seek(&key{id}, &p.at)
			if err := p.scan.err(); err != nil {
				return false, err
			}
		}
		if !p.over && p.at[0] == id {
			return true, nil
		}
	}
	return false, nil
}

func (u *usage) close() (err error) {
	for _, p := range u.places {
		err = errors.Join(err, p.scan.close())
	}
	return err
}
