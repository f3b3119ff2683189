package void

import (
	"cmp"
	"maps"
	"math"
	"math/bits"
	"slices"
)

// A distinct counts the different members of groups by their hashes: exactly as long as there are no
// more than limit of them in all groups together. Then it keeps those alone whose hash begins with a
// zero bit, with two, and so on, and each stands for 2^level of them (adaptive sampling: Flajolet,
// Computing 43, 1990), with a standard error of 1.2/√kept.
type distinct struct {
	limit  int
	level  int
	kept   map[uint64]int32 // hash → group
	counts []int64          // kept, by group
}

func newDistinct(limit int) *distinct { return &distinct{limit: limit, kept: map[uint64]int32{}} }

// addIn counts a member that may be in other groups too.
func (d *distinct) addIn(group int, hash uint64) { d.add(group, mix(hash^mix(uint64(group)+1))) }

// add counts a member of one group alone.
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

// thin lets go of half.
func (d *distinct) thin() {
	d.level++
	for hash, group := range d.kept {
		if bits.LeadingZeros64(hash) < d.level {
			delete(d.kept, hash)
			d.counts[group]--
		}
	}
}

// count is how many members a group has.
func (d *distinct) count(group int) int64 {
	if group >= len(d.counts) {
		return 0
	}
	return d.counts[group] << d.level
}

// doubt is the standard error of a group's count, as a part of it; 0: it is exact.
func (d *distinct) doubt(group int) float64 {
	if d.level == 0 || group >= len(d.counts) {
		return 0
	}
	return 1.2 / math.Sqrt(float64(max(d.counts[group], 1)))
}

// mix spreads all bits over all (the finalizer of MurmurHash3): what differs stays different.
func mix(h uint64) uint64 {
	h ^= h >> 33
	h *= 0xff51afd7ed558ccd
	h ^= h >> 33
	h *= 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}

// A tally counts uses by name, of the first names that come.
type tally struct {
	limit  int
	bytes  int  // of the names
	full   bool // there were others
	places map[string]int
	uses   []int64 // by place
}

func newTally(limit int) *tally { return &tally{limit: limit, places: map[string]int{}} }

// add counts a use and returns the name's place; -1: it has none, for there are too many.
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

// A share is a name and how often it is used.
type share struct {
	name string
	uses int64
}

// most returns the names used most, at most n of them.
func most(uses map[string]int64, n int) []share {
	shares := make([]share, 0, len(uses))
	for _, name := range slices.Sorted(maps.Keys(uses)) {
		shares = append(shares, share{name, uses[name]})
	}
	slices.SortStableFunc(shares, func(a, b share) int { return cmp.Compare(b.uses, a.uses) })
	return shares[:min(n, len(shares))]
}

// all are the names with their uses.
func (t *tally) all() map[string]int64 {
	uses := make(map[string]int64, len(t.places))
	for name, place := range t.places {
		uses[name] = t.uses[place]
	}
	return uses
}
