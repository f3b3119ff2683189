package frontier

import (
	"iter"
	"math/bits"
	"slices"
)

// A store is the part of a host's queue in the file: sorted runs. Once the host is settled, its best request
// in memory is better than all of these. A request that leaves, or changes its score, leaves an invalid slot.
type store struct {
	runs  []*run
	live  int // requests
	slots int // live and invalid ones
}

// A run is requests in order, read from the beginning, block by block.
type run struct {
	fences []fence
	slots  int
}

// A fence is a block of a run.
type fence struct {
	first entry
	block uint32
	n     uint32 // slots
}

// level returns the size class of a run; sizes grow eightfold from one level to the next.
func (r *run) level() int { return bits.Len(uint(r.slots/blockSlots)) / 3 }

// fan is the number of runs of a level that triggers a merge.
const fan = 8

// unload writes about the worse half of a host's queue to the file.
func (f *Frontier) unload(h *host) {
	q := &h.queue
	cut := q.part(q.middle())
	for q.len() > cut && f.err == nil {
		rest := q.len() - min(q.len()-cut, pieceSize)
		piece := f.file.piece[:0]
		for i := rest; i < q.len(); i++ {
			piece = append(piece, *q.at(i))
		}
		f.file.piece = piece
		q.truncate(rest)
		slices.SortFunc(piece, inOrder)
		r := &run{}
		for b := range slices.Chunk(piece, blockSlots) {
			if !f.write(h, r, b) {
				break
			}
		}
		for _, e := range piece[r.slots:] { // they could not be written
			q.push(e)
		}
		f.keep(h, r, r.slots)
	}
	q.order(&f.waiting)
	f.thin(h)
}

// inOrder compares requests; the best is first.
func inOrder(a, b entry) int {
	if a.before(b) {
		return -1
	}
	return 1
}

// middle returns the median of a sample of a long row.
func (r *row) middle() entry {
	var sample [255]entry
	for i := range sample {
		sample[i] = *r.at(i * (r.len() - 1) / (len(sample) - 1))
	}
	slices.SortFunc(sample[:], inOrder)
	return sample[len(sample)/2]
}

// part moves the entries worse than a pivot to the end and returns the index of the first.
func (r *row) part(pivot entry) (cut int) {
	i, j := 0, r.len()-1
	for {
		for i <= j && !pivot.before(*r.at(i)) {
			i++
		}
		for i <= j && pivot.before(*r.at(j)) {
			j--
		}
		if i > j {
			return i
		}
		*r.at(i), *r.at(j) = *r.at(j), *r.at(i)
	}
}

// keep adds a run to a host; fresh of its requests were not in the file before.
func (f *Frontier) keep(h *host, r *run, fresh int) {
	if r.slots == 0 {
		return
	}
	s := &h.aside().store
	s.runs = append(s.runs, r)
	s.slots += r.slots
	s.live += fresh
	f.file.live += fresh
}

// thin merges the runs of a level if there are too many.
func (f *Frontier) thin(h *host) {
	for again := true; again && f.err == nil; {
		again = false
		var levels [bits.UintSize / 3][]*run
		for _, r := range h.aside().store.runs {
			levels[r.level()] = append(levels[r.level()], r)
		}
		for _, runs := range levels {
			if len(runs) >= fan {
				f.merge(h, runs)
				again = true
				break
			}
		}
	}
}

// A cursor reads a run during a merge.
type cursor struct {
	run   *run
	block []entry // read from the run and not consumed
}

// before orders a heap of cursors by their best requests.
func (c *cursor) before(other *cursor) bool { return c.block[0].before(other.block[0]) }
func (c *cursor) stand(int)                 {}

// merge merges runs of a host into one, and frees their blocks as it reads them.
func (f *Frontier) merge(h *host, runs []*run) {
	s := &h.side.store
	s.runs = slices.DeleteFunc(s.runs, func(r *run) bool { return slices.Contains(runs, r) })
	var cursors heap[*cursor]
	for _, r := range runs {
		s.slots -= r.slots
		if c := (&cursor{run: r}); f.advance(c) {
			cursors.push(c)
		}
	}
	merged, out := &run{}, make([]entry, 0, blockSlots)
	for len(cursors) > 0 {
		c := cursors[0]
		out = append(out, c.block[0])
		if c.block = c.block[1:]; len(c.block) > 0 || f.advance(c) {
			cursors.fix(0)
		} else {
			cursors.remove(0)
		}
		if len(out) == blockSlots || len(cursors) == 0 {
			if !f.write(h, merged, out) {
				return
			}
			out = out[:0]
		}
	}
	f.keep(h, merged, 0)
}

// advance reads the next block of a run with live requests; false at the end.
func (f *Frontier) advance(c *cursor) bool {
	for c.block = c.block[:0]; len(c.run.fences) > 0 && len(c.block) == 0 && f.err == nil; {
		c.block = append(c.block, f.read(c.run.fences[0])...)
		f.release(c.run)
	}
	return len(c.block) > 0
}

// release frees the first block of a run.
func (f *Frontier) release(r *run) {
	f.file.free = append(f.file.free, r.fences[0].block)
	r.slots -= int(r.fences[0].n)
	r.fences = r.fences[1:]
}

// refill reads from the file until the best request in memory of a host's queue is better than all in the
// file.
func (f *Frontier) refill(h *host) {
	for h.side != nil && h.side.store.live > 0 && f.err == nil {
		s := &h.side.store
		best := slices.MinFunc(s.runs, func(a, b *run) int { return inOrder(a.fences[0].first, b.fences[0].first) })
		first := best.fences[0].first
		if h.queue.len() > 0 && h.queue.first[0].before(first) {
			return
		}
		f.load(h, best)
	}
}

// load moves the first block of a run into memory.
func (f *Frontier) load(h *host, r *run) {
	s := &h.side.store
	entries := f.read(r.fences[0])
	if f.err != nil {
		return
	}
	s.slots -= int(r.fences[0].n)
	if f.release(r); len(r.fences) == 0 {
		s.runs = slices.DeleteFunc(s.runs, func(other *run) bool { return other == r })
	}
	s.live -= len(entries)
	f.file.live -= len(entries)
	for _, e := range entries {
		*f.waiting.find(e.id) = place{host: placeOf(h.number, inQueue)}
		h.queue.add(&f.waiting, e)
	}
	f.prune(h)
}

// outdate invalidates the slot of a request that left the file. The caller has updated the index.
func (f *Frontier) outdate(h *host, p place) {
	if p.list() != inFile {
		return
	}
	h.side.store.live--
	f.file.live--
	f.prune(h)
}

// prune limits the invalid slots to about twice the valid ones.
func (f *Frontier) prune(h *host) {
	switch s := &h.side.store; {
	case s.live == 0:
		for _, r := range s.runs {
			for len(r.fences) > 0 {
				f.release(r)
			}
		}
		*s = store{}
	case s.slots > 3*s.live+least && f.err == nil:
		f.merge(h, slices.Clone(s.runs))
	}
}

// stored yields the requests of a host that are in the file, run by run.
func (f *Frontier) stored(h *host) iter.Seq[entry] {
	return func(yield func(entry) bool) {
		if h.side == nil {
			return
		}
		for _, r := range h.side.store.runs {
			for _, b := range r.fences {
				for _, e := range f.read(b) {
					if !yield(e) {
						return
					}
				}
			}
		}
	}
}
