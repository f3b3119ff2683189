package quads

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/objstorage/objstorageprovider"
	"github.com/cockroachdb/pebble/v2/sstable"
	"github.com/cockroachdb/pebble/v2/vfs"

	"orbweaver/internal/database/kv"
)

// mergeTerms builds a table of the terms missing from the dictionary, and records collisions of IDs. Among
// colliding terms the existing one keeps the ID, or else the first in byte order.
func (l *load) mergeTerms(ctx context.Context, out *output) (err error) {
	if l.staged != nil {
		if err := l.staged.create(l.store.opts.FS, l.file("names")); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, l.staged.finish(l.store.opts.FS)) }()
	}
	there, err := newPresent(l.db, termLetter)
	if err != nil {
		return err
	}
	var last, moved content // last is, or will be, in the store at its ID; moved is at the next one
	have, n := false, 0
	err = merged(l.store.opts.FS, l.termFiles, readContent, compareContents, func(c *content) error {
		if n++; n%1024 == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if !have || c.id != last.id {
			key := l.store.idKey(termLetter, c.id)
			have, last.id = true, c.id
			if !there.find(key) {
				last.bytes = append(last.bytes[:0], c.bytes...)
				if err := l.list(c); err != nil {
					return err
				}
				return out.set(key, c.bytes)
			}
			last.bytes = append(last.bytes[:0], there.iter.Value()...)
		}
		if !bytes.Equal(c.bytes, last.bytes) && compareContents(c, &moved) != 0 {
			moved.id, moved.bytes = c.id, append(moved.bytes[:0], c.bytes...)
			l.moved[movedKey(c.id, string(c.bytes))]++
			l.collisions = true
		}
		return nil
	})
	return errors.Join(err, there.close(), out.close())
}

// list adds a new term to the names of the stage.
func (l *load) list(c *content) error {
	if l.staged == nil {
		return nil
	}
	sum := sha256.Sum256(c.bytes)
	return l.staged.add(c.id, binary.BigEndian.Uint64(sum[8:])) // as namer.check
}

// mergeTable builds a table of the new quads and the deletions of an ordering, and counts them by predicate
// or by graph if the ordering allows it.
func (l *load) mergeTable(ctx context.Context, t table, out *output) error {
	there, err := newPresent(l.db, tableLetter+byte(t))
	if err != nil {
		return err
	}
	counts := l.counter(t, out)
	marks := l.marker(t, out)
	bytes := l.store.key(tableLetter + byte(t))
	skip := len(bytes)
	var last key
	n, gone := 0, l.gone(t)
	removed := func(next *key) error { // deletions before the next key
		for ; len(gone) > 0 && (next == nil || gone[0].compare(next) < 0); gone = gone[1:] {
			bytes = t.appendKey(bytes[:skip], &gone[0])
			if err := out.delete(bytes); err != nil {
				return err
			}
			if err := counts.remove(&gone[0]); err != nil {
				return err
			}
			if err := marks.mark(&gone[0]); err != nil {
				return err
			}
		}
		return nil
	}
	err = merged(l.store.opts.FS, l.quadFiles[t], keyReader(t), compareKeys, func(k *key) error {
		if n++; n%1024 == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if n > 1 && *k == last {
			return nil
		}
		last = *k
		if err := removed(k); err != nil {
			return err
		}
		if bytes = t.appendKey(bytes[:skip], k); !l.anew() && there.find(bytes) {
			return nil
		}
		if err := out.set(bytes, nil); err != nil {
			return err
		}
		if err := counts.add(k); err != nil {
			return err
		}
		return marks.mark(k)
	})
	if err == nil {
		err = removed(nil)
	}
	if err == nil {
		err = counts.flush()
	}
	if t == defaultSPO || t == namedSPO {
		l.added[t.side()] = counts.all
	}
	err = errors.Join(err, there.close(), out.close())
	for _, beside := range [...]*output{counts.out, counts.parts, marks.out} {
		err = errors.Join(err, beside.close())
		out.done = append(out.done, beside.done...)
	}
	return err
}

// anew reports whether no quad of the graph is in the store.
func (l *load) anew() bool { return l.staged != nil && l.replaced == Default }

// output returns an output beside that of a table.
func (l *load) output(beside *output, what string) *output {
	return &output{store: l.store, small: beside.small, format: beside.format, name: beside.name + what}
}

// counter returns the counter of a table.
func (l *load) counter(t table, out *output) *counter {
	return &counter{db: l.db, table: t, out: l.output(out, "-counts"), parts: l.output(out, "-parts"), stage: l.number}
}

// A marker sets the keys of the subjects of watched quads: see Writer.Watch.
type marker struct {
	out    *output
	key    func(ID) []byte // nil: nothing is watched
	wanted map[ID]bool
	last   ID
}

// marker returns the marker of a table. Only the order of subjects allows it.
func (l *load) marker(t table, out *output) *marker {
	m := &marker{out: l.output(out, "-marks"), wanted: l.wanted}
	if t == namedSPO {
		m.key = l.watched
	}
	return m
}

// mark marks the subject of a quad.
func (m *marker) mark(k *key) error {
	if m.key == nil || k[0] == m.last || !m.wanted[k[1]] {
		return nil
	}
	m.last = k[0]
	return m.out.set(m.key(k[0]), nil)
}

// writeTotals builds a table with the record of totals.
func (l *load) writeTotals() error {
	all, err := l.db.totals()
	if err != nil || l.added == [sides]int64{} && len(l.stale) == 0 {
		return err
	}
	for s := range all {
		all[s] += l.added[s]
	}
	all[sideNamed] -= int64(len(l.stale))
	out := &output{store: l.store, small: true, format: l.store.db.TableFormat(), name: l.file("totals")}
	err = errors.Join(out.set(l.store.key(totalLetter), appendTotals(nil, all)), out.close())
	l.tables = append(l.tables, out.done...)
	return err
}

// A counter counts the new and removed quads of a table: all, and those of each predicate or graph if the table
// is sorted by it.
type counter struct {
	db    *stored
	table table
	out   *output
	parts *output // of statistics, to be added or, once they are in out, to be deleted
	stage uint64  // 0: the load is ingested at once
	all   int64   // new ones
	id    ID      // of the predicate or graph
	stat  stat    // of its new ones
	gone  int64   // of its removed ones
}

// turn advances to a key's predicate or graph.
func (c *counter) turn(k *key) error {
	if k[0] == c.id {
		return nil
	}
	err := c.flush()
	c.id = k[0]
	return err
}

func (c *counter) add(k *key) error {
	c.all++
	if err := c.turn(k); err != nil {
		return err
	}
	if c.table.order() == POSG {
		c.stat.add(POSG.quad(k))
	} else {
		c.stat.quads++
	}
	return nil
}

func (c *counter) remove(k *key) error {
	err := c.turn(k)
	c.gone++
	return err
}

// flush writes the counts, added to the earlier ones.
func (c *counter) flush() error {
	st, gone := c.stat, c.gone
	c.stat, c.gone = stat{}, 0
	if st.quads == 0 && gone == 0 {
		return nil
	}
	switch c.table.order() {
	case POSG:
		of := c.table.side()
		if c.stage != 0 { // others may count the predicate meanwhile
			st.quads -= gone
			return c.parts.set(c.db.partKey(of, c.id, c.stage), appendPart(nil, &st))
		}
		before, parts, err := c.db.stat(of, c.id)
		for _, key := range parts {
			err = errors.Join(err, c.parts.delete(key))
		}
		if err != nil {
			return err
		}
		st.quads += before.quads - gone
		st.subjects.merge(before.subjects)
		st.objects.merge(before.objects)
		if err := c.put(c.db.predicateKey(of, c.id, countOf), st.quads, nil); err != nil {
			return err
		}
		return c.put(c.db.predicateKey(of, c.id, sketchesOf), st.quads, st.appendSketches(nil))
	case GSPO:
		before, err := c.db.graph(c.id)
		if err != nil {
			return err
		}
		return c.put(c.db.idKey(graphLetter, c.id), before+st.quads-gone, nil)
	}
	return nil
}

// put writes the statistics of quads, the number itself without a value, and nothing for none.
func (c *counter) put(key []byte, quads int64, value []byte) error {
	switch {
	case quads < 0:
		return fmt.Errorf("quad store: key %x: %d quads: %w", key, quads, ErrDamaged)
	case quads == 0:
		return c.out.delete(key)
	case value == nil:
		value = binary.AppendUvarint(nil, uint64(quads))
	}
	return c.out.set(key, value)
}

// present reports which of a sorted sequence of keys are in the database.
type present struct {
	iter  kv.Iterator
	valid bool
}

func newPresent(db *stored, letter byte) (*present, error) {
	iter, err := db.reader.NewIter(&pebble.IterOptions{LowerBound: db.key(letter), UpperBound: db.key(letter + 1)})
	if err != nil {
		return nil, err
	}
	return &present{iter, iter.First()}, nil
}

// near is the number of keys that are stepped over one by one before a seek.
const near = 8

func (p *present) find(key []byte) bool {
	for i := 0; p.valid; i++ {
		c := bytes.Compare(p.iter.Key(), key)
		if c >= 0 {
			return c == 0
		}
		if i < near {
			p.valid = p.iter.Next()
		} else {
			p.valid = p.iter.SeekGE(key)
		}
	}
	return false
}

func (p *present) close() error { return p.iter.Close() }

// Sizes of the database tables that Load builds, and of their blocks, in bytes.
const (
	tableSize = 64 << 20
	blockSize = 16 << 10
)

// An output writes sorted keys to database tables.
type output struct {
	store  *Store
	small  bool // of at most smallLoad
	format sstable.TableFormat
	name   string
	done   []string // names of the finished ones
	w      *sstable.Writer
}

func (o *output) set(key, value []byte) error {
	return o.write(func(w *sstable.Writer) error { return w.Set(key, value) })
}

func (o *output) delete(key []byte) error {
	return o.write(func(w *sstable.Writer) error { return w.Delete(key) })
}

// write calls f with a table to write to.
func (o *output) write(f func(*sstable.Writer) error) error {
	if o.w == nil {
		if err := o.open(); err != nil {
			return err
		}
	}
	if err := f(o.w); err != nil {
		return err
	}
	if o.w.Raw().EstimatedSize() < tableSize {
		return nil
	}
	return o.close()
}

func (o *output) open() error {
	name := fmt.Sprintf("%s-%d", o.name, len(o.done))
	f, err := o.store.opts.FS.Create(name, vfs.WriteCategoryUnspecified)
	if err != nil {
		return err
	}
	opts := kv.TableOptions(o.format)
	opts.BlockSize = blockSize
	opts.Compression = sstable.ZstdCompression
	if o.small {
		opts.Compression = sstable.SnappyCompression
	}
	o.w = sstable.NewWriter(objstorageprovider.NewFileWritable(f), opts)
	o.done = append(o.done, name)
	return nil
}

// close finishes the table that is being written, and syncs it.
func (o *output) close() error {
	if o.w == nil {
		return nil
	}
	w := o.w
	o.w = nil
	return w.Close()
}
