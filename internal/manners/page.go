package manners

import (
	"crypto/sha256"
	"encoding/binary"
	"hash/crc32"
)

// Sizes of what is stored.
const (
	pages    = 1024 // of all places
	slots    = 32   // records of a page
	slotSize = 256
	keySize  = 16
	headSize = 8 + keySize // checksum and key
)

// form is the form of a slot: another version of the package has another.
const form = 0x0b1e_0001

// A key stands for a place.
type key [keySize]byte

// keyOf returns the key of a place.
func keyOf(place string) key {
	sum := sha256.Sum256([]byte(place))
	return key(sum[:keySize])
}

// page is the number of the page that a key is on.
func (k key) page() int { return int(binary.LittleEndian.Uint16(k[:])) % pages }

// A page is some records as they are stored.
type page [slots * slotSize]byte

// slot returns the bytes of a slot.
func (p *page) slot(i int) []byte { return p[i*slotSize : (i+1)*slotSize] }

// find returns the record of a key and its slot. If there is none, the record is empty, and the slot is a free one, or
// that of the record which is over first.
func (p *page) find(k key) (slot int, r record) {
	for i := range slots {
		if s := p.slot(i); key(s[8:headSize]) == k && r.decode(s) {
			return i, r
		}
	}
	var first int64
	for i := range slots {
		var other record
		if !other.decode(p.slot(i)) {
			return i, record{}
		}
		if end := other.over(); i == 0 || end < first {
			slot, first = i, end
		}
	}
	return slot, record{}
}

// words calls f with each number of a record, in the order in which they are stored.
func (r *record) words(f func(*int64)) {
	for _, w := range []*int64{
		&r.last.at, &r.last.delay, &r.last.member,
		&r.holder.member, &r.holder.process, &r.holder.since, &r.holder.delay, &r.rest.until, &r.rest.member,
	} {
		f(w)
	}
	for i := range r.queue {
		w := &r.queue[i]
		f(&w.member)
		f(&w.asked)
		f(&w.due)
	}
}

// encode writes a record into its slot.
func (r *record) encode(k key, slot []byte) {
	copy(slot[8:], k[:])
	at := headSize
	r.words(func(w *int64) {
		binary.LittleEndian.PutUint64(slot[at:], uint64(*w))
		at += 8
	})
	binary.LittleEndian.PutUint64(slot, checksum(slot))
}

// decode reads the record of a slot; false if there is none, or it is damaged.
func (r *record) decode(slot []byte) bool {
	if binary.LittleEndian.Uint64(slot) != checksum(slot) {
		return false
	}
	at := headSize
	r.words(func(w *int64) {
		*w = int64(binary.LittleEndian.Uint64(slot[at:]))
		at += 8
	})
	return true
}

// checksum returns the sum of a slot's bytes behind it.
func checksum(slot []byte) uint64 {
	return form<<32 | uint64(crc32.ChecksumIEEE(slot[8:]))
}

// A memory is the records of one process.
type memory map[int]*page

// update implements store.
func (m memory) update(k key, change func(*record)) error {
	p, ok := m[k.page()]
	if !ok {
		p = &page{}
		m[k.page()] = p
	}
	slot, r := p.find(k)
	change(&r)
	r.encode(k, p.slot(slot))
	return nil
}

// alive implements store: all crawls are of this process.
func (m memory) alive(int64) bool { return true }

// close implements store.
func (m memory) close() {}
