package addresses

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"time"
)

// Bounds of a letter.
const (
	maxItems   = 512
	maxAddress = 64 // bytes
	maxName    = 128
	maxDelay   = 24 * time.Hour
)

// version is the first byte of a letter.
const version = 1

// Kinds of items.
const (
	ask     = 1 + iota // flag: the grant of who asks is valid; span: the delay
	grant              // of the ask with that serial
	recall             // others wait
	release            // grants up to that serial are not used any more; flag: the last request started span ago
	kinds
)

// An item of a letter says something of an address.
type item struct {
	kind    byte
	flag    bool
	address string
	epoch   uint64 // of the desk, in what is sent to one
	serial  uint64
	span    time.Duration
}

// A letter is what a session of a worker sends to another. to is empty if it has only what is sent to desks.
type letter struct {
	from  party
	to    string
	items []item
}

// encode writes a letter for decode.
func encode(l letter) []byte {
	b := []byte{version}
	for _, s := range []string{l.from.worker, l.from.session, l.to} {
		b = appendText(b, s)
	}
	b = binary.AppendUvarint(b, uint64(len(l.items)))
	for _, i := range l.items {
		kind := i.kind << 1
		if i.flag {
			kind |= 1
		}
		b = appendText(append(b, kind), i.address)
		b = binary.AppendUvarint(b, i.epoch)
		b = binary.AppendUvarint(b, i.serial)
		b = binary.AppendUvarint(b, uint64(i.span.Microseconds()))
	}
	return b
}

func appendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// errLetter says that a letter can't be read.
var errLetter = errors.New("letter about addresses")

// decode reads a letter.
func decode(b []byte) (l letter, err error) {
	if len(b) == 0 || b[0] != version {
		return letter{}, fmt.Errorf("%w: of another version", errLetter)
	}
	r := reader{b: b[1:]}
	l.from.worker, l.from.session, l.to = r.text(maxName), r.text(maxName), r.text(maxName)
	n := r.number()
	if r.failed || n > maxItems || l.from.worker == "" || l.from.session == "" {
		return letter{}, fmt.Errorf("%w: damaged, or of %d items", errLetter, n)
	}
	for range n {
		kind := r.byte()
		i := item{kind: kind >> 1, flag: kind&1 == 1, address: r.text(maxAddress), epoch: r.number(), serial: r.number()}
		span := r.number()
		if span > uint64(maxDelay.Microseconds()) || i.kind == 0 || i.kind >= kinds || i.address == "" || i.serial > math.MaxInt64/1000 {
			r.failed = true
		}
		if r.failed {
			return letter{}, fmt.Errorf("%w: damaged", errLetter)
		}
		i.span = time.Duration(span) * time.Microsecond
		l.items = append(l.items, i)
	}
	if len(r.b) > 0 {
		return letter{}, fmt.Errorf("%w: damaged", errLetter)
	}
	return l, nil
}

// A reader reads a letter until it fails.
type reader struct {
	b      []byte
	failed bool
}

func (r *reader) number() uint64 {
	n, size := binary.Uvarint(r.b)
	if size <= 0 {
		r.failed, r.b = true, nil
		return 0
	}
	r.b = r.b[size:]
	return n
}

func (r *reader) byte() byte {
	if len(r.b) == 0 {
		r.failed = true
		return 0
	}
	b := r.b[0]
	r.b = r.b[1:]
	return b
}

func (r *reader) text(most uint64) string {
	n := r.number()
	if n > most || n > uint64(len(r.b)) {
		r.failed, r.b = true, nil
		return ""
	}
	s := string(r.b[:n])
	r.b = r.b[n:]
	return s
}
