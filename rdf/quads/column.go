package quads

import (
	"cmp"
	"math/bits"
	"slices"
	"sort"
)

// A Column is the subjects and objects of a predicate: ascending keys, which are the one or the other, and for each the ascending others, its
// values. It is immutable.
type Column struct {
	keys   []ID
	starts []uint32 // for each key the index of its first value, and the number of values; nil: each key has one value
	values []ID
	index  index         // of the keys
	long   map[int]index // of the values of keys that have many
}

// longList is from how many values on there is an index of them.
const longList = 1024

// An index tells about where an ID is in a sorted list.
type index struct {
	heads []uint32 // by the high bits of an ID's distance from the first one: the number of IDs with lower ones
	shift int
}

// idsPerHead is about how many IDs have the same high bits, where they are evenly distributed.
const idsPerHead = 4

// newIndex returns the index of a list, which is not empty.
func newIndex(list []ID) index {
	n := len(list)
	span := uint64(list[n-1] - list[0])
	x := index{shift: max(0, bits.Len64(span)-bits.Len(uint(n/idsPerHead)))}
	x.heads = make([]uint32, span>>x.shift+2)
	for _, id := range list {
		x.heads[uint64(id-list[0])>>x.shift+1]++
	}
	for i := 1; i < len(x.heads); i++ {
		x.heads[i] += x.heads[i-1]
	}
	return x
}

// find returns the place of an ID in the list; false: it is not there.
func (x *index) find(list []ID, id ID) (int, bool) {
	n := len(list)
	if n == 0 || id < list[0] || id > list[n-1] {
		return 0, false
	}
	head := uint64(id-list[0]) >> x.shift
	low, high := int(x.heads[head]), int(x.heads[head+1])
	for high-low > 8 {
		if middle := int(uint(low+high) / 2); list[middle] <= id {
			low = middle
		} else {
			high = middle
		}
	}
	for ; low < high; low++ {
		if list[low] >= id {
			return low, list[low] == id
		}
	}
	return 0, false
}

// add appends a pair, in order.
func (c *Column) add(k, v ID) {
	if n := len(c.keys); n == 0 || c.keys[n-1] != k {
		if c.starts != nil {
			c.starts = append(c.starts, uint32(len(c.values)))
		}
		c.keys = append(c.keys, k)
	} else if c.starts == nil {
		c.starts = make([]uint32, n, max(n+1, cap(c.values)/4))
		for i := range c.starts {
			c.starts[i] = uint32(i)
		}
	}
	c.values = append(c.values, v)
}

// finish makes the indexes.
func (c *Column) finish() {
	n := len(c.keys)
	if c.starts != nil {
		c.starts = slices.Clip(append(c.starts, uint32(len(c.values))))
	}
	c.keys, c.values = slices.Clip(c.keys), slices.Clip(c.values)
	if n == 0 {
		return
	}
	c.index = newIndex(c.keys)
	for i := 0; c.starts != nil && i < n; i++ {
		if start, end := c.span(i); end-start >= longList {
			if c.long == nil {
				c.long = map[int]index{}
			}
			c.long[i] = newIndex(c.values[start:end])
		}
	}
}

// bytes is the memory that the column takes.
func (c *Column) bytes() int64 {
	n := 8*cap(c.keys) + 4*cap(c.starts) + 8*cap(c.values) + 4*cap(c.index.heads)
	for _, x := range c.long {
		n += 4*cap(x.heads) + 64
	}
	return int64(n)
}

// find returns the index of a key; false: it is not there.
func (c *Column) find(k ID) (int, bool) { return c.index.find(c.keys, k) }

// Len returns the number of keys.
func (c *Column) Len() int { return len(c.keys) }

// At returns the i-th key with its values, which the caller must not change.
func (c *Column) At(i int) (key ID, values []ID) {
	start, end := c.span(i)
	return c.keys[i], c.values[start:end:end]
}

// closeBy is up to how many keys near looks further.
const closeBy = 64

// near returns the index of a key like find, and is faster if it is little above another one's.
func (c *Column) near(i int, k ID) (int, bool) {
	if i < len(c.keys) && c.keys[i] <= k {
		if end := min(i+closeBy, len(c.keys)); c.keys[end-1] >= k {
			i += gallop(c.keys[i:end], 0, k)
			return i, c.keys[i] == k
		}
	}
	return c.find(k)
}

// span returns the indices of the values of the i-th key.
func (c *Column) span(i int) (start, end int) {
	if c.starts == nil {
		return i, i + 1
	}
	return int(c.starts[i]), int(c.starts[i+1])
}

// turned returns the column with keys and values exchanged. Pairs are put where the high bits of their new keys belong, and sorted there.
func (c *Column) turned() *Column {
	n := len(c.values)
	out := &Column{values: make([]ID, 0, n)}
	if n == 0 {
		return out
	}
	first, last := slices.Min(c.values), slices.Max(c.values)
	shift := max(0, bits.Len64(uint64(last-first))-bits.Len(uint(n/idsPerHead)))
	places := make([]uint32, uint64(last-first)>>shift+2)
	for _, v := range c.values {
		places[uint64(v-first)>>shift+1]++
	}
	for i := 1; i < len(places); i++ {
		places[i] += places[i-1]
	}
	pairs := make([][2]ID, n)
	for i, k := range c.keys {
		start, end := c.span(i)
		for _, v := range c.values[start:end] {
			at := &places[uint64(v-first)>>shift]
			pairs[*at] = [2]ID{v, k}
			*at++
		}
	}
	for i, start := 0, uint32(0); i < len(places)-1; i++ { // each place is now its end
		group := pairs[start:places[i]]
		start = places[i]
		if len(group) < 12 {
			insertionSort(group)
		} else if !sort.SliceIsSorted(group, func(i, j int) bool { return comparePairs(group[i], group[j]) < 0 }) {
			slices.SortFunc(group, comparePairs)
		}
	}
	for _, p := range pairs {
		out.add(p[0], p[1])
	}
	out.finish()
	return out
}

func comparePairs(a, b [2]ID) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) }

func insertionSort(group [][2]ID) {
	for i := 1; i < len(group); i++ {
		for j := i; j > 0 && comparePairs(group[j], group[j-1]) < 0; j-- {
			group[j], group[j-1] = group[j-1], group[j]
		}
	}
}
