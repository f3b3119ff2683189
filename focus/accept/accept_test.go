package accept

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/internal/step"
)

// of returns a calibration of scores, each added a number of times.
func of(scores map[float64]int) *Calibration {
	c := new(Calibration)
	for score, n := range scores {
		for range n {
			c.Add(score)
		}
	}
	return c
}

func TestThreshold(t *testing.T) {
	for _, tc := range []struct {
		name   string
		scores map[float64]int
		from   float64 // range that the threshold lies in
		to     float64
	}{
		{"one half before any page", nil, 0.5, 0.5},
		{"one half where all pages score alike", map[float64]int{0.3: 500}, 0.5, 0.5},
		{"between two groups", map[float64]int{0.1: 900, 0.7: 100}, 0.5, 0.7},
		{"between two groups of high scores", map[float64]int{0.5: 500, 0.9: 500}, 0.6, 0.75},
		{"between two groups of low scores", map[float64]int{0.05: 900, 0.4: 100}, 0.3, 0.47},
		{"never at noise, where nothing is about the topic", map[float64]int{0: 900, 0.02: 100}, 0.26, 0.4},
		{"never beyond three quarters", map[float64]int{0.9: 100, 0.98: 100}, 0.5, 0.745},
		{"hardly moved by a few pages", map[float64]int{0.05: 2, 0.3: 1}, 0.45, 0.5},
	} {
		got := of(tc.scores).Threshold()
		if got.Score < tc.from || got.Score > tc.to {
			t.Errorf("%s: %v, want %v to %v", tc.name, got.Score, tc.from, tc.to)
		}
	}
}

// TestEarlyPages: a crawl begins with pages about its topic. Otsu's split of these alone is 0.7, between good pages and better ones;
// beside the rest of the Web it is 0.6, whose log odds are 0.4055; ¾ · 20/40 of them is 0.152, which is 0.538.
func TestEarlyPages(t *testing.T) {
	if got := of(map[float64]int{0.6005: 14, 0.7005: 6}).Threshold(); got.Score != 0.538 {
		t.Errorf("%+v", got)
	}
}

// TestThresholdByHand: 90 pages score 0.2005 and 10 score 0.6005. Otsu's split is the score of the upper bin,
// 0.6, whose log odds are 0.405; ¾ · 100/120 of them is 0.253, which is 0.563.
func TestThresholdByHand(t *testing.T) {
	got := of(map[float64]int{0.2005: 90, 0.6005: 10}).Threshold()
	want := Threshold{Score: 0.563, Pages: 100, Below: 0.2005, Above: 0.6005}
	if got.Score != want.Score || got.Pages != want.Pages || math.Abs(got.Below-want.Below) > 1e-9 || math.Abs(got.Above-want.Above) > 1e-9 {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestOrderOfScoresDoesNotMatter(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var scores []float64
	for range 2000 {
		scores = append(scores, random.Float64()*random.Float64())
	}
	var one, other Calibration
	for _, s := range scores {
		one.Add(s)
		one.Threshold()
	}
	random.Shuffle(len(scores), func(i, j int) { scores[i], scores[j] = scores[j], scores[i] })
	for _, s := range scores {
		other.Add(s)
	}
	if one.Threshold() != other.Threshold() {
		t.Errorf("%+v and %+v", one.Threshold(), other.Threshold())
	}
}

func TestJudge(t *testing.T) {
	c := of(map[float64]int{0.2005: 90, 0.6005: 10})
	for _, tc := range []struct {
		score float64
		want  bool
	}{{0.562, false}, {0.563, true}, {0, false}, {1, true}} {
		j := orbweaver.Judgement{Score: tc.score}
		c.Judge(&j)
		if tc.score == 0 {
			if j.Accepted || len(j.Reasons) > 0 {
				t.Errorf("nothing: %+v", j)
			}
			continue
		}
		if j.Accepted != tc.want || step.Threshold(j) != 0.563 {
			t.Errorf("%v: accepted %v from %v on", tc.score, j.Accepted, step.Threshold(j))
		}
		if want := "accepted from 0.563 on: of 100 pages before, those below average 0.20, the others 0.60"; j.Reasons[0].Evidence != want {
			t.Errorf("%q, want %q", j.Reasons[0].Evidence, want)
		}
	}
}

func TestScoresThatAreNone(t *testing.T) {
	c := new(Calibration)
	for _, s := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), -1, 2} {
		c.Add(s)
	}
	if got := c.Threshold(); got.Pages != 5 || !(got.Score > 0 && got.Score < 1) {
		t.Errorf("%+v", got)
	}
}

func TestAppendAndRead(t *testing.T) {
	for _, c := range []*Calibration{new(Calibration), of(map[float64]int{0: 3, 0.5: 70000, 1: 1})} {
		b := c.Append(nil)
		again, err := Read(b)
		if err != nil || again.Threshold() != c.Threshold() || !slices.Equal(again.Append(nil), b) {
			t.Errorf("%v: %+v, want %+v", err, again.Threshold(), c.Threshold())
		}
		for n := range b {
			if _, err := Read(b[:n]); !errors.Is(err, orbweaver.ErrDamaged) {
				t.Errorf("the first %d of %d bytes: %v", n, len(b), err)
			}
		}
	}
	if _, err := Read(append(new(Calibration).Append(nil), 7)); !errors.Is(err, orbweaver.ErrDamaged) {
		t.Errorf("a byte too many: %v", err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(of(map[float64]int{0.1: 3, 0.9: 1}).Append(nil))
	f.Add([]byte(strings.Repeat("\xff", 40)))
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := Read(b)
		if err != nil {
			return
		}
		if s := c.Threshold().Score; !(s > 0 && s < 1) {
			t.Errorf("threshold %v", s)
		}
	})
}

func BenchmarkJudge(b *testing.B) {
	c, random := new(Calibration), rand.New(rand.NewPCG(1, 2))
	for b.Loop() {
		j := orbweaver.Judgement{Score: random.Float64()}
		c.Judge(&j)
		c.Add(j.Score)
	}
}
