package recrawl

import (
	"math"
	"time"
)

// Day is the unit of rates.
const Day = 24 * time.Hour

// An Interval is the time between two visits of a page, and what the second one found.
type Interval struct {
	Days    float64 // above 0
	Changed bool    // the page changed, once or more
	// Age, of a page that changed, is the time in days from its last change to the visit, from 0 to Days, if the server says; else
	// it is negative.
	Age float64
}

// maxIntervals is how much of its past is kept of a page: its rate is that of the last visits.
const maxIntervals = 32

// A History holds the last visits of a page, oldest first.
type History []Interval

// add appends an interval, and drops the oldest one of a long history.
func (h History) add(i Interval) History {
	if len(h) < maxIntervals {
		return append(h, i)
	}
	copy(h, h[1:])
	h[len(h)-1] = i
	return h
}

// Regular estimates the rate of change of a page that was visited n times at regular intervals, in days, and had changed at x of these
// visits: the estimator of small bias of Cho and Garcia-Molina, "Estimating Frequency of Change", ACM TOIT 3(3), 2003, section 4.2,
// -log((n-x+0.5)/(n+0.5))/interval. Without a visit it is 0.
func Regular(n, x int, interval float64) float64 {
	if n <= 0 || interval <= 0 {
		return 0
	}
	return -math.Log((float64(n-x)+0.5)/(float64(n)+0.5)) / interval
}

// An Estimate is the rate of change of a page, with how sure it is.
type Estimate struct {
	Rate   float64 // changes a day
	Spread float64 // standard deviation of the rate's logarithm
}

// Bounds of a rate: a change in some 300 years, and one in nine seconds.
const (
	minRate = 1e-5
	maxRate = 1e4
)

// Of estimates the rate of change behind a history: the maximum of the posterior density of the rate's logarithm under a prior.
//
// For visits at irregular intervals this is the maximum likelihood estimator of Cho and Garcia-Molina (2003), section 4.3: an interval I
// without a change has the likelihood exp(-rI), one with changes 1-exp(-rI). Where the server says when the last change was, an age A before
// the visit, nothing is censored: that is the density r·exp(-rA), as in their section 5. Our deviation is the prior, a gamma
// distribution, which takes the place of their correction of bias and gives a page without visits the rate of its like. The likelihood
// is concave in the logarithm of the rate; Newton steps find its maximum, and bisection where they leave the bracket.
func (p Prior) Of(h History) Estimate {
	slope := func(t float64) (first, second float64) {
		r := math.Exp(t)
		first, second = p.Shape-p.Scale*r, -p.Scale*r
		for _, i := range h {
			switch x := r * i.Days; {
			case !i.Changed:
				first, second = first-x, second-x
			case i.Age >= 0:
				first, second = first+1-r*i.Age, second-r*i.Age
			case x < 500: // else the change says nothing
				e := math.Expm1(x)
				first += x / e
				second += x/e - x*x*(e+1)/(e*e)
			}
		}
		return first, second
	}
	low, high := math.Log(minRate), math.Log(maxRate)
	t := math.Log(min(max(p.guess(h), minRate), maxRate))
	var second float64
	for range 60 {
		var first float64
		if first, second = slope(t); first > 0 {
			low = t
		} else {
			high = t
		}
		next := t - first/second
		if !(next > low && next < high) {
			next = (low + high) / 2
		}
		done := math.Abs(next-t) < 1e-6
		if t = next; done {
			break
		}
	}
	return Estimate{Rate: math.Exp(t), Spread: 1 / math.Sqrt(max(-second, 1e-3))}
}

// guess is where the search for a rate begins: the estimate for regular intervals, of their mean length, with the prior as visits.
func (p Prior) guess(h History) float64 {
	if len(h) == 0 {
		return p.Shape / p.Scale
	}
	var changed int
	var days float64
	for _, i := range h {
		days += i.Days
		if i.Changed {
			changed++
		}
	}
	return Regular(len(h), changed, days/float64(len(h)))
}

// Fresh is the expected share of time in which a copy of a page is up to date that changes rate times a day and is visited frequency
// times a day, at regular intervals: (1-exp(-r))/r with r = rate/frequency (Cho and Garcia-Molina, "Synchronizing a Database to Improve
// Freshness", SIGMOD 2000, theorem 4.1). Without visits it is 0, and without changes 1.
func Fresh(rate, frequency float64) float64 {
	switch {
	case rate <= 0:
		return 1
	case frequency <= 0:
		return 0
	}
	r := rate / frequency
	return -math.Expm1(-r) / r
}

// Upto is the probability that a page has not changed in so many days.
func Upto(rate, days float64) float64 { return math.Exp(-rate * max(days, 0)) }

// Age is the expected age, in days, of a copy made so many days ago: the time since the first change that it lacks, 0 while it is up to
// date (Cho and Garcia-Molina, SIGMOD 2000, section 3).
func Age(rate, days float64) float64 {
	if rate <= 0 || days <= 0 {
		return 0
	}
	if x := rate * days; x < 1e-4 { // the difference below would vanish
		return days * x / 2
	}
	return days + math.Expm1(-rate*days)/rate
}
