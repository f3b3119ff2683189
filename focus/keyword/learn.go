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
}

// Snapshot writes the learned state: equal states give equal bytes.
func (f *Focus) Snapshot(w io.Writer) error {
	s := snapshot{Version: snapshotVersion, Pages: f.rarity.pages, DF: map[string]int64{}, Accept: f.accept.Append(nil)}
	for t, df := range f.rarity.df {
		if df > 0 {
			s.DF[f.terms[t]] = df
		}
	}
	if err := json.NewEncoder(w).Encode(s); err != nil {
		return fmt.Errorf("keyword focus: snapshot: %w", err)
	}
	return nil
}

// Restore replaces the learned state by a snapshot. An invalid snapshot leaves the focus unchanged and
// returns an error: orbweaver.ErrDamaged when it cannot be read, orbweaver.ErrForeign when it has terms that
// the focus lacks.
func (f *Focus) Restore(r io.Reader) error {
	var s snapshot
	if err := json.NewDecoder(io.LimitReader(r, maxSnapshot)).Decode(&s); err != nil {
		return fmt.Errorf("keyword focus: snapshot: %w: %w", orbweaver.ErrDamaged, err)
	}
	if s.Version != snapshotVersion || s.Pages < 0 {
		return fmt.Errorf("keyword focus: snapshot of version %d, %d pages: %w", s.Version, s.Pages, orbweaver.ErrDamaged)
	}
	calibration := new(accept.Calibration)
	if len(s.Accept) > 0 {
		var err error
		if calibration, err = accept.Read(s.Accept); err != nil {
			return fmt.Errorf("keyword focus: snapshot: %w", err)
		}
	}
	restored := newRarity(len(f.terms))
	restored.pages = s.Pages
	for _, term := range slices.Sorted(maps.Keys(s.DF)) {
		t, df := slices.Index(f.terms, term), s.DF[term]
		switch {
		case t < 0:
			return fmt.Errorf("keyword focus: snapshot: term %q is not looked for: %w", term, orbweaver.ErrForeign)
		case df < 0 || df > s.Pages:
			return fmt.Errorf("keyword focus: snapshot: term %q on %d of %d pages: %w", term, df, s.Pages, orbweaver.ErrDamaged)
		}
		restored.df[t] = df
	}
	restored.weigh()
	f.rarity, f.accept = restored, calibration
	return nil
}
