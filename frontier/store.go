package frontier

import (
	"iter"
	"math/bits"
	"slices"
)

// A store is the part of a host's queue that is in the file: sorted runs. After the host is settled, the best request
// in memory is better than all of these. A request that leaves, or changes its score, leaves an outdated slot.
type store struct {
	runs  []*run
	live  int // requests
	slots int // these and outdated ones
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

// level is how large a run is, eightfold from one to the next.
func (r *run) level() int { return bits.Len(uint(r.slots/blockSlots)) / 3 }

// fan is how many runs of a level a host may have: they are merged then.
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
		for _, e := range piece[r.slots:] { // it could not be written
			q.push(e)
		}
		f.keep(h, r, r.slots)
	}
	q.order(&f.waiting)
	f.thin(h)
}

// inOrder compares requests, the best first.
func inOrder(a, b entry) int {
	if a.before(b) {
		return -1
	}
	return 1
}

// middle is the middle one of a sample of a row that is not short.
func (r *row) middle() entry {
	var sample [255]entry
	for i := range sample {
		sample[i] = *r.at(i * (r.len() - 1) / (len(sample) - 1))
	}
	slices.SortFunc(sample[:], inOrder)
	return sample[len(sample)/2]
}

// part puts what is worse than a pivot behind all else, and returns where that begins.
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

// keep adds a run of a host, in which so many requests were not in the file before.
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

// thin merges the runs of a level when there are too many.
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

// A cursor reads a run that is merged.
type cursor struct {
	run   *run
	block []entry // that was read; the run goes on after it
}

// before is for a heap of cursors, of which the best request is first.
func (c *cursor) before(other *cursor) bool { return c.block[0].before(other.block[0]) }
func (c *cursor) stand(int)                 {}

// merge merges some of a host's runs into one, and frees their blocks as it reads them.
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

// advance reads the next block of a run that still holds requests; false when there is none.
func (f *Frontier) advance(c *cursor) bool {
	for c.block = c.block[:0]; len(c.run.fences) > 0 && len(c.block) == 0 && f.err == nil; {
		c.block = append(c.block, f.read(c.run.fences[0])...)
		f.release(c.run)
	}
	return len(c.block) > 0
}

// release gives the first block of a run back.
func (f *Frontier) release(r *run) {
	f.file.free = append(f.file.free, r.fences[0].block)
	r.slots -= int(r.fences[0].n)
	r.fences = r.fences[1:]
}

// refill reads from the file until the best in memory of a host's queue is better than all there.
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

// load takes the first block of a run into memory.
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

// outdate notes that a request left its slot, if that is in the file. The index is up to date already.
func (f *Frontier) outdate(h *host, p place) {
	if p.list() != inFile {
		return
	}
	h.side.store.live--
	f.file.live--
	f.prune(h)
}

// prune bounds the outdated slots to about twice the others.
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
