package ledger

import (
	"context"
	"errors"
	"fmt"

	"github.com/cockroachdb/pebble/v2"

	"orbweaver/internal/database/kv"
	"orbweaver/rdf"
	"orbweaver/rdf/quads"
	"orbweaver/rdf/sparql/eval"
)

// Committed returns the quad store as of the last group written to the database. Any goroutine may call it, and must
// close the snapshot before the ledger is closed.
func (l *Ledger) Committed() *quads.Snapshot { return l.quads.store.Snapshot() }

// Update changes the quad store: when it returns nil, all changes are on the disk; after an error, or a panic, none
// is. The caller must have the ledger to itself.
func (l *Ledger) Update(ctx context.Context, change func(*Change) error) (err error) {
	if err := l.apply(true); err != nil {
		return err
	}
	w, b, kept := l.quads.writer, l.db.NewIndexedBatch(), false
	defer func() {
		if !kept {
			err = errors.Join(err, w.Discard())
		}
		err = errors.Join(err, b.Close())
	}()
	w.Begin(b)
	if err := change(&Change{ctx: ctx, ledger: l, writer: w, batch: b}); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := w.Finish(); err != nil {
		return err
	}
	err = l.db.Err()
	if err == nil {
		err = l.db.Apply(b, pebble.Sync)
	}
	if err != nil {
		return fmt.Errorf("ledger: %w", err)
	}
	w.Committed()
	kept, l.unsynced = true, true
	return l.Sync()
}

// maxChange bounds the bytes of an update.
const maxChange = 1 << 30

// errTooMuch reports an update beyond maxChange.
var errTooMuch = fmt.Errorf("%w: the update changes more than a gigabyte at once", eval.ErrMemory)

// A Change is an update of the quad store in progress, which rdf/sparql/eval drives.
type Change struct {
	ctx    context.Context
	ledger *Ledger
	writer *quads.Writer
	batch  kv.Batch
}

// View returns the store as the update has left it so far.
func (c *Change) View() (quads.Reader, func() error, error) {
	if err := c.writer.Finish(); err != nil {
		return nil, nil, err
	}
	return c.ledger.quads.store.Over(c.batch), func() error { return nil }, nil
}

// Add adds a quad, unless the context is done.
func (c *Change) Add(q rdf.Quad) error {
	if err := c.may(); err != nil {
		return err
	}
	_, err := c.writer.Add(q, "")
	return err
}

// Remove removes a quad, unless the context is done.
func (c *Change) Remove(q rdf.Quad) error {
	if err := c.may(); err != nil {
		return err
	}
	_, err := c.writer.Remove(q, "")
	return err
}

// Clear removes a graph; the zero term is the default graph.
func (c *Change) Clear(graph rdf.Term) error {
	if err := c.may(); err != nil {
		return err
	}
	_, err := c.writer.Drop(graph)
	return err
}

func (c *Change) may() error {
	if c.batch.Len() > maxChange {
		return errTooMuch
	}
	return c.ctx.Err()
}
