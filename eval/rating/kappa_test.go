package rating

import (
	"math"
	"math/rand/v2"
	"testing"
)

// psychiatrists are the diagnoses of Fleiss, "Measuring nominal scale agreement among many raters"
// (Psychological Bulletin 76, 1971), Table 1.
func psychiatrists() [][]int {
	return [][]int{
		{0, 0, 0, 6, 0}, {0, 3, 0, 0, 3}, {0, 1, 4, 0, 1}, {0, 0, 0, 0, 6}, {0, 3, 0, 3, 0}, {2, 0, 4, 0, 0},
		{0, 0, 4, 0, 2}, {2, 0, 3, 1, 0}, {2, 0, 0, 4, 0}, {0, 0, 0, 0, 6}, {1, 0, 0, 5, 0}, {1, 1, 0, 4, 0},
		{0, 3, 3, 0, 0}, {1, 0, 0, 5, 0}, {0, 2, 0, 3, 1}, {0, 0, 5, 0, 1}, {3, 0, 0, 1, 2}, {5, 1, 0, 0, 0},
		{0, 2, 0, 4, 0}, {1, 0, 2, 0, 3}, {0, 0, 0, 0, 6}, {0, 1, 0, 5, 0}, {0, 2, 0, 1, 3}, {2, 0, 0, 4, 0},
		{1, 0, 0, 4, 1}, {0, 5, 0, 1, 0}, {4, 0, 0, 0, 2}, {0, 2, 0, 4, 0}, {1, 0, 5, 0, 0}, {0, 0, 0, 0, 6},
	}
}

func TestFleiss(t *testing.T) {
	for _, tc := range []struct {
		name                    string
		rows                    [][]int
		raters                  int
		observed, chance, kappa float64 // to three decimals
	}{
		{"six psychiatrists", psychiatrists(), 6, 0.556, 0.220, 0.430},
		{"fourteen raters", [][]int{{0, 0, 0, 0, 14}, {0, 2, 6, 4, 2}, {0, 0, 3, 5, 6}, {0, 3, 9, 2, 0}, {2, 2, 8, 1, 1},
			{7, 7, 0, 0, 0}, {3, 2, 6, 3, 0}, {2, 5, 3, 2, 2}, {6, 5, 2, 1, 0}, {0, 2, 2, 3, 7}}, 14, 0.378, 0.213, 0.210},
		{"all agree", [][]int{{2, 0}, {0, 2}}, 2, 1, 0.5, 1},
		{"none agree", [][]int{{1, 1}, {1, 1}}, 2, 0, 0.5, -1},
		{"half agree, as chance has it", [][]int{{2, 0}, {0, 2}, {1, 1}, {1, 1}}, 2, 0.5, 0.5, 0},
		{"one row", [][]int{{2, 1}}, 3, 0.333, 0.556, -0.5},
	} {
		a, err := Fleiss(tc.rows)
		if err != nil {
			t.Errorf("%s: %v", tc.name, err)
		}
		near := func(x, y float64) bool { return math.Abs(x-y) < 0.0006 }
		if a.Raters != tc.raters || a.Rows != len(tc.rows) || !near(a.Observed, tc.observed) || !near(a.Chance, tc.chance) || !near(a.Kappa, tc.kappa) {
			t.Errorf("%s: %+v", tc.name, a)
		}
		if !(a.Low <= a.Kappa && a.Kappa <= a.High && a.Low >= -1 && a.High <= 1) {
			t.Errorf("%s: %v in %v to %v", tc.name, a.Kappa, a.Low, a.High)
		}
		if len(tc.rows) == 1 && (a.Low != -1 || a.High != 1) {
			t.Errorf("one row says %v to %v", a.Low, a.High)
		}
	}
}

func TestFleissUndefined(t *testing.T) {
	for want, rows := range map[error][][]int{
		errRows: nil, errRaters: {{1, 0}, {0, 1}}, errChance: {{3, 0}, {3, 0}},
	} {
		if a, err := Fleiss(rows); err != want {
			t.Errorf("%v: %+v, %v", rows, a, err)
		}
	}
	for _, rows := range [][][]int{{{2, 0}, {1, 0}}, {{2, 0}, {1, 0, 1}}, {{2, 0}, {2}}} {
		if a, err := Fleiss(rows); err == nil {
			t.Errorf("%v: %+v", rows, a)
		}
	}
}

// jackknifed is the standard error of κ by leaving out a row at a time.
func jackknifed(rows [][]int) float64 {
	var all []float64
	mean := 0.0
	for i := range rows {
		without := append(append([][]int{}, rows[:i]...), rows[i+1:]...)
		a, _ := Fleiss(without)
		all = append(all, a.Kappa)
		mean += a.Kappa / float64(len(rows))
	}
	sum := 0.0
	for _, k := range all {
		sum += (k - mean) * (k - mean)
	}
	n := float64(len(rows))
	return math.Sqrt(sum * (n - 1) / n)
}

// judged makes up rows of raters who find a share of pages relevant and err with a probability.
func judged(random *rand.Rand, rows, raters int, relevant, wrong float64) [][]int {
	all := make([][]int, rows)
	for i := range all {
		all[i] = make([]int, 2)
		truth := random.Float64() < relevant
		for range raters {
			if truth == (random.Float64() >= wrong) {
				all[i][0]++
			} else {
				all[i][1]++
			}
		}
	}
	return all
}

// TestInterval: as wide as the jackknife has it, which is found another way; and it holds the true κ as
// often as it says, 95 times of 100.
func TestInterval(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for name, rows := range map[string][][]int{"six psychiatrists": psychiatrists(), "made up": judged(rand.New(rand.NewPCG(3, 4)), 334, 4, 0.7, 0.1)} {
		a, err := Fleiss(rows)
		if err != nil {
			t.Fatal(err)
		}
		got, want := (a.High-a.Low)/2/quantile, jackknifed(rows)
		if math.Abs(got/want-1) > 0.05 {
			t.Errorf("%s: standard error %.4f, by the jackknife %.4f", name, got, want)
		}
	}
	// Four raters who err in a tenth: pairs agree in 0.82; 0.66 of all answers are "relevant".
	const share = 0.7*0.9 + 0.3*0.1
	const chance = share*share + (1-share)*(1-share)
	const truth = (0.82 - chance) / (1 - chance)
	held, times := 0, 2000
	for range times {
		a, err := Fleiss(judged(random, 200, 4, 0.7, 0.1))
		if err != nil {
			t.Fatal(err)
		}
		if a.Low <= truth && truth <= a.High {
			held++
		}
	}
	if share := float64(held) / float64(times); share < 0.93 || share > 0.97 {
		t.Errorf("%.1f%% of the intervals hold the true kappa", 100*share)
	}
}

// TestWords: Table 14 at its bounds, and what the paper says of its Table 13.
func TestWords(t *testing.T) {
	for kappa, want := range map[float64]string{
		-1: "poor agreement", -0.004: "poor agreement", 0: "slight agreement", 0.01: "slight agreement", 0.20: "slight agreement", 0.204: "slight agreement",
		0.206: "fair agreement", 0.21: "fair agreement", 0.40: "fair agreement", 0.41: "moderate agreement", 0.60: "moderate agreement",
		0.61: "substantial agreement", 0.80: "substantial agreement", 0.81: "almost perfect agreement", 1: "almost perfect agreement",
		0.68: "substantial agreement", 0.65: "substantial agreement", 0.63: "substantial agreement", 0.62: "substantial agreement",
		0.53: "moderate agreement", 0.57: "moderate agreement",
	} {
		if got := Words(kappa); got != want {
			t.Errorf("%v: %s, want %s", kappa, got, want)
		}
	}
}
