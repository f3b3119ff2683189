package bus

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
)

// A quota is the entry of a limit of the whole crawl.
type quota struct {
	Taken int64  `json:"taken"`
	Tag   string `json:"tag"`
}

// quotaKey is the key of a quota. A name may be any text: it is encoded.
func quotaKey(name string) (string, error) {
	if name == "" || len(name) > longestID {
		return "", fmt.Errorf("quota %q: %w: 1 to %d bytes", name, ErrName, longestID)
	}
	return "quota." + hex.EncodeToString([]byte(name)), nil
}

// Take takes up to want of what is left of a crawl-wide limit, and returns how much it got; 0: nothing is left. What all workers
// took less what they gave back is never more than limit, as long as the servers lose nothing. What a worker that died had taken stays taken, and
// so does what was taken by a call that failed before it knew.
func (b *Bus) Take(ctx context.Context, name string, want, limit int64) (int64, error) {
	if want < 0 {
		return 0, fmt.Errorf("quota %q: %d wanted", name, want)
	}
	return b.change(ctx, name, func(taken int64) int64 { return max(0, min(want, limit-taken)) })
}

// GiveBack gives back what was taken and not used.
func (b *Bus) GiveBack(ctx context.Context, name string, amount int64) error {
	if amount < 0 {
		return fmt.Errorf("quota %q: %d given back", name, amount)
	}
	_, err := b.change(ctx, name, func(taken int64) int64 { return -min(amount, taken) })
	return err
}

// change adds to what is taken of a quota.
func (b *Bus) change(ctx context.Context, name string, by func(taken int64) int64) (int64, error) {
	key, err := quotaKey(name)
	if err != nil {
		return 0, err
	}
	for p := (pause{}); ; {
		q := quota{}
		revision, err := b.get(ctx, key, &q)
		if err != nil {
			return 0, fmt.Errorf("quota %q: %w", name, err)
		}
		n := by(q.Taken)
		if n == 0 {
			return 0, nil
		}
		_, err = b.put(ctx, key, quota{Taken: q.Taken + n, Tag: tag()}, revision)
		if err == nil {
			return n, nil
		}
		if errors.Is(err, errConflict) {
			err = p.wait(ctx)
		}
		if err != nil {
			return 0, fmt.Errorf("quota %q: %w", name, err)
		}
	}
}
