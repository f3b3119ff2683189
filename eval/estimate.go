package eval

import "math"

// An Estimate is a mean over repeated runs with its confidence interval.
type Estimate struct {
	Mean float64
	Half float64 // half the width of the 95 % confidence interval; 0 when N < 2
	N    int     // number of values
}

// EstimateOf returns the mean of values and the 95 % interval of Student's t with N-1 degrees of
// freedom, which takes the values for independent draws of about normal spread. The sums run in the
// order of the values.
func EstimateOf(values []float64) Estimate {
	e := Estimate{N: len(values)}
	if e.N == 0 {
		return e
	}
	var sum float64
	for _, v := range values {
		sum += v
	}
	e.Mean = sum / float64(e.N)
	if e.N == 1 {
		return e
	}
	var squares float64
	for _, v := range values {
		squares += (v - e.Mean) * (v - e.Mean)
	}
	deviation := math.Sqrt(squares / float64(e.N-1))
	e.Half = studentT(e.N-1) * deviation / math.Sqrt(float64(e.N))
	return e
}

// studentT returns the 0.975 quantile of Student's t: from the usual table up to 30 degrees of
// freedom, beyond by the expansion around the normal quantile (Abramowitz and Stegun 26.7.5), whose
// error there is below 0.0001.
func studentT(degrees int) float64 {
	table := [...]float64{12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281,
		2.2010, 2.1788, 2.1604, 2.1448, 2.1314, 2.1199, 2.1098, 2.1009, 2.0930, 2.0860,
		2.0796, 2.0739, 2.0687, 2.0639, 2.0595, 2.0555, 2.0518, 2.0484, 2.0452, 2.0423}
	if degrees <= len(table) {
		return table[degrees-1]
	}
	const z = 1.959963985
	v := float64(degrees)
	return z + (z*z*z+z)/(4*v) + (5*z*z*z*z*z+16*z*z*z+3*z)/(96*v*v)
}
