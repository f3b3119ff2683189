package ledger

import (
	"encoding/binary"
	"errors"
	"fmt"
	"iter"

	"github.com/cespare/xxhash/v2"

	"orbweaver"
)

// The recall is an index of all outcomes, superseded ones too, by what pages.jsonl would be searched for. It is built with the
// listing: see List. As outcomes do not change, rows written twice do no harm.
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

// recallRows ranges over the rows of an outcome.
func recallRows(o orbweaver.Outcome) iter.Seq[[]byte] {
	line := Line{URL: o.Request.URL, Redirect: o.Redirect}
	if o.Page != nil {
		line.Digest = o.Page.Digest
	}
	return func(yield func([]byte) bool) {
		for _, t := range traits() {
			if value := t.of(line); value != "" && !yield(binary.BigEndian.AppendUint64(t.key(value), uint64(o.N))) {
				return
			}
		}
	}
}

// Recalled ranges over the lines of the outcomes that have a trait of a value, in commit order. Those that are not indexed are not among
// them: see Unlisted.
//
//go:noinline
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
