package ontology

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"orbweaver"
)

// The binary part of a snapshot: the words, in insertion order, then the gap statistics (gapstate.go).
// Numbers are uvarints, floats and keys eight bytes (little-endian); strings are preceded by their length.
// Snapshots are taken every few hundred pages and read once a session; compared to JSON this takes a tenth of
// the time and a third of the bytes.

// maxState bounds the encoded state, in bytes.
const maxState = 64 << 20

// A stateWriter encodes a state.
type stateWriter struct{ b []byte }

func (w *stateWriter) number(n int64) { w.b = binary.AppendUvarint(w.b, uint64(n)) }

func (w *stateWriter) key(k uint64) { w.b = binary.LittleEndian.AppendUint64(w.b, k) }

func (w *stateWriter) float(x float64) { w.key(math.Float64bits(x)) }

func (w *stateWriter) text(s string) {
	w.number(int64(len(s)))
	w.b = append(w.b, s...)
}

func (w *stateWriter) words(ws *words) {
	w.number(ws.pages)
	w.float(ws.sum)
	w.number(int64(len(ws.list)))
	for i := range ws.list {
		one := &ws.list[i]
		w.text(one.stem())
		w.number(one.pages)
		w.float(one.sum)
		w.float(one.reported)
	}
}

// A stateReader decodes a state. After the first error all numbers are 0 and all strings empty.
type stateReader struct {
	b       []byte
	bad     bool
	foreign string // the first entity that the ontology lacks
}

// errState reports an invalid encoding.
var errState = errors.New("not what was written")

// end returns the first error: it wraps orbweaver.ErrDamaged, or orbweaver.ErrForeign if the ontology lacks
// an entity; nil if all was read and is consistent.
func (r *stateReader) end() error {
	switch {
	case r.foreign != "":
		return fmt.Errorf("%s is not in the ontology: %w", r.foreign, orbweaver.ErrForeign)
	case r.bad || len(r.b) > 0:
		return fmt.Errorf("words and gaps: %w: %w", orbweaver.ErrDamaged, errState)
	}
	return nil
}

func (r *stateReader) expect(ok bool) {
	if !ok {
		r.bad, r.b = true, nil
	}
}

func (r *stateReader) number() int64 {
	n, size := binary.Uvarint(r.b)
	if r.expect(size > 0 && n < 1<<62); r.bad {
		return 0
	}
	r.b = r.b[size:]
	return int64(n)
}

// small reads a page count.
func (r *stateReader) small() int32 {
	n := r.number()
	if r.expect(n <= math.MaxInt32); r.bad {
		return 0
	}
	return int32(n)
}

// length reads a number of elements, each of at least one byte.
func (r *stateReader) length() int {
	n := r.number()
	if r.expect(n <= int64(len(r.b))); r.bad {
		return 0
	}
	return int(n)
}

func (r *stateReader) text() string {
	n := r.length()
	s := string(r.b[:n])
	r.b = r.b[n:]
	return s
}

func (r *stateReader) key() uint64 {
	if r.expect(len(r.b) >= 8); r.bad {
		return 0
	}
	key := binary.LittleEndian.Uint64(r.b)
	r.b = r.b[8:]
	return key
}

// float reads a number that is not NaN.
func (r *stateReader) float() float64 {
	x := math.Float64frombits(r.key())
	if r.expect(x-x == 0); r.bad {
		return 0
	}
	return x
}

func (r *stateReader) words() *words {
	ws := newWords()
	ws.pages, ws.sum = r.number(), r.float()
	n := r.length()
	r.expect(n <= maxWords && ws.sum >= 0)
	for ; n > 0 && !r.bad; n-- {
		stem := r.text()
		w := word{key: keyPrefix + stem, pages: r.number(), sum: r.float(), reported: r.float()}
		_, again := ws.index[stem]
		sane := proper(len(stem), len(stem)) && 0 < w.pages && w.pages <= ws.pages && 0 <= w.sum && w.sum <= ws.sum
		if r.expect(sane && !again); !r.bad {
			ws.add(w)
		}
	}
	return ws
}
