package ledger

import (
	"cmp"
	"encoding/binary"

	"github.com/cespare/xxhash/v2"

	"orbweaver/internal/order"
)

// segmentSize is the number of links that are buffered before they are written as a segment.
const segmentSize = 1 << 16

// edgeSize is the size of a link in a segment, in bytes.
const edgeSize = 16

// inlinks is the reversed web graph. A page has dozens of links, and one key per link would dominate the
// writes of a crawl. Instead links are buffered and written in sorted segments, one value for each first byte
// of a target's hash. Opening the ledger rebuilds the buffered tail from the forward links (tableOut).
type inlinks struct {
	tail []edge         // not written yet, in the order of outcomes
	gone map[int64]bool // outcomes whose links were superseded by a refresh
}

// An edge is a link: the hash of its target, and the outcome whose page holds it.
type edge struct {
	target uint64
	n      int64
}

// store writes the tail once it is long enough, and records the last outcome written in the state.
func (x *inlinks) store(w *writer, s *state) {
	if len(x.tail) < segmentSize {
		return
	}
	order.By(x.tail, func(a, b edge) int {
		return cmp.Or(cmp.Compare(a.target, b.target), cmp.Compare(a.n, b.n))
	})
	for i := 0; i < len(x.tail); {
		shard := byte(x.tail[i].target >> 56)
		w.scratch = w.scratch[:0]
		for ; i < len(x.tail) && byte(x.tail[i].target>>56) == shard; i++ {
			w.scratch = binary.BigEndian.AppendUint64(w.scratch, x.tail[i].target)
			w.scratch = binary.BigEndian.AppendUint64(w.scratch, uint64(x.tail[i].n))
		}
		key := [10]byte{tableIn, shard}
		binary.BigEndian.PutUint64(key[2:], uint64(s.N))
		w.set(key[:], w.scratch)
	}
	x.tail, s.Linked = x.tail[:0], s.N
}

// loadInlinks rebuilds the tail.
func (l *Ledger) loadInlinks() error {
	err := l.scan([]byte{tableGone}, func(key, _ []byte) error {
		l.inlinks.gone[int64(binary.BigEndian.Uint64(key[1:]))] = true
		return nil
	})
	for n := l.state.Linked + 1; err == nil && n <= l.state.N; n++ {
		for target := range l.targets(n) {
			l.inlinks.tail = append(l.inlinks.tail, edge{xxhash.Sum64String(target), n})
		}
	}
	return err
}

// linking calls yield with the outcomes whose pages link to a URL, in order, until it returns false.
func (l *Ledger) linking(url string, yield func(n int64) bool) error {
	l.settle()
	target := xxhash.Sum64String(url)
	err := l.scan([]byte{tableIn, byte(target >> 56)}, func(_, segment []byte) error {
		at := func(i int) uint64 { return binary.BigEndian.Uint64(segment[i*edgeSize:]) }
		first, last := 0, len(segment)/edgeSize
		for first < last {
			if middle := (first + last) / 2; at(middle) < target {
				first = middle + 1
			} else {
				last = middle
			}
		}
		for i := first; i < len(segment)/edgeSize && at(i) == target; i++ {
			n := int64(binary.BigEndian.Uint64(segment[i*edgeSize+8:]))
			if !l.inlinks.gone[n] && !yield(n) {
				return errStop
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, e := range l.inlinks.tail {
		if e.target == target && !l.inlinks.gone[e.n] && !yield(e.n) {
			return errStop
		}
	}
	return nil
}
