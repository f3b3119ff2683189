package quads

import (
	"sync"
	"sync/atomic"
)

// A cache caches contents of terms by ID. It is safe for concurrent use. It is direct-mapped: of the IDs that
// share a slot, the last one stays. Entries become stale by a sweep alone.
type cache struct {
	size   int
	places atomic.Pointer[[]atomic.Pointer[remembrance]] // nil until the first entry: many stores are opened and asked nothing
}

type remembrance struct {
	id      ID
	content string
}

// maxCached is the longest content that a cache takes, in bytes.
const maxCached = 1 << 10

// newCache returns a cache of as many terms or, that being a power of two, some more.
func newCache(terms int) *cache {
	n := 1
	for n < terms {
		n *= 2
	}
	return &cache{size: n}
}

// place returns the slot of an ID, or nil in a cache without entries.
func (c *cache) place(id ID) *atomic.Pointer[remembrance] {
	places := c.places.Load()
	if places == nil {
		return nil
	}
	return &(*places)[int(id)&(len(*places)-1)]
}

func (c *cache) get(id ID) (string, bool) {
	if at := c.place(id); at != nil {
		if r := at.Load(); r != nil && r.id == id {
			return r.content, true
		}
	}
	return "", false
}

func (c *cache) put(id ID, content string) {
	if len(content) > maxCached {
		return
	}
	if c.places.Load() == nil {
		places := make([]atomic.Pointer[remembrance], c.size)
		c.places.CompareAndSwap(nil, &places)
	}
	c.place(id).Store(&remembrance{id, content})
}

// forget removes an entry.
func (c *cache) forget(id ID) {
	if at := c.place(id); at != nil && at.Load() != nil && at.Load().id == id {
		at.Store(nil)
	}
}

const shards = 64

// A dictionary has contents of terms by ID, for any number of goroutines.
type dictionary [shards]shard

type shard struct {
	mu       sync.RWMutex
	contents map[ID]string
}

func (d *dictionary) get(id ID) (string, bool) {
	s := &d[id%shards]
	s.mu.RLock()
	defer s.mu.RUnlock()
	content, ok := s.contents[id]
	return content, ok
}

func (d *dictionary) put(id ID, content string) {
	s := &d[id%shards]
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.contents == nil {
		s.contents = map[ID]string{}
	}
	s.contents[id] = content
}
