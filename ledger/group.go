package ledger

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/cockroachdb/pebble/v2"
)

// How many bytes of batches, and how many batches, are gathered at most before they are written together.
const (
	maxGroup   = 1 << 20
	maxBatches = 32
)

// A group is the batches committed since the last apply. They come to the database as one, so that what
// a killed process leaves is that of a batch's end; and after the bytes that they speak of: before
// hands those of the archive to the operating system, the journal's go with them.
type group struct {
	writer
	begun   bool // something was committed
	batches int
	err     error
}

// Before says what is done to the archive, of which the marks in Batch.Archive speak: flush, which hands
// it to the operating system, ahead of each group's way there; sync, which brings it to the disk, before
// the database brings there what it was told, in Sync and of its own accord. Both are called by the
// goroutine that commits, and sync no more once Close is.
func (l *Ledger) Before(flush, sync func() error) {
	l.before = flush
	l.db.Before(sync)
}

// apply brings what was committed to the database; sync hands it to the operating system too. After an
// error nothing more is written: the ledger is as of the last group.
func (l *Ledger) apply(sync bool) error {
	g := &l.group
	err := l.db.Err()
	switch {
	case g.err != nil:
		return g.err
	case err != nil:
	case g.begun:
		err = l.write(sync)
	case sync && l.unsynced:
		err = l.db.LogData(nil, pebble.Sync)
	}
	if err = cmp.Or(l.db.Err(), err); err != nil {
		g.err = fmt.Errorf("ledger: %w", err)
		return g.err
	}
	l.unsynced = l.unsynced && !sync
	return nil
}

// write is apply for a group that is not empty.
func (l *Ledger) write(sync bool) error {
	g := &l.group
	if l.before != nil {
		if err := l.before(); err != nil {
			return err
		}
	}
	if err := l.journal.flush(); err != nil {
		return err
	}
	l.inlinks.store(&g.writer, &l.state)
	l.accounts(&g.writer)
	l.opine(&g.writer)
	if err := l.said.finish(); err != nil {
		return err
	}
	l.state.Journal = l.journal.length
	value, err := json.Marshal(l.state)
	if err != nil {
		return err
	}
	g.set([]byte{tableState}, value)
	if g.writer.err != nil {
		return g.writer.err
	}
	how := pebble.NoSync
	if sync {
		how = pebble.Sync
	}
	if err := l.db.Apply(g.b, how); err != nil {
		return err
	}
	err = g.b.Close()
	l.said.committed()
	l.records.settled()
	l.keys.settled()
	if l.unload {
		l.opinions.settled()
		l.unload = false
	}
	l.seen.committed(l.state.Next - 1)
	g.b, g.begun, g.batches = l.db.NewBatch(), false, 0
	l.unsynced, l.applied = true, l.state.N
	return err
}

// settle brings what was committed to the database, for those who are about to read it. It is for the
// goroutine that commits; an error comes up again at its next commit.
func (l *Ledger) settle() { _ = l.apply(false) }

// Flush has all that was committed with the operating system when it returns: whoever kills the process
// loses none of it.
func (l *Ledger) Flush() error { return l.apply(true) }

// Sync makes all that was committed safe from a power cut, the archive first.
func (l *Ledger) Sync() error {
	if err := l.apply(true); err != nil {
		return err
	}
	if err := errors.Join(l.journal.sync(), l.db.Force()); err != nil {
		l.group.err = fmt.Errorf("ledger: %w", err) // nobody knows what the disk has: it is not to be built upon
	}
	return l.group.err
}

// Close releases the folder. What was committed stays. The archive is to be closed before.
func (l *Ledger) Close() error {
	l.db.Before(nil)
	err := l.apply(true)
	problems := errors.Join(l.group.b.Close(), l.journal.close(), l.db.Close())
	if failed := l.db.Err(); err == nil && failed != nil {
		err = fmt.Errorf("ledger: %w", failed)
	}
	return errors.Join(err, problems)
}
