package tag

import (
	"encoding/binary"
	"fmt"
)

// A Decoder decodes the numbers and bytes of a section. After the end of the data, or the first error, it
// returns zeros: see End.
type Decoder struct {
	data   []byte
	failed bool
}

// NewDecoder reads data, which must not be changed.
func NewDecoder(data []byte) *Decoder { return &Decoder{data: data} }

// Bytes returns the next n bytes, which are the data's own.
func (d *Decoder) Bytes(n int) []byte {
	if n < 0 || n > len(d.data) {
		d.data, d.failed = nil, true
		return nil
	}
	b := d.data[:n:n]
	d.data = d.data[n:]
	return b
}

// Byte returns the next byte.
func (d *Decoder) Byte() byte {
	if len(d.data) == 0 {
		d.failed = true
		return 0
	}
	b := d.data[0]
	d.data = d.data[1:]
	return b
}

// Uint32 returns four bytes as a number.
func (d *Decoder) Uint32() uint32 {
	b := d.Bytes(4)
	if b == nil {
		return 0
	}
	return binary.LittleEndian.Uint32(b)
}

// Uvarint returns a number of one to ten bytes.
func (d *Decoder) Uvarint() uint64 {
	x, n := binary.Uvarint(d.data)
	if n <= 0 {
		d.data, d.failed = nil, true
		return 0
	}
	d.data = d.data[n:]
	return x
}

// Varint returns a signed number of one to ten bytes.
func (d *Decoder) Varint() int64 {
	x := d.Uvarint()
	return int64(x>>1) ^ -int64(x&1)
}

// Count returns a number of following items, each of at least size bytes, bounded by the remaining data.
func (d *Decoder) Count(size int) int {
	n := d.Uvarint()
	if n > uint64(len(d.data)/size) {
		d.data, d.failed = nil, true
		return 0
	}
	return int(n)
}

// Failed reports whether a read exceeded the data.
func (d *Decoder) Failed() bool { return d.failed }

// End returns an error that wraps ErrModel unless exactly all data was read.
func (d *Decoder) End() error {
	switch {
	case d.failed:
		return fmt.Errorf("%w: it ends too soon", ErrModel)
	case len(d.data) > 0:
		return fmt.Errorf("%w: %d bytes too many", ErrModel, len(d.data))
	}
	return nil
}
