package crossref

import (
	"cmp"
	"hash/fnv"
	"slices"

	"orbweaver/text/item"
)

// A key identifies an item: the first 64 bits of a hash of its URL.
type key uint64

func keyOf(url string) key {
	h := fnv.New64a()
	_, _ = h.Write([]byte(url))
	return key(h.Sum64())
}

// A kept item is the data retained of a learned page.
type kept struct {
	url      string
	terms    vector
	main     []item.Term // the terms that labels use
	labels   vector      // at the end of the last round, or when the item was learned
	near     vector      // words near the links to it
	standing standing    // at the same time as labels
	member   int8        // layer of the item, or outside

	under judgedItem // of an Under alone
	links []key      // pages that it links to; of rounds shared with others alone
}

// outside is the layer of an item in no layer.
const outside = -1

// A collection holds items, oldest first.
type collection struct {
	items []kept
	at    map[key]int32
	most  int
}

func newCollection(most int) *collection {
	return &collection{at: map[key]int32{}, most: most}
}

// find returns an item by the key of its URL; nil if it is not kept.
func (c *collection) find(k key) *kept {
	if at, ok := c.at[k]; ok {
		return &c.items[at]
	}
	return nil
}

// add stores an item, replacing an earlier one of the same key. A full collection first evicts a quarter: the
// least relevant items, the oldest among equals.
func (c *collection) add(k kept) {
	id := keyOf(k.url)
	if at, ok := c.at[id]; ok {
		c.items[at] = k
		return
	}
	if len(c.items) >= c.most {
		c.evict()
	}
	c.at[id] = int32(len(c.items))
	c.items = append(c.items, k)
}

func (c *collection) evict() {
	order := make([]int32, len(c.items))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(i, k int32) int {
		return cmp.Compare(c.items[i].standing[0], c.items[k].standing[0])
	})
	gone := make([]bool, len(c.items))
	for _, i := range order[:max(1, len(order)/4)] {
		gone[i] = true
	}
	left := c.items[:0]
	for i, k := range c.items {
		if !gone[i] {
			left = append(left, k)
		}
	}
	clear(c.items[len(left):])
	c.items = left
	c.index()
}

// index rebuilds the positions of all items.
func (c *collection) index() {
	clear(c.at)
	for i := range c.items {
		c.at[keyOf(c.items[i].url)] = int32(i)
	}
}
