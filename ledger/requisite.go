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

// What accepted pages need to be shown is kept apart from requests: one that waits under its number, what became of each URL under its
// hash, and what a page spent under the number of its request.

// requisites is what the group changes.
type requisites struct {
	fates map[uint64]step.Fate // by hash of the URL
	spent map[uint64]spent     // by page
}

// spent is what the requisites of a page have of its budgets.
type spent struct {
	count uint64
	bytes int64
}

// needOf hashes the URL of a requisite. No request has such a State.
func (l *Ledger) needOf(url string) uint64 {
	return l.identity(orbweaver.Request{URL: url, State: "\x00requisite"})
}

// Fate returns what became of the requisite of a URL; false if none was ever proposed.
func (l *Ledger) Fate(url string) (fate step.Fate, known bool, err error) {
	h := l.needOf(url)
	if fate, known = l.needs.fates[h]; known {
		return fate, true, nil
	}
	value, err := l.get(number(tableFate, h))
	switch {
	case errors.Is(err, pebble.ErrNotFound):
		return 0, false, nil
	case err == nil && len(value) != 1:
		err = orbweaver.ErrDamaged
	}
	if err != nil {
		return 0, false, fmt.Errorf("ledger: requisite %s: %w", url, err)
	}
	return step.Fate(value[0]), true, nil
}

// Spent returns how many requisites a page named, in all, and the bytes of them read for it.
func (l *Ledger) Spent(page uint64) (count int, bytes int64, err error) {
	s, err := l.spentBy(page)
	return int(s.count), s.bytes, err
}

func (l *Ledger) spentBy(page uint64) (s spent, err error) {
	if s, ok := l.needs.spent[page]; ok {
		return s, nil
	}
	value, err := l.get(number(tableSpent, page))
	if errors.Is(err, pebble.ErrNotFound) {
		return s, nil
	}
	if err != nil {
		return s, fmt.Errorf("ledger: requisites of request %d: %w", page, err)
	}
	d := decoding(value)
	return done(&d, "requisites of a page", spent{d.uint(), d.int()})
}

// Requisite returns one that waits.
func (l *Ledger) Requisite(n uint64) (step.Requisite, error) {
	l.settle()
	value, err := l.get(number(tableNeed, n))
	if err != nil {
		return step.Requisite{}, fmt.Errorf("ledger: requisite %d: %w", n, err)
	}
	return requisiteOf(n, value)
}

func requisiteOf(n uint64, record []byte) (step.Requisite, error) {
	d := decoding(record)
	return done(&d, "requisite", step.Requisite{N: n, URL: d.string(), Page: d.uint(), Level: int(d.uint()), Hops: int(d.uint())})
}

// Requisites ranges over those that wait, in the order of their numbers.
func (l *Ledger) Requisites() iter.Seq2[step.Requisite, error] {
	return func(yield func(step.Requisite, error) bool) {
		l.settle()
		err := l.scan([]byte{tableNeed}, func(key, value []byte) error {
			if len(key) != 9 {
				return fmt.Errorf("ledger: requisites: %w", orbweaver.ErrDamaged)
			}
			r, err := requisiteOf(binary.BigEndian.Uint64(key[1:]), value)
			if err == nil && !yield(r, nil) {
				err = errStop
			}
			return err
		})
		if err != nil && !errors.Is(err, errStop) {
			yield(step.Requisite{}, err)
		}
	}
}

// require writes the requisites of a batch. It numbers those that wait from now on.
func (l *Ledger) require(w *writer, batch step.Batch) error {
	for i := range batch.Needs {
		r := &batch.Needs[i]
		s, err := l.spentBy(r.Page)
		if err != nil {
			return err
		}
		l.state.Needs++
		r.N = l.state.Needs
		w.scratch = appendString(w.scratch[:0], r.URL)
		for _, v := range [...]uint64{r.Page, uint64(r.Level), uint64(r.Hops)} {
			w.scratch = binary.AppendUvarint(w.scratch, v)
		}
		w.set(w.number(tableNeed, r.N), w.scratch)
		s.count++
		l.spend(w, r.Page, s)
		l.fate(w, r.URL, step.RequisiteWaits)
	}
	for _, url := range batch.Have {
		l.fate(w, url, step.RequisiteFetched)
	}
	for _, m := range batch.Met {
		s, err := l.spentBy(m.Page)
		if err != nil {
			return err
		}
		w.delete(w.number(tableNeed, m.N))
		l.fate(w, m.URL, m.Fate)
		if s.bytes += m.Bytes; m.Bytes > 0 {
			l.spend(w, m.Page, s)
		}
	}
	return nil
}

func (l *Ledger) fate(w *writer, url string, fate step.Fate) {
	h := l.needOf(url)
	l.needs.fates[h] = fate
	w.set(w.number(tableFate, h), []byte{byte(fate)})
}

func (l *Ledger) spend(w *writer, page uint64, s spent) {
	l.needs.spent[page] = s
	w.scratch = binary.AppendVarint(binary.AppendUvarint(w.scratch[:0], s.count), s.bytes)
	w.set(w.number(tableSpent, page), w.scratch)
}
