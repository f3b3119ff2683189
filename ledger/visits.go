package ledger

import (
	"encoding/binary"
	"errors"
	"fmt"
	"iter"

	"github.com/cockroachdb/pebble/v2"

	"orbweaver"
	"orbweaver/internal/step"
)

// visit writes what is kept of the visits of a request's page.
func (w *writer) visit(v step.Visit) {
	if len(v.Kept) == 0 {
		w.delete(w.number(tableVisits, v.ID))
		return
	}
	w.set(w.number(tableVisits, v.ID), v.Kept)
}

// Visits ranges over what is kept of visits, in the order of the requests' numbers. Number 0 is the watch itself.
func (l *Ledger) Visits() iter.Seq2[step.Visit, error] {
	return func(yield func(step.Visit, error) bool) {
		l.settle()
		err := l.scan([]byte{tableVisits}, func(key, value []byte) error {
			if len(key) != 9 {
				return fmt.Errorf("ledger: visits: %w", orbweaver.ErrDamaged)
			}
			if !yield(step.Visit{ID: binary.BigEndian.Uint64(key[1:]), Kept: append([]byte(nil), value...)}, nil) {
				return errStop
			}
			return nil
		})
		if err != nil && !errors.Is(err, errStop) {
			yield(step.Visit{}, err)
		}
	}
}

// Visit returns what is kept of the visits of a request's page; nil: nothing.
func (l *Ledger) Visit(id uint64) ([]byte, error) {
	l.settle()
	value, err := l.get(number(tableVisits, id))
	if errors.Is(err, pebble.ErrNotFound) {
		return nil, nil
	}
	return value, err
}
