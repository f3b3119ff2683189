package quads

import "sync"

const shards = 64

// A cache has contents of terms by ID, for any number of goroutines. What it has stays true for ever.
type cache struct {
	limit  int // contents of a generation of a shard; 0: any number, none is forgotten
	shards [shards]shard
}

// A shard has two generations: when the younger is full, the older is forgotten.
type shard struct {
	mu         sync.RWMutex
	young, old map[ID]string
}

// maxCached is the longest content that a cache with a limit takes, in bytes.
const maxCached = 1 << 12

// newCache returns a cache of so many terms, 0 being any number.
func newCache(terms int) *cache {
	c := &cache{limit: (terms + 2*shards - 1) / (2 * shards)}
	for i := range c.shards {
		c.shards[i].young = map[ID]string{}
	}
	return c
}

func (c *cache) shard(id ID) *shard { return &c.shards[id%shards] }

func (c *cache) get(id ID) (string, bool) {
	s := c.shard(id)
	s.mu.RLock()
	content, ok := s.young[id]
	if ok {
		s.mu.RUnlock()
		return content, true
	}
	content, ok = s.old[id]
	s.mu.RUnlock()
	if ok {
		c.put(id, content)
	}
	return content, ok
}

func (c *cache) put(id ID, content string) {
	if c.limit > 0 && len(content) > maxCached {
		return
	}
	s := c.shard(id)
	s.mu.Lock()
	defer s.mu.Unlock()
	if c.limit > 0 && len(s.young) >= c.limit {
		s.young, s.old = make(map[ID]string, c.limit), s.young
	}
	s.young[id] = content
}
