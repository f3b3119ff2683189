package ledger

import (
	"fmt"
	"math"
	"slices"
)

const (
	shardBits  = 10
	seenShards = 1 << shardBits
	shardSize  = 56 // bytes of a seenShard itself
	filterSize = 32 // bytes of a filter itself

	maxFilters = 5    // of a shard, each an eighth of its part of the budget
	minShare   = 1024 // bytes: that many filters and a small table

	// oddMix is 2^64 over the golden ratio, made odd.
	oddMix = 0x9e3779b97f4a7c15
)

// A seenSet maps known requests, by a 64-bit hash of their identity, to their numbers. It must be used by one
// goroutine.
//
// It takes at most 15 bytes an entry from 100 000 entries on. It compares 62 bits of a hash: ten choose one of 1024
// shards, 52 are the tag in the shard's table. Among n entries a new hash is mistaken for one of them with a
// probability below n/2^62, and any two of n collide with one below n²/2^63: at ten million entries, in one crawl of
// 90 000. Hashes are keyed (see identity), so that no site can choose URLs that collide.
//
// When the set would exceed its budget, the shard that has to grow evicts the older half of its committed entries, of
// which 12 bits each stay in a Bloom filter. A hash that is not in the table but may be in a filter is looked up on
// the disk, and a hit returns to the table. Thus one in two hundred new requests per filter costs a read, one in forty
// at most; of known requests, those that are old and were not linked to lately.
//
// Filters take at most five eighths of the budget, enough for 0.4 entries a byte. In larger crawls they hold more than
// an entry per 12 bits: reads increase, memory does not. Uncommitted entries are never evicted: they alone may exceed
// the budget.
type seenSet struct {
	shards [seenShards]seenShard
	disk   func(hash uint64) (id uint64, ok bool, err error)
	budget int64  // bytes; 0: unlimited
	unread bool   // committed entries were not put: any hash may be on the disk
	upTo   uint32 // numbers up to this one are committed
	n      int
	size   int64 // bytes of tables and filters
	failed error
}

// A seenShard holds the entries of a range of hashes: those in memory, and the filters of those evicted.
type seenShard struct {
	table   hashTable
	filters []filter
}

// newSeenSet returns an empty set. The budget is in bytes, at least a megabyte; 0 means none. disk returns the number
// of any committed entry; it is called only for entries that were, or seem to have been, evicted.
func newSeenSet(budget int64, disk func(hash uint64) (id uint64, ok bool, err error)) *seenSet {
	s := &seenSet{disk: disk}
	if budget > 0 {
		s.budget = max(budget, seenShards*minShare)
	}
	return s
}

// get returns the number of a hash. After a disk error, hashes that are not in memory count as unknown: see
// err.
func (s *seenSet) get(hash uint64) (id uint64, ok bool) {
	shard, tag := s.place(hash)
	if number := shard.table.get(tag); number != 0 {
		return uint64(number), true
	}
	if !s.unread && !shard.mayHave(tag) {
		return 0, false
	}
	id, ok, err := s.disk(hash)
	if err != nil {
		s.fail(err)
		return 0, false
	}
	if ok {
		s.admit(shard, tag, id)
	}
	return id, ok
}

// put adds a hash that is not in the set. Numbers must be 1 … 2^32-1; others are an error: see err.
func (s *seenSet) put(hash, id uint64) {
	shard, tag := s.place(hash)
	s.admit(shard, tag, id)
	s.n++
}

// committed marks entries up to a number as being on the disk: they may be evicted.
func (s *seenSet) committed(upTo uint64) {
	s.upTo = max(s.upTo, uint32(min(upTo, math.MaxUint32)))
}

// leave marks the committed entries, of which there are n, as not put: each is looked up on the disk.
func (s *seenSet) leave(n int) { s.unread, s.n = true, n }

// len returns the number of entries put.
func (s *seenSet) len() int { return s.n }

// bytes returns the memory of the set. While a shard is copied the set takes a thousandth more; the old copy
// is garbage.
func (s *seenSet) bytes() int64 { return seenShards*shardSize + s.size }

// err returns the first error, usually of the disk.
func (s *seenSet) err() error { return s.failed }

func (s *seenSet) fail(err error) {
	if s.failed == nil {
		s.failed = err
	}
}

// place returns the shard of a hash, and its tag there. The database returns hashes in order; mixed, they do not crowd
// one end of a table.
func (s *seenSet) place(hash uint64) (shard *seenShard, tag uint64) {
	hash *= oddMix
	return &s.shards[hash>>(64-shardBits)], hash >> (64 - shardBits - tagBits) & tagMask
}

// admit adds an entry to the table of a shard, which grows or evicts if it must.
func (s *seenSet) admit(shard *seenShard, tag, id uint64) {
	if id == 0 || id > math.MaxUint32 {
		s.fail(fmt.Errorf("ledger: request number %d is not within 1 … %d", id, uint32(math.MaxUint32)))
		return
	}
	if shard.table.full() {
		s.enlarge(shard)
	}
	shard.table.put(tag, uint32(id))
}

// enlarge gives a shard a larger table, or, at the end of the budget, one without its older half.
func (s *seenSet) enlarge(shard *seenShard) {
	next, upTo := shard.table.enlarged(), uint32(0)
	if s.budget > 0 && next.size() > s.available(shard) {
		var stay int
		upTo, stay = s.leaving(&shard.table)
		s.size -= shard.filtered()
		for tag, number := range shard.table.all {
			if number <= upTo {
				shard.remember(tag, int(s.budget/seenShards/8/filterBlock))
			}
		}
		s.size += shard.filtered()
		next = s.fitting(shard, stay)
	}
	s.size += next.size() - shard.table.size()
	for tag, number := range shard.table.all {
		if number > upTo {
			next.put(tag, number)
		}
	}
	shard.table = next
}

// available returns the most bytes of a shard's table within the budget of the set.
func (s *seenSet) available(shard *seenShard) int64 { return s.budget - s.bytes() + shard.table.size() }

// leaving returns the number up to which a table evicts entries, about half of those it may evict, and the
// number of those that stay.
func (s *seenSet) leaving(table *hashTable) (upTo uint32, stay int) {
	numbers := make([]uint32, 0, table.n)
	for _, number := range table.all {
		if number <= s.upTo {
			numbers = append(numbers, number)
		}
	}
	if len(numbers) == 0 {
		return 0, table.n
	}
	slices.Sort(numbers)
	half := (len(numbers) + 1) / 2
	return numbers[half-1], table.n - half
}

// fitting returns the largest empty table within a shard's part of the budget; a larger one if the rest needs it.
func (s *seenSet) fitting(shard *seenShard, stay int) hashTable {
	left := min(s.available(shard), s.budget/seenShards-shardSize-shard.filtered())
	least := stay*5/24 + 1 // lines that are eight tenths full
	for lines := int(left / lineSize); lines > least; lines -= lines/16 + 1 {
		if table := newHashTable(lines); table.size() <= left {
			return table
		}
	}
	return newHashTable(least)
}

// filtered returns the bytes of the filters.
func (s *seenShard) filtered() int64 {
	size := int64(cap(s.filters)) * filterSize
	for i := range s.filters {
		size += int64(len(s.filters[i].blocks)) * filterBlock
	}
	return size
}

// mayHave reports whether a tag may have been evicted.
func (s *seenShard) mayHave(tag uint64) bool {
	for i := range s.filters {
		if s.filters[i].has(tag) {
			return true
		}
	}
	return false
}

// remember adds a tag to the newest filter. If that is full, it adds a filter of the given number of blocks
// or, at the maximum of filters, uses the emptiest. A tag evicted before is already present.
func (s *seenShard) remember(tag uint64, blocks int) {
	if s.mayHave(tag) {
		return
	}
	last := len(s.filters) - 1
	switch {
	case last >= 0 && !s.filters[last].full():
	case last+1 < maxFilters:
		if last < 0 {
			s.filters = make([]filter, 0, maxFilters)
		}
		s.filters = append(s.filters, filter{blocks: make([][filterBlock / 8]uint64, blocks)})
		last++
	default:
		for i := range s.filters {
			if s.filters[i].n < s.filters[last].n {
				last = i
			}
		}
	}
	s.filters[last].add(tag)
}
