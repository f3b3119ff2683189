package rating

import (
	"fmt"
	"math"
)

// An Estimate is a share of pages of the crawl, estimated from a sample.
type Estimate struct {
	Value float64 `json:"value"` // 0 to 1
	Low   float64 `json:"low"`   // limits of the 95 % interval
	High  float64 `json:"high"`
}

// String writes an estimate in percent: 83.80% (76.87 to 88.96); nil: -.
func (e *Estimate) String() string {
	if e == nil {
		return "-"
	}
	return fmt.Sprintf("%.2f%% (%.2f to %.2f)", 100*e.Value, 100*e.Low, 100*e.High)
}

// rounded rounds to six decimals.
func (e Estimate) rounded() *Estimate {
	return &Estimate{rounded(e.Value), rounded(min(max(e.Low, 0), 1)), rounded(min(max(e.High, 0), 1))}
}

// wilson estimates a share from the pages that have a property, of n > 0 (Wilson, Journal of the American Statistical Association 22, 1927).
func wilson(have, n float64) Estimate {
	p, z := have/n, quantile*quantile/n
	middle, half := (p+z/2)/(1+z), quantile*math.Sqrt(p*(1-p)/n+z/(4*n))/(1+z)
	return Estimate{p, max(middle-half, 0), min(middle+half, 1)}
}

// A stratum is what a rater says of the pages of one verdict.
type stratum struct {
	weight   float64  // its share of all pages
	relevant Estimate // the share of its pages that is relevant; of nothing judged it says 0 to 1
	judged   bool
}

// joined estimates the share of relevant pages of all pages. The interval recovers the variances of the strata from theirs (Newcombe,
// Statistics in Medicine 17, 1998; MOVER of Zou and Donner, Statistics in Medicine 27, 2008).
func joined(a, r stratum) Estimate {
	value, below, above := 0.0, 0.0, 0.0
	for _, s := range []stratum{a, r} {
		value += s.weight * s.relevant.Value
		below += square(s.weight * (s.relevant.Value - s.relevant.Low))
		above += square(s.weight * (s.relevant.High - s.relevant.Value))
	}
	return Estimate{value, value - math.Sqrt(below), value + math.Sqrt(above)}
}

func square(x float64) float64 { return x * x }

// recalled estimates the share of the accepted pages of all relevant ones, 1 / (1 + θ), where θ is the number of relevant rejected pages by
// that of relevant accepted ones. The interval is that of the ratio of two shares by MOVER (Donner and Zou, Statistical Methods in Medical
// Research 21, 2012).
func recalled(a, r stratum) Estimate {
	x, y := a.relevant, r.relevant
	part := func(s stratum) float64 { return s.weight * s.relevant.Value }
	e := Estimate{Value: part(a) / (part(a) + part(r))}
	both := x.Value * y.Value
	lower, upper := y.Low*(2*y.Value-y.Low), x.High*(2*x.Value-x.High)
	least := 0.0 // of θ without weights
	if lower > 0 {
		least = lower / (both + root(square(both)-lower*upper))
	}
	lower, upper = x.Low*(2*x.Value-x.Low), y.High*(2*y.Value-y.High)
	most := math.Inf(1)
	if lower > 0 {
		most = (both + root(square(both)-lower*upper)) / lower
	}
	weights := r.weight / a.weight
	e.Low, e.High = 1/(1+weights*most), 1/(1+weights*least)
	return e
}

// root is the square root of what is negative by rounding alone.
func root(x float64) float64 { return math.Sqrt(max(x, 0)) }

// A Quality is what a rater's answers say of a crawl. An estimate that the answers allow no number for is null.
type Quality struct {
	Rater     string    `json:"rater"`
	Precision *Estimate `json:"precision"` // relevant accepted pages ÷ accepted pages: the harvest ratio, with its interval
	Recall    *Estimate `json:"recall"`    // relevant accepted pages ÷ relevant pages
	Harvest   *Estimate `json:"harvest"`   // relevant pages ÷ all pages
}

// qualityOf estimates the quality of the crawl from a rater's score.
func (k *Key) qualityOf(t Score) Quality {
	q, accepted, rejected := Quality{Rater: t.Rater}, k.pages[0], k.pages[1]
	all := float64(accepted + rejected)
	a := stratum{weight: float64(accepted) / all, judged: t.Accepted.Judged > 0 || accepted == 0}
	r := stratum{weight: float64(rejected) / all, judged: t.Rejected.Judged > 0 || rejected == 0}
	if t.Accepted.Judged > 0 {
		a.relevant = wilson(t.Accepted.Right, t.Accepted.Judged)
		q.Precision = a.relevant.rounded()
	}
	if t.Rejected.Judged > 0 {
		r.relevant = wilson(t.Rejected.Judged-t.Rejected.Right, t.Rejected.Judged)
	}
	if !a.judged || !r.judged {
		return q
	}
	harvest := joined(a, r)
	q.Harvest = harvest.rounded()
	switch {
	case harvest.Value == 0:
	case accepted == 0:
		q.Recall = &Estimate{}
	case rejected == 0:
		q.Recall = &Estimate{1, 1, 1}
	default:
		q.Recall = recalled(a, r).rounded()
	}
	return q
}
