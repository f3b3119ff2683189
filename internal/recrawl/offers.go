package recrawl

import (
	"container/heap"
	"slices"
)

// maxOffers is how many requests that were never made a schedule keeps; what is worse waits in the crawl.
const maxOffers = 100_000

// offers are requests that were never made, the best first, and those ahead of them.
type offers struct {
	heap  offered
	ahead []uint64
	known map[uint64]bool
}

type offer struct {
	id    uint64
	score float64
}

func (o *offers) add(id uint64, score float64, ahead bool) {
	if o.known[id] {
		i := slices.IndexFunc(o.heap, func(x offer) bool { return x.id == id })
		if i < 0 {
			return
		}
		if !ahead {
			o.heap[i].score = max(score, o.heap[i].score)
			heap.Fix(&o.heap, i)
			return
		}
		heap.Remove(&o.heap, i)
	}
	if ahead {
		o.known[id] = true
		o.ahead = append(o.ahead, id)
		return
	}
	if len(o.heap) >= maxOffers {
		return
	}
	o.known[id] = true
	heap.Push(&o.heap, offer{id, score})
}

// drop removes a request.
func (o *offers) drop(id uint64) {
	if !o.known[id] {
		return
	}
	delete(o.known, id)
	if i := slices.IndexFunc(o.heap, func(x offer) bool { return x.id == id }); i >= 0 {
		heap.Remove(&o.heap, i)
		return
	}
	o.ahead = slices.DeleteFunc(o.ahead, func(x uint64) bool { return x == id })
}

func (o *offers) first() uint64 {
	id := o.ahead[0]
	o.ahead = o.ahead[1:]
	delete(o.known, id)
	return id
}

func (o *offers) best() uint64 {
	x := heap.Pop(&o.heap).(offer)
	delete(o.known, x.id)
	return x.id
}

// offered is a heap of offers, the best first.
type offered []offer

func (o offered) Len() int { return len(o) }
func (o offered) Less(i, j int) bool {
	return o[i].score > o[j].score || o[i].score == o[j].score && o[i].id < o[j].id
}
func (o offered) Swap(i, j int) { o[i], o[j] = o[j], o[i] }
func (o *offered) Push(x any)   { *o = append(*o, x.(offer)) }
func (o *offered) Pop() any {
	last := len(*o) - 1
	x := (*o)[last]
	*o = (*o)[:last]
	return x
}
