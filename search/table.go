package search

import (
	"encoding/binary"
	"math"
)

// gone is the norm of a deleted document.
const gone = -1

// A table has the records of a segment's documents, numbered consecutively, in columns of fixed width that are
// read in place: the number of documents (four bytes) and of fields (one), the fields' numbers, then of all
// documents the IDs, the norms, and field by field the lengths.
type table struct {
	first  uint64
	count  uint64
	column [maxFields]uint8 // of each field, from 1; 0: no document has it
	ids    []byte
	norms  []byte
	words  []byte
}

func appendTable(b []byte, records []record) []byte {
	var has [maxFields]bool
	for _, r := range records {
		for f, words := range r.lengths {
			has[f] = has[f] || words > 0
		}
	}
	b = binary.LittleEndian.AppendUint32(b, uint32(len(records)))
	at := len(b)
	b = append(b, 0)
	for f := range maxFields {
		if has[f] {
			b = append(b, byte(f))
			b[at]++
		}
	}
	for _, r := range records {
		b = binary.LittleEndian.AppendUint64(b, r.id)
	}
	for _, r := range records {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(r.norm))
	}
	for f := range maxFields {
		for i := 0; has[f] && i < len(records); i++ {
			b = binary.LittleEndian.AppendUint32(b, records[i].lengths.of(f))
		}
	}
	return b
}

func (l lengths) of(field int) uint32 {
	if field < len(l) {
		return l[field]
	}
	return 0
}

// readTable decodes a value and keeps references to it.
func readTable(first uint64, b []byte) (t table, ok bool) {
	f := fields{b: b}
	head := f.bytes(5)
	if f.bad {
		return t, false
	}
	t.first, t.count = first, uint64(binary.LittleEndian.Uint32(head))
	names := f.bytes(uint64(head[4]))
	for i, name := range names {
		if name >= maxFields {
			return t, false
		}
		t.column[name] = uint8(i + 1)
	}
	t.ids, t.norms = f.bytes(8*t.count), f.bytes(4*t.count)
	t.words = f.bytes(4 * t.count * uint64(len(names)))
	return t, !f.bad && len(f.b) == 0 && len(names) <= maxFields && t.count > 0
}

func (t *table) has(number uint64) bool { return number-t.first < t.count }

func (t *table) id(number uint64) uint64 {
	return binary.LittleEndian.Uint64(t.ids[8*(number-t.first):])
}

func (t *table) norm(number uint64) float64 {
	return float64(math.Float32frombits(binary.LittleEndian.Uint32(t.norms[4*(number-t.first):])))
}

// length is the number of words in a field.
func (t *table) length(number uint64, field uint8) uint32 {
	c := uint64(t.column[field])
	if c == 0 {
		return 0
	}
	return binary.LittleEndian.Uint32(t.words[4*((c-1)*t.count+number-t.first):])
}

// records are all of them.
func (t *table) records() []record {
	all := make([]record, t.count)
	for i := range all {
		n := t.first + uint64(i)
		all[i] = record{id: t.id(n), norm: float32(t.norm(n)), lengths: make(lengths, maxFields)}
		for f := range all[i].lengths {
			all[i].lengths[f] = t.length(n, uint8(f))
		}
	}
	return all
}
