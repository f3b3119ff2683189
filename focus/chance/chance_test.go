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
		if got := c.Chance(s); math.Abs(got-s) > 1e-12 {
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

// TestOrder: outcomes in any order, on one machine or two, give the same estimates and the same bytes.
func TestOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	var forth, back, left, right Links
	var a, b, l, r Pages
	scores := make([]float64, 500)
	for i := range scores {
		scores[i] = random.Float64()
	}
	for i, s := range scores {
		led, j := s > 0.6, orbweaver.Judgement{Score: s, Accepted: s > 0.5}
		forth.Add(s, led)
		a.Add(j)
		half, part := &left, &l
		if i%2 == 0 {
			half, part = &right, &r
		}
		half.Add(s, led)
		part.Add(j)
		s = scores[len(scores)-1-i]
		back.Add(s, s > 0.6)
		b.Add(orbweaver.Judgement{Score: s, Accepted: s > 0.5})
	}
	left.Merge(&right)
	l.Merge(&r)
	for _, other := range []*Links{&back, &left} {
		if !bytes.Equal(forth.Append(nil), other.Append(nil)) || forth.Chance(0.4) != other.Chance(0.4) {
			t.Error("links: the order matters")
		}
	}
	j := orbweaver.Judgement{Score: 0.4}
	for _, other := range []*Pages{&b, &l} {
		if !bytes.Equal(a.Append(nil), other.Append(nil)) || a.Chance(j) != other.Chance(j) {
			t.Error("pages: the order matters")
		}
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
