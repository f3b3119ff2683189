package rating

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// keyFor is a key of so many accepted and rejected rows, in this order.
func keyFor(t *testing.T, accepted, rejected int) *Key {
	t.Helper()
	var b strings.Builder
	b.WriteString("id,accepted\n")
	for i := range accepted + rejected {
		fmt.Fprintf(&b, "bcd-%03d,%v\n", i+1, i < accepted)
	}
	k, err := ReadKey("sheet.key.csv", strings.NewReader(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// answers are a rater's: the first rows relevant, others not, the last ones unanswered.
func answers(relevant, irrelevant, unanswered int) (all []Answer) {
	for i := range relevant + irrelevant + unanswered {
		switch {
		case i < relevant:
			all = append(all, Relevant)
		case i < relevant+irrelevant:
			all = append(all, Irrelevant)
		default:
			all = append(all, Unanswered)
		}
	}
	return all
}

// TestTables10And11: the harvest ratios of all raters, and their averages, in percent. In Table 11
// 127/157 stands for 122/157: its percentage and the average of the row say so.
func TestTables10And11(t *testing.T) {
	for _, tc := range []struct {
		topic    string
		of       int
		relevant [4]int
		percent  [4]float64
		mean     float64
		average  float64
	}{
		{"computer science, Google", 93, [4]int{70, 74, 65, 65}, [4]float64{75.27, 79.57, 69.89, 69.89}, 68.5, 73.66},
		{"diabetes, Google", 29, [4]int{26, 23, 26, 28}, [4]float64{89.66, 79.31, 89.66, 96.55}, 25.75, 88.79},
		{"politics, Google", 151, [4]int{110, 106, 93, 114}, [4]float64{72.85, 70.20, 61.59, 75.50}, 105.75, 70.03},
		{"computer science, Wikipedia", 142, [4]int{119, 110, 111, 106}, [4]float64{83.80, 77.46, 78.17, 74.65}, 111.5, 78.52},
		{"diabetes, Wikipedia", 157, [4]int{122, 132, 124, 134}, [4]float64{77.71, 84.08, 78.98, 85.35}, 128, 81.53},
		{"politics, Wikipedia", 251, [4]int{217, 240, 225, 206}, [4]float64{86.45, 95.62, 89.64, 82.07}, 222, 88.45},
	} {
		var raters []Rater
		for i, n := range tc.relevant {
			raters = append(raters, Rater{fmt.Sprint("R", i+1), answers(n, tc.of-n, 0)})
		}
		r := keyFor(t, tc.of, 0).Score(raters)
		percent := func(x float64) float64 { return math.Round(1e4*x) / 100 }
		for i, s := range r.Raters {
			if got := percent(s.Accepted.Ratio); got != tc.percent[i] || s.Accepted.Judged != float64(tc.of) {
				t.Errorf("%s, %s: %v%% of %v, want %v%%", tc.topic, s.Rater, got, s.Accepted.Judged, tc.percent[i])
			}
		}
		if got := percent(r.Average.Accepted.Ratio); got != tc.average || r.Average.Accepted.Right != tc.mean {
			t.Errorf("%s: average %v, %v%%, want %v, %v%%", tc.topic, r.Average.Accepted.Right, got, tc.mean, tc.average)
		}
	}
}

// TestScore: of rejected pages those count that the rater finds not relevant; rows left empty count
// neither for nor against, and who answers nothing is no rater.
func TestScore(t *testing.T) {
	k := keyFor(t, 4, 6)
	anna := Rater{"anna", answers(3, 7, 0)}
	ben := Rater{"ben", answers(5, 3, 2)}
	cleo := Rater{"cleo", answers(0, 0, 10)}
	r := k.Score([]Rater{anna, ben, cleo})
	want := []Score{
		{"anna", 0, Tallies{Tally{4, 3, 0.75}, Tally{6, 6, 1}}},
		{"ben", 2, Tallies{Tally{4, 4, 1}, Tally{4, 3, 0.75}}},
		{"cleo", 10, Tallies{}},
	}
	for i, s := range r.Raters {
		if s != want[i] {
			t.Errorf("%+v, want %+v", s, want[i])
		}
	}
	if want := (Tallies{Tally{4, 3.5, 0.875}, Tally{5, 4.5, 0.9}}); r.Average != want {
		t.Errorf("average %+v, want %+v", r.Average, want)
	}
	if r.Accepted != 4 || r.Rejected != 6 || r.Agreement == nil || r.Agreement.Rows != 8 || r.Agreement.Raters != 2 {
		t.Errorf("%+v %+v", r, r.Agreement)
	}
	for name, raters := range map[string][]Rater{
		errRaters.Error(): {anna, cleo},
		errRows.Error():   {{"x", answers(10, 0, 0)[:10]}, {"y", append(answers(0, 0, 9), Relevant)}, {"z", answers(9, 0, 1)}},
		errChance.Error(): {{"x", answers(10, 0, 0)}, {"y", answers(10, 0, 0)}},
	} {
		if r := k.Score(raters); r.Agreement != nil || r.Undefined != name {
			t.Errorf("%v %q, want %q", r.Agreement, r.Undefined, name)
		}
	}
	if r := k.Score(nil); r.Undefined != errRaters.Error() || r.Average.Answered() {
		t.Errorf("%+v of nobody", r)
	}
}
