package search

import (
	"encoding/binary"
)

// A list is what documents have of one term, in the order of their numbers, while it is written.
//
// Of each document there is the difference of its number to the one before, none for the first, and an
// entry for each field that has the term: a head, and how often if it is more than once. Positions, of
// which a stem has as many, stand apart, so that who needs none need not read over them: the first of
// each field as it is, the others by the difference to the one before.
type list struct {
	term        string // with its letter in front
	first, last uint64
	count       int
	docs, at    []byte
	written     bool // of a word as it is written, beside its stem: see reading.written

	// Of the last document:
	open   bool   // an entry is not written yet
	entry  entry  // what is counted of it
	place  uint32 // its last position
	head   int    // where the entry before starts in docs; -1: there is none
	times  uint32 // in all fields
	docsAt int    // where its entries start in docs
	atAt   int    // where its positions start
}

// An entry says that a document has a term in a field.
type entry struct {
	field uint8
	exact bool   // the stem is a word there as it is
	times uint32 // above 0
}

// The low bits of an entry's head, below its field.
const (
	more      = 1 << iota // another entry of the document follows
	once                  // how often is not written
	exact                 // entry.exact
	fieldBits = iota
)

// begin starts a document.
func (l *list) begin(number uint64) {
	if l.count == 0 {
		l.first = number
	} else {
		l.docs = binary.AppendUvarint(l.docs, number-l.last)
	}
	l.last = number
	l.count++
	l.head, l.times = -1, 0
	l.docsAt, l.atAt = len(l.docs), len(l.at)
}

// add adds an occurrence to the document, fields and positions ascending. A form has no positions.
func (l *list) add(field uint8, place uint32, isExact, placed bool) {
	if !l.open || l.entry.field != field {
		l.end()
		l.open, l.entry, l.place = true, entry{field: field}, 0
	}
	if placed {
		l.entry.times++
		l.times++
		l.at = binary.AppendUvarint(l.at, uint64(place-l.place))
		l.place = place
	} else {
		l.entry.times = 1
	}
	l.entry.exact = l.entry.exact || isExact
}

// end writes the entry that is open.
func (l *list) end() {
	if !l.open {
		return
	}
	l.open = false
	if l.head >= 0 {
		l.docs[l.head] |= more
	}
	l.head = len(l.docs)
	l.docs = l.entry.append(l.docs)
}

func (e entry) append(b []byte) []byte {
	head := uint64(e.field) << fieldBits
	if e.exact {
		head |= exact
	}
	if e.times == 1 {
		return binary.AppendUvarint(b, head|once)
	}
	return binary.AppendUvarint(binary.AppendUvarint(b, head), uint64(e.times))
}

// copy adds a document with what another list has of it.
func (l *list) copy(number uint64, docs, at []byte) {
	l.begin(number)
	l.append(docs, at)
}

// append adds to the document what another list has of it.
func (l *list) append(docs, at []byte) {
	l.docs = append(l.docs, docs...)
	l.at = append(l.at, at...)
}

// header is what stands before docs and at in a list's value.
func (l *list) header(b []byte) []byte {
	b = binary.AppendUvarint(b, uint64(l.count))
	b = binary.AppendUvarint(b, l.last-l.first)
	return binary.AppendUvarint(b, uint64(len(l.docs)))
}

// size is about how many bytes it takes.
func (l *list) size() int { return len(l.docs) + len(l.at) }

// part returns the list as it will be read.
func (l *list) part() part { return part{l.first, l.last, l.count, l.docs, l.at} }

// A part is a list, or one of those that a term has, as it is read.
type part struct {
	first, last uint64
	count       int
	docs, at    []byte
}

// readPart reads a value whose key has the number of the first document.
func readPart(first uint64, value []byte) (part, bool) {
	f := fields{b: value}
	count, span := f.number(), f.number()
	docs := f.bytes(f.number())
	ok := !f.bad && first > 0 && count > 0 && count <= uint64(len(docs)) && span >= count-1 && first+span >= first && first+span != none
	return part{first, first + span, int(count), docs, f.b}, ok
}

// A decoder goes through a part.
type decoder struct {
	part
	off     int // read of docs: it is a number since to move a slice costs a write barrier
	left    int
	number  uint64
	entries []entry // of the document, fields ascending
	fresh   bool    // the first is to be read
	bad     bool    // the part is not as it should be
	from    int     // where the entries start in docs

	behind uint64   // positions to be read over before those of the document
	places []uint32 // of the document, once they were asked for, all fields one after the other
	placed bool
}

// start gives it a part.
func (d *decoder) start(p part) {
	*d = decoder{part: p, left: p.count, fresh: true, entries: d.entries[:0], places: d.places[:0]}
}

// next advances to the next document; false: there is none, or the part is bad.
func (d *decoder) next() bool {
	if d.left == 0 {
		return false
	}
	d.left--
	d.pass()
	if d.fresh {
		d.fresh, d.number = false, d.first
	} else {
		n, w := uvarint(d.docs[d.off:])
		if w <= 0 || n == 0 || n > d.last-d.number {
			return d.fail()
		}
		d.off += w
		d.number += n
	}
	d.from = d.off
	if !d.readEntries() {
		return false
	}
	return d.left > 0 || d.number == d.last || d.fail()
}

// pass leaves the document before behind.
func (d *decoder) pass() {
	if !d.placed {
		for _, e := range d.entries {
			d.behind += uint64(e.times)
		}
	}
	d.placed = false
}

func (d *decoder) readEntries() bool {
	d.entries = d.entries[:0]
	for {
		head, w := uvarint(d.docs[d.off:])
		if w <= 0 || head>>fieldBits >= maxFields {
			return d.fail()
		}
		d.off += w
		e := entry{field: uint8(head >> fieldBits), exact: head&exact != 0, times: 1}
		if head&once == 0 {
			n, w := uvarint(d.docs[d.off:])
			if w <= 0 || n == 0 || n > maxWords {
				return d.fail()
			}
			d.off += w
			e.times = uint32(n)
		}
		if n := len(d.entries); n > 0 && d.entries[n-1].field >= e.field {
			return d.fail()
		}
		d.entries = append(d.entries, e)
		if head&more == 0 {
			return true
		}
	}
}

// raw is what stands of the document's entries in docs.
func (d *decoder) raw() []byte { return d.docs[d.from:d.off] }

func (d *decoder) fail() bool {
	d.bad, d.left, d.entries = true, 0, d.entries[:0]
	return false
}

// placesIn returns the positions in a field of the document, ascending.
func (d *decoder) placesIn(field uint8) []uint32 {
	if !d.placed {
		d.readPlaces()
	}
	from := 0
	for _, e := range d.entries {
		to := from + int(e.times)
		if e.field == field && to <= len(d.places) {
			return d.places[from:to]
		}
		from = to
	}
	return nil
}

// readPlaces reads the positions of the document, after those of the ones before.
func (d *decoder) readPlaces() {
	d.placed = true
	d.places = d.places[:0]
	d.skipPlaces()
	for _, e := range d.entries {
		place := uint64(0)
		for range e.times {
			n, w := uvarint(d.at)
			if place += n; w <= 0 || place > maxPlace {
				d.fail()
				return
			}
			d.at = d.at[w:]
			d.places = append(d.places, uint32(place))
		}
	}
}

// skipPlaces reads over positions: each has one byte below 0x80, its last.
func (d *decoder) skipPlaces() {
	i := 0
	for ; d.behind > 0 && i < len(d.at); i++ {
		if d.at[i] < 0x80 {
			d.behind--
		}
	}
	d.at = d.at[i:]
	if d.behind > 0 {
		d.fail()
	}
	d.behind = 0
}

// rawPlaces returns the positions of the document as they are written, in the place of placesIn.
func (d *decoder) rawPlaces() []byte {
	d.skipPlaces()
	from := d.at
	d.pass()
	d.skipPlaces()
	d.placed = true
	return from[:len(from)-len(d.at)]
}

// maxPlace bounds positions: each word takes one, and may leave one out before it.
const maxPlace = 2*maxWords + 2
