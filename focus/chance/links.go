package chance

// Links estimates the chance that a link leads to an accepted page, from the raw score that was predicted for it. The
// zero Links has no evidence. It is not safe for concurrent use.
type Links struct {
	sums  tallies
	curve []knot // from sums
	known bool   // curve is up to date
}

// A knot is a point of a curve that is linear between knots and constant outside.
type knot struct{ score, chance float64 }

const (
	prior = 1.0  // outcomes at the base rate that each filled bin is given
	few   = 20   // outcomes after which the curve has half of its final weight
	tilt  = 0.01 // weight of the score itself, which keeps unequal scores apart
)

// Add counts what a link led to: its raw predicted score, and whether it led to an accepted page. A failure is no
// accepted page.
func (c *Links) Add(score float64, led bool) {
	c.sums.add(odds(score), led)
	c.known = false
}

// Chance returns the estimated chance, above 0 and below 1, that a link of a score leads to an accepted page. A higher
// score has a higher chance. Without evidence the chance is the score.
func (c *Links) Chance(score float64) float64 {
	if !c.known {
		c.curve, c.known = c.fit(), true
	}
	clear := logistic(odds(score))
	if len(c.curve) == 0 {
		return clear
	}
	n := float64(c.sums.total().all)
	w := n / (n + few) * (1 - tilt)
	return w*at(c.curve, clear) + (1-w)*clear
}

// fit returns the isotonic regression of outcomes on scores (pool adjacent violators), each bin shrunk towards the base
// rate of all outcomes.
func (c *Links) fit() []knot {
	sum := c.sums.total()
	base := (float64(sum.right) + 0.5) / (float64(sum.all) + 1)
	type block struct{ n, right, score float64 }
	var blocks []block
	for i, b := range c.sums {
		if b.all == 0 {
			continue
		}
		n := float64(b.all) + prior
		blocks = append(blocks, block{n: n, right: float64(b.right) + prior*base, score: n * logistic(middle(i))})
		for k := len(blocks) - 1; k > 0 && blocks[k-1].right*blocks[k].n >= blocks[k].right*blocks[k-1].n; k-- {
			l, r := blocks[k-1], blocks[k]
			blocks = append(blocks[:k-1], block{n: l.n + r.n, right: l.right + r.right, score: l.score + r.score})
		}
	}
	curve := make([]knot, len(blocks))
	for i, b := range blocks {
		curve[i] = knot{score: b.score / b.n, chance: b.right / b.n}
	}
	return curve
}

// at returns the value of a curve that is not empty.
func at(curve []knot, score float64) float64 {
	for i, k := range curve {
		if score > k.score {
			continue
		}
		if i == 0 {
			return k.chance
		}
		before := curve[i-1]
		return before.chance + (k.chance-before.chance)*(score-before.score)/(k.score-before.score)
	}
	return curve[len(curve)-1].chance
}

// Merge adds the evidence of other, which does not change: for crawls on many machines.
func (c *Links) Merge(other *Links) {
	c.sums.merge(&other.sums)
	c.known = false
}

// Append appends the encoded evidence to b.
func (c *Links) Append(b []byte) []byte { return c.sums.append(append(b, version)) }

// ReadLinks decodes what Append encoded; b holds nothing else. Invalid bytes wrap orbweaver.ErrDamaged.
func ReadLinks(b []byte) (*Links, error) {
	c := &Links{}
	if len(b) == 0 || b[0] != version {
		return nil, damaged("links")
	}
	if rest, ok := c.sums.read(b[1:]); !ok || len(rest) > 0 {
		return nil, damaged("links")
	}
	return c, nil
}
