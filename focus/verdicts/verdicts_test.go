package verdicts

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"orbweaver"
)

func pageOf(url, text string) *orbweaver.Page {
	return &orbweaver.Page{Request: orbweaver.Request{URL: url}, Lang: "en", Text: text}
}

func judged(score, threshold float64) orbweaver.Judgement {
	return orbweaver.Judgement{
		Score: score, Accepted: score >= threshold,
		Reasons: []orbweaver.Reason{{Rule: orbweaver.RuleThreshold, Weight: threshold}},
	}
}

// TestFitOneWord: one verdict, no other page, and no word that counts, leave the height alone. It maximizes
// ln σ(b) - b²/2, so that b = 1 - σ(b) = 0.4010581.
func TestFitOneWord(t *testing.T) {
	p := pageOf("http://a/", "glider")
	m := Fit([]Rated{{URL: p.Request.URL, Example: ExampleOf(p, judged(0.5, 0.5)), Relevant: true}}, nil)
	if want := 0.4010581; math.Abs(m.height-want) > 1e-6 || len(m.weights) > 0 {
		t.Errorf("height %v, weights %v, want %v and none", m.height, m.weights, want)
	}
	j := judged(0.4, 0.5)
	m.Correct(pageOf("http://b/", "glider"), &j)
	// log odds of 0.4 are -0.4054651; half of the height is 0.2005290
	if want := 1 / (1 + math.Exp(0.4054651-0.2005290)); math.Abs(j.Score-want) > 1e-6 || j.Accepted {
		t.Errorf("corrected to %v, %v; want %v, not accepted", j.Score, j.Accepted, want)
	}
	if last := j.Reasons[len(j.Reasons)-1]; last.Rule != RuleVerdicts || math.Abs(last.Weight-m.height) > 1e-9 || last.Evidence != "from 1 verdicts yes and 0 no" {
		t.Errorf("reason %+v", last)
	}
	if x := beyond(j); math.Abs(x+0.4054651) > 1e-6 {
		t.Errorf("without the correction %v, want the log odds before it", x)
	}
}

// lessons are pages of two kinds that a focus cannot tell apart, with verdicts on two of each, and others.
func lessons() (rated []Rated, others []Example) {
	kinds := []string{"glider wing soaring", "harbour crane cargo"}
	for i, words := range append(kinds, kinds...) {
		p := pageOf(fmt.Sprint("http://a/", i), fmt.Sprint(words, " engine number", i))
		rated = append(rated, Rated{URL: p.Request.URL, Example: ExampleOf(p, judged(0.5, 0.5)), Relevant: i%2 == 0})
	}
	for i := range 12 {
		p := pageOf(fmt.Sprint("http://b/", i), fmt.Sprint("town street people", i))
		others = append(others, ExampleOf(p, judged(0.1, 0.5)))
	}
	return rated, others
}

// TestWordsOfVerdicts: verdicts move pages with the words of the pages that they are on, and name these words. A page with
// a verdict follows it whatever its score.
func TestWordsOfVerdicts(t *testing.T) {
	m := Fit(lessons())
	for _, tc := range []struct {
		url, text string
		score     float64
		accepted  bool
		because   string
	}{
		{"http://c/1", "a glider soaring over the town", 0.4, true, "by glider, soar"},
		{"http://c/2", "cargo in the harbour", 0.6, false, "by "},
		{"http://a/0", "anything", 0.02, true, "a person says: relevant"},
		{"http://a/1", "anything", 0.98, false, "a person says: not relevant"},
	} {
		j := judged(tc.score, 0.5)
		m.Correct(pageOf(tc.url, tc.text), &j)
		last := j.Reasons[len(j.Reasons)-1]
		if j.Accepted != tc.accepted || (j.Score >= 0.5) != tc.accepted || !strings.Contains(last.Evidence, tc.because) {
			t.Errorf("%s: %v, accepted %v, %q", tc.text, j.Score, j.Accepted, last.Evidence)
		}
	}
}

// TestInPart: a page that is relevant in part is accepted, less firmly than one that is relevant, and teaches its words less.
func TestInPart(t *testing.T) {
	weights := map[string]float64{}
	for _, said := range []string{"no", "part", "yes"} {
		rated, others := lessons()
		for i := range rated {
			if rated[i].Relevant {
				rated[i].Relevant, rated[i].Part = said != "no", said == "part"
			}
		}
		m := Fit(rated, others)
		weights[said] = m.weights["glider"]
		j := judged(0.02, 0.5)
		m.Correct(pageOf(rated[0].URL, "anything"), &j)
		want := map[string]float64{"no": logistic(-math.Log(49)), "part": logistic(lean / sharp), "yes": logistic(firm / sharp)}[said]
		if j.Accepted != (said != "no") || math.Abs(j.Score-want) > 0.02 || said == "part" && j.Reasons[1].Evidence != "a person says: relevant in part" {
			t.Errorf("%s: %+v, want a score of %v", said, j, want)
		}
	}
	if !(weights["no"] < weights["part"] && weights["part"] < weights["yes"]) {
		t.Errorf("weights %v", weights)
	}
}

// TestFitIsAtTheOptimum: at the highest posterior, each weight is its prior variance times the sum of count·(target - p)·v.
func TestFitIsAtTheOptimum(t *testing.T) {
	rated, others := lessons()
	m := Fit(rated, others)
	gradient, height := map[string]float64{}, 0.0
	add := func(e Example, target, count float64) {
		v := m.vector(e.terms)
		x := sharp*beyond(e.judge) + m.height
		for _, w := range v {
			x += m.weights[w.stem] * w.weight
		}
		if target < 0 {
			target = logistic(sharp * beyond(e.judge))
		}
		rest := count * (target - logistic(x))
		height += rest
		for _, w := range v {
			gradient[w.stem] += rest * w.weight
		}
	}
	for _, r := range rated {
		target := 0.0
		if r.Relevant {
			target = 1
		}
		add(r.Example, target, 1)
	}
	for _, e := range others {
		add(e, -1, othersCount/float64(len(others)))
	}
	if math.Abs(m.height-heightVary*height) > 1e-6 {
		t.Errorf("height %v, want %v", m.height, heightVary*height)
	}
	if len(m.weights) < 6 {
		t.Fatalf("only %d words", len(m.weights))
	}
	for stem, w := range m.weights {
		if math.Abs(w-wordsVary*gradient[stem]) > 1e-4 {
			t.Errorf("%s: %v, want %v", stem, w, wordsVary*gradient[stem])
		}
	}
}

// TestStrangePages: no page and no judgement breaks a model.
func TestStrangePages(t *testing.T) {
	m := Fit(nil, nil)
	for _, score := range []float64{0, 1, math.NaN(), -1, 2} {
		for _, text := range []string{"", "\xff\x00", strings.Repeat("word ", 1000)} {
			j := orbweaver.Judgement{Score: score}
			m.Correct(pageOf("http://a/", text), &j)
			if !(j.Score >= 0 && j.Score <= 1) {
				t.Errorf("score %v becomes %v", score, j.Score)
			}
		}
	}
}
