package ledger

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/cockroachdb/pebble/v2"

	"orbweaver"
	"orbweaver/internal/database"
	"orbweaver/internal/step"
)

// get returns a copy of a value of the database.
func (l *Ledger) get(key []byte) ([]byte, error) {
	value, closer, err := l.db.Get(key)
	if err != nil {
		return nil, l.damage(err)
	}
	return slices.Clone(value), closer.Close()
}

// fewLooks is the number of outcomes that a look may index without compactions after it.
const fewLooks = 512

// stir has tables compacted where more outcomes are indexed than by the way.
func (l *Ledger) stir(outcomes int64) {
	if outcomes > fewLooks {
		l.db.Stir()
	}
}

// damage puts an error of a damaged database into words that name the file.
func (l *Ledger) damage(err error) error { return database.Damage(l.db.Path(), err) }

// scan calls do for each key under a prefix, in order, until it fails.
func (l *Ledger) scan(prefix []byte, do func(key, value []byte) error) error {
	it, err := l.db.NewIter(&pebble.IterOptions{LowerBound: prefix, UpperBound: after(prefix)})
	if err != nil {
		return fmt.Errorf("ledger: %w", err)
	}
	for it.First(); it.Valid(); it.Next() {
		if err := do(it.Key(), it.Value()); err != nil {
			return errors.Join(err, it.Close())
		}
	}
	return l.damage(it.Close())
}

// after returns the first key beyond a prefix.
func after(prefix []byte) []byte {
	end := slices.Clone(prefix)
	for i := len(end) - 1; i >= 0; i-- {
		if end[i]++; end[i] != 0 {
			return end[:i+1]
		}
	}
	return nil
}

// lost describes a record that cannot be read. One that is not there, though others say it is, is damage.
func lost(what string, n uint64, err error) error {
	if errors.Is(err, pebble.ErrNotFound) {
		return fmt.Errorf("ledger: %s %d is missing: %w", what, n, orbweaver.ErrDamaged)
	}
	return fmt.Errorf("ledger: %s %d: %w", what, n, err)
}

// errStop ends a scan early.
var errStop = errors.New("stop")

// Chances returns the evidence for chances as of the last batch that had some; nil if there is none, as in folders of
// earlier versions.
func (l *Ledger) Chances() ([]byte, error) {
	if l.chances != nil {
		return slices.Clone(l.chances), nil
	}
	b, err := l.get([]byte{tableChances})
	if errors.Is(err, pebble.ErrNotFound) {
		return nil, nil
	}
	return b, err
}

// Round returns the requests of the current round, including those that are done, and those of them that were drawn at
// random; nil before the first round.
func (l *Ledger) Round() (ids, drawn []uint64, err error) {
	l.settle()
	value, err := l.get([]byte{tableRound})
	if errors.Is(err, pebble.ErrNotFound) {
		return nil, nil, nil
	}
	d := decoding(value)
	for len(d.s) > 0 {
		ids = append(ids, d.uint())
	}
	if at := slices.Index(ids, 0); at >= 0 {
		ids, drawn = ids[:at], ids[at+1:]
	}
	ids, err = done(&d, "round", ids)
	return ids, drawn, err
}

// Outcomes ranges over the outcomes after number n, in commit order, without their pages' content.
func (l *Ledger) Outcomes(n int64) iter.Seq2[orbweaver.Outcome, error] {
	return func(yield func(orbweaver.Outcome, error) bool) {
		for n < l.state.N {
			n++
			if o, err := l.numbered(n); !yield(o, err) || err != nil {
				return
			}
			var more bool
			if n, more = l.following(n, yield); !more { // many are cheaper to go through than to look up
				return
			}
		}
	}
}

// following yields the outcomes after number n that are committed now. It returns the number of the last, and false if that was enough.
func (l *Ledger) following(n int64, yield func(orbweaver.Outcome, error) bool) (int64, bool) {
	if n == l.state.N {
		return n, true
	}
	l.settle()
	it, err := l.db.NewIter(&pebble.IterOptions{LowerBound: number(tableOutcome, uint64(n+1)), UpperBound: []byte{tableOutcome + 1}})
	if err != nil {
		yield(orbweaver.Outcome{}, fmt.Errorf("ledger: %w", err))
		return n, false
	}
	defer it.Close()
	for ok := it.First(); ok; ok = it.Next() {
		if n++; !bytes.Equal(it.Key(), number(tableOutcome, uint64(n))) {
			yield(orbweaver.Outcome{}, lost("outcome", uint64(n), pebble.ErrNotFound))
			return n, false
		}
		d := decoding(it.Value())
		if o, err := done(&d, "outcome", d.outcome()); !yield(o, err) || err != nil {
			return n, false
		}
	}
	if err := it.Error(); err != nil {
		yield(orbweaver.Outcome{}, lost("outcome", uint64(n+1), l.damage(err)))
		return n, false
	}
	return n, true
}

// numbered returns outcome n.
func (l *Ledger) numbered(n int64) (orbweaver.Outcome, error) {
	if n > l.applied {
		l.settle()
	}
	value, closer, err := l.db.Get(number(tableOutcome, uint64(n)))
	if err != nil {
		return orbweaver.Outcome{}, lost("outcome", uint64(n), l.damage(err))
	}
	d := decoding(value)
	o, err := done(&d, "outcome", d.outcome())
	return o, errors.Join(err, closer.Close())
}

// position returns the number of the outcome of a URL requested as a page.
func (l *Ledger) position(url string) (int64, error) {
	id, ok := l.Find(url)
	if !ok {
		return 0, fmt.Errorf("%s: %w", url, orbweaver.ErrUnknown)
	}
	if n, ok := l.group.outcomes[id]; ok {
		return n, l.apply(false)
	}
	value, err := l.get(number(tableNumber, id))
	if errors.Is(err, pebble.ErrNotFound) {
		return 0, fmt.Errorf("%s: waits still: %w", url, orbweaver.ErrUnknown)
	}
	if err != nil || len(value) != 8 {
		return 0, fmt.Errorf("ledger: %s: %w", url, errors.Join(orbweaver.ErrDamaged, err))
	}
	return int64(binary.BigEndian.Uint64(value)), nil
}

// Outcome returns the outcome of a URL, without its page's content; the error wraps ErrUnknown if there is none. It
// must be called from the goroutine that offers.
func (l *Ledger) Outcome(url string) (orbweaver.Outcome, error) {
	n, err := l.position(url)
	if err != nil {
		return orbweaver.Outcome{}, err
	}
	return l.numbered(n)
}

// Outlinks ranges over the targets of a page's links, in document order, each once.
func (l *Ledger) Outlinks(url string) iter.Seq[string] {
	return func(yield func(string) bool) {
		n, err := l.position(url)
		if err != nil {
			return
		}
		l.targets(n)(yield)
	}
}

// targets ranges over the link targets of outcome n.
func (l *Ledger) targets(n int64) iter.Seq[string] {
	return func(yield func(string) bool) {
		value, err := l.get(number(tableOut, uint64(n)))
		if err != nil {
			return
		}
		last := ""
		for d := decoding(value); len(d.s) > 0; {
			if last = d.after(last); d.err != nil || !yield(last) {
				return
			}
		}
	}
}

// Accounts ranges over the accounts of hosts, by host.
//
//go:noinline
func (l *Ledger) Accounts() iter.Seq2[step.Account, error] {
	return func(yield func(step.Account, error) bool) {
		l.settle()
		err := l.scan([]byte{tableHost}, func(key, value []byte) error {
			var a step.Account
			err := json.Unmarshal(value, &a)
			if err != nil {
				err = fmt.Errorf("ledger: host %s: %w: %w", key[1:], orbweaver.ErrDamaged, err)
			}
			if !yield(a, err) || err != nil {
				return errStop
			}
			return nil
		})
		if err != nil && !errors.Is(err, errStop) {
			yield(step.Account{}, err)
		}
	}
}

// Inlinks ranges over the URLs of the pages known to link to a URL, in commit order.
func (l *Ledger) Inlinks(url string) iter.Seq[string] {
	return func(yield func(string) bool) {
		_ = l.linking(url, func(n int64) bool {
			o, err := l.numbered(n)
			return err == nil && yield(o.Request.URL)
		})
	}
}
