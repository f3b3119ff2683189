package eval

import (
	"container/heap"
	"sort"

	"orbweaver/rdf/quads"
	"orbweaver/rdf/sparql/algebra"
	"orbweaver/rdf/sparql/plan"
	"orbweaver/rdf/sparql/value"
)

// sorting sorts solutions, or keeps the first of them in order. The sort is stable.
type sorting struct {
	output
	node   *plan.Sort
	input  iterator
	keys   []operand
	rows   []sortRow
	spare  sortRow
	came   int64
	at     int
	sorted bool
	bytes  int
}

type sortRow struct {
	ids  []quads.ID
	keys []value.Value
	n    int64 // order of arrival
}

func newSort(x *execution, n *plan.Sort) *sorting {
	s := &sorting{output: output{x: x, columns: n.Columns}, node: n, input: x.iterator(n.Input)}
	for _, key := range n.Keys {
		s.keys = append(s.keys, x.operand(key.Expr))
	}
	return s
}

func (s *sorting) open() {
	s.begin()
	s.x.keep(-s.bytes)
	s.rows, s.at, s.sorted, s.bytes, s.came = nil, 0, false, 0, 0
	s.input.open()
}

func (s *sorting) next() bool {
	if !s.sorted {
		s.sorted = true
		s.fill()
	}
	if s.at == len(s.rows) || s.x.err != nil {
		s.end()
		return false
	}
	s.show(s.rows[s.at].ids)
	s.at++
	return true
}

// fill reads all solutions of the input.
func (s *sorting) fill() {
	for s.input.next() {
		if !s.x.step() {
			return
		}
		s.take()
	}
	sort.Sort((*inOrder)(s))
}

// take keeps a solution unless enough others precede it.
func (s *sorting) take() {
	row := s.spare
	s.spare = sortRow{}
	if row.ids == nil {
		row = sortRow{ids: make([]quads.ID, len(s.columns)), keys: make([]value.Value, len(s.keys))}
	}
	for i, slot := range s.columns {
		row.ids[i] = s.x.reg[slot]
	}
	for i, key := range s.keys {
		v, err := key()
		if err != nil {
			v = value.Value{}
		}
		row.keys[i] = v
	}
	row.n = s.came
	s.came++
	switch limit := s.node.Limit; {
	case limit == algebra.NoLimit:
		s.rows = append(s.rows, row)
		s.charge()
	case int64(len(s.rows)) < limit:
		heap.Push((*worstFirst)(s), row)
		s.charge()
	case limit > 0 && s.less(&row, &s.rows[0]):
		s.spare, s.rows[0] = s.rows[0], row
		heap.Fix((*worstFirst)(s), 0)
	default:
		s.spare = row
	}
}

func (s *sorting) charge() {
	bytes := 64 + 8*len(s.columns) + 120*len(s.keys)
	s.bytes += bytes
	s.x.keep(bytes)
}

// less reports whether a row comes before another.
func (s *sorting) less(a, b *sortRow) bool {
	for i, key := range s.node.Keys {
		if c := value.Order(a.keys[i], b.keys[i]); c != 0 {
			return c < 0 != key.Descending
		}
	}
	return a.n < b.n
}

func (s *sorting) stop() {
	s.end()
	if !s.sorted {
		s.input.stop()
	}
}

// inOrder sorts rows and checks the time limit while comparing.
type inOrder sorting

func (s *inOrder) Len() int { return len(s.rows) }
func (s *inOrder) Less(i, j int) bool {
	return (*sorting)(s).x.step() && (*sorting)(s).less(&s.rows[i], &s.rows[j])
}
func (s *inOrder) Swap(i, j int) { s.rows[i], s.rows[j] = s.rows[j], s.rows[i] }

// worstFirst is a heap of rows whose top is the next to drop.
type worstFirst sorting

func (s *worstFirst) Len() int           { return len(s.rows) }
func (s *worstFirst) Less(i, j int) bool { return (*sorting)(s).less(&s.rows[j], &s.rows[i]) }
func (s *worstFirst) Swap(i, j int)      { s.rows[i], s.rows[j] = s.rows[j], s.rows[i] }
func (s *worstFirst) Push(row any)       { s.rows = append(s.rows, row.(sortRow)) }
func (s *worstFirst) Pop() any           { panic("nothing is taken out of it") }
