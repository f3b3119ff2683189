package keyword

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"

	"orbweaver"
	"orbweaver/focus/accept"
)

// taken are counts, as other workers of the crawl have shared them: these are part of the focus's own.
type taken struct {
	rarity
	accept *accept.Calibration
}

func newTaken(terms int) taken { return taken{newRarity(terms), new(accept.Calibration)} }

// Share writes the counts of this focus's own pages, of terms and of scores, as a snapshot.
func (f *Focus) Share(w io.Writer) error {
	s := f.snapshot(f.rarity.plus(f.others.rarity, -1), f.accept.Less(f.others.accept))
	if err := json.NewEncoder(w).Encode(s); err != nil {
		return fmt.Errorf("keyword focus: share: %w", err)
	}
	return nil
}

// Take adds what other workers have counted.
func (f *Focus) Take(_ context.Context, shared map[string][]byte) (orbweaver.Lesson, error) {
	others := newTaken(len(f.terms))
	for from, body := range shared {
		var s snapshot
		if err := json.NewDecoder(io.LimitReader(bytes.NewReader(body), maxSnapshot)).Decode(&s); err != nil {
			return orbweaver.Lesson{}, fmt.Errorf("keyword focus: what %s shares: %w: %w", from, orbweaver.ErrDamaged, err)
		}
		counted, scores, err := f.counts(s)
		if err != nil {
			return orbweaver.Lesson{}, fmt.Errorf("%s: %w", from, err)
		}
		others = taken{others.plus(counted, 1), others.accept.Plus(scores)}
	}
	f.rarity = f.rarity.plus(f.others.rarity, -1).plus(others.rarity, 1)
	f.accept = f.accept.Less(f.others.accept).Plus(others.accept)
	f.others = others
	return orbweaver.Lesson{}, nil
}

// Gather replaces the learned state by what the workers of a crawl have counted of their own pages.
func (f *Focus) Gather(_ context.Context, snapshots map[string][]byte) error {
	sum := newTaken(len(f.terms))
	for _, from := range slices.Sorted(maps.Keys(snapshots)) {
		all, others, err := f.read(bytes.NewReader(snapshots[from]))
		if err != nil {
			return fmt.Errorf("%s: %w: %w", from, orbweaver.ErrDamaged, err)
		}
		sum.rarity = sum.rarity.plus(all.rarity.plus(others.rarity, -1), 1)
		sum.accept = sum.accept.Plus(all.accept.Less(others.accept))
	}
	f.rarity, f.accept, f.others = sum.rarity, sum.accept, newTaken(len(f.terms))
	return nil
}

// plus adds counts, sign times.
func (r rarity) plus(more rarity, sign int64) rarity {
	sum := newRarity(len(r.df))
	sum.pages = max(0, r.pages+sign*more.pages)
	for t := range sum.df {
		sum.df[t] = min(sum.pages, max(0, r.df[t]+sign*more.df[t]))
	}
	sum.weigh()
	return sum
}
