package text

import "math/bits"

// window classifies the 64 bytes at offset i of a text in two bit sets, the lowest bit first: ASCII letters and
// digits, and bytes of non-ASCII characters. Bits past the end are 0.
func window(s string, i int) (plain, high uint64) {
	var beyond uint64
	if i+64 <= len(s) {
		b := s[i : i+64]
		for k := 0; k < 64; k += 8 {
			x := eight(b[k : k+8])
			plain |= gather(plainBits(x)) << k
			beyond |= x
		}
	} else {
		for k := 0; i+k < len(s); k += 8 {
			x := load(s, i+k)
			plain |= gather(plainBits(x)) << k
			beyond |= x
		}
	}
	if beyond&(each*0x80) != 0 {
		for k := 0; k < 64 && i+k < len(s); k += 8 {
			high |= gather(load(s, i+k)&(each*0x80)) << k
		}
	}
	return plain, high
}

// gather packs the top bits of eight bytes, all other bits being zero, into the lowest byte.
func gather(top uint64) uint64 { return top >> 7 * 0x0102040810204080 >> 56 }

// run returns the length of the run of set bits in a window from bit i on.
func run(mask uint64, i int) int { return bits.TrailingZeros64(^(mask >> i)) }
