package ledger

import (
	"cmp"
	"context"
	"fmt"
)

// Checkpoint copies the database to a new folder, as of the last group that was written: what a crash at this moment would leave.
// Tables, which never change, are linked where the file system can. Any goroutine may call it unless pages are committed meanwhile.
func (l *Ledger) Checkpoint(folder string) error {
	err := l.db.Checkpoint(folder)
	if err = cmp.Or(l.db.Err(), err); err != nil {
		return fmt.Errorf("ledger: %w", err)
	}
	return nil
}

// Compact frees the space of what was replaced or removed, beside readers and writers, and returns the bytes on the disk before and
// after.
func (l *Ledger) Compact(ctx context.Context) (before, after int64, err error) {
	l.db.Stir()
	before = l.db.Size()
	if err = l.db.Err(); err == nil {
		err = l.db.Flush()
	}
	if err == nil {
		err = l.db.Squeeze(func() error { return l.db.Compact(ctx, []byte{0}, []byte{0xff}, true) })
	}
	if err == nil {
		err = l.db.Err()
	}
	if err != nil {
		return before, before, fmt.Errorf("ledger: %w", err)
	}
	return before, l.db.Size(), nil
}

// Sweep removes the terms that no statement has any more. The caller must have the ledger to itself.
func (l *Ledger) Sweep(ctx context.Context) (int64, error) {
	if err := l.apply(true); err != nil {
		return 0, err
	}
	n, err := l.quads.writer.Sweep(ctx)
	if err = cmp.Or(l.db.Err(), err); err != nil {
		return n, fmt.Errorf("ledger: %w", err)
	}
	return n, nil
}
