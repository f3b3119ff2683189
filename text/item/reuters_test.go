package item

import (
	"archive/tar"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"slices"
	"sort"
	"strings"
	"testing"
	"time"

	"orbweaver/internal/realdata"
	"orbweaver/internal/tier"
)

// A story is a news item with its assigned topics.
type story struct {
	Title, Body string
	Topics      []string
}

// news returns the stories of Reuters-21578 that have a body, in order.
func news(tb testing.TB) []story {
	tb.Helper()
	file, err := os.Open(realdata.File(tb, "reuters-21578.tar.gz"))
	if err != nil {
		tb.Fatal(err)
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		tb.Fatal(err)
	}
	parts := map[string][]story{}
	for r := tar.NewReader(unzipped); ; {
		header, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			tb.Fatal(err)
		}
		if !strings.HasSuffix(header.Name, ".json") {
			continue
		}
		var part []story
		if err := json.NewDecoder(r).Decode(&part); err != nil {
			tb.Fatal(err)
		}
		parts[header.Name] = part
	}
	var names []string
	for name := range parts {
		names = append(names, name)
	}
	sort.Strings(names)
	var all []story
	for _, name := range names {
		for _, s := range parts[name] {
			if s.Body != "" {
				all = append(all, s)
			}
		}
	}
	return all
}

// texts returns the displayed forms of terms.
func (s *State) texts(terms []Term) (shown []string) {
	for _, t := range terms {
		text, _ := s.Text(t.ID)
		shown = append(shown, text)
	}
	return shown
}

// taken returns a State that took stories, and their items.
func taken(opts Options, stories []story) (*State, []Item) {
	var r Reader
	s := NewState(opts)
	items := make([]Item, len(stories))
	for i, x := range stories {
		items[i] = s.Take(r.Read(x.Body, x.Title, "en"))
	}
	return s, items
}

// TestCost: the cost of an item does not grow with the items seen. It is measured in table look-ups, which
// are deterministic.
func TestCost(t *testing.T) {
	tier.Long(t, "reads all items")
	stories := news(t)
	var r Reader
	s := NewState(Options{})
	cost := map[int]float64{} // look-ups per candidate of a draft, over a thousand items
	var steps, candidates int64
	var reading, taking time.Duration
	for i, x := range stories {
		began := time.Now()
		d := r.Read(x.Body, x.Title, "en")
		read := time.Now()
		s.Take(d)
		reading, taking = reading+read.Sub(began), taking+time.Since(read)
		candidates += int64(len(d.words) + len(d.grams))
		if n := i + 1; n%1000 == 0 {
			cost[n] = float64(s.steps-steps) / float64(candidates)
			if n == 1000 || n == 10_000 || n == 19_000 {
				t.Logf("the thousand until %d: read in %v, taken in %v, %.2f looks a candidate", n, reading, taking, cost[n])
			}
			steps, candidates, reading, taking = s.steps, 0, 0, 0
		}
	}
	if cost[1000] == 0 || cost[10_000] > 1.3*cost[1000] || cost[19_000] > 1.3*cost[1000] {
		t.Errorf("tables looked at for a candidate: %v", cost)
	}
}

// TestBounds: the news fills the smallest tables repeatedly.
func TestBounds(t *testing.T) {
	s, _ := taken(Options{MaxWords: 4 * maxWords, MaxGrams: 4 * maxGrams}, news(t)[:9000])
	if s.words > 4*maxWords || len(s.phrases) > 4*maxGrams || int(s.next) <= len(s.units)+1 {
		t.Errorf("%d words, %d phrases, %d numbers, %d terms", s.words, len(s.phrases), s.next, len(s.units))
	}
}

// TestNeighbours: the most similar item shares a topic far more often than a random one.
func TestNeighbours(t *testing.T) {
	tier.Long(t, "compares nine thousand items")
	stories := news(t)[:9000]
	_, items := taken(Options{}, stories)
	var with []int
	for i := 5000; i < len(stories); i++ {
		if len(stories[i].Topics) > 0 && items[i].Lack == "" {
			with = append(with, i)
		}
	}
	common, chance := 0, 0
	for n, i := range with {
		best, most := -1, 0.0
		for _, k := range with {
			if c := cosine(items[i].Terms, items[k].Terms); k != i && c > most {
				best, most = k, c
			}
		}
		if best >= 0 && share(stories[i].Topics, stories[best].Topics) {
			common++
		}
		if share(stories[i].Topics, stories[with[(n+1)%len(with)]].Topics) {
			chance++
		}
	}
	t.Logf("of %d: %d nearest have a topic in common, %d of those next in time", len(with), common, chance)
	if len(with) < 1500 || common*100 < 80*len(with) || chance*2 > common {
		t.Error("the nearest item is not about the same")
	}
}

func share(a, b []string) bool {
	return slices.ContainsFunc(a, func(topic string) bool { return slices.Contains(b, topic) })
}

// TestCollocations: frequent collocations are found, chance neighbours are not.
func TestCollocations(t *testing.T) {
	s, _ := taken(Options{}, news(t)[:8000])
	found := map[string]bool{}
	for _, u := range s.units {
		if u.stem == "" {
			shown, _ := s.Text(u.id)
			found[strings.ToLower(shown)] = true
		}
	}
	for _, term := range []string{
		"interest rates", "crude oil", "prime minister", "bank of england", "exchange rate", "trade surplus",
		"west germany", "federal reserve", "current account deficit",
	} {
		if !found[term] {
			t.Errorf("%q is no collocation", term)
		}
	}
	for _, term := range []string{"said new", "bank said", "last company"} {
		if found[term] {
			t.Errorf("%q is a collocation", term)
		}
	}
}

// TestSlips: an item with misspellings has nearly the same terms as without.
func TestSlips(t *testing.T) {
	tier.Long(t, "reads ten thousand items")
	stories := news(t)[:10_000]
	s, _ := taken(Options{}, stories[:9000])
	plain, _ := taken(Options{AsWritten: true}, stories[:9000])
	var r Reader
	slips := strings.NewReplacer(" government ", " governmnet ", " company ", " copmany ", " production ", " prodction ",
		" agreement ", " agreeement ", " quarter ", " quater ", " reserves ", " reservves ")
	var with, without, corrected float64
	n := 0
	for _, x := range stories[9000:] {
		wrong := slips.Replace(x.Body)
		if wrong == x.Body {
			continue
		}
		n++
		right, spoilt := r.Read(x.Body, "", "en"), r.Read(wrong, "", "en")
		a := s.Weigh(spoilt)
		with += cosine(s.Weigh(right).Terms, a.Terms)
		without += cosine(plain.Weigh(right).Terms, plain.Weigh(spoilt).Terms)
		corrected += float64(len(a.Corrected))
	}
	t.Logf("%d items: mean cosine to the item without slips %.4f, not corrected %.4f; %.2f corrections an item",
		n, with/float64(n), without/float64(n), corrected/float64(n))
	if n < 100 || with <= without || with < 0.95*float64(n) {
		t.Error("slips are not corrected")
	}
}
