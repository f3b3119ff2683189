package krs

import (
	"errors"
	"fmt"
	"iter"

	"github.com/cockroachdb/pebble/v2"
)

// IDs iterates over the IRIs of the corpus's documents, in byte order: a document's ID if that is an IRI,
// else one derived from it. An error ends the sequence.
func (s *Store) IDs() iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		it, err := s.db.NewIter(&pebble.IterOptions{LowerBound: []byte{tableDocument}, UpperBound: []byte{tableDocument + 1}})
		if err != nil {
			yield("", fmt.Errorf("%s: documents: %w", s.dir, err))
			return
		}
		more := true
		for ok := it.First(); ok && more; ok = it.Next() {
			more = yield(string(it.Key()[1:]), nil)
		}
		if err := errors.Join(it.Error(), it.Close()); err != nil && more {
			yield("", fmt.Errorf("%s: documents: %w", s.dir, err))
		}
	}
}
