package crossref

import (
	"cmp"
	"hash/fnv"
	"slices"

	"orbweaver/text/item"
)

// A key identifies an item: the first 64 bits of a hash of the URL.
type key uint64

func keyOf(url string) key {
	h := fnv.New64a()
	_, _ = h.Write([]byte(url))
	return key(h.Sum64())
}

// A kept item is what remains of a page that was learned from.
type kept struct {
	url      string
	terms    vector
	main     []item.Term // of the terms, those that labels go by
	labels   vector      // as of the end of the last round, or when it came
	near     vector      // words near the links to it
	standing standing    // as the labels
	member   int8        // the layer it is one of; outside: none
}

// outside is where an item is that is of no layer.
const outside = -1

// A collection keeps items, the oldest first.
type collection struct {
	items []kept
	at    map[key]int32
	most  int
}

func newCollection(most int) *collection {
	return &collection{at: map[key]int32{}, most: most}
}

// find returns an item by the key of its URL; nil: it is not kept.
func (c *collection) find(k key) *kept {
	if at, ok := c.at[k]; ok {
		return &c.items[at]
	}
	return nil
}

// add keeps an item; one that was there before is replaced. When there is no room, a quarter is forgotten:
// the least relevant, of equals the oldest.
func (c *collection) add(k kept) {
	id := keyOf(k.url)
	if at, ok := c.at[id]; ok {
		c.items[at] = k
		return
	}
	if len(c.items) >= c.most {
		c.forget()
	}
	c.at[id] = int32(len(c.items))
	c.items = append(c.items, k)
}

func (c *collection) forget() {
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

// index finds the places of all items anew.
func (c *collection) index() {
	clear(c.at)
	for i := range c.items {
		c.at[keyOf(c.items[i].url)] = int32(i)
	}
}
