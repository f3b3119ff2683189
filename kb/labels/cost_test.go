package labels

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// A steady stream has items of 25 terms each: half of one of 60 subjects, which have 16 words each, of the language,
// and rare ones, of which there are always new ones.
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

// cost is what learning an item costs after some number of items: operations on average, and the median time.
type cost struct {
	operations float64
	time       time.Duration
}

// costs learns a stream, and then the next 500 items by models that are as they were at the marks, in turns, so
// that whatever else the machine does is done to all of them, and none has the cache for itself, as none has
// in a crawl.
func costs(t *testing.T, m *Model, next func() Item, marks ...int) []cost {
	t.Helper()
	var models []*Model
	for i := range marks[len(marks)-1] + 1 {
		if slices.Contains(marks, i) {
			models = append(models, restore(t, snapshot(t, m)))
		}
		m.Learn(next())
	}
	const items = 500
	times := make([][]time.Duration, len(marks))
	for range items {
		it := next()
		for k := range models {
			start := time.Now()
			models[k].Learn(it)
			times[k] = append(times[k], time.Since(start))
		}
	}
	all := make([]cost, len(marks))
	for k := range all {
		slices.Sort(times[k])
		w := models[k].Work() // a restored model starts from 0
		all[k] = cost{float64(w.Pairs+w.Looked) / items, times[k][items/2]}
	}
	return all
}

// TestCostDoesNotGrow: an item costs as many operations after 10 000 and 20 000 items as after 1 000, within
// three hundredths. Time is told, and held against a loose bound, since machines are shared.
func TestCostDoesNotGrow(t *testing.T) {
	if testing.Short() {
		t.Skip("learns 20 000 items, twice")
	}
	decays := Default()
	decays.HalfLife, decays.Support, decays.Confidence = 300, 3, 1 // at 1 000 items as many go as come
	for name, p := range map[string]Parameters{"for ever": Default(), "half-life": decays} {
		m := newModel(t, p)
		all := costs(t, m, newSteady(1).next, 1000, 10_000, 20_000)
		t.Logf("%s: %+v; %+v", name, all, m.Statistics())
		if m.Statistics().AlphaRules < 50 || m.Statistics().Edges < 10 {
			t.Errorf("%s: a stream in which there is nothing to learn", name)
		}
		for _, c := range all[1:] {
			if ratio := c.operations / all[0].operations; ratio > 1.03 || ratio < 0.97 {
				t.Errorf("%s: operations by the factor %.3f", name, ratio)
			}
			if ratio := float64(c.time) / float64(all[0].time); ratio > 2 {
				t.Errorf("%s: time by the factor %.2f", name, ratio)
			}
		}
	}
}

// TestCostOnReuters tells the same of news.
func TestCostOnReuters(t *testing.T) {
	if testing.Short() {
		t.Skip("learns 19 043 items")
	}
	_, items := reutersItems(t)
	at := -1
	next := func() Item { at++; return items[at] }
	all := costs(t, newModel(t, Default()), next, 1000, 10_000, 18_000)
	t.Logf("%+v", all)
	for _, c := range all {
		if c.operations > 1.03*all[0].operations {
			t.Errorf("operations by the factor %.3f", c.operations/all[0].operations)
		}
	}
}

// TestTimeAlone tells the median time of news where a model has the cache for itself, which favours small ones: each is
// restored as it was at a mark and learns what came next, and of several times the best counts.
func TestTimeAlone(t *testing.T) {
	if testing.Short() {
		t.Skip("learns 19 043 items, and restores models")
	}
	_, items := reutersItems(t)
	marks := []int{1000, 10_000, 18_500}
	m := newModel(t, Default())
	var then [][]byte
	for i, it := range items {
		if slices.Contains(marks, i) {
			then = append(then, snapshot(t, m))
		}
		m.Learn(it)
	}
	best := make([]time.Duration, len(marks))
	for range 4 {
		for k, at := range marks {
			if took := medianTime(restore(t, then[k]), items[at:at+500]); best[k] == 0 || took < best[k] {
				best[k] = took
			}
		}
	}
	t.Log(best)
	for _, took := range best {
		if ratio := float64(took) / float64(best[0]); ratio > 2 {
			t.Errorf("time by the factor %.2f", ratio)
		}
	}
}

// medianTime is that of learning items, the first hundred left out.
func medianTime(m *Model, items []Item) time.Duration {
	var times []time.Duration
	for _, it := range items {
		start := time.Now()
		m.Learn(it)
		times = append(times, time.Since(start))
	}
	times = times[100:]
	slices.Sort(times)
	return times[len(times)/2]
}

// BenchmarkLearn is of an item of 25 terms, the model having had 5 000.
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

// BenchmarkClassify is of an item of 25 terms.
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
