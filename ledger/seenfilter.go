package ledger

const (
	filterBlock = 64 // bytes: a cache line
	filterBits  = 12 // an entry
)

// A filter is a blocked Bloom filter over tags (Putze, Sanders and Singler, 2007): one cache line a
// tag, and in each of its eight words one bit. Filled as meant, at 12 bits an entry, it takes one tag
// in two hundred for one that was added; never one that was added for one that was not.
type filter struct {
	blocks [][filterBlock / 8]uint64
	n      int // tags added
}

// add has the filter remember a tag.
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

// full says that the filter has what it is meant for. More may be added, at the price of more tags
// taken for others.
func (f *filter) full() bool { return f.n*filterBits >= len(f.blocks)*filterBlock*8 }

// place returns the block of a tag, by its first bits, and 48 bits of its product with an odd number:
// six for each word.
func (f *filter) place(tag uint64) (block *[filterBlock / 8]uint64, picks uint64) {
	return &f.blocks[slotOf(tag, len(f.blocks))], tag * oddMix >> 16
}
