package krs

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestLowerHalf: by hand. The median of 1, 2, 3, 5, 9 is 3; below are distances 2, 1, 0, whose mean square is 5/3.
func TestLowerHalf(t *testing.T) {
	for _, tc := range []struct {
		name   string
		values []float64
		want   normal
	}{
		{"above the median nothing counts", []float64{9, 1, 5, 3, 2}, normal{3, math.Sqrt(5. / 3)}},
		{"of an even number the upper", []float64{0, 2, 4, 100}, normal{4, math.Sqrt(20. / 3)}},
		{"all alike", []float64{1, 1, 1}, normal{1, narrow}},
	} {
		if got := lowerHalf(tc.values); math.Abs(got.mean-tc.want.mean)+math.Abs(got.deviation-tc.want.deviation) > 1e-12 {
			t.Errorf("%s: %+v, want %+v", tc.name, got, tc.want)
		}
	}
}

// TestMixtureByHand: topic and others have deviation 1, means 4 and 0. Their densities at x are in proportion e^(4x-8), so that with a share of 0.2 the
// topic is 95 % probable where ln(0.2/0.8) + 4x - 8 = ln 19: at (2.944 + 1.386 + 8)/4 = 3.083.
func TestMixtureByHand(t *testing.T) {
	m := &mixture{topic: normal{4, 1}, others: normal{0, 1}, share: 0.2}
	for _, tc := range []struct{ x, want float64 }{
		{2, 0.2}, {3.0826, 0.95}, {4, 1 / (1 + 4*math.Exp(-8))}, {9, 1 / (1 + 4*math.Exp(-8))}, {-1e3, 0},
	} {
		if got := m.probability(tc.x); math.Abs(got-tc.want) > 1e-4 {
			t.Errorf("%v: %v, want %v", tc.x, got, tc.want)
		}
	}
	// A tenth of all: likeness is at most 1. The exponent is 40x - 8, and the boundary 0.3083: the bin that begins at 0.3085.
	m = &mixture{topic: normal{0.4, 0.1}, others: normal{0, 0.1}, share: 0.2}
	if got := m.boundary(); math.Abs(got-0.3085) > 1e-9 {
		t.Errorf("boundary %v", got)
	}
	m.share = 1e-9 // then not even the median is surely of the topic
	if got := m.boundary(); got != 0.4 {
		t.Errorf("boundary of a rare topic %v", got)
	}
}

// met returns a snapshot of 40 documents of likeness 0.25 to 0.35 and 200 of the background of -0.05 to 0.05.
func met() *Snapshot {
	s := &Snapshot{background: 200}
	for i := range 40 {
		s.alone = append(s.alone, 0.25+0.1*float64(i)/39)
	}
	for i := range 200 {
		s.apart = append(s.apart, -0.05+0.1*float64(i)/199)
	}
	s.calibration.Threshold = 0.28
	return s
}

// TestBoundary: the boundary moves from the threshold of the corpus to where the pages met divide.
func TestBoundary(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	pages := func(n int, share, others float64) *Likenesses {
		l := new(Likenesses)
		for range n {
			if random.Float64() < share {
				l.Add(0.25 + 0.1*random.Float64())
			} else {
				l.Add(others + 0.03*random.NormFloat64())
			}
		}
		return l
	}
	for _, tc := range []struct {
		name     string
		pages    *Likenesses
		from, to float64
	}{
		{"no page", new(Likenesses), 0.28, 0.28},
		{"few pages hardly move it", pages(2, 0.5, 0), 0.275, 0.285},
		{"pages far off", pages(2000, 0.1, 0), 0.08, 0.2},
		{"pages near the topic raise it", pages(2000, 0.1, 0.17), 0.24, 0.32},
		{"nothing about the topic", pages(2000, 0, 0), 0.1, 0.3},
		{"nothing else", pages(2000, 1, 0), 0.08, 0.25},
	} {
		s := met()
		got := s.Boundary(tc.pages)
		if got.Likeness < tc.from || got.Likeness > tc.to || got.Pages != tc.pages.Pages() || got.Share < 0 || got.Share > 1 {
			t.Errorf("%s: %+v, want %v to %v", tc.name, got, tc.from, tc.to)
		}
	}
	bare := met()
	bare.background, bare.apart = 0, nil
	if got := bare.Boundary(pages(100, 0.5, 0)); got.Likeness != 0.28 {
		t.Errorf("without a background: %+v", got)
	}
	near := met()
	for i := range near.apart {
		near.apart[i] = 0.4
	}
	if got := near.Boundary(pages(100, 0.5, 0.4)).Likeness; !(got >= leastLikeness && got <= 1) {
		t.Errorf("a background nearer than the corpus: %v", got)
	}
}

// TestBoundaryByShare: the share of the topic among the pages is found, and a larger one lowers the boundary.
func TestBoundaryByShare(t *testing.T) {
	last := math.Inf(1)
	for _, share := range []int{10, 100, 500} { // of 1000
		l := new(Likenesses)
		for i := range 1000 {
			if i < share {
				l.Add(0.25 + 0.1*float64(i)/float64(share))
			} else {
				l.Add(-0.05 + 0.1*float64(i-share)/float64(1000-share))
			}
		}
		got := met().Boundary(l)
		if want := float64(share) / 1100; math.Abs(got.Share-want) > 0.03 {
			t.Errorf("share %v, want %v", got.Share, want)
		}
		if got.Likeness >= last {
			t.Errorf("of %d in 1000: %v, not below %v", share, got.Likeness, last)
		}
		last = got.Likeness
	}
}

func TestAppendAndReadLikenesses(t *testing.T) {
	l := new(Likenesses)
	for _, x := range []float64{-3, -1, -0.2, 0, 0.1, 0.1, 0.3333, 1, 7, math.NaN()} {
		l.Add(x)
	}
	for _, l := range []*Likenesses{new(Likenesses), l} {
		b := l.Append(nil)
		again, err := ReadLikenesses(b)
		if err != nil || *again != *l || !slices.Equal(again.Append(nil), b) {
			t.Errorf("%v: %d pages, want %d", err, again.Pages(), l.Pages())
		}
		for n := range b {
			if _, err := ReadLikenesses(b[:n]); !errors.Is(err, ErrDamaged) {
				t.Errorf("the first %d of %d bytes: %v", n, len(b), err)
			}
		}
	}
	if _, err := ReadLikenesses(append(l.Append(nil), 7)); !errors.Is(err, ErrDamaged) {
		t.Errorf("a byte too many: %v", err)
	}
}

func FuzzReadLikenesses(f *testing.F) {
	l := new(Likenesses)
	l.Add(0.2)
	f.Add(l.Append(nil))
	f.Add([]byte{255, 255, 255, 255, 255, 255})
	f.Fuzz(func(t *testing.T, b []byte) {
		l, err := ReadLikenesses(b)
		if err != nil {
			return
		}
		if x := met().Boundary(l).Likeness; !(x >= leastLikeness && x <= 1) {
			t.Errorf("boundary %v", x)
		}
	})
}
