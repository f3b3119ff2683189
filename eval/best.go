package eval

import (
	"cmp"
	"container/heap"
	"slices"

	"orbweaver/internal/order"
	"orbweaver/ledger"
)

// best keeps the best keptPages pages: accepted before not accepted, then by score, then in the order fetched.
// A page must be dropped before it is offered again.
type best struct {
	kept worstFirst
	urls map[string]int // several forms of a page share a URL
}

func (b *best) offer(l ledger.Line) {
	if len(b.kept) == keptPages && compareLines(l, b.kept[0]) >= 0 {
		return
	}
	if b.urls == nil {
		b.urls = map[string]int{}
	}
	heap.Push(&b.kept, l)
	b.urls[l.URL]++
	if len(b.kept) > keptPages {
		b.forget(heap.Pop(&b.kept).(ledger.Line).URL)
	}
}

// drop forgets a page.
func (b *best) drop(url string) {
	if b.urls[url] == 0 {
		return
	}
	at := slices.IndexFunc(b.kept, func(l ledger.Line) bool { return l.URL == url })
	if at >= 0 {
		heap.Remove(&b.kept, at)
		b.forget(url)
	}
}

// forget removes a URL from those kept.
func (b *best) forget(url string) {
	if b.urls[url]--; b.urls[url] == 0 {
		delete(b.urls, url)
	}
}

// list returns the pages, best first.
func (b *best) list() []ledger.Line {
	lines := slices.Clone(b.kept)
	order.By(lines, compareLines)
	return lines
}

// compareLines is negative if a is better than b.
func compareLines(a, b ledger.Line) int {
	return cmp.Or(-compareBool(a.Accepted, b.Accepted), cmp.Compare(b.Score, a.Score), cmp.Compare(a.N, b.N))
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// worstFirst is a heap.Interface.
type worstFirst []ledger.Line

func (h worstFirst) Len() int           { return len(h) }
func (h worstFirst) Less(i, j int) bool { return compareLines(h[i], h[j]) > 0 }
func (h worstFirst) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *worstFirst) Push(x any)        { *h = append(*h, x.(ledger.Line)) }
func (h *worstFirst) Pop() any {
	last := (*h)[len(*h)-1]
	(*h)[len(*h)-1] = ledger.Line{}
	*h = (*h)[:len(*h)-1]
	return last
}
