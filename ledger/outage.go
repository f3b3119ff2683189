package ledger

import (
	"encoding/json"
	"errors"
	"fmt"
	"iter"

	"orbweaver"
	"orbweaver/internal/step"
)

// outage writes an outage of the own network.
func (w *writer) outage(o step.Outage) error {
	value, err := json.Marshal(o)
	if err != nil {
		return fmt.Errorf("ledger: outage: %w", err)
	}
	w.set(w.number(tableOutage, uint64(o.From.UnixNano())), value)
	return nil
}

// Outages ranges over the outages of the own network that are over, in the order of time.
func (l *Ledger) Outages() iter.Seq2[step.Outage, error] {
	return func(yield func(step.Outage, error) bool) {
		l.settle()
		err := l.scan([]byte{tableOutage}, func(_, value []byte) error {
			var o step.Outage
			err := json.Unmarshal(value, &o)
			if err != nil {
				err = fmt.Errorf("ledger: outage: %w: %w", orbweaver.ErrDamaged, err)
			}
			if !yield(o, err) || err != nil {
				return errStop
			}
			return nil
		})
		if err != nil && !errors.Is(err, errStop) {
			yield(step.Outage{}, err)
		}
	}
}
