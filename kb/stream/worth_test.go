package stream

import (
	"archive/tar"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"orbweaver/internal/realdata"
	"orbweaver/text/item"
)

// headed returns the titles of the stories, and their texts without title, by number.
func headed(t *testing.T) (titles map[string]string, bodies map[string]item.Draft) {
	t.Helper()
	f, err := os.Open(realdata.File(t, "reuters-21578.tar.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	unzipped, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	titles, bodies = map[string]string{}, map[string]item.Draft{}
	var reader item.Reader
	for r := tar.NewReader(unzipped); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return titles, bodies
		}
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(h.Name, ".json") {
			continue
		}
		var file []struct {
			Attrs       struct{ NewID string }
			Title, Body string
		}
		if err := json.NewDecoder(r).Decode(&file); err != nil {
			t.Fatal(err)
		}
		for _, s := range file {
			titles[s.Attrs.NewID] = html.UnescapeString(s.Title)
			bodies[s.Attrs.NewID] = reader.Read(html.UnescapeString(s.Body), "", "en")
		}
	}
}

// titleWords are the distinct words of a title with three letters or more.
func titleWords(title string) (words []string) {
	for _, w := range strings.FieldsFunc(strings.ToLower(title), func(r rune) bool { return r < 'a' || r > 'z' }) {
		if len(w) > 2 {
			words = append(words, w)
		}
	}
	slices.Sort(words)
	return slices.Compact(words)
}

// sameStory reports whether two titles are of one event: within 48 hours, of their words at least three and three in five
// are shared, and one of these is in at most ten titles of all. Titles of the same words are a story that was sent twice, and
// too easy.
func sameStory(a, b story, words map[string][]string, in map[string]int) bool {
	if b.at.Sub(a.at).Abs() > 48*time.Hour || slices.Equal(words[a.id], words[b.id]) {
		return false
	}
	shared, rare := 0, false
	for _, w := range words[a.id] {
		if _, is := slices.BinarySearch(words[b.id], w); is {
			shared++
			rare = rare || in[w] <= 10
		}
	}
	return rare && shared >= 3 && 5*shared >= 3*(len(words[a.id])+len(words[b.id])-shared)
}

// A ranked story has what the relevance of step 3 of docs/howto/crossref.md compares.
type ranked struct {
	story
	terms    []item.Term
	labels   map[string]float64
	concepts map[string]float64
}

func cosineOf(a, b map[string]float64) float64 {
	var both, left, right float64
	for k, x := range a {
		left += x * x
		both += x * b[k]
	}
	for _, x := range b {
		right += x * x
	}
	if both == 0 {
		return 0
	}
	return both / math.Sqrt(left*right)
}

func cosineOfTerms(a, b []item.Term) float64 {
	var both, left, right float64
	for _, t := range a {
		left += t.Weight * t.Weight
		if at, ok := slices.BinarySearchFunc(b, t, func(x, y item.Term) int { return int(x.ID) - int(y.ID) }); ok {
			both += t.Weight * b[at].Weight
		}
	}
	for _, t := range b {
		right += t.Weight * t.Weight
	}
	if both == 0 {
		return 0
	}
	return both / math.Sqrt(left*right)
}

// averagePrecision of a ranking by scores; equal ones go in order.
func averagePrecision(scores []float64, relevant []bool) float64 {
	order := make([]int, len(scores))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case scores[a] > scores[b]:
			return -1
		case scores[a] < scores[b]:
			return 1
		}
		return 0
	})
	found, sum := 0.0, 0.0
	for rank, i := range order {
		if relevant[i] {
			found++
			sum += found / float64(rank+1)
		}
	}
	return sum / max(found, 1)
}

// TestWorthOfLabels: of the last fifth of Reuters, each story is ranked against all others by the cosine of terms alone,
// and with labels or concepts of a model of the first four fifths. The truth is the same story, by titles, which the model
// and the ranking don't see, or the same topic.
func TestWorthOfLabels(t *testing.T) {
	if os.Getenv("ORBWEAVER_EFFECT") != "all" {
		t.Skip("ranks 3 800 stories against each other: set ORBWEAVER_EFFECT=all")
	}
	all := stories(t)
	title, bodies := headed(t)
	words, in := map[string][]string{}, map[string]int{}
	for _, s := range all {
		words[s.id] = titleWords(title[s.id])
		for _, w := range words[s.id] {
			in[w]++
		}
	}
	cut := len(all) * 4 / 5
	m := newModel(t, Options{})
	for _, s := range all[:cut] {
		m.Learn(s.id, s.at, bodies[s.id])
	}
	var list []ranked
	for _, s := range all[cut:] {
		it, vector, _ := m.Weigh(s.id, bodies[s.id])
		x := ranked{s, vector, map[string]float64{}, map[string]float64{}}
		for _, h := range m.Labels.Classify(it) {
			x.labels[h.Label] = h.Strength
		}
		for _, h := range m.Held(vector) {
			x.concepts[fmt.Sprint(h.Concept.Number)] = 1
		}
		list = append(list, x)
	}
	shown := 0
	for name, same := range map[string]func(a, b story) bool{
		"same story": func(a, b story) bool { return sameStory(a, b, words, in) },
		"same topic": func(a, b story) bool {
			return slices.ContainsFunc(a.topics, func(x string) bool { return slices.Contains(b.topics, x) })
		},
	} {
		var sums [5]float64
		var better, worse, n int
		for q := range list {
			if name == "same topic" && q%10 > 0 {
				continue
			}
			relevant, any := make([]bool, len(list)), false
			for i := range list {
				relevant[i] = i != q && same(list[q].story, list[i].story)
				if any = any || relevant[i]; relevant[i] && name == "same story" && shown < 60 {
					shown++
					t.Logf("  %s = %s", title[list[q].id], title[list[i].id])
				}
			}
			if !any {
				continue
			}
			n++
			var scores [5][]float64
			for i := range list {
				c, l, k := cosineOfTerms(list[q].terms, list[i].terms), cosineOf(list[q].labels, list[i].labels), cosineOf(list[q].concepts, list[i].concepts)
				if i == q {
					c, l, k = -1, -1, -1
				}
				for j, x := range []float64{c, max(c, (c+l)/2), l, max(c, (c+k)/2), c + 0.1*k} {
					scores[j] = append(scores[j], x)
				}
			}
			var ap [5]float64
			for j := range scores {
				ap[j] = averagePrecision(scores[j], relevant)
				sums[j] += ap[j]
			}
			switch {
			case ap[1] > ap[0]:
				better++
			case ap[1] < ap[0]:
				worse++
			}
		}
		t.Logf("%s: %d items; mean average precision: terms %.3f, with labels %.3f, labels alone %.3f, with concepts %.3f, concepts at a tenth %.3f; labels better for %d, worse for %d",
			name, n, sums[0]/float64(n), sums[1]/float64(n), sums[2]/float64(n), sums[3]/float64(n), sums[4]/float64(n), better, worse)
	}
}
