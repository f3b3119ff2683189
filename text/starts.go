package text

// starts says of most words that no stem of a lexicon can be theirs, by their first letters. It holds
// where a stem starts as its word does: long stems agree with their words in the first five bytes, short
// ones in the first three, or in as many as they have and then comes an ending or a doubled letter.
type starts struct {
	short [32 * 32]uint32            // by the first two bytes: a bit for each third
	long  [1 << longBits / 64]uint64 // a bit for each hash of five bytes
}

const (
	longStem = 7  // bytes of a stem, from which on five bytes of it are looked at
	longBits = 14 // of the hash
)

// keepsStarts reports whether starts holds for a language: for those whose words are their own stems, and
// for English, as all words that Porter's algorithm tells apart show (TestStemsStartAsWordsDo).
func keepsStarts(lang string) bool { return lang == "" || lang == "en" || !Stemmable(lang) }

// startCode maps a byte of a word to 1..31, alike for those that a stemmer may take for each other:
// Porter's makes "y" an "i". Zero is for no byte.
func startCode(c uint64) uint64 {
	c &= 31
	if c == 'y'&31 {
		return 'i' & 31
	}
	return c
}

// longHash is the hash of a word's first five bytes.
func longHash(k key) uint64 { return k.low << 24 * 0x9e3779b97f4a7c15 >> (64 - longBits) }

// add admits all words that can have the stem.
func (s *starts) add(stem string) {
	k, n := plain(stem, 0)
	first, second, third := startCode(k.low), startCode(k.low>>8), startCode(k.low>>16)
	switch {
	case n != len(stem): // only words that are not asked for
	case n >= longStem:
		h := longHash(k)
		s.long[h/64] |= 1 << (h % 64)
	case n == 0:
		for i := range s.short {
			s.short[i] = ^uint32(0)
		}
	case n == 1:
		for _, c := range "\x00sei" {
			s.short[first<<5|startCode(uint64(c))] = ^uint32(0)
		}
	case n == 2:
		for _, c := range "\x00seiaofln" {
			s.short[first<<5|second] |= 1 << startCode(uint64(c))
		}
		s.short[first<<5|second] |= 1 << second
	default:
		s.short[first<<5|second] |= 1 << third
	}
}

// admit reports whether a word of ASCII letters and digits may have a stem that was added; false is
// certain.
func (s *starts) admit(k key) bool {
	h := longHash(k)
	return s.long[h/64]>>(h%64)&1 != 0 ||
		s.short[startCode(k.low)<<5|startCode(k.low>>8)]>>startCode(k.low>>16)&1 != 0
}
