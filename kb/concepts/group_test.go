package concepts

import (
	"math/rand/v2"
	"testing"
)

// TestDots: several vectors at once give what each gives by itself, to the last bit.
func TestDots(t *testing.T) {
	draw := rand.New(rand.NewPCG(1, 2))
	centers, one := make([][lanes]float64, 50), make([]float64, 50)
	for i := range centers {
		for lane := range centers[i] {
			centers[i][lane] = draw.Float64()
		}
	}
	var doc []Weight
	for i := range uint32(50) {
		if draw.IntN(2) == 0 {
			doc = append(doc, Weight{Term: i, Weight: draw.Float32()})
		}
	}
	for lane, got := range dots(centers, doc) {
		for i := range one {
			one[i] = centers[i][lane]
		}
		if want := dot(one, doc); got != want {
			t.Errorf("%d: %v, not %v", lane, got, want)
		}
	}
}
