package chance

import (
	"encoding/binary"
	"math"
	"sort"
)

// Links estimates the chance that a link leads to an accepted page, from the raw score that was predicted for it. The
// zero Links has no evidence. It is not safe for concurrent use.
//
// What a score means changes while a crawl goes on: the focus learns, and another part of the web is reached. Therefore
// old outcomes weigh less: after every epoch of outcomes all sums lose a quarter, so that the last 150 outcomes have about
// half of the weight of all. The estimate depends on the order of outcomes by that alone. Sums of several machines add.
//
// The estimate has two steps, both in log odds of the score. A line through the outcomes is the most probable one (Platt,
// "Probabilistic Outputs for Support Vector Machines", 1999), with a prior towards a gentle slope and the base rate of all
// outcomes. It tells what to expect of scores without outcomes: a crawl that takes the best link first meets lower scores
// than before at every step. Each bin then counts its outcomes and as many more as the line expects (trust), and
// isotonic regression (pool adjacent violators; Zadrozny and Elkan, "Transforming Classifier Scores into Accurate
// Multiclass Probability Estimates", 2002) gives the curve. Until there are outcomes, the chance is the score.
type Links struct {
	sums  tallies // in units of an outcome's weight
	ever  int64   // outcomes
	since int64   // of them, after the last epoch
	line  line
	curve []knot // from sums
	known bool   // line and curve are up to date
}

// A knot is a point of a curve that is linear between knots and constant outside.
type knot struct{ odds, chance float64 }

// The constants were chosen on crawls of an encyclopaedia, a manual and the demo web for other topics than those that
// docs/explanation/measurements.md reports.
const (
	unit     = 1 << 16 // weight of a new outcome, in whole numbers, so that sums are the same on every machine
	epoch    = 64
	trust    = 5.0  // outcomes of a bin that the line stands for
	few      = 1.0  // outcomes after which the curve has half of its final weight, the score the rest
	slope    = 0.5  // of the line before outcomes
	loose    = 2.0  // prior variance of the slope
	looser   = 100  // prior variance of the line's height around the base rate
	flattest = 0.01 // slope: a better score is never worse
	linear   = 0.05 // weight of the line in the end, which keeps scores apart that the regression pools
	own      = 1e-3 // weight of the score itself in the end, which keeps scores apart that share a bin at the ends
)

// Add counts what a link led to: its raw predicted score, and whether it led to an accepted page. A failure is no
// accepted page.
func (c *Links) Add(score float64, led bool) {
	if c.since++; c.since > epoch {
		c.since = 1
		c.sums.fade()
	}
	c.ever++
	c.sums.add(odds(score), led, unit)
	c.known = false
}

// Chance returns the estimated chance, above 0 and below 1, that a link of a score leads to an accepted page. A higher
// score, from 0 to 1, has a higher chance. Without evidence the chance is the score.
func (c *Links) Chance(score float64) float64 {
	if !c.known {
		c.fit()
		c.known = true
	}
	clear := inside(score)
	if len(c.curve) == 0 {
		return clear
	}
	x, n := odds(score), float64(c.ever)
	w := n / (n + few) * (1 - own)
	return w*((1-linear)*at(c.curve, x)+linear*c.line.chance(x)) + (1-w)*clear
}

// inside maps a score into the open interval from 0 to 1.
func inside(score float64) float64 {
	const edge = 1e-4
	if !(score > 0) {
		return edge
	}
	return edge + (1-2*edge)*min(score, 1)
}

// fit brings line and curve up to date.
func (c *Links) fit() {
	c.curve = c.curve[:0]
	if c.ever > 0 {
		all := c.sums.weights(unit)
		var sum weight
		for i, b := range all {
			sum.all, sum.right, sum.x = sum.all+b.all, sum.right+b.right, sum.x+b.all*middle(i)
		}
		base := math.Log((sum.right + 0.5) / (sum.all - sum.right + 0.5))
		c.line = prior{slope, base, loose, looser}.lineThrough(&all, sum.x/sum.all)
		c.curve = isotonic(c.curve, &all, c.line)
	}
}

// A line gives the log odds slope·(x-middle) + height.
type line struct{ slope, middle, height float64 }

// chance returns the probability at log odds x.
func (l line) chance(x float64) float64 { return logistic(l.slope*(x-l.middle) + l.height) }

// A prior is what is believed of a line before outcomes: normal distributions of its slope and height.
type prior struct {
	slope, height             float64 // means
	slopeSpread, heightSpread float64 // variances
}

// lineThrough returns the most probable line through outcomes, around a middle. Newton's method minimizes a convex
// function of slope and height.
func (p prior) lineThrough(t *weights, middle float64) line {
	l := line{slope: p.slope, height: p.height, middle: middle}
	for range 50 {
		s, h := p.step(l, t)
		if far := max(math.Abs(s), math.Abs(h)); far > 2 { // a full step may overshoot
			s, h = 2*s/far, 2*h/far
		} else if far < 1e-9 {
			break
		}
		l.slope, l.height = max(l.slope+s, flattest), l.height+h
	}
	return l
}

// step returns the Newton step of slope and height. At the flattest slope only the height moves, unless the slope rises.
func (p prior) step(l line, t *weights) (s, h float64) {
	gs, gh := (l.slope-p.slope)/p.slopeSpread, (l.height-p.height)/p.heightSpread
	ss, sh, hh := 1/p.slopeSpread, 0.0, 1/p.heightSpread
	for i, b := range t {
		if b.all == 0 {
			continue
		}
		x, y := middle(i)-l.middle, l.chance(middle(i))
		miss, v := b.all*y-b.right, b.all*y*(1-y)
		gs, gh = gs+miss*x, gh+miss
		ss, sh, hh = ss+v*x*x, sh+v*x, hh+v
	}
	det := ss*hh - sh*sh
	s, h = (gh*sh-gs*hh)/det, (gs*sh-gh*ss)/det
	if l.slope <= flattest && s < 0 {
		return 0, -gh / hh
	}
	return s, h
}

// isotonic appends the isotonic regression of outcomes on log odds to curve, a knot a block. Each bin has trust further
// outcomes as the line expects them.
func isotonic(curve []knot, t *weights, l line) []knot {
	blocks := make([]weight, 0, bins)
	for i, b := range t {
		n := b.all + trust
		blocks = append(blocks, weight{all: n, right: b.right + trust*l.chance(middle(i)), x: n * middle(i)})
		for k := len(blocks) - 1; k > 0 && blocks[k-1].right*blocks[k].all >= blocks[k].right*blocks[k-1].all; k-- {
			last := blocks[k]
			blocks = blocks[:k]
			blocks[k-1] = weight{blocks[k-1].all + last.all, blocks[k-1].right + last.right, blocks[k-1].x + last.x}
		}
	}
	for _, b := range blocks {
		curve = append(curve, knot{odds: b.x / b.all, chance: b.right / b.all})
	}
	return curve
}

// at returns the value of a curve that is not empty.
func at(curve []knot, x float64) float64 {
	i := sort.Search(len(curve), func(i int) bool { return curve[i].odds >= x })
	switch i {
	case 0:
		return curve[0].chance
	case len(curve):
		return curve[i-1].chance
	}
	a, b := curve[i-1], curve[i]
	return a.chance + (b.chance-a.chance)*(x-a.odds)/(b.odds-a.odds)
}

// Merge adds the evidence of other, which does not change: for crawls on many machines.
func (c *Links) Merge(other *Links) {
	c.sums.merge(&other.sums)
	c.ever, c.since, c.known = c.ever+other.ever, c.since+other.since, false
}

// Append appends the encoded evidence to b.
func (c *Links) Append(b []byte) []byte {
	b = binary.AppendUvarint(append(b, version), uint64(c.ever))
	return c.sums.append(binary.AppendUvarint(b, uint64(c.since)))
}

// ReadLinks decodes what Append encoded; b holds nothing else. Invalid bytes wrap orbweaver.ErrDamaged.
func ReadLinks(b []byte) (*Links, error) {
	if len(b) == 0 || b[0] != version {
		return nil, damaged("links")
	}
	c, r := &Links{}, reader{b: b[1:]}
	c.ever, c.since = r.count(), r.count()
	r.tallies(&c.sums)
	if filled := c.sums.total().all > 0; !r.done() || filled != (c.ever > 0) || c.since > c.ever {
		return nil, damaged("links")
	}
	return c, nil
}
