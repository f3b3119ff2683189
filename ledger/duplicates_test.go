package ledger

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"
	"unsafe"
)

// A listedPrint is a page known to the test.
type listedPrint struct {
	n               int64
	digest, simhash uint64
}

// nearest is a naive duplicates.near over all pages: the first near page among the oldest pages of a shared
// block.
func nearest(pages []listedPrint, simhash uint64) (n int64, ok bool) {
	var met [nearBlocks]int
	for _, p := range pages {
		looked := false
		for block := range met {
			if p.simhash != 0 && blockOf(p.simhash, block) == blockOf(simhash, block) {
				met[block]++
				looked = looked || met[block] <= nearLooks
			}
		}
		if looked && simhash != 0 && bits.OnesCount64(p.simhash^simhash) <= nearBits {
			return p.n, true
		}
	}
	return 0, false
}

// flipped returns a hash with up to most bits flipped.
func flipped(r *rand.Rand, hash uint64, most int) uint64 {
	for range r.IntN(most + 1) {
		hash ^= 1 << r.IntN(64)
	}
	return hash
}

// TestDuplicates compares the index with a scan of all pages.
func TestDuplicates(t *testing.T) {
	for _, tc := range []struct {
		name   string
		common uint64 // bits that all simhashes share
	}{
		{"simhashes are spread", 0},
		{"one block is common", 0xffff << 16},
		{"three blocks are common", 0xffffffffffff},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			index := newDuplicates()
			var pages []listedPrint
			found := 0
			for n := int64(1); n < 9000; n += 1 + r.Int64N(3) {
				p := listedPrint{n: n, digest: r.Uint64N(8000), simhash: r.Uint64() | tc.common}
				if len(pages) > 0 && r.IntN(2) == 0 {
					p.simhash = flipped(r, pages[r.IntN(len(pages))].simhash, 6)
				}
				if r.IntN(20) == 0 {
					p.simhash = 0
				}
				want, wantOK := nearest(pages, p.simhash)
				if got, ok := index.near(p.simhash); got != want || ok != wantOK {
					t.Fatalf("page %d: %016x is near %d, %t, not %d, %t", n, p.simhash, got, ok, want, wantOK)
				}
				if wantOK {
					found++
				}
				index.put(p.n, p.digest, p.simhash)
				pages = append(pages, p)
			}
			if found < len(pages)/10 || found > len(pages)*9/10 {
				t.Errorf("%d of %d pages are near another: too few of one kind to tell", found, len(pages))
			}
			first := map[uint64]int64{}
			for _, p := range pages {
				if _, again := first[p.digest]; !again {
					first[p.digest] = p.n
				}
			}
			for digest := range uint64(8000) {
				n, ok := index.same(digest)
				if want, wantOK := first[digest]; n != want || ok != wantOK {
					t.Errorf("digest %d is page %d, %t, not %d, %t", digest, n, ok, want, wantOK)
				}
			}
		})
	}
}

// TestDuplicatesEdges: three different bits are near, four are not; numbers and hashes out of range are
// ignored.
func TestDuplicatesEdges(t *testing.T) {
	index := newDuplicates()
	if n, ok := index.near(1); ok {
		t.Errorf("an empty index has page %d", n)
	}
	const hash = 0x0123456789abcdef
	for _, n := range []int64{-1, 0, math.MaxUint32 + 1} {
		if index.put(n, 5, hash); index.n > 0 || index.digests.len() > 0 {
			t.Fatalf("page %d is kept", n)
		}
	}
	index.put(math.MaxUint32, 5, hash)
	for a := range 64 {
		for b := range 64 {
			for c := range 64 {
				other := uint64(hash ^ 1<<a ^ 1<<b ^ 1<<c)
				if n, ok := index.near(other); !ok || n != math.MaxUint32 {
					t.Fatalf("%016x: page %d, %t", other, n, ok)
				}
				for _, d := range []int{a + 1, b + 17, c + 33} {
					far := other ^ 1<<(d%64)
					if _, ok := index.near(far); ok != (bits.OnesCount64(far^hash) <= nearBits) {
						t.Fatalf("%016x: %t", far, ok)
					}
				}
			}
		}
	}
}

// fingerprints returns an index of pages; a part of them share their first block.
func fingerprints(n int, common float64) (*duplicates, *rand.Rand) {
	r := rand.New(rand.NewPCG(3, 4))
	index := newDuplicates()
	for i := range n {
		simhash := r.Uint64()
		if r.Float64() < common {
			simhash |= 0xffff
		}
		index.put(int64(i+1), r.Uint64(), simhash)
	}
	return index, r
}

func TestDuplicatesBytes(t *testing.T) {
	if got := unsafe.Sizeof(fingerprint{}); got != fingerprintSize {
		t.Errorf("a page takes %d bytes, not %d", got, fingerprintSize)
	}
	index, _ := fingerprints(1_000_000, 0)
	if perPage := float64(index.bytes()) / 1e6; perPage > 45 {
		t.Errorf("%.1f bytes a page", perPage)
	}
}

// BenchmarkDuplicates measures look-ups without a match at a million pages, and insertions.
func BenchmarkDuplicates(b *testing.B) {
	for _, tc := range []struct {
		name   string
		common float64
	}{{"spread", 0}, {"common", 0.5}} {
		index, r := fingerprints(1_000_000, tc.common)
		b.Run("near/"+tc.name, func(b *testing.B) {
			for b.Loop() {
				simhash := r.Uint64()
				if tc.common > 0 {
					simhash |= 0xffff
				}
				index.near(simhash)
			}
			b.ReportMetric(float64(index.bytes())/1e6, "B/page")
		})
		b.Run("same/"+tc.name, func(b *testing.B) {
			for b.Loop() {
				index.same(r.Uint64())
			}
		})
		n := int64(1_000_000)
		b.Run("put/"+tc.name, func(b *testing.B) {
			for b.Loop() {
				n++
				index.put(n, r.Uint64(), r.Uint64())
			}
		})
	}
}

// bytes returns the memory of the index.
func (t *duplicates) bytes() int64 {
	size := t.digests.bytes() + int64(len(t.pages))*fingerprintChunk*fingerprintSize + int64(cap(t.pages))*8
	if t.newest != nil {
		size += nearBlocks << 16 * 4
	}
	return size
}
