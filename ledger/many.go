package ledger

import (
	"errors"
	"fmt"
	"iter"

	"github.com/cockroachdb/pebble/v2"

	"orbweaver/internal/database/kv"
	"orbweaver/internal/step"
)

const (
	fewWaiting = 256  // requests that are read one by one
	bunchSize  = 1024 // requests that are read ahead together
)

// A bunch is a part of many requests, read ahead.
type bunch struct {
	waiting []step.Waiting
	err     error
}

// manyWaiting is WaitingOf for so many requests that scanning the tables is cheaper. Another goroutine reads ahead.
func (l *Ledger) manyWaiting(ids []uint64) iter.Seq2[step.Waiting, error] {
	return func(yield func(step.Waiting, error) bool) {
		if err := l.tidy(); err != nil {
			yield(step.Waiting{}, err)
			return
		}
		bunches, enough := make(chan bunch, 2), make(chan struct{})
		go func() {
			defer close(bunches)
			if err := l.readAhead(ids, bunches, enough); err != nil {
				offer(bunches, bunch{err: err}, enough)
			}
		}()
		defer func() {
			close(enough)
			for range bunches { // until readAhead has ended
			}
		}()
		for b := range bunches {
			if b.err != nil {
				yield(step.Waiting{}, b.err)
				return
			}
			for _, w := range b.waiting {
				if !yield(w, nil) {
					return
				}
			}
		}
	}
}

// readAhead reads requests in bunches until enough is closed.
func (l *Ledger) readAhead(ids []uint64, bunches chan<- bunch, enough <-chan struct{}) (err error) {
	records, err := l.iterate(tableWaiting)
	if err != nil {
		return err
	}
	t, err := l.tables()
	if err != nil {
		return errors.Join(err, records.Close())
	}
	for err == nil && len(ids) > 0 {
		n := min(len(ids), bunchSize)
		b := bunch{waiting: make([]step.Waiting, 0, n)}
		for _, id := range ids[:n] {
			record := at(records, id)
			if record == "" {
				continue // the request waits no more
			}
			w, problem := t.waiting(id, record)
			if problem != nil {
				err = problem
				break
			}
			b.waiting = append(b.waiting, w)
		}
		if ids = ids[n:]; !offer(bunches, b, enough) {
			break
		}
	}
	return errors.Join(err, records.Close(), t.close())
}

// offer sends a bunch; false if nobody wants more.
func offer(bunches chan<- bunch, b bunch, enough <-chan struct{}) bool {
	select {
	case bunches <- b:
		return true
	case <-enough:
		return false
	}
}

// iterate returns an iterator at the first key of a table.
func (l *Ledger) iterate(table byte) (kv.Iterator, error) {
	it, err := l.db.NewIter(&pebble.IterOptions{LowerBound: []byte{table}, UpperBound: []byte{table + 1}})
	if err != nil {
		return nil, fmt.Errorf("ledger: %w", err)
	}
	it.First()
	return it, nil
}

// NotesOf ranges over the Notes of waiting requests, given by ascending numbers; requests without one may be left out.
func (l *Ledger) NotesOf(ids []uint64) iter.Seq2[step.Opinion, error] {
	return func(yield func(step.Opinion, error) bool) {
		if len(ids) <= fewWaiting {
			for _, id := range ids {
				note, err := l.Note(id)
				if !yield(step.Opinion{ID: id, Note: note}, err) || err != nil {
					return
				}
			}
			return
		}
		if err := l.manyNotes(ids, yield); err != nil {
			yield(step.Opinion{}, err)
		}
	}
}

// manyNotes is NotesOf for so many requests that scanning the table is cheaper.
func (l *Ledger) manyNotes(ids []uint64, yield func(step.Opinion, error) bool) error {
	if err := l.tidy(); err != nil {
		return err
	}
	it, err := l.iterate(tableOpinion)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if opinion := at(it, id); len(opinion) > 8 && !yield(step.Opinion{ID: id, Note: []byte(opinion[8:])}, nil) {
			break
		}
	}
	return it.Close()
}
