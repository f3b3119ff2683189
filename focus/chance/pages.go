package chance

import (
	"math"

	"orbweaver"
)

// Pages estimates the chance that a page is what its focus is for, from its judgement. The zero Pages has no evidence.
// It is not safe for concurrent use.
//
// The chance is logistic(k·(x-b)), where x are the log odds of the score and b those of the boundary: the threshold of
// the judgement's reason of orbweaver.RuleThreshold, else the midpoint between the means of the accepted pages and of
// the others. The slope k is that of a linear discriminant, the difference of these means over the pooled variance. A
// person's verdicts shift and scale it (Platt, "Probabilistic Outputs for Support Vector Machines", 1999).
type Pages struct {
	judged  tallies // by log odds of the score; right: accepted
	labels  tallies // by k·(x-b) at the time; right: relevant
	line    line
	verdict line
	known   bool // line and verdict are up to date
}

// A line gives log odds: slope·(x-middle) + shift.
type line struct{ slope, middle, shift float64 }

const (
	least  = 0.25 // slope
	steep  = 4.0
	firm   = 1.0  // prior variance of a person's slope and shift around no change
	border = 1e-6 // distance from one half that a verdict keeps
)

// Add counts a page judged.
func (c *Pages) Add(j orbweaver.Judgement) {
	c.judged.add(odds(j.Score), j.Accepted)
	c.known = false
}

// Label counts a person's verdict on a page with this judgement.
func (c *Pages) Label(j orbweaver.Judgement, relevant bool) {
	c.fit()
	c.labels.add(c.raw(j), relevant)
	c.known = false
}

// Chance returns the estimated chance, above 0 and below 1, that a page with this judgement is what the focus is for.
// It rises with the score; it is at least one half if the page is accepted, and less if it is not.
func (c *Pages) Chance(j orbweaver.Judgement) float64 {
	c.fit()
	p := logistic(c.verdict.slope*c.raw(j) + c.verdict.shift)
	if j.Accepted {
		return max(p, 0.5)
	}
	return min(p, 0.5-border)
}

// raw returns the log odds of a judgement before a person's verdicts.
func (c *Pages) raw(j orbweaver.Judgement) float64 {
	b := c.line.middle
	for _, r := range j.Reasons {
		if r.Rule == orbweaver.RuleThreshold {
			b = odds(r.Weight)
		}
	}
	return c.line.slope * (odds(j.Score) - b)
}

// fit brings line and verdict up to date.
func (c *Pages) fit() {
	if c.known {
		return
	}
	c.line, c.verdict, c.known = discriminant(&c.judged), platt(&c.labels), true
}

// discriminant returns the line between accepted pages and others: slope 1 through log odds 0 without both.
func discriminant(t *tallies) line {
	var n, sum, squares [2]float64
	for i, b := range t {
		x := middle(i)
		for k, count := range [2]float64{float64(b.all - b.right), float64(b.right)} {
			n[k] += count
			sum[k] += count * x
			squares[k] += count * x * x
		}
	}
	all := n[0] + n[1]
	if n[0] == 0 || n[1] == 0 {
		return line{slope: 1}
	}
	low, high := sum[0]/n[0], sum[1]/n[1]
	within := (squares[0] - n[0]*low*low + squares[1] - n[1]*high*high) / all
	slope := steep
	if within > 0 {
		slope = min(steep, max(least, (high-low)/within))
	}
	w := all / (all + few)
	return line{slope: math.Exp(w * math.Log(slope)), middle: w * (low + high) / 2}
}

// platt returns the slope and shift of the most probable logistic curve through verdicts by log odds, with normal priors
// of variance firm around slope 1 and shift 0.
func platt(t *tallies) line {
	l := line{slope: 1}
	for range 20 { // Newton's method; the objective is convex
		gs, gm := (l.slope-1)/firm, l.shift/firm
		hss, hsm, hmm := 1/firm, 0.0, 1/firm
		for i, b := range t {
			if b.all == 0 {
				continue
			}
			x := middle(i)
			p := logistic(l.slope*x + l.shift)
			miss, v := float64(b.all)*p-float64(b.right), float64(b.all)*p*(1-p)
			gs, gm = gs+miss*x, gm+miss
			hss, hsm, hmm = hss+v*x*x, hsm+v*x, hmm+v
		}
		det := hss*hmm - hsm*hsm
		l.slope -= (gs*hmm - gm*hsm) / det
		l.shift -= (gm*hss - gs*hsm) / det
	}
	l.slope = max(l.slope, least)
	return l
}

// Merge adds the evidence of other, which does not change: for crawls on many machines.
func (c *Pages) Merge(other *Pages) {
	c.judged.merge(&other.judged)
	c.labels.merge(&other.labels)
	c.known = false
}

// Append appends the encoded evidence to b.
func (c *Pages) Append(b []byte) []byte {
	return c.labels.append(c.judged.append(append(b, version)))
}

// ReadPages decodes what Append encoded; b holds nothing else. Invalid bytes wrap orbweaver.ErrDamaged.
func ReadPages(b []byte) (*Pages, error) {
	c := &Pages{}
	if len(b) == 0 || b[0] != version {
		return nil, damaged("pages")
	}
	rest, ok := c.judged.read(b[1:])
	if ok {
		rest, ok = c.labels.read(rest)
	}
	if !ok || len(rest) > 0 {
		return nil, damaged("pages")
	}
	return c, nil
}
