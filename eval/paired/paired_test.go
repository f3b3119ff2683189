package paired

import (
	"errors"
	"math"
	"slices"
	"testing"

	"orbweaver"
)

func near(a, b, within float64) bool { return math.Abs(a-b) <= within }

func TestWilcoxon(t *testing.T) {
	for _, tc := range []struct {
		name        string
		differences []float64
		want        Signed
	}{
		// 2·5/2⁹: Hollander and Wolfe 1973, table 3.1, depression scale factor: T = 40, one-sided 0.020
		{"nine patients", []float64{0.952, -0.147, 1.022, 0.430, 0.620, 0.590, 0.490, -0.080, 0.010}, Signed{9, 40, 5, true, 0.0390625}},
		// Darwin 1876, crossed and self-fertilized maize, in eighths of an inch
		{"maize", []float64{49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48}, Signed{15, 96, 24, true, 0.041259765625}},
		// mean 22.5, variance 9·10·19/24 − 6/48 = 71.125, z = 4/8.43357
		{"one 0 and a tie", []float64{15, -7, 5, 20, 0, -9, 17, -12, 5, -10}, Signed{9, 27, 18, false, 0.635289}},
		{"three of one sign: 2/8", []float64{1, 2, 3}, Signed{3, 6, 0, true, 0.25}},
		{"as many above as below", []float64{1, -1}, Signed{2, 1.5, 1.5, false, 1}},
		{"nothing but 0 and gaps", []float64{0, math.NaN(), 0}, Signed{0, 0, 0, false, 1}},
	} {
		got := Wilcoxon(tc.differences)
		if !near(got.P, tc.want.P, 5e-6) {
			t.Errorf("%s: p = %v, want %v", tc.name, got.P, tc.want.P)
		}
		if got.P = tc.want.P; got != tc.want {
			t.Errorf("%s: %+v, want %+v", tc.name, got, tc.want)
		}
	}
}

// TestExactIsNormalInTheLimit: at 25 differences both ways agree, and 26 go the other way.
func TestExactIsNormalInTheLimit(t *testing.T) {
	values := make([]float64, 26)
	for i := range values {
		values[i] = float64(i + 1)
		if i%3 == 0 {
			values[i] = -values[i]
		}
	}
	exact := Wilcoxon(values[:25])
	n := 25.0
	z := (math.Abs(exact.Above-n*(n+1)/4) - 0.5) / math.Sqrt(n*(n+1)*(2*n+1)/24)
	if normal := math.Erfc(z / math.Sqrt2); !exact.Exact || !near(exact.P, normal, 0.005) {
		t.Errorf("%+v, by the normal approximation %v", exact, normal)
	}
	if Wilcoxon(values).Exact {
		t.Error("26 differences are tested exactly")
	}
}

func TestHolm(t *testing.T) {
	for _, tc := range []struct{ p, want []float64 }{
		{[]float64{0.01, 0.04, 0.03, 0.005}, []float64{0.03, 0.06, 0.06, 0.02}},
		{[]float64{0.5, 0.6}, []float64{1, 1}},
		{[]float64{0.02}, []float64{0.02}},
		{nil, nil},
	} {
		got := Holm(tc.p)
		if len(got) != len(tc.want) {
			t.Fatalf("%v: %v", tc.p, got)
		}
		for i := range got {
			if !near(got[i], tc.want[i], 1e-12) {
				t.Errorf("%v: %v, want %v", tc.p, got, tc.want)
			}
		}
	}
}

// spatial is the A column of the spatial test data of 26 children (Efron and Tibshirani 1993, table 14.1).
var spatial = []float64{48, 36, 20, 29, 42, 42, 20, 42, 22, 41, 45, 14, 6, 0, 33, 28, 34, 4, 32, 24, 47, 41, 24, 26, 30, 41}

func variance(values []float64) float64 {
	centre, sum := mean(values), 0.0
	for _, v := range values {
		sum += (v - centre) * (v - centre)
	}
	return sum / float64(len(values))
}

// TestBCaOfThePublishedExample: the variance of the spatial data is 171.5, its acceleration 0.061, and its central 90 %
// interval by 2000 BCa samples (115.8, 259.6), where percentiles alone have (100.8, 233.9).
func TestBCaOfThePublishedExample(t *testing.T) {
	if v, a := variance(spatial), accelerated(spatial, variance); !near(v, 171.5, 0.05) || !near(a, 0.061, 0.0005) {
		t.Errorf("variance %v, acceleration %v", v, a)
	}
	low, high := bca(spatial, variance, 0.90, 50_000, 1)
	if !near(low, 115.8, 4) || !near(high, 259.6, 6) {
		t.Errorf("(%v, %v), want (115.8, 259.6)", low, high)
	}
}

func TestBootstrap(t *testing.T) {
	values := []float64{0.1, 0.3, -0.05, 0.2, 0.15, 0.4, 0.02}
	low, high := Bootstrap(values, 5000, 7)
	again, too := Bootstrap(values, 5000, 7)
	if low != again || high != too {
		t.Error("the same seed gives another interval")
	}
	if l, h := Bootstrap(values, 5000, 8); l == low && h == high {
		t.Error("another seed gives the same interval to the last digit")
	}
	if !(low > -0.05 && low < mean(values) && high > mean(values) && high < 0.4) {
		t.Errorf("(%v, %v) around %v", low, high, mean(values))
	}
	if l, h := Bootstrap([]float64{2, 2, 2}, 100, 1); l != 2 || h != 2 {
		t.Errorf("of equal values (%v, %v)", l, h)
	}
	// Two values have three distinct means, with chances 1/4, 1/2, 1/4: any 95 % interval spans them.
	if l, h := Bootstrap([]float64{0, 1}, 1000, 1); l != 0 || h != 1 {
		t.Errorf("of 0 and 1 (%v, %v)", l, h)
	}
}

func TestCompare(t *testing.T) {
	nan := math.NaN()
	table := Table{
		Measures: []string{"recall", "hours"}, Units: []string{"a", "b", "c"}, Baseline: "base", Seed: 1,
		Runs: []Run{
			{Name: "base", Values: [][]float64{{0.2, 0.4, 0.6}, {nan, 1, nan}}},
			{Name: "oracle", Ceiling: true, Values: [][]float64{{1, 1, 1}, {nan, nan, 1}}},
			{Name: "ours", Values: [][]float64{{0.5, 0.6, 0.5}, {2, 3, 4}}},
		},
	}
	rows, err := table.Compare()
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != 3 || rows[0].Run != "oracle" || rows[1].Run != "ours" || rows[2].Measure != "hours" {
		t.Fatalf("%+v", rows)
	}
	r := rows[1] // differences 0.3, 0.2, −0.1: ranks 3, 2 and 1 below
	if r.N != 3 || r.Above != 2 || r.Below != 1 || r.Test.Below != 1 || !r.Test.Exact || r.Test.P != 0.5 || r.Holm != 1 ||
		!near(r.Difference, 0.4/3, 1e-9) || !near(r.Mean, 1.6/3, 1e-9) || !near(r.Baseline, 0.4, 1e-9) {
		t.Errorf("%+v", r)
	}
	if h := rows[2]; h.N != 1 || h.Difference != 2 || h.Low != 2 || h.High != 2 || h.Test.P != 1 {
		t.Errorf("%+v", h)
	}
	if !math.IsNaN(rows[0].Holm) {
		t.Errorf("the ceiling belongs to the family: %+v", rows[0])
	}
	again, err := table.Compare()
	if err != nil || !slices.Equal(rows[1:], again[1:]) {
		t.Errorf("%v, again %v, %v", rows, again, err)
	}
	table.Baseline = "none"
	if _, err := table.Compare(); !errors.Is(err, orbweaver.ErrInput) {
		t.Errorf("a baseline that is no run: %v", err)
	}
	table.Baseline, table.Runs[2].Values = "base", [][]float64{{1}}
	if _, err := table.Compare(); !errors.Is(err, orbweaver.ErrInput) {
		t.Errorf("values that do not fit: %v", err)
	}
}
