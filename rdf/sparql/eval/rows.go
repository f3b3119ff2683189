package eval

import (
	"slices"

	"orbweaver/rdf/quads"
	"orbweaver/rdf/sparql/algebra"
)

// A rowTable keeps rows of one width, one behind the other, and finds them by a hash of some columns.
type rowTable struct {
	x     *execution
	width int
	key   []int // columns that are hashed
	ids   []quads.ID
	rows  int
	heads []int32 // by hash: 1 + the first row
	links []int32 // by row: 1 + the next row of the same hash
	mask  uint64
	bytes int
}

const minHeads = 16

func hash(h uint64, id quads.ID) uint64 {
	h = (h ^ uint64(id)) * 0x9e3779b97f4a7c15
	return h ^ h>>29
}

// row returns a row.
func (t *rowTable) row(i int32) []quads.ID {
	at := int(i) * t.width
	return t.ids[at : at+t.width]
}

// hashRow hashes the key of a row.
func (t *rowTable) hashRow(row []quads.ID) (h uint64) {
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
	t.ids = append(t.ids, row...)
	t.links = append(t.links, 0)
	n := int32(t.rows)
	t.rows++
	t.link(n, t.hashRow(row))
	t.account()
	return n
}

// maxTable is how many rows a table may have: links are as wide as that.
const maxTable = 1<<31 - 2

// account counts what the table takes.
func (t *rowTable) account() {
	if t.rows >= maxTable {
		t.x.fail(ErrMemory)
	}
	if bytes := 8*cap(t.ids) + 4*cap(t.links) + 4*len(t.heads); bytes != t.bytes {
		t.x.keep(bytes - t.bytes)
		t.bytes = bytes
	}
}

func (t *rowTable) link(row int32, h uint64) {
	head := &t.heads[h>>7&t.mask]
	t.links[row] = *head
	*head = row + 1
}

// grow doubles the hash table. Rows are linked from the last to the first, so that they are found in
// their order.
func (t *rowTable) grow() {
	n := max(minHeads, 2*len(t.heads))
	t.heads, t.mask = make([]int32, n), uint64(n-1)
	for row := range int32(t.rows) {
		t.link(row, t.hashRow(t.row(row)))
	}
}

// find returns 1 + the first row of a hash, 0 for none.
func (t *rowTable) find(h uint64) int32 {
	if t.rows == 0 {
		return 0
	}
	return t.heads[h>>7&t.mask]
}

// look returns a row whose key is that of the given one; false: there is none.
func (t *rowTable) look(row []quads.ID) (int32, bool) {
next:
	for at := t.find(t.hashRow(row)); at != 0; at = t.links[at-1] {
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
