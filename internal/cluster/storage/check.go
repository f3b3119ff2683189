package storage

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"
)

// leftover is the age at which what a killed process left is removed: longer than any write takes, and than clocks differ.
const leftover = 24 * time.Hour

// check writes, reads, lists and deletes an object that no other has, and removes what killed processes left.
func (s *store) check(ctx context.Context) error {
	name := checkMark + rand.Text()
	body := []byte("orbweaver checks that it can write here, and removes this\n")
	err := retry(ctx, s.patience, func() error { return s.to.put(ctx, name, body) })
	if err != nil {
		return fmt.Errorf("cannot write: %w", err)
	}
	if err := s.checkReads(ctx, name, body); err != nil {
		if gone := s.to.remove(ctx, name); gone != nil {
			err = errors.Join(err, fmt.Errorf("%s stays: %w", name, gone))
		}
		return err
	}
	if err := retry(ctx, s.patience, func() error { return s.to.remove(ctx, name) }); err != nil {
		return fmt.Errorf("cannot delete: %w", err)
	}
	s.to.sweep(ctx)
	return nil
}

// checkReads reads and lists what check wrote.
func (s *store) checkReads(ctx context.Context, name string, body []byte) error {
	err := retry(ctx, s.patience, func() error {
		got, err := s.to.span(ctx, name, 0, int64(len(body))+1)
		if err == nil && !bytes.Equal(got, body) {
			return fmt.Errorf("%d bytes were written, and %d others are read", len(body), len(got))
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("cannot read: %w", err)
	}
	found := false
	for o, err := range s.listed(ctx, checkMark) {
		if err != nil {
			return fmt.Errorf("cannot list: %w", err)
		}
		found = found || o.Name == name
		if o.Name != name && time.Since(o.changed) > leftover {
			_ = s.to.remove(ctx, o.Name) // the next to open it tries again
		}
	}
	if !found {
		return errors.New("cannot list: what was written is not there")
	}
	return nil
}
