package frontier

import "math/bits"

// Dimensions of a vector. Up to short members it is one slice, which grows by an eighth. Beyond, it uses
// chunks, eight for each doubling of its length. So at most an eighth is spare, and long contents are never
// copied.
const (
	shortBits = 9
	short     = 1 << shortBits
	perOctave = 8 // chunks
	leastCap  = 8 // length below which memory is not released
)

// A vector is a list that may become very long. The zero value is empty.
type vector[T any] struct {
	first []T
	tail  *tail[T] // nil while first holds all members
}

// A tail holds the members of a vector beyond the first short ones.
type tail[T any] struct {
	chunks [][]T
	n      int
}

// len returns the number of members.
func (v *vector[T]) len() int {
	if v.tail == nil {
		return len(v.first)
	}
	return len(v.first) + v.tail.n
}

// locate returns the chunk of the member at i ≥ short, and its offset there: the chunk is the octave of i and
// the three bits after its highest, as in a floating-point number.
func locate(i int) (chunk, offset int) {
	octave := bits.Len(uint(i)) - shortBits - 1
	shift := shortBits - 3 + octave
	return octave*perOctave + i>>shift&(perOctave-1), i & (1<<shift - 1)
}

// at returns the member at i.
func (v *vector[T]) at(i int) *T {
	if i < len(v.first) {
		return &v.first[i]
	}
	chunk, offset := locate(i)
	return &v.tail.chunks[chunk][offset]
}

// run returns the slice that holds the member at i, and its offset there.
func (v *vector[T]) run(i int) ([]T, int) {
	if i < len(v.first) {
		return v.first, i
	}
	chunk, offset := locate(i)
	return v.tail.chunks[chunk], offset
}

// push adds a member at the end.
func (v *vector[T]) push(member T) {
	if n := len(v.first); n < short {
		if n == cap(v.first) {
			v.first = resized(v.first, min(n+n/perOctave+1, short))
		}
		v.first = append(v.first, member)
		return
	}
	if v.tail == nil {
		v.tail = &tail[T]{}
	}
	chunk, offset := locate(short + v.tail.n)
	if chunk == len(v.tail.chunks) {
		size := short / perOctave << (chunk / perOctave)
		v.tail.chunks = append(v.tail.chunks, make([]T, size))
	}
	v.tail.chunks[chunk][offset] = member
	v.tail.n++
}

// truncate keeps the first n members and releases most unused memory.
func (v *vector[T]) truncate(n int) {
	if n > short {
		v.tail.n = n - short
		last, _ := locate(n - 1)
		v.shorten(last + 2) // one spare
		return
	}
	if v.tail != nil {
		v.tail.n = 0
		if v.shorten(1); n < short-short/32 {
			v.tail = nil
		}
	}
	v.first = v.first[:n]
	if c := cap(v.first); c > leastCap && n < c*5/6 {
		v.first = resized(v.first, n+n/16)
	}
}

// shorten drops all but the first chunks.
func (v *vector[T]) shorten(chunks int) {
	for last := len(v.tail.chunks) - 1; last >= chunks; last-- {
		v.tail.chunks[last] = nil
		v.tail.chunks = v.tail.chunks[:last]
	}
}

// resized copies a slice into one of at least the given capacity.
func resized[T any](s []T, capacity int) []T {
	return append(append([]T(nil), make([]T, capacity)...)[:0], s...)
}
