package search

import (
	"encoding/binary"
)

// A list is the postings of one term, sorted by document number, while it is written.
//
// A document is encoded as the difference of its number to the previous one, none for the first, and an entry
// for each field with the term: a head, and the frequency if it is more than one. Positions, which only stems
// have, are stored separately, so that queries without phrases can skip them: the first of each field is
// absolute, the others are differences.
type list struct {
	term        string // with its letter as prefix
	first, last uint64
	count       int
	docs, at    []byte
	written     bool // of a word as written, beside its stem: see reading.written

	// State of the last document.
	open   bool   // an entry is not written yet
	entry  entry  // the counts of that entry
	place  uint32 // its last position
	head   int    // index of the previous entry in docs; -1: none
	times  uint32 // in all fields
	docsAt int    // index of its entries in docs
	atAt   int    // index of its positions
}

// An entry says that a document has a term in a field.
type entry struct {
	field uint8
	exact bool   // the word equals the stem
	times uint32 // above 0
}

// Low bits of an entry's head, below its field.
const (
	more      = 1 << iota // another entry of the document follows
	once                  // the frequency is omitted
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

// add adds an occurrence to the document, fields and positions ascending. Word forms have no positions.
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

// end writes the open entry.
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

// copy adds a document with its postings in another list.
func (l *list) copy(number uint64, docs, at []byte) {
	l.begin(number)
	l.append(docs, at)
}

// append adds to the document its postings in another list.
func (l *list) append(docs, at []byte) {
	l.docs = append(l.docs, docs...)
	l.at = append(l.at, at...)
}

// header is the prefix of a list's value, before docs and at.
func (l *list) header(b []byte) []byte {
	b = binary.AppendUvarint(b, uint64(l.count))
	b = binary.AppendUvarint(b, l.last-l.first)
	return binary.AppendUvarint(b, uint64(len(l.docs)))
}

// size is its approximate size in bytes.
func (l *list) size() int { return len(l.docs) + len(l.at) }

// part returns the list in its readable form.
func (l *list) part() part { return part{l.first, l.last, l.count, l.docs, l.at} }

// A part is a list, or one of several of a term, for reading.
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

// A decoder iterates over a part.
type decoder struct {
	part
	off     int // index in docs: reslicing would cost a write barrier
	left    int
	number  uint64
	entries []entry // of the document, fields ascending
	fresh   bool    // the first one is not read yet
	bad     bool    // the part is corrupt
	from    int     // index of the entries in docs

	behind uint64   // positions to skip before those of the document
	places []uint32 // of the document, once requested, concatenated over fields
	placed bool
}

// start sets the part.
func (d *decoder) start(p part) {
	*d = decoder{part: p, left: p.count, fresh: true, entries: d.entries[:0], places: d.places[:0]}
}

// next moves to the next document; false: there is none, or the part is corrupt.
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

// pass skips the rest of the previous document.
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

// raw is the encoded entries of the document.
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

// readPlaces reads the positions of the document, after skipping earlier ones.
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

// skipPlaces skips positions: each ends with a byte below 0x80.
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

// rawPlaces returns the encoded positions of the document; it replaces placesIn.
func (d *decoder) rawPlaces() []byte {
	d.skipPlaces()
	from := d.at
	d.pass()
	d.skipPlaces()
	d.placed = true
	return from[:len(from)-len(d.at)]
}

// maxPlace bounds positions: each word takes one, and may skip one.
const maxPlace = 2*maxWords + 2
