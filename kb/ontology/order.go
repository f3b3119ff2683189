package ontology

import (
	"cmp"
	"encoding/binary"
	"slices"

	"orbweaver/internal/order"
)

// few is the length of lists whose strings are compared as a whole.
const few = 16

// A keyed is a string's number, with the bytes of the string that are being compared.
type keyed[T ~int32] struct {
	bytes uint64
	at    T
	n     uint8 // how many bytes there are, at most 8
}

// ordered sorts numbers by their strings, and by tie where these are equal, and returns them. It compares eight bytes at a time, as IRIs of
// one namespace have most of them in common (Bentley and Sedgewick, "Fast Algorithms for Sorting and Searching Strings", SODA 1997).
func ordered[T ~int32](numbers []T, text func(T) string, tie func(a, b T) int) []T {
	list := make([]keyed[T], len(numbers))
	for i, n := range numbers {
		list[i].at = n
	}
	sortFrom(list, 0, text, tie)
	for i, k := range list {
		numbers[i] = k.at
	}
	return numbers
}

// sortFrom sorts strings that are equal up to an offset.
func sortFrom[T ~int32](list []keyed[T], offset int, text func(T) string, tie func(a, b T) int) {
	for {
		if len(list) <= few {
			order.By(list, func(a, b keyed[T]) int {
				if c := cmp.Compare(text(a.at)[offset:], text(b.at)[offset:]); c != 0 {
					return c
				}
				return tie(a.at, b.at)
			})
			return
		}
		for i := range list {
			list[i].read(text(list[i].at)[offset:])
		}
		if list[0].n < 8 || slices.ContainsFunc(list, func(k keyed[T]) bool { return k.bytes != list[0].bytes || k.n < 8 }) {
			break
		}
		offset += 8
	}
	order.By(list, compareKeys[T])
	for from := 0; from < len(list); {
		to := from + 1
		for to < len(list) && list[to].bytes == list[from].bytes && list[to].n == list[from].n {
			to++
		}
		switch group := list[from:to]; {
		case len(group) == 1:
		case group[0].n == 8:
			sortFrom(group, offset+8, text, tie)
		default:
			order.By(group, func(a, b keyed[T]) int { return tie(a.at, b.at) })
		}
		from = to
	}
}

// read takes up to eight bytes from the start of a string.
func (k *keyed[T]) read(s string) {
	var b [8]byte
	k.n = uint8(copy(b[:], s))
	k.bytes = binary.BigEndian.Uint64(b[:])
}

func compareKeys[T ~int32](a, b keyed[T]) int {
	if a.bytes != b.bytes {
		return cmp.Compare(a.bytes, b.bytes)
	}
	return int(a.n) - int(b.n)
}
