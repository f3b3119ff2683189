package ledger

import "sync"

// An idSet is a set of request numbers, at a bit each of those up to the highest. It is safe for concurrent use; the zero idSet is empty.
type idSet struct {
	mu   sync.RWMutex
	bits []uint64
}

// mostIDs bounds the numbers that an idSet holds; it has no others.
const mostIDs = 1 << 32

func (s *idSet) add(id uint64) {
	if id >= mostIDs {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for at := int(id / 64); at >= len(s.bits); {
		s.bits = append(s.bits, make([]uint64, max(64, at+1-len(s.bits)))...)
	}
	s.bits[id/64] |= 1 << (id % 64)
}

func (s *idSet) remove(id uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if id/64 < uint64(len(s.bits)) {
		s.bits[id/64] &^= 1 << (id % 64)
	}
}

func (s *idSet) has(id uint64) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return id/64 < uint64(len(s.bits)) && s.bits[id/64]&(1<<(id%64)) != 0
}
