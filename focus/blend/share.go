package blend

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"slices"

	"orbweaver"
)

// Share writes what each part shares, with its length; nothing of a part that shares nothing. What links were worth to the blend itself each worker learns
// by itself.
func (f *Focus) Share(w io.Writer) error {
	var all []byte
	for _, part := range f.parts {
		var own bytes.Buffer
		if part.sharer != nil {
			if err := part.sharer.Share(&own); err != nil {
				return fmt.Errorf("part %s: %w", part.Name, err)
			}
		}
		all = append(binary.AppendUvarint(all, uint64(own.Len())), own.Bytes()...)
	}
	if _, err := w.Write(all); err != nil {
		return fmt.Errorf("blend: share: %w", err)
	}
	return nil
}

// Take gives each part what the same part of other workers shares.
func (f *Focus) Take(ctx context.Context, shared map[string][]byte) (lesson orbweaver.Lesson, err error) {
	rest := maps.Clone(shared)
	for _, part := range f.parts {
		own := map[string][]byte{}
		for from, body := range rest {
			n, size := binary.Uvarint(body)
			if size <= 0 || n > uint64(len(body)-size) {
				return lesson, fmt.Errorf("blend: what %s shares: %w", from, orbweaver.ErrDamaged)
			}
			own[from], rest[from] = body[size:size+int(n)], body[size+int(n):]
		}
		if part.sharer == nil {
			continue
		}
		one, err := part.sharer.Take(ctx, own)
		if err != nil {
			return lesson, fmt.Errorf("part %s: %w", part.Name, err)
		}
		lesson.Facts = append(lesson.Facts, one.Facts...)
		lesson.Stale = part.stale(lesson.Stale, one.Stale)
	}
	slices.Sort(lesson.Stale)
	return lesson, nil
}
