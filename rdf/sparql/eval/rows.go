package eval

import (
	"math/bits"
	"slices"

	"orbweaver/rdf/quads"
	"orbweaver/rdf/sparql/algebra"
)

// A rowTable keeps rows of one width, one behind the other, and finds them by a hash of some columns. What is
// looked at to find one is kept together and small, for that is where the time goes.
type rowTable struct {
	x     *execution
	width int
	key   []int      // columns that are hashed
	ids   []quads.ID // of each row a link, which is 1 + the next row of the same head, or 0, and the row
	rows  int
	heads []int32 // by hash: 1 + the first row
	shift int     // of a hash, to get its place among the heads
	bytes int
}

const minHeads = 16

// hash depends on what it starts with, a seed, so that nobody can have all rows share a head.
func hash(h uint64, id quads.ID) uint64 {
	high, low := bits.Mul64(h^uint64(id), 0x9e3779b97f4a7c15)
	return high ^ low
}

// row returns a row.
func (t *rowTable) row(i int32) []quads.ID {
	at := int(i)*(t.width+1) + 1
	return t.ids[at : at+t.width]
}

// link returns the link of a row.
func (t *rowTable) link(i int32) *quads.ID { return &t.ids[int(i)*(t.width+1)] }

// next returns 1 + the next row of the same head, 0 for none.
func (t *rowTable) next(i int32) int32 { return int32(*t.link(i)) }

// hashRow hashes the key of a row.
func (t *rowTable) hashRow(row []quads.ID) uint64 {
	h := t.x.seed
	for _, c := range t.key {
		h = hash(h, row[c])
	}
	return h
}

// add puts a row behind the others, and returns its number.
func (t *rowTable) add(row []quads.ID) int32 {
	if t.rows == len(t.heads) {
		t.grow()
	}
	if len(t.ids)+t.width >= cap(t.ids) {
		t.ids = slices.Grow(t.ids, max(len(t.ids), t.width+1))
	}
	n := int32(t.rows)
	head := &t.heads[t.hashRow(row)>>t.shift]
	t.ids = append(append(t.ids, quads.ID(*head)), row...)
	*head = n + 1
	t.rows++
	t.account()
	return n
}

// maxTable is how many rows a table may have: heads are as wide as that.
const maxTable = 1<<31 - 2

// account counts what the table takes.
func (t *rowTable) account() {
	if t.rows >= maxTable {
		t.x.fail(ErrMemory)
	}
	if bytes := 8*cap(t.ids) + 4*len(t.heads); bytes != t.bytes {
		t.x.keep(bytes - t.bytes)
		t.bytes = bytes
	}
}

// grow doubles the heads, and links the rows anew.
func (t *rowTable) grow() {
	n := max(minHeads, 2*len(t.heads))
	t.heads, t.shift = make([]int32, n), 64-bits.TrailingZeros(uint(n))
	for i := range int32(t.rows) {
		head := &t.heads[t.hashRow(t.row(i))>>t.shift]
		*t.link(i) = quads.ID(*head)
		*head = i + 1
	}
}

// find returns 1 + the first row of a hash, 0 for none.
func (t *rowTable) find(h uint64) int32 {
	if t.rows == 0 {
		return 0
	}
	return t.heads[h>>t.shift]
}

// look returns a row whose key is that of the given one; false: there is none.
func (t *rowTable) look(row []quads.ID) (int32, bool) {
next:
	for at := t.find(t.hashRow(row)); at != 0; at = t.next(at - 1) {
		other := t.row(at - 1)
		for _, c := range t.key {
			if other[c] != row[c] {
				continue next
			}
		}
		return at - 1, true
	}
	return 0, false
}

// clear forgets all rows.
func (t *rowTable) clear() {
	t.x.keep(-t.bytes)
	*t = rowTable{x: t.x, width: t.width, key: t.key}
}

// columnsOf returns where slots stand among columns.
func columnsOf(columns, slots []algebra.Slot) (out []int) {
	for _, slot := range slots {
		if i := slices.Index(columns, slot); i >= 0 {
			out = append(out, i)
		}
	}
	return out
}

// all returns the numbers of n columns.
func all(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}
