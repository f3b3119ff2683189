package relevance

import "math"

// ridge keeps weights small that little is known of.
const ridge = 0.2

// fit is a logistic regression, by Newton's method.
func fit(examples []example) (w evidence) {
	for range 25 {
		gradient, curve := evidence{}, [parts]evidence{}
		for i := range w {
			gradient[i] = -ridge * w[i]
			curve[i][i] = ridge
		}
		for _, e := range examples {
			p := e.score(&w)
			wrong := -p
			if e.yes {
				wrong = 1 - p
			}
			for i, x := range e.evidence {
				gradient[i] += e.weight * wrong * x
				for k, y := range e.evidence {
					curve[i][k] += e.weight * p * (1 - p) * x * y
				}
			}
		}
		step := solve(curve, gradient)
		for i := range w {
			w[i] += step[i]
		}
	}
	return w
}

// solve solves linear equations by elimination.
func solve(a [parts]evidence, b evidence) evidence {
	for i := range a {
		most := i
		for k := i; k < parts; k++ {
			if math.Abs(a[k][i]) > math.Abs(a[most][i]) {
				most = k
			}
		}
		a[i], a[most], b[i], b[most] = a[most], a[i], b[most], b[i]
		for k := range a {
			if k == i {
				continue
			}
			f := a[k][i] / a[i][i]
			for c := i; c < parts; c++ {
				a[k][c] -= f * a[i][c]
			}
			b[k] -= f * b[i]
		}
	}
	for i := range b {
		b[i] /= a[i][i]
	}
	return b
}
