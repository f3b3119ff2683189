package ledger

import "sync"

// recent caches values written lately: links to one request come in bursts, and each is weighed against those before.
// It keeps two generations and drops the older when the younger is full. Values that are not in the database yet are
// never dropped. Callers must not change values.
type recent struct {
	mu         sync.RWMutex
	size       int
	fresh      map[uint64]string // not in the database yet; "": deleted
	young, old map[uint64]string
}

func newRecent(size int) *recent {
	return &recent{size: size, fresh: map[uint64]string{}, young: map[uint64]string{}, old: map[uint64]string{}}
}

// get returns a cached value; "" means that the key is known to be absent.
func (r *recent) get(id uint64) (value string, ok bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if value, ok = r.fresh[id]; ok {
		return value, true
	}
	if value, ok = r.young[id]; !ok {
		value, ok = r.old[id]
	}
	return value, ok
}

// put caches a value that the next group writes to the database.
func (r *recent) put(id uint64, value string) {
	r.mu.Lock()
	r.fresh[id] = value
	r.mu.Unlock()
}

// keep caches a value of the database.
func (r *recent) keep(id uint64, value string) {
	r.mu.Lock()
	if _, newer := r.fresh[id]; !newer {
		r.add(id, value)
	}
	r.mu.Unlock()
}

// settled marks everything put so far as written.
func (r *recent) settled() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for id, value := range r.fresh {
		if value != "" {
			r.add(id, value)
			continue
		}
		delete(r.young, id)
		delete(r.old, id)
	}
	clear(r.fresh)
}

// forget drops all values that are in the database.
func (r *recent) forget() {
	r.mu.Lock()
	clear(r.young)
	clear(r.old)
	r.mu.Unlock()
}

func (r *recent) add(id uint64, value string) {
	if len(r.young) >= r.size {
		r.old, r.young = r.young, r.old
		clear(r.young)
	}
	r.young[id] = value
}
