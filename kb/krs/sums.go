package krs

import (
	"math"
	"math/big"
)

// sums determine the mean and the deviation of IDF over the linked nouns of a corpus, each noun counted once
// per document. With M = Σn over nouns,
//
//	μ = log2 N − Σ n·log2 n / M,   σ² = Σ n·(log2 n)² / M − (Σ n·log2 n / M)²
//
// so that an additional document changes only the terms of its own nouns. The sums are integers in units of
// 2⁻⁴⁰: independently of the order of additions and removals, they equal those of a rebuild exactly.
type sums struct {
	M int64    `json:"m"`
	A *big.Int `json:"a"` // Σ n·log2 n
	B *big.Int `json:"b"` // Σ n·(log2 n)²
}

const fraction = 40 // fractional bits

func newSums() sums { return sums{A: new(big.Int), B: new(big.Int)} }

// clone returns a copy that may be modified.
func (s sums) clone() sums {
	return sums{s.M, new(big.Int).Set(s.A), new(big.Int).Set(s.B)}
}

// move moves a number of nouns from one document frequency to another.
func (s sums) move(from, to, nouns int64) sums {
	s.M += (to - from) * nouns
	for _, side := range [...]struct{ n, sign int64 }{{from, -1}, {to, 1}} {
		if side.n < 2 {
			continue // log2 1 is 0
		}
		n, log := float64(side.n), math.Log2(float64(side.n))
		times := big.NewInt(side.sign * nouns)
		s.A.Add(s.A, new(big.Int).Mul(times, fixed(n*log)))
		s.B.Add(s.B, new(big.Int).Mul(times, fixed(n*log*log)))
	}
	return s
}

// fixed returns a number in units of 2⁻⁴⁰.
func fixed(x float64) *big.Int {
	whole, _ := big.NewFloat(math.Ldexp(x, fraction)).Int(nil)
	return whole
}

// moments returns μ and σ of a corpus of N documents; 0 without linked nouns.
func (s sums) moments(documents int64) (mean, deviation float64) {
	if s.M == 0 {
		return 0, 0
	}
	a, b := s.per(s.A), s.per(s.B)
	return math.Log2(float64(documents)) - a, math.Sqrt(max(0, b-a*a))
}

// per returns a sum divided by M.
func (s sums) per(sum *big.Int) float64 {
	q, _ := new(big.Rat).SetFrac(sum, new(big.Int).Lsh(big.NewInt(s.M), fraction)).Float64()
	return q
}

// idf is equation 1, in bits; the paper's example uses base 2.
func idf(documents, n int64) float64 { return math.Log2(float64(documents) / float64(n)) }
