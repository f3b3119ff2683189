package search

import (
	"encoding/binary"
	"math"
	"sort"
	"strings"

	"orbweaver/internal/order"
)

// A document that is not in a segment yet is one value: its record, the number of its terms, their offsets
// (four bytes, from the end of these), and the sorted terms, each with the document's part of a list.

// appendWaiting appends the i-th new document, whose spans were kept.
func (v *inverted) appendWaiting(b []byte, i int) []byte {
	r, spans := v.records[i], v.spans[i]
	order.By(spans, func(a, b span) int { return strings.Compare(a.list.term, b.list.term) })
	b = binary.LittleEndian.AppendUint64(b, r.id)
	b = binary.LittleEndian.AppendUint32(b, math.Float32bits(r.norm))
	b = r.lengths.append(b)
	b = binary.AppendUvarint(b, uint64(len(spans)))
	starts := len(b)
	b = append(b, make([]byte, 4*len(spans))...)
	terms := len(b)
	for i, s := range spans {
		binary.LittleEndian.PutUint32(b[starts+4*i:], uint32(len(b)-terms))
		b = appendString(b, s.list.term)
		b = binary.AppendUvarint(b, uint64(s.docsEnd-s.docsAt))
		b = append(b, s.list.docs[s.docsAt:s.docsEnd]...)
		b = append(b, s.list.at[s.atAt:s.end]...)
	}
	return b
}

// A waiting is an unsegmented document, for reading.
type waiting struct {
	number uint64
	record
	starts []byte
	terms  []byte
}

// readWaiting decodes a value and keeps references to it.
func readWaiting(number uint64, value []byte) (w waiting, ok bool) {
	f := fields{b: value}
	head := f.bytes(12)
	if f.bad {
		return w, false
	}
	w.number = number
	w.id = binary.LittleEndian.Uint64(head)
	w.norm = math.Float32frombits(binary.LittleEndian.Uint32(head[8:]))
	w.lengths = f.lengths(maxFields)
	n := f.number()
	if n > uint64(len(f.b))/4 {
		return w, false
	}
	w.starts = f.bytes(4 * n)
	w.terms = f.b
	return w, !f.bad
}

func (w *waiting) len() int { return len(w.starts) / 4 }

// term returns the i-th term; all are nil if it is corrupt.
func (w *waiting) term(i int) (term, docs, at []byte) {
	from := uint64(binary.LittleEndian.Uint32(w.starts[4*i:]))
	to := uint64(len(w.terms))
	if i+1 < w.len() {
		to = uint64(binary.LittleEndian.Uint32(w.starts[4*i+4:]))
	}
	if from > to || to > uint64(len(w.terms)) {
		return nil, nil, nil
	}
	f := fields{b: w.terms[from:to]}
	term = f.bytes(f.number())
	docs = f.bytes(f.number())
	if f.bad || len(term) < 2 || len(docs) == 0 {
		return nil, nil, nil
	}
	return term, docs, f.b
}

// find returns the index of a term, or where it would be inserted.
func (w *waiting) find(term string) int {
	return sort.Search(w.len(), func(i int) bool {
		t, _, _ := w.term(i)
		return string(t) >= term
	})
}
