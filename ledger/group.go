package ledger

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/cockroachdb/pebble/v2"
)

// Limits of a group, in bytes and batches.
const (
	maxGroup   = 1 << 20
	maxBatches = 32
)

// A group holds the batches committed since the last apply. The database writes them as one, so that a killed
// process leaves the state at the end of a batch. It does so only after before has flushed the archive to the
// operating system, and the journal with it: the bytes that the batches refer to.
type group struct {
	writer
	begun    bool // something was committed
	batches  int
	outcomes map[uint64]int64 // request → its outcome in the group
	err      error
}

// Before sets how the archive, whose marks are in Batch.Archive, is made durable. flush hands it to the
// operating system before each group. sync writes it to the disk before the database syncs its log, in Sync
// or by itself. Both are called by the committing goroutine, or while it waits; sync is not called after Close has begun.
func (l *Ledger) Before(flush, sync func() error) {
	l.before = flush
	l.db.Before(sync)
}

// apply writes the group to the database; with sync it also hands it to the operating system. After an error
// nothing more is written: the ledger stays as of the last group.
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
	l.inlinks.store(&g.writer, &l.state)
	l.accounts(&g.writer)
	l.writeOpinions(&g.writer)
	if err := l.post(&g.writer); err != nil {
		return err
	}
	if l.chances != nil {
		g.set([]byte{tableChances}, l.chances)
		l.chances = nil
	}
	if err := l.quads.finish(); err != nil {
		return err
	}
	l.state.Journal, l.state.JournalSum = l.journal.length, l.journal.sum(l.state.JournalSum)
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
	if err := l.journal.flush(); err != nil { // last, so that a kill takes back hardly a line that somebody has read
		return err
	}
	if err := l.db.Apply(g.b, how); err != nil {
		return err
	}
	err = g.b.Close()
	l.quads.committed()
	l.records.settled()
	l.keys.settled()
	if l.unload {
		l.opinions.settled()
		l.unload = false
	}
	l.seen.committed(l.state.Next - 1)
	g.b, g.begun, g.batches = l.db.NewBatch(), false, 0
	clear(g.outcomes)
	clear(l.needs.fates)
	clear(l.needs.spent)
	l.unsynced, l.applied = true, l.state.N
	return err
}

// settle writes the group to the database before a read. It must be called by the committing goroutine; the
// next commit returns its error.
func (l *Ledger) settle() { _ = l.apply(false) }

// Flush hands everything committed to the operating system, so that a killed process loses none of it.
func (l *Ledger) Flush() error { return l.apply(true) }

// Sync makes everything committed safe from a power cut, the archive first.
func (l *Ledger) Sync() error {
	if err := l.apply(true); err != nil {
		return err
	}
	synced := make(chan error) // the system writes many pages on the account of the thread that asks
	go func() {
		err := l.journal.sync()
		if err == nil {
			err = l.db.Force()
		}
		synced <- err
	}()
	if err := <-synced; err != nil {
		l.group.err = fmt.Errorf("ledger: %w", err) // the state of the disk is unknown: no write may follow
	}
	return l.group.err
}

// errAbandoned ends the writing of a ledger.
var errAbandoned = errors.New("ledger: abandoned")

// Abandon releases the folder and keeps what was flushed, as a killed process does: it is for a worker whose partitions are another's now.
func (l *Ledger) Abandon() error {
	l.group.err = cmp.Or(l.group.err, errAbandoned)
	if err := l.Close(); !errors.Is(err, errAbandoned) {
		return err
	}
	return nil
}

// Close releases the folder and keeps what was committed. The archive must be closed before.
func (l *Ledger) Close() error {
	l.db.Before(nil)
	l.leaving.Wait()
	err := l.apply(true)
	problems := errors.Join(l.group.b.Close(), l.journal.close(), l.db.Close())
	if failed := l.db.Err(); err == nil && failed != nil {
		err = fmt.Errorf("ledger: %w", failed)
	}
	return errors.Join(err, problems)
}
