package eval

import (
	"math/bits"
	"slices"

	"orbweaver/rdf/quads"
	"orbweaver/rdf/sparql/algebra"
)

// A rowTable stores rows of equal width, indexed by a hash of some columns. Rows are stored in chunks, so
// that growth neither moves nor copies them.
type rowTable struct {
	x     *execution
	width int
	key   []int        // columns that are hashed
	ids   [][]quads.ID // per row a link (1 + the next row of the same head, or 0) and the row
	rows  int
	heads []int32 // by hash: 1 + the first row
	shift int     // of a hash, to its index in heads
	bytes int
}

const (
	minHeads  = 16
	chunkBits = 12 // low bits of a row number: the index within its chunk
)

// newRowSet returns a table indexed by all columns.
func newRowSet(x *execution, width int) *rowTable {
	return &rowTable{x: x, width: width, key: all(width)}
}

// hash depends on a random seed, so that hostile data cannot cause collisions.
func hash(h uint64, id quads.ID) uint64 {
	high, low := bits.Mul64(h^uint64(id), 0x9e3779b97f4a7c15)
	return high ^ low
}

// at returns a row with its link.
func (t *rowTable) at(i int32) []quads.ID {
	from := int(i&(1<<chunkBits-1)) * (t.width + 1)
	return t.ids[i>>chunkBits][from : from+t.width+1]
}

// row returns a row.
func (t *rowTable) row(i int32) []quads.ID { return t.at(i)[1:] }

// hashRow hashes the key of a row.
func (t *rowTable) hashRow(row []quads.ID) uint64 {
	h := t.x.seed
	for _, c := range t.key {
		h = hash(h, row[c])
	}
	return h
}

// add appends a row, and returns its number.
func (t *rowTable) add(row []quads.ID) int32 {
	if t.rows == len(t.heads) {
		t.grow()
	}
	if t.rows>>chunkBits == len(t.ids) {
		t.ids = append(t.ids, nil)
		if t.rows > 0 { // small tables have small chunks
			t.ids[len(t.ids)-1] = make([]quads.ID, 0, (t.width+1)<<chunkBits)
			t.charge(24 + 8*(t.width+1)<<chunkBits)
		}
	}
	n := int32(t.rows)
	head := &t.heads[t.hashRow(row)>>t.shift]
	chunk := &t.ids[len(t.ids)-1]
	had := cap(*chunk)
	*chunk = append(append(*chunk, quads.ID(*head)), row...)
	if more := cap(*chunk) - had; more > 0 {
		t.charge(8 * more)
	}
	*head = n + 1
	if t.rows++; t.rows >= maxTable {
		t.x.fail(ErrMemory)
	}
	return n
}

// maxTable is the most rows of a table: heads have 32 bits.
const maxTable = 1<<31 - 2

// charge counts the table's memory.
func (t *rowTable) charge(bytes int) {
	t.bytes += bytes
	t.x.keep(bytes)
}

// grow doubles the heads and relinks the rows.
func (t *rowTable) grow() {
	n := max(minHeads, 2*len(t.heads))
	t.charge(4 * (n - len(t.heads)))
	t.heads, t.shift = make([]int32, n), 64-bits.TrailingZeros(uint(n))
	for i := range int32(t.rows) {
		row := t.at(i)
		head := &t.heads[t.hashRow(row[1:])>>t.shift]
		row[0] = quads.ID(*head)
		*head = i + 1
	}
}

// find returns 1 + the first row with a hash, 0 for none.
func (t *rowTable) find(h uint64) int32 {
	if t.rows == 0 {
		return 0
	}
	return t.heads[h>>t.shift]
}

// look returns a row with the same key as the given one; false if there is none.
func (t *rowTable) look(row []quads.ID) (int32, bool) {
next:
	for i := t.find(t.hashRow(row)); i != 0; {
		other, n := t.at(i-1), i-1
		i = int32(other[0])
		for _, c := range t.key {
			if other[1+c] != row[c] {
				continue next
			}
		}
		return n, true
	}
	return 0, false
}

// put adds a row unless its key is present, and reports whether it added it.
func (t *rowTable) put(row []quads.ID) bool {
	if _, found := t.look(row); found {
		return false
	}
	t.add(row)
	return true
}

// clear removes all rows.
func (t *rowTable) clear() {
	t.x.keep(-t.bytes)
	*t = rowTable{x: t.x, width: t.width, key: t.key}
}

// columnsOf returns the indices of slots in columns.
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
