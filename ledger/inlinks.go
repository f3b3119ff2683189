package ledger

import (
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/cespare/xxhash/v2"
)

// segmentSize is how many links are gathered before they are written as a segment.
const segmentSize = 1 << 16

// edgeSize is how many bytes a link takes in a segment.
const edgeSize = 16

// inlinks is the web graph against its direction. A page has dozens of links, so that a key for each
// would be most of what is written: instead links are gathered, and written sorted, a segment at a
// time, in a part for each first byte of a target's hash. What is gathered and not written follows from
// the pages themselves (tableOut), from which it is made again when the ledger is opened.
type inlinks struct {
	tail []edge         // not written yet, in the order of their pages
	gone map[int64]bool // outcomes whose links count no more: the page was fetched anew
}

// An edge is a link: the hash of its target, and the outcome of the page that it stands on.
type edge struct {
	target uint64
	n      int64
}

// store writes the tail when it is long enough, with a state that says so.
func (x *inlinks) store(w *writer, s *state) {
	if len(x.tail) < segmentSize {
		return
	}
	slices.SortFunc(x.tail, func(a, b edge) int {
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

// loadInlinks makes the tail again.
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

// linking calls yield with the outcomes of the pages that link to a URL, in order, until it has enough.
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
