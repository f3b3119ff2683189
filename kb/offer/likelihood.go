package offer

import "math"

// Likelihood returns the log-likelihood ratio of two things occurring together in both of all items, one in a of them,
// the other in b (Dunning, "Accurate Methods for the Statistics of Surprise and Coincidence", CL 19:1, 1993); 0 if that
// is no more often than by chance.
func Likelihood(both, a, b, all float64) float64 {
	if both*all <= a*b || all <= 0 {
		return 0
	}
	g := xlogx(both) + xlogx(a-both) + xlogx(b-both) + xlogx(all-a-b+both) + xlogx(all) -
		xlogx(a) - xlogx(all-a) - xlogx(b) - xlogx(all-b)
	return max(0, 2*g)
}

func xlogx(x float64) float64 {
	if x <= 0 {
		return 0
	}
	return x * math.Log(x)
}
