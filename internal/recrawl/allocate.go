package recrawl

import "math"

// A Demand is a page as far as its share of the visits depends on it.
type Demand struct {
	Rate  float64 // changes a day
	Worth float64 // of its copy being up to date; 0: none
	Host  int     // index into the caps
}

// Limits bound what Allocate gives.
type Limits struct {
	Budget float64   // visits a day in all
	Most   float64   // visits a day of one page; above 0
	Caps   []float64 // visits a day of each host; 0: no bound. May be nil
}

// Allocate returns how often a day each page is visited so that the sum of worth·Fresh is greatest under the limits, and the price: what one
// more visit a day would add. Pages that change too often for their worth get no visit at all.
//
// That is the optimum of Cho and Garcia-Molina (SIGMOD 2000, section 5; with worths: "Effective Page Refresh Policies for Web Crawlers",
// ACM TODS 28(4), 2003, section 6), by a Lagrange multiplier: worth·∂Fresh/∂frequency is the price for all pages that are visited. Our addition are
// the caps: a host that would get more than its cap has a price of its own, and the others share what it leaves. start is a price near the
// one sought, as of an earlier call; 0: none.
func Allocate(demands []Demand, limits Limits, start float64) (frequencies []float64, price float64) {
	a := allocation{demands: demands, limits: limits, frequencies: make([]float64, len(demands)), full: make([]bool, len(limits.Caps))}
	budget := limits.Budget
	free := make([]int, 0, len(demands))
	for i := range demands {
		free = append(free, i)
	}
	for {
		price = a.solve(free, budget, start)
		start = price
		sums := make([]float64, len(limits.Caps))
		for _, i := range free {
			if h := demands[i].Host; h < len(sums) {
				sums[h] += a.frequencies[i]
			}
		}
		capped, of := false, map[int][]int{}
		for h, sum := range sums {
			if limit := limits.Caps[h]; limit > 0 && sum > limit*(1+1e-9) {
				a.full[h], capped, of[h] = true, true, nil
			}
		}
		if !capped {
			return a.frequencies, price
		}
		left := free[:0]
		for _, i := range free {
			if h := demands[i].Host; h < len(sums) && a.full[h] {
				of[h] = append(of[h], i)
			} else {
				left = append(left, i)
			}
		}
		for h, pages := range of {
			a.solve(pages, limits.Caps[h], price)
			budget -= limits.Caps[h]
		}
		free = left
	}
}

type allocation struct {
	demands     []Demand
	limits      Limits
	frequencies []float64
	full        []bool // hosts that get all that they may
}

// solve sets the frequencies of pages so that they add up to a budget, or each is the greatest, and returns the price. The sum falls with the
// price: a bracket is doubled until the price lies within, then narrowed by the Illinois form of regula falsi on logarithms.
func (a *allocation) solve(pages []int, budget, start float64) float64 {
	if len(pages) == 0 {
		return 0
	}
	over := func(x float64) float64 { return a.set(pages, math.Exp(x)) - budget }
	const least, most = -60, 40 // of the logarithm of a price
	if budget <= 0 {
		a.set(pages, math.Inf(1))
		return 0
	}
	x := -math.Log(budget)
	if start > 0 {
		x = math.Log(start)
	}
	low, high := x, x
	fl := over(x)
	fh := fl
	for step := 0.1; fl < 0 && low > least; step *= 2 {
		high, fh = low, fl
		low -= step
		fl = over(low)
	}
	for step := 0.1; fh > 0 && high < most; step *= 2 {
		low, fl = high, fh
		high += step
		fh = over(high)
	}
	if fl <= 0 { // each page gets the greatest frequency
		return math.Exp(low)
	}
	for side := 0; high-low > 1e-9; {
		x = (low*fh - high*fl) / (fh - fl)
		if !(x > low && x < high) {
			x = (low + high) / 2
		}
		f := over(x)
		if math.Abs(f) <= 1e-6*budget {
			break
		}
		if f > 0 {
			if low, fl = x, f; side == 1 {
				fh /= 2
			}
			side = 1
		} else {
			if high, fh = x, f; side == -1 {
				fl /= 2
			}
			side = -1
		}
	}
	return math.Exp(x)
}

// set sets the frequencies of pages at a price, and returns their sum.
func (a *allocation) set(pages []int, price float64) (sum float64) {
	for _, i := range pages {
		f := Frequency(a.demands[i].Rate, a.demands[i].Worth, price, a.limits.Most)
		a.frequencies[i] = f
		sum += f
	}
	return sum
}

// Frequency is how often a day a page is visited at a price, at most so often: where worth·∂Fresh/∂frequency, which is
// worth/rate·(1-(1+r)·exp(-r)) with r = rate/frequency, is the price. It is 0 where no frequency is worth it.
func Frequency(rate, worth, price, most float64) float64 {
	if worth <= 0 || rate <= 0 {
		return 0
	}
	y := price * rate / worth
	if y >= 1 {
		return 0
	}
	return min(rate/inverse(y), most)
}

// inverse returns r above 0 with 1-(1+r)·exp(-r) = y, for y from 0 to below 1.
func inverse(y float64) float64 {
	if y < 1e-12 {
		return math.Sqrt(2 * max(y, 1e-300))
	}
	s := math.Sqrt(2 * y)
	r := s * (1 + s/3)
	if y > 0.5 {
		l := -math.Log(1 - y)
		r = l + math.Log(1+l)
	}
	for range 20 {
		e := math.Exp(-r)
		g, slope := 1-(1+r)*e-y, r*e
		if r < 1e-3 { // the difference has no digits left: its series
			g = r*r*(0.5-r/3+r*r/8) - y
		}
		step := g / slope
		if step >= r {
			step = r / 2
		}
		if r -= step; math.Abs(step) <= 1e-9*r {
			break
		}
	}
	return r
}
