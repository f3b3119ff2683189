package ledger

import (
	"encoding/json"
	"errors"
	"fmt"
	"iter"

	"orbweaver"
)

// decision writes a decision under its number.
func (w *writer) decision(n uint64, d orbweaver.Decision) error {
	value, err := json.Marshal(d)
	if err != nil {
		return fmt.Errorf("ledger: decision %s: %w", d.Name(), err)
	}
	w.set(w.number(tableDecided, n), value)
	return nil
}

// Decisions ranges over the decisions of persons, in order.
//
//go:noinline
func (l *Ledger) Decisions() iter.Seq2[orbweaver.Decision, error] {
	return func(yield func(orbweaver.Decision, error) bool) {
		l.settle()
		err := l.scan([]byte{tableDecided}, func(_, value []byte) error {
			var d orbweaver.Decision
			err := json.Unmarshal(value, &d)
			if err != nil {
				err = fmt.Errorf("ledger: decision: %w: %w", orbweaver.ErrDamaged, err)
			}
			if !yield(d, err) || err != nil {
				return errStop
			}
			return nil
		})
		if err != nil && !errors.Is(err, errStop) {
			yield(orbweaver.Decision{}, err)
		}
	}
}
