package keyword

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"

	"orbweaver"
	"orbweaver/focus/accept"
)

// Learn updates term counts and the calibration with a judged page.
func (f *Focus) Learn(_ context.Context, o orbweaver.Outcome) (orbweaver.Lesson, error) {
	if o.Page != nil {
		f.rarity.learn(f.findings(o.Page).hits)
		f.accept.Add(o.Actual.Score)
	}
	return orbweaver.Lesson{}, nil
}

// snapshotVersion changes when an older snapshot can no longer be read.
const snapshotVersion = 1

// maxSnapshot bounds the size of a snapshot, in bytes.
const maxSnapshot = 16 << 20

// A snapshot is the learned state, in JSON.
type snapshot struct {
	Version int              `json:"version"`
	Pages   int64            `json:"pages"`
	DF      map[string]int64 `json:"df"`               // by term; terms on no page are left out
	Accept  []byte           `json:"accept,omitempty"` // see accept.Read
	Others  *snapshot        `json:"others,omitempty"` // what other workers shared of the above, which is part of it
}

// Snapshot writes the learned state: equal states give equal bytes.
func (f *Focus) Snapshot(w io.Writer) error {
	s := f.snapshot(f.rarity, f.accept)
	if f.others.pages > 0 {
		others := f.snapshot(f.others.rarity, f.others.accept)
		s.Others = &others
	}
	if err := json.NewEncoder(w).Encode(s); err != nil {
		return fmt.Errorf("keyword focus: snapshot: %w", err)
	}
	return nil
}

// snapshot is the snapshot of counts.
func (f *Focus) snapshot(r rarity, scores *accept.Calibration) snapshot {
	s := snapshot{Version: snapshotVersion, Pages: r.pages, DF: map[string]int64{}, Accept: scores.Append(nil)}
	for t, df := range r.df {
		if df > 0 {
			s.DF[f.terms[t]] = df
		}
	}
	return s
}

// Restore replaces the learned state by a snapshot. An invalid snapshot leaves the focus unchanged and
// returns an error: orbweaver.ErrDamaged when it cannot be read, orbweaver.ErrForeign when it has terms that
// the focus lacks.
func (f *Focus) Restore(r io.Reader) error {
	all, others, err := f.read(r)
	if err == nil {
		f.rarity, f.accept, f.others = all.rarity, all.accept, others
	}
	return err
}

// read decodes a snapshot: all that is counted, and what other workers shared of it.
func (f *Focus) read(r io.Reader) (all, others taken, err error) {
	var s snapshot
	if err := json.NewDecoder(io.LimitReader(r, maxSnapshot)).Decode(&s); err != nil {
		return all, others, fmt.Errorf("keyword focus: snapshot: %w: %w", orbweaver.ErrDamaged, err)
	}
	others = newTaken(len(f.terms))
	all.rarity, all.accept, err = f.counts(s)
	if err == nil && s.Others != nil {
		others.rarity, others.accept, err = f.counts(*s.Others)
	}
	return all, others, err
}

// counts returns the counts of a snapshot.
func (f *Focus) counts(s snapshot) (r rarity, scores *accept.Calibration, err error) {
	if s.Version != snapshotVersion || s.Pages < 0 {
		return r, nil, fmt.Errorf("keyword focus: snapshot of version %d, %d pages: %w", s.Version, s.Pages, orbweaver.ErrDamaged)
	}
	scores = new(accept.Calibration)
	if len(s.Accept) > 0 {
		if scores, err = accept.Read(s.Accept); err != nil {
			return r, nil, fmt.Errorf("keyword focus: snapshot: %w", err)
		}
	}
	r = newRarity(len(f.terms))
	r.pages = s.Pages
	for _, term := range slices.Sorted(maps.Keys(s.DF)) {
		t, df := slices.Index(f.terms, term), s.DF[term]
		switch {
		case t < 0:
			return r, nil, fmt.Errorf("keyword focus: snapshot: term %q is not looked for: %w", term, orbweaver.ErrForeign)
		case df < 0 || df > s.Pages:
			return r, nil, fmt.Errorf("keyword focus: snapshot: term %q on %d of %d pages: %w", term, df, s.Pages, orbweaver.ErrDamaged)
		}
		r.df[t] = df
	}
	r.weigh()
	return r, scores, nil
}
