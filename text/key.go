package text

import (
	"encoding/binary"
	"math/bits"
)

// maxKey is the length in bytes up to which a word is its own key.
const maxKey = 16

// A key is a word of at most maxKey bytes, padded with zeros: no word has any. Longer words have the
// zero key.
type key struct{ low, high uint64 }

// keyOf returns the key of a word.
func keyOf(word []byte) key {
	if len(word) > maxKey {
		return key{}
	}
	var b [maxKey]byte
	copy(b[:], word)
	return key{binary.LittleEndian.Uint64(b[:8]), binary.LittleEndian.Uint64(b[8:])}
}

// put writes the key's bytes to the first maxKey of b.
func (k key) put(b []byte) {
	binary.LittleEndian.PutUint64(b[:8], k.low)
	binary.LittleEndian.PutUint64(b[8:maxKey], k.high)
}

// hash mixes all bits of the key.
func (k key) hash() uint64 {
	high, low := bits.Mul64(k.low^0x9e3779b97f4a7c15, k.high^0xd1342543de82ef95)
	return high ^ low
}

// plain returns the key of the ASCII letters and digits at offset i of a text, in lower case, and their number: above
// maxKey if a key cannot hold them.
func plain(s string, i int) (key, int) {
	low, n := plainEight(load(s, i))
	if n < 8 {
		return key{low: low}, n
	}
	high, m := plainEight(load(s, i+8))
	if n += m; m == 8 {
		if c := load(s, i+maxKey); c != 0 {
			if _, more := plainEight(c); more > 0 {
				return key{}, maxKey + 1
			}
		}
	}
	return key{low, high}, n
}

// load returns the eight bytes at offset i of a text, the first the lowest; zeros behind its end.
func load(s string, i int) uint64 {
	if i+8 <= len(s) {
		return eight(s[i : i+8])
	}
	var x uint64
	for k := len(s) - 1; k >= i; k-- {
		x = x<<8 | uint64(s[k])
	}
	return x
}

// eight returns eight bytes, the first the lowest.
func eight(b string) uint64 {
	_ = b[7]
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
		uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
}

// each times a byte below 0x80 repeats that byte eight times in a word.
const each = 0x0101010101010101

// plainEight returns the ASCII letters and digits at the start of x in lower case, the rest zero, and their number.
func plainEight(x uint64) (uint64, int) {
	folded := x&(each*0x7f) | each*0x20
	others := ^plainBits(x) & (each * 0x80)
	if others == 0 {
		return folded, 8
	}
	n := bits.TrailingZeros64(others) &^ 7
	return folded & (1<<n - 1), n / 8
}

// plainBits sets the top bit of each of eight bytes that is an ASCII letter or digit. It tests all eight at once:
// adding to a byte below 0x80 sets its top bit where the sum exceeds 0x7f.
func plainBits(x uint64) uint64 {
	seven := x & (each * 0x7f)
	folded := seven | each*0x20
	letters := (folded + each*(0x80-'a')) &^ (folded + each*(0x7f-'z'))
	digits := (seven + each*(0x80-'0')) &^ (seven + each*(0x7f-'9'))
	return (letters | digits) &^ x & (each * 0x80)
}
