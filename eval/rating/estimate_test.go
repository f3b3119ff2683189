package rating

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// keyOf is a key of a sample of accepted and rejected rows from a crawl of so many pages.
func keyOf(t *testing.T, rows, pages [2]int) *Key {
	t.Helper()
	var b strings.Builder
	b.WriteString("id,accepted,pages\n")
	for i := range rows[0] + rows[1] {
		verdict, of := "yes", pages[0]
		if i >= rows[0] {
			verdict, of = "no", pages[1]
		}
		fmt.Fprintf(&b, "bcd-%04d,%s,%d\n", i, verdict, of)
	}
	k, err := ReadKey("sheet.key.csv", strings.NewReader(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// qualityFor is the quality by a rater who finds so many of the rows of each verdict relevant.
func qualityFor(k *Key, relevant [2]int) Quality {
	r := Rater{"anna", make([]Answer, k.Len())}
	left := map[bool]int{true: relevant[0], false: relevant[1]}
	for row, accepted := range k.accepted {
		r.Answers[row] = Irrelevant
		if left[accepted] > 0 {
			left[accepted]--
			r.Answers[row] = Relevant
		}
	}
	return k.Score([]Rater{r}).Quality[0]
}

// TestQuality: what the strata weigh is by the crawl, not by the sample; without numbers there are no estimates.
func TestQuality(t *testing.T) {
	near := func(what string, e *Estimate, want Estimate) {
		t.Helper()
		if e == nil || math.Abs(e.Value-want.Value)+math.Abs(e.Low-want.Low)+math.Abs(e.High-want.High) > 2e-4 {
			t.Errorf("%s: %+v, want %+v", what, e, want)
		}
	}
	q := qualityFor(keyOf(t, [2]int{100, 100}, [2]int{1000, 9000}), [2]int{90, 10})
	near("precision", q.Precision, Estimate{0.9, 0.8256, 0.9448}) // Wilson's interval of 90 of 100
	near("harvest", q.Harvest, Estimate{0.18, 0.1390, 0.2471})    // (900 + 900) ÷ 10 000
	near("recall", q.Recall, Estimate{0.5, 0.3626, 0.6446})       // 900 ÷ (900 + 900)
	if got := q.Precision.String(); got != "90.00% (82.56 to 94.48)" {
		t.Error(got)
	}
	q = qualityFor(keyOf(t, [2]int{20, 20}, [2]int{20, 2000}), [2]int{20, 0})
	if q.Recall.Value != 1 || q.Recall.High != 1 || !(q.Recall.Low > 0 && q.Recall.Low < 0.2) {
		t.Errorf("no relevant page was seen among 2 000 rejected ones: %+v", q.Recall)
	}
	q = qualityFor(keyOf(t, [2]int{20, 20}, [2]int{20, 20}), [2]int{0, 5})
	if q.Recall.Value != 0 || q.Recall.Low != 0 || !(q.Recall.High > 0.1 && q.Recall.High < 0.7) {
		t.Errorf("nothing relevant was accepted: %+v", q.Recall)
	}
	if q = qualityFor(keyOf(t, [2]int{20, 20}, [2]int{20, 20}), [2]int{}); q.Recall != nil || q.Recall.String() != "-" || q.Harvest.Value != 0 {
		t.Errorf("nothing is relevant: %+v", q)
	}
	if q = qualityFor(keyOf(t, [2]int{0, 20}, [2]int{0, 20}), [2]int{0, 5}); q.Precision != nil || q.Recall.Value != 0 || q.Harvest.Value != 0.25 {
		t.Errorf("nothing was accepted: %+v", q)
	}
	if q = qualityFor(keyOf(t, [2]int{20, 0}, [2]int{20, 0}), [2]int{5, 0}); q.Recall.Low != 1 || q.Harvest.Value != 0.25 {
		t.Errorf("nothing was rejected: %+v", q)
	}
	k := keyOf(t, [2]int{1, 1}, [2]int{1, 1})
	if q := k.Score([]Rater{{"anna", []Answer{Relevant, Unanswered}}}).Quality[0]; q.Precision == nil || q.Recall != nil || q.Harvest != nil {
		t.Errorf("no rejected page was judged: %+v", q)
	}
}

// TestCoverage: in drawn samples the 95 % intervals contain what they estimate about as often as they say.
func TestCoverage(t *testing.T) {
	const draws = 2000
	random := rand.New(rand.NewPCG(1, 2))
	drawn := func(n int, p float64) (have int) {
		for range n {
			if random.Float64() < p {
				have++
			}
		}
		return have
	}
	for _, tc := range []struct {
		rows, pages [2]int
		p           [2]float64
	}{
		{[2]int{100, 200}, [2]int{1000, 2000}, [2]float64{0.8, 0.1}},
		{[2]int{30, 60}, [2]int{1000, 2000}, [2]float64{0.7, 0.2}},
		{[2]int{60, 240}, [2]int{500, 9500}, [2]float64{0.9, 0.03}},
	} {
		k := keyOf(t, tc.rows, tc.pages)
		parts := [2]float64{float64(tc.pages[0]) * tc.p[0], float64(tc.pages[1]) * tc.p[1]}
		recall, harvest := parts[0]/(parts[0]+parts[1]), (parts[0]+parts[1])/float64(tc.pages[0]+tc.pages[1])
		within := [3]int{}
		for range draws {
			q := qualityFor(k, [2]int{drawn(tc.rows[0], tc.p[0]), drawn(tc.rows[1], tc.p[1])})
			for i, e := range []*Estimate{q.Precision, q.Recall, q.Harvest} {
				if want := []float64{tc.p[0], recall, harvest}[i]; e.Low <= want && want <= e.High {
					within[i]++
				}
			}
		}
		for i, n := range within {
			if share := float64(n) / draws; share < 0.92 || share > 0.98 {
				t.Errorf("%v: %s is within its interval in %.1f %% of the samples", tc, []string{"precision", "recall", "harvest"}[i], 100*share)
			} else {
				t.Logf("%v: %s %.1f %%", tc, []string{"precision", "recall", "harvest"}[i], 100*share)
			}
		}
	}
}

// TestCohen: the example of Cohen (1960) with two kinds, its standard error, and what is undefined. The standard error is compared with the
// jackknife's.
func TestCohen(t *testing.T) {
	table := [2][2]int{{20, 5}, {10, 15}}
	a, err := Cohen(table)
	if err != nil || a.Kappa != 0.4 || a.Observed != 0.7 || a.Chance != 0.5 || a.Words != "fair agreement" || a.Rows != 50 {
		t.Errorf("%+v %v", a, err)
	}
	mean, sum := 0.0, 0.0
	var each []float64
	for i := range 2 {
		for j := range 2 {
			less := table
			less[i][j]--
			b, err := Cohen(less)
			if err != nil {
				t.Fatal(err)
			}
			for range table[i][j] {
				each = append(each, b.Kappa)
				mean += b.Kappa / 50
			}
		}
	}
	for _, k := range each {
		sum += square(k - mean)
	}
	half := quantile * math.Sqrt(sum*49/50)
	if got := (a.High - a.Low) / 2; math.Abs(got-half) > 0.01 {
		t.Errorf("the interval is ± %v, the jackknife's ± %v", got, half)
	}
	if _, err := Cohen([2][2]int{}); err != errRows {
		t.Error(err)
	}
	if _, err := Cohen([2][2]int{{7, 0}, {0, 0}}); err != errChance {
		t.Error(err)
	}
	if a, err := Cohen([2][2]int{{7, 0}, {0, 3}}); err != nil || a.Kappa != 1 || a.Low != 1 || a.High != 1 {
		t.Errorf("%+v %v", a, err)
	}
}

// TestAgreed: what more than half say counts, unless it was settled; a tie is none.
func TestAgreed(t *testing.T) {
	raters := []Rater{
		{"anna", []Answer{Relevant, Relevant, Relevant, Unanswered, Irrelevant}},
		{"ben", []Answer{Relevant, Irrelevant, Irrelevant, Unanswered, Unanswered}},
		{"cleo", []Answer{Irrelevant, Unanswered, Unanswered, Unanswered, Unanswered}},
	}
	if got, want := fmt.Sprint(Agreed(raters, nil)), fmt.Sprint([]Answer{Relevant, Unanswered, Unanswered, Unanswered, Irrelevant}); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	settled := []Answer{Irrelevant, Relevant, Unanswered, Unanswered, Unanswered}
	if got, want := fmt.Sprint(Agreed(raters, settled)), fmt.Sprint([]Answer{Irrelevant, Relevant, Unanswered, Unanswered, Irrelevant}); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := fmt.Sprint(Differing(raters)); got != "[0 1 2]" {
		t.Error(got)
	}
	r := keyFor(t, 3, 2).Score(raters, settled...)
	if r.Split != 1 || r.Agreed.Unanswered != 2 || r.Agreed.Accepted.Right != 1 || len(r.Pairs) != 3 || r.Pairs[2].Undefined != "" && r.Pairs[2].Agreement != nil || len(r.Quality) != 4 {
		t.Errorf("%+v %+v", r, r.Agreed)
	}
	if r := keyFor(t, 3, 2).Score([]Rater{{"x", make([]Answer, 5)}}); r.Agreed != nil || len(r.Pairs) != 0 {
		t.Errorf("%+v of nobody", r)
	}
}

// TestPagesOfAKey: counts of a key are of the crawl; what contradicts itself is told.
func TestPagesOfAKey(t *testing.T) {
	for text, want := range map[string]string{
		"id,accepted,pages\nx,yes,many\n":       "k.csv:2: x: pages is the number",
		"id,accepted,pages\nx,yes,0\n":          "k.csv:2: x: pages is the number",
		"id,accepted,pages\nx,yes,7\ny,yes,8\n": "k.csv:3: y: pages is 8, and was 7",
		"id,accepted,pages\nx,yes,7\ny,no,8\n":  "",
		"id,accepted,pages\nx,yes,\ny,no,\n":    "",
		"id;accepted;pages;other\nx;yes;7;7\n":  "",
		"id,accepted,pages,pages\nx,yes,a,b\n":  "",
	} {
		_, err := ReadKey("k.csv", strings.NewReader(text))
		if err == nil && want == "" || err != nil && want != "" && strings.Contains(err.Error(), want) {
			continue
		}
		t.Errorf("%q: %v, want %q", text, err, want)
	}
}
