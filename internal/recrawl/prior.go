package recrawl

import "math"

// A Prior is the gamma distribution of the rates of similar pages: its mean is Shape/Scale.
type Prior struct {
	Shape float64 // above 0; the larger, the more alike the rates are
	Scale float64 // in days, above 0
}

// anyRate is what is known of pages before any was visited twice: a change in a month, give or take.
func anyRate() Prior { return Prior{Shape: 0.5, Scale: 15} }

// Bounds of a shape: rates all over the place, and nearly the same.
const (
	minShape = 0.2
	maxShape = 20
)

// moments sums the logarithms of rates that were estimated, with their uncertainty.
type moments struct{ n, sum, square float64 }

func (m *moments) add(e Estimate) {
	t := math.Log(e.Rate)
	m.n++
	m.sum += t
	m.square += t*t + e.Spread*e.Spread
}

// towards mixes in the mean and variance of a larger group, as if of so many of its pages.
func (m moments) towards(larger moments, pages float64) moments {
	if larger.n == 0 {
		return m
	}
	w := pages / larger.n
	return moments{m.n + w*larger.n, m.sum + w*larger.sum, m.square + w*larger.square}
}

// prior fits a gamma distribution to the moments: empirical Bayes, an EM step of which Prior.Of is the other half. The logarithm of a
// gamma variable has the mean ψ(shape)-log(scale) and the variance ψ'(shape), which is nearly 1/shape+1/(2·shape²).
func (m moments) prior() Prior {
	if m.n == 0 {
		return anyRate()
	}
	mean := m.sum / m.n
	v := max(m.square/m.n-mean*mean, 1e-3)
	shape := min(max((1+math.Sqrt(1+2*v))/(2*v), minShape), maxShape)
	return Prior{Shape: shape, Scale: math.Exp(digamma(shape) - mean)}
}

// near reports whether estimates under two priors are nearly the same.
func (p Prior) near(q Prior) bool {
	return math.Abs(math.Log(p.Shape/q.Shape)) < 0.1 && math.Abs(math.Log(p.Scale/q.Scale)) < 0.1
}

// digamma is the derivative of the logarithm of the gamma function, for x above 0: by recurrence to 6, then the asymptotic series.
func digamma(x float64) float64 {
	var d float64
	for ; x < 6; x++ {
		d -= 1 / x
	}
	s := 1 / (x * x)
	return d + math.Log(x) - 1/(2*x) - s*(1./12-s*(1./120-s/252))
}
