package labels

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"orbweaver/internal/tier"
)

// A steady stream has items of 25 terms each: half from one of 60 subjects with 16 words each, the others
// general words and rare ones, some of them always new.
type steady struct {
	random *rand.Rand
	words  *rand.Zipf
}

func newSteady(seed uint64) *steady {
	r := rand.New(rand.NewPCG(seed, 7))
	return &steady{r, rand.NewZipf(r, 1.1, 20, 40_000)}
}

func (s *steady) next() Item {
	subject := s.random.IntN(60)
	seen := map[string]bool{}
	var terms []string
	for len(terms) < 25 {
		term := fmt.Sprintf("w%d", s.words.Uint64())
		if s.random.IntN(2) == 0 {
			term = fmt.Sprintf("s%d.%d", subject, min(s.random.IntN(16), s.random.IntN(16)))
		}
		if !seen[term] {
			seen[term] = true
			terms = append(terms, term)
		}
	}
	return itemOf(terms)
}

// costs learns a stream, and at each mark the next 500 items with a copy of the model. It returns the mean
// number of operations per item at each mark.
func costs(t *testing.T, m *Model, next func() Item, marks ...int) []float64 {
	t.Helper()
	var models []*Model
	for i := range marks[len(marks)-1] + 1 {
		if slices.Contains(marks, i) {
			models = append(models, restore(t, snapshot(t, m)))
		}
		m.Learn(next())
	}
	const items = 500
	for range items {
		it := next()
		for _, m := range models {
			m.Learn(it)
		}
	}
	all := make([]float64, len(marks))
	for k := range all {
		w := models[k].Work() // a restored model starts from 0
		all[k] = float64(w.Pairs+w.Looked) / items
	}
	return all
}

// TestCostDoesNotGrow: the operations per item after 10 000 and 20 000 items equal those after 1 000 within
// three percent. BenchmarkLearnAfter measures the time.
func TestCostDoesNotGrow(t *testing.T) {
	tier.Long(t, "learns 20 000 items, twice")
	decays := Default()
	decays.HalfLife, decays.Support, decays.Confidence = 300, 3, 1 // from 1 000 items on as many are lost as gained
	for name, p := range map[string]Parameters{"for ever": Default(), "half-life": decays} {
		m := newModel(t, p)
		all := costs(t, m, newSteady(1).next, 1000, 10_000, 20_000)
		t.Logf("%s: %v operations; %+v", name, all, m.Statistics())
		if m.Statistics().AlphaRules < 50 || m.Statistics().Edges < 10 {
			t.Errorf("%s: a stream in which there is nothing to learn", name)
		}
		for _, c := range all[1:] {
			if ratio := c / all[0]; ratio > 1.03 || ratio < 0.97 {
				t.Errorf("%s: operations by the factor %.3f", name, ratio)
			}
		}
	}
}

// TestCostOnReuters checks the same on news.
func TestCostOnReuters(t *testing.T) {
	tier.Long(t, "learns 19 043 items")
	_, items := reutersItems(t)
	at := -1
	next := func() Item { at++; return items[at] }
	all := costs(t, newModel(t, Default()), next, 1000, 10_000, 18_000)
	t.Logf("%v operations", all)
	for _, c := range all {
		if c > 1.03*all[0] {
			t.Errorf("operations by the factor %.3f", c/all[0])
		}
	}
}

// BenchmarkLearnAfter learns a news story after a number of others. Each model has the cache for itself,
// which favours small ones: times within a factor of 2 count as equal.
func BenchmarkLearnAfter(b *testing.B) {
	_, items := reutersItems(b)
	m, at := newModel(b, Default()), 0
	for _, mark := range []int{1000, 10_000, 18_500} {
		for ; at < mark; at++ {
			m.Learn(items[at])
		}
		then, next := snapshot(b, m), items[mark:mark+500]
		b.Run(fmt.Sprintf("items=%d", mark), func(b *testing.B) {
			var one *Model
			for i := 0; b.Loop(); i++ {
				if i%len(next) == 0 { // no item is learned twice
					b.StopTimer()
					one = restore(b, then)
					b.StartTimer()
				}
				one.Learn(next[i%len(next)])
			}
		})
	}
}

// BenchmarkClassifyNews classifies a news story after all stories were learned.
func BenchmarkClassifyNews(b *testing.B) {
	_, items := reutersItems(b)
	m := newModel(b, Default())
	for _, it := range items {
		m.Learn(it)
	}
	for i := 0; b.Loop(); i++ {
		m.Classify(items[i%len(items)])
	}
}

// BenchmarkLearn learns an item of 25 terms after 5 000 items.
func BenchmarkLearn(b *testing.B) {
	m, s := newModel(b, Default()), newSteady(2)
	items := make([]Item, 5000)
	for i := range items {
		items[i] = s.next()
		m.Learn(items[i])
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		m.Learn(items[i%len(items)])
	}
}

// BenchmarkClassify classifies an item of 25 terms.
func BenchmarkClassify(b *testing.B) {
	m, s := newModel(b, Default()), newSteady(2)
	items := make([]Item, 5000)
	for i := range items {
		items[i] = s.next()
		m.Learn(items[i])
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		m.Classify(items[i%len(items)])
	}
}
