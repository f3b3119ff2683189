package chance

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"orbweaver"
)

// TestNothingKnown: without evidence the chance of a link is its score.
func TestNothingKnown(t *testing.T) {
	var c Links
	for _, s := range []float64{0.01, 0.3, 0.5, 0.9} {
		if got := c.Chance(s); math.Abs(got-s) > 1e-4 {
			t.Errorf("chance of %v is %v", s, got)
		}
	}
	for _, s := range []float64{-1, 0, 1, 2, math.NaN(), math.Inf(1)} {
		if got := c.Chance(s); !(got > 0 && got < 1) {
			t.Errorf("chance of %v is %v", s, got)
		}
	}
}

// TestMonotone: whatever happened, a higher score has a higher chance.
func TestMonotone(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		var c Links
		for range random.IntN(400) {
			c.Add(random.Float64(), random.IntN(3) == 0)
		}
		last := 0.0
		for s := 0.001; s < 0.999; s += 0.001 {
			p := c.Chance(s)
			if p <= last || p >= 1 {
				t.Fatalf("chance of %v is %v after %v", s, p, last)
			}
			last = p
		}
	}
}

// TestMerge: the evidence of two machines adds up, in either order; that of pages is the same in any order.
func TestMerge(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	var all, back Pages
	var links [2]Links
	var pages [2]Pages
	scores := make([]float64, 500)
	for i := range scores {
		scores[i] = random.Float64()
	}
	judged := func(s float64) orbweaver.Judgement { return orbweaver.Judgement{Score: s, Accepted: s > 0.5} }
	for i, s := range scores {
		links[i%2].Add(s, s > 0.6)
		pages[i%2].Add(judged(s))
		all.Add(judged(s))
		back.Add(judged(scores[len(scores)-1-i]))
	}
	forth, other := links[0], links[1]
	forth.Merge(&links[1])
	other.Merge(&links[0])
	if !bytes.Equal(forth.Append(nil), other.Append(nil)) || forth.Chance(0.4) != other.Chance(0.4) || forth.ever != 500 {
		t.Error("links: the order of merging matters")
	}
	for i, b := range forth.sums {
		if b.all != links[0].sums[i].all+links[1].sums[i].all {
			t.Errorf("bin %d: %+v", i, b)
		}
	}
	pages[0].Merge(&pages[1])
	j := orbweaver.Judgement{Score: 0.4}
	for _, other := range []*Pages{&back, &pages[0]} {
		if !bytes.Equal(all.Append(nil), other.Append(nil)) || all.Chance(j) != other.Chance(j) {
			t.Error("pages: the order matters")
		}
	}
}

// TestAgain: decoded evidence is the same, and goes on as if it had not been encoded.
func TestAgain(t *testing.T) {
	var all Both
	for i := range 300 {
		s := float64(i%17) / 17
		j := orbweaver.Judgement{Score: s, Accepted: s > 0.5}
		all.Links.Add(s, i%3 == 0)
		all.Pages.Add(j)
		if i%20 == 0 {
			all.Pages.Label(j, i%40 == 0)
		}
		again, err := ReadBoth(all.Append(nil))
		if err != nil || again.Links.Chance(0.3) != all.Links.Chance(0.3) || again.Pages.Chance(j) != all.Pages.Chance(j) {
			t.Fatalf("after %d: %v", i+1, err)
		}
		if i%50 == 49 {
			all = *again
		}
	}
	if none, err := ReadBoth(nil); err != nil || none.Links.ever != 0 {
		t.Errorf("no evidence: %+v, %v", none, err)
	}
	whole := all.Append(nil)
	for n := 1; n < len(whole); n++ {
		if _, err := ReadBoth(whole[:n]); !errors.Is(err, orbweaver.ErrDamaged) {
			t.Fatalf("%d of %d bytes: %v", n, len(whole), err)
		}
	}
	if _, err := ReadBoth(append(whole, 0)); !errors.Is(err, orbweaver.ErrDamaged) {
		t.Errorf("a byte too many: %v", err)
	}
}

// TestFade: after each epoch a quarter of the weight of all outcomes before it is gone.
func TestFade(t *testing.T) {
	var c Links
	for range 3*epoch + 1 {
		c.Add(0.5, true)
	}
	// ((64·¾ + 64)·¾ + 64)·¾ + 1 = 112
	if got := c.sums.total(); got.all != 112*unit || got.right != 112*unit || c.ever != 3*epoch+1 || c.since != 1 {
		t.Errorf("%v outcomes of %d", float64(got.all)/unit, c.ever)
	}
}

// TestLine: at the most probable line the gradient is 0.
func TestLine(t *testing.T) {
	var w weights
	low, high := bin(-1), bin(1)
	w[low], w[high] = weight{all: 4, right: 1}, weight{all: 4, right: 3}
	p := prior{slope: 0.5, height: 0, slopeSpread: 2, heightSpread: 100}
	l := p.lineThrough(&w, 0)
	gs := (l.slope-0.5)/2 + (4*l.chance(middle(low))-1)*middle(low) + (4*l.chance(middle(high))-3)*middle(high)
	gh := l.height/100 + 4*l.chance(middle(low)) - 1 + 4*l.chance(middle(high)) - 3
	if math.Abs(gs) > 1e-9 || math.Abs(gh) > 1e-9 {
		t.Errorf("%+v has the gradient %v, %v", l, gs, gh)
	}
	// Without a prior the line is through the log odds -ln 3 at -1 and ln 3 at 1.
	l = prior{slope: 1, slopeSpread: 1e12, heightSpread: 1e12}.lineThrough(&w, 0)
	if got := l.chance(middle(low)); math.Abs(got-0.25) > 1e-9 {
		t.Errorf("chance at -1: %v", got)
	}
	// Scores that mislead: the slope stays above 0.
	w[low].right, w[high].right = 4, 0
	if l = p.lineThrough(&w, 0); l.slope != flattest || math.Abs(l.height) > 1e-3 {
		t.Errorf("%+v", l)
	}
}

// TestIsotonic: bins out of order are pooled. With a flat line of one half, each bin has 5 further outcomes, 2.5 of
// them right.
func TestIsotonic(t *testing.T) {
	var w weights
	w[10], w[11], w[12] = weight{all: 15, right: 2.5}, weight{all: 5, right: 5}, weight{all: 5, right: 0}
	curve := isotonic(nil, &w, line{})
	// Bins 0 to 9 have the rate ½, bin 10 (2.5+2.5)/20 = ¼: together (25+5)/(50+20) = 3/7. Bin 11 has (5+2.5)/10 = ¾,
	// bin 12 2.5/10 = ¼: together ½, as all bins after them.
	if len(curve) != 2 || math.Abs(curve[0].chance-3.0/7) > 1e-12 || math.Abs(curve[1].chance-0.5) > 1e-12 {
		t.Fatalf("%+v", curve)
	}
	below, between, above := at(curve, curve[0].odds-1), at(curve, (curve[0].odds+curve[1].odds)/2), at(curve, curve[1].odds+1)
	if below != curve[0].chance || math.Abs(between-(3.0/7+0.5)/2) > 1e-12 || above != 0.5 {
		t.Errorf("%v, %v, %v", below, between, above)
	}
}

// TestDiscriminant: means ±2 and variance 1 in both groups have the slope 4/1, weighed by n/(n+20) in its logarithm.
func TestDiscriminant(t *testing.T) {
	var w tallies
	const n = 40
	for _, b := range []struct {
		x     float64
		right bool
	}{{-3, false}, {-1, false}, {1, true}, {3, true}} {
		w.add(b.x, b.right, n/4)
	}
	l := discriminant(&w)
	apart := (middle(bin(1)) + middle(bin(3)) - middle(bin(-1)) - middle(bin(-3))) / 2
	half := (middle(bin(3)) - middle(bin(1))) / 2
	want := math.Pow(min(steep, apart/(half*half)), n/(n+20.0))
	if math.Abs(l.slope-want) > 1e-9 || math.Abs(l.middle) > 0.1 {
		t.Errorf("%+v, want slope %v", l, want)
	}
	if l := discriminant(&tallies{}); l.slope != 1 || l.middle != 0 {
		t.Errorf("nothing: %+v", l)
	}
}

// TestPagesVerdict: accepted pages have a chance of at least one half, others less.
func TestPagesVerdict(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	var c Pages
	for range 300 {
		j := orbweaver.Judgement{Score: random.Float64(), Accepted: random.IntN(2) == 0}
		if random.IntN(2) == 0 {
			j.Reasons = []orbweaver.Reason{{Rule: orbweaver.RuleThreshold, Weight: 0.4}}
			j.Accepted = j.Score >= 0.4
		}
		if p := c.Chance(j); (p >= 0.5) != j.Accepted || !(p > 0 && p < 1) {
			t.Fatalf("%+v has the chance %v", j, p)
		}
		c.Add(j)
		if random.IntN(10) == 0 {
			c.Label(j, random.IntN(2) == 0)
		}
	}
}

// TestUnlabel: a verdict that is withdrawn is out of the evidence, also where pages judged since have moved what it was counted under.
func TestUnlabel(t *testing.T) {
	count := func(c *Pages) (all, right int64) {
		sum := c.labels.total()
		return sum.all, sum.right
	}
	var c Pages
	page := orbweaver.Judgement{Score: 0.7, Accepted: true}
	c.Add(page)
	before := c.Append(nil)
	c.Label(page, true)
	c.Unlabel(page, true)
	if !bytes.Equal(before, c.Append(nil)) {
		t.Error("a verdict that was withdrawn is still counted")
	}
	c.Label(page, true)
	c.Label(page, false)
	for i := range 200 {
		c.Add(orbweaver.Judgement{Score: float64(i%9+1) / 10, Accepted: i%9 > 5})
	}
	if c.Unlabel(page, false); c.settled {
		t.Error("the chance is not estimated anew")
	}
	if all, right := count(&c); all != 1 || right != 1 {
		t.Errorf("%d verdicts, %d yes", all, right)
	}
	c.Unlabel(page, false) // there is none: nothing goes
	if c.Unlabel(page, true); func() bool { all, _ := count(&c); return all != 0 }() {
		t.Error("verdicts stay")
	}
}

func FuzzReadLinks(f *testing.F) {
	var c Links
	f.Add(c.Append(nil))
	c.Add(0.3, true)
	c.Add(0.9, false)
	f.Add(c.Append(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := ReadLinks(b)
		if err != nil {
			if !errors.Is(err, orbweaver.ErrDamaged) {
				t.Fatal(err)
			}
			return
		}
		if p := c.Chance(0.5); !(p > 0 && p < 1) {
			t.Fatalf("chance %v", p)
		}
	})
}

func FuzzReadPages(f *testing.F) {
	var c Pages
	f.Add(c.Append(nil))
	c.Add(orbweaver.Judgement{Score: 0.3})
	c.Add(orbweaver.Judgement{Score: 0.8, Accepted: true})
	c.Label(orbweaver.Judgement{Score: 0.8, Accepted: true}, true)
	f.Add(c.Append(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := ReadPages(b)
		if err != nil {
			if !errors.Is(err, orbweaver.ErrDamaged) {
				t.Fatal(err)
			}
			return
		}
		if p := c.Chance(orbweaver.Judgement{Score: 0.5}); !(p > 0 && p < 0.5) {
			t.Fatalf("chance %v", p)
		}
	})
}
