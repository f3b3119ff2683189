package labels

import (
	"slices"
	"testing"
)

// A confusion counts how a label does for a topic.
type confusion struct{ right, wrong, missed int }

func (c confusion) f1() float64 {
	if c.right == 0 {
		return 0
	}
	return 2 * float64(c.right) / float64(2*c.right+c.wrong+c.missed)
}

// A judged story is one with the labels that it was given.
type judged struct {
	topics, labels []string
}

// score counts how a label does for a topic.
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

// best is the label with the highest F1 for each topic of ten stories or more; the first by name among
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

// effect is micro and macro F1 of labels for topics.
func effect(stories []judged, chosen map[string]string) (micro, macro float64) {
	var all confusion
	for topic, label := range chosen {
		c := score(stories, topic, label)
		all = confusion{all.right + c.right, all.wrong + c.wrong, all.missed + c.missed}
		macro += c.f1() / float64(len(chosen))
	}
	return all.f1(), macro
}

// purity is the share of labels given that were given to stories of the label's most frequent topic, stories
// without a topic left out.
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

// TestEffectOnReuters: labels learned without topics find topics. The model learns the first four fifths of
// the stories by date, for each topic the best label is chosen on these, and the last fifth is classified by a
// model that stays as it is, by one that learns on, and by the terms alone.
func TestEffectOnReuters(t *testing.T) {
	if testing.Short() {
		t.Skip("learns 19 043 items")
	}
	all, items := reutersItems(t)
	cut := len(all) * 4 / 5
	m := newModel(t, Default())
	for _, it := range items[:cut] {
		m.Learn(it)
	}
	classify := func(m *Model, i int, grounds ...Ground) judged {
		j := judged{topics: all[i].topics}
		for _, h := range m.Classify(items[i]) {
			if len(grounds) == 0 || slices.Contains(grounds, h.By) {
				j.labels = append(j.labels, h.Label)
			}
		}
		return j
	}
	var train, fixed, bare []judged
	for i := range all {
		if i < cut {
			train = append(train, classify(m, i))
			continue
		}
		fixed = append(fixed, classify(m, i))
		bare = append(bare, classify(m, i, ByTerm))
	}
	var maintained []judged
	for i := cut; i < len(all); i++ {
		maintained = append(maintained, classify(m, i))
		m.Learn(items[i])
	}
	chosen := best(train)
	t.Logf("%d topics, %v", len(chosen), chosen)
	tell := func(name string, stories []judged) (micro float64) {
		micro, macro := effect(stories, chosen)
		bestMicro, bestMacro := effect(stories, best(stories))
		t.Logf("%-20s micro F1 %.3f, macro F1 %.3f; labels chosen in hindsight %.3f, %.3f; purity %.3f",
			name, micro, macro, bestMicro, bestMacro, purity(stories))
		return micro
	}
	tell("training", train)
	byTerms := tell("terms alone", bare)
	still := tell("not maintained", fixed)
	learned := tell("maintained", maintained)
	if still <= byTerms || learned < 0.3 {
		t.Errorf("rules add nothing")
	}
}
