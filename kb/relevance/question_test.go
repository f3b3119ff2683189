package relevance

import (
	"math"
	"slices"
	"testing"
)

// examples returns the marked superclasses of the terms of all domains but one, with their features.
func (w *world) examples(names []string, left string, needs support) (features []weighing, belongs []bool) {
	for _, name := range names {
		d := w.domains[name]
		if name == left {
			continue
		}
		found := w.expand(d, needs)
		for i := range found {
			if yes, marked := d.marks[found[i].class.IRI]; marked && found[i].above && !Top(found[i].class.IRI) {
				features, belongs = append(features, d.judge.features(&found[i])), append(belongs, yes)
			}
		}
	}
	return features, belongs
}

// fit returns the weights of the highest likelihood, with a little shrinking, by gradient ascent.
func fit(features []weighing, belongs []bool) (w weighing) {
	for range 4000 {
		var slope weighing
		for i, x := range features {
			wrong := -w.chance(x)
			if belongs[i] {
				wrong++
			}
			for k := range slope {
				slope[k] += wrong * x[k]
			}
		}
		for k := range w {
			if k > 0 {
				slope[k] -= w[k] / 2
			}
			w[k] += slope[k] * 2 / float64(len(features))
		}
	}
	return w
}

// asked returns the figures of a domain after up to n questions to a person who answers by the marks, and how many were answered by yes and
// by no. chance replaces the judge's weights.
func (w *world) asked(d *domain, needs support, n int, chance weighing) (f figures, yes, no int) {
	defer clear(d.judge.answers)
	for range n {
		found := w.expand(d, needs)
		classes := make([]Class, len(found))
		for i := range found {
			classes[i] = *found[i].class
		}
		q, ask := d.judge.question(classes, chance)
		if !ask {
			break
		}
		belongs, marked := d.marks[q.Class]
		if !marked { // of the sample of candidates two steps away: nobody said
			belongs = false
		}
		d.judge.Answer(q.Class, belongs)
		if belongs {
			yes++
		} else {
			no++
		}
	}
	return w.measure(d, needs), yes, no
}

// questions measures what one question gains in a simulation over the domains. With -leave-one-domain-out the weights are fitted without the domain
// asked about, up to three questions are asked, and so they are without what was added to the rules later.
func questions(t *testing.T, ws []*world, names []string) {
	for name, least := range map[string]float64{"few": 0.845, "all": 0.83} {
		w := ws[0]
		if name == "all" {
			w = ws[1]
		}
		none, one := simulate(t, ws, w, names, supports(), 0), simulate(t, ws, w, names, supports(), 1)
		if one < least || one < none {
			t.Errorf("%s: F1 %.3f without a question, %.3f after one; want %.3f", name, none, one, least)
		}
		if *leaveOut {
			simulate(t, ws, w, names, supports(), 3)
			for _, n := range []int{0, 1, 3} {
				simulate(t, ws, w, names, plain(), n)
			}
		}
	}
	x, y := ws[0].examples(names, "", supports())
	a, b := ws[1].examples(names, "", supports())
	fitted := fit(append(x, a...), append(y, b...))
	for k, v := range weights() {
		if math.Abs(v-fitted[k]) > 0.01 {
			t.Errorf("the weights are %.2f, fitted they are %.2f", weights(), fitted)
			break
		}
	}
}

// simulate asks up to n questions in each domain, and returns the mean F1 then.
func simulate(t *testing.T, ws []*world, w *world, names []string, needs support, n int) (f1 float64) {
	var recall float64
	yes, no := 0, 0
	for _, name := range names {
		chance := weights()
		if *leaveOut {
			var x []weighing
			var y []bool
			for _, other := range ws {
				a, b := other.examples(names, name, needs)
				x, y = append(x, a...), append(y, b...)
			}
			chance = fit(x, y)
		}
		f, a, b := w.asked(w.domains[name], needs, n, chance)
		if a > 0 {
			t.Logf("%s %s: P %.2f R %.2f F1 %.2f after %d yes, %d no", w.name, name, f.precision(), f.recall(), f.f1(), a, b)
		}
		f1 += f.f1() / float64(len(names))
		recall += f.recall() / float64(len(names))
		yes, no = yes+a, no+b
	}
	t.Logf("%s, narrow %.2f: R %.3f F1 %.3f after %d questions at most: %d yes, %d no", w.name, needs.narrow, recall, f1, n, yes, no)
	return f1
}

// TestAnswers: a yes accepts a class and what is below it, a no does neither, and neither is asked about again.
func TestAnswers(t *testing.T) {
	b := NewBackground()
	atLarge(b)
	var given, rest []Class
	for _, c := range kitchen() {
		b.Add(c)
		if c.IRI == "x:Cook" || c.IRI == "x:TeaPot" {
			given = append(given, c)
		} else {
			rest = append(rest, c)
		}
	}
	rest = append(rest, Class{IRI: "x:SousChef", Super: []string{"x:Potter"}})
	j, err := NewJudge(b, given)
	if err != nil {
		t.Fatal(err)
	}
	accepted := func() (all []string) {
		for i, v := range j.Verdicts(rest) {
			if v.Accepted {
				all = append(all, rest[i].IRI)
			}
		}
		slices.Sort(all)
		return all
	}
	before := accepted()
	q, ask := j.Question(rest)
	again, _ := j.Question(rest)
	if !ask || q.Class != "x:Person" || q.Label != "person" || !slices.Equal(q.Terms, []string{"x:Cook"}) ||
		!slices.Equal(q.Would, []string{"x:Person", "x:Potter", "x:SousChef", "x:Writer"}) || q.Gain != len(q.Would) || q.Chance <= 0 || q.Chance >= 1 {
		t.Fatalf("asked: %v, %+v", ask, q)
	}
	if !slices.Equal(again.Would, q.Would) || !slices.Equal(accepted(), before) {
		t.Errorf("a question changes something: %+v", again)
	}
	j.Answer("x:Person", false)
	if got := accepted(); !slices.Equal(got, before) {
		t.Errorf("after a no: %v, before it: %v", got, before)
	}
	if q, _ := j.Question(rest); q.Class == "x:Person" {
		t.Errorf("asked again: %+v", q)
	}
	j.Answer("x:Person", true)
	if got, want := accepted(), append(slices.Clone(q.Would), before...); len(got) != len(want) || slices.ContainsFunc(q.Would, func(iri string) bool { return !slices.Contains(got, iri) }) {
		t.Errorf("after a yes: %v, want %v too", got, q.Would)
	}
	for i, v := range j.Verdicts(rest) {
		if rest[i].IRI == "x:Person" && (v.Score != 1 || len(v.Reasons) != 1 || v.Reasons[0].Rule != RuleAnswer || v.Reasons[0].Evidence != "yes") {
			t.Errorf("%+v", v)
		}
	}
}

// TestJoined: a superclass belongs whose other subclasses properties join to terms, and not if they are few.
func TestJoined(t *testing.T) {
	b := NewBackground()
	atLarge(b)
	given := []Class{{IRI: "x:Ship", Super: []string{"x:Traffic"}, Linked: []string{"x:Cargo", "x:Harbour", "x:Crew"}}}
	traffic := Class{IRI: "x:Traffic", Super: []string{"x:Domain"}, Sub: []string{"x:Ship", "x:Cargo", "x:Harbour", "x:Crew", "x:Weather"}}
	j, err := NewJudge(b, given)
	if err != nil {
		t.Fatal(err)
	}
	if v := j.Verdicts([]Class{traffic})[0]; !v.Accepted || v.Reasons[0].Rule != RuleJoined {
		t.Errorf("joined to a term by most of what is below it: %+v", v)
	}
	for i := range 20 {
		traffic.Sub = append(traffic.Sub, "x:Other"+string(rune('a'+i)))
	}
	if v := j.Verdicts([]Class{traffic})[0]; v.Accepted {
		t.Errorf("joined by few: %+v", v)
	}
}

// TestNarrowClass: a class above a term and little else belongs, unless it has no superclass or another vocabulary declares it.
func TestNarrowClass(t *testing.T) {
	b := NewBackground()
	atLarge(b)
	j, err := NewJudge(b, []Class{{IRI: "x:Ferry"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		why  string
		c    Class
		want bool
	}{
		{"one other subclass", Class{IRI: "x:Boat", Super: []string{"x:Craft"}, Sub: []string{"x:Ferry", "x:Canoe"}}, true},
		{"the term alone", Class{IRI: "x:Boat", Super: []string{"x:Craft"}, Sub: []string{"x:Ferry"}}, false},
		{"no superclass", Class{IRI: "x:Boat", Sub: []string{"x:Ferry", "x:Canoe"}}, false},
		{"another vocabulary", Class{IRI: "http://y.test/Boat", Super: []string{"x:Craft"}, Sub: []string{"x:Ferry", "x:Canoe"}}, false},
		{"much else", Class{IRI: "x:Boat", Super: []string{"x:Craft"}, Sub: []string{"x:Ferry", "x:A1", "x:B1", "x:C1", "x:D1", "x:E1"}}, false},
	} {
		if v := j.Verdicts([]Class{tc.c})[0]; v.Accepted != tc.want {
			t.Errorf("%s: %+v", tc.why, v)
		}
	}
	wide := []Class{{IRI: "x:Boat", Super: []string{"x:Craft"}, Sub: []string{"x:Ferry", "x:Canoe"}}, {IRI: "x:Canoe", Sub: []string{"x:A1", "x:B1", "x:C1", "x:D1"}}}
	if v := j.Verdicts(wide)[0]; v.Accepted {
		t.Errorf("much below what is below it: %+v", v)
	}
}
