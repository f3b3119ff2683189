package eval

import (
	"cmp"
	"container/heap"
	"slices"

	"orbweaver/ledger"
)

// best keeps the best pages it is offered, keptPages of them: accepted before not accepted, then by
// score, then by order of fetching. A page is offered once, or dropped before it is again.
type best struct{ kept worstFirst }

func (b *best) offer(l ledger.Line) {
	if len(b.kept) == keptPages && compareLines(l, b.kept[0]) >= 0 {
		return
	}
	heap.Push(&b.kept, l)
	if len(b.kept) > keptPages {
		heap.Pop(&b.kept)
	}
}

// drop forgets a page.
func (b *best) drop(url string) {
	at := slices.IndexFunc(b.kept, func(l ledger.Line) bool { return l.URL == url })
	if at >= 0 {
		heap.Remove(&b.kept, at)
	}
}

// list returns the bestPages best pages, best first.
func (b *best) list() []ledger.Line {
	lines := slices.Clone(b.kept)
	slices.SortFunc(lines, compareLines)
	return lines[:min(len(lines), bestPages)]
}

// compareLines is negative when a is a better page than b.
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
