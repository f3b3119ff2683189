package stream

import "math"

// An adwin is a window of the latest values of a series that shrinks when their mean changes: ADWIN2 of Bifet and
// Gavaldà, "Learning from Time-Changing Data with Adaptive Windowing", SDM 2007. It needs no random numbers, and
// log n buckets for n values. Values lie between 0 and 1.
//
// Deviation: a mean that falls shrinks the window without an alarm, because a model that matures changes less.
type adwin struct {
	Rows  [][]bucket `json:"rows"` // of 2^i values each in row i, oldest first; the oldest buckets are in the last row
	N     float64    `json:"n"`    // values in the window
	Sum   float64    `json:"sum"`
	Var   float64    `json:"var"` // N times their variance
	Since int        `json:"since"`
}

// A bucket has the sums of consecutive values.
type bucket struct {
	N   float64 `json:"n"`
	Sum float64 `json:"sum"`
	Var float64 `json:"var"`
}

// The parameters of the paper's section 4; every is the number of values from one test to the next.
const (
	adwinRow   = 5  // buckets in a row before the oldest two merge (M)
	adwinLeast = 30 // values on each side of a cut
	adwinEvery = 16 // values
	adwinRows  = 64
)

// A cut is a point that divides the window into two parts of different means.
type cut struct {
	before, after float64 // means
	values        float64 // in the later part
}

// add appends a value. It returns the cut if the mean has risen; delta is the δ of the paper, which bounds the share
// of false cuts.
func (a *adwin) add(x, delta float64) (risen cut, ok bool) {
	a.push(bucket{N: 1, Sum: x})
	if a.Since++; a.Since < adwinEvery {
		return cut{}, false
	}
	a.Since = 0
	for {
		c, found := a.find(delta)
		if !found {
			return risen, ok
		}
		if c.after > c.before {
			risen, ok = c, true
		}
		a.drop()
	}
}

// push adds a bucket of one value and merges the oldest two of each row that is too long.
func (a *adwin) push(b bucket) {
	if a.N > 0 {
		a.Var += a.N * (b.Sum - a.Sum/a.N) * (b.Sum - a.Sum/a.N) / (a.N + 1)
	}
	a.N++
	a.Sum += b.Sum
	for i := 0; ; i++ {
		if i == len(a.Rows) {
			a.Rows = append(a.Rows, nil)
		}
		a.Rows[i] = append(a.Rows[i], b)
		if len(a.Rows[i]) <= adwinRow {
			return
		}
		b = a.Rows[i][0].with(a.Rows[i][1])
		a.Rows[i] = append([]bucket(nil), a.Rows[i][2:]...)
	}
}

// with merges two buckets.
func (b bucket) with(c bucket) bucket {
	n := b.N + c.N
	apart := b.Sum/b.N - c.Sum/c.N
	return bucket{n, b.Sum + c.Sum, b.Var + c.Var + b.N*c.N*apart*apart/n}
}

// find returns the first cut, from the oldest value on, whose parts differ by more than the bound ε of section 4:
// with m the harmonic sum of their sizes and σ² the variance of the window, √(2·m·σ²·ln(2·ln(n)/δ)) +
// 2/3·m·ln(2·ln(n)/δ).
func (a *adwin) find(delta float64) (cut, bool) {
	if a.N < 2*adwinLeast {
		return cut{}, false
	}
	doubt := math.Log(2 * math.Log(a.N) / delta)
	var n, sum float64
	for i := len(a.Rows) - 1; i >= 0; i-- {
		for _, b := range a.Rows[i] {
			n, sum = n+b.N, sum+b.Sum
			if n < adwinLeast {
				continue
			}
			if a.N-n < adwinLeast {
				return cut{}, false
			}
			m := 1/n + 1/(a.N-n)
			c := cut{sum / n, (a.Sum - sum) / (a.N - n), a.N - n}
			if bound := math.Sqrt(2*m*a.Var/a.N*doubt) + 2.0/3*m*doubt; math.Abs(c.after-c.before) > bound {
				return c, true
			}
		}
	}
	return cut{}, false
}

// drop removes the oldest bucket.
func (a *adwin) drop() {
	last := len(a.Rows) - 1
	for last > 0 && len(a.Rows[last]) == 0 {
		last--
	}
	b := a.Rows[last][0]
	a.Rows[last] = append([]bucket(nil), a.Rows[last][1:]...)
	for last > 0 && len(a.Rows[last]) == 0 {
		last--
	}
	a.Rows = a.Rows[:last+1]
	a.N -= b.N
	a.Sum -= b.Sum
	apart := b.Sum/b.N - a.Sum/a.N
	a.Var = max(0, a.Var-b.Var-b.N*a.N*apart*apart/(a.N+b.N))
}

// sound reports whether a decoded window is one that add can have left.
func (a *adwin) sound() bool {
	finite := func(x float64) bool { return x >= 0 && !math.IsInf(x, 0) }
	if !finite(a.N) || !finite(a.Sum) || !finite(a.Var) || len(a.Rows) > adwinRows || a.Since < 0 || a.Since >= adwinEvery {
		return false
	}
	var n float64
	for i, row := range a.Rows {
		if len(row) > adwinRow {
			return false
		}
		for _, b := range row {
			if b.N != math.Ldexp(1, i) || !finite(b.Sum) || !finite(b.Var) {
				return false
			}
			n += b.N
		}
	}
	return n == a.N
}
