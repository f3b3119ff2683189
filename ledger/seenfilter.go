package ledger

const (
	filterBlock = 64 // bytes: a cache line
	filterBits  = 12 // an entry
)

// A filter is a blocked Bloom filter of tags (Putze, Sanders and Singler, 2007): one cache line for a tag, and one bit
// in each of its eight words. At its nominal load, 12 bits an entry, one in two hundred tags is a false positive;
// there are no false negatives.
type filter struct {
	blocks [][filterBlock / 8]uint64
	n      int // tags added
}

// add adds a tag.
func (f *filter) add(tag uint64) {
	block, picks := f.place(tag)
	for i := range block {
		block[i] |= 1 << (picks >> (6 * i) & 63)
	}
	f.n++
}

// has reports whether a tag may have been added.
func (f *filter) has(tag uint64) bool {
	block, picks := f.place(tag)
	for i := range block {
		if block[i]>>(picks>>(6*i)&63)&1 == 0 {
			return false
		}
	}
	return true
}

// full reports whether the filter has its nominal load. More may be added, at the price of more false positives.
func (f *filter) full() bool { return f.n*filterBits >= len(f.blocks)*filterBlock*8 }

// place returns the block of a tag, by its first bits, and 48 bits of its product with an odd number, six for each
// word.
func (f *filter) place(tag uint64) (block *[filterBlock / 8]uint64, picks uint64) {
	return &f.blocks[slotOf(tag, len(f.blocks))], tag * oddMix >> 16
}
