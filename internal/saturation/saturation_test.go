package saturation

import (
	"math"
	"math/rand/v2"
	"testing"

	"orbweaver/ledger"
)

// process returns the lines of a crawl of so many requests in which n pages of a topic are met, each at a rate drawn from a gamma
// distribution with shape b (a sum of exponentials; b is whole) and scale 1/c.
func process(random *rand.Rand, requests, n int, b int, c float64) []ledger.Line {
	lines := make([]ledger.Line, requests)
	for range n {
		rate := 0.0
		for range b {
			rate += random.ExpFloat64() / c
		}
		if at := random.ExpFloat64() / rate; at < float64(requests) {
			lines[int(at)].Accepted = true
		}
	}
	return lines
}

// TestIntervals: of crawls that follow the model, nine of ten intervals have the truth; the means are rather too high, as rates of all kinds are taken to be as likely.
func TestIntervals(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	within, of, mean, truth := 0, 0, 0.0, 0.0
	for i := range 100 {
		b, c := 1+i%3, 100*float64(1+i%7)
		lines := process(random, 5000, 50+i, b, c)
		var curve Curve
		for j := range 1000 {
			curve.Add(&lines[j])
		}
		e, ok := curve.Estimate(0, (5000-1000)/leads)
		if !ok {
			continue
		}
		left := 0.0
		for _, l := range lines[1000:] {
			if l.Accepted {
				left++
			}
		}
		if of++; e.Left.Low <= left && left <= e.Left.High {
			within++
		}
		mean, truth = mean+e.Left.Mean, truth+left
	}
	if share := float64(within) / float64(of); of < 90 || share < .85 || mean < .7*truth || mean > 1.6*truth {
		t.Errorf("%d of %d intervals have the truth; %.0f expected, %.0f left", within, of, mean, truth)
	}
}

// TestWatch: it stops a crawl that dries up, soon after most was found, and none that goes on finding; it looks where it would have without
// an interruption.
func TestWatch(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 2))
	lines := process(random, 20000, 200, 2, 150)
	waits := func(i int) int { return len(lines) - i - 1 }
	stop, found := run(NewWatch(.05), lines, waits)
	all := 0
	for _, l := range lines {
		if l.Accepted {
			all++
		}
	}
	if stop == 0 || stop > 5000 || float64(found) < .9*float64(all) {
		t.Errorf("stopped after %d requests with %d of %d", stop, found, all)
	}
	steady := make([]ledger.Line, 20000)
	for i := range steady {
		steady[i].Accepted = i%20 == 0
	}
	if stop, _ := run(NewWatch(.05), steady, func(int) int { return 1000 }); stop > 0 {
		t.Errorf("a crawl that accepts each twentieth page was stopped after %d requests", stop)
	}
	resumed := NewWatch(.05)
	for i := range stop / 2 {
		resumed.Add(&lines[i])
		resumed.Pass()
	}
	for i := stop / 2; i < len(lines); i++ {
		resumed.Add(&lines[i])
		if resumed.Look(0, func() int { return waits(i) }) {
			if i+1 != stop {
				t.Errorf("after an interruption it stopped after %d requests, not %d", i+1, stop)
			}
			return
		}
	}
	t.Error("after an interruption it did not stop")
}

func run(w *Watch, lines []ledger.Line, waits func(i int) int) (stop, found int) {
	for i, l := range lines {
		if l.Accepted {
			found++
		}
		w.Add(&l)
		if w.Look(0, func() int { return waits(i) }) {
			return i + 1, found
		}
	}
	return 0, found
}

// TestThresholdOfTheEnd: pages off the topic move the threshold down, and the estimate counts the pages between.
func TestThresholdOfTheEnd(t *testing.T) {
	var c Curve
	for i := range 400 {
		score := .03
		switch {
		case i%4 == 0 && i < 200:
			score = .8
		case i%8 == 1:
			score = .5
		}
		c.Add(&ledger.Line{Score: score, Threshold: .6})
	}
	near, _ := c.Estimate(.6, 0)
	far, _ := c.Estimate(.6, 100_000)
	if far.From >= near.From || far.Accepted <= near.Accepted || near.From > .6 {
		t.Errorf("from %.3f %d are accepted, in the end from %.3f %d", near.From, near.Accepted, far.From, far.Accepted)
	}
}

// TestSpans: spans follow each other, and none has more than a thirty-second of the requests before it, but one.
func TestSpans(t *testing.T) {
	last := int64(0)
	for s := range 1000 {
		from := begin(s)
		if from != last || span(from) != s || from > 0 && span(from-1) != s-1 {
			t.Fatalf("span %d begins at %d", s, from)
		}
		if last = begin(s + 1); last-from > max(1, from/(1<<spanBits)) {
			t.Fatalf("span %d has %d requests", s, last-from)
		}
	}
}

// TestNothingKnown: few accepted pages, and none, give no estimate; extremes stay finite.
func TestNothingKnown(t *testing.T) {
	var c Curve
	for range leastAccepted - 1 {
		c.Add(&ledger.Line{Accepted: true})
	}
	if _, ok := c.Estimate(0, 10); ok {
		t.Error("an estimate of four pages")
	}
	for range 100_000 {
		c.Add(&ledger.Line{Accepted: true})
	}
	for _, waiting := range []int64{0, 1, 1 << 50} {
		e, ok := c.Estimate(0, waiting)
		for _, v := range []float64{e.Next.Mean, e.Next.Low, e.Next.High, e.Left.Mean, e.Left.Low, e.Left.High} {
			if !ok || math.IsNaN(v) || math.IsInf(v, 0) || v < 0 {
				t.Errorf("%d wait: %+v", waiting, e)
			}
		}
	}
	if h := c.History(16, 1000); len(h) < 8 || h[len(h)-1].Requests < 90_000 {
		t.Errorf("%d estimates: %+v", len(h), h[len(h)-1])
	}
}

func BenchmarkEstimate(b *testing.B) {
	random := rand.New(rand.NewPCG(3, 3))
	var c Curve
	for _, l := range process(random, 100_000, 3000, 1, 5000) {
		c.Add(&l)
	}
	for b.Loop() {
		c.Estimate(0, 1_000_000)
	}
}
