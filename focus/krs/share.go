package krs

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"orbweaver"
	kb "orbweaver/kb/krs"
)

// Share writes the nouns of the pages that this focus has learned from: in paper and calibrated rule alike, they are what others would have recorded.
func (f *Focus) Share(w io.Writer) error {
	s := snapshot{Version: snapshotVersion, KRS: f.opts.Snapshot.Digest()}
	pairs := s.pairs()
	s.Accepted, s.Rejected = pairs(f.learned.accepted), pairs(f.learned.rejected)
	if err := json.NewEncoder(w).Encode(s); err != nil {
		return fmt.Errorf("KRS focus: share: %w", err)
	}
	return nil
}

// Take adds pages that other workers have learned from, of each of them in turn as many, until there are as many as one focus records. The KRS
// changes as in Learn.
func (f *Focus) Take(_ context.Context, shared map[string][]byte) (orbweaver.Lesson, error) {
	var others []learned
	for _, from := range slices.Sorted(maps.Keys(shared)) {
		var s snapshot
		if err := json.NewDecoder(io.LimitReader(bytes.NewReader(shared[from]), maxSnapshot)).Decode(&s); err != nil {
			return orbweaver.Lesson{}, fmt.Errorf("KRS focus: what %s shares: %w: %w", from, orbweaver.ErrDamaged, err)
		}
		accepted, fine := s.pages(s.Accepted)
		rejected, too := s.pages(s.Rejected)
		if s.Version != snapshotVersion || s.KRS != f.opts.Snapshot.Digest() || !fine || !too {
			return orbweaver.Lesson{}, fmt.Errorf("KRS focus: what %s shares is of version %d, or of another KRS: %w", from, s.Version, orbweaver.ErrDamaged)
		}
		others = append(others, learned{accepted: accepted, rejected: rejected})
	}
	l := &f.learned
	l.lent[0], l.lent[1] = nil, nil
	for n := range maxLearned {
		for _, o := range others {
			if n < len(o.accepted) && len(l.lent[0]) < maxLearned {
				l.lent[0] = append(l.lent[0], o.accepted[n])
			}
			if n < len(o.rejected) && len(l.lent[1]) < maxLearned {
				l.lent[1] = append(l.lent[1], o.rejected[n])
			}
		}
	}
	if l.grown() {
		f.compile()
	}
	return orbweaver.Lesson{}, nil
}

// Gather adds up the likeness of the pages that workers met, from which the threshold follows. It is not supported where pages changed the KRS: each worker
// then measured by another one.
func (f *Focus) Gather(_ context.Context, snapshots map[string][]byte) error {
	sum := state{met: new(kb.Likenesses)}
	for _, from := range slices.Sorted(maps.Keys(snapshots)) {
		one, err := f.read(bytes.NewReader(snapshots[from]))
		if err == nil {
			err = sum.met.Merge(one.met)
		}
		if err != nil {
			return fmt.Errorf("%s: %w: %w", from, orbweaver.ErrDamaged, err)
		}
		l := &one.learned
		if len(l.accepted)+len(l.rejected)+len(l.lent[0])+len(l.lent[1])+len(one.told) > 0 {
			return fmt.Errorf("KRS focus: %s has learned pages: %w", from, errors.ErrUnsupported)
		}
		sum.edge = one.edge
	}
	f.learned, f.told = learned{}, nil
	f.compile()
	f.met = sum.met
	if f.edge = f.now.Boundary(f.met); len(snapshots) == 1 && sum.edge != nil {
		f.edge = *sum.edge
	}
	return nil
}
