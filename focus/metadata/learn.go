package metadata

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"orbweaver"
	"orbweaver/kb/relevance"
)

// Learn records a dataset's answer or failure. Documents are read when the round ends.
func (f *Focus) Learn(_ context.Context, o orbweaver.Outcome) (orbweaver.Lesson, error) {
	place, asked := f.asked(o.Request)
	if !asked || o.Err == nil && o.Page == nil { // a redirect: its target's answer follows
		return orbweaver.Lesson{}, nil
	}
	d := f.state.Datasets[place].clone()
	f.apply(&d, o.Page, o.Err)
	f.next(&d)
	if len(d.Large) > 0 {
		learnLarge(f.large, d.Large)
		d.Large = nil
	}
	f.state.Datasets[place] = d
	return orbweaver.Lesson{}, nil
}

// snapshotVersion changes when an older snapshot can no longer be read.
const snapshotVersion = 1

// Snapshot writes the state: the same state gives the same bytes.
func (f *Focus) Snapshot(w io.Writer) error {
	s := f.state
	if f.large.Classes() > 0 {
		var err error
		if s.Background, err = f.large.MarshalBinary(); err != nil {
			return fmt.Errorf("metadata focus: snapshot: %w", err)
		}
	}
	if err := json.NewEncoder(w).Encode(s); err != nil {
		return fmt.Errorf("metadata focus: snapshot: %w", err)
	}
	return nil
}

// maxSnapshot bounds the size of a snapshot, in bytes.
const maxSnapshot = 1 << 30

// Restore replaces the state by a snapshot. An invalid one leaves the focus unchanged and returns an error:
// orbweaver.ErrDamaged when it cannot be read, orbweaver.ErrForeign when it was made with other datasets.
func (f *Focus) Restore(r io.Reader) error {
	var s state
	if err := json.NewDecoder(io.LimitReader(r, maxSnapshot)).Decode(&s); err != nil {
		return fmt.Errorf("metadata focus: snapshot: %w: %w", orbweaver.ErrDamaged, err)
	}
	if s.Version != snapshotVersion {
		return fmt.Errorf("metadata focus: snapshot of version %d: %w", s.Version, orbweaver.ErrDamaged)
	}
	if len(s.Datasets) != len(f.opts.Datasets) || s.Names != f.digest() {
		return fmt.Errorf("metadata focus: the terms or datasets are not those that the crawl began with: %w", orbweaver.ErrForeign)
	}
	if err := f.sound(s); err != nil {
		return fmt.Errorf("metadata focus: snapshot: %w: %w", err, orbweaver.ErrDamaged)
	}
	s.candidacy.fill()
	large := relevance.NewBackground()
	if len(s.Background) > 0 {
		if err := large.UnmarshalBinary(s.Background); err != nil {
			return fmt.Errorf("metadata focus: snapshot: %w: %w", err, orbweaver.ErrDamaged)
		}
	}
	s.Background, f.large = nil, large
	f.state = s
	return nil
}

// sound checks a decoded state for consistency.
func (f *Focus) sound(s state) error {
	for _, list := range [][]string{s.Order, s.Current, f.opts.Terms} {
		for _, name := range list {
			if s.Terms[name] == nil {
				return fmt.Errorf("term %s has no state", name)
			}
		}
	}
	if len(s.Order) != len(s.Terms) {
		return fmt.Errorf("%d terms listed, %d known", len(s.Order), len(s.Terms))
	}
	for _, d := range s.Datasets {
		for _, q := range d.Queue {
			if _, known := f.places[q.Dataset]; !known || f.asker(q.Processor) == nil || len(q.Terms) == 0 {
				return fmt.Errorf("unknown dataset %q or processor %q in a question", q.Dataset, q.Processor)
			}
		}
	}
	return nil
}
