package ledger

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"orbweaver/internal/tier"
)

// nowhere is a disk that must not be read.
func nowhere(t testing.TB) func(uint64) (uint64, bool, error) {
	return func(hash uint64) (uint64, bool, error) {
		t.Fatalf("the disk is asked for %x", hash)
		return 0, false, nil
	}
}

// A crowd is a set with its expected content.
type crowd struct {
	set    *seenSet
	hashes []uint64 // by number, from 1
	disk   map[uint64]uint64
	asked  int
}

func newCrowd(budget int64) *crowd {
	c := &crowd{hashes: make([]uint64, 1), disk: map[uint64]uint64{}}
	c.set = newSeenSet(budget, func(hash uint64) (uint64, bool, error) {
		c.asked++
		id, ok := c.disk[hash]
		return id, ok, nil
	})
	return c
}

// add puts a new hash under the next number.
func (c *crowd) add(hash uint64) {
	c.set.put(hash, uint64(len(c.hashes)))
	c.hashes = append(c.hashes, hash)
}

// commit commits all entries but the last few.
func (c *crowd) commit(last int) {
	upTo := max(len(c.hashes)-1-last, 0)
	for id := upTo; id > 0; id-- {
		if _, known := c.disk[c.hashes[id]]; known {
			break
		}
		c.disk[c.hashes[id]] = uint64(id)
	}
	c.set.committed(uint64(upTo))
}

// check fails unless the set has an entry.
func (c *crowd) check(t *testing.T, id int) {
	t.Helper()
	if got, ok := c.set.get(c.hashes[id]); !ok || got != uint64(id) {
		t.Fatalf("entry %d of %d is %d, %t", id, len(c.hashes)-1, got, ok)
	}
}

// TestSeen: a set answers the same under any budget.
func TestSeen(t *testing.T) {
	for _, tc := range []struct {
		name    string
		budget  int64
		commits int // entries between two commits
		entries int
		spills  bool
		most    float64 // most reads per new entry
	}{
		{"no budget", 0, 1000, 100_000, false, 0},
		{"a budget that is enough", 3 << 20, 1000, 200_000, false, 0},
		{"a budget of a third", 1 << 20, 1000, 250_000, true, 0.02},
		{"more than filters are meant for", 1, 1000, 500_000, true, 0.05},
		{"commits are rare", 1 << 20, 110_000, 250_000, true, 0.02},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if tc.entries > 250_000 {
				tier.Long(t, "half a million entries")
			}
			r := rand.New(rand.NewPCG(1, 2))
			c := newCrowd(tc.budget)
			reads := 0 // for new hashes
			for n := 1; n <= tc.entries; n++ {
				hash, asked := r.Uint64(), c.asked
				if id, ok := c.set.get(hash); ok {
					t.Fatalf("%x, which is new, is %d", hash, id)
				}
				reads += c.asked - asked
				c.add(hash)
				c.check(t, n-r.IntN(min(n, 1000))) // most links lead to recent entries
				c.check(t, 1+r.IntN(n))
				if n%tc.commits == 0 {
					c.commit(r.IntN(100))
				}
			}
			if c.set.len() != tc.entries || c.set.err() != nil {
				t.Errorf("%d entries, %v", c.set.len(), c.set.err())
			}
			if rate := float64(reads) / float64(tc.entries); rate > tc.most {
				t.Errorf("%.4f reads a new entry, more than %v", rate, tc.most)
			}
			if c.asked > 0 != tc.spills {
				t.Errorf("%d reads", c.asked)
			}
			t.Logf("%.4f reads a new entry, %d in all, %d bytes", float64(reads)/float64(tc.entries), c.asked, c.set.bytes())
			if limit := max(tc.budget, seenShards*minShare); tc.budget > 0 && tc.commits == 1000 && c.set.bytes() > limit {
				t.Errorf("%d bytes, more than %d", c.set.bytes(), limit)
			}
		})
	}
}

// TestSeenReadAgain: a set filled in hash order, as from the database, is the same.
func TestSeenReadAgain(t *testing.T) {
	for _, budget := range []int64{0, 1 << 20} {
		r := rand.New(rand.NewPCG(3, 4))
		c := newCrowd(budget)
		const entries = 300_000
		order := make([]int, entries)
		for i := range order {
			order[i] = i + 1
			c.hashes = append(c.hashes, r.Uint64())
		}
		slices.SortFunc(order, func(a, b int) int {
			if c.hashes[a] < c.hashes[b] {
				return -1
			}
			return 1
		})
		c.commit(0)
		for _, id := range order {
			c.set.put(c.hashes[id], uint64(id))
		}
		for id := 1; id <= entries; id++ {
			c.check(t, id)
		}
		if c.set.len() != entries || budget > 0 && c.set.bytes() > budget {
			t.Errorf("budget %d: %d entries, %d bytes", budget, c.set.len(), c.set.bytes())
		}
	}
}

// TestSeenUncommitted: uncommitted entries are never evicted.
func TestSeenUncommitted(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	c := newCrowd(1)
	c.set.disk = nowhere(t)
	for range 200_000 {
		c.add(r.Uint64())
	}
	for id := 1; id < len(c.hashes); id++ {
		c.check(t, id)
	}
	if perEntry := float64(c.set.bytes()) / 200_000; perEntry > 15 {
		t.Errorf("%.2f bytes an entry", perEntry)
	}
}

// TestSeenBytes: an entry takes 15 bytes at most, at every size and while a shard is copied; the assumed
// sizes match the compiler's.
func TestSeenBytes(t *testing.T) {
	if got := unsafe.Sizeof(seenShard{}); got != shardSize {
		t.Errorf("a shard takes %d bytes, not %d", got, shardSize)
	}
	if got := unsafe.Sizeof(filter{}); got != filterSize {
		t.Errorf("a filter takes %d bytes, not %d", got, filterSize)
	}
	r := rand.New(rand.NewPCG(7, 8))
	s, most := newSeenSet(0, nowhere(t)), 0.0
	for n := 1; n <= 3_500_000; n++ {
		s.put(r.Uint64(), uint64(n))
		if n < 100_000 || n%(n/100) != 0 {
			continue
		}
		perEntry := float64(s.bytes()) * (1 + 1.25/seenShards) / float64(n)
		if most = max(most, perEntry); perEntry > 15 {
			t.Fatalf("%.2f bytes an entry, of %d", perEntry, n)
		}
	}
	t.Logf("%.2f bytes an entry at most", most)
}

// TestSeenTable: tags with the same home line are kept and found, and so is tag 0.
func TestSeenTable(t *testing.T) {
	table := newHashTable(40)
	n := uint64(0)
	for ; !table.full(); n++ {
		table.put(tagMask-n, uint32(n+1)) // from the last line over to the first
	}
	for i := range n {
		if got := table.get(tagMask - i); got != uint32(i+1) {
			t.Errorf("tag %d is %d", i, got)
		}
	}
	if got := table.get(tagMask - n); got != 0 {
		t.Errorf("a new tag is %d", got)
	}
	if got := table.get(0); got != 0 {
		t.Errorf("tag 0, which is new, is %d", got)
	}
	table.put(0, 77)
	if got := table.get(0); got != 77 {
		t.Errorf("tag 0 is %d, not 77", got)
	}
	sum, want := 0, int(n*(n+1)/2)+77
	for _, number := range table.all {
		sum += int(number)
	}
	if sum != want {
		t.Errorf("the numbers sum up to %d, not %d", sum, want)
	}
}

// TestSeenFilter: a filter has no false negatives and, at its nominal load, less than 1 % false positives.
func TestSeenFilter(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	f := filter{blocks: make([][8]uint64, 1000)}
	var tags []uint64
	for !f.full() {
		tags = append(tags, r.Uint64()&tagMask)
		f.add(tags[len(tags)-1])
	}
	if want := 1000*512/filterBits + 1; len(tags) != want {
		t.Errorf("full with %d tags, not %d", len(tags), want)
	}
	for _, tag := range tags {
		if !f.has(tag) {
			t.Fatalf("%x was added", tag)
		}
	}
	const trials = 500_000
	wrong := 0
	for range trials {
		if f.has(r.Uint64() & tagMask) {
			wrong++
		}
	}
	rate := float64(wrong) / trials
	t.Logf("takes %.4f of new tags for known ones", rate)
	if rate > 0.01 {
		t.Errorf("takes %.4f of new tags for known ones", rate)
	}
}

// TestSeenErrors: the first error stays.
func TestSeenErrors(t *testing.T) {
	broken := errors.New("broken")
	r := rand.New(rand.NewPCG(11, 12))
	c := newCrowd(1)
	for range 200_000 {
		c.add(r.Uint64())
		c.commit(0)
	}
	c.set.disk = func(uint64) (uint64, bool, error) { return 7, true, broken }
	known := 0
	for _, hash := range c.hashes[1:] {
		if _, ok := c.set.get(hash); ok {
			known++
		}
	}
	if known == 0 || known > 100_000 {
		t.Errorf("%d of 200000 are known without a disk", known)
	}
	c.set.put(1, 0)
	if !errors.Is(c.set.err(), broken) {
		t.Errorf("the error is %v", c.set.err())
	}
	for _, id := range []uint64{0, math.MaxUint32 + 1} {
		s := newSeenSet(0, nowhere(t))
		if s.put(1, id); s.err() == nil {
			t.Errorf("no error for number %d", id)
		}
	}
	s := newSeenSet(0, nowhere(t))
	s.put(1, math.MaxUint32)
	if id, ok := s.get(1); id != math.MaxUint32 || !ok || s.err() != nil {
		t.Errorf("the last number is %d, %t, %v", id, ok, s.err())
	}
}

// BenchmarkSeen measures look-ups and insertions of new requests, and look-ups of known ones, at ten million
// entries.
func BenchmarkSeen(b *testing.B) {
	r := rand.New(rand.NewPCG(13, 14))
	s := newSeenSet(0, nowhere(b))
	hashes := make([]uint64, 10_000_000)
	for i := range hashes {
		hashes[i] = r.Uint64()
		s.put(hashes[i], uint64(i+1))
	}
	b.Run("new", func(b *testing.B) {
		for b.Loop() {
			hash := r.Uint64()
			if _, ok := s.get(hash); !ok {
				s.put(hash, uint64(s.len()+1))
			}
		}
		b.ReportMetric(float64(s.bytes())/float64(s.len()), "B/entry")
	})
	b.Run("known", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			if _, ok := s.get(hashes[i%len(hashes)]); !ok {
				b.Fatal("an entry is lost")
			}
		}
	})
}
