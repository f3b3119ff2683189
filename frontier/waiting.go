package frontier

import (
	"errors"
	"fmt"
	"math"

	"orbweaver/internal/step"
)

// errTooMany reports a request number of more than 32 bits.
var errTooMany = errors.New("more than 4294967295 requests")

// Add adds a waiting request. If it waits already, Add changes the score and, if Ahead is set, the place; its
// keys stay. Numbers must be below 1<<32; a larger one is not added and is a failure (Err).
func (f *Frontier) Add(w step.Waiting) {
	if w.ID > math.MaxUint32 {
		f.fail(fmt.Errorf("frontier: request %d: %w", w.ID, errTooMany))
		return
	}
	id, e := uint32(w.ID), entryOf(keyOf(w.Score), uint32(w.ID))
	var h *host
	if p := f.waiting.find(id); p != nil {
		h = f.order[p.owner()]
		f.change(h, *p, e, w.Ahead)
	} else {
		h = f.hostOf(w.URL)
		f.enter(h, e, w.Ahead)
		f.groups.list(&f.waiting, id, w.Keys)
	}
	f.settle(h)
	f.relieve()
}

// enter adds a request that does not wait. The caller must settle its host.
func (f *Frontier) enter(h *host, e entry, first bool) {
	l := inQueue
	if _, again := f.round[uint64(e.id)]; again {
		l = inRound
	}
	if first {
		l = inAhead
	}
	f.waiting.put(e.id, place{host: placeOf(h.number, l)})
	h.row(l).add(&f.waiting, e)
}

// change gives a waiting request another score, or makes it precede the ranked ones. The caller must settle
// its host.
func (f *Frontier) change(h *host, p place, e entry, first bool) {
	l := p.list()
	switch {
	case first && l != inAhead:
		f.shift(h, p, e, inAhead)
	case l == inFile:
		f.shift(h, p, e, inQueue)
	default:
		h.row(l).set(&f.waiting, int(p.at), e)
	}
}

// shift moves a request to another list of its host.
func (f *Frontier) shift(h *host, p place, e entry, to list) {
	f.pull(h, p)
	f.waiting.find(e.id).host = placeOf(h.number, to)
	h.row(to).add(&f.waiting, e)
	f.outdate(h, p)
}

// pull removes a request from its heap, if it is in one, but not from the index.
func (f *Frontier) pull(h *host, p place) {
	if l := p.list(); l != inFile {
		h.row(l).remove(&f.waiting, int(p.at))
	}
}

// find returns the place of a request, nil if it does not wait.
func (f *Frontier) find(id uint64) *place {
	if id > math.MaxUint32 {
		return nil
	}
	return f.waiting.find(uint32(id))
}

// entry returns the entry at a place.
func (f *Frontier) entry(id uint32, p place) entry {
	if l := p.list(); l != inFile {
		return *f.order[p.owner()].row(l).at(int(p.at))
	}
	return f.slot(id, p.at)
}

// Rescore changes the score of a request, if it waits.
func (f *Frontier) Rescore(id uint64, score float64) {
	p := f.find(id)
	if p == nil {
		return
	}
	h := f.order[p.owner()]
	f.change(h, *p, entryOf(keyOf(score), uint32(id)), false)
	f.settle(h)
	f.relieve()
}

// bunch is the number of scores that RescoreAll changes between checks of the memory budget.
const bunch = 1 << 17

// RescoreAll is Rescore for many requests, each with the score at its index. It rebuilds the heap of a host
// if much of it changes. Surplus numbers or scores are ignored.
func (f *Frontier) RescoreAll(ids []uint64, scores []float64) {
	n := min(len(ids), len(scores))
	size := n
	if f.file.limit > 0 {
		size = bunch
	}
	changes := make([]uint32, len(f.order)) // in the queue of each host
	for from := 0; from < n; from += size {
		to := min(from+size, n)
		f.rescoreAll(ids[from:to], scores[from:to], changes)
		f.relieve()
	}
}

// anew is the inverse of the share of a queue whose change triggers a rebuild.
const anew = 8

// How many requests of a host change.
const few, most = 1, 2

// rescoreAll changes scores and settles the hosts. changes is scratch, one element per host, all zero before
// and after.
func (f *Frontier) rescoreAll(ids []uint64, scores []float64, changes []uint32) {
	var changed []*host
	for _, id := range ids {
		if p := f.find(id); p != nil {
			if changes[p.owner()]++; changes[p.owner()] == 1 {
				changed = append(changed, f.order[p.owner()])
			}
		}
	}
	for _, h := range changed {
		many := int(changes[h.number])*anew > h.queue.len()
		if changes[h.number] = few; many {
			changes[h.number] = most
		}
	}
	for i, id := range ids {
		if p := f.find(id); p != nil {
			h, e := f.order[p.owner()], entryOf(keyOf(scores[i]), uint32(id))
			f.replace(h, *p, e, changes[h.number] == most)
		}
	}
	for _, h := range changed {
		if changes[h.number] == most {
			h.queue.order(&f.waiting)
		}
		changes[h.number] = 0
		f.settle(h)
	}
}

// replace changes a score. If the queue is to be rebuilt, it ignores the order.
func (f *Frontier) replace(h *host, p place, e entry, anew bool) {
	switch l := p.list(); {
	case anew && l == inQueue:
		*h.queue.at(int(p.at)) = e
	case anew && l == inFile:
		*f.waiting.find(e.id) = place{placeOf(h.number, inQueue), uint32(h.queue.len())}
		h.queue.push(e)
		f.outdate(h, p)
	default:
		f.change(h, p, e, false)
	}
}

// Drop removes waiting requests and subresource requests that robots.txt forbids.
func (f *Frontier) Drop(ids ...uint64) {
	for _, id := range ids {
		h := f.asks[id]
		if p := f.find(id); p != nil {
			h = f.order[p.owner()]
			f.forget(uint32(id), *p)
		} else if h != nil {
			f.dismiss(h, id)
		}
		if h != nil {
			f.settle(h)
		}
	}
}

// forget removes a request from its list and the indexes. Its host must be settled afterwards.
func (f *Frontier) forget(id uint32, p place) {
	h := f.order[p.owner()]
	f.pull(h, p)
	f.waiting.remove(id, len(f.groups.byKey) > 0)
	f.groups.leave(&f.waiting, id)
	f.outdate(h, p)
}

// Rank returns the score of a waiting request, +Inf for a redirect target; false if it does not wait.
func (f *Frontier) Rank(id uint64) (float64, bool) {
	p := f.find(id)
	switch {
	case p == nil:
		return 0, false
	case p.list() == inAhead:
		return math.Inf(1), true
	}
	return scoreOf(f.entry(uint32(id), *p).key()), true
}

// Group returns the numbers of the waiting requests under a key, "*" meaning all, in no order.
func (f *Frontier) Group(key string) []uint64 {
	if key == "*" {
		return f.waiting.all()
	}
	return f.groups.waiting(&f.waiting, key)
}

// Len returns the number of waiting requests.
func (f *Frontier) Len() int { return f.waiting.n }

// Hosts returns the number of hosts ever seen.
func (f *Frontier) Hosts() int { return len(f.hosts) }

// Err returns the first failure: of the spill file, or of a number that is too large. After a failure Next gives no
// turn.
func (f *Frontier) Err() error { return f.err }

// fail keeps the first failure.
func (f *Frontier) fail(err error) {
	if f.err == nil {
		f.err = err
	}
}
