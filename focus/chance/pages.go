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
// person's verdicts move and scale it (Platt, "Probabilistic Outputs for Support Vector Machines", 1999).
type Pages struct {
	judged  tallies // by log odds of the score; right: accepted
	labels  tallies // by k·(x-b) at the time; right: relevant
	line    line    // height 0
	verdict line    // middle 0
	known   bool    // line is up to date
	settled bool    // verdict is
}

const (
	least   = 0.25 // slope
	steep   = 4.0
	several = 20.0 // pages after which the slope has half of its final weight
	firm    = 1.0  // prior variance of the slope and height of verdicts around no change
	border  = 1e-4 // distance from one half of a page that is not accepted
)

// Add counts a page judged.
func (c *Pages) Add(j orbweaver.Judgement) {
	c.judged.add(odds(j.Score), j.Accepted, 1)
	c.known = false
}

// Label counts a person's verdict on a page with this judgement.
func (c *Pages) Label(j orbweaver.Judgement, relevant bool) {
	c.fit()
	c.labels.add(c.raw(j), relevant, 1)
	c.settled = false
}

// Unlabel counts a verdict no more that was labelled with this judgement. What pages judged since did to the line may have moved it
// by a bin or two: the nearest like it goes.
func (c *Pages) Unlabel(j orbweaver.Judgement, relevant bool) {
	c.fit()
	c.labels.remove(c.raw(j), relevant)
	c.settled = false
}

// Chance returns the estimated chance, above 0 and below 1, that a page with this judgement is what the focus is for.
// It rises with the score; it is at least one half if the page is accepted, and less if it is not.
func (c *Pages) Chance(j orbweaver.Judgement) float64 {
	c.fit()
	p := logistic(c.verdict.slope*c.raw(j) + c.verdict.height)
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
	if !c.known {
		c.line, c.known = discriminant(&c.judged), true
	}
	if !c.settled {
		all := c.labels.weights(1)
		c.verdict, c.settled = prior{1, 0, firm, firm}.lineThrough(&all, 0), true
	}
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
	w := all / (all + several)
	return line{slope: math.Exp(w * math.Log(slope)), middle: w * (low + high) / 2}
}

// Merge adds the evidence of other, which does not change: for crawls on many machines.
func (c *Pages) Merge(other *Pages) {
	c.judged.merge(&other.judged)
	c.labels.merge(&other.labels)
	c.known, c.settled = false, false
}

// Append appends the encoded evidence to b.
func (c *Pages) Append(b []byte) []byte {
	return c.labels.append(c.judged.append(append(b, version)))
}

// ReadPages decodes what Append encoded; b holds nothing else. Invalid bytes wrap orbweaver.ErrDamaged.
func ReadPages(b []byte) (*Pages, error) {
	if len(b) == 0 || b[0] != version {
		return nil, damaged("pages")
	}
	c, r := &Pages{}, reader{b: b[1:]}
	r.tallies(&c.judged)
	r.tallies(&c.labels)
	if !r.done() {
		return nil, damaged("pages")
	}
	return c, nil
}
