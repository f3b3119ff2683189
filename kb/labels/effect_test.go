package labels

import (
	"slices"
	"testing"

	"orbweaver/internal/tier"
)

// A confusion is the confusion matrix of a label as a predictor of a topic.
type confusion struct{ right, wrong, missed int }

func (c confusion) f1() float64 {
	if c.right == 0 {
		return 0
	}
	return 2 * float64(c.right) / float64(2*c.right+c.wrong+c.missed)
}

// A judged story is a story with its assigned labels.
type judged struct {
	topics, labels []string
}

// score returns the confusion matrix of a label for a topic.
func score(stories []judged, topic, label string) (c confusion) {
	for _, s := range stories {
		is, has := slices.Contains(s.topics, topic), slices.Contains(s.labels, label)
		switch {
		case is && has:
			c.right++
		case has:
			c.wrong++
		case is:
			c.missed++
		}
	}
	return c
}

// best returns the label with the highest F1 for each topic of at least ten stories; the first by name among
// equals.
func best(stories []judged) map[string]string {
	topics, labels, both := map[string]int{}, map[string]int{}, map[[2]string]int{}
	for _, s := range stories {
		for _, l := range s.labels {
			labels[l]++
		}
		for _, t := range s.topics {
			topics[t]++
			for _, l := range s.labels {
				both[[2]string{t, l}]++
			}
		}
	}
	chosen, f1s := map[string]string{}, map[string]float64{}
	for pair, right := range both {
		t, l := pair[0], pair[1]
		f1 := 2 * float64(right) / float64(topics[t]+labels[l])
		if topics[t] >= 10 && (f1 > f1s[t] || f1 == f1s[t] && l < chosen[t]) {
			chosen[t], f1s[t] = l, f1
		}
	}
	for t, n := range topics {
		if _, ok := chosen[t]; !ok && n >= 10 {
			chosen[t] = ""
		}
	}
	return chosen
}

// effect returns micro and macro F1 of labels for topics.
func effect(stories []judged, chosen map[string]string) (micro, macro float64) {
	var all confusion
	for topic, label := range chosen {
		c := score(stories, topic, label)
		all = confusion{all.right + c.right, all.wrong + c.wrong, all.missed + c.missed}
		macro += c.f1() / float64(len(chosen))
	}
	return all.f1(), macro
}

// purity returns the share of assigned labels whose story has the label's most frequent topic, ignoring
// stories without a topic.
func purity(stories []judged) float64 {
	given, of := map[string]int{}, map[string]map[string]int{}
	for _, s := range stories {
		if len(s.topics) == 0 {
			continue
		}
		for _, l := range s.labels {
			if given[l]++; of[l] == nil {
				of[l] = map[string]int{}
			}
			for _, t := range s.topics {
				of[l][t]++
			}
		}
	}
	pure, all := 0, 0
	for l, n := range given {
		most := 0
		for _, k := range of[l] {
			most = max(most, k)
		}
		pure += most
		all += n
	}
	return float64(pure) / float64(max(all, 1))
}

// An outcome is the result of learning the first four fifths of the stories by date: these stories with the
// labels by the model, and the last fifth with those of a model that stayed fixed and of one that learned
// each story after classifying it.
type outcome struct{ train, fixed, maintained []judged }

func learnAndJudge(t *testing.T, p Parameters, all []story, items []Item, grounds [][]Ground) []outcome {
	t.Helper()
	m := newModel(t, p)
	cut := len(all) * 4 / 5
	for _, it := range items[:cut] {
		m.Learn(it)
	}
	outcomes := make([]outcome, len(grounds))
	classify := func(i int, to func(*outcome) *[]judged) {
		hits := m.Classify(items[i])
		for n := range outcomes {
			j := judged{topics: all[i].topics}
			for _, h := range hits {
				if slices.Contains(grounds[n], h.By) {
					j.labels = append(j.labels, h.Label)
				}
			}
			list := to(&outcomes[n])
			*list = append(*list, j)
		}
	}
	for i := range cut {
		classify(i, func(o *outcome) *[]judged { return &o.train })
	}
	for i := cut; i < len(all); i++ {
		classify(i, func(o *outcome) *[]judged { return &o.fixed })
	}
	for i := cut; i < len(all); i++ {
		classify(i, func(o *outcome) *[]judged { return &o.maintained })
		m.Learn(items[i])
	}
	return outcomes
}

// TestEffectOnReuters: labels learned without topics predict topics. For each topic of at least ten stories
// the best label is chosen on the training stories and tested on later ones.
func TestEffectOnReuters(t *testing.T) {
	tier.Long(t, "learns 19 043 items, several times")
	all, items := reutersItems(t)
	decays := Default()
	decays.HalfLife = 3000
	micro, hindsight := map[string]float64{}, map[string]float64{}
	rules, broader := []Ground{ByTerm, ByAlpha, ByBeta}, []Ground{ByTerm, ByAlpha, ByBeta, ByBroader}
	for _, tc := range []struct {
		names   []string
		p       Parameters
		grounds [][]Ground
	}{
		{[]string{"terms alone", "terms and rules", "all"}, Default(), [][]Ground{{ByTerm}, rules, broader}},
		{[]string{"half-life, terms and rules", "half-life, all"}, decays, [][]Ground{rules, broader}},
	} {
		for n, o := range learnAndJudge(t, tc.p, all, items, tc.grounds) {
			name, chosen := tc.names[n], best(o.train)
			tell := func(part string, stories []judged) {
				one, mean := effect(stories, chosen)
				hindOne, hindMean := effect(stories, best(stories))
				t.Logf("%-26s %-15s micro F1 %.3f, macro F1 %.3f; labels chosen in hindsight %.3f, %.3f; purity %.3f",
					name, part, one, mean, hindOne, hindMean, purity(stories))
				micro[name+", "+part], hindsight[name+", "+part] = one, hindOne
			}
			tell("training", o.train)
			tell("not maintained", o.fixed)
			tell("maintained", o.maintained)
		}
	}
	if micro["terms and rules, training"] <= micro["terms alone, training"] {
		t.Error("rules add nothing")
	}
	if hindsight["terms and rules, not maintained"] <= hindsight["terms alone, not maintained"] {
		t.Error("rules add nothing to later stories")
	}
	if micro["half-life, all, maintained"] <= micro["half-life, all, not maintained"] {
		t.Error("maintenance adds nothing")
	}
	if micro["all, maintained"] < 0.53 {
		t.Error("labels find no topics")
	}
}
