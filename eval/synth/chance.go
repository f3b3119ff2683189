package synth

import (
	"math"
	"math/bits"
)

// A purpose separates the random numbers of different uses.
type purpose uint64

const (
	forFate purpose = 1 + iota
	forMove
	forText
	forSize
	forLinks
	forOriginal
	forWish
	forHost
	forRequest
	forSection
	forWord
	forSeeds
)

// mix is the finaliser of SplitMix64: a bijection that makes neighbours uncorrelated.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// A dice is SplitMix64. It is a value, owned by its caller.
type dice uint64

// dice returns the random numbers of item n for one purpose.
func (w *Web) dice(why purpose, n int64) dice {
	return dice(mix(mix(w.Seed+uint64(why)*0x9e3779b97f4a7c15) ^ uint64(n)))
}

func (d *dice) throw() uint64 {
	*d += 0x9e3779b97f4a7c15
	return mix(uint64(*d))
}

// float is uniform in [0, 1).
func (d *dice) float() float64 { return float64(d.throw()>>11) / (1 << 53) }

// below is uniform in 0 ≤ x < n.
func (d *dice) below(n int64) int64 {
	high, _ := bits.Mul64(d.throw(), uint64(n))
	return int64(high)
}

// popular returns a rank below n; rank r has a probability ∝ r^-1/2.
func (d *dice) popular(n int64) int64 {
	u := d.float()
	return int64(u * u * float64(n))
}

func (d *dice) chance(p float64) bool { return d.float() < p }

// draw draws from a distribution, with the Box-Muller normal variate.
func (d *dice) draw(s Spread) float64 {
	normal := math.Sqrt(-2*math.Log(1-d.float())) * math.Cos(2*math.Pi*d.float())
	return s.Median * math.Exp(s.Sigma*normal)
}

// A shuffle is a bijection of 0 ≤ x < n without a table: four rounds of a Feistel network over the least even
// number of bits, repeated while the result is outside (cycle walking).
type shuffle struct {
	n    uint64
	half uint
	keys [4]uint64
}

func newShuffle(n int64, d dice) shuffle {
	s := shuffle{n: uint64(n), half: uint(max(bits.Len64(uint64(n-1))+1, 2)) / 2}
	for i := range s.keys {
		s.keys[i] = d.throw()
	}
	return s
}

// to returns the image of x.
func (s *shuffle) to(x int64) int64 {
	y := uint64(x)
	for {
		left, right := y>>s.half, y&(1<<s.half-1)
		for _, key := range s.keys {
			left, right = right, left^s.round(right, key)
		}
		if y = left<<s.half | right; y < s.n {
			return int64(y)
		}
	}
}

// from returns the preimage of y.
func (s *shuffle) from(y int64) int64 {
	x := uint64(y)
	for {
		left, right := x>>s.half, x&(1<<s.half-1)
		for i := range s.keys {
			left, right = right^s.round(left, s.keys[len(s.keys)-1-i]), left
		}
		if x = left<<s.half | right; x < s.n {
			return int64(x)
		}
	}
}

func (s *shuffle) round(x, key uint64) uint64 { return mix(x^key) & (1<<s.half - 1) }
