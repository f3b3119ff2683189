package online

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"math"

	"orbweaver"
)

// A snapshot holds its version; a fingerprint of seed and rules; the number of outcomes; the unrest, its sums
// as eight bytes each; the touched cells, each by its distance from the previous one, its means and its
// curvature; the histories of each kind in insertion order; and a CRC-32 of all that. Numbers are uvarints,
// floats and hashes four bytes, the fingerprint eight (little-endian).

// snapshotVersion changes when an older snapshot can no longer be read.
const snapshotVersion = 1

// maxSnapshot bounds the size of a snapshot, in bytes: all cells touched, all histories full.
const maxSnapshot = 64 + allCells*19 + keys*(3+maxPasts*27)

// Snapshot writes the model: equal states give equal bytes.
func (m *Model) Snapshot(w io.Writer) error {
	b := append([]byte(nil), snapshotVersion)
	b = binary.LittleEndian.AppendUint64(b, m.fingerprint())
	b = binary.AppendUvarint(b, uint64(m.outcomes))
	b = binary.LittleEndian.AppendUint64(b, math.Float64bits(m.unrest.surprises))
	b = binary.LittleEndian.AppendUint64(b, math.Float64bits(m.unrest.ranked))
	b = binary.AppendUvarint(b, m.unrest.outcomes)
	b = appendCells(b, m.cells)
	for i := range m.past {
		b = m.past[i].append(b)
	}
	b = binary.LittleEndian.AppendUint32(b, crc32.ChecksumIEEE(b))
	if _, err := w.Write(b); err != nil {
		return fmt.Errorf("link classifier: snapshot: %w", err)
	}
	return nil
}

// fingerprint distinguishes models with different features.
func (m *Model) fingerprint() uint64 {
	h := mix(m.seed)
	for _, r := range m.rules {
		for i := range len(r.Name) {
			h = fnv(h, r.Name[i])
		}
		h = mix(fnv(h, byte(r.Class)))
	}
	return h
}

func appendCells(b []byte, cells []cell) []byte {
	touched := 0
	for i := range cells {
		if cells[i].seen > 0 {
			touched++
		}
	}
	b = binary.AppendUvarint(b, uint64(touched))
	last := 0
	for i := range cells {
		if c := &cells[i]; c.seen > 0 {
			b = binary.AppendUvarint(b, uint64(i-last))
			for _, f := range [4]float32{c.h, c.hr, c.r, c.seen} {
				b = binary.LittleEndian.AppendUint32(b, math.Float32bits(f))
			}
			last = i
		}
	}
	return b
}

func (p *past) append(b []byte) []byte {
	b = binary.AppendUvarint(b, uint64(len(p.list)))
	for i := range p.list {
		h := &p.list[i]
		b = binary.LittleEndian.AppendUint32(b, h.key)
		for _, count := range h.counts {
			b = binary.AppendUvarint(b, uint64(count))
		}
		b = binary.AppendUvarint(b, uint64(h.level))
	}
	return b
}

// Restore replaces the state by a snapshot of a model with the same seed and rules. Any other snapshot leaves
// the model unchanged and returns an error that wraps orbweaver.ErrDamaged.
func (m *Model) Restore(r io.Reader) error {
	b, err := io.ReadAll(io.LimitReader(r, maxSnapshot+1))
	if err != nil {
		return fmt.Errorf("link classifier: snapshot: %w: %w", orbweaver.ErrDamaged, err)
	}
	if len(b) == 0 || b[0] != snapshotVersion {
		return fmt.Errorf("link classifier: snapshot of another version: %w", orbweaver.ErrDamaged)
	}
	end := len(b) - crc32.Size
	if end < 1 || len(b) > maxSnapshot || crc32.ChecksumIEEE(b[:end]) != binary.LittleEndian.Uint32(b[end:]) {
		return fmt.Errorf("link classifier: snapshot has a wrong checksum: %w", orbweaver.ErrDamaged)
	}
	in := stateReader{b: b[1:end]}
	if in.long() != m.fingerprint() || in.bad {
		return fmt.Errorf("link classifier: snapshot of other rules or another seed: %w", orbweaver.ErrDamaged)
	}
	outcomes := in.number(math.MaxInt64)
	unrest := unrest{in.sum(), in.sum(), in.number(mostOutcomes - 1)}
	in.expect(unrest.ranked <= unrest.surprises)
	cells := in.cells()
	var past pasts
	for i := range past {
		past[i] = in.past()
	}
	if in.bad || len(in.b) > 0 {
		return fmt.Errorf("link classifier: snapshot has values out of range: %w", orbweaver.ErrDamaged)
	}
	m.outcomes, m.unrest, m.cells, m.past = int64(outcomes), unrest, cells, past
	return nil
}

// A stateReader decodes a snapshot. After the first error all numbers are 0.
type stateReader struct {
	b   []byte
	bad bool
}

func (r *stateReader) expect(ok bool) {
	if !ok {
		r.bad, r.b = true, nil
	}
}

// number reads a number that is at most most.
func (r *stateReader) number(most uint64) uint64 {
	n, size := binary.Uvarint(r.b)
	if r.expect(size > 0 && n <= most); r.bad {
		return 0
	}
	r.b = r.b[size:]
	return n
}

func (r *stateReader) word() uint32 {
	if r.expect(len(r.b) >= 4); r.bad {
		return 0
	}
	w := binary.LittleEndian.Uint32(r.b)
	r.b = r.b[4:]
	return w
}

func (r *stateReader) long() uint64 { return uint64(r.word()) | uint64(r.word())<<32 }

// sum reads a sum of non-negative numbers.
func (r *stateReader) sum() float64 {
	f := math.Float64frombits(r.long())
	r.expect(f >= 0 && f <= math.MaxFloat64)
	return f
}

func (r *stateReader) cells() []cell {
	cells := make([]cell, allCells)
	at := uint64(0)
	n := r.number(allCells)
	for i := uint64(0); i < n && !r.bad; i++ {
		by := r.number(allCells - 1)
		at += by
		if r.expect(at < allCells && (by > 0 || i == 0)); r.bad {
			break
		}
		c := cell{r.float(maxWeight), r.float(maxWeight), r.float(maxWeight), r.float(math.MaxFloat32)}
		r.expect(c.seen > 0)
		cells[at] = c
	}
	return cells
}

// float reads a number between −most and most.
func (r *stateReader) float(most float64) float32 {
	f := math.Float32frombits(r.word())
	r.expect(math.Abs(float64(f)) <= most) // false for NaN
	return f
}

func (r *stateReader) past() past {
	p := past{index: map[uint32]int32{}}
	for n := r.number(maxPasts); n > 0 && !r.bad; n-- {
		h := history{key: r.word()}
		for c := range h.counts {
			h.counts[c] = uint32(r.number(math.MaxUint32))
		}
		h.level = uint16(r.number(maxLevel - 1))
		_, again := p.index[h.key]
		r.expect(!again && h.total() > 0)
		p.put(h)
	}
	return p
}
