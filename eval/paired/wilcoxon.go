package paired

import (
	"cmp"
	"math"
	"slices"
)

// maxExact is the largest number of differences for which the exact distribution of the signed-rank sum is used.
const maxExact = 25

// A Signed is the result of a two-sided Wilcoxon signed-rank test.
type Signed struct {
	N     int     // differences that are not 0: the others are dropped
	Above float64 // sum of the ranks of differences above 0
	Below float64 // sum of the ranks of differences below 0
	Exact bool    // by the exact distribution, else by the normal approximation
	P     float64 // 0 to 1; 1 if N is 0
}

// Wilcoxon tests whether differences are symmetric about 0 (Wilcoxon 1945). Differences of 0 are dropped; equal absolute
// values share their mean rank. With at most 25 differences and no ties the p-value is exact; otherwise it is that of
// the normal approximation, with the variance corrected for ties and a continuity correction of 1/2 (Hollander and
// Wolfe 1999, section 3.1).
func Wilcoxon(differences []float64) Signed {
	ranked := make([]float64, 0, len(differences))
	for _, d := range differences {
		if d != 0 && !math.IsNaN(d) {
			ranked = append(ranked, d)
		}
	}
	s := Signed{N: len(ranked), P: 1}
	if s.N == 0 {
		return s
	}
	slices.SortFunc(ranked, func(a, b float64) int { return cmp.Compare(math.Abs(a), math.Abs(b)) })
	ties := 0.0 // sum of t³−t over groups of t equal ranks
	for from := 0; from < s.N; {
		to := from
		for to < s.N && math.Abs(ranked[to]) == math.Abs(ranked[from]) {
			to++
		}
		rank, t := float64(from+to+1)/2, float64(to-from)
		ties += t*t*t - t
		for _, d := range ranked[from:to] {
			if d > 0 {
				s.Above += rank
			} else {
				s.Below += rank
			}
		}
		from = to
	}
	if s.Exact = s.N <= maxExact && ties == 0; s.Exact {
		s.P = exactP(s.N, int(min(s.Above, s.Below)))
		return s
	}
	n := float64(s.N)
	deviation := math.Sqrt(n*(n+1)*(2*n+1)/24 - ties/48)
	distance := math.Abs(s.Above-n*(n+1)/4) - 0.5
	if distance > 0 {
		s.P = math.Erfc(distance / deviation / math.Sqrt2)
	}
	return s
}

// exactP is the two-sided p-value of a smaller rank sum: twice the share of the 2ⁿ assignments of signs whose sum of
// positive ranks is at most it.
func exactP(n, sum int) float64 {
	ways := make([]float64, sum+1) // assignments by their sum; exact below 2⁵³
	ways[0] = 1
	for rank := 1; rank <= n; rank++ {
		for s := sum; s >= rank; s-- {
			ways[s] += ways[s-rank]
		}
	}
	total := 0.0
	for _, w := range ways {
		total += w
	}
	return min(1, 2*total/math.Exp2(float64(n)))
}

// Holm adjusts the p-values of a family of tests so that the chance of any false rejection is bounded (Holm 1979): in
// ascending order the i-th of m is multiplied by m−i+1, is no less than the one before it, and at most 1. The result is
// in the order of the arguments.
func Holm(p []float64) []float64 {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	adjusted, last := make([]float64, len(p)), 0.0
	for i, at := range order {
		last = max(last, min(1, p[at]*float64(len(p)-i)))
		adjusted[at] = last
	}
	return adjusted
}
