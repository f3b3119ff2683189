package eval

// edges is a growing list of directed edges.
type edges struct{ from, to []int32 }

func (e *edges) add(from, to int32) {
	e.from = append(e.from, from)
	e.to = append(e.to, to)
}

// adjacency holds the neighbours of each node contiguously: those of node i are
// neighbours[start[i]:start[i+1]], in the order their edges were added.
type adjacency struct {
	start      []int
	neighbours []int32
}

func (a adjacency) of(id int32) []int32 {
	return a.neighbours[a.start[id]:a.start[id+1]]
}

func (e *edges) forward(nodes int) adjacency  { return adjacent(e.from, e.to, nodes) }
func (e *edges) backward(nodes int) adjacency { return adjacent(e.to, e.from, nodes) }

// adjacent is a counting sort of edges by their first end.
func adjacent(first, second []int32, nodes int) adjacency {
	a := adjacency{start: make([]int, nodes+1), neighbours: make([]int32, len(second))}
	for _, id := range first {
		a.start[id+1]++
	}
	for i := range nodes {
		a.start[i+1] += a.start[i]
	}
	next := make([]int, nodes)
	copy(next, a.start)
	for i, id := range first {
		a.neighbours[next[id]] = second[i]
		next[id]++
	}
	return a
}
