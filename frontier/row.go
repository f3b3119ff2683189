package frontier

import "math"

// A rank orders all waiting work: by class, then by greater key, then by lower number. The order is total.
type rank struct {
	key   uint64 // of a score: keyOf; of hops and subresource requests, greater for earlier ones
	id    uint32 // of a request; 0 for hops and subresource requests, whose keys are unique
	class class  // none: no work
}

// A class is the first criterion of a rank.
type class uint8

// The classes, lowest priority first.
const (
	none        class = iota
	requisite         // of an accepted page, where nothing else waits
	ranked            // by score
	ahead             // redirect targets
	subresource       // a subresource request of a page in progress
	hop               // a robots.txt redirected to this host
)

// before reports whether r precedes s.
func (r rank) before(s rank) bool {
	switch {
	case r.class != s.class:
		return r.class > s.class
	case r.key != s.key:
		return r.key > s.key
	}
	return r.id < s.id
}

// keyOf maps a score to a key of the same order; both zeros have the same key. NaN is last.
func keyOf(score float64) uint64 {
	b := math.Float64bits(score + 0)
	switch {
	case math.IsNaN(score):
		return 0
	case b>>63 == 1:
		return ^b
	}
	return b | 1<<63
}

// scoreOf returns the score of a key.
func scoreOf(key uint64) float64 {
	if key>>63 == 1 {
		return math.Float64frombits(key &^ (1 << 63))
	}
	return math.Float64frombits(^key)
}

// An entry is a request in a heap: 12 bytes, so the key is in two halves.
type entry struct{ low, high, id uint32 }

func entryOf(key uint64, id uint32) entry { return entry{uint32(key), uint32(key >> 32), id} }

func (e entry) key() uint64 { return uint64(e.low) | uint64(e.high)<<32 }

// before orders requests of one class.
func (e entry) before(other entry) bool {
	if k, o := e.key(), other.key(); k != o {
		return k > o
	}
	return e.id < other.id
}

// rank returns the rank of an entry of a class.
func (e entry) rank(c class) rank { return rank{key: e.key(), id: e.id, class: c} }

// arity is the number of children of a heap node. A heap of arity four has half the levels of a binary heap,
// and the children of a node are adjacent in memory.
const arity = 4

// A row is a heap of requests, the best first; an index holds the positions of its members.
type row struct{ vector[entry] }

// top returns the rank of the best request of a row, in a class.
func (r *row) top(c class) rank {
	if len(r.first) == 0 {
		return rank{}
	}
	return r.first[0].rank(c)
}

// add adds a request to a row and sets its position in the index.
func (r *row) add(x *index, e entry) {
	r.push(e)
	r.up(x, r.len()-1, e)
}

// remove removes the entry at i.
func (r *row) remove(x *index, i int) {
	last := r.len() - 1
	e := *r.at(last)
	if r.truncate(last); i < last {
		r.set(x, i, e)
	}
}

// set stores an entry at i and restores the heap.
func (r *row) set(x *index, i int, e entry) {
	if i > 0 && e.before(*r.at((i - 1) / arity)) {
		r.up(x, i, e)
		return
	}
	*r.at(r.sink(x, i, e)) = e
}

// up moves an entry up from i.
func (r *row) up(x *index, i int, e entry) {
	for i > 0 {
		above := (i - 1) / arity
		p := *r.at(above)
		if !e.before(p) {
			break
		}
		*r.at(i) = p
		x.stand(p.id, i)
		i = above
	}
	*r.at(i) = e
	x.stand(e.id, i)
}

// sink opens a hole at i, moves it down to where the entry belongs, and returns its index. Without an index
// it records no positions.
func (r *row) sink(x *index, i int, e entry) int {
	n := r.len()
	for {
		at, best := r.bestBelow(i, n)
		if at == 0 || !best.before(e) {
			break
		}
		*r.at(i) = best
		if x != nil {
			x.stand(best.id, i)
		}
		i = at
	}
	if x != nil {
		x.stand(e.id, i)
	}
	return i
}

// bestBelow returns the best child of i among n entries; 0 if there is none.
func (r *row) bestBelow(i, n int) (at int, best entry) {
	from := arity*i + 1
	if from >= n {
		return 0, entry{}
	}
	chunk, offset := r.run(from)
	if from+arity <= n && offset+arity <= len(chunk) {
		four := chunk[offset : offset+arity : offset+arity]
		best, at = four[0], from
		for j := 1; j < arity; j++ {
			if four[j].before(best) {
				best, at = four[j], from+j
			}
		}
		return at, best
	}
	best, at = chunk[offset], from
	for j := from + 1; j < min(from+arity, n); j++ {
		if e := *r.at(j); e.before(best) {
			best, at = e, j
		}
	}
	return at, best
}

// order builds a heap from entries in any order (Floyd's bottom-up construction) and records their positions.
func (r *row) order(x *index) {
	n := r.len()
	for i := (n - 2) / arity; i >= 0 && n > 1; i-- {
		e := *r.at(i)
		*r.at(r.sink(nil, i, e)) = e
	}
	for i := range n {
		x.stand(r.at(i).id, i)
	}
}
