package ledger

import "sync"

// recentSize is how many records a generation of recent holds, of half a kilobyte or so each.
const recentSize = 8192

// recent remembers the records of requests that were written lately, as they wait in the database:
// links to one request come in bursts, and each is weighed against those before. It keeps two
// generations and forgets the older when the younger is full. Records are not to be changed.
type recent struct {
	mu         sync.RWMutex
	young, old map[uint64]string
}

func newRecent() *recent {
	return &recent{young: map[uint64]string{}, old: map[uint64]string{}}
}

// get returns the record of a request, if it is remembered.
func (r *recent) get(id uint64) (record string, ok bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if record, ok = r.young[id]; !ok {
		record, ok = r.old[id]
	}
	return record, ok
}

// put remembers records, over what was remembered of their requests, and forgets requests that wait
// no more.
func (r *recent) put(done []uint64, records map[uint64]string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, id := range done {
		delete(r.young, id)
		delete(r.old, id)
	}
	for id, record := range records {
		if len(r.young) >= recentSize {
			r.old, r.young = r.young, r.old
			clear(r.young)
		}
		r.young[id] = record
	}
}
