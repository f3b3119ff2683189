package frontier

// Head returns up to n waiting requests in the order in which Next would lease them if all hosts ready now
// stayed ready: the requests worth reading ahead. Within a round these are requests of the round, and
// redirect targets.
func (f *Frontier) Head(n int) []uint64 {
	f.spare = f.spare[:0]
	f.lookAt(0, 0)
	return f.walk(n)
}

// walk returns the n best requests reachable from the branches.
func (f *Frontier) walk(n int) []uint64 {
	ids := make([]uint64, 0, max(min(n, f.waiting.n), 0))
	for len(ids) < n && len(f.spare) > 0 && f.err == nil {
		b := f.spare.remove(0)
		if b.kind != ofRun && b.rank.class < subresource {
			ids = append(ids, uint64(b.rank.id))
		}
		if b.first {
			f.lookAround(b)
		}
		f.lookBelow(b)
	}
	return ids
}

// A branch is a part of a host that Head has not visited yet. The first branch of a host knows the host's
// place.
type branch struct {
	rank  rank
	host  *host
	kind  kind
	first bool
	at    int // index within its kind
	part  int // block of a run
	stop  int // index of the host or its address among the stops
	place int // index of the host at its address
}

// A kind is the structure that a branch refers to.
type kind uint8

// The kinds.
const (
	ofAsks  kind = iota
	ofAhead      // a heap, like the next two
	ofRound
	ofQueue
	ofFile // a single request
	ofRun  // a block of a run in the file, by its first request
)

func (b branch) before(other branch) bool { return b.rank.before(other.rank) }
func (b branch) stand(int)                {}

// lookAt adds the requests of the host at a position of the two upper levels of heaps. All levels are heaps:
// the successors of a position are below it in one of them.
func (f *Frontier) lookAt(at, place int) {
	if at >= len(f.ready) {
		return
	}
	h := f.ready[at].host
	if a := f.ready[at].address; a != nil && place < len(a.ready) {
		h = a.ready[place].host
	} else if a != nil || place > 0 {
		return
	}
	f.look(branch{host: h, stop: at, place: place}, f.leastClass(h))
}

// leastClass returns the least class of a host's requests that may be leased now, apart from its round.
func (f *Frontier) leastClass(h *host) class {
	switch {
	case f.spent(h):
		return subresource
	case f.round != nil:
		return ahead
	}
	return ranked
}

// look adds the best waiting request of a host, down to a class.
func (f *Frontier) look(b branch, least class) {
	h := b.host
	if least == ranked {
		f.grow(b, ofQueue, 0)
	}
	if h.side == nil {
		return
	}
	if f.grow(b, ofAsks, 0); least < subresource {
		f.grow(b, ofAhead, 0)
		f.grow(b, ofRound, 0)
	}
	if least == ranked {
		for i := range h.side.store.runs {
			f.growRun(b, i, 0)
		}
	}
}

// grow adds the entry at an index of a list, if there is one. The first branch of a host is marked as such.
func (f *Frontier) grow(b branch, k kind, at int) {
	h, c := b.host, ranked
	r := &h.queue
	switch k {
	case ofAsks:
		if at < len(h.side.asks) {
			b.rank = h.side.asks[at].rank()
			b.kind, b.at, b.first = k, at, b.stop != nowhere && b.rank == h.best
			f.spare.push(b)
		}
		return
	case ofAhead:
		r, c = &h.side.ahead, ahead
	case ofRound:
		r = &h.side.round
	}
	if at < r.len() {
		b.rank = r.at(at).rank(c)
		b.kind, b.at, b.first = k, at, b.stop != nowhere && b.rank == h.best
		f.spare.push(b)
	}
}

// growRun adds a block of a run of the file.
func (f *Frontier) growRun(b branch, run, part int) {
	if fences := b.host.side.store.runs[run].fences; part < len(fences) {
		b.rank = fences[part].first.rank(ranked)
		b.kind, b.at, b.part, b.first = ofRun, run, part, false
		f.spare.push(b)
	}
}

// lookAround adds the hosts below a host, and the stops below its address.
func (f *Frontier) lookAround(b branch) {
	for i := 1; i <= arity; i++ {
		f.lookAt(b.stop, arity*b.place+i)
	}
	for i := 1; i <= arity && b.place == 0; i++ {
		f.lookAt(arity*b.stop+i, 0)
	}
}

// lookBelow adds the direct successors of a branch.
func (f *Frontier) lookBelow(b branch) {
	switch b.kind {
	case ofFile:
	case ofAsks:
		f.grow(b, ofAsks, b.at+1)
	case ofRun:
		run := b.host.side.store.runs[b.at]
		f.growRun(b, b.at, b.part+1)
		b.kind = ofFile
		for _, e := range f.read(run.fences[b.part]) {
			b.rank = e.rank(ranked)
			f.spare.push(b)
		}
	default:
		for i := 1; i <= arity; i++ {
			f.grow(b, b.kind, arity*b.at+i)
		}
	}
}
