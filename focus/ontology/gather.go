package ontology

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"

	"orbweaver"
)

// Gather replaces the learned state by what the workers of a crawl have learned of their own pages, in the order of their names: what they learn together
// (counts), the words of URLs, and what is near entities. Of the latter a word that each of several workers met on one page has no written form, and is not
// suggested until it is met again. The state is as it was if a worker's snapshot cannot be read, or was made with another ontology or other decisions.
func (f *Focus) Gather(_ context.Context, snapshots map[string][]byte) error {
	var all *state
	var sum *counts
	for _, from := range slices.Sorted(maps.Keys(snapshots)) {
		one, err := f.read(bytes.NewReader(snapshots[from]))
		if err == nil && !maps.Equal(one.decided, f.decided) {
			err = fmt.Errorf("ontology focus: %d decisions, here %d: %w", len(one.decided), len(f.decided), orbweaver.ErrForeign)
		}
		if err == nil && all != nil {
			err = all.merge(one)
		}
		if err != nil {
			return fmt.Errorf("%s: %w: %w", from, orbweaver.ErrDamaged, err)
		}
		own := one.counts(f.Ontology())
		if one.others != nil {
			own = own.plus(one.others, -1)
		}
		if all == nil {
			all, sum = one, own
		} else {
			sum = sum.plus(own, 1)
		}
	}
	if all == nil {
		return fmt.Errorf("ontology focus: no worker has learned: %w", orbweaver.ErrDamaged)
	}
	added := len(snapshots) > 1 || all.others != nil
	all.others = nil
	if f.use(all); added {
		f.recount(sum)
	}
	return nil
}

// merge adds what is not in counts.
func (s *state) merge(more *state) error {
	gaps, err := s.gaps.merge(more.gaps)
	if err != nil {
		return err
	}
	s.gaps = gaps
	s.urls.Add(more.urls)
	maps.Copy(s.retold, more.retold)
	return nil
}
