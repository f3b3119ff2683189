package rating

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"orbweaver"
)

// TestTable9: the half of Wikipedia, from the pages of Table 7. That of Google is of other numbers than
// Table 6 has.
func TestTable9(t *testing.T) {
	for _, tc := range []struct {
		topic                  string
		accepted, rejected     int
		size, sampleA, sampleR int
	}{
		{"computer science", 1101, 1488, 335, 142, 192},
		{"diabetes", 1413, 1670, 342, 157, 185},
		{"politics", 2781, 1097, 350, 251, 99},
	} {
		d := DefaultDesign()
		if got := int(math.Round(d.Size(tc.accepted + tc.rejected))); got != tc.size {
			t.Errorf("%s: %d pages, want %d", tc.topic, got, tc.size)
		}
		if a, r := d.Strata(tc.accepted, tc.rejected); a != tc.sampleA || r != tc.sampleR {
			t.Errorf("%s: %d and %d, want %d and %d", tc.topic, a, r, tc.sampleA, tc.sampleR)
		}
	}
}

func TestStrata(t *testing.T) {
	for _, tc := range []struct {
		name               string
		d                  Design
		accepted, rejected int
		a, r               int
	}{
		{"nothing", DefaultDesign(), 0, 0, 0, 0},
		{"one page", DefaultDesign(), 1, 0, 1, 0},
		{"all of a few", DefaultDesign(), 2, 3, 2, 3},
		{"one kind alone", DefaultDesign(), 0, 1 << 40, 0, 384},
		{"the rare kind has one", DefaultDesign(), 1, 1_000_000, 1, 384},
		{"an error as small as can be", Design{10, 1e-300, 0.5}, 7, 8, 7, 8},
	} {
		if a, r := tc.d.Strata(tc.accepted, tc.rejected); a != tc.a || r != tc.r {
			t.Errorf("%s: %d and %d, want %d and %d", tc.name, a, r, tc.a, tc.r)
		}
	}
}

func TestDesignRefused(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, d := range []Design{
		{}, {0, .05, .5}, {-1.96, .05, .5}, {nan, .05, .5}, {inf, .05, .5}, {1.96, 0, .5}, {1.96, 1, .5}, {1.96, nan, .5}, {1.96, .05, .6}, {1.96, .05, nan},
	} {
		if err := d.Check(); !errors.Is(err, orbweaver.ErrInput) {
			t.Errorf("%+v: %v", d, err)
		}
		if _, err := NewPopulation(1).Draw(d); !errors.Is(err, orbweaver.ErrInput) {
			t.Errorf("%+v is drawn: %v", d, err)
		}
	}
	p := NewPopulation(1)
	for i := range MaxRows + 1 {
		p.Add(fmt.Sprint(i), true)
	}
	if _, err := p.Draw(Design{10, 1e-9, .5}); !errors.Is(err, orbweaver.ErrInput) {
		t.Error("more rows than anybody reads:", err)
	}
}

// pagesOf is a population of so many accepted and rejected pages.
func pagesOf(seed uint64, accepted, rejected int) *Population {
	p := NewPopulation(seed)
	for i := range accepted + rejected {
		p.Add(fmt.Sprintf("http://a.test/%d", i), i < accepted)
	}
	return p
}

func drawn(t *testing.T, p *Population, d Design) *Sample {
	t.Helper()
	s, err := p.Draw(d)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestDraw: each row is one page, with its verdict; the order in which pages come makes no difference,
// the seed does.
func TestDraw(t *testing.T) {
	s := drawn(t, pagesOf(1, 1101, 1488), DefaultDesign())
	backwards := NewPopulation(1)
	for i := 2588; i >= 0; i-- {
		backwards.Add(fmt.Sprintf("http://a.test/%d", i), false)
		backwards.Add(fmt.Sprintf("http://a.test/%d", i), i < 1101) // in another form
		backwards.Add(fmt.Sprintf("http://a.test/%d", i), false)
	}
	again, other := drawn(t, backwards, DefaultDesign()), drawn(t, pagesOf(2, 1101, 1488), DefaultDesign())
	rows, accepted, moved := map[int]bool{}, 0, 0
	for i := range 2589 {
		url := fmt.Sprintf("http://a.test/%d", i)
		row, yes, ok := s.Find(url)
		if row2, yes2, ok2 := again.Find(url); row2 != row || yes2 != yes || ok2 != ok {
			t.Fatalf("%s: row %d, then %d", url, row, row2)
		}
		if _, _, ok2 := other.Find(url); ok2 != ok {
			moved++
		}
		if !ok {
			continue
		}
		if rows[row] || row < 0 || row >= s.Len() || yes != (i < 1101) {
			t.Errorf("%s: row %d, accepted %v", url, row, yes)
		}
		if rows[row] = true; yes {
			accepted++
		}
	}
	if len(rows) != 334 || accepted != 142 || s.Accepted != 142 || s.Rejected != 192 {
		t.Errorf("%d rows, %d accepted; %d and %d are told", len(rows), accepted, s.Accepted, s.Rejected)
	}
	if s.ID(0) != again.ID(0) || s.ID(0) == other.ID(0) || s.ID(0) == s.ID(1) || moved < 400 {
		t.Errorf("%s, %s, %s; %d pages are in one of two samples", s.ID(0), again.ID(0), other.ID(0), moved)
	}
}

// TestDrawIsFair: over many seeds each page is drawn as often as any other of its kind, and neither
// kind stands before the other.
func TestDrawIsFair(t *testing.T) {
	const seeds, accepted, rejected = 2000, 10, 30
	d := Design{1.96, 0.2, 0.5}
	times := make([]int, accepted+rejected)
	before := 0.0 // mean row of accepted pages, as a share
	var a, r int
	for seed := range uint64(seeds) {
		s := drawn(t, pagesOf(seed, accepted, rejected), d)
		a, r = s.Accepted, s.Rejected
		for i := range times {
			row, yes, ok := s.Find(fmt.Sprintf("http://a.test/%d", i))
			if ok {
				times[i]++
			}
			if yes {
				before += (float64(row) + 0.5) / float64(s.Len()) / float64(seeds*a)
			}
		}
	}
	if a != 4 || r != 11 {
		t.Fatalf("%d and %d", a, r)
	}
	for i, n := range times {
		want := seeds * r / rejected
		if i < accepted {
			want = seeds * a / accepted
		}
		if n < want-100 || n > want+100 { // binomial: ± 22
			t.Errorf("page %d is drawn %d times of %d, want some %d", i, n, seeds, want)
		}
	}
	if math.Abs(before-0.5) > 0.02 {
		t.Errorf("accepted pages stand at %.3f of the sheet", before)
	}
}

func BenchmarkDraw(b *testing.B) {
	p := pagesOf(1, 300_000, 700_000)
	for b.Loop() {
		if _, err := p.Draw(DefaultDesign()); err != nil {
			b.Fatal(err)
		}
	}
}
