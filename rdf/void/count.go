package void

import (
	"cmp"
	"maps"
	"math"
	"math/bits"
	"slices"

	"orbweaver/internal/order"
)

// A distinct counts the distinct members of groups by their hashes. The count is exact up to limit members in
// all groups together. Beyond, only members whose hash begins with a zero bit are kept, then two zero bits,
// and so on: at level n each kept member represents 2^n members (adaptive sampling: Flajolet, Computing 43,
// 1990). The standard error is 1.2/√kept.
type distinct struct {
	limit  int
	level  int
	kept   map[uint64]int32 // hash → group
	counts []int64          // kept, by group
}

func newDistinct(limit int) *distinct { return &distinct{limit: limit, kept: map[uint64]int32{}} }

// addIn counts a member that may also occur in other groups.
func (d *distinct) addIn(group int, hash uint64) { d.add(group, mix(hash^mix(uint64(group)+1))) }

// add counts a member that occurs in one group only.
func (d *distinct) add(group int, hash uint64) {
	if bits.LeadingZeros64(hash) < d.level {
		return
	}
	if _, known := d.kept[hash]; known {
		return
	}
	for len(d.counts) <= group {
		d.counts = append(d.counts, 0)
	}
	d.kept[hash] = int32(group)
	d.counts[group]++
	for len(d.kept) > d.limit {
		d.thin()
	}
}

// thin raises the level: about half of the kept members are dropped.
func (d *distinct) thin() {
	d.level++
	for hash, group := range d.kept {
		if bits.LeadingZeros64(hash) < d.level {
			delete(d.kept, hash)
			d.counts[group]--
		}
	}
}

// count returns the number of members of a group.
func (d *distinct) count(group int) int64 {
	if group >= len(d.counts) {
		return 0
	}
	return d.counts[group] << d.level
}

// doubt returns the relative standard error of a group's count; 0 for an exact count.
func (d *distinct) doubt(group int) float64 {
	if d.level == 0 || group >= len(d.counts) {
		return 0
	}
	return 1.2 / math.Sqrt(float64(max(d.counts[group], 1)))
}

// mix spreads every bit over the whole word (the finalizer of MurmurHash3). It is a bijection.
func mix(h uint64) uint64 {
	h ^= h >> 33
	h *= 0xff51afd7ed558ccd
	h ^= h >> 33
	h *= 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}

// A tally counts uses by name, up to a limit of distinct names.
type tally struct {
	limit  int
	bytes  int  // of the names
	full   bool // names were refused
	places map[string]int
	uses   []int64 // by index
}

func newTally(limit int) *tally { return &tally{limit: limit, places: map[string]int{}} }

// add counts a use and returns the index of the name; -1 if the limit of names is reached.
func (t *tally) add(name string) int {
	place, known := t.places[name]
	if !known {
		if len(t.uses) >= t.limit || t.bytes+len(name) > maxNameBytes {
			t.full = true
			return -1
		}
		place = len(t.uses)
		t.places[name], t.uses, t.bytes = place, append(t.uses, 0), t.bytes+len(name)
	}
	t.uses[place]++
	return place
}

// A share is a name and its number of uses.
type share struct {
	name string
	uses int64
}

// most returns the n most used names.
func most(uses map[string]int64, n int) []share {
	shares := make([]share, 0, len(uses))
	for _, name := range slices.Sorted(maps.Keys(uses)) {
		shares = append(shares, share{name, uses[name]})
	}
	order.Stably(shares, func(a, b share) int { return cmp.Compare(b.uses, a.uses) })
	return shares[:min(n, len(shares))]
}

// all returns the uses by name.
func (t *tally) all() map[string]int64 {
	uses := make(map[string]int64, len(t.places))
	for name, place := range t.places {
		uses[name] = t.uses[place]
	}
	return uses
}
