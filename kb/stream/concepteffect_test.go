package stream

import (
	"fmt"
	"hash/fnv"
	"os"
	"slices"
	"testing"

	"orbweaver/internal/tier"
)

// r8 returns the stories whose only topic is one of Reuters' eight largest, by date.
func r8(all []story) (list []story) {
	eight := []string{"acq", "crude", "earn", "grain", "interest", "money-fx", "ship", "trade"}
	for _, s := range all {
		if len(s.topics) == 1 && slices.Contains(eight, s.topics[0]) {
			list = append(list, s)
		}
	}
	return list
}

// half returns 0 or 1 for a document by its name.
func half(id string) int {
	h := fnv.New32a()
	_, _ = h.Write([]byte(id))
	return int(h.Sum32() >> 7 & 1)
}

// A given document has topics and the names of labels or concepts.
type given struct {
	id            string
	topics, names []string
}

// A measure is precision and F1 of one name for one topic.
type measure struct{ precision, recall, f1 float64 }

func measured(list []given, topic, name string) measure {
	var right, given, is float64
	for _, d := range list {
		a, b := slices.Contains(d.topics, topic), slices.Contains(d.names, name)
		switch {
		case a && b:
			right, given, is = right+1, given+1, is+1
		case b:
			given++
		case a:
			is++
		}
	}
	if right == 0 {
		return measure{}
	}
	return measure{right / given, right / is, 2 * right / (given + is)}
}

// chosen returns the name of highest F1 for each topic.
func chosen(list []given) map[string]string {
	topics, names, both := map[string]float64{}, map[string]float64{}, map[[2]string]float64{}
	for _, d := range list {
		for _, n := range d.names {
			names[n]++
		}
		for _, t := range d.topics {
			topics[t]++
			for _, n := range d.names {
				both[[2]string{t, n}]++
			}
		}
	}
	best, f1 := map[string]string{}, map[string]float64{}
	for t := range topics {
		best[t] = ""
	}
	for pair, k := range both {
		t, n := pair[0], pair[1]
		if f := 2 * k / (topics[t] + names[n]); f > f1[t] || f == f1[t] && n < best[t] {
			best[t], f1[t] = n, f
		}
	}
	return best
}

// triedOn chooses a name for each topic on one half and reports the other: macro F1, and the share of documents with a
// chosen name that have its topic.
func triedOn(t *testing.T, what string, list []given) (macro, purity float64) {
	t.Helper()
	var halves [2][]given
	for _, d := range list {
		halves[half(d.id)] = append(halves[half(d.id)], d)
	}
	names := chosen(halves[0])
	var topics []string
	for topic := range names {
		topics = append(topics, topic)
	}
	slices.Sort(topics)
	var right, all, hindsight float64
	best := chosen(halves[1])
	for _, topic := range topics {
		m := measured(halves[1], topic, names[topic])
		macro += m.f1 / float64(len(topics))
		hindsight += measured(halves[1], topic, best[topic]).f1 / float64(len(topics))
		for _, d := range halves[1] {
			if slices.Contains(d.names, names[topic]) {
				if all++; slices.Contains(d.topics, topic) {
					right++
				}
			}
		}
		t.Logf("  %-10s F1 %.3f precision %.3f recall %.3f  %s", topic, m.f1, m.precision, m.recall, names[topic])
	}
	purity = right / max(all, 1)
	t.Logf("%s: macro F1 %.3f, purity %.3f; chosen in hindsight %.3f", what, macro, purity, hindsight)
	return macro, purity
}

// knownBy learns a stream, and measures labels and concepts on the documents that judge returns topics of.
func knownBy(t *testing.T, what string, list []story, judge func(story) []string) (single, macro, purity float64) {
	t.Helper()
	m := newModel(t, Options{Shared: true})
	for _, s := range list {
		m.Learn(s.id, s.at, s.draft)
	}
	var byLabel, byConcept []given
	for _, s := range list {
		topics := judge(s)
		if len(topics) == 0 {
			continue
		}
		it, vector, _ := m.Weigh(s.id, s.draft)
		var labels, concepts []string
		for _, h := range m.Labels.Classify(it) {
			labels = append(labels, h.Label)
		}
		for _, h := range m.Held(vector) {
			concepts = append(concepts, h.Concept.IRI()+" "+m.ShowAll(h.Concept.Name))
		}
		byLabel, byConcept = append(byLabel, given{s.id, topics, labels}), append(byConcept, given{s.id, topics, concepts})
	}
	single, _ = triedOn(t, what+", labels", byLabel)
	macro, purity = triedOn(t, what+", concepts", byConcept)
	return single, macro, purity
}

func own(s story) []string { return s.topics }

// TestConceptsOnReuters: one broad concept knows each of the eight largest topics, which no label does.
// ORBWEAVER_EFFECT=all also measures these stories in other orders, all stories, and those of other topics.
func TestConceptsOnReuters(t *testing.T) {
	tier.Long(t, "learns 7 219 stories")
	all := stories(t)
	single, macro, purity := knownBy(t, "eight topics", r8(all), own)
	if macro < 0.75 || purity < 0.9 {
		t.Errorf("concepts know the topics with macro F1 %.3f and purity %.3f", macro, purity)
	}
	if macro < single {
		t.Error("a single label knows more")
	}
	if os.Getenv("ORBWEAVER_EFFECT") != "all" {
		return
	}
	for _, seed := range []uint64{11, 12} {
		knownBy(t, fmt.Sprint("eight topics, order ", seed), shuffled(r8(all), seed), own)
	}
	eight := map[string]bool{}
	for _, s := range r8(all) {
		eight[s.id] = true
	}
	knownBy(t, "all stories, eight topics", all, func(s story) []string {
		if eight[s.id] {
			return s.topics
		}
		return nil
	})
	knownBy(t, "other topics", others(all), own)
}

// others returns the stories with one topic, not among the eight, that thirty stories or more have.
func others(all []story) (list []story) {
	eight, times := map[string]bool{}, map[string]int{}
	for _, s := range r8(all) {
		eight[s.topics[0]] = true
	}
	for _, s := range all {
		if len(s.topics) == 1 {
			times[s.topics[0]]++
		}
	}
	for _, s := range all {
		if len(s.topics) == 1 && !eight[s.topics[0]] && times[s.topics[0]] >= 30 {
			list = append(list, s)
		}
	}
	return list
}
