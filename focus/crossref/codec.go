package crossref

import (
	"encoding/binary"
	"io"
)

// An encoder appends numbers and byte strings to a buffer.
type encoder struct{ b []byte }

// flushed is the approximate number of bytes an encoder buffers before they are written.
const flushed = 1 << 20

// flush writes the buffer and resets it.
func (e *encoder) flush(w io.Writer) error {
	_, err := w.Write(e.b)
	e.b = e.b[:0]
	return err
}

func (e *encoder) uint(n uint64) { e.b = binary.AppendUvarint(e.b, n) }

func (e *encoder) bytes(b []byte) {
	e.uint(uint64(len(b)))
	e.b = append(e.b, b...)
}

// A decoder reads an encoder's output. After a failure it returns zeros.
type decoder struct {
	b      []byte
	failed bool
}

func (d *decoder) uint() uint64 {
	n, size := binary.Uvarint(d.b)
	if size <= 0 {
		d.failed, d.b = true, nil
		return 0
	}
	d.b = d.b[size:]
	return n
}

// count reads a number of parts, each of at least size bytes.
func (d *decoder) count(size int) int {
	n := d.uint()
	if n > uint64(len(d.b)/size) {
		d.failed, d.b = true, nil
		return 0
	}
	return int(n)
}

func (d *decoder) bytes() []byte {
	n := d.count(1)
	b := d.b[:n]
	d.b = d.b[n:]
	return b
}
