package search

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/cockroachdb/pebble/v2"

	"orbweaver/internal/database/kv"
)

// none is greater than every document number.
const none = math.MaxUint64

// A visit is the read state of one query. The first error ends it: afterwards there are no documents.
type visit struct {
	*Store
	ctx     context.Context
	reader  kv.Reader
	totals  totals
	dead    *graveyard // nil: no document is deleted
	waiting []waiting
	arena   *[]byte // the memory of these
	cut     bool    // a prefix has more words than were examined
	iters   []kv.Iterator
	err     error

	table      table
	tables     kv.Iterator
	lastTable  table // of unsegmented documents
	keyScratch []byte
}

// visit begins a read.
func (r Reader) visit(ctx context.Context) (*visit, error) {
	v := &visit{Store: r.store, ctx: ctx, reader: r.reader}
	v.totals, v.err = r.store.totals(r.reader)
	if v.totals.dead > 0 {
		v.dead = newGraveyard(func(n uint64) ([]byte, error) { return v.readDead(v.reader, n) })
	}
	if v.totals.waiting > 0 && v.err == nil {
		v.readWaiting()
	}
	if v.err != nil {
		return nil, v.close()
	}
	return v, nil
}

// close ends it, and returns its error.
func (v *visit) close() error {
	err := v.err
	if v.dead != nil {
		err = errors.Join(err, v.dead.err)
	}
	for _, iter := range v.iters {
		err = errors.Join(err, iter.Close())
	}
	if v.arena != nil {
		v.arenas.Put(v.arena)
	}
	return err
}

func (v *visit) fail(err error) {
	if v.err == nil {
		v.err = err
	}
}

// iter returns an iterator, which is closed with the visit; nil after an error.
func (v *visit) iter(lower, upper []byte) kv.Iterator {
	iter, err := v.reader.NewIter(&pebble.IterOptions{LowerBound: lower, UpperBound: upper})
	if err != nil {
		v.fail(fmt.Errorf("search index: %w", err))
		return nil
	}
	v.iters = append(v.iters, iter)
	return iter
}

// release closes the most recent iterator.
func (v *visit) release() {
	last := len(v.iters) - 1
	if err := v.iters[last].Close(); err != nil {
		v.fail(fmt.Errorf("search index: %w", err))
	}
	v.iters = v.iters[:last]
}

// value returns an iterator's value.
func (v *visit) value(iter kv.Iterator) []byte {
	value, err := iter.ValueAndErr()
	if err != nil {
		v.fail(fmt.Errorf("search index: %w", err))
	}
	return value
}

// readWaiting reads the documents that are not in a segment yet.
func (v *visit) readWaiting() {
	first := v.totals.next - v.totals.waiting
	iter := v.iter(v.numberKey(waitingLetter, first), v.numberKey(waitingLetter, v.totals.next))
	if iter == nil {
		return
	}
	v.arena = v.arenas.Get().(*[]byte)
	all := (*v.arena)[:0]
	var records []record
	for ok := iter.First(); ok && v.err == nil; ok = iter.Next() {
		from := len(all)
		all = append(all, v.value(iter)...) // after growth, earlier slices still refer to valid memory
		w, ok := readWaiting(readNumber(iter.Key()), all[from:len(all):len(all)])
		if !ok || w.number != first+uint64(len(records)) {
			v.fail(damaged(iter.Key()))
			return
		}
		records = append(records, w.record)
		v.waiting = append(v.waiting, w)
	}
	*v.arena = all
	if uint64(len(records)) != v.totals.waiting {
		v.fail(fmt.Errorf("search index: %d documents wait, not %d: %w", len(records), v.totals.waiting, ErrDamaged))
		return
	}
	v.lastTable, _ = readTable(first, appendTable(nil, records))
	v.release()
}

// tableOf returns the table that has a document; nil after an error.
func (v *visit) tableOf(number uint64) *table {
	switch {
	case v.table.has(number):
		return &v.table
	case v.lastTable.has(number):
		v.table = v.lastTable
		return &v.table
	}
	if v.tables == nil {
		if v.tables = v.iter(v.key(tableLetter), v.key(tableLetter+1)); v.tables == nil {
			return nil
		}
	}
	v.keyScratch = binary.BigEndian.AppendUint64(append(append(v.keyScratch[:0], v.prefix...), tableLetter), number+1)
	ok := v.tables.SeekLT(v.keyScratch)
	if ok {
		v.table, ok = readTable(readNumber(v.tables.Key()), v.value(v.tables))
	}
	if !ok || !v.table.has(number) {
		v.fail(fmt.Errorf("search index: no lengths of document %d: %w", number, ErrDamaged))
		return nil
	}
	return &v.table
}

// postings returns the postings of a term.
func (v *visit) postings(term string) *postings {
	lower := v.appendList(nil, term)
	upper := v.appendList(nil, term)
	upper[len(upper)-1]++ // no word has a character so low
	p := &postings{v: v, iter: v.iter(lower, upper)}
	l := list{term: term}
	for i := range v.waiting {
		w := &v.waiting[i]
		at := w.find(term)
		if at == w.len() {
			continue
		}
		if t, docs, at := w.term(at); string(t) == term {
			l.copy(w.number, docs, at)
		}
	}
	p.tail = l.part()
	p.rewind()
	return p
}

// postings iterates over the parts of a term's list; the last part is built from unsegmented documents.
type postings struct {
	decoder
	v     *visit
	iter  kv.Iterator
	tail  part
	state int
	at    uint64
}

// States of postings.
const (
	atStart = iota
	inParts
	inTail
	atEnd
)

// rewind moves before the first document.
func (p *postings) rewind() { p.state, p.at, p.left = atStart, 0, 0 }

// load moves to the next part.
func (p *postings) load() bool {
	if p.v.err != nil || p.iter == nil {
		return false
	}
	if p.state == atStart && p.iter.First() || p.state == inParts && p.iter.Next() {
		p.state = inParts
		part, ok := readPart(readNumber(p.iter.Key()), p.v.value(p.iter))
		if !ok || part.last >= p.v.totals.next {
			p.v.fail(damaged(p.iter.Key()))
			return false
		}
		p.start(part)
		return true
	}
	if p.state < inTail && p.tail.count > 0 {
		p.state = inTail
		p.start(p.tail)
		return true
	}
	p.state = atEnd
	return false
}

// seek implements cursor.
func (p *postings) seek(to uint64) uint64 {
	for p.at < to {
		if p.left == 0 || p.last < to {
			if !p.load() {
				p.at = none
				break
			}
		} else if p.next() {
			p.at = p.number
		} else {
			p.broken()
			p.at = none
		}
	}
	return p.at
}

func (p *postings) found() []entry { return p.entries }

// placesIn returns the positions in a field.
func (p *postings) placesIn(field uint8) []uint32 {
	places := p.decoder.placesIn(field)
	if p.bad {
		p.broken()
	}
	return places
}

func (p *postings) broken() {
	if p.state == inParts {
		p.v.fail(damaged(p.iter.Key()))
		return
	}
	p.v.fail(fmt.Errorf("search index: documents that wait: %w", ErrDamaged))
}

// frequency returns the number of live documents with the term, and rewinds.
func (p *postings) frequency() (n uint64) {
	for p.load() {
		if !p.v.dead.any(p.first, p.last) {
			n += uint64(p.count)
			continue
		}
		for p.next() {
			if !p.v.dead.has(p.number) {
				n++
			}
		}
		if p.bad {
			p.broken()
		}
	}
	p.rewind()
	return n
}

// expand returns the terms of a letter whose words start with a prefix, up to a limit.
func (v *visit) expand(letter byte, prefix string) (terms []string) {
	begin := string(letter) + prefix
	lower := append(append([]byte(nil), v.prefix...), begin...)
	iter := v.iter(lower, append(slices.Clone(lower), 0xff))
	if iter == nil {
		return nil
	}
	for ok := iter.First(); ok && len(terms) <= maxExpansion; {
		key := iter.Key()
		if len(key) < len(lower)+9 {
			v.fail(damaged(key))
			break
		}
		term := string(key[len(v.prefix) : len(key)-9])
		terms = append(terms, term)
		ok = iter.SeekGE(append(append(slices.Clone(v.prefix), term...), 1))
	}
	v.release()
	for i := range v.waiting {
		w := &v.waiting[i]
		for at := w.find(begin); at < w.len(); at++ {
			t, _, _ := w.term(at)
			if !strings.HasPrefix(string(t), begin) {
				break
			}
			terms = append(terms, string(t))
		}
	}
	slices.Sort(terms)
	if terms = slices.Compact(terms); len(terms) > maxExpansion {
		terms, v.cut = terms[:maxExpansion], true
	}
	return terms
}
