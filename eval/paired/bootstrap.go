package paired

import (
	"math"
	"math/rand/v2"
	"slices"
)

// Bootstrap returns the 95 % interval of the mean of values by the bias-corrected and accelerated bootstrap (BCa; Efron
// 1987). The values are drawn with replacement samples times by a generator of this seed: the same values, samples and
// seed give the same interval. It is the value itself if all are equal, and NaN without values.
func Bootstrap(values []float64, samples int, seed uint64) (low, high float64) {
	return bca(values, mean, 0.95, samples, seed)
}

// mean is the mean of values; NaN without any.
func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// bca returns the BCa interval of a statistic (Efron and Tibshirani 1993, section 14.3). The bias correction counts half
// of the replicates that equal the estimate; the acceleration is that of the jackknife.
func bca(values []float64, statistic func([]float64) float64, level float64, samples int, seed uint64) (low, high float64) {
	estimate := statistic(values)
	if len(values) == 0 || slices.Min(values) == slices.Max(values) {
		return estimate, estimate
	}
	random, drawn, replicates := rand.New(rand.NewPCG(seed, 0)), make([]float64, len(values)), make([]float64, samples)
	below := 0.0
	for i := range replicates {
		for k := range drawn {
			drawn[k] = values[random.IntN(len(values))]
		}
		r := statistic(drawn)
		replicates[i] = r
		switch {
		case r < estimate:
			below++
		case r == estimate:
			below += 0.5
		}
	}
	slices.Sort(replicates)
	share := min(max(below, 0.5), float64(samples)-0.5) / float64(samples)
	bias, acceleration := quantile(share), accelerated(values, statistic)
	at := func(p float64) float64 {
		z := bias + quantile(p)
		q := bias + z/(1-acceleration*z)
		place := int(math.Floor(cumulative(q)*float64(samples+1))) - 1
		return replicates[min(max(place, 0), samples-1)]
	}
	return at((1 - level) / 2), at((1 + level) / 2)
}

// accelerated is the acceleration of a statistic: a sixth of the skewness of its jackknife values.
func accelerated(values []float64, statistic func([]float64) float64) float64 {
	jackknife, rest := make([]float64, len(values)), make([]float64, 0, len(values))
	for i := range values {
		rest = append(append(rest[:0], values[:i]...), values[i+1:]...)
		jackknife[i] = statistic(rest)
	}
	centre := mean(jackknife)
	squares, cubes := 0.0, 0.0
	for _, v := range jackknife {
		d := centre - v
		squares += d * d
		cubes += d * d * d
	}
	if squares == 0 {
		return 0
	}
	return cubes / (6 * math.Pow(squares, 1.5))
}

// cumulative is the distribution function of the standard normal distribution.
func cumulative(z float64) float64 { return math.Erfc(-z/math.Sqrt2) / 2 }

// quantile is the inverse of cumulative, for p above 0 and below 1.
func quantile(p float64) float64 { return -math.Sqrt2 * math.Erfcinv(2*p) }
