package eval

import (
	"cmp"
	"slices"

	"orbweaver/internal/order"
)

// A box is a rectangle of a picture.
type box struct{ x, y, width, height float64 }

// layOutParts lays out the connected components of a graph separately, each in a box whose area grows with its
// nodes: forces alone would drive components into the corners. All isolated nodes are one component.
func layOutParts(n int, edges []edge, r []float64, width, height float64) *layout {
	whole := &layout{x: make([]float64, n), y: make([]float64, n)}
	parts := partsOf(n, edges)
	boxes := make([]box, len(parts))
	tile(box{0, 0, width, height}, parts, boxes)
	place := make([]int, n)
	for p, part := range parts {
		radii := make([]float64, len(part))
		for at, i := range part {
			place[i], radii[at] = at, r[i]
		}
		var within []edge
		for _, e := range edges {
			if slices.Contains(part, e.from) {
				within = append(within, edge{place[e.from], place[e.to], e.pages})
			}
		}
		b := boxes[p].inset(min(boxes[p].width, boxes[p].height) * 0.06)
		l := layOut(len(part), within, radii, b.width, b.height)
		for at, i := range part {
			whole.x[i], whole.y[i] = b.x+l.x[at], b.y+l.y[at]
		}
	}
	return whole
}

func (b box) inset(by float64) box { return box{b.x + by, b.y + by, b.width - 2*by, b.height - 2*by} }

// partsOf are the connected components, the largest first, equals by their first node; nodes in order.
func partsOf(n int, edges []edge) (parts [][]int) {
	root := make([]int, n)
	for i := range root {
		root[i] = i
	}
	find := func(i int) int {
		for root[i] != i {
			root[i] = root[root[i]]
			i = root[i]
		}
		return i
	}
	joined := make([]bool, n)
	for _, e := range edges {
		joined[e.from], joined[e.to] = true, true
		a, b := find(e.from), find(e.to)
		root[max(a, b)] = min(a, b)
	}
	of := map[int]int{}
	for i := range n {
		key := find(i)
		if !joined[i] {
			key = -1
		}
		p, known := of[key]
		if !known {
			p = len(parts)
			of[key] = p
			parts = append(parts, nil)
		}
		parts[p] = append(parts[p], i)
	}
	order.By(parts, func(a, b []int) int { return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a[0], b[0])) })
	return parts
}

// tile divides a box among components: along its longer side into two, as near to halves as their order allows,
// recursively.
func tile(b box, parts [][]int, boxes []box) {
	if len(parts) <= 1 {
		copy(boxes, []box{b})
		return
	}
	total := 0.0
	for _, p := range parts {
		total += roomFor(p)
	}
	first, cut := 0.0, 0
	for cut < len(parts)-1 && (cut == 0 || first+roomFor(parts[cut])/2 < total/2) {
		first += roomFor(parts[cut])
		cut++
	}
	one, two := b, b
	if b.width >= b.height {
		one.width = b.width * first / total
		two.x, two.width = b.x+one.width, b.width-one.width
	} else {
		one.height = b.height * first / total
		two.y, two.height = b.y+one.height, b.height-one.height
	}
	tile(one, parts[:cut], boxes[:cut])
	tile(two, parts[cut:], boxes[cut:])
}

// roomFor is the weight of a component's area: small ones get more per node, for their labels.
func roomFor(part []int) float64 { return float64(len(part)) + 3 }
