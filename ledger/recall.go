package ledger

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"

	"github.com/cespare/xxhash/v2"

	"orbweaver"
)

// The recall is an index of all outcomes, superseded ones too, by what pages.jsonl would be searched for. Like the listing it is built on
// demand: state.Recalled is the last outcome in it. As outcomes do not change, rows written twice do no harm.
//
// The key of a row is the trait, the hash of its value, and the outcome's number. It has no value.

// A Trait is something of an outcome by which Recalled finds it.
type Trait byte

// The traits: the second byte of a key of tableRecall.
const (
	TraitURL      Trait = 'u' // requested, as a page or in another way
	TraitRedirect Trait = 't' // that it leads to
	TraitDigest   Trait = 'd' // of its page's bytes
)

func traits() []Trait { return []Trait{TraitURL, TraitRedirect, TraitDigest} }

// of returns the value of a trait in a line; empty: it has none.
func (t Trait) of(l Line) string {
	switch t {
	case TraitURL:
		return l.URL
	case TraitRedirect:
		return l.Redirect
	}
	return l.Digest
}

// key returns the prefix of the rows of a value.
func (t Trait) key(value string) []byte {
	return binary.BigEndian.AppendUint64([]byte{tableRecall, byte(t)}, xxhash.Sum64String(value))
}

// Unrecalled returns the number of outcomes that Recalled does not find yet.
func (l *Ledger) Unrecalled() int64 { return l.state.N - l.state.Recalled }

// Recall indexes up to n further outcomes for Recalled.
func (l *Ledger) Recall(n int64) error {
	if err := l.apply(false); err != nil {
		return err
	}
	w, last := &l.group.writer, min(l.state.Recalled+n, l.state.N)
	for o, err := range l.Outcomes(l.state.Recalled) {
		if err != nil {
			return err
		}
		if o.N > last {
			break
		}
		line := LineOf(o)
		for _, t := range traits() {
			if value := t.of(line); value != "" {
				w.set(binary.BigEndian.AppendUint64(t.key(value), uint64(o.N)), nil)
			}
		}
		l.group.begun, l.state.Recalled = true, o.N
		if l.group.b.Len() > maxGroup {
			if err := cmp.Or(w.err, l.apply(false)); err != nil {
				return err
			}
		}
	}
	return cmp.Or(w.err, l.apply(false))
}

// Recalled ranges over the lines of the outcomes that have a trait of a value, in commit order. Those that are not indexed are not among
// them: see Unrecalled.
func (l *Ledger) Recalled(t Trait, value string) iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		l.settle()
		err := l.scan(t.key(value), func(key, _ []byte) error {
			if len(key) != 18 {
				return orbweaver.ErrDamaged
			}
			o, err := l.numbered(int64(binary.BigEndian.Uint64(key[10:])))
			if line := LineOf(o); err == nil && t.of(line) == value && !yield(line, nil) {
				return errStop
			}
			return err
		})
		if err != nil && !errors.Is(err, errStop) {
			yield(Line{}, fmt.Errorf("ledger: recall: %w", err))
		}
	}
}
