package tag

// maxWeight bounds the weights of a model: the sum of one weight per key of a word fits a lane.
const maxWeight = 1<<15/allKeys - 1

// crowd is the least number of weights of a feature stored as lanes.
const crowd = 8

// lanes hold a number for each of 64 tags, four to a word of 64 bits: number t is a 16-bit lane of word t/4.
// Sums add whole words. A negative number borrows from the lane above it; the sums of whole words cancel the
// borrows: once half is added to each lane, all lanes are right, provided no sum overflows its range.
type lanes [16]uint64

// half is added to four lanes to make all of them non-negative.
const half = 0x8000_8000_8000_8000

// add adds x to the number of a tag.
func (l *lanes) add(t Tag, x int32) { l[t>>2&15] += uint64(int64(x)) << (t & 3 * 16 & 63) }

// addAll adds the numbers of others.
func (l *lanes) addAll(other *lanes) {
	for i := range (tags + 3) / 4 {
		l[i] += other[i]
	}
}

// best returns the tag with the highest number, and the first of equals.
func (l *lanes) best() Tag {
	best, most := Unknown+1, uint64(0)
	for i, word := range l[:(tags+3)/4] {
		word += half
		for k := range Tag(4) {
			t := Tag(i)<<2 | k
			if x := word >> (k * 16) & 0xffff; x > most && t != Unknown && t < tags {
				best, most = t, x
			}
		}
	}
	return best
}
