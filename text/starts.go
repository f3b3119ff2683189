package text

// starts is a prefix filter: it rejects most words that have no stem in the lexicon by their first letters. It
// requires that a stem starts as its word does: long stems agree with their words in the first five bytes, short ones
// in the first three, or in all their bytes followed by an ending or a doubled letter.
type starts struct {
	begins trigrams                   // union of the two below
	short  trigrams                   // of short stems
	long   [1 << longBits / 64]uint64 // a bit for each hash of five bytes
}

// trigrams is a set of three bytes, of each the lowest five bits: by the first two, a bit for each third.
type trigrams [32 * 32]uint32

const (
	longStem = 7  // stems of this many bytes are filtered by their first five
	longBits = 14 // of the hash
)

// keepsStarts reports whether starts holds for a language: for those whose words are their own stems, and for
// English, as TestStemsStartAsWordsDo shows for all words that Porter's algorithm distinguishes.
func keepsStarts(lang string) bool { return lang == "" || lang == "en" || !Stemmable(lang) }

// longHash is the hash of a word's first five bytes, the first the lowest.
func longHash(low uint64) uint64 { return low << 24 * 0x9e3779b97f4a7c15 >> (64 - longBits) }

// add admits all words that can have the stem.
func (s *starts) add(stem string) {
	k, n := plain(stem, 0)
	first, second := k.low&31, k.low>>8&31
	third := uint32(1) << (k.low >> 16 & 31)
	switch {
	case n != len(stem): // only words that are never looked up
	case n >= longStem:
		h := longHash(k.low)
		s.long[h/64] |= 1 << (h % 64)
		s.begins[first<<5|second] |= third
	case n == 0:
		for i := range s.short {
			s.short[i], s.begins[i] = ^uint32(0), ^uint32(0)
		}
	case n == 1:
		for _, c := range "\x00sei" {
			s.put(first, uint64(c)&31, ^uint32(0))
		}
	case n == 2:
		third = 1 << second
		for _, c := range "\x00seiaofln" {
			third |= 1 << (c & 31)
		}
		s.put(first, second, third)
	default:
		s.put(first, second, third)
	}
}

// put admits words by their first two letters and a set of third letters; "i" and "y" are equal, since Porter's
// algorithm turns one into the other.
func (s *starts) put(first, second uint64, thirds uint32) {
	const i, y = 'i' & 31, 'y' & 31
	if thirds&(1<<i|1<<y) != 0 {
		thirds |= 1<<i | 1<<y
	}
	for _, a := range spellings(first) {
		for _, b := range spellings(second) {
			s.short[a<<5|b] |= thirds
			s.begins[a<<5|b] |= thirds
		}
	}
}

// spellings returns a letter and its alternative.
func spellings(c uint64) [2]uint64 {
	switch c {
	case 'i' & 31:
		return [2]uint64{c, 'y' & 31}
	case 'y' & 31:
		return [2]uint64{c, 'i' & 31}
	}
	return [2]uint64{c, c}
}

// has reports whether the first three bytes of a word, the first the lowest, are in the set.
func (t *trigrams) has(low uint64) bool {
	return t[low&31<<5|low>>8&31]>>(low>>16&31)&1 != 0
}

// admit reports whether a word of ASCII letters and digits may have a stem that was added; there are no false
// negatives. low is the word's first eight bytes in lower case, little-endian, zero-padded.
func (s *starts) admit(low uint64) bool {
	h := longHash(low)
	return s.long[h/64]>>(h%64)&1 != 0 || s.short.has(low)
}
