package ledger

import (
	"encoding/binary"
	"errors"
	"fmt"
	"iter"

	"github.com/cockroachdb/pebble/v2"

	"orbweaver/internal/database/kv"
	"orbweaver/internal/step"
)

// A waiting request is stored in two parts: the link by which it waits, with the reasons at the time; and its latest opinion,
// if the score changed or the focus left a Note. Most further links to a request change the opinion alone.

// record returns the first part of a waiting request.
func (l *Ledger) record(id uint64) (string, error) {
	if record, ok := l.records.get(id); ok {
		if record == "" {
			return "", fmt.Errorf("ledger: request %d: %w", id, pebble.ErrNotFound)
		}
		return record, nil
	}
	value, closer, err := l.db.Get(number(tableWaiting, id))
	if err != nil {
		return "", fmt.Errorf("ledger: request %d: %w", id, l.damage(err))
	}
	record := string(value)
	return record, closer.Close()
}

// opinion returns the second part of a waiting request; "" if there is none.
func (l *Ledger) opinion(id uint64) (string, error) {
	if opinion, ok := l.opinions.get(id); ok {
		return opinion, nil
	}
	value, closer, err := l.db.Get(number(tableOpinion, id))
	if errors.Is(err, pebble.ErrNotFound) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("ledger: request %d: %w", id, l.damage(err))
	}
	opinion := string(value)
	l.opinions.keep(id, opinion)
	return opinion, closer.Close()
}

// held decodes a waiting request from its two parts.
func held(id uint64, record, opinion string) (step.Waiting, error) {
	d := decoder{s: record}
	w, err := done(&d, "waiting request", d.waiting(id))
	if err == nil && opinion != "" {
		d = decoder{s: opinion}
		w.Score = d.float()
		if len(d.s) > 0 {
			w.Note = []byte(d.s)
		}
		w, err = done(&d, "opinion", w)
	}
	return w, err
}

// Waiting returns a waiting request.
func (l *Ledger) Waiting(id uint64) (step.Waiting, error) {
	record, err := l.record(id)
	if err != nil {
		return step.Waiting{}, err
	}
	opinion, err := l.opinion(id)
	if err != nil {
		return step.Waiting{}, err
	}
	w, err := held(id, record, opinion)
	if err == nil && l.keyed.Load() {
		w.Keys, err = l.keysOf(id)
	}
	return w, err
}

// keysOf returns the keys of a waiting request.
func (l *Ledger) keysOf(id uint64) ([]string, error) {
	if l.keyless.has(id) {
		return nil, nil
	}
	if value, ok := l.keys.get(id); ok {
		return keys(value)
	}
	value, err := l.get(number(tableKeys, id))
	if errors.Is(err, pebble.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("ledger: request %d: %w", id, err)
	}
	return keys(string(value))
}

// keys decodes keys; none of an empty value.
func keys(value string) ([]string, error) {
	if value == "" {
		return nil, nil
	}
	d := decoder{s: value}
	return done(&d, "keys", d.strings())
}

// loadKeys finds out whether any request has keys.
func (l *Ledger) loadKeys() error {
	it, err := l.iterate(tableKeys)
	if err != nil {
		return err
	}
	l.keyed.Store(it.Valid())
	return it.Close()
}

// Note returns the focus's Note of a waiting request.
func (l *Ledger) Note(id uint64) ([]byte, error) {
	opinion, err := l.opinion(id)
	if err != nil || len(opinion) <= 8 {
		return nil, err
	}
	return []byte(opinion[8:]), nil
}

// Waits returns a request if it waits.
func (l *Ledger) Waits(id uint64) (w step.Waiting, waits bool, err error) {
	w, err = l.Waiting(id)
	if errors.Is(err, pebble.ErrNotFound) {
		return step.Waiting{}, false, nil
	}
	return w, err == nil, err
}

// AllWaiting ranges over the waiting requests, in the order of their first proposals.
func (l *Ledger) AllWaiting() iter.Seq2[step.Waiting, error] {
	return func(yield func(step.Waiting, error) bool) {
		if err := l.tidy(); err != nil {
			yield(step.Waiting{}, err)
			return
		}
		t, err := l.tables()
		if err != nil {
			yield(step.Waiting{}, err)
			return
		}
		err = l.scan([]byte{tableWaiting}, func(key, value []byte) error {
			w, err := t.waiting(binary.BigEndian.Uint64(key[1:]), string(value))
			if !yield(w, err) || err != nil {
				return errStop
			}
			return nil
		})
		if err = errors.Join(err, t.close()); err != nil && !errors.Is(err, errStop) {
			yield(step.Waiting{}, err)
		}
	}
}

// tables are iterators over the tables that complement tableWaiting; they only move forward.
type tables struct{ opinions, keys kv.Iterator }

func (l *Ledger) tables() (t tables, err error) {
	if t.opinions, err = l.iterate(tableOpinion); err != nil {
		return t, err
	}
	if t.keys, err = l.iterate(tableKeys); err != nil {
		return t, errors.Join(err, t.opinions.Close())
	}
	return t, nil
}

// waiting decodes a request whose first part is given. Numbers must ascend.
func (t tables) waiting(id uint64, record string) (step.Waiting, error) {
	w, err := held(id, record, at(t.opinions, id))
	if err == nil {
		w.Keys, err = keys(at(t.keys, id))
	}
	return w, err
}

func (t tables) close() error { return errors.Join(t.opinions.Close(), t.keys.Close()) }

// at moves an iterator over a table forward to a number and returns its value; "" if there is none.
func at(it kv.Iterator, id uint64) string {
	for near := 0; it.Valid(); near++ {
		n := binary.BigEndian.Uint64(it.Key()[1:])
		switch {
		case n == id:
			return string(it.Value())
		case n > id:
			return ""
		case near < 8:
			it.Next()
		default:
			it.SeekGE(number(it.Key()[0], id))
		}
	}
	return ""
}

// WaitingOf ranges over those of some requests, given by ascending numbers, that wait.
func (l *Ledger) WaitingOf(ids []uint64) iter.Seq2[step.Waiting, error] {
	return func(yield func(step.Waiting, error) bool) {
		if len(ids) <= fewWaiting {
			for _, id := range ids {
				if w, err := l.Waiting(id); !yield(w, err) || err != nil {
					return
				}
			}
			return
		}
		for w, err := range l.manyWaiting(ids) {
			if !yield(w, err) || err != nil {
				return
			}
		}
	}
}
