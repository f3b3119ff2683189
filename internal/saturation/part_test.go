package saturation

import (
	"math"
	"math/rand/v2"
	"testing"
)

// What a part keeps between two looks is what it would sum up anew, to the last bit.
func TestPartKeepsItsSums(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		k := math.Floor(leastAccepted * math.Exp(6*random.Float64()))
		ratio := min(199/k, math.Exp(10*random.Float64()-8))
		kept := part{k: k, ratio: ratio}
		for range 12 {
			x := math.Floor(math.Exp(9 * random.Float64()))
			term := math.Exp(-k * math.Log1p(ratio))
			want, q := term, ratio/(1+ratio)
			for i := 1.0; i <= x; i++ {
				term *= (k + i - 1) / i * q
				want += term
			}
			if got := kept.below(x); got != min(1, want) {
				t.Fatalf("k %v, ratio %v: at most %v with probability %v, want %v", k, ratio, x, got, min(1, want))
			}
		}
	}
}
