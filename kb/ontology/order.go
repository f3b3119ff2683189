package ontology

import (
	"cmp"
	"encoding/binary"
	"slices"
)

// few is the length of lists whose strings are compared as a whole.
const few = 16

// A keyed is a string's number, with the bytes of the string that are being compared.
type keyed struct {
	bytes uint64
	at    int32
	n     uint8 // how many bytes there are, at most 8
}

// ordered returns the numbers 0..n-1 in the order of their strings, and of tie where they are equal. It compares eight bytes at a time, as IRIs of
// one namespace have most of them in common (Bentley and Sedgewick, "Fast Algorithms for Sorting and Searching Strings", SODA 1997).
func ordered(n int, text func(int32) string, tie func(a, b int32) int) []int32 {
	list := make([]keyed, n)
	for i := range list {
		list[i].at = int32(i)
	}
	sortFrom(list, 0, text, tie)
	order := make([]int32, n)
	for i, k := range list {
		order[i] = k.at
	}
	return order
}

// sortFrom sorts strings that are equal up to an offset.
func sortFrom(list []keyed, offset int, text func(int32) string, tie func(a, b int32) int) {
	for {
		if len(list) <= few {
			slices.SortFunc(list, func(a, b keyed) int {
				return cmp.Or(cmp.Compare(text(a.at)[offset:], text(b.at)[offset:]), tie(a.at, b.at))
			})
			return
		}
		for i := range list {
			list[i].read(text(list[i].at)[offset:])
		}
		if list[0].n < 8 || slices.ContainsFunc(list, func(k keyed) bool { return k.bytes != list[0].bytes || k.n < 8 }) {
			break
		}
		offset += 8
	}
	slices.SortFunc(list, compareKeys)
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
			slices.SortFunc(group, func(a, b keyed) int { return tie(a.at, b.at) })
		}
		from = to
	}
}

// read takes up to eight bytes from the start of a string.
func (k *keyed) read(s string) {
	var b [8]byte
	k.n = uint8(copy(b[:], s))
	k.bytes = binary.BigEndian.Uint64(b[:])
}

func compareKeys(a, b keyed) int {
	if a.bytes != b.bytes {
		return cmp.Compare(a.bytes, b.bytes)
	}
	return int(a.n) - int(b.n)
}
