package keyword

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"

	"orbweaver"
	"orbweaver/focus/accept"
)

// shared are the counts that other workers of the crawl have shared: they are part of the focus's own.
type shared struct {
	rarity
	accept *accept.Calibration
}

func newShared(terms int) shared { return shared{newRarity(terms), new(accept.Calibration)} }

// Share writes the counts of this focus's own pages, of terms and of scores, as a snapshot.
func (f *Focus) Share(w io.Writer) error {
	s := f.snapshot(f.rarity.plus(f.others.rarity, -1), f.accept.Less(f.others.accept))
	if err := json.NewEncoder(w).Encode(s); err != nil {
		return fmt.Errorf("keyword focus: share: %w", err)
	}
	return nil
}

// Take adds what other workers have counted.
func (f *Focus) Take(_ context.Context, from []orbweaver.Shared) (orbweaver.Lesson, error) {
	others := newShared(len(f.terms))
	for _, one := range from {
		var s snapshot
		if err := json.NewDecoder(io.LimitReader(bytes.NewReader(one.Body), maxSnapshot)).Decode(&s); err != nil {
			return orbweaver.Lesson{}, fmt.Errorf("keyword focus: what %s shares: %w: %w", one.From, orbweaver.ErrDamaged, err)
		}
		counted, scores, err := f.counts(s)
		if err != nil {
			return orbweaver.Lesson{}, fmt.Errorf("%s: %w", one.From, err)
		}
		others = shared{others.plus(counted, 1), others.accept.Plus(scores)}
	}
	f.rarity = f.rarity.plus(f.others.rarity, -1).plus(others.rarity, 1)
	f.accept = f.accept.Less(f.others.accept).Plus(others.accept)
	f.others = others
	return orbweaver.Lesson{}, nil
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
