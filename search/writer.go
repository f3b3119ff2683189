package search

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/cockroachdb/pebble/v2"

	"orbweaver/internal/database/kv"
)

// A Writer changes an index, batch by batch:
//
//	w.Begin(batch)    later changes go into batch, besides the caller's own
//	w.Put, w.Delete   see earlier changes of the batch
//	w.Finish()        completes the batch: no changes until the caller has
//	                  committed it
//	w.Committed()     or w.Discard(), if it was not
//
// It is not safe for concurrent use, and an index has at most one. After an error the batch must not be
// committed. It takes about 20 MB, and a batch about as much as the texts put into it.
type Writer struct {
	store   *Store
	batch   kv.Batch
	changed bool
	totals  totals
	ids     map[uint64]located // changed by the batch
	dead    map[uint64][]byte  // blocks changed by the batch
	put     *inverted          // not in the batch yet
	key     []byte             // buffer
	value   []byte
}

// A located is the number of a document; 0 if it is deleted.
type located struct {
	number  uint64
	lengths lengths
}

// errNoBatch means that Begin was not called.
var errNoBatch = errors.New("search index: no batch was begun")

// Writer returns the index's writer.
func (s *Store) Writer() (*Writer, error) {
	w := &Writer{store: s, put: newInverted(1, s.limits)}
	return w, w.Discard()
}

// Begin directs changes to a batch, which need not be indexed.
func (w *Writer) Begin(b kv.Batch) { w.batch = b }

// Discard drops the changes since Begin: the batch was not committed.
func (w *Writer) Discard() (err error) {
	w.totals, err = w.store.totals(w.store.db)
	w.Committed()
	return err
}

// Committed reports to the Writer that the batch was committed after Finish.
func (w *Writer) Committed() {
	w.batch, w.changed = nil, false
	w.ids, w.dead = map[uint64]located{}, map[uint64][]byte{}
	w.put.reset(w.totals.next)
}

// Put adds a document or replaces the one with its ID. The error wraps ErrFields if there are too many fields;
// then nothing was changed.
func (w *Writer) Put(d Document) error {
	if w.batch == nil {
		return errNoBatch
	}
	texts, err := w.number(d)
	if err != nil {
		return fmt.Errorf("search index: document %d: %w", d.ID, err)
	}
	if _, err := w.Delete(d.ID); err != nil {
		return err
	}
	w.changed = true
	for _, t := range texts {
		if lang := langOf(t.Lang); !slices.Contains(w.totals.langs, lang) {
			w.totals.langs = append(w.totals.langs, lang)
		}
	}
	number := w.put.next()
	r := w.put.put(d.ID, texts, &w.store.stemmers)
	w.totals.next = number + 1
	w.totals.count(r.lengths, true)
	w.ids[d.ID] = located{number, r.lengths}
	w.value = r.lengths.append(binary.AppendUvarint(w.value[:0], number))
	if err := w.batch.Set(w.store.numberKey(idLetter, d.ID), w.value, nil); err != nil {
		return err
	}
	if w.put.full() {
		return w.segment()
	}
	return nil
}

// number returns a document's texts by field number, and assigns numbers to new fields.
func (w *Writer) number(d Document) ([]numbered, error) {
	texts := make([]numbered, len(d.Texts))
	known := len(w.totals.fields)
	for i, t := range d.Texts {
		at := w.totals.fieldOf(t.Field)
		if at < 0 {
			at = len(w.totals.fields)
			if at == maxFields || t.Field == "" || len(t.Field) > maxName {
				w.totals.fields = w.totals.fields[:known]
				return nil, fmt.Errorf("field %.80q: %w", t.Field, ErrFields)
			}
			w.totals.fields = append(w.totals.fields, field{name: t.Field})
		}
		texts[i] = numbered{t, uint8(at)}
	}
	slices.SortStableFunc(texts, func(a, b numbered) int { return int(a.field) - int(b.field) })
	return texts, nil
}

// Delete removes a document, and reports whether it existed.
func (w *Writer) Delete(id uint64) (bool, error) {
	if w.batch == nil {
		return false, errNoBatch
	}
	at, err := w.locate(id)
	if err != nil || at.number == 0 {
		return false, err
	}
	block, err := w.deadBlock(at.number)
	if err != nil {
		return false, err
	}
	bit := at.number % deadBlock
	block[bit/8] |= 1 << (bit % 8)
	w.changed = true
	w.totals.dead++
	w.totals.count(at.lengths, false)
	w.ids[id] = located{}
	return true, w.batch.Delete(w.store.numberKey(idLetter, id), nil)
}

// locate returns the location of a document, including changes of the batch.
func (w *Writer) locate(id uint64) (located, error) {
	if at, ok := w.ids[id]; ok {
		return at, nil
	}
	return w.store.locate(w.store.db, id, &w.totals)
}

func (s *Store) locate(r kv.Reader, id uint64, t *totals) (at located, err error) {
	_, err = get(r, s.numberKey(idLetter, id), func(value []byte) bool {
		f := fields{b: value}
		at = located{f.number(), f.lengths(len(t.fields))}
		return !f.bad && len(f.b) == 0 && at.number > 0 && at.number < t.next
	})
	return at, err
}

// deadBlock returns the block of bits with a number, including changes of the batch.
func (w *Writer) deadBlock(number uint64) ([]byte, error) {
	n := number / deadBlock
	if b := w.dead[n]; b != nil {
		return b, nil
	}
	b, err := w.store.readDead(w.store.db, n)
	if b == nil {
		b = make([]byte, deadBlock/8)
	}
	if err == nil {
		w.dead[n] = b
	}
	return b, err
}

// Finish completes the batch.
func (w *Writer) Finish() error {
	if !w.changed || w.batch == nil {
		return nil
	}
	err := w.rest()
	for _, n := range sortedKeys(w.dead) {
		if err == nil {
			err = w.batch.Set(w.store.numberKey(deadLetter, n), w.dead[n], nil)
		}
	}
	if err != nil {
		return err
	}
	w.value = w.totals.append(w.value[:0])
	err = w.batch.Set(w.store.key(totalLetter), w.value, nil)
	w.batch = nil
	return err
}

// rest writes the new documents individually, or as a segment.
func (w *Writer) rest() error {
	if len(w.put.records) == 0 {
		return nil
	}
	if w.put.large {
		return w.segment()
	}
	l := w.store.limits
	if w.totals.waiting+uint64(len(w.put.records)) > uint64(l.waitingDocs) || w.totals.waitingBytes >= uint64(l.waitingBytes) {
		if err := w.gather(); err != nil {
			return err
		}
	}
	for i := range w.put.records {
		w.value = w.put.appendWaiting(w.value[:0], i)
		if err := w.batch.Set(w.store.numberKey(waitingLetter, w.put.first+uint64(i)), w.value, nil); err != nil {
			return err
		}
		w.totals.waiting++
		w.totals.waitingBytes += uint64(len(w.value))
	}
	w.put.reset(w.totals.next)
	return nil
}

// segment makes a segment of the new documents, after one of the unsegmented documents.
func (w *Writer) segment() error {
	if err := w.gather(); err != nil {
		return err
	}
	if err := w.write(w.put); err != nil {
		return err
	}
	w.put.reset(w.totals.next)
	return nil
}

// gather makes a segment of the unsegmented documents in the database.
func (w *Writer) gather() error {
	if w.totals.waiting == 0 {
		return nil
	}
	first := w.put.first - w.totals.waiting
	v := newInverted(first, w.store.limits)
	start, end := w.store.numberKey(waitingLetter, first), w.store.numberKey(waitingLetter, w.put.first)
	iter, err := w.store.db.NewIter(&pebble.IterOptions{LowerBound: start, UpperBound: end})
	if err != nil {
		return err
	}
	for ok := iter.First(); ok && err == nil; ok = iter.Next() {
		err = w.take(v, iter)
	}
	if err = errors.Join(err, iter.Error(), iter.Close()); err != nil {
		return err
	}
	if uint64(len(v.records)) != w.totals.waiting {
		return fmt.Errorf("search index: %d documents wait, not %d: %w", len(v.records), w.totals.waiting, ErrDamaged)
	}
	w.totals.waiting, w.totals.waitingBytes = 0, 0
	if err := w.write(v); err != nil {
		return err
	}
	return w.batch.DeleteRange(start, end, nil)
}

// take adds an unsegmented document to a segment, without its terms if it is deleted.
func (w *Writer) take(v *inverted, iter kv.Iterator) error {
	doc, ok := readWaiting(readNumber(iter.Key()), iter.Value())
	if !ok || doc.number != v.next() {
		return damaged(iter.Key())
	}
	v.records = append(v.records, doc.record)
	block, err := w.deadBlock(doc.number)
	if bit := doc.number % deadBlock; err != nil || block[bit/8]>>(bit%8)&1 != 0 {
		return err
	}
	for i := range doc.len() {
		term, docs, at := doc.term(i)
		if term == nil {
			return damaged(iter.Key())
		}
		l := v.list(term)
		v.begin(l, doc.number)
		l.append(docs, at)
	}
	return nil
}

// write adds a segment to the batch.
func (w *Writer) write(v *inverted) error {
	for _, l := range v.sorted() {
		if err := w.writeList(w.batch, l); err != nil {
			return err
		}
	}
	w.value = appendTable(w.value[:0], v.records)
	return w.batch.Set(w.store.numberKey(tableLetter, v.first), w.value, nil)
}

func (w *Writer) writeList(b kv.Batch, l *list) error {
	w.key = binary.BigEndian.AppendUint64(w.store.appendList(w.key[:0], l.term), l.first)
	w.value = l.header(w.value[:0])
	op := b.SetDeferred(len(w.key), len(w.value)+len(l.docs)+len(l.at))
	copy(op.Key, w.key)
	n := copy(op.Value, w.value)
	n += copy(op.Value[n:], l.docs)
	copy(op.Value[n:], l.at)
	return op.Finish()
}
