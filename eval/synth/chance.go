package synth

import (
	"math"
	"math/bits"
)

// A purpose keeps what is drawn for one thing apart from what is drawn for another.
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

// mix is the finaliser of SplitMix64: a bijection under which neighbours have nothing in common.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// A dice is SplitMix64. It is a value: whoever throws it holds it.
type dice uint64

// dice are those of thing n, for one purpose.
func (w *Web) dice(why purpose, n int64) dice {
	return dice(mix(mix(w.Seed+uint64(why)*0x9e3779b97f4a7c15) ^ uint64(n)))
}

func (d *dice) throw() uint64 {
	*d += 0x9e3779b97f4a7c15
	return mix(uint64(*d))
}

// float is 0 ≤ x < 1.
func (d *dice) float() float64 { return float64(d.throw()>>11) / (1 << 53) }

// below is 0 ≤ x < n.
func (d *dice) below(n int64) int64 {
	high, _ := bits.Mul64(d.throw(), uint64(n))
	return int64(high)
}

// popular is 0 ≤ x < n, the first most often: that of rank r with a probability ∝ r^-1/2.
func (d *dice) popular(n int64) int64 {
	u := d.float()
	return int64(u * u * float64(n))
}

func (d *dice) chance(p float64) bool { return d.float() < p }

// draw draws from a distribution: Box and Muller's normal variate.
func (d *dice) draw(s Spread) float64 {
	normal := math.Sqrt(-2*math.Log(1-d.float())) * math.Cos(2*math.Pi*d.float())
	return s.Median * math.Exp(s.Sigma*normal)
}

// A shuffle is a bijection of 0 ≤ x < n, without a table: four rounds of Feistel's network over the
// least even number of bits, gone round again while outside.
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

// to is where x comes to stand.
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

// from is what came to stand at y.
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
