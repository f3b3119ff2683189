package search

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/cockroachdb/pebble/v2"

	"orbweaver/internal/database/kv"
)

// compactBatch is the number of bytes per commit of Compact.
const compactBatch = 4 << 20

// Compact removes deleted documents from the lists, and merges small lists. It reads the whole index, and is
// worthwhile when Stats.Dead approaches Documents. Call it between batches; it commits its own batches.
// Searches return the same before, after and, if it is interrupted, in between.
func (w *Writer) Compact(ctx context.Context) error {
	if w.batch != nil {
		return errors.New("search index: Compact within a batch")
	}
	c := compacter{Writer: w, ctx: ctx}
	err := c.commit(w.gather)
	if err == nil {
		err = c.lists()
	}
	if err == nil {
		err = c.commit(c.tables)
	}
	if err != nil {
		err = errors.Join(err, w.Discard())
	}
	return err
}

// A compacter compacts. One batch contains all changes to a list, or to the lists of a term that are merged.
type compacter struct {
	*Writer
	ctx     context.Context
	grave   *graveyard
	out     kv.Batch
	old     [][]byte // keys of lists being merged
	list    *list    // the merged list
	lighter bool     // deleted documents were dropped
}

// commit commits the batch filled by f, with the totals.
func (c *compacter) commit(f func() error) error {
	b := c.store.db.NewBatch()
	defer b.Close()
	c.Begin(b)
	c.changed = true
	if err := f(); err != nil {
		return err
	}
	if err := c.Finish(); err != nil {
		return err
	}
	if err := b.Commit(pebble.NoSync); err != nil {
		return fmt.Errorf("search index: %w", err)
	}
	c.Committed()
	return nil
}

// lists rewrites the lists of all terms.
func (c *compacter) lists() error {
	if c.totals.dead > 0 {
		c.grave = newGraveyard(func(n uint64) ([]byte, error) { return c.store.readDead(c.store.db, n) })
	}
	iter, err := c.store.db.NewIter(&pebble.IterOptions{LowerBound: c.store.key(stemLetter), UpperBound: c.store.key(endLetter)})
	if err != nil {
		return fmt.Errorf("search index: %w", err)
	}
	c.out = c.store.db.NewBatch()
	defer func() { c.out.Close() }() // replaced during the loop
	for ok := iter.First(); ok && err == nil; ok = iter.Next() {
		err = c.take(iter)
	}
	if err = errors.Join(err, iter.Error(), iter.Close()); err == nil {
		err = c.join()
	}
	if err == nil && c.grave != nil {
		err = c.grave.err
	}
	if err == nil {
		err = c.out.Commit(pebble.NoSync)
	}
	return err
}

// take reads a list.
func (c *compacter) take(iter kv.Iterator) error {
	key := iter.Key()
	if len(key) < len(c.store.prefix)+11 {
		return damaged(key)
	}
	term := key[len(c.store.prefix) : len(key)-9]
	if c.list == nil || c.list.term != string(term) || c.list.size() >= c.store.limits.listBytes {
		if err := c.join(); err != nil {
			return err
		}
		c.list = &list{term: string(term)}
	}
	p, ok := readPart(readNumber(key), iter.Value())
	if !ok || c.list.count > 0 && p.first <= c.list.last {
		return damaged(key)
	}
	c.old = append(c.old, slices.Clone(key))
	var d decoder
	for d.start(p); d.next(); {
		if c.grave.has(d.number) {
			c.lighter = true
			continue
		}
		var at []byte
		if term[0] == stemLetter {
			at = d.rawPlaces()
		}
		c.list.copy(d.number, d.raw(), at)
	}
	if d.bad {
		return damaged(key)
	}
	return nil
}

// join replaces lists by their merged list, if it differs.
func (c *compacter) join() error {
	if c.lighter || len(c.old) > 1 {
		for _, key := range c.old {
			if err := c.out.Delete(key, nil); err != nil {
				return err
			}
		}
		if c.list.count > 0 {
			if err := c.writeList(c.out, c.list); err != nil {
				return err
			}
		}
	}
	c.old, c.list, c.lighter = nil, nil, false
	if c.ctx.Err() != nil {
		return context.Cause(c.ctx)
	}
	if c.out.Len() < compactBatch {
		return nil
	}
	if err := c.out.Commit(pebble.NoSync); err != nil {
		return fmt.Errorf("search index: %w", err)
	}
	err := c.out.Close()
	c.out = c.store.db.NewBatch()
	return err
}

// tables removes the records of deleted documents, which are in no list now, and their marks.
func (c *compacter) tables() error {
	if c.grave == nil {
		return nil
	}
	iter, err := c.store.db.NewIter(&pebble.IterOptions{LowerBound: c.store.key(tableLetter), UpperBound: c.store.key(tableLetter + 1)})
	if err != nil {
		return fmt.Errorf("search index: %w", err)
	}
	for ok := iter.First(); ok && err == nil; ok = iter.Next() {
		err = c.table(iter)
	}
	c.totals.dead = 0
	return errors.Join(err, c.grave.err, iter.Error(), iter.Close(),
		c.Writer.batch.DeleteRange(c.store.key(deadLetter), c.store.key(deadLetter+1), nil))
}

// table writes a table without the deleted documents, but keeps norms that are not stored elsewhere.
func (c *compacter) table(iter kv.Iterator) error {
	t, ok := readTable(readNumber(iter.Key()), iter.Value())
	if !ok {
		return damaged(iter.Key())
	}
	records, living, changed := t.records(), 0, false
	for i := range records {
		if c.grave.has(t.first + uint64(i)) {
			records[i], changed = record{norm: gone}, true
		}
		if records[i].norm != gone {
			living++
		}
	}
	switch {
	case living == 0:
		return c.Writer.batch.Delete(iter.Key(), nil)
	case changed:
		return c.Writer.batch.Set(iter.Key(), appendTable(nil, records), nil)
	}
	return nil
}
