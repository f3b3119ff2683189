package ledger

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"iter"

	"github.com/cockroachdb/pebble/v2"

	"orbweaver"
	"orbweaver/internal/step"
)

// Find returns the number of a URL requested as a page, and whether the crawl knows it: it waits, was
// requested, or, on the live Web, waited until its host's robots.txt forbade it. It must be called from the
// goroutine that offers.
func (l *Ledger) Find(url string) (id uint64, known bool) { return l.Seen(orbweaver.Request{URL: url}) }

// WaitingURLs ranges over the URLs that wait, in the order of their first proposals. It is many times as fast as
// AllWaiting.
func (l *Ledger) WaitingURLs() iter.Seq[string] {
	return func(yield func(string) bool) {
		l.settle()
		_ = l.scan([]byte{tableWaiting}, func(_, value []byte) error {
			size, n := binary.Uvarint(value)
			if n <= 0 || size > uint64(len(value)-n) || !yield(string(value[n:n+int(size)])) {
				return errStop
			}
			return nil
		})
	}
}

// Linking ranges over the outcomes, without their links, whose pages link to a URL, in commit order.
func (l *Ledger) Linking(url string) iter.Seq2[orbweaver.Outcome, error] {
	return func(yield func(orbweaver.Outcome, error) bool) {
		err := l.linking(url, func(n int64) bool {
			o, err := l.numbered(n)
			return yield(o, err) && err == nil
		})
		if err != nil && !errors.Is(err, errStop) {
			yield(orbweaver.Outcome{}, err)
		}
	}
}

// Account returns the account of a host; false if there is none.
func (l *Ledger) Account(host string) (a step.Account, known bool, err error) {
	l.settle()
	value, err := l.get(append([]byte{tableHost}, host...))
	switch {
	case errors.Is(err, pebble.ErrNotFound):
		return a, false, nil
	case err == nil:
		err = json.Unmarshal(value, &a)
	}
	if err != nil {
		return a, false, fmt.Errorf("ledger: host %s: %w: %w", host, orbweaver.ErrDamaged, err)
	}
	return a, true, nil
}
