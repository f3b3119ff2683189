package text

import (
	"math/bits"
	"unicode"
	"unicode/utf8"
)

// minSimhash is the minimum number of words for a meaningful simhash.
const minSimhash = 50

// Simhash returns a fingerprint of a text in which nearly all bits are the same for texts that are nearly the same
// (Charikar, "Similarity Estimation Techniques from Rounding Algorithms", STOC 2002; Manku, Jain and Das Sarma,
// "Detecting Near-Duplicates for Web Crawling", WWW 2007, who take pages for duplicates that differ in at most 3
// bits). Each shingle of three words votes on all bits with weight 1. It is 0 exactly for texts of fewer than 50
// words.
//
// Words are runs of letters, digits and marks, single characters in a script without spaces; case, blank lines and
// other separators are ignored. The result is the same on all machines.
func Simhash(s string) uint64 {
	var v votes
	for pos, next := 0, 0; pos < len(s); pos = next {
		plain, high := window(s, pos)
		next = pos + 64
		for plain|high != 0 {
			i := bits.TrailingZeros64(plain|high) & 63
			n := run(plain, i)
			at, end := pos+i, pos+i+n
			if i+n == 64 && i > 0 && end < len(s) { // the next window contains the word whole
				next = at
				break
			}
			if 0 < n && n < 64 && (end == len(s) || s[end] < utf8.RuneSelf) {
				v.word(hashPlain(s, at, n))
				plain &= plain + plain&-plain // without its first run of letters
				continue
			}
			var h uint64
			if h, end = hashWord(s, at); h != 0 {
				v.word(h)
			}
			plain, high = plain>>(end-pos)<<(end-pos), high>>(end-pos)<<(end-pos)
			next = max(next, end)
		}
	}
	if v.words < minSimhash {
		return 0
	}
	return max(1, v.majority())
}

// hashPlain hashes n ASCII letters and digits at offset i of a text.
func hashPlain(s string, i, n int) (h uint64) {
	for ; n > 0; i, n = i+8, n-8 {
		h = blend(h, lowered(s, i, min(n, 8)))
	}
	return h
}

// hashWord returns the hash and the end of the word at offset i of a text; hash 0 for a character that starts no
// word. For ASCII letters and digits it equals hashPlain.
func hashWord(s string, i int) (h uint64, end int) {
	var piece uint64
	var b [utf8.UTFMax]byte
	at, size := i, 0
	for i < len(s) {
		r, n := utf8.DecodeRuneInString(s[i:])
		if lone := alone(r); lone && i > at || !lone && !wordRune(r) && (i == at || !unicode.IsMark(r) && !shapeless(r)) {
			break
		}
		i += n
		if shapeless(r) {
			continue
		}
		for _, c := range b[:utf8.EncodeRune(b[:], unicode.ToLower(r))] {
			piece |= uint64(c) << (8 * size)
			if size++; size == 8 {
				h, piece, size = blend(h, piece), 0, 0
			}
		}
		if alone(r) {
			break
		}
	}
	if i == at {
		_, n := utf8.DecodeRuneInString(s[i:])
		return 0, i + n
	}
	if size > 0 {
		h = blend(h, piece)
	}
	return max(1, h), i
}

// blend hashes two numbers.
func blend(a, b uint64) uint64 {
	high, low := bits.Mul64(a^0x9e3779b97f4a7c15, b^0xd1342543de82ef95)
	return high ^ low
}

// votes counts, for each of 64 bits, the words' shingles that have it set: plane k holds bit k of all 64 counts, so
// that a shingle is counted in a few operations. A tree of carry-save adders first sums eight at a time.
type votes struct {
	words   int
	a, b    uint64 // the hashes of the last two words
	waiting [8]uint64
	planes  [40]uint64
}

// word adds the next word, given its hash.
func (v *votes) word(h uint64) {
	if v.words++; v.words > 2 {
		at := (v.words - 3) % 8
		v.waiting[at] = blend(v.a+bits.RotateLeft64(v.b, 23), h+bits.RotateLeft64(v.b, 47))
		if at == 7 {
			v.add()
		}
	}
	v.a, v.b = v.b, h
}

// add counts the eight buffered shingles.
func (v *votes) add() {
	w, p := &v.waiting, &v.planes
	ones, c0 := addBits(p[0], w[0], w[1])
	ones, c1 := addBits(ones, w[2], w[3])
	ones, c2 := addBits(ones, w[4], w[5])
	ones, c3 := addBits(ones, w[6], w[7])
	twos, d0 := addBits(p[1], c0, c1)
	twos, d1 := addBits(twos, c2, c3)
	fours, carry := addBits(p[2], d0, d1)
	p[0], p[1], p[2] = ones, twos, fours
	for k := 3; carry != 0; k++ {
		p[k], carry = p[k]^carry, p[k]&carry
	}
	*w = [8]uint64{}
}

// addBits adds three bits at each of 64 positions.
func addBits(a, b, c uint64) (sum, carry uint64) {
	either := a ^ b
	return either ^ c, a&b | either&c
}

// majority returns the bits that more than half of the shingles have set.
func (v *votes) majority() (more uint64) {
	v.add() // the buffered shingles, padded with zeros
	half := uint64(v.words-2) / 2
	equal := ^uint64(0)
	for k := len(v.planes) - 1; k >= 0; k-- {
		if half>>k&1 != 0 {
			equal &= v.planes[k]
		} else {
			more |= equal & v.planes[k]
			equal &^= v.planes[k]
		}
	}
	return more
}
