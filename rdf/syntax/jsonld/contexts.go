package jsonld

import (
	"sync"
)

// Contexts caches remote contexts across reads, up to a number of bytes; the least recently used are evicted.
// It is safe for concurrent use. Failed loads are not cached.
//
// A cached context counts against the limits of a read like a loaded one: the result for a document does not
// depend on earlier reads.
type Contexts struct {
	mu       sync.Mutex
	left     int // bytes
	clock    uint64
	contexts map[string]*kept
}

// kept is a context with the time of its last use.
type kept struct {
	remote *remote
	used   uint64
}

// NewContexts returns a cache for contexts of at most bytes in all, measured as loaded. Decoded they take
// several times as much memory.
func NewContexts(bytes int) *Contexts {
	return &Contexts{left: bytes, contexts: map[string]*kept{}}
}

// get returns the context of a URL, or nil.
func (c *Contexts) get(url string) *remote {
	if c == nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	k := c.contexts[url]
	if k == nil {
		return nil
	}
	c.clock++
	k.used = c.clock
	return k.remote
}

// put stores a context unless it exceeds the whole cache.
func (c *Contexts) put(url string, r *remote) {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if old := c.contexts[url]; old != nil {
		c.left += old.remote.bytes
		delete(c.contexts, url)
	}
	c.clock++
	c.contexts[url] = &kept{r, c.clock}
	for c.left -= r.bytes; c.left < 0; {
		c.drop()
	}
}

// drop evicts the least recently used context.
func (c *Contexts) drop() {
	var oldest string
	for url, k := range c.contexts {
		if o := c.contexts[oldest]; o == nil || k.used < o.used {
			oldest = url
		}
	}
	c.left += c.contexts[oldest].remote.bytes
	delete(c.contexts, oldest)
}
