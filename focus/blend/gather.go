package blend

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"orbweaver"
)

// Gather has each part make its state of the same part of all workers, and adds up what followed links led to. It is not supported if a
// part that learns can't.
func (f *Focus) Gather(ctx context.Context, snapshots map[string][]byte) error {
	for _, part := range f.parts {
		if part.learner != nil && part.gatherer == nil {
			return fmt.Errorf("part %s: what several workers have learned: %w", part.Name, errors.ErrUnsupported)
		}
	}
	var before bytes.Buffer
	if err := f.Snapshot(&before); err != nil {
		return err
	}
	err := f.gather(ctx, snapshots)
	if err != nil {
		err = errors.Join(err, f.Restore(&before))
	}
	return err
}

// gather may leave the state changed in part.
func (f *Focus) gather(ctx context.Context, snapshots map[string][]byte) error {
	workers := slices.Sorted(maps.Keys(snapshots))
	all := make([]*state, len(workers))
	for i, from := range workers {
		var err error
		if all[i], err = f.read(snapshots[from]); err != nil {
			return fmt.Errorf("%s: %w: %w", from, orbweaver.ErrDamaged, err)
		}
	}
	if len(all) == 0 {
		return fmt.Errorf("blend: no worker has learned: %w", orbweaver.ErrDamaged)
	}
	for i, part := range f.parts {
		states := map[string][]byte{}
		for k, from := range workers {
			states[from] = all[k].parts[i].state
		}
		if part.learner != nil {
			if err := part.gatherer.Gather(ctx, states); err != nil {
				return fmt.Errorf("part %s: %w", part.Name, err)
			}
		}
	}
	sum := all[0]
	for _, more := range all[1:] {
		sum.add(more)
	}
	f.use(sum)
	return nil
}

// add adds what is known of links and pages. What waits is ranked by all of it.
func (s *state) add(more *state) {
	for i := range s.parts {
		one, two := &s.parts[i], &more.parts[i]
		one.links.reach.merge(&two.links.reach)
		one.links.chance.Merge(&two.links.chance)
		one.pages.Merge(&two.pages)
		one.now = one.links
	}
	if s.taught += more.taught; s.next <= s.taught {
		s.next = s.taught + max(s.taught/2, 1)
	}
}
